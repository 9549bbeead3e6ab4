//! Truth values: negation, conjunction, disjunction, equality and `ite`.

use crate::node::{BvOrder, Node, Term};
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;

impl Terms {
    /// Negation; orders are turned round rather than negated.
    pub fn not(&mut self, term: Term) -> Term {
        // Negation goes down to the leaves, and every junction on the way looks at the negations of its parts: without memory that
        // would double with every level.
        if let Some(&known) = self.negations.get(&term) {
            return known;
        }
        let negated = self.negated(term);
        if matches!(self.node(term), Node::And(_) | Node::Or(_) | Node::Ite(..)) {
            self.negations.insert(term, negated);
        }
        negated
    }

    fn negated(&mut self, term: Term) -> Term {
        match *self.node(term) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => {
                self.use_rule(Rule::DoubleNegation);
                inner
            }
            Node::BvOrder(order, left, right) => {
                self.use_rule(Rule::NegatedOrder);
                let turned = match order {
                    BvOrder::Ult => BvOrder::Ule,
                    BvOrder::Ule => BvOrder::Ult,
                    BvOrder::Slt => BvOrder::Sle,
                    BvOrder::Sle => BvOrder::Slt,
                };
                self.bv_order(turned, right, left)
            }
            _ if self.is_plain() => self.intern(Node::Not(term), Sort::Bool),
            Node::NumLe(left, right) if self.sort(left) == Sort::Real => self.num_lt(right, left),
            Node::NumLt(left, right) => self.num_le(right, left),
            Node::And(ref parts) => {
                let parts: Vec<Term> = parts.to_vec();
                let negated: Vec<Term> = parts.into_iter().map(|part| self.not(part)).collect();
                self.or(&negated)
            }
            Node::Or(ref parts) => {
                let parts: Vec<Term> = parts.to_vec();
                let negated: Vec<Term> = parts.into_iter().map(|part| self.not(part)).collect();
                self.and(&negated)
            }
            Node::Ite(condition, then, other) => {
                let (then, other) = (self.not(then), self.not(other));
                self.ite(condition, then, other)
            }
            _ => self.intern(Node::Not(term), Sort::Bool),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: &[Term]) -> Term {
        self.junction(parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: &[Term]) -> Term {
        self.junction(parts, false)
    }

    /// Conjunction of two.
    pub fn and2(&mut self, left: Term, right: Term) -> Term {
        self.junction(&[left, right], true)
    }

    /// Disjunction of two.
    pub fn or2(&mut self, left: Term, right: Term) -> Term {
        self.junction(&[left, right], false)
    }

    /// Implication.
    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        let left = self.not(left);
        self.or2(left, right)
    }

    /// Exclusive or of truth values.
    pub fn xor_bool(&mut self, left: Term, right: Term) -> Term {
        let equal = self.eq(left, right);
        self.not(equal)
    }

