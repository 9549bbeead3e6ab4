//! Bit-vector conditions as exact conditions over mathematical integers.
//!
//! Every bit-vector term is represented by an integer that equals its number modulo 2^width, with bounds. Sums and
//! truncations keep that without any case; only where a reading is asked for (an order, a widening) must the representative be
//! brought into the window of that reading. Where the bounds show that nothing wraps, this costs nothing; where it may wrap a
//! few times, an `ite` for each time; otherwise the translation declines and the query stays with bit-vectors.
//!
//! Over an arena that does not simplify, bounds follow from the bounds of the parts alone, and each step leaves a lemma behind: that the bounds are right, and
//! that what was brought into a window is in it and the same modulo 2^width ([`Integers::lemmas`]).

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::node::{BvOp, BvOrder, Node, Symbol, Term};
use crate::sort::{Rational, Sort, mask, signed};
use crate::terms::{Identity, Terms};
use crate::value::{Model, Value};

/// How many windows a representative may span before bit-vectors are better.
const MAX_WRAPS: i128 = 3;
/// Bounds stay far from the edge of 128 bits.
const LIMIT: i128 = 1 << 100;

/// The translation with all that it has translated so far.
#[derive(Debug, Default)]
pub struct Integers {
    translated: FxHashMap<Term, Option<Image>>,
    symbols: FxHashMap<Symbol, Symbol>,
    /// What must be true of the steps, over numbers and truth values of their own; nothing where it is not asked for.
    lemmas: Option<IndexSet<Term, FxBuildHasher>>,
}

/// A translated term: for a bit-vector the representative with its bounds, for a truth value the condition alone.
#[derive(Clone, Copy, Debug)]
struct Image {
    term: Term,
    low: i128,
    high: i128,
}

impl Integers {
    /// Nothing translated yet.
    pub fn new() -> Self {
        Integers::default()
    }

    /// Nothing translated yet; every step will leave its lemma.
    pub fn with_lemmas() -> Self {
        Integers { lemmas: Some(IndexSet::default()), ..Integers::default() }
    }

