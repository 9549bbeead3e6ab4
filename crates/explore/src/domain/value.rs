//! A value of the concolic domain.

use twinrun_interp::Type;
use twinrun_term::Term;

/// A concrete value with its type and, where it depends on inputs, its term: a bit-vector for integers, a float for floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The concrete value: an i32 or f32 in the low half.
    pub bits: u64,
    /// The term, unless the value is the same for all inputs.
    pub term: Option<Term>,
    /// The type.
    pub ty: Type,
}

impl Value {
    /// An i32 that does not depend on inputs.
    pub fn i32(value: i32) -> Value {
        Value { bits: u64::from(value as u32), term: None, ty: Type::I32 }
    }

    /// An i64 that does not depend on inputs.
    pub fn i64(value: i64) -> Value {
        Value { bits: value as u64, term: None, ty: Type::I64 }
    }
}
