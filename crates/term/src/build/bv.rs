//! Bit-vector products, quotients, bitwise operators and shifts.

use crate::node::{BvOp, BvSum, Node, Term};
use crate::ops;
use crate::rules::Rule;
use crate::sort::{Sort, mask};
use crate::terms::Terms;

/// Products that would multiply out into more monomials stay products.
const MAX_MONOMIALS: usize = 64;

impl Terms {
    /// Any bit-vector operator that is not a sum.
    pub fn bv_op(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "operands of different widths");
        let width = self.width(left);
        if let (Some(a), Some(b)) = (self.as_bv(left), self.as_bv(right)) {
            return self.bv(width, ops::bv_op(op, width, a, b));
        }
        if self.is_plain() {
            return self.bv_op_plain(op, left, right);
        }
        let commutes = matches!(op, BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
        let (left, right) =
            if commutes && (self.as_bv(left).is_some() || (self.as_bv(right).is_none() && right < left)) {
                (right, left)
            } else {
                (left, right)
            };
        if let Some(value) = self.as_bv(right) {
            if let Some(term) = self.op_with_constant(op, width, left, value) {
                return term;
            }
            if let Node::Ite(condition, then, other) = *self.node(left)
                && self.as_bv(then).is_some()
                && self.as_bv(other).is_some()
            {
                let then = self.bv_op(op, then, right);
                let other = self.bv_op(op, other, right);
                return self.ite(condition, then, other);
            }
        }
        if self.as_bv(left) == Some(0)
            && !commutes
            && right != left
            && matches!(op, BvOp::Shl | BvOp::Lshr | BvOp::Ashr)
        {
            return left;
        }
        if left == right {
            match op {
                BvOp::And | BvOp::Or => return left,
                BvOp::Xor => return self.bv(width, 0),
                _ => {}
            }
        }
        if op == BvOp::Mul {
            return self.bv_product(left, right, width);
        }
        if let Some(term) = self.bitwise_of_choices(op, width, left, right) {
            return term;
        }
        if matches!(op, BvOp::Or | BvOp::Xor) && self.disjoint(left, right) {
            return self.bv_add(left, right);
        }
        self.intern(Node::BvOp(op, left, right), Sort::Bv(width))
    }

    /// An operator as it stands; what is done to the one bit of a stored truth value is done to the truth value.
    fn bv_op_plain(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        let width = self.width(left);
        if matches!(op, BvOp::And | BvOp::Or | BvOp::Xor)
            && let (Some(a), Some(b)) = (self.as_flag(left), self.as_flag(right))
        {
            self.use_rule(Rule::StoredTruth);
            let both = match op {
                BvOp::And => self.and2(a, b),
                BvOp::Or => self.or2(a, b),
                _ => self.xor_bool(a, b),
            };
            return self.bool_to_bv(both, width);
        }
        self.intern(Node::BvOp(op, left, right), Sort::Bv(width))
    }

    /// Products are multiplied out into sums of monomials, so that equal polynomials are equal terms.
    fn bv_product(&mut self, left: Term, right: Term, width: u8) -> Term {
        let (left_sum, right_sum) = (self.as_bv_sum(left), self.as_bv_sum(right));
        let count = |sum: &BvSum| sum.parts.len() + usize::from(sum.constant != 0);
        if count(&left_sum) * count(&right_sum) > MAX_MONOMIALS {
            return self.bv_monomial(left, right, width);
        }
        let mut total = self.bv(width, left_sum.constant.wrapping_mul(right_sum.constant));
        for (part, factor) in &right_sum.parts {
            total = self.bv_linear(total, 1, *part, factor.wrapping_mul(left_sum.constant));
        }
        for (part, factor) in &left_sum.parts {
            total = self.bv_linear(total, 1, *part, factor.wrapping_mul(right_sum.constant));
            for (other, other_factor) in &right_sum.parts {
                let monomial = self.bv_monomial(*part, *other, width);
                total = self.bv_linear(total, 1, monomial, factor.wrapping_mul(*other_factor));
            }
        }
        total
    }

    /// A product of atoms in ascending order; as it is where there are very many, because repeated squaring doubles them every time.
    fn bv_monomial(&mut self, left: Term, right: Term, width: u8) -> Term {
        const MOST: usize = 32;
        let mut factors = Vec::new();
        let mut open = vec![left, right];
        while let Some(term) = open.pop() {
            if factors.len() + open.len() >= MOST {
                return self.intern(Node::BvOp(BvOp::Mul, left, right), Sort::Bv(width));
            }
            match *self.node(term) {
                Node::BvOp(BvOp::Mul, a, b) => open.extend([a, b]),
                _ => factors.push(term),
            }
        }
        factors.sort_unstable();
        let first = factors[0];
        factors[1..].iter().fold(first, |product, &factor| {
            self.intern(Node::BvOp(BvOp::Mul, product, factor), Sort::Bv(width))
        })
    }

