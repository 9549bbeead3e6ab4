//! Where an address that depends on inputs may point: bounds from declared ranges and from the path's conditions.

use std::collections::BTreeMap;

use twinrun_term::{BvOp, BvOrder, BvSum, Node, Term, mask, signed};

use super::{BOUNDS, Concolic, Value};

/// So deep below a term bounds are looked for, and in sums of so many parts.
const DEPTH: u32 = 5;
const MOST_PARTS: usize = 8;

/// Bounds that the path has set to a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    unsigned: (i128, i128),
    signed: (i128, i128),
}

impl Bounds {
    /// Takes in bounds of the number without sign.
    fn set_unsigned(&mut self, low: i128, high: i128) {
        self.unsigned = (self.unsigned.0.max(low), self.unsigned.1.min(high));
        if self.unsigned.1 <= self.signed.1 {
            self.signed = (self.signed.0.max(self.unsigned.0), self.signed.1.min(self.unsigned.1));
        }
    }

    /// Takes in bounds of the signed number.
    fn set_signed(&mut self, low: i128, high: i128) {
        self.signed = (self.signed.0.max(low), self.signed.1.min(high));
        if self.signed.0 >= 0 {
            self.unsigned = (self.unsigned.0.max(self.signed.0), self.unsigned.1.min(self.signed.1));
        }
    }
}

impl Concolic {
    fn bounds_of(&self, term: Term) -> Bounds {
        self.bounds_within(term, DEPTH)
    }

    /// What the path and the declarations tell of a number, looked for so deep below it.
    fn bounds_within(&self, term: Term, depth: u32) -> Bounds {
        if let Some(known) = self.bounds.get(&term) {
            return *known;
        }
        let interval = self.terms.interval(term);
        let mut bounds = Bounds {
            unsigned: (interval.umin.into(), interval.umax.into()),
            signed: (interval.smin.into(), interval.smax.into()),
        };
        if depth == 0 || bounds.unsigned.0 == bounds.unsigned.1 {
            return bounds;
        }
        match *self.terms.node(term) {
            Node::BvOp(BvOp::Udiv, part, by) => {
                if let Some(by) = self.terms.as_bv(by).filter(|by| *by > 1) {
                    let (low, high) = self.bounds_within(part, depth - 1).unsigned;
                    bounds.set_unsigned(low / i128::from(by), high / i128::from(by));
                }
            }
            Node::BvOp(BvOp::Sdiv, part, by) => {
                let (low, high) = self.bounds_within(part, depth - 1).signed;
                if let Some(by) = self.terms.as_signed(by).filter(|by| *by > 1 && low >= 0) {
                    bounds.set_signed(low / i128::from(by), high / i128::from(by));
                }
            }
            Node::ZeroExtend(_, part) => {
                let (low, high) = self.bounds_within(part, depth - 1).unsigned;
                bounds.set_unsigned(low, high);
            }
            Node::SignExtend(_, part) => {
                let (low, high) = self.bounds_within(part, depth - 1).signed;
                bounds.set_signed(low, high);
            }
            Node::BvSum(ref sum) if sum.parts.len() <= MOST_PARTS => {
                let width = self.terms.width(term);
                let mut low = i128::from(signed(width, sum.constant));
                let mut high = low;
                for &(part, factor) in &sum.parts {
                    let factor = i128::from(signed(width, factor));
                    let part = self.bounds_within(part, depth - 1);
                    let (least, greatest) = part.signed;
                    let ends = (least * factor, greatest * factor);
                    low += ends.0.min(ends.1);
                    high += ends.0.max(ends.1);
                }
                // Only where the sum is the mathematical one.
                let half = 1i128 << (width - 1);
                if low >= -half && high < half {
                    bounds.set_signed(low, high);
                }
                if let Some((low, high)) = self.remainder(sum, width, depth - 1)
                    && low >= -half
                    && high < half
                {
                    bounds.set_signed(low, high);
                }
            }
            _ => {}
        }
        bounds
    }

