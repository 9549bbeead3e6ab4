//! Cutting, joining and widening: what WebAssembly's loads and stores are made of.
//!
//! The normal form joins again what was cut apart: the bytes of a stored number, loaded together, are that number.

use crate::node::{Node, Term};
use crate::ops;
use crate::sort::Sort;
use crate::terms::Terms;

impl Terms {
    /// Bits `high` down to `low`.
    pub fn extract(&mut self, high: u8, low: u8, term: Term) -> Term {
        let width = self.width(term);
        debug_assert!(low <= high && high < width, "bits {high}..{low} of {width}");
        let size = high - low + 1;
        if size == width {
            return term;
        }
        match *self.node(term) {
            Node::Bv(_, value) => self.bv(size, value >> low),
            _ if self.is_plain() => self.intern(Node::Extract(high, low, term), Sort::Bv(size)),
            Node::Extract(_, inner_low, part) => self.extract(high + inner_low, low + inner_low, part),
            Node::Concat(upper, lower) => {
                let split = self.width(lower);
                if high < split {
                    self.extract(high, low, lower)
                } else if low >= split {
                    self.extract(high - split, low - split, upper)
                } else {
                    let upper = self.extract(high - split, 0, upper);
                    let lower = self.extract(split - 1, low, lower);
                    self.concat(upper, lower)
                }
            }
            Node::ZeroExtend(_, part) => {
                let split = self.width(part);
                if high < split {
                    self.extract(high, low, part)
                } else if low >= split {
                    self.bv(size, 0)
                } else {
                    let part = self.extract(split - 1, low, part);
                    self.zero_extend(size, part)
                }
            }
            Node::SignExtend(_, part) => {
                let split = self.width(part);
                if high < split {
                    self.extract(high, low, part)
                } else if low < split {
                    let part = self.extract(split - 1, low, part);
                    self.sign_extend(size, part)
                } else {
                    self.intern(Node::Extract(high, low, term), Sort::Bv(size))
                }
            }
            Node::Ite(condition, then, other) if self.is_constant(then) && self.is_constant(other) => {
                let then = self.extract(high, low, then);
                let other = self.extract(high, low, other);
                self.ite(condition, then, other)
            }
            // A sum of what was widened, cut to what it was made of.
            Node::BvSum(ref sum)
                if low == 0 && sum.parts.iter().all(|(part, _)| self.fits_below(*part, size)) =>
            {
                let sum = sum.clone();
                let mut total = self.bv(size, sum.constant);
                for (part, factor) in sum.parts {
                    let part = self.extract(high, 0, part);
                    total = self.bv_linear(total, 1, part, factor);
                }
                total
            }
            // The sign of a number; that of the canonical NaN is positive.
            Node::FloatToBits(part) if low == width - 1 => {
                let negative = self.is_negative(part);
                self.bool_to_bv(negative, 1)
            }
            _ => self.intern(Node::Extract(high, low, term), Sort::Bv(size)),
        }
    }

    /// Whether a term is a narrower one that was widened.
    fn fits_below(&self, term: Term, width: u8) -> bool {
        match *self.node(term) {
            Node::ZeroExtend(_, part) | Node::SignExtend(_, part) => self.width(part) <= width,
            _ => false,
        }
    }

    /// `high`'s bits above `low`'s. Chains of joins lean to the right.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        debug_assert!(width <= 64, "at most 64 bits");
        if let (Some(a), Some(b)) = (self.as_bv(high), self.as_bv(low)) {
            return self.bv(width, a << self.width(low) | b);
        }
        if self.is_plain() {
            return self.intern(Node::Concat(high, low), Sort::Bv(width));
        }
        if self.as_bv(high) == Some(0) {
            return self.zero_extend(width, low);
        }
        match *self.node(high) {
            Node::Concat(first, second) => {
                let low = self.concat(second, low);
                return self.concat(first, low);
            }
            Node::ZeroExtend(_, part) => {
                let low = self.concat(part, low);
                return self.zero_extend(width, low);
            }
            _ => {}
        }
        if let Node::Concat(first, second) = *self.node(low)
            && let Some(joined) = self.joined(high, first)
        {
            return self.concat(joined, second);
        }
        if let Some(joined) = self.joined(high, low) {
            return joined;
        }
        self.intern(Node::Concat(high, low), Sort::Bv(width))
    }

    /// Two neighbouring cuts of one term as a single cut.
    fn joined(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.width(high), self.width(low));
        if let Node::Extract(top, bottom, part) = *self.node(high)
            && bottom >= low_width
            && self.extract(bottom - 1, bottom - low_width, part) == low
        {
            return Some(self.extract(top, bottom - low_width, part));
        }
        if let Node::Extract(top, bottom, part) = *self.node(low)
            && top + high_width < self.width(part)
            && self.extract(top + high_width, top + 1, part) == high
        {
            return Some(self.extract(top + high_width, bottom, part));
        }
        match (self.node(high), self.node(low)) {
            (Node::Bv(..), Node::Bv(..)) => Some(self.concat(high, low)),
            // Bytes that were merged under one condition are one number merged under it.
            (&Node::Ite(c, a, b), &Node::Ite(d, x, y)) if c == d => {
                let then = self.concat(a, x);
                let other = self.concat(b, y);
                Some(self.ite(c, then, other))
            }
            _ => None,
        }
    }

    /// Widened with zeros to `width`.
    pub fn zero_extend(&mut self, width: u8, term: Term) -> Term {
        if self.width(term) == width {
            return term;
        }
        debug_assert!(width > self.width(term), "widening to {width}");
        match *self.node(term) {
            Node::Bv(_, value) => self.bv(width, value),
            _ if self.is_plain() => self.intern(Node::ZeroExtend(width, term), Sort::Bv(width)),
            Node::ZeroExtend(_, part) => self.zero_extend(width, part),
            Node::Ite(condition, then, other) if self.is_constant(then) && self.is_constant(other) => {
                let then = self.zero_extend(width, then);
                let other = self.zero_extend(width, other);
                self.ite(condition, then, other)
            }
            // The low bits of a number that has no others are the number.
            Node::Extract(high, 0, part)
                if self.width(part) == width && self.interval(part).umax >> high >> 1 == 0 =>
            {
                part
            }
            _ => self.intern(Node::ZeroExtend(width, term), Sort::Bv(width)),
        }
    }

    /// Widened with copies of the sign to `width`.
    pub fn sign_extend(&mut self, width: u8, term: Term) -> Term {
        let from = self.width(term);
        if from == width {
            return term;
        }
        debug_assert!(width > from, "widening to {width}");
        match *self.node(term) {
            Node::Bv(_, value) => self.bv(width, ops::sign_extend(from, width, value)),
            _ if self.is_plain() => self.intern(Node::SignExtend(width, term), Sort::Bv(width)),
            Node::SignExtend(_, part) => self.sign_extend(width, part),
            Node::Ite(condition, then, other) if self.is_constant(then) && self.is_constant(other) => {
                let then = self.sign_extend(width, then);
                let other = self.sign_extend(width, other);
                self.ite(condition, then, other)
            }
            Node::Extract(high, 0, part)
                if self.width(part) == width && {
                    let interval = self.interval(part);
                    matches!(interval.smin >> high, 0 | -1) && matches!(interval.smax >> high, 0 | -1)
                } =>
            {
                part
            }
            _ if self.interval(term).smin >= 0 => self.zero_extend(width, term),
            _ => self.intern(Node::SignExtend(width, term), Sort::Bv(width)),
        }
    }
}
