//! What if this line were otherwise? Small changes of a subject, where they stand, and what they do.
//!
//! [`edits`] are changes of the source text that might fix a fault; [`schemata`] puts all of them into one module, in which a [`bench`] switches them on one at a
//! time; [`cases`] are what they are judged by, and [`repair`] what comes out: a diff.
//!
//! [`mutants`] are the same the other way round: candidate faults whose place is known exactly. Which relations notice them tells how strong these are
//! (`twinrun score`), and the studies measure localisation on them. [`OPERATORS`](operators::OPERATORS) lists the operators.

pub mod bench;
pub mod build;
pub mod cases;
mod conditional;
pub mod diff;
pub mod edits;
mod error;
pub mod evidence;
mod fault;
pub mod matrix;
mod module;
mod mutant;
pub mod operators;
pub mod repair;
pub mod schemata;
mod source;
mod types;

pub use error::Error;
pub use fault::{Fault, FaultKind};
pub use module::{ModuleError, ModuleMutant, module_mutants};
pub use mutant::{Mutant, apply, mutants};
pub use source::{Language, ParseError};
