//! Terms as a programmer would write them, over the names of the inputs.

use std::cell::Cell;
use std::fmt::Write as _;

use crate::chains::{Comparison, Relation, chains};
use crate::node::{BvOp, BvOrder, FloatBinary, FloatOrder, FloatUnary, Node, Term};
use crate::sort::{Rational, Sort, signed};
use crate::terms::Terms;

/// Terms nested deeper are cut short with an ellipsis.
const MAX_DEPTH: usize = 40;
/// So many parts of one condition or value are written out: shared parts of a deep term are written wherever they are used, and without
/// an end to it the text would double at every level.
const MAX_PARTS: u32 = 1000;

/// One condition or value.
pub fn show(terms: &Terms, term: Term) -> String {
    Writer::new(terms).text(term, Strength::Lowest, MAX_DEPTH)
}

/// A conjunction as few readable lines: comparisons joined to chains (`b < a < c`), bounds to intervals (`0 <= x < 10`).
pub fn show_all(terms: &Terms, conditions: &[Term]) -> Vec<String> {
    let mut comparisons = Vec::new();
    let mut others = Vec::new();
    let mut flat = Vec::new();
    for &condition in conditions {
        match terms.node(condition) {
            Node::And(parts) => flat.extend_from_slice(parts),
            Node::Bool(true) => {}
            _ => flat.push(condition),
        }
    }
    for condition in flat {
        let writer = Writer::new(terms);
        match writer.comparison(condition, MAX_DEPTH) {
            Some(comparison) => comparisons.push(comparison),
            None => others.push(Writer::new(terms).text(condition, Strength::And, MAX_DEPTH)),
        }
    }
    let mut lines = chains(comparisons);
    let mut seen = std::collections::BTreeSet::new();
    lines.extend(others.into_iter().filter(|line| seen.insert(line.clone())));
    lines
}

/// A conjunction on one line.
pub fn show_conjunction(terms: &Terms, conditions: &[Term]) -> String {
    let lines = show_all(terms, conditions);
    if lines.is_empty() { "true".to_owned() } else { lines.join(" && ") }
}

/// How strongly an operator binds, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Lowest,
    Or,
    And,
    Compare,
    Bits,
    Sum,
    Product,
    Unary,
}

