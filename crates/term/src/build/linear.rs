//! Bit-vector sums in one linear normal form, so that sums are equal whatever order they were built in.

use crate::node::{BvOp, BvSum, Node, Term};
use crate::sort::{Sort, mask, signed, signed_max, signed_min};
use crate::terms::Terms;

/// Longer sums keep an earlier sum as one part, so that an accumulator stays linear in size.
const MAX_PARTS: usize = 48;

impl Terms {
    /// Sum.
    pub fn bv_add(&mut self, left: Term, right: Term) -> Term {
        self.bv_linear(left, 1, right, 1)
    }

    /// Difference.
    pub fn bv_sub(&mut self, left: Term, right: Term) -> Term {
        self.bv_linear(left, 1, right, u64::MAX)
    }

    /// Negative.
    pub fn bv_neg(&mut self, term: Term) -> Term {
        self.bv_scale(term, u64::MAX)
    }

    /// Bitwise complement, which is `-term - 1`.
    pub fn bv_not(&mut self, term: Term) -> Term {
        let ones = self.bv(self.width(term), u64::MAX);
        self.bv_sub(ones, term)
    }

    /// Product with a constant.
    pub fn bv_scale(&mut self, term: Term, factor: u64) -> Term {
        let zero = self.bv(self.width(term), 0);
        self.bv_linear(term, factor, zero, 1)
    }

