//! Operators on terms, with the conditions under which they do not trap.

use twinrun_interp::{BinaryOp, Position, Trap, Type, UnaryOp, arith};
use twinrun_term::{BvOp, FloatBinary, FloatOrder, FloatUnary, Sort, Term};

use super::{Concolic, Value};
use crate::path::Kind;

impl Concolic {
    pub(super) fn unary_value(&mut self, at: Position, op: UnaryOp, a: Value) -> Result<Value, Trap> {
        let bits = arith::unary(op, a.bits);
        if a.term.is_none() {
            return Ok(Value::of(unary_type(op), bits?, None));
        }
        if let Some(term) = self.unary_bits(op, a) {
            return Ok(self.value(unary_type(op), bits?, term));
        }
        let term = self.term(a);
        if let Some((is_signed, width)) = truncation(op) {
            let fits = self.terms.float_fits(is_signed, width, term);
            self.guard(at, fits, bits.is_ok() || self.astray);
        }
        let result = self.unary_term(op, term);
        let result = self.on_path(result);
        let bits = if self.astray { bits.unwrap_or(0) } else { bits? };
        Ok(self.value(unary_type(op), bits, result))
    }

    /// Operators that work on the bits of a float, so that a NaN keeps its payload.
    fn unary_bits(&mut self, op: UnaryOp, a: Value) -> Option<Term> {
        use UnaryOp::*;
        let number = self.never_nan(a);
        Some(match op {
            I32ReinterpretF32 | I64ReinterpretF64 => self.bits(a),
            F32ReinterpretI32 | F64ReinterpretI64 => {
                let bits = self.bits(a);
                self.float_of_bits(bits)
            }
            F32Neg | F64Neg if !number => {
                let bits = self.bits(a);
                let negated = self.terms.bits_negated(bits);
                self.float_of_bits(negated)
            }
            F32Abs | F64Abs if !number => {
                // A canonical NaN stays the canonical one.
                if self.is_number(a) {
                    return None;
                }
                let bits = self.bits(a);
                let absolute = self.terms.bits_absolute(bits);
                self.float_of_bits(absolute)
            }
            _ => return None,
        })
    }

    /// `copysign`: a NaN among the signs has a sign too, and one among the magnitudes keeps its payload.
    fn copysign(&mut self, a: Value, b: Value) -> Term {
        let negative = if b.term.is_some_and(|term| self.terms.sort(term).is_float()) {
            let sign = self.term(b);
            self.terms.is_negative(sign)
        } else {
            let bits = self.bits(b);
            let top = self.terms.width(bits) - 1;
            let sign = self.terms.extract(top, top, bits);
            self.terms.bv_to_bool(sign)
        };
        if self.never_nan(a) {
            let number = self.term(a);
            let absolute = self.terms.float_unary(FloatUnary::Abs, number);
            let negated = self.terms.float_unary(FloatUnary::Neg, absolute);
            return self.terms.ite(negative, negated, absolute);
        }
        let bits = self.bits(a);
        let signed = self.terms.bits_with_sign(bits, negative);
        self.float_of_bits(signed)
    }

    /// Records on which side of a trap's condition this path is.
    pub(super) fn guard(&mut self, at: Position, safe: Term, is_safe: bool) {
        let condition = if is_safe { safe } else { self.terms.not(safe) };
        self.assume(at, condition, Kind::Guard);
    }

    pub(super) fn binary_value(
        &mut self,
        at: Position,
        op: BinaryOp,
        a: Value,
        b: Value,
    ) -> Result<Value, Trap> {
        let bits = arith::binary(op, a.bits, b.bits);
        if a.term.is_none() && b.term.is_none() {
            return Ok(Value::of(binary_type(op, a.ty), bits?, None));
        }
        if self.run.is_some() && !self.astray && wraps(op, a.bits, b.bits) && !self.wraps.contains(&at) {
            self.wraps.push(at);
        }
        if matches!(op, BinaryOp::F32Copysign | BinaryOp::F64Copysign) {
            let result = self.copysign(a, b);
            return Ok(self.value(a.ty, bits?, result));
        }
        let (left, right) = (self.term(a), self.term(b));
        if let Some(is_signed) = division(op) {
            let width = self.terms.width(left);
            let zero = self.terms.bv(width, 0);
            let divisible = self.terms.ne(right, zero);
            self.guard(at, divisible, bits != Err(Trap::DivisionByZero) || self.astray);
            if is_signed
                && (bits != Err(Trap::DivisionByZero) || self.astray)
                && matches!(op, BinaryOp::I32DivS | BinaryOp::I64DivS)
            {
                let (least, minus_one) =
                    (self.terms.bv(width, 1 << (width - 1)), self.terms.bv(width, u64::MAX));
                let (lowest, negating) = (self.terms.eq(left, least), self.terms.eq(right, minus_one));
                let overflows = self.terms.and2(lowest, negating);
                let safe = self.terms.not(overflows);
                self.guard(at, safe, bits.is_ok() || self.astray);
            }
        }
        let bits = if self.astray { bits.unwrap_or(0) } else { bits? };
        let result = self.binary_term(op, left, right);
        let result = self.on_path(result);
        Ok(self.value(binary_type(op, a.ty), bits, result))
    }

