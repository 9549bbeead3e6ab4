//! What is surely true of conditions about doubles, without a solver: ranges of what is computed, bounds of rounding errors, and terms that are equal because
//! IEEE arithmetic commutes and is symmetric.
//!
//! Every number that is computed has a range (rounding is monotone, so that the ends are computed like the number itself), and stands beside a linear form
//! over the reals from which it differs by at most an error: half a unit in the last place for each operation (Higham, Accuracy and Stability of Numerical
//! Algorithms, section 2.2). What is added up in another order has the same form.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::node::{FloatBinary, FloatOrder, FloatUnary, Node, Term};
use crate::sort::{Rational, Sort};
use crate::terms::Terms;

/// Deeper terms are not looked at.
const MAX_DEPTH: u32 = 400;
/// Linear forms of more parts are not followed.
const MAX_PARTS: usize = 400;
/// The unit of rounding.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
/// Integers below this are doubles, and sums that are rounded below it are not rounded at all.
const EXACT: f64 = (1u64 << 53) as f64;
/// What bounds are widened by when they are computed themselves, far above what their own rounding needs.
const SLACK: f64 = 1e-12;

/// Whether the conditions cannot hold together. No answer is no statement.
pub fn refuted(terms: &Terms, conditions: &[Term]) -> bool {
    let mut floats = Floats::new(terms);
    conditions.iter().for_each(|&condition| floats.learn(condition));
    conditions.iter().any(|&condition| floats.truth(condition, MAX_DEPTH) == Some(false))
}

/// What is known of a double: it is a number between two others.
#[derive(Clone, Debug)]
struct Known {
    lo: f64,
    hi: f64,
    /// It is this linear form of other doubles, up to the error.
    form: Form,
    error: f64,
    /// Whether it is an integer.
    whole: bool,
}

impl Known {
    fn most(&self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }
}

/// A sum of factors times doubles, and a constant, over the reals.
#[derive(Clone, Debug)]
struct Form {
    parts: BTreeMap<Term, Rational>,
    constant: Rational,
}

impl Form {
    fn of(term: Term) -> Form {
        Form { parts: BTreeMap::from([(term, Rational::ONE)]), constant: Rational::ZERO }
    }

    fn scaled(&self, by: Rational) -> Option<Form> {
        let parts: Option<BTreeMap<Term, Rational>> =
            self.parts.iter().map(|(part, factor)| Some((*part, factor.times(by)?))).collect();
        Some(Form { parts: parts?, constant: self.constant.times(by)? })
    }

    fn plus(&self, other: &Form) -> Option<Form> {
        let mut sum = self.clone();
        sum.constant = sum.constant.plus(other.constant)?;
        for (part, factor) in &other.parts {
            let known = sum.parts.entry(*part).or_insert(Rational::ZERO);
            *known = known.plus(*factor)?;
        }
        sum.parts.retain(|_, factor| factor.signum() != 0);
        (sum.parts.len() <= MAX_PARTS).then_some(sum)
    }
}

/// A term up to the sign of zeros and the order of operands: its number among the shapes, and whether it is negated.
type Shape = (bool, u32);

/// What a shape is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Made {
    Term(Term),
    /// A constant that is not negative, by its bits.
    Constant(u64),
    Sum(u32, bool, u32),
    Product(u32, u32),
    Quotient(u32, Term),
    Unary(FloatUnary, bool, u32),
}

struct Floats<'a> {
    terms: &'a Terms,
    /// What conditions say of terms.
    bounds: FxHashMap<Term, (f64, f64)>,
    known: FxHashMap<Term, Option<Known>>,
    shapes: FxHashMap<Term, Shape>,
    made: FxHashMap<Made, u32>,
}