struct Writer<'a> {
    terms: &'a Terms,
    /// How many parts may still be written.
    left: Cell<u32>,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms) -> Writer<'a> {
        Writer { terms, left: Cell::new(MAX_PARTS) }
    }

    fn text(&self, term: Term, outer: Strength, depth: usize) -> String {
        if depth == 0 || self.left.get() == 0 {
            return "…".to_owned();
        }
        self.left.set(self.left.get() - 1);
        let (text, strength) = self.parts(term, depth - 1);
        if strength < outer { format!("({text})") } else { text }
    }

    fn parts(&self, term: Term, depth: usize) -> (String, Strength) {
        if let Some(comparison) = self.comparison(term, depth) {
            return (comparison.to_string(), Strength::Compare);
        }
        let terms = self.terms;
        let joined = |parts: &[Term], operator: &str, strength: Strength| {
            let parts: Vec<String> = parts.iter().map(|&part| self.text(part, strength, depth)).collect();
            (parts.join(operator), strength)
        };
        let call = |name: &str, parts: &[Term]| {
            let parts: Vec<String> =
                parts.iter().map(|&part| self.text(part, Strength::Lowest, depth)).collect();
            (format!("{name}({})", parts.join(", ")), Strength::Unary)
        };
        let infix = |operator: &str, left: Term, right: Term, strength: Strength| {
            let next = if strength == Strength::Bits { Strength::Sum } else { Strength::Unary };
            let (left, right) = (self.text(left, strength, depth), self.text(right, next, depth));
            (format!("{left} {operator} {right}"), strength)
        };
        match *terms.node(term) {
            Node::Symbol(symbol) => (terms.symbol_info(symbol).name.clone(), Strength::Unary),
            Node::Bool(value) => (value.to_string(), Strength::Unary),
            Node::Bv(width, value) => number_text(Rational::whole(signed(width, value).into())),
            Node::Num(_, ref value) => number_text(**value),
            Node::Float(Sort::F32, bits) => (format!("{:?}", f32::from_bits(bits as u32)), Strength::Unary),
            Node::Float(_, bits) => (format!("{:?}", f64::from_bits(bits)), Strength::Unary),
            Node::Not(part) => (format!("!{}", self.text(part, Strength::Unary, depth)), Strength::Unary),
            Node::And(ref parts) => joined(parts, " && ", Strength::And),
            Node::Or(ref parts) => joined(parts, " || ", Strength::Or),
            Node::Ite(condition, then, other) => {
                let condition = self.text(condition, Strength::Or, depth);
                let (then, other) =
                    (self.text(then, Strength::Or, depth), self.text(other, Strength::Or, depth));
                (format!("{condition} ? {then} : {other}"), Strength::Lowest)
            }
            Node::BvSum(ref sum) => {
                let width = terms.width(term);
                let whole = |value: u64| Rational::whole(signed(width, value).into());
                let parts: Vec<_> = sum.parts.iter().map(|(part, factor)| (*part, whole(*factor))).collect();
                self.sum(&parts, whole(sum.constant), depth)
            }
            Node::NumSum(ref sum) => self.sum(&sum.parts, sum.constant, depth),
            Node::BvOp(op, left, right) => {
                let (operator, strength) = match op {
                    BvOp::Mul => ("*", Strength::Product),
                    BvOp::Udiv | BvOp::Sdiv => ("/", Strength::Product),
                    BvOp::Urem | BvOp::Srem => ("%", Strength::Product),
                    BvOp::And => ("&", Strength::Bits),
                    BvOp::Or => ("|", Strength::Bits),
                    BvOp::Xor => ("^", Strength::Bits),
                    BvOp::Shl => ("<<", Strength::Bits),
                    BvOp::Lshr | BvOp::Ashr => (">>", Strength::Bits),
                };
                infix(operator, left, right, strength)
            }
            Node::NumMul(left, right) => infix("*", left, right, Strength::Product),
            Node::RealDiv(left, right) | Node::IntDiv(left, right) => {
                infix("/", left, right, Strength::Product)
            }
            Node::IntMod(left, right) => infix("mod", left, right, Strength::Product),
            Node::Extract(high, low, part) => self.cut(high, low, part, depth),
            Node::Concat(high, low) => {
                let factor = Rational::whole(1 << terms.width(low));
                self.sum(&[(high, factor), (low, Rational::ONE)], Rational::ZERO, depth)
            }
            // A widened number is the same number.
            Node::ZeroExtend(_, part) | Node::SignExtend(_, part) | Node::ToReal(part) => {
                self.parts(part, depth)
            }
            Node::FloatUnary(op, part) => match op {
                FloatUnary::Neg => (format!("-{}", self.text(part, Strength::Unary, depth)), Strength::Unary),
                FloatUnary::Abs => call("abs", &[part]),
                FloatUnary::Sqrt => call("sqrt", &[part]),
                FloatUnary::Ceil => call("ceil", &[part]),
                FloatUnary::Floor => call("floor", &[part]),
                FloatUnary::Trunc => call("trunc", &[part]),
                FloatUnary::Nearest => call("nearest", &[part]),
            },
            Node::FloatBinary(op, left, right) => match op {
                FloatBinary::Add => infix("+", left, right, Strength::Sum),
                FloatBinary::Sub => infix("-", left, right, Strength::Sum),
                FloatBinary::Mul => infix("*", left, right, Strength::Product),
                FloatBinary::Div => infix("/", left, right, Strength::Product),
            },
            Node::IsNan(part) => call("isnan", &[part]),
            Node::IsNegative(part) => call("signbit", &[part]),
            Node::FloatFromBits(part) => call("float_of_bits", &[part]),
            Node::FloatToBits(part) => call("bits", &[part]),
            Node::FloatFromBv(_, sort, part) => {
                call(if sort == Sort::F32 { "float" } else { "double" }, &[part])
            }
            Node::FloatToBv(_, _, part) => call("trunc", &[part]),
            Node::FloatConvert(sort, part) => {
                call(if sort == Sort::F32 { "float" } else { "double" }, &[part])
            }
            Node::ConstArray(byte) => call("all", &[byte]),
            Node::Store(array, address, byte) => call("store", &[array, address, byte]),
            Node::Select(array, address) => {
                let (array, address) =
                    (self.text(array, Strength::Unary, depth), self.text(address, Strength::Lowest, depth));
                (format!("{array}[{address}]"), Strength::Unary)
            }
            Node::Apply(function, ref parts) => call(&terms.function_info(function).name, parts),
            Node::Eq(..) | Node::BvOrder(..) | Node::NumLe(..) | Node::NumLt(..) | Node::FloatOrder(..) => {
                unreachable!("comparisons are written as such")
            }
        }
    }

    fn sum(&self, parts: &[(Term, Rational)], constant: Rational, depth: usize) -> (String, Strength) {
        let mut text = String::new();
        // A positive part first reads better than a leading minus.
        let mut ordered: Vec<_> = parts.to_vec();
        ordered.sort_by_key(|(part, factor)| (factor.signum() < 0, *part));
        for (part, factor) in ordered {
            let size = if factor.signum() < 0 { factor.negated() } else { factor };
            let product = if size == Rational::ONE {
                self.text(part, Strength::Product, depth)
            } else {
                format!("{size}*{}", self.text(part, Strength::Unary, depth))
            };
            match (text.is_empty(), factor.signum() < 0) {
                (true, false) => text.push_str(&product),
                (true, true) => text.push_str(&format!("-{product}")),
                (false, minus) => text.push_str(&format!(" {} {product}", if minus { '-' } else { '+' })),
            }
        }
        if constant.signum() < 0 {
            let _ = write!(text, " - {}", constant.negated());
        } else if constant.signum() > 0 {
            let _ = write!(text, " + {constant}");
        }
        let single = parts.len() == 1 && constant.signum() == 0;
        (text, if single { Strength::Product } else { Strength::Sum })
    }

    fn cut(&self, high: u8, low: u8, part: Term, depth: usize) -> (String, Strength) {
        let interval = self.terms.interval(part);
        let size = high - low + 1;
        if low == 0 && (interval.umax >> high >> 1 == 0) {
            return self.parts(part, depth);
        }
        let text = self.text(part, Strength::Product, depth);
        let shifted = if low == 0 { text } else { format!("{text} / {}", 1u128 << low) };
        if high + 1 == self.terms.width(part) {
            return (shifted, Strength::Product);
        }
        (format!("{shifted} mod {}", 1u128 << size), Strength::Product)
    }

    /// A term as a comparison of two sides, if it is one.
    fn comparison(&self, term: Term, depth: usize) -> Option<Comparison> {
        let terms = self.terms;
        let (inner, negated) = match *terms.node(term) {
            Node::Not(inner) => (inner, true),
            _ => (term, false),
        };
        let (left, relation, right) = match *terms.node(inner) {
            Node::Eq(left, right) => {
                if matches!(terms.sort(left), Sort::Int | Sort::Real) {
                    let relation = if negated { Relation::Different } else { Relation::Equal };
                    return Some(self.balanced(left, relation, right, depth));
                }
                (left, if negated { Relation::Different } else { Relation::Equal }, right)
            }
            Node::BvOrder(order, left, right) => {
                let strict = matches!(order, BvOrder::Ult | BvOrder::Slt);
                let unsigned = matches!(order, BvOrder::Ult | BvOrder::Ule);
                let (left, right, strict) =
                    if negated { (right, left, !strict) } else { (left, right, strict) };
                let (left, right) =
                    (self.operand(left, right, unsigned, depth), self.operand(right, left, unsigned, depth));
                return Some(Comparison { left, relation: Relation::order(strict), right, whole: true });
            }
            Node::NumLe(left, right) | Node::NumLt(left, right) => {
                let strict = matches!(terms.node(inner), Node::NumLt(..));
                let (left, right, strict) =
                    if negated { (right, left, !strict) } else { (left, right, strict) };
                return Some(self.balanced(left, Relation::order(strict), right, depth));
            }
            Node::FloatOrder(order, left, right) if !negated => match order {
                FloatOrder::Eq => (left, Relation::Equal, right),
                FloatOrder::Lt => (left, Relation::Less, right),
                FloatOrder::Le => (left, Relation::AtMost, right),
            },
            Node::FloatOrder(FloatOrder::Eq, left, right) => (left, Relation::Different, right),
            _ => return None,
        };
        let (first, second) = if terms.is_constant(left) { (right, left) } else { (left, right) };
        Some(Comparison {
            left: self.operand(first, second, false, depth),
            relation,
            right: self.operand(second, first, false, depth),
            whole: false,
        })
    }

    /// One side of a comparison. Bytes are compared with characters; an unsigned order of what may be negative says so.
    fn operand(&self, term: Term, other: Term, unsigned: bool, depth: usize) -> String {
        let terms = self.terms;
        if let Node::Bv(width, value) = *terms.node(term) {
            let character = u8::try_from(value).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ');
            if let (8, Some(byte), false) = (width, character, matches!(terms.node(other), Node::Bv(..))) {
                return format!("'{}'", char::from(byte));
            }
            return if unsigned || width <= 8 { value.to_string() } else { signed(width, value).to_string() };
        }
        let text = self.text(term, Strength::Bits, depth);
        let plain = !unsigned || terms.interval(term).smin >= 0 || terms.width(term) <= 8;
        if plain { text } else { format!("unsigned({text})") }
    }

    /// Integers and reals: what is subtracted on one side is added on the other.
    fn balanced(&self, left: Term, relation: Relation, right: Term, depth: usize) -> Comparison {
        let terms = self.terms;
        let (left_sum, right_sum) = (terms.as_num_sum(left), terms.as_num_sum(right));
        let whole = terms.sort(left) == Sort::Int;
        let mut sides = [Vec::new(), Vec::new()];
        let mut constants = [Rational::ZERO; 2];
        for (side, sum) in [left_sum, right_sum].into_iter().enumerate() {
            for (part, factor) in sum.parts {
                if factor.signum() < 0 {
                    sides[1 - side].push((part, factor.negated()));
                } else {
                    sides[side].push((part, factor));
                }
            }
            let target = if sum.constant.signum() < 0 { 1 - side } else { side };
            constants[target] = constants[target]
                .plus(if target == side { sum.constant } else { sum.constant.negated() })
                .unwrap_or(sum.constant);
        }
        let mut relation = relation;
        // a + 1 <= b is a < b for whole numbers.
        if whole && relation == Relation::AtMost && constants[0] == Rational::ONE && !sides[0].is_empty() {
            (relation, constants[0]) = (Relation::Less, Rational::ZERO);
        } else if whole && relation == Relation::Less && constants[1] == Rational::ONE && !sides[1].is_empty()
        {
            (relation, constants[1]) = (Relation::AtMost, Rational::ZERO);
        }
        let side = |index: usize| {
            if sides[index].is_empty() {
                return number_text(constants[index]).0;
            }
            self.sum(&sides[index], constants[index], depth).0
        };
        if sides[0].is_empty() && matches!(relation, Relation::Equal | Relation::Different) {
            return Comparison { left: side(1), relation, right: side(0), whole };
        }
        Comparison { left: side(0), relation, right: side(1), whole }
    }
}

