//! What the operators mean on values: used for folding constants and for evaluation.

use crate::node::{BvOp, BvOrder, FloatBinary, FloatOrder, FloatUnary};
use crate::sort::{Sort, mask, signed, signed_min};
use crate::terms::{CANONICAL_NAN_32, CANONICAL_NAN_64};

pub(crate) fn bv_op(op: BvOp, width: u8, left: u64, right: u64) -> u64 {
    let (left_signed, right_signed) = (signed(width, left), signed(width, right));
    let value = match op {
        BvOp::Mul => left.wrapping_mul(right),
        BvOp::Udiv => left.checked_div(right).unwrap_or(u64::MAX),
        BvOp::Urem => left.checked_rem(right).unwrap_or(left),
        BvOp::Sdiv => match right {
            0 if left_signed < 0 => 1,
            0 => u64::MAX,
            _ => left_signed.wrapping_div(right_signed) as u64,
        },
        BvOp::Srem => match right {
            0 => left,
            _ => left_signed.wrapping_rem(right_signed) as u64,
        },
        BvOp::And => left & right,
        BvOp::Or => left | right,
        BvOp::Xor => left ^ right,
        BvOp::Shl if right >= u64::from(width) => 0,
        BvOp::Shl => left << right,
        BvOp::Lshr if right >= u64::from(width) => 0,
        BvOp::Lshr => left >> right,
        BvOp::Ashr => (left_signed >> right.min(u64::from(width) - 1)) as u64,
    };
    value & mask(width)
}

pub(crate) fn bv_order(order: BvOrder, width: u8, left: u64, right: u64) -> bool {
    match order {
        BvOrder::Ult => left < right,
        BvOrder::Ule => left <= right,
        BvOrder::Slt => signed(width, left) < signed(width, right),
        BvOrder::Sle => signed(width, left) <= signed(width, right),
    }
}

pub(crate) fn sign_extend(from: u8, to: u8, value: u64) -> u64 {
    signed(from, value) as u64 & mask(to)
}

pub(crate) fn canonical(sort: Sort, bits: u64) -> u64 {
    match sort {
        Sort::F32 if f32::from_bits(bits as u32).is_nan() => u64::from(CANONICAL_NAN_32),
        Sort::F64 if f64::from_bits(bits).is_nan() => CANONICAL_NAN_64,
        _ => bits,
    }
}

pub(crate) fn float_unary(op: FloatUnary, sort: Sort, bits: u64) -> u64 {
    macro_rules! apply {
        ($value:expr) => {{
            let value = $value;
            match op {
                FloatUnary::Abs => value.abs(),
                FloatUnary::Neg => -value,
                FloatUnary::Sqrt => value.sqrt(),
                FloatUnary::Ceil => value.ceil(),
                FloatUnary::Floor => value.floor(),
                FloatUnary::Trunc => value.trunc(),
                FloatUnary::Nearest => value.round_ties_even(),
            }
        }};
    }
    canonical(
        sort,
        match sort {
            Sort::F32 => u64::from(apply!(f32::from_bits(bits as u32)).to_bits()),
            _ => apply!(f64::from_bits(bits)).to_bits(),
        },
    )
}

pub(crate) fn float_binary(op: FloatBinary, sort: Sort, left: u64, right: u64) -> u64 {
    macro_rules! apply {
        ($left:expr, $right:expr) => {
            match op {
                FloatBinary::Add => $left + $right,
                FloatBinary::Sub => $left - $right,
                FloatBinary::Mul => $left * $right,
                FloatBinary::Div => $left / $right,
            }
        };
    }
    canonical(
        sort,
        match sort {
            Sort::F32 => {
                u64::from(apply!(f32::from_bits(left as u32), f32::from_bits(right as u32)).to_bits())
            }
            _ => apply!(f64::from_bits(left), f64::from_bits(right)).to_bits(),
        },
    )
}

pub(crate) fn float_order(order: FloatOrder, sort: Sort, left: u64, right: u64) -> bool {
    // Every binary32 number is a binary64 number, and the order is the same.
    let (left, right) = (as_f64(sort, left), as_f64(sort, right));
    match order {
        FloatOrder::Eq => left == right,
        FloatOrder::Lt => left < right,
        FloatOrder::Le => left <= right,
    }
}

pub(crate) fn as_f64(sort: Sort, bits: u64) -> f64 {
    match sort {
        Sort::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

pub(crate) fn float_from_bv(is_signed: bool, sort: Sort, width: u8, value: u64) -> u64 {
    match (sort, is_signed) {
        (Sort::F32, true) => u64::from((signed(width, value) as f32).to_bits()),
        (Sort::F32, false) => u64::from((value as f32).to_bits()),
        (_, true) => (signed(width, value) as f64).to_bits(),
        (_, false) => (value as f64).to_bits(),
    }
}

/// The number rounded to zero; outside of the range it is left open by SMT-LIB, here it saturates.
pub(crate) fn float_to_bv(is_signed: bool, width: u8, sort: Sort, bits: u64) -> u64 {
    let number = as_f64(sort, bits);
    let value = if is_signed {
        let limit = signed_min(width);
        (number as i64).clamp(limit, !limit) as u64
    } else {
        (number as u64).min(mask(width))
    };
    value & mask(width)
}

pub(crate) fn float_convert(to: Sort, from: Sort, bits: u64) -> u64 {
    match (from, to) {
        (Sort::F32, Sort::F64) => canonical(to, f64::from(f32::from_bits(bits as u32)).to_bits()),
        (Sort::F64, Sort::F32) => canonical(to, u64::from((f64::from_bits(bits) as f32).to_bits())),
        _ => bits,
    }
}
