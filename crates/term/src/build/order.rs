//! Bit-vector orders, kept strict and as narrow as they can be.

use crate::node::{BvOrder, Node, Term};
use crate::ops;
use crate::sort::{Sort, mask, signed, signed_max, signed_min};
use crate::terms::Terms;

impl Terms {
    /// Unsigned less than.
    pub fn ult(&mut self, left: Term, right: Term) -> Term {
        self.bv_order(BvOrder::Ult, left, right)
    }

    /// Unsigned at most.
    pub fn ule(&mut self, left: Term, right: Term) -> Term {
        self.bv_order(BvOrder::Ule, left, right)
    }

    /// Signed less than.
    pub fn slt(&mut self, left: Term, right: Term) -> Term {
        self.bv_order(BvOrder::Slt, left, right)
    }

    /// Signed at most.
    pub fn sle(&mut self, left: Term, right: Term) -> Term {
        self.bv_order(BvOrder::Sle, left, right)
    }

    /// Any bit-vector order.
    pub fn bv_order(&mut self, order: BvOrder, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "comparison of different widths");
        let width = self.width(left);
        if left == right {
            return self.bool(matches!(order, BvOrder::Ule | BvOrder::Sle));
        }
        if let (Some(a), Some(b)) = (self.as_bv(left), self.as_bv(right)) {
            return self.bool(ops::bv_order(order, width, a, b));
        }
        if self.is_plain() {
            return self.intern(Node::BvOrder(order, left, right), Sort::Bool);
        }
        if let Some(answer) = self.decided(order, left, right) {
            return self.bool(answer);
        }
        if let Some(term) = self.order_through_ite(order, left, right) {
            return term;
        }
        if let Some(term) = self.narrowed(order, left, right) {
            return term;
        }
        let order = self.preferred(order, left, right);
        if let Some(term) = self.order_with_constant(order, left, right) {
            return term;
        }
        self.intern(Node::BvOrder(order, left, right), Sort::Bool)
    }

    fn decided(&self, order: BvOrder, left: Term, right: Term) -> Option<bool> {
        let (a, b) = (self.interval(left), self.interval(right));
        let (surely, never) = match order {
            BvOrder::Ult => (a.umax < b.umin, a.umin >= b.umax),
            BvOrder::Ule => (a.umax <= b.umin, a.umin > b.umax),
            BvOrder::Slt => (a.smax < b.smin, a.smin >= b.smax),
            BvOrder::Sle => (a.smax <= b.smin, a.smin > b.smax),
        };
        if surely {
            Some(true)
        } else if never {
            Some(false)
        } else {
            None
        }
    }

    /// Where both sides are not negative in the signed reading, the signed order is used.
    fn preferred(&self, order: BvOrder, left: Term, right: Term) -> BvOrder {
        if self.interval(left).smin < 0 || self.interval(right).smin < 0 {
            return order;
        }
        match order {
            BvOrder::Ult | BvOrder::Slt => BvOrder::Slt,
            BvOrder::Ule | BvOrder::Sle => BvOrder::Sle,
        }
    }

    fn order_through_ite(&mut self, order: BvOrder, left: Term, right: Term) -> Option<Term> {
        match (self.node(left), self.node(right)) {
            (&Node::Ite(condition, then, other), Node::Bv(..))
                if self.is_constant(then) || self.is_constant(other) =>
            {
                let then = self.bv_order(order, then, right);
                let other = self.bv_order(order, other, right);
                Some(self.ite(condition, then, other))
            }
            (Node::Bv(..), &Node::Ite(condition, then, other))
                if self.is_constant(then) || self.is_constant(other) =>
            {
                let then = self.bv_order(order, left, then);
                let other = self.bv_order(order, left, other);
                Some(self.ite(condition, then, other))
            }
            _ => None,
        }
    }

    /// Widened numbers compare as the narrow ones do.
    fn narrowed(&mut self, order: BvOrder, left: Term, right: Term) -> Option<Term> {
        let source = |terms: &Terms, term: Term| match *terms.node(term) {
            Node::ZeroExtend(_, part) => Some((part, false)),
            Node::SignExtend(_, part) => Some((part, true)),
            _ => None,
        };
        let (part, is_signed) = source(self, left).or_else(|| source(self, right))?;
        let width = self.width(part);
        let side = |terms: &mut Terms, term: Term| match source(terms, term) {
            Some((part, extended)) => (extended == is_signed && terms.width(part) == width).then_some(part),
            None => {
                let wide = terms.width(term);
                let value = terms.as_bv(term)?;
                let fits = if is_signed {
                    let number = signed(wide, value);
                    (signed_min(width)..=signed_max(width)).contains(&number)
                } else {
                    value <= mask(width)
                };
                fits.then(|| terms.bv(width, value))
            }
        };
        let (left, right) = (side(self, left)?, side(self, right)?);
        // Widening with zeros keeps the unsigned order in either reading; widening with the sign keeps both orders.
        let order = match (order, is_signed) {
            (BvOrder::Slt, false) => BvOrder::Ult,
            (BvOrder::Sle, false) => BvOrder::Ule,
            (order, _) => order,
        };
        Some(self.bv_order(order, left, right))
    }

    fn order_with_constant(&mut self, order: BvOrder, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let is_signed = matches!(order, BvOrder::Slt | BvOrder::Sle);
        let (least, greatest) = if is_signed {
            (signed_min(width) as u64 & mask(width), signed_max(width) as u64)
        } else {
            (0, mask(width))
        };
        if let Some(value) = self.as_bv(right) {
            return match order {
                // x ≤ k is x < k + 1; the greatest k was decided by the interval.
                BvOrder::Ule | BvOrder::Sle if value != greatest => {
                    let next = self.bv(width, value.wrapping_add(1));
                    let strict = if is_signed { BvOrder::Slt } else { BvOrder::Ult };
                    Some(self.bv_order(strict, left, next))
                }
                BvOrder::Ult | BvOrder::Slt if value == least.wrapping_add(1) & mask(width) => {
                    let least = self.bv(width, least);
                    Some(self.eq(left, least))
                }
                BvOrder::Ult => self.window(left, value),
                _ => self.at_end(order, left, value, true),
            };
        }
        if let Some(value) = self.as_bv(left) {
            return match order {
                BvOrder::Ule | BvOrder::Sle if value != least => {
                    let previous = self.bv(width, value.wrapping_sub(1));
                    let strict = if is_signed { BvOrder::Slt } else { BvOrder::Ult };
                    Some(self.bv_order(strict, previous, right))
                }
                BvOrder::Ult | BvOrder::Slt if value == greatest.wrapping_sub(1) & mask(width) => {
                    let greatest = self.bv(width, greatest);
                    Some(self.eq(right, greatest))
                }
                BvOrder::Ult if value == 0 => {
                    let zero = self.bv(width, 0);
                    Some(self.ne(right, zero))
                }
                BvOrder::Ult => {
                    let inside = self.window(right, value.wrapping_add(1))?;
                    Some(self.not(inside))
                }
                _ => self.at_end(order, right, value, false),
            };
        }
        None
    }

    /// Only one number of the interval remains: equality, or disequality with the other end.
    fn at_end(&mut self, order: BvOrder, term: Term, value: u64, below: bool) -> Option<Term> {
        if order != BvOrder::Slt {
            return None;
        }
        let width = self.width(term);
        let interval = self.interval(term);
        let number = signed(width, value);
        let (equal, different) = if below {
            (number.checked_sub(1) == Some(interval.smin), number == interval.smax)
        } else {
            (number.checked_add(1) == Some(interval.smax), number == interval.smin)
        };
        if equal {
            let end = if below { interval.smin } else { interval.smax };
            let end = self.bv(width, end as u64);
            return Some(self.eq(term, end));
        }
        if different {
            let end = self.bv(width, value);
            return Some(self.ne(term, end));
        }
        None
    }

    /// `x - first < count` without sign is `first ≤ x < first + count`: how compilers write a range check.
    fn window(&mut self, term: Term, count: u64) -> Option<Term> {
        let width = self.width(term);
        let Node::BvSum(sum) = self.node(term) else { return None };
        let [(part, 1)] = sum.parts[..] else { return None };
        let first = sum.constant.wrapping_neg() & mask(width);
        let last = first.checked_add(count - 1).filter(|last| *last <= mask(width))?;
        let (first_term, last_term) = (self.bv(width, first), self.bv(width, last));
        // Signed bounds where the window does not cross the sign, as the source mostly means them.
        let order = if signed(width, first) <= signed(width, last) { BvOrder::Sle } else { BvOrder::Ule };
        let above = self.bv_order(order, first_term, part);
        let below = self.bv_order(order, part, last_term);
        Some(self.and2(above, below))
    }
}
