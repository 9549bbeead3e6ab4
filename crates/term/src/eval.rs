//! Evaluation of terms under a model, with every shared part evaluated once.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::node::{Node, Term};
use crate::ops;
use crate::sort::{Rational, Sort, mask};
use crate::terms::Terms;
use crate::value::{Model, Value};

/// A model together with the values of the terms that were evaluated under it.
#[derive(Debug, Default, Clone)]
pub struct Evaluation {
    model: Model,
    values: RefCell<FxHashMap<Term, Value>>,
}

impl Evaluation {
    /// Starts with no term evaluated.
    pub fn new(model: Model) -> Self {
        Evaluation { model, values: RefCell::default() }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of a term, or nothing where numbers beyond 128 bits would be needed.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<Value> {
        let mut values = self.values.borrow_mut();
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if values.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let before = stack.len();
            if let Node::Ite(condition, then, other) = node {
                // Only the chosen branch is evaluated.
                match values.get(condition) {
                    None => stack.push(*condition),
                    Some(value) => {
                        let branch = if value.as_bool()? { *then } else { *other };
                        match values.get(&branch).cloned() {
                            None => stack.push(branch),
                            Some(value) => {
                                values.insert(top, value);
                            }
                        }
                    }
                }
                continue;
            }
            node.for_each_part(|part| {
                if !values.contains_key(&part) {
                    stack.push(part);
                }
            });
            if stack.len() > before {
                continue;
            }
            let value = self.apply(terms, top, &values)?;
            values.insert(top, value);
            stack.pop();
        }
        values.get(&term).cloned()
    }

    /// Whether a truth value holds; false also where it cannot be evaluated.
    pub fn holds(&self, terms: &Terms, term: Term) -> bool {
        self.value(terms, term).and_then(|value| value.as_bool()) == Some(true)
    }

