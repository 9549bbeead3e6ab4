//! What the operators mean on concrete values.
//!
//! A value is 64 bits: an i32 or f32 in the low half with zeros above, floats by their bits. NaNs that arithmetic makes are canonical, so that
//! both engines agree to the bit.

use crate::ops::{BinaryOp, UnaryOp};
use crate::trap::Trap;

#[inline(always)]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
fn of_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

#[inline(always)]
fn of_f64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

macro_rules! minimum {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() || b.is_nan() {
            a + b
        } else if a == b {
            // Zeros: the negative one wins.
            if a.is_sign_negative() { a } else { b }
        } else if a < b {
            a
        } else {
            b
        }
    }};
}

macro_rules! maximum {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() || b.is_nan() {
            a + b
        } else if a == b {
            if a.is_sign_negative() { b } else { a }
        } else if a > b {
            a
        } else {
            b
        }
    }};
}

/// An operator of two operands.
#[inline(always)]
pub fn binary(op: BinaryOp, a: u64, b: u64) -> Result<u64, Trap> {
    use BinaryOp as B;
    let (ua, ub) = (a as u32, b as u32);
    let (ia, ib) = (ua as i32, ub as i32);
    let (la, lb) = (a as i64, b as i64);
    Ok(match op {
        B::I32Eq => u64::from(ua == ub),
        B::I32Ne => u64::from(ua != ub),
        B::I32LtS => u64::from(ia < ib),
        B::I32LtU => u64::from(ua < ub),
        B::I32GtS => u64::from(ia > ib),
        B::I32GtU => u64::from(ua > ub),
        B::I32LeS => u64::from(ia <= ib),
        B::I32LeU => u64::from(ua <= ub),
        B::I32GeS => u64::from(ia >= ib),
        B::I32GeU => u64::from(ua >= ub),
        B::I64Eq => u64::from(a == b),
        B::I64Ne => u64::from(a != b),
        B::I64LtS => u64::from(la < lb),
        B::I64LtU => u64::from(a < b),
        B::I64GtS => u64::from(la > lb),
        B::I64GtU => u64::from(a > b),
        B::I64LeS => u64::from(la <= lb),
        B::I64LeU => u64::from(a <= b),
        B::I64GeS => u64::from(la >= lb),
        B::I64GeU => u64::from(a >= b),
        B::I32Add => u64::from(ua.wrapping_add(ub)),
        B::I32Sub => u64::from(ua.wrapping_sub(ub)),
        B::I32Mul => u64::from(ua.wrapping_mul(ub)),
        B::I32DivS => match ib {
            0 => return Err(Trap::DivisionByZero),
            _ => u64::from(ia.checked_div(ib).ok_or(Trap::IntegerOverflow)? as u32),
        },
        B::I32DivU => u64::from(ua.checked_div(ub).ok_or(Trap::DivisionByZero)?),
        B::I32RemS => match ib {
            0 => return Err(Trap::DivisionByZero),
            _ => u64::from(ia.wrapping_rem(ib) as u32),
        },
        B::I32RemU => u64::from(ua.checked_rem(ub).ok_or(Trap::DivisionByZero)?),
        B::I32And => u64::from(ua & ub),
        B::I32Or => u64::from(ua | ub),
        B::I32Xor => u64::from(ua ^ ub),
        B::I32Shl => u64::from(ua.wrapping_shl(ub)),
        B::I32ShrS => u64::from(ia.wrapping_shr(ub) as u32),
        B::I32ShrU => u64::from(ua.wrapping_shr(ub)),
        B::I32Rotl => u64::from(ua.rotate_left(ub & 31)),
        B::I32Rotr => u64::from(ua.rotate_right(ub & 31)),
        B::I64Add => a.wrapping_add(b),
        B::I64Sub => a.wrapping_sub(b),
        B::I64Mul => a.wrapping_mul(b),
        B::I64DivS => match lb {
            0 => return Err(Trap::DivisionByZero),
            _ => la.checked_div(lb).ok_or(Trap::IntegerOverflow)? as u64,
        },
        B::I64DivU => a.checked_div(b).ok_or(Trap::DivisionByZero)?,
        B::I64RemS => match lb {
            0 => return Err(Trap::DivisionByZero),
            _ => la.wrapping_rem(lb) as u64,
        },
        B::I64RemU => a.checked_rem(b).ok_or(Trap::DivisionByZero)?,
        B::I64And => a & b,
        B::I64Or => a | b,
        B::I64Xor => a ^ b,
        B::I64Shl => a.wrapping_shl(ub),
        B::I64ShrS => la.wrapping_shr(ub) as u64,
        B::I64ShrU => a.wrapping_shr(ub),
        B::I64Rotl => a.rotate_left(ub & 63),
        B::I64Rotr => a.rotate_right(ub & 63),
        B::F32Eq => u64::from(f32_of(a) == f32_of(b)),
        B::F32Ne => u64::from(f32_of(a) != f32_of(b)),
        B::F32Lt => u64::from(f32_of(a) < f32_of(b)),
        B::F32Gt => u64::from(f32_of(a) > f32_of(b)),
        B::F32Le => u64::from(f32_of(a) <= f32_of(b)),
        B::F32Ge => u64::from(f32_of(a) >= f32_of(b)),
        B::F64Eq => u64::from(f64_of(a) == f64_of(b)),
        B::F64Ne => u64::from(f64_of(a) != f64_of(b)),
        B::F64Lt => u64::from(f64_of(a) < f64_of(b)),
        B::F64Gt => u64::from(f64_of(a) > f64_of(b)),
        B::F64Le => u64::from(f64_of(a) <= f64_of(b)),
        B::F64Ge => u64::from(f64_of(a) >= f64_of(b)),
        B::F32Add => of_f32(f32_of(a) + f32_of(b)),
        B::F32Sub => of_f32(f32_of(a) - f32_of(b)),
        B::F32Mul => of_f32(f32_of(a) * f32_of(b)),
        B::F32Div => of_f32(f32_of(a) / f32_of(b)),
        B::F32Min => of_f32(minimum!(f32_of(a), f32_of(b))),
        B::F32Max => of_f32(maximum!(f32_of(a), f32_of(b))),
        B::F32Copysign => u64::from((ua & 0x7fff_ffff) | (ub & 0x8000_0000)),
        B::F64Add => of_f64(f64_of(a) + f64_of(b)),
        B::F64Sub => of_f64(f64_of(a) - f64_of(b)),
        B::F64Mul => of_f64(f64_of(a) * f64_of(b)),
        B::F64Div => of_f64(f64_of(a) / f64_of(b)),
        B::F64Min => of_f64(minimum!(f64_of(a), f64_of(b))),
        B::F64Max => of_f64(maximum!(f64_of(a), f64_of(b))),
        B::F64Copysign => (a & (u64::MAX >> 1)) | (b & (1 << 63)),
    })
}