    /// The lemmas of all steps so far, each once. Their symbols stand for any part with the declared bounds.
    pub fn lemmas(&self) -> impl Iterator<Item = Term> + '_ {
        self.lemmas.iter().flatten().copied()
    }

    /// The condition over integers that holds exactly when `condition` does, if there is one.
    pub fn translate(&mut self, terms: &mut Terms, condition: Term) -> Option<Term> {
        if let Some(known) = self.translated.get(&condition) {
            return known.map(|image| image.term);
        }
        for term in terms.post_order(&[condition], |term| self.translated.contains_key(&term)) {
            let image = self.image(terms, term);
            if image.is_some() && self.lemmas.is_some() && matches!(terms.sort(term), Sort::Bv(_)) {
                self.bounds_lemma(terms, term);
            }
            self.translated.insert(term, image);
        }
        self.translated[&condition].map(|image| image.term)
    }

    /// A model of translated conditions as a model of the original ones.
    pub fn original_model(&self, terms: &Terms, model: &Model) -> Model {
        let mut original = Model::new();
        for (&symbol, &integer) in &self.symbols {
            if let Some(number) = model.get(integer).and_then(Value::as_num).and_then(Rational::as_whole) {
                let width = terms.symbol_info(symbol).sort.width();
                original.set(symbol, Value::Bv(number as u64 & mask(width)));
            }
        }
        for (symbol, value) in model.iter() {
            if !self.symbols.values().any(|&integer| integer == symbol) {
                original.set(symbol, value.clone());
            }
        }
        original
    }

    /// The integer symbol that stands for a bit-vector symbol, once one was made.
    pub fn integer_symbol(&self, symbol: Symbol) -> Option<Symbol> {
        self.symbols.get(&symbol).copied()
    }

    /// That the bounds of a step follow from the bounds of its parts.
    fn bounds_lemma(&mut self, terms: &mut Terms, term: Term) {
        let mut alone = Integers::new();
        let mut parts = Vec::new();
        terms.node(term).for_each_part(|part| parts.push(part));
        for (number, part) in parts.into_iter().enumerate() {
            let image = match self.get(part) {
                Some(image) if matches!(terms.sort(part), Sort::Bv(_)) && !terms.is_constant(image.term) => {
                    any(terms, number, image)
                }
                Some(image) if terms.sort(part) == Sort::Bool && !terms.is_constant(image.term) => {
                    let term = terms.symbol(&format!("condition {number}"), Sort::Bool, None);
                    Image { term, ..image }
                }
                Some(image) => image,
                None => return,
            };
            alone.translated.insert(part, Some(image));
        }
        if let Some(image) = alone.image(terms, term)
            && terms.as_symbol(image.term).is_none()
        {
            let (low, high) = (terms.int(image.low), terms.int(image.high));
            let (above, below) = (terms.num_le(low, image.term), terms.num_le(image.term, high));
            let inside = terms.and2(above, below);
            self.lemma(terms, inside);
        }
    }

    fn lemma(&mut self, terms: &Terms, lemma: Term) {
        if terms.as_bool(lemma) != Some(true)
            && let Some(lemmas) = &mut self.lemmas
        {
            lemmas.insert(lemma);
        }
    }

    fn get(&self, term: Term) -> Option<Image> {
        self.translated[&term]
    }

    fn image(&mut self, terms: &mut Terms, term: Term) -> Option<Image> {
        match terms.sort(term) {
            Sort::Bool => self.bool_image(terms, term).map(|term| Image { term, low: 0, high: 0 }),
            Sort::Bv(width) => {
                let image = self.bv_image(terms, term, width)?;
                (image.low > -LIMIT && image.high < LIMIT).then(|| clip(terms, term, width, image))
            }
            Sort::Int | Sort::Real => self.num_image(terms, term).map(|term| Image { term, low: 0, high: 0 }),
            _ => None,
        }
    }

    /// Integers and reals stay themselves unless a bit-vector condition sits below them.
    fn num_image(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        let mut replacements = FxHashMap::default();
        let mut complete = true;
        terms.node(term).clone().for_each_part(|part| match self.get(part) {
            Some(image) => {
                replacements.insert(part, image.term);
            }
            None => complete = false,
        });
        complete.then(|| terms.substitute(term, &mut replacements))
    }

    fn bool_image(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        Some(match *terms.node(term) {
            Node::Symbol(_) | Node::Bool(_) => term,
            Node::Eq(left, right) if matches!(terms.sort(left), Sort::Bv(_)) => {
                self.equal(terms, left, right)?
            }
            Node::BvOrder(order, left, right) => {
                let is_signed = matches!(order, BvOrder::Slt | BvOrder::Sle);
                let left = self.view(terms, left, is_signed)?.term;
                let right = self.view(terms, right, is_signed)?.term;
                match order {
                    BvOrder::Ult | BvOrder::Slt => terms.num_lt(left, right),
                    BvOrder::Ule | BvOrder::Sle => terms.num_le(left, right),
                }
            }
            _ => self.num_image(terms, term)?,
        })
    }

    fn bv_image(&mut self, terms: &mut Terms, term: Term, width: u8) -> Option<Image> {
        Some(match *terms.node(term) {
            Node::Symbol(symbol) => self.symbol_image(terms, symbol),
            Node::Bv(_, value) => constant(terms, i128::from(signed(width, value))),
            Node::Ite(condition, then, other) => {
                let condition = self.get(condition)?.term;
                let (then, other) = (self.get(then)?, self.get(other)?);
                Image {
                    term: terms.ite(condition, then.term, other.term),
                    low: then.low.min(other.low),
                    high: then.high.max(other.high),
                }
            }
            Node::BvSum(ref sum) => {
                let sum = sum.clone();
                let mut total = constant(terms, i128::from(signed(width, sum.constant)));
                for (part, factor) in &sum.parts {
                    let part = scale(terms, self.get(*part)?, i128::from(signed(width, *factor)))?;
                    total = add(terms, total, part);
                }
                total
            }
            Node::BvOp(op, left, right) => self.op_image(terms, op, left, right)?,
            Node::Extract(_, low, part) => {
                let part = self.get(part)?;
                if low == 0 { part } else { divide(terms, part, 1 << low) }
            }
            Node::Concat(high, low) => {
                let shift = 1i128 << terms.width(low);
                let high = scale(terms, self.get(high)?, shift)?;
                let low = self.view(terms, low, false)?;
                add(terms, high, low)
            }
            Node::ZeroExtend(_, part) => self.view(terms, part, false)?,
            Node::SignExtend(_, part) => self.view(terms, part, true)?,
            _ => return None,
        })
    }

    fn symbol_image(&mut self, terms: &mut Terms, symbol: Symbol) -> Image {
        let info = terms.symbol_info(symbol).clone();
        let (low, high) = info.numbers();
        let term = terms.declared(
            Identity::Integer(symbol),
            &format!("{}:int", info.name),
            Sort::Int,
            Some((low, high)),
        );
        if let Some(integer) = terms.as_symbol(term) {
            self.symbols.insert(symbol, integer);
        }
        Image { term, low, high }
    }

    fn op_image(&mut self, terms: &mut Terms, op: BvOp, left: Term, right: Term) -> Option<Image> {
        let divisor = terms.as_signed(right).filter(|value| *value != 0);
        match op {
            BvOp::Mul => {
                let (a, b) = (self.get(left)?, self.get(right)?);
                let ends = [
                    a.low.checked_mul(b.low)?,
                    a.low.checked_mul(b.high)?,
                    a.high.checked_mul(b.low)?,
                    a.high.checked_mul(b.high)?,
                ];
                let (low, high) = (*ends.iter().min()?, *ends.iter().max()?);
                Some(Image { term: terms.num_mul(a.term, b.term), low, high })
            }
            BvOp::Udiv | BvOp::Urem => {
                let divisor = i128::from(terms.as_bv(right).filter(|value| *value != 0)?);
                let left = self.view(terms, left, false)?;
                if op == BvOp::Udiv {
                    return Some(divide(terms, left, divisor));
                }
                if left.high < divisor {
                    return Some(left);
                }
                let divisor_term = terms.int(divisor);
                Some(Image { term: terms.int_mod(left.term, divisor_term), low: 0, high: divisor - 1 })
            }
            BvOp::Sdiv | BvOp::Srem => {
                let divisor = i128::from(divisor?);
                let left = self.view(terms, left, true)?;
                let quotient = divide_to_zero(terms, left, divisor)?;
                if op == BvOp::Sdiv {
                    return Some(quotient);
                }
                let back = scale(terms, quotient, -divisor)?;
                let rest = add(terms, left, back);
                let most = divisor.abs() - 1;
                let low = if left.low < 0 { left.low.max(-most) } else { 0 };
                let high = if left.high > 0 { left.high.min(most) } else { 0 };
                Some(Image { term: rest.term, low, high })
            }
            BvOp::And | BvOp::Or | BvOp::Xor => {
                let (a, b) = (self.get(left)?, self.get(right)?);
                if a.low < 0 || a.high > 1 || b.low < 0 || b.high > 1 {
                    return None;
                }
                let (zero, one) = (terms.int(0), terms.int(1));
                let (a, b) = (terms.eq(a.term, one), terms.eq(b.term, one));
                let both = match op {
                    BvOp::And => terms.and2(a, b),
                    BvOp::Or => terms.or2(a, b),
                    _ => terms.xor_bool(a, b),
                };
                Some(Image { term: terms.ite(both, one, zero), low: 0, high: 1 })
            }
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => None,
        }
    }

    /// Equality modulo 2^width: the difference is one of the few multiples that the bounds allow.
    fn equal(&mut self, terms: &mut Terms, left: Term, right: Term) -> Option<Term> {
        let modulus = 1i128 << terms.width(left);
        let (left, right) = (self.get(left)?, self.get(right)?);
        let equal = congruent(terms, left, right, modulus)?;
        if self.lemmas.is_some() {
            let (left, right) = (any(terms, 0, left), any(terms, 1, right));
            if let Some(cases) = congruent(terms, left, right, modulus) {
                let difference = terms.num_sub(left.term, right.term);
                let whole = is_multiple(terms, difference, modulus);
                let same = terms.eq(cases, whole);
                self.lemma(terms, same);
            }
        }
        Some(equal)
    }

    /// The representative in the window of the signed or unsigned reading.
    fn view(&mut self, terms: &mut Terms, term: Term, is_signed: bool) -> Option<Image> {
        let width = terms.width(term);
        let image = self.get(term)?;
        let modulus = 1i128 << width;
        let start = if is_signed { -(modulus / 2) } else { 0 };
        let seen = seen_from(terms, image, modulus, start)?;
        if self.lemmas.is_some() {
            let part = any(terms, 0, image);
            if let Some(seen) = seen_from(terms, part, modulus, start) {
                let (low, high) =
                    (terms.int(seen.low.max(start)), terms.int(seen.high.min(start + modulus - 1)));
                let (above, below) = (terms.num_le(low, seen.term), terms.num_le(seen.term, high));
                let difference = terms.num_sub(seen.term, part.term);
                let whole = is_multiple(terms, difference, modulus);
                let right = terms.and(&[above, below, whole]);
                self.lemma(terms, right);
            }
        }
        if terms.is_plain() {
            return Some(seen);
        }
        let interval = terms.interval(term);
        let (known_low, known_high) = if is_signed {
            (i128::from(interval.smin), i128::from(interval.smax))
        } else {
            (i128::from(interval.umin), i128::from(interval.umax))
        };
        Some(Image { low: seen.low.max(known_low), high: seen.high.min(known_high), ..seen })
    }
}

