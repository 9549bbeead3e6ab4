//! Integers and reals: linear sums, products, quotients and orders.

use crate::node::{Node, NumSum, Term};
use crate::sort::{Rational, Sort, gcd};
use crate::terms::Terms;

const MAX_PARTS: usize = 48;
/// Products that would multiply out into more monomials stay products.
const MAX_MONOMIALS: usize = 64;

impl Terms {
    /// Sum of two integers or two reals.
    pub fn num_add(&mut self, left: Term, right: Term) -> Term {
        self.num_linear(left, Rational::ONE, right, Rational::ONE)
    }

    /// Difference.
    pub fn num_sub(&mut self, left: Term, right: Term) -> Term {
        self.num_linear(left, Rational::ONE, right, Rational::ONE.negated())
    }

    /// Negative.
    pub fn num_neg(&mut self, term: Term) -> Term {
        self.num_scale(term, Rational::ONE.negated())
    }

    /// Product with a constant.
    pub fn num_scale(&mut self, term: Term, factor: Rational) -> Term {
        let sort = self.sort(term);
        if self.is_plain() {
            let zero = self.num_constant(Rational::ZERO, sort);
            return self.num_linear_plain(term, factor, zero, Rational::ONE);
        }
        match self.scaled_num(term, factor, usize::MAX) {
            Some(sum) => self.num_from_sum(sum, sort),
            None => {
                let constant = self.num_constant(factor, sort);
                self.intern(Node::NumMul(constant, term), sort)
            }
        }
    }

    /// A constant of sort `Int` or `Real`.
    pub fn num_constant(&mut self, value: Rational, sort: Sort) -> Term {
        self.intern(Node::Num(sort, Box::new(value)), sort)
    }