    /// `left · left_factor + right · right_factor`.
    pub(crate) fn bv_linear(&mut self, left: Term, left_factor: u64, right: Term, right_factor: u64) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "sum of different widths");
        let width = self.width(left);
        let (left_factor, right_factor) = (left_factor & mask(width), right_factor & mask(width));
        if self.is_plain() {
            return self.bv_linear_plain(left, left_factor, right, right_factor);
        }
        if let Some(term) = self.constant_through_ite(width, left, left_factor, right, right_factor) {
            return term;
        }
        let mut sum = self.scaled_sum(left, left_factor, width, MAX_PARTS);
        let other = self.scaled_sum(right, right_factor, width, MAX_PARTS);
        if sum.parts.len() + other.parts.len() > MAX_PARTS {
            sum = self.scaled_sum(left, left_factor, width, 1);
        }
        sum.constant = sum.constant.wrapping_add(other.constant) & mask(width);
        sum.parts = merge(&sum.parts, &other.parts, width);
        self.bv_from_sum(sum, width)
    }

    /// A sum of the two as they stand, each with its factor.
    fn bv_linear_plain(&mut self, left: Term, left_factor: u64, right: Term, right_factor: u64) -> Term {
        let width = self.width(left);
        let mut sum = BvSum { constant: 0, parts: Vec::new() };
        for (term, factor) in [(left, left_factor), (right, right_factor)] {
            match self.as_bv(term) {
                Some(value) => {
                    sum.constant = sum.constant.wrapping_add(value.wrapping_mul(factor)) & mask(width);
                }
                None if factor == 0 => {}
                None => sum.parts.push((term, factor)),
            }
        }
        self.bv_from_sum(sum, width)
    }

    /// Adding to or scaling an `ite` of two constants gives an `ite` of two constants.
    fn constant_through_ite(
        &mut self,
        width: u8,
        left: Term,
        left_factor: u64,
        right: Term,
        right_factor: u64,
    ) -> Option<Term> {
        let (choice, factor, constant) = match (self.as_bv(left), self.as_bv(right)) {
            (None, Some(value)) => (left, left_factor, value.wrapping_mul(right_factor)),
            (Some(value), None) => (right, right_factor, value.wrapping_mul(left_factor)),
            _ => return None,
        };
        let Node::Ite(condition, then, other) = *self.node(choice) else { return None };
        let (then, other) = (self.as_bv(then)?, self.as_bv(other)?);
        let then = self.bv(width, then.wrapping_mul(factor).wrapping_add(constant));
        let other = self.bv(width, other.wrapping_mul(factor).wrapping_add(constant));
        Some(self.ite(condition, then, other))
    }

    /// A term as a sum, times a factor; a sum of more than `limit` parts is taken as one part.
    fn scaled_sum(&self, term: Term, factor: u64, width: u8, limit: usize) -> BvSum {
        let cut = mask(width);
        match self.node(term) {
            Node::Bv(_, value) => BvSum { constant: value.wrapping_mul(factor) & cut, parts: Vec::new() },
            Node::BvSum(sum) if sum.parts.len() <= limit => BvSum {
                constant: sum.constant.wrapping_mul(factor) & cut,
                parts: sum
                    .parts
                    .iter()
                    .map(|(part, inner)| (*part, inner.wrapping_mul(factor) & cut))
                    .filter(|(_, factor)| *factor != 0)
                    .collect(),
            },
            _ if factor == 0 => BvSum { constant: 0, parts: Vec::new() },
            _ => BvSum { constant: 0, parts: vec![(term, factor)] },
        }
    }

    /// A bit-vector term as its linear sum.
    pub fn as_bv_sum(&self, term: Term) -> BvSum {
        self.scaled_sum(term, 1, self.width(term), usize::MAX)
    }

    pub(crate) fn bv_from_sum(&mut self, sum: BvSum, width: u8) -> Term {
        if sum.parts.is_empty() {
            return self.bv(width, sum.constant);
        }
        if sum.constant == 0 && sum.parts.len() == 1 && sum.parts[0].1 == 1 {
            return sum.parts[0].0;
        }
        self.intern(Node::BvSum(Box::new(sum)), Sort::Bv(width))
    }

    /// Equality of bit-vectors: the difference is compared with zero, positive parts left, negative ones right.
    pub(crate) fn eq_bv(&mut self, left: Term, right: Term) -> Term {
        if let Some(value) = self.as_bv(right) {
            let interval = self.interval(left);
            if value < interval.umin || value > interval.umax {
                return self.bool(false);
            }
            let width = self.width(left);
            if signed(width, value) < interval.smin || signed(width, value) > interval.smax {
                return self.bool(false);
            }
            if let Some(term) = self.eq_ite_constant(left, right) {
                return term;
            }
            match *self.node(left) {
                // Within the narrow value the comparison needs no more bits than that has.
                Node::ZeroExtend(_, part) | Node::SignExtend(_, part) => {
                    let narrow = self.bv(self.width(part), value);
                    return self.eq(part, narrow);
                }
                Node::Concat(high, low) => {
                    let low_width = self.width(low);
                    let high_value = self.bv(self.width(high), value >> low_width);
                    let low_value = self.bv(low_width, value);
                    let (high, low) = (self.eq(high, high_value), self.eq(low, low_value));
                    return self.and2(high, low);
                }
                Node::BvOp(BvOp::Xor, a, b) if value == 0 => return self.eq(a, b),
                Node::BvOp(BvOp::Or, a, b) if value == 0 => {
                    let zero = self.bv(width, 0);
                    let (a, b) = (self.eq(a, zero), self.eq(b, zero));
                    return self.and2(a, b);
                }
                _ => {}
            }
        }
        match (self.node(left), self.node(right)) {
            (Node::ZeroExtend(_, a), Node::ZeroExtend(_, b))
            | (Node::SignExtend(_, a), Node::SignExtend(_, b))
                if self.sort(*a) == self.sort(*b) =>
            {
                let (a, b) = (*a, *b);
                return self.eq(a, b);
            }
            _ => {}
        }
        if let Some(term) = self.eq_bv_ite(left, right) {
            return term;
        }
        self.eq_linear(left, right)
    }

    /// `ite(c, x, y) = x` holds if c or y = x.
    fn eq_bv_ite(&mut self, left: Term, right: Term) -> Option<Term> {
        for (choice, value) in [(left, right), (right, left)] {
            if let Node::Ite(condition, then, other) = *self.node(choice) {
                if then == value {
                    let rest = self.eq(other, value);
                    return Some(self.or2(condition, rest));
                }
                if other == value {
                    let rest = self.eq(then, value);
                    let refused = self.not(condition);
                    return Some(self.or2(refused, rest));
                }
            }
        }
        None
    }

    fn eq_linear(&mut self, left: Term, right: Term) -> Term {
        let width = self.width(left);
        if !matches!(self.node(left), Node::BvSum(_)) && !matches!(self.node(right), Node::BvSum(_)) {
            return self.eq_raw(left, right);
        }
        let negative = self.scaled_sum(right, u64::MAX, width, usize::MAX);
        let mut sum = self.scaled_sum(left, 1, width, usize::MAX);
        sum.constant = sum.constant.wrapping_add(negative.constant) & mask(width);
        sum.parts = merge(&sum.parts, &negative.parts, width);
        if sum.parts.is_empty() {
            return self.bool(sum.constant == 0);
        }
        // An even common factor would hide the constant's odd part.
        let common = sum.parts.iter().map(|(_, factor)| factor.trailing_zeros()).min().unwrap_or(0);
        if sum.constant.trailing_zeros() < common {
            return self.bool(false);
        }
        if signed(width, sum.parts[0].1) < 0 {
            let flip = |value: u64| value.wrapping_neg() & mask(width);
            sum.constant = flip(sum.constant);
            sum.parts.iter_mut().for_each(|(_, factor)| *factor = flip(*factor));
        }
        let (positive, negative): (Vec<_>, Vec<_>) =
            sum.parts.into_iter().partition(|(_, factor)| signed(width, *factor) >= 0);
        let negated = negative.into_iter().map(|(part, factor)| (part, factor.wrapping_neg() & mask(width)));
        // Constants go to the side where they are small and, if alone there, to the right.
        let constant = sum.constant.wrapping_neg() & mask(width);
        let right_sum = BvSum { constant, parts: negated.collect() };
        let left = self.bv_from_sum(BvSum { constant: 0, parts: positive }, width);
        let right = self.bv_from_sum(right_sum, width);
        if self.as_bv(right).is_some() && !matches!(self.node(left), Node::BvSum(_)) {
            return self.eq_bv(left, right);
        }
        if let Some(term) = self.eq_multiple(left, right) {
            return term;
        }
        self.eq_raw(left, right)
    }

    /// `8·x = 40` is `x = 5` where the product cannot wrap around: so are indices told that only addresses compare.
    fn eq_multiple(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let value = i128::from(signed(width, self.as_bv(right)?));
        let Node::BvSum(sum) = self.node(left) else { return None };
        let (&[(part, factor)], 0) = (&sum.parts[..], sum.constant) else { return None };
        let factor = i128::from(signed(width, factor));
        let interval = self.interval(part);
        let (least, greatest) = (i128::from(signed_min(width)), i128::from(signed_max(width)));
        let fits = |number: i64| (least..=greatest).contains(&(i128::from(number) * factor));
        if factor < 2 || !fits(interval.smin) || !fits(interval.smax) {
            return None;
        }
        if value % factor != 0 {
            return Some(self.bool(false));
        }
        let quotient = self.bv(width, (value / factor) as u64 & mask(width));
        Some(self.eq(part, quotient))
    }
}

/// Adds two ascending lists of parts.
fn merge(left: &[(Term, u64)], right: &[(Term, u64)], width: u8) -> Vec<(Term, u64)> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        match left[i].0.cmp(&right[j].0) {
            std::cmp::Ordering::Less => {
                merged.push(left[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                merged.push(right[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                let factor = left[i].1.wrapping_add(right[j].1) & mask(width);
                if factor != 0 {
                    merged.push((left[i].0, factor));
                }
                i += 1;
                j += 1;
            }
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}