    fn flag(&mut self, condition: Term) -> Term {
        self.terms.bool_to_bv(condition, 32)
    }

    fn binary_term(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        use BinaryOp::*;
        let terms = &mut self.terms;
        let comparison = match op {
            I32Eq | I64Eq => terms.eq(a, b),
            I32Ne | I64Ne => terms.ne(a, b),
            I32LtS | I64LtS => terms.slt(a, b),
            I32LtU | I64LtU => terms.ult(a, b),
            I32GtS | I64GtS => terms.slt(b, a),
            I32GtU | I64GtU => terms.ult(b, a),
            I32LeS | I64LeS => terms.sle(a, b),
            I32LeU | I64LeU => terms.ule(a, b),
            I32GeS | I64GeS => terms.sle(b, a),
            I32GeU | I64GeU => terms.ule(b, a),
            F32Eq | F64Eq => terms.float_eq(a, b),
            F32Ne | F64Ne => {
                let equal = terms.float_eq(a, b);
                terms.not(equal)
            }
            F32Lt | F64Lt => terms.float_order(FloatOrder::Lt, a, b),
            F32Gt | F64Gt => terms.float_order(FloatOrder::Lt, b, a),
            F32Le | F64Le => terms.float_order(FloatOrder::Le, a, b),
            F32Ge | F64Ge => terms.float_order(FloatOrder::Le, b, a),
            I32Add | I64Add => return terms.bv_add(a, b),
            I32Sub | I64Sub => return terms.bv_sub(a, b),
            I32Mul | I64Mul => return terms.bv_mul(a, b),
            I32DivS | I64DivS => return terms.bv_op(BvOp::Sdiv, a, b),
            I32DivU | I64DivU => return terms.bv_op(BvOp::Udiv, a, b),
            I32RemS | I64RemS => return terms.bv_op(BvOp::Srem, a, b),
            I32RemU | I64RemU => return terms.bv_op(BvOp::Urem, a, b),
            I32And | I64And => return terms.bv_op(BvOp::And, a, b),
            I32Or | I64Or => return terms.bv_op(BvOp::Or, a, b),
            I32Xor | I64Xor => return terms.bv_op(BvOp::Xor, a, b),
            I32Shl | I64Shl => return self.shift(BvOp::Shl, a, b),
            I32ShrS | I64ShrS => return self.shift(BvOp::Ashr, a, b),
            I32ShrU | I64ShrU => return self.shift(BvOp::Lshr, a, b),
            I32Rotl | I64Rotl => return self.rotate(a, b, true),
            I32Rotr | I64Rotr => return self.rotate(a, b, false),
            F32Add | F64Add => return terms.float_binary(FloatBinary::Add, a, b),
            F32Sub | F64Sub => return terms.float_binary(FloatBinary::Sub, a, b),
            F32Mul | F64Mul => return terms.float_binary(FloatBinary::Mul, a, b),
            F32Div | F64Div => return terms.float_binary(FloatBinary::Div, a, b),
            F32Min | F64Min => return terms.float_min(a, b),
            F32Max | F64Max => return terms.float_max(a, b),
            F32Copysign | F64Copysign => unreachable!("works on bits"),
        };
        self.flag(comparison)
    }

    /// WebAssembly takes the distance modulo the width.
    fn shift(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let distance = self.distance(b);
        self.terms.bv_op(op, a, distance)
    }

    fn distance(&mut self, b: Term) -> Term {
        let width = self.terms.width(b);
        let cut = self.terms.bv(width, u64::from(width) - 1);
        self.terms.bv_op(BvOp::And, b, cut)
    }

