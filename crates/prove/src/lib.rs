//! Semi-proving (Chen, Tse, Zhou: Semi-Proving, IEEE TSE 37(1), 2011): a relation is proved for all inputs of its declared ranges, or every condition
//! under which it fails is told.
//!
//! [`prove`] first tries a proof with the paths of the runs merged. To explain a violation, or when asked, it enumerates the feasible combinations of the
//! runs' paths: for each, can the path conditions hold together with the check's negation, and with the check itself?

mod apart;
mod carry;
pub mod certificate;
mod class;
mod closure;
mod conditions;
mod enumerate;
mod error;
mod exhaust;
mod explain;
mod extrapolate;
mod failure_report;
mod given;
mod human;
mod human_tables;
mod loops;
mod mends;
mod merged;
mod net;
mod prepare;
mod report;
mod safety;
mod source_lines;
mod suspicion;
mod tables;
mod trace;
mod verdict;
mod whole;
mod witness;

pub use carry::{Carry, Coordinate, Step};

pub use closure::{Factor, Move};
pub use error::Error;
pub use extrapolate::{Claimed, Misfit, Statement, extrapolate};
pub use failure_report::{FailureReport, Row, RowKind, SuspectLine};
pub use given::{Comparison, Given, Inputs, NotUnderstood, Operand};
pub use human::{render, render_trace};
pub use loops::{LoopProof, Way};
pub use net::{Tested, pretest};
pub use prepare::{Builds, Config, Progress, WORK};
pub use report::*;
pub use tables::{PairRow, PathRow, RunTable, Tables};
pub use verdict::{By, Proof, Verdict};
pub use whole::{prove, prove_built};