    fn num_linear(&mut self, left: Term, left_factor: Rational, right: Term, right_factor: Rational) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "sum of different sorts");
        let sort = self.sort(left);
        if self.is_plain() {
            return self.num_linear_plain(left, left_factor, right, right_factor);
        }
        let flat = |terms: &Terms, limit: usize| -> Option<NumSum> {
            let left = terms.scaled_num(left, left_factor, limit)?;
            let right = terms.scaled_num(right, right_factor, MAX_PARTS)?;
            if limit > 1 && left.parts.len() + right.parts.len() > MAX_PARTS {
                return None;
            }
            add_sums(&left, &right)
        };
        if let Some(sum) = flat(self, MAX_PARTS).or_else(|| flat(self, 1)) {
            return self.num_from_sum(sum, sort);
        }
        // Numbers beyond 128 bits: the operands stay apart, each with its factor.
        let (left, right) = (self.num_scale(left, left_factor), self.num_scale(right, right_factor));
        let mut parts = vec![(left, Rational::ONE), (right, Rational::ONE)];
        parts.sort_unstable_by_key(|(part, _)| *part);
        if left == right {
            parts = vec![(left, Rational::whole(2))];
        }
        self.intern(Node::NumSum(Box::new(NumSum { constant: Rational::ZERO, parts })), sort)
    }

    /// A sum of the two as they stand, each with its factor.
    fn num_linear_plain(
        &mut self,
        left: Term,
        left_factor: Rational,
        right: Term,
        right_factor: Rational,
    ) -> Term {
        let sort = self.sort(left);
        let mut sum = NumSum { constant: Rational::ZERO, parts: Vec::new() };
        for (term, factor) in [(left, left_factor), (right, right_factor)] {
            let constant = self.as_num(term).and_then(|value| sum.constant.plus(value.times(factor)?));
            match constant {
                Some(constant) => sum.constant = constant,
                None if factor.signum() == 0 => {}
                None => sum.parts.push((term, factor)),
            }
        }
        self.num_from_sum(sum, sort)
    }

    fn scaled_num(&self, term: Term, factor: Rational, limit: usize) -> Option<NumSum> {
        Some(match self.node(term) {
            _ if factor.signum() == 0 => NumSum { constant: Rational::ZERO, parts: Vec::new() },
            Node::Num(_, value) => NumSum { constant: value.times(factor)?, parts: Vec::new() },
            Node::NumSum(sum) if sum.parts.len() <= limit => NumSum {
                constant: sum.constant.times(factor)?,
                parts: sum
                    .parts
                    .iter()
                    .map(|(part, inner)| Some((*part, inner.times(factor)?)))
                    .collect::<Option<_>>()?,
            },
            _ => NumSum { constant: Rational::ZERO, parts: vec![(term, factor)] },
        })
    }

    /// An integer or real term as its linear sum.
    pub fn as_num_sum(&self, term: Term) -> NumSum {
        self.scaled_num(term, Rational::ONE, usize::MAX)
            .unwrap_or_else(|| NumSum { constant: Rational::ZERO, parts: vec![(term, Rational::ONE)] })
    }

    /// The term of a linear sum whose parts ascend.
    pub fn num_from_sum(&mut self, sum: NumSum, sort: Sort) -> Term {
        if sum.parts.is_empty() {
            return self.num_constant(sum.constant, sort);
        }
        if sum.constant.signum() == 0 && sum.parts.len() == 1 && sum.parts[0].1 == Rational::ONE {
            return sum.parts[0].0;
        }
        self.intern(Node::NumSum(Box::new(sum)), sort)
    }

    /// Product.
    pub fn num_mul(&mut self, left: Term, right: Term) -> Term {
        if let Some(factor) = self.as_num(left) {
            return self.num_scale(right, factor);
        }
        if let Some(factor) = self.as_num(right) {
            return self.num_scale(left, factor);
        }
        let sort = self.sort(left);
        if self.is_plain() {
            return self.intern(Node::NumMul(left, right), sort);
        }
        let (left_sum, right_sum) = (self.as_num_sum(left), self.as_num_sum(right));
        let count = |sum: &NumSum| sum.parts.len() + usize::from(sum.constant.signum() != 0);
        if count(&left_sum) * count(&right_sum) > MAX_MONOMIALS {
            return self.num_monomial(left, right, sort);
        }
        let Some(product) = self.num_product(&left_sum, &right_sum, sort) else {
            return self.num_monomial(left, right, sort);
        };
        product
    }

    /// Products are multiplied out into sums of monomials, so that equal polynomials are equal terms.
    fn num_product(&mut self, left: &NumSum, right: &NumSum, sort: Sort) -> Option<Term> {
        let constant = left.constant.times(right.constant)?;
        let mut total = self.num_constant(constant, sort);
        for (sum, other) in [(left, right), (right, left)] {
            for (part, factor) in &sum.parts {
                let scaled = self.num_scale(*part, factor.times(other.constant)?);
                total = self.num_add(total, scaled);
            }
        }
        for (part, factor) in &left.parts {
            for (other, other_factor) in &right.parts {
                let monomial = self.num_monomial(*part, *other, sort);
                let scaled = self.num_scale(monomial, factor.times(*other_factor)?);
                total = self.num_add(total, scaled);
            }
        }
        Some(total)
    }

    /// A product of atoms in ascending order.
    fn num_monomial(&mut self, left: Term, right: Term, sort: Sort) -> Term {
        let mut factors = Vec::new();
        let mut open = vec![left, right];
        while let Some(term) = open.pop() {
            match *self.node(term) {
                Node::NumMul(a, b) => open.extend([a, b]),
                _ => factors.push(term),
            }
        }
        factors.sort_unstable();
        let first = factors[0];
        factors[1..].iter().fold(first, |product, &factor| self.intern(Node::NumMul(product, factor), sort))
    }

    /// Quotient of reals; zero divisors stay as they are.
    pub fn real_div(&mut self, left: Term, right: Term) -> Term {
        if let Some(inverse) = self.as_num(right).and_then(Rational::inverse) {
            return self.num_scale(left, inverse);
        }
        self.intern(Node::RealDiv(left, right), Sort::Real)
    }

    /// Integer quotient with a remainder that is not negative.
    pub fn int_div(&mut self, left: Term, right: Term) -> Term {
        self.int_quotient(left, right, true)
    }

    /// Integer remainder, never negative.
    pub fn int_mod(&mut self, left: Term, right: Term) -> Term {
        self.int_quotient(left, right, false)
    }

    fn int_quotient(&mut self, left: Term, right: Term, quotient: bool) -> Term {
        let whole = |terms: &Terms, term: Term| terms.as_num(term).and_then(Rational::as_whole);
        match (whole(self, left), whole(self, right)) {
            (Some(a), Some(b)) if b != 0 => {
                return self.int(if quotient { a.div_euclid(b) } else { a.rem_euclid(b) });
            }
            _ if self.is_plain() => {}
            (_, Some(1)) => return if quotient { left } else { self.int(0) },
            _ => {}
        }
        let node = if quotient { Node::IntDiv(left, right) } else { Node::IntMod(left, right) };
        self.intern(node, Sort::Int)
    }

    /// An integer as a real.
    pub fn to_real(&mut self, term: Term) -> Term {
        match self.as_num(term) {
            Some(value) => self.real(value),
            None => self.intern(Node::ToReal(term), Sort::Real),
        }
    }

    /// At most. Over integers the parts stand left with a positive first factor and no common one, a constant right.
    pub fn num_le(&mut self, left: Term, right: Term) -> Term {
        self.num_order(left, right, false)
    }

    /// Less than.
    pub fn num_lt(&mut self, left: Term, right: Term) -> Term {
        self.num_order(left, right, true)
    }

    fn num_order(&mut self, left: Term, right: Term, strict: bool) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "comparison of different sorts");
        let sort = self.sort(left);
        if !self.is_plain()
            && let Some(term) = self.num_order_ite(left, right, strict)
        {
            return term;
        }
        let raw = |terms: &mut Terms| {
            if sort == Sort::Int && strict {
                let turned = terms.intern(Node::NumLe(right, left), Sort::Bool);
                terms.intern(Node::Not(turned), Sort::Bool)
            } else if strict {
                terms.intern(Node::NumLt(left, right), Sort::Bool)
            } else {
                terms.intern(Node::NumLe(left, right), Sort::Bool)
            }
        };
        if self.is_plain() {
            return match self.as_num(left).zip(self.as_num(right)) {
                Some((a, b)) => self.bool(if strict { a < b } else { a <= b }),
                None => raw(self),
            };
        }
        // difference ≤ 0 or < 0, as Σ ≤ constant.
        let (minus_one, all) = (Rational::ONE.negated(), usize::MAX);
        let difference = self
            .scaled_num(left, Rational::ONE, all)
            .zip(self.scaled_num(right, minus_one, all))
            .and_then(|(left, right)| add_sums(&left, &right));
        let Some(mut sum) = difference else { return raw(self) };
        let mut bound = sum.constant.negated();
        sum.constant = Rational::ZERO;
        let Some((_, first)) = sum.parts.first().copied() else {
            return self.bool(if strict { bound > Rational::ZERO } else { bound >= Rational::ZERO });
        };
        let factor = if sort == Sort::Int {
            let common = sum
                .parts
                .iter()
                .fold(0, |divisor, (_, factor)| gcd(divisor, factor.numerator().unsigned_abs()));
            Rational::new(1, common as i128)
        } else {
            Rational::new(first.denominator(), first.numerator().abs())
        };
        let Some(factor) = factor else { return raw(self) };
        let scaled: Option<Vec<_>> =
            sum.parts.iter().map(|(part, inner)| Some((*part, inner.times(factor)?))).collect();
        let (Some(parts), Some(scaled_bound)) = (scaled, bound.times(factor)) else { return raw(self) };
        (sum.parts, bound) = (parts, scaled_bound);
        if sort == Sort::Int {
            let floor = bound.numerator().div_euclid(bound.denominator());
            let exact = bound.denominator() == 1;
            // Σ < b with whole Σ is Σ ≤ ceil(b) - 1.
            bound = Rational::whole(if strict && exact { floor - 1 } else { floor });
        }
        if first.signum() > 0 {
            let left = self.num_from_sum(sum, sort);
            let right = self.num_constant(bound, sort);
            let node = if strict && sort == Sort::Real {
                Node::NumLt(left, right)
            } else {
                Node::NumLe(left, right)
            };
            return self.intern(node, Sort::Bool);
        }
        sum.parts.iter_mut().for_each(|(_, factor)| *factor = factor.negated());
        let left = self.num_from_sum(sum, sort);
        if sort == Sort::Int {
            // -Σ ≤ b is not (Σ ≤ -b - 1).
            let right = self.int(-bound.numerator() - 1);
            let turned = self.intern(Node::NumLe(left, right), Sort::Bool);
            return self.intern(Node::Not(turned), Sort::Bool);
        }
        let right = self.num_constant(bound.negated(), sort);
        let node = if strict { Node::NumLt(right, left) } else { Node::NumLe(right, left) };
        self.intern(node, Sort::Bool)
    }

    /// A constant against an `ite` with a constant branch is decided in that branch.
    fn num_order_ite(&mut self, left: Term, right: Term, strict: bool) -> Option<Term> {
        let (condition, [a, b], [c, d]) = match (self.node(left), self.node(right)) {
            (&Node::Ite(condition, then, other), Node::Num(..)) => (condition, [then, right], [other, right]),
            (Node::Num(..), &Node::Ite(condition, then, other)) => (condition, [left, then], [left, other]),
            _ => return None,
        };
        let constant = |terms: &Terms, x: Term, y: Term| terms.is_constant(x) && terms.is_constant(y);
        if !constant(self, a, b) && !constant(self, c, d) {
            return None;
        }
        let then = self.num_order(a, b, strict);
        let other = self.num_order(c, d, strict);
        Some(self.ite(condition, then, other))
    }

    pub(crate) fn eq_num(&mut self, left: Term, right: Term) -> Term {
        if self.is_constant(right)
            && let Some(term) = self.eq_ite_constant(left, right)
        {
            return term;
        }
        let sort = self.sort(left);
        let sums = self.scaled_num(left, Rational::ONE, usize::MAX).zip(self.scaled_num(
            right,
            Rational::ONE.negated(),
            usize::MAX,
        ));
        let Some(mut sum) = sums.and_then(|(left, right)| add_sums(&left, &right)) else {
            return self.eq_raw(left, right);
        };
        let Some((_, first)) = sum.parts.first().copied() else {
            return self.bool(sum.constant.signum() == 0);
        };
        let common =
            sum.parts.iter().fold(0, |divisor, (_, factor)| gcd(divisor, factor.numerator().unsigned_abs()));
        let factor = if sort == Sort::Int { Rational::new(1, common as i128) } else { first.inverse() };
        let Some(factor) = factor
            .map(|factor| if first.signum() < 0 && sort == Sort::Int { factor.negated() } else { factor })
        else {
            return self.eq_raw(left, right);
        };
        let parts: Option<Vec<_>> =
            sum.parts.iter().map(|(part, inner)| Some((*part, inner.times(factor)?))).collect();
        let (Some(parts), Some(constant)) = (parts, sum.constant.times(factor)) else {
            return self.eq_raw(left, right);
        };
        if sort == Sort::Int && constant.as_whole().is_none() {
            return self.bool(false);
        }
        (sum.parts, sum.constant) = (parts, Rational::ZERO);
        let left = self.num_from_sum(sum, sort);
        let right = self.num_constant(constant.negated(), sort);
        self.eq_raw(left, right)
    }
}

fn add_sums(left: &NumSum, right: &NumSum) -> Option<NumSum> {
    let mut parts = Vec::with_capacity(left.parts.len() + right.parts.len());
    let (mut i, mut j) = (0, 0);
    while i < left.parts.len() || j < right.parts.len() {
        let take_left =
            j == right.parts.len() || (i < left.parts.len() && left.parts[i].0 < right.parts[j].0);
        if take_left {
            parts.push(left.parts[i]);
            i += 1;
        } else if i == left.parts.len() || right.parts[j].0 < left.parts[i].0 {
            parts.push(right.parts[j]);
            j += 1;
        } else {
            let factor = left.parts[i].1.plus(right.parts[j].1)?;
            if factor.signum() != 0 {
                parts.push((left.parts[i].0, factor));
            }
            i += 1;
            j += 1;
        }
    }
    Some(NumSum { constant: left.constant.plus(right.constant)?, parts })
}