    fn rotate(&mut self, a: Term, b: Term, left: bool) -> Term {
        let width = self.terms.width(a);
        let distance = self.distance(b);
        let negative = self.terms.bv_neg(b);
        let rest = self.distance(negative);
        let (up, down) = if left { (distance, rest) } else { (rest, distance) };
        let high = self.terms.bv_op(BvOp::Shl, a, up);
        let low = self.terms.bv_op(BvOp::Lshr, a, down);
        if self.terms.as_bv(distance) == Some(0) {
            return a;
        }
        debug_assert_eq!(self.terms.width(high), width);
        self.terms.bv_op(BvOp::Or, high, low)
    }

    fn unary_term(&mut self, op: UnaryOp, a: Term) -> Term {
        use UnaryOp::*;
        let terms = &mut self.terms;
        let float = |terms: &mut twinrun_term::Terms, op| terms.float_unary(op, a);
        match op {
            I32Eqz | I64Eqz => {
                let holds = terms.bv_to_bool(a);
                let zero = terms.not(holds);
                self.flag(zero)
            }
            I32Clz | I64Clz => self.count_zeros(a, true),
            I32Ctz | I64Ctz => self.count_zeros(a, false),
            I32Popcnt | I64Popcnt => {
                let width = terms.width(a);
                let mut sum = terms.bv(width, 0);
                for bit in 0..width {
                    let bit = terms.extract(bit, bit, a);
                    let bit = terms.zero_extend(width, bit);
                    sum = terms.bv_add(sum, bit);
                }
                sum
            }
            F32Abs | F64Abs => float(terms, FloatUnary::Abs),
            F32Neg | F64Neg => float(terms, FloatUnary::Neg),
            F32Ceil | F64Ceil => float(terms, FloatUnary::Ceil),
            F32Floor | F64Floor => float(terms, FloatUnary::Floor),
            F32Trunc | F64Trunc => float(terms, FloatUnary::Trunc),
            F32Nearest | F64Nearest => float(terms, FloatUnary::Nearest),
            F32Sqrt | F64Sqrt => float(terms, FloatUnary::Sqrt),
            I32WrapI64 => terms.extract(31, 0, a),
            I64ExtendI32S => terms.sign_extend(64, a),
            I64ExtendI32U => terms.zero_extend(64, a),
            I32Extend8S => self.extend_low(a, 8),
            I32Extend16S => self.extend_low(a, 16),
            I64Extend8S => self.extend_low(a, 8),
            I64Extend16S => self.extend_low(a, 16),
            I64Extend32S => self.extend_low(a, 32),
            F32ConvertI32S | F32ConvertI64S => terms.float_from_bv(true, Sort::F32, a),
            F32ConvertI32U | F32ConvertI64U => terms.float_from_bv(false, Sort::F32, a),
            F64ConvertI32S | F64ConvertI64S => terms.float_from_bv(true, Sort::F64, a),
            F64ConvertI32U | F64ConvertI64U => terms.float_from_bv(false, Sort::F64, a),
            F32DemoteF64 => terms.float_convert(Sort::F32, a),
            F64PromoteF32 => terms.float_convert(Sort::F64, a),
            I32ReinterpretF32 | I64ReinterpretF64 | F32ReinterpretI32 | F64ReinterpretI64 => {
                unreachable!("works on bits")
            }
            I32TruncF32S | I32TruncF64S => terms.float_to_bv(true, 32, a),
            I32TruncF32U | I32TruncF64U => terms.float_to_bv(false, 32, a),
            I64TruncF32S | I64TruncF64S => terms.float_to_bv(true, 64, a),
            I64TruncF32U | I64TruncF64U => terms.float_to_bv(false, 64, a),
            I32TruncSatF32S | I32TruncSatF64S => self.saturating(a, true, 32),
            I32TruncSatF32U | I32TruncSatF64U => self.saturating(a, false, 32),
            I64TruncSatF32S | I64TruncSatF64S => self.saturating(a, true, 64),
            I64TruncSatF32U | I64TruncSatF64U => self.saturating(a, false, 64),
        }
    }

    fn extend_low(&mut self, a: Term, bits: u8) -> Term {
        let width = self.terms.width(a);
        let low = self.terms.extract(bits - 1, 0, a);
        self.terms.sign_extend(width, low)
    }

    /// Zeros above the highest one, or below the lowest.
    fn count_zeros(&mut self, a: Term, leading: bool) -> Term {
        let terms = &mut self.terms;
        let width = terms.width(a);
        let mut result = terms.bv(width, u64::from(width));
        let one = terms.bv(1, 1);
        // The bit that decides comes last, so that it is asked first.
        for distance in (0..width).rev() {
            let position = if leading { width - 1 - distance } else { distance };
            let bit = terms.extract(position, position, a);
            let set = terms.eq(bit, one);
            let count = terms.bv(width, u64::from(distance));
            result = terms.ite(set, count, result);
        }
        result
    }

