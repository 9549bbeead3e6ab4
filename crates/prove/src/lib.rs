//! Semi-proving (Chen, Tse, Zhou: Semi-Proving, IEEE TSE 37(1), 2011): a relation is proved for all inputs of its declared ranges, or every condition
//! under which it fails is told.
//!
//! [`prove`] first tries a proof with the paths of the runs merged. To explain a violation, or when asked, it enumerates the feasible combinations of the
//! runs' paths: for each, can the path conditions hold together with the check's negation, and with the check itself?

pub mod certificate;
mod conditions;
mod enumerate;
mod error;
mod failure_report;
mod human;
mod loops;
mod merged;
mod prepare;
mod report;
mod safety;
mod source_lines;
mod suspicion;
mod trace;
mod witness;

pub use enumerate::prove;
pub use error::Error;
pub use failure_report::{FailureReport, Row, RowKind, SuspectLine};
pub use human::{render, render_trace};
pub use loops::{LoopProof, Way};
pub use prepare::{Config, Progress};
pub use report::*;
