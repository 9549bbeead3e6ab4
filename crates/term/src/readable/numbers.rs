//! Bit-vectors as mathematical integers.
//!
//! Every bit-vector is written as an integer that equals its number modulo 2^width, with bounds, as [`crate::Integers`] translates it. Where a
//! reading is asked for (an order, a widening, a quotient) and the bounds do not show that the integer is that reading already, the text says so:
//! `int32(a + b)`, `uint8(c)`.

use super::{LEFT_OUT, Strength, Writer, number_text, show_symbol, sum_text};
use crate::node::{BvOp, BvSum, Node, Term};
use crate::sort::{Rational, mask, signed, signed_max, signed_min};

/// Written integers stay far from the edge of 128 bits, so that they can be evaluated in them.
const LIMIT: i128 = 1 << 126;

/// A written integer with bounds.
#[derive(Clone)]
pub(super) struct Number {
    pub(super) text: String,
    pub(super) strength: Strength,
    low: i128,
    high: i128,
    /// How often the text says that a number wraps.
    wraps: usize,
}

impl Number {
    fn constant(value: i128) -> Number {
        let (text, strength) = number_text(Rational::whole(value));
        Number { text, strength, low: value, high: value, wraps: 0 }
    }

    /// As an operand of something that binds so strongly.
    fn within(&self, outer: Strength) -> String {
        if self.strength < outer { format!("({})", self.text) } else { self.text.clone() }
    }

    fn lies_in(&self, (low, high): (i128, i128)) -> bool {
        low <= self.low && self.high <= high
    }

    fn call(name: &str, argument: &str, (low, high): (i128, i128), wraps: usize) -> Number {
        let text = format!("{name}({argument})");
        Number { text, strength: Strength::Unary, low, high, wraps }
    }
}

/// All numbers of a reading.
fn window(width: u8, is_signed: bool) -> (i128, i128) {
    if is_signed { (signed_min(width).into(), signed_max(width).into()) } else { (0, mask(width).into()) }
}