    fn saturating(&mut self, a: Term, is_signed: bool, width: u8) -> Term {
        let terms = &mut self.terms;
        let number = terms.float_to_bv(is_signed, width, a);
        let fits = terms.float_fits(is_signed, width, a);
        let nan = terms.is_nan(a);
        let negative = terms.is_negative(a);
        let (least, greatest) =
            if is_signed { (1 << (width - 1), (1 << (width - 1)) - 1) } else { (0, u64::MAX) };
        let (least, greatest, zero) = (terms.bv(width, least), terms.bv(width, greatest), terms.bv(width, 0));
        let beyond = terms.ite(negative, least, greatest);
        let number = terms.ite(fits, number, beyond);
        terms.ite(nan, zero, number)
    }
}

/// For the truncations that trap: whether signed, and the width.
fn truncation(op: UnaryOp) -> Option<(bool, u8)> {
    use UnaryOp::*;
    match op {
        I32TruncF32S | I32TruncF64S => Some((true, 32)),
        I32TruncF32U | I32TruncF64U => Some((false, 32)),
        I64TruncF32S | I64TruncF64S => Some((true, 64)),
        I64TruncF32U | I64TruncF64U => Some((false, 64)),
        _ => None,
    }
}

/// Whether a result has no place among the signed numbers of its width.
fn wraps(op: BinaryOp, a: u64, b: u64) -> bool {
    let (x, y) = (a as u32 as i32, b as u32 as i32);
    let (v, w) = (a as i64, b as i64);
    match op {
        BinaryOp::I32Add => x.checked_add(y).is_none(),
        BinaryOp::I32Sub => x.checked_sub(y).is_none(),
        BinaryOp::I32Mul => x.checked_mul(y).is_none(),
        BinaryOp::I64Add => v.checked_add(w).is_none(),
        BinaryOp::I64Sub => v.checked_sub(w).is_none(),
        BinaryOp::I64Mul => v.checked_mul(w).is_none(),
        _ => false,
    }
}

/// For divisions and remainders: whether they are signed.
fn division(op: BinaryOp) -> Option<bool> {
    use BinaryOp::*;
    match op {
        I32DivS | I64DivS | I32RemS | I64RemS => Some(true),
        I32DivU | I64DivU | I32RemU | I64RemU => Some(false),
        _ => None,
    }
}

fn binary_type(op: BinaryOp, operand: Type) -> Type {
    use BinaryOp::*;
    let compares = op.compares_integers()
        || matches!(
            op,
            F32Eq | F32Ne | F32Lt | F32Gt | F32Le | F32Ge | F64Eq | F64Ne | F64Lt | F64Gt | F64Le | F64Ge
        );
    if compares { Type::I32 } else { operand }
}

fn unary_type(op: UnaryOp) -> Type {
    use UnaryOp::*;
    match op {
        I32Eqz | I64Eqz | I32Clz | I32Ctz | I32Popcnt | I32WrapI64 | I32TruncF32S | I32TruncF32U
        | I32TruncF64S | I32TruncF64U | I32ReinterpretF32 | I32Extend8S | I32Extend16S | I32TruncSatF32S
        | I32TruncSatF32U | I32TruncSatF64S | I32TruncSatF64U => Type::I32,
        F32Abs | F32Neg | F32Ceil | F32Floor | F32Trunc | F32Nearest | F32Sqrt | F32ConvertI32S
        | F32ConvertI32U | F32ConvertI64S | F32ConvertI64U | F32DemoteF64 | F32ReinterpretI32 => Type::F32,
        F64Abs | F64Neg | F64Ceil | F64Floor | F64Trunc | F64Nearest | F64Sqrt | F64ConvertI32S
        | F64ConvertI32U | F64ConvertI64S | F64ConvertI64U | F64PromoteF32 | F64ReinterpretI64 => Type::F64,
        _ => Type::I64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_types_are_those_of_the_interpreter() {
        for &op in UnaryOp::ALL {
            assert_eq!(unary_type(op), op.types().1, "{op:?}");
        }
        for &op in BinaryOp::ALL {
            let (operand, result) = op.types();
            assert_eq!(binary_type(op, operand), result, "{op:?}");
        }
    }
}