impl<'a> Floats<'a> {
    fn new(terms: &'a Terms) -> Floats<'a> {
        let (bounds, known) = (FxHashMap::default(), FxHashMap::default());
        Floats { terms, bounds, known, shapes: FxHashMap::default(), made: FxHashMap::default() }
    }

    fn constant(&self, term: Term) -> Option<f64> {
        match *self.terms.node(term) {
            Node::Float(Sort::F64, bits) => Some(f64::from_bits(bits)).filter(|number| number.is_finite()),
            _ => None,
        }
    }

    /// Takes in bounds by constants. A comparison that holds says that what is compared is a number.
    fn learn(&mut self, condition: Term) {
        match *self.terms.node(condition) {
            Node::And(ref parts) => parts.iter().for_each(|&part| self.learn(part)),
            Node::FloatOrder(order, left, right) if self.terms.sort(left) == Sort::F64 => {
                let is_equal = order == FloatOrder::Eq;
                let mut bound = |term: Term, lo: f64, hi: f64| {
                    let known = self.bounds.entry(term).or_insert((f64::NEG_INFINITY, f64::INFINITY));
                    *known = (known.0.max(lo), known.1.min(hi));
                };
                let value = |term: Term| match *self.terms.node(term) {
                    Node::Float(Sort::F64, bits) => {
                        Some(f64::from_bits(bits)).filter(|number| number.is_finite())
                    }
                    _ => None,
                };
                match (value(left), value(right)) {
                    (Some(_), Some(_)) | (None, None) => {}
                    (Some(least), None) => bound(right, least, if is_equal { least } else { f64::INFINITY }),
                    (None, Some(most)) => bound(left, if is_equal { most } else { f64::NEG_INFINITY }, most),
                }
            }
            _ => {}
        }
    }

    /// Whether a condition is surely true, or surely false.
    fn truth(&mut self, condition: Term, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        match *self.terms.node(condition) {
            Node::Bool(truth) => Some(truth),
            Node::Not(part) => self.truth(part, depth).map(|truth| !truth),
            Node::And(ref parts) | Node::Or(ref parts) => {
                let decisive = matches!(self.terms.node(condition), Node::Or(_));
                let mut all = true;
                for &part in parts {
                    match self.truth(part, depth) {
                        Some(truth) if truth == decisive => return Some(decisive),
                        Some(_) => {}
                        None => all = false,
                    }
                }
                all.then_some(!decisive)
            }
            Node::IsNan(part) => self.known(part, depth).map(|_| false),
            Node::FloatOrder(order, left, right) if self.terms.sort(left) == Sort::F64 => {
                self.order(order, left, right, depth)
            }
            _ => None,
        }
    }

    fn order(&mut self, order: FloatOrder, left: Term, right: Term, depth: u32) -> Option<bool> {
        let (a, b) = (self.known(left, depth)?, self.known(right, depth)?);
        if self.shape(left, depth)? == self.shape(right, depth)? {
            return Some(order != FloatOrder::Lt);
        }
        // The difference over the reals, and how far both are from it.
        let (mut lo, mut hi) = (f64::NEG_INFINITY, f64::INFINITY);
        if let Some(turned) = b.form.scaled(Rational::whole(-1))
            && let Some(difference) = a.form.plus(&turned)
            && let Some((least, greatest)) = self.range(&difference)
        {
            let error = match a.error + b.error {
                0.0 => 0.0,
                error => up(error),
            };
            (lo, hi) = (least - error, greatest + error);
        }
        let (below, above) = (a.hi < b.lo || hi < 0.0, a.lo > b.hi || lo > 0.0);
        match order {
            _ if below => Some(order != FloatOrder::Eq),
            _ if above => Some(false),
            FloatOrder::Lt if a.lo >= b.hi || lo >= 0.0 => Some(false),
            FloatOrder::Le if a.hi <= b.lo || hi <= 0.0 => Some(true),
            FloatOrder::Eq if a.lo == a.hi && b.lo == b.hi && a.lo == b.lo => Some(true),
            FloatOrder::Eq if lo == 0.0 && hi == 0.0 => Some(true),
            _ => None,
        }
    }

    /// The least and the greatest that a form may be, widened by what computing them may err.
    fn range(&self, form: &Form) -> Option<(f64, f64)> {
        let constant = number(form.constant);
        let (mut lo, mut hi, mut size) = (constant, constant, constant.abs());
        for (part, factor) in &form.parts {
            let known = self.known.get(part)?.as_ref()?;
            let factor = number(*factor);
            let ends = (factor * known.lo, factor * known.hi);
            lo += ends.0.min(ends.1);
            hi += ends.0.max(ends.1);
            size += ends.0.abs().max(ends.1.abs());
        }
        let slack = if size == 0.0 { 0.0 } else { up(size * SLACK) };
        size.is_finite().then_some((lo - slack, hi + slack))
    }

    /// What is known of a double; nothing where it may be infinite or no number.
    fn known(&mut self, term: Term, depth: u32) -> Option<Known> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let known = depth.checked_sub(1).and_then(|depth| self.find(term, depth));
        let bounded = self.bounds.get(&term).copied();
        let known = match (known, bounded) {
            (Some(known), Some((lo, hi))) => {
                Some(Known { lo: known.lo.max(lo), hi: known.hi.min(hi), ..known })
            }
            (None, Some((lo, hi))) => Some(Known { lo, hi, form: Form::of(term), error: 0.0, whole: false }),
            (known, None) => known,
        };
        let mut known = known.filter(|it| it.lo.is_finite() && it.hi.is_finite() && it.lo <= it.hi);
        self.known.insert(term, known.clone());
        // What cancels over the reals is small whatever the ranges of its operands are.
        if let Some(it) = &mut known
            && it.form.parts.keys().all(|part| *part != term)
            && let Some((least, greatest)) = self.range(&it.form)
        {
            let (lo, hi) = (it.lo.max(least - it.error), it.hi.min(greatest + it.error));
            if lo <= hi {
                (it.lo, it.hi) = (lo, hi);
            }
            self.known.insert(term, known.clone());
        }
        known
    }

