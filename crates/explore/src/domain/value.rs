//! A value of the concolic domain.

use twinrun_interp::Type;
use twinrun_term::Term;

use super::Mask;

/// A concrete value with its type and, where it depends on inputs, its term: a bit-vector for integers. For floats it is a float where the
/// number tells the bits (a NaN, if it is one, is the canonical one), otherwise the bits as a bit-vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The concrete value: an i32 or f32 in the low half.
    pub bits: u64,
    /// The term, unless the value is the same for all inputs.
    pub term: Option<Term>,
    /// The type.
    pub ty: Type,
    /// Its bits that nobody has written.
    pub undefined: Mask,
}

impl Value {
    /// A value that is fully defined.
    #[inline(always)]
    pub fn of(ty: Type, bits: u64, term: Option<Term>) -> Value {
        Value { bits, term, ty, undefined: Mask::NONE }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self.ty, Type::F32 | Type::F64)
    }

    /// An i32 that does not depend on inputs.
    pub fn i32(value: i32) -> Value {
        Value::of(Type::I32, u64::from(value as u32), None)
    }

    /// An i64 that does not depend on inputs.
    pub fn i64(value: i64) -> Value {
        Value::of(Type::I64, value as u64, None)
    }
}