/// Any number with the bounds of an image.
fn any(terms: &mut Terms, number: usize, image: Image) -> Image {
    let term = terms.symbol(&format!("part {number}"), Sort::Int, Some((image.low, image.high)));
    Image { term, ..image }
}

fn is_multiple(terms: &mut Terms, term: Term, modulus: i128) -> Term {
    let (modulus, zero) = (terms.int(modulus), terms.int(0));
    let rest = terms.int_mod(term, modulus);
    terms.eq(rest, zero)
}

/// That two representatives are the same modulo a number: an equality for each multiple that their bounds allow.
fn congruent(terms: &mut Terms, left: Image, right: Image, modulus: i128) -> Option<Term> {
    let least = (left.low - right.high).div_euclid(modulus);
    let least = if least * modulus < left.low - right.high { least + 1 } else { least };
    let greatest = (left.high - right.low).div_euclid(modulus);
    if greatest - least >= MAX_WRAPS {
        return None;
    }
    let mut cases = Vec::new();
    for multiple in least..=greatest {
        let offset = terms.int(multiple * modulus);
        let shifted = terms.num_add(right.term, offset);
        cases.push(terms.eq(left.term, shifted));
    }
    Some(terms.or(&cases))
}

/// A representative in the window that begins at `start`.
fn seen_from(terms: &mut Terms, image: Image, modulus: i128, start: i128) -> Option<Image> {
    let least = (image.low - start).div_euclid(modulus);
    let greatest = (image.high - start).div_euclid(modulus);
    if greatest - least >= MAX_WRAPS {
        return None;
    }
    let shift = |terms: &mut Terms, wraps: i128| {
        let offset = terms.int(-wraps * modulus);
        terms.num_add(image.term, offset)
    };
    let mut result = shift(terms, greatest);
    for wraps in (least..greatest).rev() {
        let end = terms.int(start + (wraps + 1) * modulus);
        let before = terms.num_lt(image.term, end);
        let shifted = shift(terms, wraps);
        result = terms.ite(before, shifted, result);
    }
    let (low, high) = if least == greatest {
        (image.low - least * modulus, image.high - least * modulus)
    } else {
        (start, start + modulus - 1)
    };
    Some(Image { term: result, low, high })
}

