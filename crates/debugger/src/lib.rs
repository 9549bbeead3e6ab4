//! Interactive metamorphic testing of debuggers.
//!
//! Finds bugs of a debugger without a second one to compare with: the program or the debugging actions are transformed so
//! that the trace may differ only in known ways, and the transformation is decided while the debugger runs (Tolksdorf,
//! Lehmann and Pradel, "Interactive Metamorphic Testing of Debuggers", ISSTA 2019).

mod backend;
pub mod backends;
mod campaign;
mod cdp;
mod compare;
mod dap;
mod dap_session;
mod directed;
mod edit;
mod error;
mod examine;
mod follow;
mod guards;
mod html;
mod initial;
pub mod javascript;
mod outline;
mod places;
mod position;
mod predict;
mod process;
mod program;
mod python_outline;
mod random;
mod reduce;
mod remote_object;
mod replay_script;
mod rounds;
mod session;
mod timers;
mod trace;
pub mod transformations;
mod tree_outline;
mod v8;
mod v8_pause;
mod warning;
mod websocket;

pub use backend::{Backend, Capabilities, Limits, Place, Placed, Stop};
pub use campaign::{Summary, TestJob, VersionDifference, attend, compare_versions, jobs, run_campaign};
pub use compare::{Difference, DifferenceKind, Relation};
pub use directed::turns;
pub use edit::{Edit, Origin, PositionMap, apply};
pub use error::{Error, Result};
pub use examine::{Examined, confirm, examine};
pub use follow::{Follow, FollowUp, Plan, Test, follow, is_interactive};
pub use html::html;
pub use initial::{Mix, initial_session};
pub use outline::{Gap, Joint, Literal, Outline, ParameterSite, Statement};
pub use position::{LineIndex, Position};
pub use predict::Prediction;
pub use program::{Language, Program};
pub use random::Random;
pub use reduce::reduce;
pub use replay_script::{repeats, replay_data, replay_script};
pub use rounds::{Config, Report, Verdict, run_test};
pub use session::{Session, Standing, replay};
pub use trace::{
    Action, Answer, Control, Ending, Frame, Passive, Pause, Scope, ScopeKind, Special, Step, Trace, Variable,
};
pub use warning::{AlignedRow, Warning};