    /// The bounds of a sum with `f·(x - c·(x / c))` in it, where x is not negative on this path.
    fn remainder(&self, sum: &BvSum, width: u8, depth: u32) -> Option<(i128, i128)> {
        let number = |factor: u64| i128::from(signed(width, factor));
        for &(part, factor) in &sum.parts {
            let Node::BvOp(BvOp::Sdiv, divided, by) = *self.terms.node(part) else { continue };
            let Some(by) = self.terms.as_signed(by).filter(|by| *by > 1) else { continue };
            let by = i128::from(by);
            let (least, most) = self.bounds_within(divided, depth).signed;
            if least < 0 || number(factor) % by != 0 {
                continue;
            }
            let times = -number(factor) / by;
            let mut rest: BTreeMap<Term, i128> = sum
                .parts
                .iter()
                .filter(|(other, _)| *other != part)
                .map(|&(it, factor)| (it, number(factor)))
                .collect();
            let mut constant = number(sum.constant);
            let own = match rest.contains_key(&divided) {
                true => BvSum { constant: 0, parts: vec![(divided, 1)] },
                false => self.terms.as_bv_sum(divided),
            };
            if own.parts.iter().any(|(part, _)| !rest.contains_key(part)) {
                continue;
            }
            for &(part, factor) in &own.parts {
                *rest.entry(part).or_insert(0) -= times * number(factor);
            }
            constant -= times * number(own.constant);
            let (mut low, mut high) = (constant, constant);
            for (part, factor) in rest {
                let (least, greatest) = self.bounds_within(part, depth).signed;
                let ends = (least * factor, greatest * factor);
                low += ends.0.min(ends.1);
                high += ends.0.max(ends.1);
            }
            let most = times * most.min(by - 1);
            return Some((low + most.min(0), high + most.max(0)));
        }
        None
    }

    /// A number that was just made, as the path allows to say it more simply.
    pub(super) fn on_path(&mut self, term: Term) -> Term {
        if !self.knows_path {
            return term;
        }
        match *self.terms.node(term) {
            Node::BvOp(BvOp::Udiv, part, by) => {
                let Some(by) = self.terms.as_bv(by).filter(|by| *by > 1) else { return term };
                let bounds = self.bounds_of(part);
                let (low, high) = bounds.unsigned;
                if low / i128::from(by) != high / i128::from(by) {
                    return self.signed_quotient(term, part, by, bounds);
                }
                let by = i128::from(by);
                let quotient = self.terms.bv(self.terms.width(term), (low / by) as u64);
                let claim = self.terms.eq(term, quotient);
                self.conclude(claim, BOUNDS);
                quotient
            }
            // A digit and its '0': no bit is one in both.
            Node::BvOp(BvOp::Or, part, other) | Node::BvOp(BvOp::Or, other, part)
                if self.terms.as_bv(other).is_some_and(|value| {
                    value != 0 && self.bounds_of(part).unsigned.1 < 1i128 << value.trailing_zeros()
                }) =>
            {
                let sum = self.terms.bv_add(part, other);
                let claim = self.terms.eq(term, sum);
                self.conclude(claim, BOUNDS);
                sum
            }
            // The low bits of a number that has no others.
            Node::ZeroExtend(width, low) => match *self.terms.node(low) {
                Node::Extract(high, 0, part)
                    if self.terms.width(part) == width
                        && self.bounds_of(part).unsigned.1 >> high >> 1 == 0 =>
                {
                    let claim = self.terms.eq(term, part);
                    self.conclude(claim, BOUNDS);
                    part
                }
                _ => term,
            },
            Node::Ite(condition, then, other)
                if self.terms.is_constant(then) && self.terms.is_constant(other) =>
            {
                match self.decided(condition) {
                    Some(true) => then,
                    Some(false) => other,
                    None => match self.signed_order(condition) {
                        Some(plain) => self.terms.ite(plain, then, other),
                        None => term,
                    },
                }
            }
            _ => term,
        }
    }

    /// A quotient of a number that is not negative on this path, though it may be on others, as the quotient of signed numbers: that one is linear.
    fn signed_quotient(&mut self, term: Term, part: Term, by: u64, bounds: Bounds) -> Term {
        let width = self.terms.width(term);
        if bounds.signed.0 < 0 || self.terms.interval(part).smin >= 0 || by >> (width - 1) != 0 {
            return term;
        }
        let by = self.terms.bv(width, by);
        let quotient = self.terms.bv_op(BvOp::Sdiv, part, by);
        let claim = self.terms.eq(term, quotient);
        self.conclude(claim, BOUNDS);
        quotient
    }