fn number_text(value: Rational) -> (String, Strength) {
    (value.to_string(), if value.signum() < 0 { Strength::Product } else { Strength::Unary })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(build: impl Fn(&mut Terms, [Term; 3]) -> Vec<Term>, expect: &str) {
        let mut terms = Terms::new();
        let symbols = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bv(32), None));
        let conditions = build(&mut terms, symbols);
        assert_eq!(show_conjunction(&terms, &conditions), expect);
        // The same conditions over integers read the same.
        let mut integers = crate::Integers::new();
        let translated: Option<Vec<Term>> =
            conditions.iter().map(|&condition| integers.translate(&mut terms, condition)).collect();
        if let Some(translated) = translated {
            assert_eq!(show_conjunction(&terms, &translated).replace(":int", ""), expect);
        }
    }

    #[test]
    fn a_term_that_shares_its_parts_at_every_level_ends() {
        let mut terms = Terms::new();
        let mut term = terms.symbol("x", Sort::Bv(32), None);
        for _ in 0..35 {
            let more = terms.bv(32, 7);
            let left = terms.bv_op(BvOp::Xor, term, more);
            term = terms.bv_op(BvOp::Mul, left, term);
        }
        assert!(show(&terms, term).len() < 20_000);
    }

    #[test]
    fn orders_become_chains() {
        check(|terms, [a, b, c]| vec![terms.slt(a, c), terms.slt(b, c), terms.slt(b, a)], "b < a < c");
        check(|terms, [a, b, c]| vec![terms.sle(c, b), terms.slt(a, c)], "a < c <= b");
        check(|terms, [a, b, _]| vec![terms.ne(a, b), terms.slt(a, b)], "a < b");
    }

    #[test]
    fn bounds_become_intervals() {
        check(
            |terms, [a, ..]| {
                let (low, middle, high) = (terms.bv(32, 3), terms.bv(32, 5), terms.bv(32, 10));
                vec![terms.slt(a, high), terms.sle(low, a), terms.sle(middle, a)]
            },
            "5 <= a <= 9",
        );
    }

    #[test]
    fn bounds_that_meet_become_an_equality() {
        check(
            |terms, [a, b, _]| {
                let (zero, one) = (terms.bv(32, 0), terms.bv(32, 1));
                vec![terms.slt(a, one), terms.sle(zero, a), terms.slt(b, zero)]
            },
            "a == 0 && b < 0",
        );
    }

    #[test]
    fn sums_read_as_sums() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::Bv(32), Some((-1000, 1000))));
        let difference = terms.bv_sub(a, b);
        let double = terms.bv_scale(b, 2);
        let sum = terms.bv_add(a, double);
        let three = terms.bv(32, 3);
        let sum = terms.bv_sub(sum, three);
        let condition = terms.slt(difference, sum);
        assert_eq!(show(&terms, condition), "a - b < a + 2*b - 3");
        let integer = crate::Integers::new().translate(&mut terms, condition).unwrap();
        assert_eq!(show(&terms, integer), "1 < b:int");
    }

    #[test]
    fn bytes_are_compared_with_characters() {
        let mut terms = Terms::new();
        let c = terms.symbol("c", Sort::Bv(8), None);
        let wide = terms.zero_extend(32, c);
        let (first, last) = (terms.bv(32, u64::from(b'a')), terms.bv(32, u64::from(b'z')));
        let (above, below) = (terms.sle(first, wide), terms.sle(wide, last));
        assert_eq!(show_conjunction(&terms, &[above, below]), "'a' <= c <= 'z'");
        let tab = terms.bv(32, 9);
        let is_tab = terms.eq(wide, tab);
        assert_eq!(show(&terms, is_tab), "c == 9");
    }

    #[test]
    fn choices_and_products() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::Bv(32), None));
        let less = terms.slt(a, b);
        let choice = terms.ite(less, a, b);
        let seven = terms.bv(32, 7);
        let rest = terms.bv_op(BvOp::Srem, choice, seven);
        assert_eq!(show(&terms, rest), "(a < b ? a : b) % 7");
        let product = terms.bv_mul(a, b);
        let twice = terms.bv_scale(product, 2);
        assert_eq!(show(&terms, twice), "2*(a * b)");
    }
}
