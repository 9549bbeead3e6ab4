//! Assumptions and checks as conditions on the inputs.

use twinrun_base::{Operator, Verdict};
use twinrun_interp::{Host, Trap};
use twinrun_term::{FloatBinary, FloatOrder, FloatUnary, Term};

use super::Primitives;
use crate::domain::Concolic;
use crate::path::{Checked, Kind};

impl Primitives {
    pub(super) fn assume(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let value = host.argument(0);
        let holds = value.bits as u32 != 0;
        if let Some(term) = value.term {
            let condition = host.domain.terms.bv_to_bool(term);
            self.state(host, condition, holds, Kind::Assume);
        }
        if holds {
            return Ok(());
        }
        self.verdict = Some(Verdict::Discarded);
        Err(Trap::Host)
    }

    pub(super) fn check(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let value = host.argument(0);
        let term = host.domain.term(value);
        let property = host.domain.terms.bv_to_bool(term);
        self.checked(host, Operator::True, (property, None), value.bits as u32 != 0, 1)
    }

    pub(super) fn check_int(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let operator = self.operator(host)?;
        let unsigned = self.fixed(host, 1)? as u32 != 0;
        let (left, right) = (host.argument(2), host.argument(3));
        let order =
            if unsigned { left.bits.cmp(&right.bits) } else { (left.bits as i64).cmp(&(right.bits as i64)) };
        let (a, b) = (host.domain.term(left), host.domain.term(right));
        let terms = &mut host.domain.terms;
        let (property, holds) = match operator {
            Operator::True => (terms.bv_to_bool(a), left.bits != 0),
            Operator::Eq | Operator::Near => (terms.eq(a, b), order.is_eq()),
            Operator::Ne => (terms.ne(a, b), order.is_ne()),
            Operator::Le if unsigned => (terms.ule(a, b), order.is_le()),
            Operator::Le => (terms.sle(a, b), order.is_le()),
            Operator::Lt if unsigned => (terms.ult(a, b), order.is_lt()),
            Operator::Lt => (terms.slt(a, b), order.is_lt()),
            Operator::Ge if unsigned => (terms.ule(b, a), order.is_ge()),
            Operator::Ge => (terms.sle(b, a), order.is_ge()),
            Operator::Gt if unsigned => (terms.ult(b, a), order.is_gt()),
            Operator::Gt => (terms.slt(b, a), order.is_gt()),
        };
        self.checked(host, operator, (property, Some((a, b))), holds, 4)
    }

    pub(super) fn check_float(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let operator = self.operator(host)?;
        let (left, right, tolerance) = (host.argument(1), host.argument(2), host.argument(3));
        let number = |bits: u64| f64::from_bits(bits);
        let (x, y) = (number(left.bits), number(right.bits));
        let (a, b) = (host.domain.term(left), host.domain.term(right));
        let limit = host.domain.term(tolerance);
        let terms = &mut host.domain.terms;
        let (property, holds) = match operator {
            Operator::True => {
                let zero = terms.f64(0.0);
                let equal = terms.float_eq(a, zero);
                (terms.not(equal), x != 0.0)
            }
            Operator::Eq => (terms.float_eq(a, b), x == y),
            Operator::Ne => {
                let equal = terms.float_eq(a, b);
                (terms.not(equal), x != y)
            }
            Operator::Le => (terms.float_order(FloatOrder::Le, a, b), x <= y),
            Operator::Lt => (terms.float_order(FloatOrder::Lt, a, b), x < y),
            Operator::Ge => (terms.float_order(FloatOrder::Le, b, a), x >= y),
            Operator::Gt => (terms.float_order(FloatOrder::Lt, b, a), x > y),
            Operator::Near => {
                // Equal infinities are near each other, though their difference is a NaN.
                let equal = terms.float_eq(a, b);
                let difference = terms.float_binary(FloatBinary::Sub, a, b);
                let distance = terms.float_unary(FloatUnary::Abs, difference);
                let within = terms.float_order(FloatOrder::Le, distance, limit);
                (terms.or2(equal, within), x == y || (x - y).abs() <= number(tolerance.bits))
            }
        };
        self.checked(host, operator, (property, Some((a, b))), holds, 4)
    }

    pub(super) fn check_bytes(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let (left, left_length) = (self.fixed(host, 0)? as u32, self.fixed(host, 1)? as u32);
        let (right, right_length) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32);
        let (a, b) = (host.read(left, left_length)?, host.read(right, right_length)?);
        let holds = a == b;
        if left_length != right_length {
            let never = host.domain.terms.bool(false);
            return self.checked(host, Operator::Eq, (never, None), false, 4);
        }
        let mut equal = Vec::new();
        for index in 0..a.len() {
            let memory = host.memory()?;
            let (x, y) = (
                memory.shadow.get(u64::from(left) + index as u64),
                memory.shadow.get(u64::from(right) + index as u64),
            );
            if x == y && a[index] == b[index] {
                continue;
            }
            let (x, y) = (host.domain.byte_term(x, a[index]), host.domain.byte_term(y, b[index]));
            equal.push(host.domain.terms.eq(x, y));
        }
        let property = host.domain.terms.and(&equal);
        self.checked(host, Operator::Eq, (property, None), holds, 4)
    }

    fn operator(&mut self, host: &mut Host<'_, Concolic>) -> Result<Operator, Trap> {
        let code = self.fixed(host, 0)? as u32;
        Operator::from_code(code)
            .ok_or_else(|| self.fail(format!("the operator {code} of a check is unknown")))
    }

    /// Records a check whose source text starts at argument `text`; a failed one ends the relation.
    fn checked(
        &mut self,
        host: &mut Host<'_, Concolic>,
        operator: Operator,
        (property, sides): (Term, Option<(Term, Term)>),
        held: bool,
        text: usize,
    ) -> Result<(), Trap> {
        let line = self.fixed(host, text + 2)? as u32;
        let text = self.name(host, text)?;
        self.state(host, property, held, Kind::Check);
        self.checks.push(Checked { operator, property, sides, text, line, held });
        if held {
            return Ok(());
        }
        self.verdict = Some(Verdict::Violated);
        Err(Trap::Host)
    }
}
