//! Interval analysis: what numbers a bit-vector term may have, in the unsigned and in the signed reading.

use crate::node::{BvOp, BvOrder, BvSum, Node, Term};
use crate::sort::{mask, signed, signed_max, signed_min};
use crate::terms::Terms;

/// Bounds of a bit-vector's number, both inclusive, in both readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Least unsigned number.
    pub umin: u64,
    /// Greatest unsigned number.
    pub umax: u64,
    /// Least signed number.
    pub smin: i64,
    /// Greatest signed number.
    pub smax: i64,
}

impl Interval {
    /// Every number of the width.
    pub fn full(width: u8) -> Self {
        Interval { umin: 0, umax: mask(width), smin: signed_min(width), smax: signed_max(width) }
    }

    /// Bounds known in the unsigned reading.
    pub fn from_unsigned(width: u8, umin: u64, umax: u64) -> Self {
        let half = signed_max(width) as u64;
        let (smin, smax) = if umax <= half || umin > half {
            (signed(width, umin), signed(width, umax))
        } else {
            (signed_min(width), signed_max(width))
        };
        Interval { umin, umax, smin, smax }
    }

    /// Bounds known in the signed reading.
    pub fn from_signed(width: u8, smin: i64, smax: i64) -> Self {
        let (umin, umax) = if smin >= 0 || smax < 0 {
            (smin as u64 & mask(width), smax as u64 & mask(width))
        } else {
            (0, mask(width))
        };
        Interval { umin, umax, smin, smax }
    }

    /// Bounds known by an integer that is the vector's number modulo 2^width.
    pub fn from_integer(width: u8, low: i128, high: i128) -> Self {
        let modulus = 1i128 << width;
        if high - low >= modulus {
            return Interval::full(width);
        }
        let mut interval = Interval::full(width);
        let unsigned = low.div_euclid(modulus);
        if unsigned == high.div_euclid(modulus) {
            let offset = unsigned * modulus;
            interval = Interval::from_unsigned(width, (low - offset) as u64, (high - offset) as u64);
        }
        let half = modulus / 2;
        let signed = (low + half).div_euclid(modulus);
        if signed == (high + half).div_euclid(modulus) {
            let offset = signed * modulus;
            let other = Interval::from_signed(width, (low - offset) as i64, (high - offset) as i64);
            interval = interval.intersect(other);
        }
        interval
    }

