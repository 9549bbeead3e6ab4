//! Terms as a programmer would write them, over the names of the inputs, in a grammar with one meaning: see [`crate::printed`], which evaluates it.
//!
//! Numbers are mathematical: nothing wraps unless the text says so (`int32(a + b)`), and an input is the number that was drawn, with its sign.

mod numbers;

use std::cell::Cell;

use crate::chains::{Comparison, Relation, chains};
use crate::node::{BvOrder, FloatBinary, FloatOrder, FloatUnary, Node, Symbol, Term};
use crate::sort::{Rational, Sort};
use crate::terms::{Identity, Terms};

/// Terms nested deeper are cut short with an ellipsis.
const MAX_DEPTH: usize = 40;
/// So many parts of one condition or value are written out: shared parts of a deep term are written wherever they are used, and without
/// an end to it the text would double at every level.
const MAX_PARTS: u32 = 1000;
/// What stands for a part that was left out.
const LEFT_OUT: &str = "…";

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
        let comparison = Writer::new(terms).comparison(condition, MAX_DEPTH);
        match comparison {
            // Two texts with something left out may speak of different things.
            Some(comparison) if is_complete(&comparison.to_string()) => comparisons.push(comparison),
            _ => others.push(Writer::new(terms).text(condition, Strength::And, MAX_DEPTH)),
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

/// Whether a printed text says everything: nothing of it was left out for its length.
pub fn is_complete(text: &str) -> bool {
    !text.contains(LEFT_OUT)
}

/// How a symbol is written. Names that could be read as something else stand in backquotes.
pub fn show_symbol(terms: &Terms, symbol: Symbol) -> String {
    let info = terms.symbol_info(symbol);
    match info.identity {
        // It is the same input.
        Identity::Integer(of) => show_symbol(terms, of),
        _ if crate::printed::is_plain(&info.label) => info.label.clone(),
        _ => format!("`{}`", info.label.replace('`', "``")),
    }
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

    /// Whether there is room for one more part.
    fn room(&self, depth: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        depth > 0 && left > 0
    }

    fn text(&self, term: Term, outer: Strength, depth: usize) -> String {
        if !self.room(depth) {
            return LEFT_OUT.to_owned();
        }
        let (text, strength) = self.parts(term, depth - 1);
        if strength < outer { format!("({text})") } else { text }
    }

    fn parts(&self, term: Term, depth: usize) -> (String, Strength) {
        if let Some(comparison) = self.comparison(term, depth) {
            return (comparison.to_string(), Strength::Compare);
        }
        let terms = self.terms;
        let joined = |parts: &[Term], operator: &str, strength: Strength| {
            // A part of the same strength is a junction of the other kind at most.
            let parts: Vec<String> = parts.iter().map(|&part| self.text(part, strength, depth)).collect();
            (parts.join(operator), strength)
        };
        let call = |name: &str, parts: &[Term]| {
            let parts: Vec<String> =
                parts.iter().map(|&part| self.text(part, Strength::Lowest, depth)).collect();
            (format!("{name}({})", parts.join(", ")), Strength::Unary)
        };
        let infix = |operator: &str, left: Term, right: Term, strength: Strength| {
            let (left, right) = (self.text(left, strength, depth), self.text(right, Strength::Unary, depth));
            (format!("{left} {operator} {right}"), strength)
        };
        let float = |sort: Sort| if sort == Sort::F32 { "float" } else { "double" };
        match *terms.node(term) {
            _ if matches!(terms.sort(term), Sort::Bv(_)) => {
                // Bytes are mostly characters, wider numbers mostly signed.
                let number = self.natural_reading(term, depth);
                (number.text, number.strength)
            }
            Node::Symbol(symbol) => (show_symbol(terms, symbol), Strength::Unary),
            Node::Bool(value) => (value.to_string(), Strength::Unary),
            Node::Num(_, ref value) => number_text(**value),
            Node::Float(sort, bits) => (float_text(sort, bits), Strength::Unary),
            Node::Not(part) => (format!("!{}", self.text(part, Strength::Unary, depth)), Strength::Unary),
            Node::And(ref parts) => joined(parts, " && ", Strength::And),
            Node::Or(ref parts) => joined(parts, " || ", Strength::Or),
            Node::Ite(condition, then, other) => {
                let condition = self.text(condition, Strength::Or, depth);
                let (then, other) =
                    (self.text(then, Strength::Or, depth), self.text(other, Strength::Or, depth));
                (format!("{condition} ? {then} : {other}"), Strength::Lowest)
            }
            Node::NumSum(ref sum) => self.sum(&sum.parts, sum.constant, depth),
            Node::NumMul(left, right) => infix("*", left, right, Strength::Product),
            Node::RealDiv(left, right) => infix("/", left, right, Strength::Product),
            Node::IntDiv(left, right) => infix("div", left, right, Strength::Product),
            Node::IntMod(left, right) => infix("mod", left, right, Strength::Product),
            Node::ToReal(part) => self.parts(part, depth),
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
            Node::IsNegative(part) => call("negative", &[part]),
            Node::FloatFromBits(part) => {
                let bits = self.reading(part, false, depth);
                (format!("{}_of_bits({})", float(terms.sort(term)), bits.text), Strength::Unary)
            }
            Node::FloatFromBv(is_signed, sort, part) => {
                let number = self.reading(part, is_signed, depth);
                (format!("{}({})", float(sort), number.text), Strength::Unary)
            }
            Node::FloatConvert(sort, part) => call(float(sort), &[part]),
            Node::ConstArray(byte) => call("all", &[byte]),
            Node::Store(array, address, byte) => call("store", &[array, address, byte]),
            Node::Apply(function, ref parts) => call(&terms.function_info(function).name, parts),
            // Identity of floats or arrays.
            Node::Eq(left, right) => call("same", &[left, right]),
            _ => unreachable!("comparisons and bit-vectors are written as such"),
        }
    }

    fn sum(&self, parts: &[(Term, Rational)], constant: Rational, depth: usize) -> (String, Strength) {
        let mut written = Vec::new();
        for (part, factor) in parts {
            let needed = if is_one(*factor) { Strength::Product } else { Strength::Unary };
            written.push((self.text(*part, needed, depth), *factor));
        }
        sum_text(written, constant)
    }

    /// A term as a comparison of two sides, if it is one.
    fn comparison(&self, term: Term, depth: usize) -> Option<Comparison> {
        let terms = self.terms;
        let (inner, negated) = match *terms.node(term) {
            Node::Not(inner) => (inner, true),
            _ => (term, false),
        };
        let equality = if negated { Relation::Different } else { Relation::Equal };
        let (left, relation, right) = match *terms.node(inner) {
            Node::Eq(left, right) => match terms.sort(left) {
                Sort::Int | Sort::Real => return Some(self.balanced(left, equality, right, depth)),
                Sort::Bv(_) => {
                    let (left, right) = self.equal_sides(left, right, depth);
                    return Some(Comparison { left, relation: equality, right, whole: false });
                }
                Sort::Bool => (left, equality, right),
                // Identity of floats is no comparison of the language.
                _ => return None,
            },
            Node::BvOrder(order, left, right) => {
                let strict = matches!(order, BvOrder::Ult | BvOrder::Slt);
                let is_signed = matches!(order, BvOrder::Slt | BvOrder::Sle);
                let (left, right, strict) =
                    if negated { (right, left, !strict) } else { (left, right, strict) };
                let (left, right) = self.ordered_sides(left, right, is_signed, depth);
                return Some(Comparison { left, relation: Relation::order(strict), right, whole: true });
            }
            Node::NumLe(left, right) | Node::NumLt(left, right) => {
                let strict = matches!(terms.node(inner), Node::NumLt(..));
                let (left, right, strict) =
                    if negated { (right, left, !strict) } else { (left, right, strict) };
                return Some(self.balanced(left, Relation::order(strict), right, depth));
            }
            Node::FloatOrder(FloatOrder::Eq, left, right) => (left, equality, right),
            // The negation of an order of floats also holds where one is a NaN.
            Node::FloatOrder(order, left, right) if !negated => {
                (left, Relation::order(order == FloatOrder::Lt), right)
            }
            _ => return None,
        };
        let (first, second) = match relation {
            Relation::Equal | Relation::Different if terms.is_constant(left) => (right, left),
            _ => (left, right),
        };
        let side = |term: Term| self.text(term, Strength::Sum, depth);
        Some(Comparison { left: side(first), relation, right: side(second), whole: false })
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

fn is_one(factor: Rational) -> bool {
    factor == Rational::ONE || factor == Rational::ONE.negated()
}

/// A sum of written parts, each with its factor; parts with a factor other than one are written as operands of a product.
fn sum_text(mut parts: Vec<(String, Rational)>, constant: Rational) -> (String, Strength) {
    let single = parts.len() == 1 && constant.signum() == 0;
    // A positive part first reads better than a leading minus.
    parts.sort_by_key(|(_, factor)| factor.signum() < 0);
    let mut text = String::new();
    for (part, factor) in parts {
        let minus = factor.signum() < 0;
        let size = if minus { factor.negated() } else { factor };
        let product = if size == Rational::ONE { part } else { format!("{size}*{part}") };
        match (text.is_empty(), minus) {
            (true, false) => text = product,
            (true, true) => text = format!("-{product}"),
            (false, _) => text.push_str(&format!(" {} {product}", if minus { '-' } else { '+' })),
        }
    }
    if constant.signum() < 0 {
        text.push_str(&format!(" - {}", constant.negated()));
    } else if constant.signum() > 0 {
        text.push_str(&format!(" + {constant}"));
    }
    (text, if single { Strength::Product } else { Strength::Sum })
}

fn number_text(value: Rational) -> (String, Strength) {
    (value.to_string(), if value.signum() < 0 { Strength::Product } else { Strength::Unary })
}

/// A float constant: binary32 numbers with the suffix `f`.
fn float_text(sort: Sort, bits: u64) -> String {
    let special = |value: f64| match value {
        value if value.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    };
    if sort == Sort::F32 {
        let value = f32::from_bits(bits as u32);
        return special(value.into()).map_or_else(|| format!("{value:?}f"), |name| format!("float({name})"));
    }
    let value = f64::from_bits(bits);
    special(value).map_or_else(|| format!("{value:?}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BvOp;

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
            assert_eq!(show_conjunction(&terms, &translated), expect);
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
        assert_eq!(show(&terms, integer), "1 < b");
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
        assert_eq!(show(&terms, twice), "int32(2*(a * b))");
        let [c, d] = ["c", "d"].map(|name| terms.symbol(name, Sort::Bv(32), Some((0, 1000))));
        let product = terms.bv_mul(c, d);
        let twice = terms.bv_scale(product, 2);
        assert_eq!(show(&terms, twice), "2*(c * d)");
    }

    #[test]
    fn what_wraps_and_in_which_reading_is_said() {
        let mut terms = Terms::new();
        let a = terms.symbol("a", Sort::Bv(32), Some((-1000, 1000)));
        let b = terms.symbol("b", Sort::Bv(32), Some((0, u32::MAX.into())));
        let zero = terms.bv(8, 0);
        let low = terms.extract(7, 0, a);
        let negative = terms.slt(low, zero);
        assert_eq!(show(&terms, negative), "int8(a) < 0");
        let widened = terms.zero_extend(32, low);
        let limit = terms.bv(32, 200);
        let large = terms.slt(limit, widened);
        assert_eq!(show(&terms, large), "200 < uint8(a)");
        let all_ones = terms.bv(32, u64::from(u32::MAX));
        let greatest = terms.eq(b, all_ones);
        assert_eq!(show(&terms, greatest), "b == 4294967295");
        let (c, d) = (terms.extract(15, 0, a), terms.extract(15, 0, b));
        let sum = terms.bv_add(c, d);
        let seven = terms.bv(16, 7);
        let small = terms.ult(sum, seven);
        assert_eq!(show(&terms, small), "uint16(a + b) < 7");
    }

    #[test]
    fn names_that_could_be_read_as_something_else_are_quoted() {
        let mut terms = Terms::new();
        let input = |terms: &mut Terms, draw: u32, name: &str| {
            terms.declared(Identity::Input { draw, element: Some(0) }, name, Sort::Bv(32), None)
        };
        let names = ["a[0]", "a[0]#2", "5", "x < y", "mod", "len(t)"];
        let inputs: Vec<Term> =
            names.iter().enumerate().map(|(i, name)| input(&mut terms, i as u32, name)).collect();
        let shown: Vec<String> = inputs.iter().map(|&term| show(&terms, term)).collect();
        assert_eq!(shown, ["a[0]", "a[0]#2", "`5`", "`x < y`", "`mod`", "len(t)"]);
    }
}