    fn find(&mut self, term: Term, depth: u32) -> Option<Known> {
        if self.terms.sort(term) != Sort::F64 {
            return None;
        }
        let alone = |lo: f64, hi: f64, whole: bool| Known { lo, hi, form: Form::of(term), error: 0.0, whole };
        match *self.terms.node(term) {
            Node::Float(..) => {
                let value = self.constant(term)?;
                let form = exact(value).map(|constant| Form { parts: BTreeMap::new(), constant });
                let whole = value.fract() == 0.0;
                Some(match form {
                    Some(form) => Known { lo: value, hi: value, form, error: 0.0, whole },
                    None => alone(value, value, whole),
                })
            }
            Node::FloatFromBv(is_signed, _, part) => {
                let interval = self.terms.interval(part);
                Some(match is_signed {
                    true => alone(interval.smin as f64, interval.smax as f64, true),
                    false => alone(interval.umin as f64, interval.umax as f64, true),
                })
            }
            Node::FloatUnary(op, part) => {
                let known = self.known(part, depth)?;
                match op {
                    FloatUnary::Neg => {
                        let form = known.form.scaled(Rational::whole(-1))?;
                        Some(Known { lo: -known.hi, hi: -known.lo, form, ..known })
                    }
                    FloatUnary::Abs => {
                        let least = if known.lo > 0.0 { known.lo } else { (-known.hi).max(0.0) };
                        Some(alone(least, known.most(), known.whole))
                    }
                    FloatUnary::Sqrt if known.lo >= 0.0 => {
                        Some(alone(known.lo.sqrt(), known.hi.sqrt(), false))
                    }
                    FloatUnary::Sqrt => None,
                    FloatUnary::Ceil => Some(alone(known.lo.ceil(), known.hi.ceil(), true)),
                    FloatUnary::Floor => Some(alone(known.lo.floor(), known.hi.floor(), true)),
                    FloatUnary::Trunc => Some(alone(known.lo.trunc(), known.hi.trunc(), true)),
                    FloatUnary::Nearest => {
                        Some(alone(known.lo.round_ties_even(), known.hi.round_ties_even(), true))
                    }
                }
            }
            Node::FloatBinary(op, left, right) => {
                let (a, b) = (self.known(left, depth)?, self.known(right, depth)?);
                self.binary(op, (left, a), (right, b), term)
            }
            Node::Ite(_, then, other) => {
                let (a, b) = (self.known(then, depth)?, self.known(other, depth)?);
                Some(alone(a.lo.min(b.lo), a.hi.max(b.hi), a.whole && b.whole))
            }
            _ => None,
        }
    }

