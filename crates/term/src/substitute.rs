//! Substitution: terms rebuilt, and thereby simplified, with other terms in place of some.

use rustc_hash::FxHashMap;

use crate::node::{BvSum, Node, NumSum, Term};
use crate::sort::Rational;
use crate::terms::Terms;

impl Terms {
    /// Rebuilds `root` with every term that is a key of `replacements` replaced. The map also remembers what was rebuilt,
    /// so that it can serve for further roots.
    pub fn substitute(&mut self, root: Term, replacements: &mut FxHashMap<Term, Term>) -> Term {
        let order = self.post_order(&[root], |term| replacements.contains_key(&term));
        for term in order {
            let mut changed = false;
            self.node(term).for_each_part(|part| changed |= replacements[&part] != part);
            let rebuilt = if changed { self.rebuild(term, replacements) } else { term };
            replacements.insert(term, rebuilt);
        }
        replacements[&root]
    }

    /// What a plain term is where terms are simplified as they are built. The map remembers what was built, for further roots.
    pub fn simplified(&mut self, root: Term, known: &mut FxHashMap<Term, Term>) -> Term {
        let order = self.post_order(&[root], |term| known.contains_key(&term));
        self.simplifying(|terms| {
            for term in order {
                let built = terms.rebuild(term, known);
                known.insert(term, built);
            }
        });
        known[&root]
    }

    fn rebuild(&mut self, term: Term, replacements: &FxHashMap<Term, Term>) -> Term {
        let new = |part: &Term| replacements[part];
        let sort = self.sort(term);
        match self.node(term).clone() {
            Node::Symbol(_) | Node::Bool(_) | Node::Bv(..) | Node::Num(..) | Node::Float(..) => term,
            Node::Not(part) => self.not(new(&part)),
            Node::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(new).collect();
                self.and(&parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(new).collect();
                self.or(&parts)
            }
            Node::Eq(left, right) => self.eq(new(&left), new(&right)),
            Node::Ite(condition, then, other) => self.ite(new(&condition), new(&then), new(&other)),
            Node::BvSum(sum) => self.rebuild_bv_sum(&sum, sort.width(), replacements),
            Node::BvOp(op, left, right) => self.bv_op(op, new(&left), new(&right)),
            Node::BvOrder(order, left, right) => self.bv_order(order, new(&left), new(&right)),
            Node::Extract(high, low, part) => self.extract(high, low, new(&part)),
            Node::Concat(high, low) => self.concat(new(&high), new(&low)),
            Node::ZeroExtend(width, part) => self.zero_extend(width, new(&part)),
            Node::SignExtend(width, part) => self.sign_extend(width, new(&part)),
            Node::NumSum(sum) => self.rebuild_num_sum(&sum, term, replacements),
            Node::NumMul(left, right) => self.num_mul(new(&left), new(&right)),
            Node::RealDiv(left, right) => self.real_div(new(&left), new(&right)),
            Node::IntDiv(left, right) => self.int_div(new(&left), new(&right)),
            Node::IntMod(left, right) => self.int_mod(new(&left), new(&right)),
            Node::NumLe(left, right) => self.num_le(new(&left), new(&right)),
            Node::NumLt(left, right) => self.num_lt(new(&left), new(&right)),
            Node::ToReal(part) => self.to_real(new(&part)),
            Node::FloatUnary(op, part) => self.float_unary(op, new(&part)),
            Node::FloatBinary(op, left, right) => self.float_binary(op, new(&left), new(&right)),
            Node::FloatOrder(order, left, right) => self.float_order(order, new(&left), new(&right)),
            Node::IsNan(part) => self.is_nan(new(&part)),
            Node::IsNegative(part) => self.is_negative(new(&part)),
            Node::FloatFromBits(part) => self.float_from_bits(new(&part)),
            Node::FloatToBits(part) => self.float_to_bits(new(&part)),
            Node::FloatFromBv(is_signed, to, part) => self.float_from_bv(is_signed, to, new(&part)),
            Node::FloatToBv(is_signed, width, part) => self.float_to_bv(is_signed, width, new(&part)),
            Node::FloatConvert(to, part) => self.float_convert(to, new(&part)),
            Node::ConstArray(byte) => self.const_array(new(&byte)),
            Node::Store(array, address, byte) => self.store(new(&array), new(&address), new(&byte)),
            Node::Select(array, address) => self.select(new(&array), new(&address)),
            Node::Apply(function, parts) => {
                let parts: Vec<Term> = parts.iter().map(new).collect();
                self.apply(function, &parts)
            }
        }
    }

    fn rebuild_bv_sum(&mut self, sum: &BvSum, width: u8, replacements: &FxHashMap<Term, Term>) -> Term {
        let mut total = self.bv(width, sum.constant);
        for (part, factor) in &sum.parts {
            total = self.bv_linear(total, 1, replacements[part], *factor);
        }
        total
    }

    fn rebuild_num_sum(&mut self, sum: &NumSum, term: Term, replacements: &FxHashMap<Term, Term>) -> Term {
        let sort = self.sort(term);
        let mut total = self.num_constant(sum.constant, sort);
        for (part, factor) in &sum.parts {
            let scaled = if *factor == Rational::ONE {
                replacements[part]
            } else {
                self.num_scale(replacements[part], *factor)
            };
            total = self.num_add(total, scaled);
        }
        total
    }
}
