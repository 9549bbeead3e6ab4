//! The critical branch: where the runs of two neighbouring inputs part, one violating a relation and one satisfying it.
//!
//! [`debug`] takes violated cases and searches as published (Jin, Jiang, Liu, Xu, Ma, Lu: *Concolic Metamorphic Debugging*,
//! Algorithm 2): negate the last condition of the failing path that was not negated yet, keep those before it, solve, run, go on
//! from the new failing path until one passes. With [`Method::Ranked`] it also tries small changes of the subject's behaviour at
//! every place that the failing runs went through, and ranks the branches by how well a change right there makes all violated
//! cases hold and leaves passing ones alone.

mod cases;
mod central;
mod changes;
mod debug;
mod error;
mod frame;
mod groups;
mod named;
mod perturbed;
pub mod present;
mod rank;
mod repairs;
mod report;
mod search;
mod shrunk;
mod steps;
mod subject;
mod switches;

pub use debug::{Config, Method, Violated, WORK, debug};
pub use error::Error;
pub use report::{Common, Critical, Evidence, How, Named, Outcome, Pair, Repaired, Report, Search, Worth};
pub use subject::Subject;