    /// An order of numbers that are not negative on this path, as the order of signed numbers: that one is linear.
    fn signed_order(&mut self, condition: Term) -> Option<Term> {
        let (order, left, right) = match *self.terms.node(condition) {
            Node::BvOrder(BvOrder::Ult, left, right) => (BvOrder::Slt, left, right),
            Node::BvOrder(BvOrder::Ule, left, right) => (BvOrder::Sle, left, right),
            _ => return None,
        };
        if self.bounds_of(left).signed.0 < 0 || self.bounds_of(right).signed.0 < 0 {
            return None;
        }
        let plain = self.terms.bv_order(order, left, right);
        if self.terms.is_plain() {
            let (there, back) = (self.terms.implies(plain, condition), self.terms.implies(condition, plain));
            let claim = self.terms.and2(there, back);
            self.conclude(claim, BOUNDS);
        }
        Some(plain)
    }

    /// Takes in a condition that holds on the path, where it bounds a term by a constant.
    pub(super) fn learn(&mut self, condition: Term) {
        match *self.terms.node(condition) {
            Node::And(ref parts) => {
                let parts = parts.clone();
                parts.iter().for_each(|&part| self.learn(part));
            }
            Node::BvOrder(order, left, right) => {
                let step = i128::from(matches!(order, BvOrder::Slt | BvOrder::Ult));
                let is_signed = matches!(order, BvOrder::Slt | BvOrder::Sle);
                let value = |domain: &Concolic, term: Term| {
                    if is_signed {
                        domain.terms.as_signed(term).map(i128::from)
                    } else {
                        domain.terms.as_bv(term).map(i128::from)
                    }
                };
                if let Some(bound) = value(self, right) {
                    self.bound(left, is_signed, i128::MIN, bound - step);
                } else if let Some(bound) = value(self, left) {
                    self.bound(right, is_signed, bound + step, i128::MAX);
                }
            }
            Node::Eq(left, right) => {
                let (term, constant) =
                    if self.terms.is_constant(left) { (right, left) } else { (left, right) };
                if let (Some(value), Some(number)) =
                    (self.terms.as_bv(constant), self.terms.as_signed(constant))
                {
                    self.bound(term, false, value.into(), value.into());
                    self.bound(term, true, number.into(), number.into());
                }
            }
            _ => {}
        }
    }