    fn junction(&mut self, parts: &[Term], conjunction: bool) -> Term {
        let mut flat = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.node(part) {
                Node::Bool(value) if *value == conjunction => {}
                Node::Bool(_) => return self.bool(!conjunction),
                _ if self.is_plain() => flat.push(part),
                Node::And(inner) if conjunction => flat.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for index in 0..if self.is_plain() { 0 } else { flat.len() } {
            let negated = self.not(flat[index]);
            if flat.binary_search(&negated).is_ok() {
                return self.bool(!conjunction);
            }
        }
        match flat.len() {
            0 => self.bool(conjunction),
            1 => flat[0],
            _ if conjunction => self.intern(Node::And(flat.into()), Sort::Bool),
            _ => self.intern(Node::Or(flat.into()), Sort::Bool),
        }
    }

    /// Equality of two terms of one sort. For floats this is identity of values (one NaN, two zeros); see
    /// [`Terms::float_eq`] for the IEEE one.
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "equality of different sorts");
        if left == right {
            return self.bool(true);
        }
        if self.is_constant(left) && self.is_constant(right) {
            return self.bool(false);
        }
        let (left, right) = if self.is_constant(left) { (right, left) } else { (left, right) };
        if self.is_plain() {
            return self.eq_plain(left, right);
        }
        match self.sort(left) {
            Sort::Bool => self.eq_bool(left, right),
            Sort::Bv(_) => self.eq_bv(left, right),
            Sort::Int | Sort::Real => self.eq_num(left, right),
            _ => self.eq_raw(left, right),
        }
    }

    /// Equality as it stands; of a truth value that is stored as a number, and of a truth value with a constant, the truth value.
    fn eq_plain(&mut self, left: Term, right: Term) -> Term {
        if let Some(value) = self.as_bool(right) {
            return if value { left } else { self.not(left) };
        }
        if let Some(value @ (0 | 1)) = self.as_bv(right)
            && let Some(flag) = self.as_flag(left)
        {
            self.use_rule(Rule::StoredTruth);
            return if value == 1 { flag } else { self.not(flag) };
        }
        self.eq_raw(left, right)
    }

    /// Disequality.
    pub fn ne(&mut self, left: Term, right: Term) -> Term {
        let equal = self.eq(left, right);
        self.not(equal)
    }

    pub(crate) fn eq_raw(&mut self, left: Term, right: Term) -> Term {
        let (left, right) = if left <= right { (left, right) } else { (right, left) };
        self.intern(Node::Eq(left, right), Sort::Bool)
    }

    fn eq_bool(&mut self, left: Term, right: Term) -> Term {
        if let Some(value) = self.as_bool(right) {
            return if value { left } else { self.not(left) };
        }
        let negated = self.not(left);
        if negated == right {
            return self.bool(false);
        }
        // Of the four ways to put two negations, the one with the smaller terms is kept.
        let (negated_left, negated_right) = (negated, self.not(right));
        let (plain_left, flip_left) = if negated_left < left { (negated_left, true) } else { (left, false) };
        let (plain_right, flip_right) =
            if negated_right < right { (negated_right, true) } else { (right, false) };
        let equal = self.eq_raw(plain_left, plain_right);
        if flip_left == flip_right { equal } else { self.not_raw(equal) }
    }

    fn not_raw(&mut self, term: Term) -> Term {
        self.intern(Node::Not(term), Sort::Bool)
    }

    /// Equality with a constant goes through `ite`, so that a truth value stored as 0 or 1 comes back as itself.
    pub(crate) fn eq_ite_constant(&mut self, left: Term, right: Term) -> Option<Term> {
        let Node::Ite(condition, then, other) = *self.node(left) else { return None };
        if !self.is_constant(then) && !self.is_constant(other) {
            return None;
        }
        let then = self.eq(then, right);
        let other = self.eq(other, right);
        Some(self.ite(condition, then, other))
    }

    /// If `condition` then `then` else `other`.
    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        debug_assert_eq!(self.sort(then), self.sort(other), "branches of different sorts");
        if let Some(value) = self.as_bool(condition) {
            return if value { then } else { other };
        }
        if then == other {
            return then;
        }
        if self.is_plain() {
            let sort = self.sort(then);
            return self.intern(Node::Ite(condition, then, other), sort);
        }
        if let Node::Not(inner) = *self.node(condition) {
            return self.ite(inner, other, then);
        }
        // Of a comparison and its turned-round negation, the older one is kept, so that both spell the same term.
        let negated = self.not(condition);
        let (condition, negated, then, other) = if negated < condition {
            (negated, condition, other, then)
        } else {
            (condition, negated, then, other)
        };
        let then = self.assume_in_ite(then, condition, true);
        let other = self.assume_in_ite(other, condition, false);
        if then == other {
            return then;
        }
        let sort = self.sort(then);
        if sort == Sort::Bool {
            match (self.as_bool(then), self.as_bool(other)) {
                (Some(true), Some(false)) => return condition,
                (Some(false), Some(true)) => return negated,
                (Some(true), None) => return self.or2(condition, other),
                (Some(false), None) => return self.and2(negated, other),
                (None, Some(true)) => return self.or2(negated, then),
                (None, Some(false)) => return self.and2(condition, then),
                _ => {}
            }
            if then == condition {
                return self.or2(condition, other);
            }
            if other == condition {
                return self.and2(condition, then);
            }
        }
        // ite(c, x, ite(d, x, y)) = ite(c or d, x, y), and its mirror images.
        if let Node::Ite(inner, inner_then, inner_other) = *self.node(other) {
            if inner_then == then {
                let either = self.or2(condition, inner);
                return self.ite(either, then, inner_other);
            }
            if inner_other == then {
                let refused = self.not(inner);
                let either = self.or2(condition, refused);
                return self.ite(either, then, inner_then);
            }
        }
        if let Node::Ite(inner, inner_then, inner_other) = *self.node(then) {
            if inner_other == other {
                let both = self.and2(condition, inner);
                return self.ite(both, inner_then, other);
            }
            if inner_then == other {
                let refused = self.not(inner);
                let both = self.and2(condition, refused);
                return self.ite(both, inner_other, other);
            }
        }
        self.intern(Node::Ite(condition, then, other), sort)
    }

    /// A branch that asks the same condition again knows its answer.
    fn assume_in_ite(&mut self, branch: Term, condition: Term, holds: bool) -> Term {
        if branch == condition {
            return self.bool(holds);
        }
        match *self.node(branch) {
            Node::Ite(inner, then, other) if inner == condition => {
                if holds {
                    then
                } else {
                    other
                }
            }
            Node::Not(inner) if inner == condition => self.bool(!holds),
            _ => branch,
        }
    }

    /// A truth value as 1 or 0 of a width, as WebAssembly's comparisons give it.
    pub fn bool_to_bv(&mut self, term: Term, width: u8) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(term, one, zero)
    }

    /// Whether a bit-vector differs from zero, as WebAssembly's branches ask it.
    pub fn bv_to_bool(&mut self, term: Term) -> Term {
        let zero = self.bv(self.width(term), 0);
        self.ne(term, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negating_a_deep_term_takes_a_step_a_level() {
        let mut terms = Terms::new();
        let mut deep = terms.bool(true);
        for level in 0..200 {
            let symbol = |terms: &mut Terms, name: String| terms.symbol(&name, Sort::Bool, None);
            let (one, two) =
                (symbol(&mut terms, format!("a{level}")), symbol(&mut terms, format!("b{level}")));
            let either = terms.or(&[deep, one]);
            deep = terms.and(&[either, two]);
        }
        let not = terms.not(deep);
        assert_eq!(terms.not(not), deep);
        assert!(terms.len() < 10_000);
    }
}