/// Checks that a float lies strictly between the bounds, then converts it.
macro_rules! truncate {
    ($value:expr, $low:expr, $high:expr, $to:ty) => {{
        let value = $value;
        if value.is_nan() {
            return Err(Trap::BadConversion);
        }
        if !(value > $low && value < $high) {
            return Err(Trap::IntegerOverflow);
        }
        value as $to
    }};
}

/// An operator of one operand.
#[inline(always)]
pub fn unary(op: UnaryOp, a: u64) -> Result<u64, Trap> {
    use UnaryOp as U;
    let ua = a as u32;
    let ia = ua as i32;
    let la = a as i64;
    Ok(match op {
        U::I32Eqz => u64::from(ua == 0),
        U::I64Eqz => u64::from(a == 0),
        U::I32Clz => u64::from(ua.leading_zeros()),
        U::I32Ctz => u64::from(ua.trailing_zeros()),
        U::I32Popcnt => u64::from(ua.count_ones()),
        U::I64Clz => u64::from(a.leading_zeros()),
        U::I64Ctz => u64::from(a.trailing_zeros()),
        U::I64Popcnt => u64::from(a.count_ones()),
        U::F32Abs => u64::from(ua & 0x7fff_ffff),
        U::F32Neg => u64::from(ua ^ 0x8000_0000),
        U::F32Ceil => of_f32(f32_of(a).ceil()),
        U::F32Floor => of_f32(f32_of(a).floor()),
        U::F32Trunc => of_f32(f32_of(a).trunc()),
        U::F32Nearest => of_f32(f32_of(a).round_ties_even()),
        U::F32Sqrt => of_f32(f32_of(a).sqrt()),
        U::F64Abs => a & (u64::MAX >> 1),
        U::F64Neg => a ^ (1 << 63),
        U::F64Ceil => of_f64(f64_of(a).ceil()),
        U::F64Floor => of_f64(f64_of(a).floor()),
        U::F64Trunc => of_f64(f64_of(a).trunc()),
        U::F64Nearest => of_f64(f64_of(a).round_ties_even()),
        U::F64Sqrt => of_f64(f64_of(a).sqrt()),
        U::I32WrapI64 => u64::from(ua),
        U::I32TruncF32S => u64::from(truncate!(f32_of(a), -2_147_483_904.0, 2_147_483_648.0, i32) as u32),
        U::I32TruncF32U => u64::from(truncate!(f32_of(a), -1.0, 4_294_967_296.0, u32)),
        U::I32TruncF64S => u64::from(truncate!(f64_of(a), -2_147_483_649.0, 2_147_483_648.0, i32) as u32),
        U::I32TruncF64U => u64::from(truncate!(f64_of(a), -1.0, 4_294_967_296.0, u32)),
        U::I64ExtendI32S => i64::from(ia) as u64,
        U::I64ExtendI32U => u64::from(ua),
        U::I64TruncF32S => {
            truncate!(f32_of(a), -9_223_373_136_366_403_584.0, 9_223_372_036_854_775_808.0, i64) as u64
        }
        U::I64TruncF32U => truncate!(f32_of(a), -1.0, 18_446_744_073_709_551_616.0, u64),
        U::I64TruncF64S => {
            truncate!(f64_of(a), -9_223_372_036_854_777_856.0, 9_223_372_036_854_775_808.0, i64) as u64
        }
        U::I64TruncF64U => truncate!(f64_of(a), -1.0, 18_446_744_073_709_551_616.0, u64),
        U::F32ConvertI32S => of_f32(ia as f32),
        U::F32ConvertI32U => of_f32(ua as f32),
        U::F32ConvertI64S => of_f32(la as f32),
        U::F32ConvertI64U => of_f32(a as f32),
        U::F32DemoteF64 => of_f32(f64_of(a) as f32),
        U::F64ConvertI32S => of_f64(f64::from(ia)),
        U::F64ConvertI32U => of_f64(f64::from(ua)),
        U::F64ConvertI64S => of_f64(la as f64),
        U::F64ConvertI64U => of_f64(a as f64),
        U::F64PromoteF32 => of_f64(f64::from(f32_of(a))),
        U::I32ReinterpretF32 | U::I64ReinterpretF64 | U::F32ReinterpretI32 | U::F64ReinterpretI64 => a,
        U::I32Extend8S => u64::from(i32::from(ua as i8) as u32),
        U::I32Extend16S => u64::from(i32::from(ua as i16) as u32),
        U::I64Extend8S => i64::from(a as i8) as u64,
        U::I64Extend16S => i64::from(a as i16) as u64,
        U::I64Extend32S => i64::from(ia) as u64,
        U::I32TruncSatF32S => u64::from(f32_of(a) as i32 as u32),
        U::I32TruncSatF32U => u64::from(f32_of(a) as u32),
        U::I32TruncSatF64S => u64::from(f64_of(a) as i32 as u32),
        U::I32TruncSatF64U => u64::from(f64_of(a) as u32),
        U::I64TruncSatF32S => f32_of(a) as i64 as u64,
        U::I64TruncSatF32U => f32_of(a) as u64,
        U::I64TruncSatF64S => f64_of(a) as i64 as u64,
        U::I64TruncSatF64U => f64_of(a) as u64,
    })
}
