//! Which bits of a result depend on undefined bits of the operands, bit by bit as in Memcheck (Seward and Nethercote, "Using Valgrind to detect undefined
//! value errors with bit-precision", USENIX 2005): masks, shifts and extensions exactly, sums and comparisons by their least and greatest value, the rest as a whole.

use crate::ops::{BinaryOp, UnaryOp};

/// A word with its undefined bits; an i32 or f32 stands in the low half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The bits; those that are undefined are whatever they are.
    pub bits: u64,
    /// The undefined bits.
    pub undefined: u64,
}

impl Word {
    fn least(self) -> u64 {
        self.bits & !self.undefined
    }

    fn greatest(self) -> u64 {
        self.bits | self.undefined
    }

    /// Whether it is not known to be zero or not: undefined, and no defined bit is set.
    pub fn may_be_zero_or_not(self) -> bool {
        self.undefined != 0 && self.least() == 0
    }
}

const LOW: u64 = 0xffff_ffff;

/// All bits of a width.
fn all(wide: bool) -> u64 {
    if wide { u64::MAX } else { LOW }
}

/// From the lowest undefined bit on, everything.
fn upwards(undefined: u64) -> u64 {
    undefined | undefined.wrapping_neg()
}

fn any(undefined: u64, mask: u64) -> u64 {
    if undefined == 0 { 0 } else { mask }
}

/// The undefined bits of a result of two operands.
pub fn binary(op: BinaryOp, a: Word, b: Word) -> u64 {
    use BinaryOp as B;
    let both = a.undefined | b.undefined;
    if both == 0 {
        return 0;
    }
    let name_is_wide = is_wide(op);
    let mask = all(name_is_wide);
    let result = match op {
        B::I32And | B::I64And => a.undefined & b.greatest() | b.undefined & a.greatest(),
        B::I32Or | B::I64Or => a.undefined & !b.least() | b.undefined & !a.least(),
        B::I32Xor | B::I64Xor => both,
        B::I32Add | B::I64Add => {
            both | (a.least().wrapping_add(b.least()) ^ a.greatest().wrapping_add(b.greatest()))
        }
        B::I32Sub | B::I64Sub => {
            both | (a.least().wrapping_sub(b.greatest()) ^ a.greatest().wrapping_sub(b.least()))
        }
        B::I32Mul | B::I64Mul => {
            let zero = |word: Word| word.greatest() == 0;
            if zero(a) || zero(b) { 0 } else { upwards(both) }
        }
        B::I32Shl | B::I32ShrS | B::I32ShrU | B::I32Rotl | B::I32Rotr => {
            let distance = b.bits as u32 & 31;
            let moved = a.undefined as u32;
            match op {
                _ if b.undefined & 31 != 0 => LOW,
                B::I32Shl => u64::from(moved << distance),
                B::I32ShrS => u64::from((moved.cast_signed() >> distance).cast_unsigned()),
                B::I32ShrU => u64::from(moved >> distance),
                B::I32Rotl => u64::from(moved.rotate_left(distance)),
                _ => u64::from(moved.rotate_right(distance)),
            }
        }
        B::I64Shl | B::I64ShrS | B::I64ShrU | B::I64Rotl | B::I64Rotr => {
            let distance = b.bits as u32 & 63;
            let moved = a.undefined;
            match op {
                _ if b.undefined & 63 != 0 => u64::MAX,
                B::I64Shl => moved << distance,
                B::I64ShrS => (moved.cast_signed() >> distance).cast_unsigned(),
                B::I64ShrU => moved >> distance,
                B::I64Rotl => moved.rotate_left(distance),
                _ => moved.rotate_right(distance),
            }
        }
        B::I32Eq | B::I32Ne | B::I64Eq | B::I64Ne => return u64::from((a.bits ^ b.bits) & !both == 0),
        B::I32LtU | B::I32GeU | B::I64LtU | B::I64GeU => return u64::from(!ordered(a, b)),
        B::I32GtU | B::I32LeU | B::I64GtU | B::I64LeU => return u64::from(!ordered(b, a)),
        B::I32LtS | B::I32GeS => return u64::from(!ordered(shifted(a, 31), shifted(b, 31))),
        B::I32GtS | B::I32LeS => return u64::from(!ordered(shifted(b, 31), shifted(a, 31))),
        B::I64LtS | B::I64GeS => return u64::from(!ordered(shifted(a, 63), shifted(b, 63))),
        B::I64GtS | B::I64LeS => return u64::from(!ordered(shifted(b, 63), shifted(a, 63))),
        B::F32Copysign => a.undefined & (LOW >> 1) | b.undefined & (1 << 31),
        B::F64Copysign => a.undefined & (u64::MAX >> 1) | b.undefined & (1 << 63),
        B::F32Eq | B::F32Ne | B::F32Lt | B::F32Gt | B::F32Le | B::F32Ge => 1,
        B::F64Eq | B::F64Ne | B::F64Lt | B::F64Gt | B::F64Le | B::F64Ge => 1,
        _ => mask,
    };
    result & mask
}

/// Whether `a < b` (without signs) comes out the same whatever the undefined bits are.
fn ordered(a: Word, b: Word) -> bool {
    a.greatest() < b.least() || a.least() >= b.greatest()
}

/// A signed word so that the order without signs is its order.
fn shifted(word: Word, sign: u32) -> Word {
    Word { bits: word.bits ^ (1 << sign), ..word }
}