    fn binary(
        &self,
        op: FloatBinary,
        (left, a): (Term, Known),
        (right, b): (Term, Known),
        term: Term,
    ) -> Option<Known> {
        let (lo, hi) = match op {
            FloatBinary::Add => (a.lo + b.lo, a.hi + b.hi),
            FloatBinary::Sub => (a.lo - b.hi, a.hi - b.lo),
            FloatBinary::Mul => ends([a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]),
            FloatBinary::Div if b.lo > 0.0 || b.hi < 0.0 => {
                ends([a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi])
            }
            FloatBinary::Div => return None,
        };
        if !lo.is_finite() || !hi.is_finite() {
            return None;
        }
        let whole = a.whole && b.whole && op != FloatBinary::Div;
        let most = lo.abs().max(hi.abs());
        // Integers that all are doubles are added and multiplied exactly.
        let rounding = if whole && most < EXACT { 0.0 } else { up(most * UNIT) };
        let sum = |error: f64| if error == 0.0 { 0.0 } else { up(error) };
        let (constant_a, constant_b) =
            (self.constant(left).and_then(exact), self.constant(right).and_then(exact));
        let scaled = |known: &Known, by: Rational| {
            let form = known.form.scaled(by)?;
            Some((form, sum(sum(known.error * number(by).abs()) + rounding)))
        };
        let followed = match op {
            FloatBinary::Add => a.form.plus(&b.form).map(|form| (form, sum(a.error + b.error + rounding))),
            FloatBinary::Sub => {
                let turned = b.form.scaled(Rational::whole(-1));
                let form = turned.and_then(|turned| a.form.plus(&turned));
                form.map(|form| (form, sum(a.error + b.error + rounding)))
            }
            FloatBinary::Mul => match (constant_a, constant_b) {
                (Some(by), _) => scaled(&b, by),
                (_, Some(by)) => scaled(&a, by),
                _ => None,
            },
            FloatBinary::Div => constant_b.and_then(Rational::inverse).and_then(|by| scaled(&a, by)),
        };
        let (form, error) = followed.filter(|(_, error)| error.is_finite()).unwrap_or((Form::of(term), 0.0));
        Some(Known { lo, hi, form, error, whole })
    }

    /// The shape of a term: two terms of one shape are equal for all inputs, or zeros of different signs, or both no number.
    fn shape(&mut self, term: Term, depth: u32) -> Option<Shape> {
        if let Some(shape) = self.shapes.get(&term) {
            return Some(*shape);
        }
        let depth = depth.checked_sub(1)?;
        let shape = match *self.terms.node(term) {
            Node::Float(Sort::F64, bits) => {
                let value = f64::from_bits(bits);
                match value {
                    _ if value.is_nan() => (false, self.number(Made::Term(term))),
                    _ if value == 0.0 => (false, self.magnitude(0.0)),
                    // Constants stand for themselves without their sign.
                    _ => (value < 0.0, self.magnitude(value.abs())),
                }
            }
            Node::FloatUnary(FloatUnary::Neg, part) => {
                let (negated, part) = self.shape(part, depth)?;
                (!negated, part)
            }
            Node::FloatUnary(FloatUnary::Abs, part) => {
                let (_, part) = self.shape(part, depth)?;
                (false, self.number(Made::Unary(FloatUnary::Abs, false, part)))
            }
            Node::FloatUnary(op, part) => {
                let (negated, part) = self.shape(part, depth)?;
                (false, self.number(Made::Unary(op, negated, part)))
            }
            Node::FloatBinary(op @ (FloatBinary::Add | FloatBinary::Sub), left, right) => {
                let (a, (turned, b)) = (self.shape(left, depth)?, self.shape(right, depth)?);
                let b = (turned ^ (op == FloatBinary::Sub), b);
                let zero = self.magnitude(0.0);
                match (a, b) {
                    ((_, one), other) | (other, (_, one)) if one == zero => other,
                    _ => {
                        let (first, second) = if a.1 <= b.1 { (a, b) } else { (b, a) };
                        // Rounding is symmetric: the negative of a sum is the sum of negatives.
                        (first.0, self.number(Made::Sum(first.1, first.0 ^ second.0, second.1)))
                    }
                }
            }
            Node::FloatBinary(FloatBinary::Mul, left, right) => {
                let (a, b) = (self.shape(left, depth)?, self.shape(right, depth)?);
                let (first, second) = (a.1.min(b.1), a.1.max(b.1));
                (a.0 ^ b.0, self.number(Made::Product(first, second)))
            }
            // The sign of a zero among divisors counts: a divisor stays as it is, but for constants.
            Node::FloatBinary(FloatBinary::Div, left, right) => {
                let (negated, part) = self.shape(left, depth)?;
                (negated, self.number(Made::Quotient(part, right)))
            }
            _ => (false, self.number(Made::Term(term))),
        };
        self.shapes.insert(term, shape);
        Some(shape)
    }