    fn op_with_constant(&mut self, op: BvOp, width: u8, left: Term, value: u64) -> Option<Term> {
        let power = value.is_power_of_two().then(|| value.trailing_zeros() as u8);
        let narrow = |amount: u64| (amount < u64::from(width)).then_some(amount as u8);
        Some(match op {
            BvOp::Mul => self.bv_scale(left, value),
            BvOp::Udiv if value == 1 => left,
            BvOp::Udiv if power.is_some() => self.shift_right(left, power?, false),
            BvOp::Urem if power.is_some() => self.low_bits(left, power?),
            BvOp::Sdiv if value == 1 => left,
            BvOp::Srem if value == 1 => self.bv(width, 0),
            // For numbers that are not negative the signed operators are the unsigned ones.
            BvOp::Sdiv | BvOp::Srem
                if value != 0 && value >> (width - 1) == 0 && self.interval(left).smin >= 0 =>
            {
                let unsigned = if op == BvOp::Sdiv { BvOp::Udiv } else { BvOp::Urem };
                let right = self.bv(width, value);
                self.bv_op(unsigned, left, right)
            }
            BvOp::And if value == 0 => self.bv(width, 0),
            BvOp::And if value == mask(width) => left,
            BvOp::And => return self.masked(left, width, value),
            BvOp::Or | BvOp::Xor if value == 0 => left,
            BvOp::Or if value == mask(width) => self.bv(width, value),
            BvOp::Xor if value == mask(width) => self.bv_not(left),
            BvOp::Xor => match *self.node(left) {
                Node::BvOp(BvOp::Xor, part, other) => {
                    let both = self.bv(width, self.as_bv(other)? ^ value);
                    self.bv_op(BvOp::Xor, part, both)
                }
                _ => return None,
            },
            BvOp::Shl => match narrow(value) {
                Some(amount) => self.bv_scale(left, 1 << amount),
                None => self.bv(width, 0),
            },
            BvOp::Lshr => match narrow(value) {
                Some(amount) => self.shift_right(left, amount, false),
                None => self.bv(width, 0),
            },
            BvOp::Ashr => self.shift_right(left, value.min(u64::from(width) - 1) as u8, true),
            _ => return None,
        })
    }

    /// A mask of adjacent ones is a cut-out.
    fn masked(&mut self, term: Term, width: u8, value: u64) -> Option<Term> {
        let low = value.trailing_zeros() as u8;
        let ones = value >> low;
        if !(ones.wrapping_add(1)).is_power_of_two() && ones != u64::MAX {
            return None;
        }
        let count = 64 - ones.leading_zeros() as u8;
        let cut = self.extract(low + count - 1, low, term);
        let shifted = if low == 0 {
            cut
        } else {
            let zeros = self.bv(low, 0);
            self.concat(cut, zeros)
        };
        Some(self.zero_extend(width, shifted))
    }

    /// The remainder of a division by 2^count.
    fn low_bits(&mut self, term: Term, count: u8) -> Term {
        let width = self.width(term);
        if count == 0 {
            return self.bv(width, 0);
        }
        let cut = self.extract(count - 1, 0, term);
        self.zero_extend(width, cut)
    }

    fn shift_right(&mut self, term: Term, amount: u8, arithmetic: bool) -> Term {
        let width = self.width(term);
        if amount == 0 {
            return term;
        }
        let sum = self.as_bv_sum(term);
        let cut = match sum.parts[..] {
            // What was shifted up by as much is only cut: how C widens a char.
            [(part, factor)] if sum.constant == 0 && factor == 1 << amount => {
                self.extract(width - 1 - amount, 0, part)
            }
            _ => self.extract(width - 1, amount, term),
        };
        if arithmetic { self.sign_extend(width, cut) } else { self.zero_extend(width, cut) }
    }

    /// And, or and exclusive or of truth values that are stored as numbers are truth values again.
    fn bitwise_of_choices(&mut self, op: BvOp, width: u8, left: Term, right: Term) -> Option<Term> {
        if !matches!(op, BvOp::And | BvOp::Or | BvOp::Xor) {
            return None;
        }
        let left = self.as_flag(left)?;
        let right = self.as_flag(right)?;
        let both = match op {
            BvOp::And => self.and2(left, right),
            BvOp::Or => self.or2(left, right),
            _ => self.xor_bool(left, right),
        };
        Some(self.bool_to_bv(both, width))
    }

    /// The truth value that a number stands for when it can only be 0 or 1.
    pub fn as_flag(&mut self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Bv(_, 0) => Some(self.bool(false)),
            Node::Bv(_, 1) => Some(self.bool(true)),
            Node::Ite(condition, then, other) => match (self.as_bv(then), self.as_bv(other)) {
                (Some(1), Some(0)) => Some(condition),
                (Some(0), Some(1)) => Some(self.not(condition)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether no bit can be one in both.
    fn disjoint(&self, left: Term, right: Term) -> bool {
        let fits = |low: Term, high: Term| {
            let zeros = self.trailing_zeros(high);
            zeros > 0 && self.interval(low).umax <= mask(zeros)
        };
        fits(left, right) || fits(right, left)
    }

    /// How many low bits of a term are surely zero.
    fn trailing_zeros(&self, term: Term) -> u8 {
        match self.node(term) {
            Node::Bv(width, value) => (value.trailing_zeros() as u8).min(*width),
            Node::BvSum(sum) => {
                let of = |value: u64| value.trailing_zeros() as u8;
                sum.parts.iter().map(|(_, factor)| of(*factor)).chain([of(sum.constant)]).min().unwrap_or(0)
            }
            Node::Concat(_, low) if self.as_bv(*low) == Some(0) => self.width(*low),
            Node::ZeroExtend(_, part) => self.trailing_zeros(*part),
            _ => 0,
        }
    }

    /// Product modulo 2^width.
    pub fn bv_mul(&mut self, left: Term, right: Term) -> Term {
        self.bv_op(BvOp::Mul, left, right)
    }
}
