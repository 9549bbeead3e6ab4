//! Terms of the program as terms over mathematical reals and integers: no rounding, no overflow.

use rustc_hash::FxHashMap;
use twinrun_term::{
    BvOp, BvOrder, FloatBinary, FloatOrder, FloatUnary, Node, Rational, Sort, Term, Terms, signed,
};

/// The translation with its own terms.
#[derive(Default)]
pub(super) struct Reals {
    pub(super) terms: Terms,
    known: FxHashMap<Term, Term>,
    /// What defines the symbols that stand for quotients.
    pub(super) quotients: Vec<Term>,
    /// Their divisors: where one is zero, the quotient has no meaning.
    pub(super) divisors: Vec<Term>,
}

impl Reals {
    /// A term over the reals; nothing when it uses what has no meaning there.
    pub(super) fn translate(&mut self, from: &Terms, root: Term) -> Option<Term> {
        for term in from.post_order(&[root], |term| self.known.contains_key(&term)) {
            let image = self.image(from, term)?;
            self.known.insert(term, image);
        }
        self.known.get(&root).copied()
    }

    fn image(&mut self, from: &Terms, term: Term) -> Option<Term> {
        let known = |of: Term| self.known.get(&of).copied();
        let node = from.node(term).clone();
        Some(match node {
            Node::Symbol(symbol) => {
                let info = from.symbol_info(symbol);
                // Numbers beyond the signed range compare with constants in another way than integers do.
                if let (Sort::Bv(width), Some((_, most))) = (info.sort, info.range)
                    && most >= 1i128 << (width - 1)
                {
                    return None;
                }
                let (sort, range) = match info.sort {
                    Sort::F64 | Sort::F32 => (Sort::Real, None),
                    _ => (Sort::Int, info.range.or(Some((i128::from(i32::MIN), i128::from(i32::MAX))))),
                };
                self.terms.declared(info.identity.clone(), &info.label, sort, range)
            }
            Node::Bool(value) => self.terms.bool(value),
            Node::Bv(width, value) => self.terms.int(signed(width, value).into()),
            Node::Float(Sort::F64, bits) => {
                let value = exact(f64::from_bits(bits))?;
                self.terms.real(value)
            }
            Node::Not(part) => {
                let part = known(part)?;
                self.terms.not(part)
            }
            Node::And(ref parts) | Node::Or(ref parts) => {
                let images: Option<Vec<Term>> = parts.iter().map(|&part| known(part)).collect();
                let images = images?;
                if matches!(node, Node::And(_)) { self.terms.and(&images) } else { self.terms.or(&images) }
            }
            Node::Ite(condition, then, other) => {
                let (condition, then, other) = (known(condition)?, known(then)?, known(other)?);
                self.terms.ite(condition, then, other)
            }
            Node::Eq(left, right) | Node::FloatOrder(FloatOrder::Eq, left, right) => {
                let (left, right) = (known(left)?, known(right)?);
                self.terms.eq(left, right)
            }
            Node::BvOrder(order, left, right) => {
                let (left, right) = (known(left)?, known(right)?);
                match order {
                    BvOrder::Slt => self.terms.num_lt(left, right),
                    BvOrder::Sle => self.terms.num_le(left, right),
                    _ => return None,
                }
            }
            Node::FloatOrder(order, left, right) => {
                let (left, right) = (known(left)?, known(right)?);
                if order == FloatOrder::Lt {
                    self.terms.num_lt(left, right)
                } else {
                    self.terms.num_le(left, right)
                }
            }
            Node::BvSum(ref sum) => {
                let width = from.width(term);
                let mut total = self.terms.int(signed(width, sum.constant).into());
                for &(part, factor) in &sum.parts {
                    let part = self.known.get(&part).copied()?;
                    let part = self.terms.num_scale(part, Rational::whole(signed(width, factor).into()));
                    total = self.terms.num_add(total, part);
                }
                total
            }
            Node::BvOp(BvOp::Mul, left, right) => {
                let (left, right) = (known(left)?, known(right)?);
                self.terms.num_mul(left, right)
            }
            Node::BvOp(op @ (BvOp::Sdiv | BvOp::Srem), left, right) => {
                let divisor = from.as_signed(right).filter(|divisor| *divisor > 0)?;
                let left = known(left)?;
                self.divided(left, divisor.into(), op == BvOp::Sdiv)
            }
            Node::SignExtend(_, part) => known(part)?,
            Node::FloatFromBv(true, Sort::F64, part) => {
                let part = known(part)?;
                self.terms.to_real(part)
            }
            Node::FloatUnary(FloatUnary::Neg, part) => {
                let part = known(part)?;
                self.terms.num_neg(part)
            }
            Node::FloatUnary(FloatUnary::Abs, part) => {
                let part = known(part)?;
                let zero = self.terms.real(Rational::ZERO);
                let negative = self.terms.num_lt(part, zero);
                let other = self.terms.num_neg(part);
                self.terms.ite(negative, other, part)
            }
            Node::FloatBinary(op, left, right) => {
                let (left, right) = (known(left)?, known(right)?);
                match op {
                    FloatBinary::Add => self.terms.num_add(left, right),
                    FloatBinary::Sub => self.terms.num_sub(left, right),
                    FloatBinary::Mul => self.terms.num_mul(left, right),
                    FloatBinary::Div => self.quotient(left, right)?,
                }
            }
            Node::Apply(function, ref arguments) => {
                let info = from.function_info(function);
                let images: Option<Vec<Term>> = arguments.iter().map(|&part| known(part)).collect();
                let image = |sort: &Sort| if sort.is_float() { Sort::Real } else { Sort::Int };
                let sorts: Vec<Sort> = info.arguments.iter().map(image).collect();
                let function = self.terms.function(&info.name, &sorts, image(&info.result));
                self.terms.apply(function, &images?)
            }
            _ => return None,
        })
    }

    /// The quotient or the remainder of integers as C has it, rounded to zero.
    fn divided(&mut self, left: Term, divisor: i128, quotient: bool) -> Term {
        let (divisor, zero) = (self.terms.int(divisor), self.terms.int(0));
        let negative = self.terms.num_lt(left, zero);
        let turned = self.terms.num_neg(left);
        let mut side = |part: Term| match quotient {
            true => self.terms.int_div(part, divisor),
            false => self.terms.int_mod(part, divisor),
        };
        let (plain, turned) = (side(left), side(turned));
        let turned = self.terms.num_neg(turned);
        self.terms.ite(negative, turned, plain)
    }

    /// A quotient: exact by a constant, otherwise a symbol with its defining equation.
    fn quotient(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Some(number) = self.terms.as_num(right) {
            return Some(self.terms.num_scale(left, number.inverse()?));
        }
        let name = format!("q{}", self.quotients.len() + 1);
        let symbol = self.terms.symbol(&name, Sort::Real, None);
        let product = self.terms.num_mul(symbol, right);
        let defines = self.terms.eq(product, left);
        self.quotients.push(defines);
        self.divisors.push(right);
        Some(symbol)
    }
}

/// A double as an exact fraction, if it is small enough.
pub(super) fn exact(value: f64) -> Option<Rational> {
    let mut numerator = value;
    let mut denominator: i128 = 1;
    while numerator.fract() != 0.0 {
        numerator *= 2.0;
        denominator = denominator.checked_mul(2).filter(|denominator| *denominator < 1 << 60)?;
    }
    (numerator.abs() < 1e18).then(|| Rational::new(numerator as i128, denominator))?
}
