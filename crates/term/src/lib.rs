//! Terms: hash-consed formulas over the inputs of a relation that simplify as they are built.
//!
//! An arena [`Terms`] holds them; a [`Term`] is a small copyable identity. [`Integers`] translates bit-vector terms to
//! mathematical integers where that is exact. [`readable`] prints conditions as a programmer would write
//! them and [`printed`] reads them again, [`smt`] prints for solvers.

#[cfg(test)]
mod brute;
mod build;
mod chains;
mod eval;
pub mod floats;
mod integers;
mod interval;
mod node;
mod ops;
pub mod printed;
pub mod readable;
mod rules;
#[cfg(test)]
mod shapes;
pub mod smt;
mod sort;
mod substitute;
mod symbols;
mod terms;
mod theories;
mod value;

pub use eval::Evaluation;
pub use integers::Integers;
pub use interval::Interval;
pub use node::{
    BvOp, BvOrder, BvSum, FloatBinary, FloatOrder, FloatUnary, Function, Node, NumSum, Symbol, Term,
};
pub use rules::{Rule, meanings};
pub use sort::{Rational, Sort, mask, signed, signed_max, signed_min};
pub use symbols::SymbolSet;
pub use terms::{FunctionInfo, Identity, SymbolInfo, Terms};
pub use theories::Theories;
pub use value::{ArrayValue, Model, Value};
