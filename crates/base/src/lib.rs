//! The words of Twinrun as plain data: no input, no output.
//!
//! Every other part speaks in these types: a [`Case`] assigns values to a relation's inputs, a [`Group`] is all runs of one
//! relation on one case with one [`Verdict`], a [`Site`](sites::Site) is a place in the subject's source, and a [`Finding`]
//! is what is reported.

pub mod abi;
pub mod case;
pub mod cut;
pub mod finding;
pub mod group;
pub mod hash;
pub mod inputs;
pub mod limits;
pub mod report;
pub mod rng;
pub mod sites;
pub mod work;

pub use case::{Case, Domain, Input, IntKind, Op, OpSpec, Shape, Value};
pub use cut::{Cause, Cut};
pub use finding::{Finding, Repair};
pub use group::{Crash, CrashKind, FailedCheck, Frame, Group, Operator, ProgramRun, Run, Verdict};
pub use hash::Hash;
pub use inputs::Inputs;
pub use limits::Limits;
pub use report::{Exit, Report};
pub use rng::Rng;
pub use sites::{Location, Sites};
pub use work::Budget;