    fn intersect(self, other: Interval) -> Interval {
        Interval {
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
    }

    fn join(self, other: Interval) -> Interval {
        Interval {
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// The tighter of the two readings as an integer interval.
    pub(crate) fn tighter(self) -> (i128, i128) {
        let signed = (i128::from(self.smin), i128::from(self.smax));
        let unsigned = (i128::from(self.umin), i128::from(self.umax));
        if unsigned.1 - unsigned.0 < signed.1 - signed.0 { unsigned } else { signed }
    }
}

impl Terms {
    pub(crate) fn interval_of(&self, node: &Node, width: u8) -> Interval {
        let full = Interval::full(width);
        match node {
            Node::Symbol(symbol) => self.declared_interval(*symbol, width),
            Node::Bv(_, value) => Interval::from_unsigned(width, *value, *value),
            Node::Ite(condition, then, other) => {
                let then = self.refined(*then, *condition, true);
                then.join(self.refined(*other, *condition, false))
            }
            Node::BvSum(sum) => {
                let as_integer = |bounds: Option<(i128, i128)>| {
                    bounds.map_or(full, |(low, high)| Interval::from_integer(width, low, high))
                };
                let whole = as_integer(self.sum_bounds(sum, width));
                whole.intersect(as_integer(self.remainder_bounds(sum, width)))
            }
            Node::BvOp(op, left, right) => {
                op_interval(*op, width, self.interval(*left), self.interval(*right))
            }
            Node::Extract(high, low, part) => {
                let part = self.interval(*part);
                if *low == 0 {
                    let (low, high) = part.tighter();
                    return Interval::from_integer(width, low, high);
                }
                if part.umax >> high >> 1 == part.umin >> high >> 1 || *high == 63 {
                    let cut = mask(width);
                    return Interval::from_unsigned(width, part.umin >> low & cut, part.umax >> low & cut);
                }
                full
            }
            Node::Concat(high, low) => {
                let shift = self.width(*low);
                let (high, low) = (self.interval(*high), self.interval(*low));
                Interval::from_unsigned(width, high.umin << shift | low.umin, high.umax << shift | low.umax)
            }
            Node::ZeroExtend(_, part) => {
                let part = self.interval(*part);
                Interval::from_unsigned(width, part.umin, part.umax)
            }
            Node::SignExtend(_, part) => {
                let part = self.interval(*part);
                Interval::from_signed(width, part.smin, part.smax)
            }
            _ => full,
        }
    }

    /// Bounds of a sum as an integer, each part in its tighter reading and each factor in the signed one.
    fn sum_bounds(&self, sum: &BvSum, width: u8) -> Option<(i128, i128)> {
        let (mut low, mut high) =
            (i128::from(signed(width, sum.constant)), i128::from(signed(width, sum.constant)));
        for (part, factor) in &sum.parts {
            let factor = i128::from(signed(width, *factor));
            let (least, greatest) = self.interval(*part).tighter();
            let ends = (least.checked_mul(factor)?, greatest.checked_mul(factor)?);
            low = low.checked_add(ends.0.min(ends.1))?;
            high = high.checked_add(ends.0.max(ends.1))?;
        }
        (high.checked_sub(low)? < i128::MAX / 4 && low > i128::MIN / 4).then_some((low, high))
    }

    /// The same where `f·(x - c·(x / c))` is in the sum, which is f times a remainder: how compilers write one.
    fn remainder_bounds(&self, sum: &BvSum, width: u8) -> Option<(i128, i128)> {
        let cut = mask(width);
        for (part, factor) in &sum.parts {
            let Node::BvOp(BvOp::Udiv, divided, by) = self.node(*part) else { continue };
            let Some(by) = self.as_bv(*by).filter(|by| *by >= 2 && by >> (width - 1) == 0) else { continue };
            let factor = i128::from(signed(width, *factor));
            if factor % i128::from(by) != 0 {
                continue;
            }
            let times = -factor / i128::from(by);
            let mut rest = sum.clone();
            rest.parts.retain(|(other, _)| other != part);
            // What is divided may itself be a sum, whose parts then stand in this one.
            let own = match rest.parts.iter().any(|(other, _)| other == divided) {
                true => BvSum { constant: 0, parts: vec![(*divided, 1)] },
                false => self.as_bv_sum(*divided),
            };
            let scaled = |value: u64| value.wrapping_mul(times as u64) & cut;
            let mut inside = true;
            for (other, inner) in &own.parts {
                match rest.parts.iter_mut().find(|(known, _)| known == other) {
                    Some((_, known)) => *known = known.wrapping_sub(scaled(*inner)) & cut,
                    None => inside = false,
                }
            }
            if !inside {
                continue;
            }
            rest.parts.retain(|(_, factor)| *factor != 0);
            rest.constant = rest.constant.wrapping_sub(scaled(own.constant)) & cut;
            let (low, high) =
                self.remainder_bounds(&rest, width).or_else(|| self.sum_bounds(&rest, width))?;
            let most = times * i128::from(self.interval(*divided).umax.min(by - 1));
            return Some((low + most.min(0), high + most.max(0)));
        }
        None
    }

    /// A branch of an `ite` whose condition compares that very branch with a constant is bounded by it.
    fn refined(&self, branch: Term, condition: Term, taken: bool) -> Interval {
        let interval = self.interval(branch);
        let (condition, taken) = match self.node(condition) {
            Node::Not(inner) => (*inner, !taken),
            _ => (condition, taken),
        };
        let Node::BvOrder(order, left, right) = self.node(condition) else { return interval };
        let (low, high, strict) = if *left == branch && self.as_bv(*right).is_some() {
            (None, Some(*right), matches!(order, BvOrder::Slt | BvOrder::Ult))
        } else if *right == branch && self.as_bv(*left).is_some() {
            (Some(*left), None, matches!(order, BvOrder::Slt | BvOrder::Ult))
        } else {
            return interval;
        };
        // Not (x < k) is k ≤ x, so a branch not taken exchanges the sides and the strictness.
        let (low, high, strict) = if taken { (low, high, strict) } else { (high, low, !strict) };
        let step = i128::from(strict);
        let width = self.width(branch);
        let value = |term: Term, signed_reading: bool| {
            if signed_reading {
                i128::from(self.as_signed(term).unwrap_or_default())
            } else {
                i128::from(self.as_bv(term).unwrap_or_default())
            }
        };
        let signed_reading = matches!(order, BvOrder::Slt | BvOrder::Sle);
        let (mut least, mut greatest) = if signed_reading {
            (i128::from(interval.smin), i128::from(interval.smax))
        } else {
            (i128::from(interval.umin), i128::from(interval.umax))
        };
        if let Some(low) = low {
            least = least.max(value(low, signed_reading) + step);
        }
        if let Some(high) = high {
            greatest = greatest.min(value(high, signed_reading) - step);
        }
        if least > greatest {
            return interval;
        }
        let bound = if signed_reading {
            Interval::from_signed(width, least as i64, greatest as i64)
        } else {
            Interval::from_unsigned(width, least as u64, greatest as u64)
        };
        interval.intersect(bound)
    }
}

fn op_interval(op: BvOp, width: u8, left: Interval, right: Interval) -> Interval {
    let full = Interval::full(width);
    match op {
        BvOp::Mul => {
            let (a, b) = (left.tighter(), right.tighter());
            let mut ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.checked_mul(b));
            ends.sort_unstable();
            match (ends[0], ends[3]) {
                (Some(low), Some(high)) if high < i128::MAX / 4 && low > i128::MIN / 4 => {
                    Interval::from_integer(width, low, high)
                }
                _ => full,
            }
        }
        BvOp::Udiv if right.umin > 0 => {
            Interval::from_unsigned(width, left.umin / right.umax, left.umax / right.umin)
        }
        BvOp::Urem if right.umin > 0 => Interval::from_unsigned(width, 0, left.umax.min(right.umax - 1)),
        BvOp::Urem => Interval::from_unsigned(width, 0, left.umax),
        BvOp::Sdiv if right.smin > 0 => {
            let low = (left.smin / right.smin).min(left.smin / right.smax);
            let high = (left.smax / right.smin).max(left.smax / right.smax);
            Interval::from_signed(width, low, high)
        }
        BvOp::Srem if right.smin > 0 => {
            let limit = right.smax - 1;
            let low = if left.smin < 0 { left.smin.max(-limit) } else { 0 };
            let high = if left.smax > 0 { left.smax.min(limit) } else { 0 };
            Interval::from_signed(width, low, high)
        }
        BvOp::And => Interval::from_unsigned(width, 0, left.umax.min(right.umax)),
        BvOp::Or => {
            Interval::from_unsigned(width, left.umin.max(right.umin), ones_above(left.umax | right.umax))
        }
        BvOp::Xor => Interval::from_unsigned(width, 0, ones_above(left.umax | right.umax)),
        BvOp::Lshr => Interval::from_unsigned(width, 0, left.umax),
        BvOp::Ashr => Interval::from_signed(width, left.smin.min(0), left.smax.max(-1)),
        _ => full,
    }
}

/// The least number of the form 2^k - 1 that is not below `value`.
fn ones_above(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}
