//! Solvers: is there an input that meets these conditions, and which?
//!
//! A [`Solver`] stands in front of a solver process on a pipe (SMT-LIB 2). It splits a query into independent parts, tries
//! earlier models and unsatisfiable cores, translates to integers where that is exact, and verifies every model by evaluation.

mod answer;
mod cache;
mod process;
mod program;
mod session;
mod sexpr;
mod solver;
mod spare;
mod split;
#[cfg(test)]
mod tests;
mod witness;

pub use answer::{Answer, Counters, Reason};
pub use program::{Error, Kind, Program};
pub use session::{Backend, Logic, Raw, Session, logic};
pub use solver::{Config, Solver};
pub use split::split;