    fn apply(&self, terms: &Terms, term: Term, values: &FxHashMap<Term, Value>) -> Option<Value> {
        let bits = |part: Term| values[&part].as_bits();
        let flag = |part: Term| values[&part].as_bool();
        let number = |part: Term| values[&part].as_num();
        let sort = terms.sort(term);
        Some(match terms.node(term) {
            Node::Symbol(symbol) => self.model.value(terms, *symbol),
            Node::Bool(value) => Value::Bool(*value),
            Node::Bv(_, value) => Value::Bv(*value),
            Node::Num(_, value) => Value::Num(**value),
            Node::Float(_, value) => Value::Float(*value),
            Node::Not(part) => Value::Bool(!flag(*part)?),
            Node::And(parts) => Value::Bool(
                parts.iter().map(|&part| flag(part)).try_fold(true, |all, part| Some(all & part?))?,
            ),
            Node::Or(parts) => Value::Bool(
                parts.iter().map(|&part| flag(part)).try_fold(false, |any, part| Some(any | part?))?,
            ),
            Node::Eq(left, right) => Value::Bool(values[left] == values[right]),
            Node::Ite(..) => unreachable!("evaluated lazily"),
            Node::BvSum(sum) => {
                let mut total = sum.constant;
                for (part, factor) in &sum.parts {
                    total = total.wrapping_add(bits(*part)?.wrapping_mul(*factor));
                }
                Value::Bv(total & mask(sort.width()))
            }
            Node::BvOp(op, left, right) => {
                Value::Bv(ops::bv_op(*op, sort.width(), bits(*left)?, bits(*right)?))
            }
            Node::BvOrder(order, left, right) => {
                Value::Bool(ops::bv_order(*order, terms.width(*left), bits(*left)?, bits(*right)?))
            }
            Node::Extract(_, low, part) => Value::Bv(bits(*part)? >> low & mask(sort.width())),
            Node::Concat(high, low) => Value::Bv(bits(*high)? << terms.width(*low) | bits(*low)?),
            Node::ZeroExtend(_, part) => Value::Bv(bits(*part)?),
            Node::SignExtend(width, part) => {
                Value::Bv(ops::sign_extend(terms.width(*part), *width, bits(*part)?))
            }
            Node::NumSum(sum) => {
                let mut total = sum.constant;
                for (part, factor) in &sum.parts {
                    total = total.plus(number(*part)?.times(*factor)?)?;
                }
                Value::Num(total)
            }
            Node::NumMul(left, right) => Value::Num(number(*left)?.times(number(*right)?)?),
            Node::RealDiv(left, right) => {
                let divisor = number(*right)?;
                // SMT-LIB leaves x / 0 open.
                let inverse = if divisor.signum() == 0 { Rational::ZERO } else { divisor.inverse()? };
                Value::Num(number(*left)?.times(inverse)?)
            }
            Node::IntDiv(left, right) => {
                let (left, right) = (number(*left)?.as_whole()?, number(*right)?.as_whole()?);
                Value::Num(Rational::whole(left.checked_div_euclid(right).unwrap_or(0)))
            }
            Node::IntMod(left, right) => {
                let (left, right) = (number(*left)?.as_whole()?, number(*right)?.as_whole()?);
                Value::Num(Rational::whole(left.checked_rem_euclid(right).unwrap_or(left)))
            }
            Node::NumLe(left, right) => Value::Bool(number(*left)? <= number(*right)?),
            Node::NumLt(left, right) => Value::Bool(number(*left)? < number(*right)?),
            Node::ToReal(part) => Value::Num(number(*part)?),
            Node::FloatUnary(op, part) => Value::Float(ops::float_unary(*op, sort, bits(*part)?)),
            Node::FloatBinary(op, left, right) => {
                Value::Float(ops::float_binary(*op, sort, bits(*left)?, bits(*right)?))
            }
            Node::FloatOrder(order, left, right) => {
                Value::Bool(ops::float_order(*order, terms.sort(*left), bits(*left)?, bits(*right)?))
            }
            Node::IsNan(part) => Value::Bool(ops::as_f64(terms.sort(*part), bits(*part)?).is_nan()),
            Node::IsNegative(part) => {
                let value = ops::as_f64(terms.sort(*part), bits(*part)?);
                Value::Bool(!value.is_nan() && value.is_sign_negative())
            }
            Node::FloatFromBits(part) => Value::Float(ops::canonical(sort, bits(*part)?)),
            Node::FloatToBits(part) => Value::Bv(bits(*part)?),
            Node::FloatFromBv(is_signed, to, part) => {
                Value::Float(ops::float_from_bv(*is_signed, *to, terms.width(*part), bits(*part)?))
            }
            Node::FloatToBv(is_signed, width, part) => {
                Value::Bv(ops::float_to_bv(*is_signed, *width, terms.sort(*part), bits(*part)?))
            }
            Node::FloatConvert(to, part) => {
                Value::Float(ops::float_convert(*to, terms.sort(*part), bits(*part)?))
            }
            Node::ConstArray(byte) => {
                let array = crate::value::ArrayValue { default: bits(*byte)? as u8, ..Default::default() };
                Value::Array(Box::new(array))
            }
            Node::Store(array, address, byte) => {
                let Value::Array(mut array) = values[array].clone() else { return None };
                array.bytes.insert(bits(*address)? as u32, bits(*byte)? as u8);
                Value::Array(array)
            }
            Node::Select(array, address) => {
                let Value::Array(array) = &values[array] else { return None };
                Value::Bv(u64::from(array.get(bits(*address)? as u32)))
            }
            Node::Apply(function, parts) => {
                let arguments: Vec<Value> = parts.iter().map(|part| values[part].clone()).collect();
                self.model.apply(terms, *function, &arguments)
            }
        })
    }
}

impl Terms {
    /// The value of one term under a model.
    pub fn evaluate(&self, term: Term, model: &Model) -> Option<Value> {
        Evaluation::new(model.clone()).value(self, term)
    }

    /// The term of a value of a sort; arrays have none.
    pub fn value_term(&mut self, sort: Sort, value: &Value) -> Option<Term> {
        Some(match (sort, value) {
            (Sort::Bool, Value::Bool(value)) => self.bool(*value),
            (Sort::Bv(width), Value::Bv(value)) => self.bv(width, *value),
            (Sort::Int | Sort::Real, Value::Num(value)) => self.num_constant(*value, sort),
            (Sort::F32 | Sort::F64, Value::Float(bits)) => self.float_constant(sort, *bits),
            _ => return None,
        })
    }
}