impl Writer<'_> {
    /// The bounds that are known of a reading.
    fn bounds(&self, term: Term, is_signed: bool) -> (i128, i128) {
        let interval = self.terms.interval(term);
        if is_signed {
            (interval.smin.into(), interval.smax.into())
        } else {
            (interval.umin.into(), interval.umax.into())
        }
    }

    /// The number in the signed or unsigned reading.
    pub(super) fn reading(&self, term: Term, is_signed: bool, depth: usize) -> Number {
        self.read(term, is_signed, &self.number(term, depth))
    }

    /// A term that is written already, in the signed or unsigned reading.
    fn read(&self, term: Term, is_signed: bool, number: &Number) -> Number {
        let width = self.terms.width(term);
        if let Some(value) = self.terms.as_bv(term) {
            let value = if is_signed { signed(width, value).into() } else { i128::from(value) };
            return Number::constant(value);
        }
        let window = window(width, is_signed);
        let (low, high) = self.bounds(term, is_signed);
        if number.lies_in(window) {
            return Number { low: number.low.max(low), high: number.high.min(high), ..number.clone() };
        }
        let wraps = number.wraps + 1;
        match (is_signed, width) {
            (true, _) => Number::call(&format!("int{width}"), &number.text, (low, high), wraps),
            (false, 8 | 16 | 32 | 64) => {
                Number::call(&format!("uint{width}"), &number.text, (low, high), wraps)
            }
            (false, _) => Number {
                text: format!("{} mod {}", number.within(Strength::Product), 1u128 << width),
                strength: Strength::Product,
                low,
                high,
                wraps,
            },
        }
    }

    /// The reading that needs the fewest words: of equals the signed one, but for bytes the unsigned one.
    pub(super) fn natural_reading(&self, term: Term, depth: usize) -> Number {
        let first = self.terms.width(term) > 8;
        let number = self.number(term, depth);
        let (one, other) = (self.read(term, first, &number), self.read(term, !first, &number));
        if other.wraps < one.wraps { other } else { one }
    }

    /// Two sides of an order in one reading.
    pub(super) fn ordered_sides(
        &self,
        left: Term,
        right: Term,
        is_signed: bool,
        depth: usize,
    ) -> (String, String) {
        let side = |term: Term, other: Term| {
            let number = self.reading(term, is_signed, depth);
            self.character(term, other, &number).unwrap_or_else(|| number.within(Strength::Sum))
        };
        (side(left, right), side(right, left))
    }

    /// Two sides of an equality, as integers that are equal exactly if the bit-vectors are.
    pub(super) fn equal_sides(&self, left: Term, right: Term, depth: usize) -> (String, String) {
        let (left, right) = if self.terms.as_bv(left).is_some() { (right, left) } else { (left, right) };
        let width = self.terms.width(left);
        let (one, other) = (self.number(left, depth), self.number(right, depth));
        let first = width > 8;
        let both = |is_signed: bool| (self.read(left, is_signed, &one), self.read(right, is_signed, &other));
        let mut ways = vec![both(first), both(!first)];
        let modulus = 1i128 << width;
        if self.terms.as_bv(right).is_none()
            && one.high - other.low < modulus
            && other.high - one.low < modulus
        {
            ways.insert(0, (one.clone(), other.clone()));
        }
        let words = |(one, other): &(Number, Number)| one.wraps + other.wraps;
        let (one, other) = ways.into_iter().min_by_key(words).unwrap_or((one, other));
        let character = self.character(right, left, &other);
        (one.within(Strength::Sum), character.unwrap_or_else(|| other.within(Strength::Sum)))
    }

    /// Bytes are compared with characters.
    fn character(&self, constant: Term, other: Term, number: &Number) -> Option<String> {
        let (Node::Bv(8, _), false) = (self.terms.node(constant), self.terms.as_bv(other).is_some()) else {
            return None;
        };
        let byte = u8::try_from(number.low).ok()?;
        let shown = byte.is_ascii_graphic() || byte == b' ';
        (shown && byte != b'\'' && byte != b'\\').then(|| format!("'{}'", char::from(byte)))
    }

    /// An integer that equals the bit-vector's number modulo 2^width.
    fn number(&self, term: Term, depth: usize) -> Number {
        let width = self.terms.width(term);
        if !self.room(depth) {
            let (low, high) = window(width, true);
            return Number { text: LEFT_OUT.to_owned(), strength: Strength::Unary, low, high, wraps: 0 };
        }
        let number = self.integer(term, width, depth - 1);
        let mut clipped = number.clone();
        for is_signed in [true, false] {
            if number.lies_in(window(width, is_signed)) {
                let (low, high) = self.bounds(term, is_signed);
                clipped.low = clipped.low.max(low);
                clipped.high = clipped.high.min(high);
            }
        }
        clipped
    }

    fn integer(&self, term: Term, width: u8, depth: usize) -> Number {
        let terms = self.terms;
        match *terms.node(term) {
            Node::Symbol(symbol) => {
                let (low, high) = terms.symbol_info(symbol).numbers();
                Number { text: show_symbol(terms, symbol), strength: Strength::Unary, low, high, wraps: 0 }
            }
            Node::Bv(_, value) => Number::constant(signed(width, value).into()),
            Node::Ite(condition, then, other) => {
                let condition = self.text(condition, Strength::Or, depth);
                let (then, other) = (self.number(then, depth), self.number(other, depth));
                let (one, two) = (then.within(Strength::Or), other.within(Strength::Or));
                Number {
                    text: format!("{condition} ? {one} : {two}"),
                    strength: Strength::Lowest,
                    low: then.low.min(other.low),
                    high: then.high.max(other.high),
                    wraps: then.wraps + other.wraps,
                }
            }
            Node::BvSum(ref sum) => self.bv_sum(sum, width, depth),
            Node::BvOp(op, left, right) => self.operation(op, left, right, depth),
            Node::Extract(_, 0, part) => self.number(part, depth),
            Node::Extract(_, low, part) => {
                let part = self.number(part, depth);
                let (sign, strength, amount) = if part.low >= 0 {
                    ("/", Strength::Product, (1u128 << low).to_string())
                } else {
                    (">>", Strength::Bits, low.to_string())
                };
                let operand = part.within(if part.low >= 0 { Strength::Product } else { Strength::Sum });
                Number {
                    text: format!("{operand} {sign} {amount}"),
                    strength,
                    low: part.low >> low,
                    high: part.high >> low,
                    wraps: part.wraps,
                }
            }
            Node::Concat(high, low) => {
                let factor = Rational::whole(1 << terms.width(low));
                let parts =
                    vec![(self.small(high, depth), factor), (self.reading(low, false, depth), Rational::ONE)];
                sum_of(parts, 0)
            }
            Node::ZeroExtend(_, part) => self.reading(part, false, depth),
            Node::SignExtend(_, part) => self.reading(part, true, depth),
            Node::FloatToBits(part) => {
                let argument = self.text(part, Strength::Lowest, depth);
                Number::call("bits", &argument, window(width, false), 0)
            }
            Node::FloatToBv(is_signed, _, part) => {
                let argument = self.text(part, Strength::Lowest, depth);
                let name = if is_signed { "to_int" } else { "to_uint" };
                Number::call(&format!("{name}{width}"), &argument, window(width, is_signed), 0)
            }
            Node::Select(array, address) => {
                let array = self.text(array, Strength::Lowest, depth);
                let address = self.reading(address, false, depth).text;
                Number::call("select", &format!("{array}, {address}"), window(width, false), 0)
            }
            Node::Apply(function, ref parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|&part| self.text(part, Strength::Lowest, depth)).collect();
                let name = &terms.function_info(function).name;
                Number::call(name, &parts.join(", "), window(width, true), 0)
            }
            _ => unreachable!("no bit-vector"),
        }
    }

    /// A number of at most 64 bits with its sign, so that a product of two has no more than 128.
    fn small(&self, term: Term, depth: usize) -> Number {
        let number = self.number(term, depth);
        if number.lies_in(window(64, true)) { number } else { self.read(term, true, &number) }
    }

    fn bv_sum(&self, sum: &BvSum, width: u8, depth: usize) -> Number {
        let constant = i128::from(signed(width, sum.constant));
        let mut parts = Vec::new();
        for (part, factor) in &sum.parts {
            let factor = Rational::whole(signed(width, *factor).into());
            parts.push((self.small(*part, depth), factor));
        }
        let size = |(number, factor): &(Number, Rational)| {
            number.low.abs().max(number.high.abs()) / 1024 * (factor.numerator().abs() / 1024 + 1)
        };
        if parts.iter().map(size).sum::<i128>() < LIMIT >> 22 {
            return sum_of(parts, constant);
        }
        // Products of such numbers wrap one by one, so that their sum stays small.
        let wrapped = parts.into_iter().map(|(number, factor)| {
            let wraps = number.wraps + 1;
            let product = sum_of(vec![(number, factor)], 0);
            (Number::call(&format!("int{width}"), &product.text, window(width, true), wraps), Rational::ONE)
        });
        sum_of(wrapped.collect(), constant)
    }

    fn operation(&self, op: BvOp, left: Term, right: Term, depth: usize) -> Number {
        let width = self.terms.width(left);
        let read = |term: Term, is_signed: bool| self.reading(term, is_signed, depth);
        match op {
            BvOp::Mul => {
                let (a, b) = (self.small(left, depth), self.small(right, depth));
                let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
                let (low, high) = (ends.into_iter().min(), ends.into_iter().max());
                binary("*", a, b, Strength::Product, (low.unwrap_or(0), high.unwrap_or(0)))
            }
            BvOp::Udiv | BvOp::Sdiv => {
                let is_signed = op == BvOp::Sdiv;
                let (a, b) = (read(left, is_signed), read(right, is_signed));
                // The quotient of the least number by minus one is not in the window.
                let size = a.low.abs().max(a.high.abs());
                let bounds = (if is_signed { -size } else { 0 }, size);
                binary("/", a, b, Strength::Product, bounds)
            }
            BvOp::Urem | BvOp::Srem => {
                let is_signed = op == BvOp::Srem;
                let (a, b) = (read(left, is_signed), read(right, is_signed));
                let bounds = (a.low.min(0), a.high.max(0));
                binary("%", a, b, Strength::Product, bounds)
            }
            // In two's complement with endless signs, the signed readings give the signed reading, the unsigned ones the unsigned one.
            BvOp::And | BvOp::Or | BvOp::Xor => {
                let sign = match op {
                    BvOp::And => "&",
                    BvOp::Or => "|",
                    _ => "^",
                };
                let (a, b) = (self.number(left, depth), self.number(right, depth));
                let way = |is_signed: bool| {
                    (self.read(left, is_signed, &a), self.read(right, is_signed, &b), is_signed)
                };
                let (unsigned, signed) = (way(false), way(true));
                let words = |(a, b, _): &(Number, Number, bool)| a.wraps + b.wraps;
                let (a, b, is_signed) = if words(&signed) < words(&unsigned) { signed } else { unsigned };
                binary(sign, a, b, Strength::Bits, window(width, is_signed))
            }
            BvOp::Shl => {
                let (a, b) = (read(left, true), read(right, false));
                let far = b.high >= i128::from(width);
                let most = b.high.min(i128::from(width) - 1);
                let size = a.low.abs().max(a.high.abs()) << most;
                let distance = b.within(Strength::Sum);
                let shifted = binary("<<", a, b, Strength::Bits, (-size, size));
                if !far {
                    return shifted;
                }
                let text = format!("{distance} < {width} ? {} : 0", shifted.text);
                Number { text, strength: Strength::Lowest, ..shifted }
            }
            BvOp::Lshr | BvOp::Ashr => {
                let (a, b) = (read(left, op == BvOp::Ashr), read(right, false));
                let bounds = (a.low.min(0), a.high.max(0));
                binary(">>", a, b, Strength::Bits, bounds)
            }
        }
    }
}

fn binary(sign: &str, left: Number, right: Number, strength: Strength, (low, high): (i128, i128)) -> Number {
    // Operators of one strength are joined from the left; bitwise ones are never mixed without parentheses.
    let outer = if strength == Strength::Bits { Strength::Sum } else { strength };
    let text = format!("{} {sign} {}", left.within(outer), right.within(Strength::Unary));
    Number { text, strength, low, high, wraps: left.wraps + right.wraps }
}

fn sum_of(parts: Vec<(Number, Rational)>, constant: i128) -> Number {
    let (mut low, mut high, mut wraps) = (constant, constant, 0);
    let mut written = Vec::new();
    for (number, factor) in parts {
        let ends = (number.low * factor.numerator(), number.high * factor.numerator());
        low += ends.0.min(ends.1);
        high += ends.0.max(ends.1);
        wraps += number.wraps;
        let needed = if super::is_one(factor) { Strength::Product } else { Strength::Unary };
        // A leading minus would bind to the first factor alone, which is the same number for products but not for quotients.
        let needed = if factor.signum() < 0 { Strength::Unary } else { needed };
        written.push((number.within(needed), factor));
    }
    let (text, strength) = sum_text(written, Rational::whole(constant));
    Number { text, strength, low, high, wraps }
}