    fn number(&mut self, made: Made) -> u32 {
        let next = self.made.len() as u32;
        *self.made.entry(made).or_insert(next)
    }

    /// The shape of a constant without sign: found by its bits, as a term of it need not exist.
    fn magnitude(&mut self, value: f64) -> u32 {
        self.number(Made::Constant(value.to_bits()))
    }
}

/// A bound, a little wider.
fn up(bound: f64) -> f64 {
    bound * (1.0 + SLACK) + f64::MIN_POSITIVE
}

fn ends(all: [f64; 4]) -> (f64, f64) {
    // A product of an end with zero is zero: ends are finite.
    (all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// A rational as the nearest double or a neighbour of it.
fn number(value: Rational) -> f64 {
    value.numerator() as f64 / value.denominator() as f64
}

/// A double as the rational that it is, where that is small enough.
fn exact(value: f64) -> Option<Rational> {
    if value == 0.0 {
        return Some(Rational::ZERO);
    }
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    if exponent == 0 || exponent == 0x7ff {
        return None;
    }
    let mantissa = i128::from((bits & ((1 << 52) - 1)) | (1 << 52));
    let power = exponent - 1075;
    let signed = if value < 0.0 { -mantissa } else { mantissa };
    let zeros = mantissa.trailing_zeros() as i32;
    match power {
        0..=60 => Some(Rational::whole(signed << power)),
        _ if power < 0 && -power - zeros <= 60 => {
            let (numerator, left) = (signed >> zeros.min(-power), (-power - zeros).max(0));
            Rational::new(numerator, 1i128 << left)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(terms: &mut Terms, name: &str, conditions: &mut Vec<Term>, most: f64) -> Term {
        let x = terms.symbol(name, Sort::F64, None);
        let (lo, hi) = (terms.f64(-most), terms.f64(most));
        conditions.push(terms.float_order(FloatOrder::Le, lo, x));
        conditions.push(terms.float_order(FloatOrder::Le, x, hi));
        x
    }

    /// Whether sums of three in two orders are surely near each other.
    fn near(most: f64, tolerance: f64) -> bool {
        let mut terms = Terms::new();
        let mut conditions = Vec::new();
        let all: Vec<Term> =
            ["a", "b", "c"].iter().map(|name| bounded(&mut terms, name, &mut conditions, most)).collect();
        let mut mean = |order: [usize; 3]| {
            let mut sum = terms.f64(0.0);
            for place in order {
                sum = terms.float_binary(FloatBinary::Add, sum, all[place]);
            }
            let three = terms.f64(3.0);
            terms.float_binary(FloatBinary::Div, sum, three)
        };
        let (x, y) = (mean([0, 1, 2]), mean([2, 1, 0]));
        let difference = terms.float_binary(FloatBinary::Sub, x, y);
        let distance = terms.float_unary(FloatUnary::Abs, difference);
        let tolerance = terms.f64(tolerance);
        let is_near = terms.float_order(FloatOrder::Le, distance, tolerance);
        conditions.push(terms.not(is_near));
        refuted(&terms, &conditions)
    }

    #[test]
    fn sums_in_another_order_are_near_where_rounding_allows_no_more() {
        assert!(near(1000.0, 1e-6));
        assert!(near(1000.0, 2e-12));
        assert!(!near(1000.0, 1e-13));
        assert!(!near(f64::MAX, f64::MAX), "sums may be infinite");
    }

    #[test]
    fn what_commutes_and_what_is_symmetric_is_equal() {
        let mut terms = Terms::new();
        let mut conditions = Vec::new();
        let a = bounded(&mut terms, "a", &mut conditions, 1e3);
        let b = bounded(&mut terms, "b", &mut conditions, 1e3);
        let zero = terms.f64(0.0);
        let add = |terms: &mut Terms, x, y| terms.float_binary(FloatBinary::Add, x, y);
        let first = add(&mut terms, zero, a);
        let one = add(&mut terms, first, b);
        let second = add(&mut terms, zero, b);
        let other = add(&mut terms, second, a);
        let (turned_a, turned_b) =
            (terms.float_unary(FloatUnary::Neg, a), terms.float_unary(FloatUnary::Neg, b));
        let third = add(&mut terms, turned_b, zero);
        let negative = add(&mut terms, third, turned_a);
        let back = terms.float_unary(FloatUnary::Neg, negative);
        let refutes = |terms: &mut Terms, x, y| {
            let equal = terms.float_eq(x, y);
            let mut all = conditions.clone();
            all.push(terms.not(equal));
            refuted(terms, &all)
        };
        assert!(refutes(&mut terms, one, other));
        assert!(refutes(&mut terms, one, back));
        assert!(!refutes(&mut terms, one, negative));
        assert!(!refutes(&mut terms, a, b));
        // Without bounds both may be no number.
        let equal = terms.float_eq(one, other);
        let different = terms.not(equal);
        assert!(!refuted(&terms, &[different]));
    }

    /// Random sums, differences, products and quotients: what is said of them holds for random inputs.
    #[test]
    fn what_is_said_holds_when_it_is_computed() {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for _ in 0..300 {
            let mut terms = Terms::new();
            let mut conditions = Vec::new();
            let most = [1.0, 1e3, 5e-324 * 64.0, 1e300][(random() % 4) as usize];
            let symbols: Vec<Term> =
                ["a", "b", "c"].iter().map(|name| bounded(&mut terms, name, &mut conditions, most)).collect();
            let mut all = symbols.clone();
            for value in [0.0, 1.0, -2.0, 3.0, 0.1] {
                all.push(terms.f64(value));
            }
            for _ in 0..8 {
                let (x, y) = (all[random() as usize % all.len()], all[random() as usize % all.len()]);
                all.push(match random() % 5 {
                    0 | 1 => terms.float_binary(FloatBinary::Add, x, y),
                    2 => terms.float_binary(FloatBinary::Sub, x, y),
                    3 => terms.float_binary(FloatBinary::Mul, x, y),
                    _ => {
                        let by = terms.f64([3.0, -4.0, 0.7][(random() % 3) as usize]);
                        terms.float_binary(FloatBinary::Div, x, by)
                    }
                });
            }
            let mut floats = Floats::new(&terms);
            conditions.iter().for_each(|&condition| floats.learn(condition));
            let known: Vec<Option<Known>> = all.iter().map(|&term| floats.known(term, MAX_DEPTH)).collect();
            let shapes: Vec<Option<Shape>> = all.iter().map(|&term| floats.shape(term, MAX_DEPTH)).collect();
            for _ in 0..20 {
                let mut model = crate::Model::new();
                for &symbol in &symbols {
                    let value = match random() % 5 {
                        0 => most,
                        1 => -most,
                        2 => [0.0, -0.0, 5e-324][(random() % 3) as usize],
                        _ => (random() as f64 / (1u64 << 31) as f64 * 2.0 - 1.0) * most,
                    };
                    model.set(
                        terms.as_symbol(symbol).expect("a symbol"),
                        crate::Value::Float(value.to_bits()),
                    );
                }
                let evaluation = crate::Evaluation::new(model);
                let value = |term: Term| {
                    f64::from_bits(
                        evaluation.value(&terms, term).and_then(|it| it.as_bits()).expect("a double"),
                    )
                };
                for (index, &term) in all.iter().enumerate() {
                    let number = value(term);
                    if let Some(known) = &known[index] {
                        assert!(known.lo <= number && number <= known.hi, "{known:?} {number:?}");
                        let form: f64 =
                            known.form.parts.iter().map(|(part, by)| super::number(*by) * value(*part)).sum();
                        let form = form + super::number(known.form.constant);
                        let size: f64 = known
                            .form
                            .parts
                            .iter()
                            .map(|(part, by)| (super::number(*by) * value(*part)).abs())
                            .sum();
                        assert!(
                            (form - number).abs() <= known.error + (size + 4.0) * 1e-14,
                            "{known:?} {form:?} {number:?}"
                        );
                    }
                    for (other, &second) in all.iter().enumerate() {
                        if let (Some(a), Some(b)) = (shapes[index], shapes[other])
                            && a.1 == b.1
                        {
                            let second = if a.0 == b.0 { value(second) } else { -value(second) };
                            assert!(
                                second == number || (second.is_nan() && number.is_nan()),
                                "{number:?} {second:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn doubles_are_the_rationals_that_they_are() {
        for value in [1.0, -2.5, 0.1, 1e15, 3.0, 1e-9] {
            let Some(rational) = exact(value) else { continue };
            assert_eq!(number(rational), value);
        }
        assert_eq!(exact(0.5), Rational::new(1, 2));
        assert_eq!(exact(f64::MIN_POSITIVE), None);
    }
}