    /// Whether a comparison with a constant follows from the bounds that the path has set.
    pub(super) fn follows(&self, condition: Term) -> bool {
        match *self.terms.node(condition) {
            Node::BvOrder(order, left, right) => {
                let is_signed = matches!(order, BvOrder::Slt | BvOrder::Sle);
                let side = |term: Term| {
                    let bounds = self.bounds_of(term);
                    if is_signed { bounds.signed } else { bounds.unsigned }
                };
                let step = i128::from(matches!(order, BvOrder::Slt | BvOrder::Ult));
                side(left).1 + step <= side(right).0
            }
            Node::Not(inner) => match *self.terms.node(inner) {
                Node::Eq(left, right) => match (self.terms.as_bv(left), self.terms.as_bv(right)) {
                    (Some(value), _) => self.excludes(right, value.into()),
                    (_, Some(value)) => self.excludes(left, value.into()),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    fn excludes(&self, term: Term, value: i128) -> bool {
        let (low, high) = self.bounds_of(term).unsigned;
        value < low || value > high
    }

    fn bound(&mut self, term: Term, is_signed: bool, low: i128, high: i128) {
        let mut bounds = self.bounds_of(term);
        let side = if is_signed { &mut bounds.signed } else { &mut bounds.unsigned };
        *side = (side.0.max(low), side.1.min(high));
        // A number that is not negative is the same in both readings.
        if bounds.signed.0 >= 0 {
            let both = (bounds.signed.0.max(bounds.unsigned.0), bounds.signed.1.min(bounds.unsigned.1));
            (bounds.signed, bounds.unsigned) = (both, both);
        }
        self.bounds.insert(term, bounds);
    }

    /// The tighter reading of a term's number.
    fn range(&self, term: Term) -> (i128, i128) {
        let bounds = self.bounds_of(term);
        let inner = match *self.terms.node(term) {
            Node::ZeroExtend(_, part) => Some(self.shifted(part).unwrap_or(self.bounds_of(part).unsigned)),
            Node::SignExtend(_, part) => Some(self.bounds_of(part).signed),
            _ => None,
        };
        let size = |range: (i128, i128)| range.1 - range.0;
        [Some(bounds.signed), Some(bounds.unsigned), inner]
            .into_iter()
            .flatten()
            .min_by_key(|range| size(*range))
            .unwrap_or(bounds.signed)
    }

    /// The range of the upper bits of a sum: where the map of a checked build is looked up.
    fn shifted(&self, term: Term) -> Option<(i128, i128)> {
        let Node::Extract(31, by, part) = *self.terms.node(term) else { return None };
        if self.terms.width(part) != 32 {
            return None;
        }
        let (low, high, _) = self.spread(part);
        (0 <= low && high <= i128::from(u32::MAX)).then_some((low >> by, high >> by))
    }

    /// The least and the greatest number of a sum of 32 bits, if it does not wrap, and the steps between its numbers.
    fn spread(&self, term: Term) -> (i128, i128, i128) {
        let sum = self.flat_sum(term);
        let mut low = i128::from(signed(32, sum.constant));
        let mut high = low;
        let mut stride = 0i128;
        for &(part, factor) in &sum.parts {
            let factor = i128::from(signed(32, factor));
            let (least, greatest) = self.range(part);
            let ends = (least * factor, greatest * factor);
            low += ends.0.min(ends.1);
            high += ends.0.max(ends.1);
            stride = gcd(stride.unsigned_abs(), factor.unsigned_abs()) as i128;
        }
        (low, high, stride.max(1))
    }

    /// A term as a linear sum of parts that are none, also where terms stand as they were built.
    fn flat_sum(&self, term: Term) -> BvSum {
        if !self.terms.is_plain() {
            return self.terms.as_bv_sum(term);
        }
        let mut constant = 0u64;
        let mut parts: BTreeMap<Term, u64> = BTreeMap::new();
        let mut open = vec![(term, 1u64)];
        while let Some((term, factor)) = open.pop() {
            let scaled = |by: u64| factor.wrapping_mul(by) & mask(32);
            match *self.terms.node(term) {
                Node::Bv(_, value) => constant = constant.wrapping_add(scaled(value)) & mask(32),
                Node::BvSum(ref sum) => {
                    constant = constant.wrapping_add(scaled(sum.constant)) & mask(32);
                    open.extend(sum.parts.iter().map(|(part, by)| (*part, scaled(*by))));
                }
                Node::BvOp(BvOp::Mul, left, right) if self.terms.is_constant(right) => {
                    open.push((left, scaled(self.terms.as_bv(right).unwrap_or_default())));
                }
                Node::BvOp(BvOp::Mul, left, right) if self.terms.is_constant(left) => {
                    open.push((right, scaled(self.terms.as_bv(left).unwrap_or_default())));
                }
                Node::BvOp(BvOp::Shl, left, right) if self.terms.as_bv(right).is_some_and(|by| by < 32) => {
                    open.push((left, scaled(1 << self.terms.as_bv(right).unwrap_or_default())));
                }
                _ => {
                    let known = parts.entry(term).or_insert(0);
                    *known = known.wrapping_add(factor) & mask(32);
                }
            }
        }
        let parts = parts.into_iter().filter(|(_, factor)| *factor != 0).collect();
        BvSum { constant, parts }
    }

    /// The places that `address + offset` may be, if they are few and all lie below `limit`, with the term of the sum.
    pub(super) fn places(
        &mut self,
        address: Value,
        offset: u32,
        limit: u64,
        most: usize,
    ) -> Option<(Term, Vec<u64>)> {
        let term = address.term?;
        // The sum is meant without wrapping: the address alone must leave room for the offset.
        let offset_term = self.terms.bv(32, u64::from(offset));
        let target = self.terms.bv_add(term, offset_term);
        let (low, high, stride) = self.spread(target);
        let count = (high - low) / stride + 1;
        let fits = low >= i128::from(offset) && high <= i128::from(limit) && count <= most as i128;
        if !fits {
            return None;
        }
        let places: Vec<u64> = (0..count).map(|i| (low + i * stride) as u64).collect();
        if self.terms.is_plain() {
            let most = self.terms.bv(32, u64::from(u32::MAX - offset));
            let roomy = self.terms.ule(term, most);
            let mut equal = Vec::new();
            for &place in &places {
                let place = self.terms.bv(32, place);
                equal.push(self.terms.eq(target, place));
            }
            let one = self.terms.or(&equal);
            let claim = self.terms.and2(roomy, one);
            self.conclude(claim, "an address is one of these");
        }
        Some((target, places))
    }
}

fn gcd(left: u128, right: u128) -> u128 {
    if right == 0 { left } else { gcd(right, left % right) }
}
