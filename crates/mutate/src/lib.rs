//! Mutants: small changes at known places of a subject's source, made from a real parser.
//!
//! A mutant is a candidate fault whose place is known exactly; which relations notice it tells how strong they are
//! (`twinrun score`), and the studies measure localisation on them. [`OPERATORS`](operators::OPERATORS) lists all operators.

mod fault;
mod module;
mod mutant;
pub mod operators;
mod source;
mod types;

pub use fault::{Fault, FaultKind};
pub use module::{ModuleError, ModuleMutant, module_mutants};
pub use mutant::{Mutant, apply, mutants};
pub use source::{Language, ParseError};
