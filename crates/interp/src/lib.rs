//! The interpreter: WebAssembly 2.0 without SIMD in register form, generic over the value domain.
//!
//! A [`Module`] is decoded once; its functions are translated to register code when first called. A [`State`] holds everything that changes, so a path
//! forks by cloning it; [`run`] goes on from any state. The [`Domain`] says what a value is, [`Imports`] answer for the host, an
//! [`Observer`](observers::Observer) watches.

pub mod arith;
pub mod code;
pub mod concrete;
pub mod domain;
pub mod flow;
pub mod group;
pub mod heap;
pub mod imports;
pub mod instr;
pub mod link;
pub mod memory;
pub mod merge;
pub mod module;
mod natives;
pub mod observers;
pub mod ops;
pub mod run;
pub mod shadow;
pub mod state;
mod translate;
pub mod trap;

pub use code::Code;
pub use concrete::Concrete;
pub use domain::{Decision, Domain, Merge, Origin, Position};
pub use imports::{Answer, Host, Imports, NoImports, Segment, Touched};
pub use link::{LinkError, instantiate, instantiate_with};
pub use memory::{Memory, Pages};
pub use merge::{MergeError, merge};
pub use module::{LoadError, LoadOptions, Module};
pub use observers::Observer;
pub use ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp};
pub use run::{Outcome, call, run};
pub use shadow::Shadowed;
pub use state::{Mark, State};
pub use trap::Trap;