/// A representative inside a reading's window is that reading, so that what is known of the reading bounds it.
fn clip(terms: &Terms, term: Term, width: u8, image: Image) -> Image {
    if terms.is_plain() {
        return image;
    }
    let interval = terms.interval(term);
    let modulus = 1i128 << width;
    let Image { term, mut low, mut high } = image;
    if low >= -(modulus / 2) && high < modulus / 2 {
        low = low.max(i128::from(interval.smin));
        high = high.min(i128::from(interval.smax));
    }
    if low >= 0 && high < modulus {
        low = low.max(i128::from(interval.umin));
        high = high.min(i128::from(interval.umax));
    }
    Image { term, low, high }
}

fn constant(terms: &mut Terms, value: i128) -> Image {
    Image { term: terms.int(value), low: value, high: value }
}

fn add(terms: &mut Terms, left: Image, right: Image) -> Image {
    Image {
        term: terms.num_add(left.term, right.term),
        low: left.low + right.low,
        high: left.high + right.high,
    }
}

fn scale(terms: &mut Terms, image: Image, factor: i128) -> Option<Image> {
    let ends = (image.low.checked_mul(factor)?, image.high.checked_mul(factor)?);
    let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
    let small = low > -LIMIT && high < LIMIT;
    small.then(|| Image { term: terms.num_scale(image.term, Rational::whole(factor)), low, high })
}

/// The quotient rounded down, for a positive divisor.
fn divide(terms: &mut Terms, image: Image, divisor: i128) -> Image {
    let (low, high) = (image.low.div_euclid(divisor), image.high.div_euclid(divisor));
    if low == high {
        return constant(terms, low);
    }
    let divisor = terms.int(divisor);
    Image { term: terms.int_div(image.term, divisor), low, high }
}

/// The quotient rounded to zero, as C and WebAssembly divide.
fn divide_to_zero(terms: &mut Terms, image: Image, divisor: i128) -> Option<Image> {
    let size = divisor.abs();
    let positive = if image.low >= 0 {
        divide(terms, image, size)
    } else {
        let negative = scale(terms, image, -1)?;
        let (up, down) = (divide(terms, image, size), divide(terms, negative, size));
        let turned = scale(terms, down, -1)?;
        let zero = terms.int(0);
        let below = terms.num_lt(image.term, zero);
        let (low, high) = (image.low / size, image.high / size);
        Image { term: terms.ite(below, turned.term, up.term), low, high }
    };
    if divisor < 0 { scale(terms, positive, -1) } else { Some(positive) }
}