fn is_wide(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::I64Add
            | B::I64Sub
            | B::I64Mul
            | B::I64DivS
            | B::I64DivU
            | B::I64RemS
            | B::I64RemU
            | B::I64And
            | B::I64Or
            | B::I64Xor
            | B::I64Shl
            | B::I64ShrS
            | B::I64ShrU
            | B::I64Rotl
            | B::I64Rotr
            | B::F64Add
            | B::F64Sub
            | B::F64Mul
            | B::F64Div
            | B::F64Min
            | B::F64Max
            | B::F64Copysign
    )
}

/// The undefined bits of a result of one operand.
pub fn unary(op: UnaryOp, a: Word) -> u64 {
    use UnaryOp as U;
    let undefined = a.undefined;
    if undefined == 0 {
        return 0;
    }
    match op {
        U::I32Eqz | U::I64Eqz => u64::from(a.may_be_zero_or_not()),
        U::I32WrapI64 => undefined & LOW,
        U::I64ExtendI32U
        | U::I32ReinterpretF32
        | U::I64ReinterpretF64
        | U::F32ReinterpretI32
        | U::F64ReinterpretI64
        | U::F32Neg
        | U::F64Neg => undefined,
        U::F32Abs => undefined & (LOW >> 1),
        U::F64Abs => undefined & (u64::MAX >> 1),
        U::I64ExtendI32S | U::I64Extend32S => i64::from(undefined as i32).cast_unsigned(),
        U::I32Extend8S => u64::from(i32::from(undefined as i8).cast_unsigned()),
        U::I32Extend16S => u64::from(i32::from(undefined as i16).cast_unsigned()),
        U::I64Extend8S => i64::from(undefined as i8).cast_unsigned(),
        U::I64Extend16S => i64::from(undefined as i16).cast_unsigned(),
        U::I32Clz | U::I32Ctz | U::I32Popcnt | U::I64Clz | U::I64Ctz | U::I64Popcnt => 127,
        U::I32TruncF32S
        | U::I32TruncF32U
        | U::I32TruncF64S
        | U::I32TruncF64U
        | U::I32TruncSatF32S
        | U::I32TruncSatF32U
        | U::I32TruncSatF64S
        | U::I32TruncSatF64U
        | U::F32Ceil
        | U::F32Floor
        | U::F32Trunc
        | U::F32Nearest
        | U::F32Sqrt
        | U::F32ConvertI32S
        | U::F32ConvertI32U
        | U::F32ConvertI64S
        | U::F32ConvertI64U
        | U::F32DemoteF64 => any(undefined, LOW),
        _ => any(undefined, u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use twinrun_base::Rng;

    use super::*;
    use crate::arith;

    /// A word of few undefined bits.
    fn word(rng: &mut Rng) -> Word {
        let small = |rng: &mut Rng| match rng.bits() % 4 {
            0 => rng.bits() % 16,
            1 => 1 << (rng.bits() % 64),
            2 => u64::MAX,
            _ => rng.bits(),
        };
        let undefined = if rng.one_in(3) { 0 } else { 1 << (rng.bits() % 64) | 1 << (rng.bits() % 8) };
        Word { bits: small(rng), undefined }
    }

    fn narrow(word: Word, wide: bool) -> Word {
        Word { bits: word.bits & all(wide), undefined: word.undefined & all(wide) }
    }

    /// Another value of the same defined bits.
    fn other(rng: &mut Rng, word: Word) -> u64 {
        word.least() | rng.bits() & word.undefined
    }

    #[test]
    fn what_is_called_defined_never_depends_on_undefined_bits() {
        let mut rng = Rng::new(7);
        for _ in 0..4000 {
            let (a, b) = (word(&mut rng), word(&mut rng));
            for op in BinaryOp::ALL {
                let wide = matches!(op.types().0, crate::Type::I64 | crate::Type::F64);
                let (a, b) = (narrow(a, wide), narrow(b, wide));
                let undefined = binary(*op, a, b);
                for _ in 0..2 {
                    let first = arith::binary(*op, other(&mut rng, a), other(&mut rng, b));
                    let second = arith::binary(*op, other(&mut rng, a), other(&mut rng, b));
                    if let (Ok(first), Ok(second)) = (first, second) {
                        assert_eq!((first ^ second) & !undefined, 0, "{op:?} {a:x?} {b:x?}");
                    }
                }
            }
            for op in UnaryOp::ALL {
                let wide = matches!(op.types().0, crate::Type::I64 | crate::Type::F64);
                let a = narrow(a, wide);
                let undefined = unary(*op, a);
                let (first, second) = (other(&mut rng, a), other(&mut rng, a));
                if let (Ok(first), Ok(second)) = (arith::unary(*op, first), arith::unary(*op, second)) {
                    assert_eq!((first ^ second) & !undefined, 0, "{op:?} {a:x?}");
                }
            }
        }
    }

    #[test]
    fn a_bit_field_beside_undefined_ones_is_defined() {
        // x = (x & ~7) | 5; the field is (x & 7).
        let x = Word { bits: 0xdead_beef, undefined: LOW };
        let constant = |bits: u64| Word { bits, undefined: 0 };
        let rest = binary(BinaryOp::I32And, x, constant(LOW & !7));
        let stored = Word { bits: 0xdead_beed, undefined: rest };
        let set = binary(BinaryOp::I32Or, Word { bits: 0xdead_bee8, undefined: rest }, constant(5));
        assert_eq!(set, LOW & !7);
        assert_eq!(binary(BinaryOp::I32And, stored, constant(7)), 0);
        let moved = binary(BinaryOp::I32Shl, stored, constant(29));
        let back = Word { bits: 5 << 29, undefined: moved };
        assert_eq!(binary(BinaryOp::I32ShrS, back, constant(29)), 0);
    }
}
