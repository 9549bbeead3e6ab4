//! What testing needs from an engine: run one group of one relation.

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Group, Inputs, Verdict};

/// How a group ended, in a form that is cheap to make and to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ending {
    /// The verdict.
    pub verdict: Verdict,
    /// Tells failures of one verdict apart: the line of the failed check, a number for the kind of crash, else 0.
    pub place: u32,
}

/// Runs groups of one relation of one subject. Implemented by the jit engine (`engine`) and by commands (`command`).
pub trait Executor {
    /// Runs one group and says how it ended; records nothing but what [`Executor::touched`] gives.
    ///
    /// # Errors
    /// When the engine cannot answer; a crash of the subject is an answer.
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError>;

    /// Runs one group and watches its memory to the end, whatever that costs: [`Executor::run`] does so for some groups only.
    ///
    /// # Errors
    /// When the engine cannot answer.
    fn run_watched(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        self.run(inputs)
    }

    /// One bit for each block of user code, lowest first: set where some run of the last group touched it. Empty where the
    /// engine observes no coverage.
    fn touched(&self) -> &[u64];

    /// The work of the last group: back-edges and calls; 0 where the engine counts none.
    fn work(&self) -> u64 {
        0
    }

    /// For each run of the last group, the blocks that it touched, numbered as in [`Executor::touched`].
    fn slices(&self) -> Vec<Vec<u64>> {
        Vec::new()
    }

    /// For each run of the last group, its coverage as another tool wrote it; empty where none is collected.
    fn imported(&self) -> &[Vec<u8>] {
        &[]
    }

    /// Runs one group on a case and records everything about it.
    ///
    /// # Errors
    /// When the engine cannot answer.
    fn explain(&mut self, case: &Case) -> Result<Explained, ExecuteError>;

    /// Something that the user should know and that makes going on pointless, e.g. that the subject is not stable.
    fn notice(&mut self) -> Option<String> {
        None
    }

    /// Why none of the groups so far says anything about the subject: nothing was run, nothing was checked, or a command never did its work.
    fn vacuous(&self) -> Option<String> {
        None
    }

    /// Numbers that occur in the subject's code; drawing them reaches comparisons with constants.
    fn dictionary(&self) -> &[i64] {
        &[]
    }
}

/// All that is known about one group.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The group, with the case that was really drawn.
    pub group: Group,
    /// For each run, the blocks that it touched, ascending.
    pub coverage: Vec<Vec<u32>>,
    /// With static data restored before every run, the group ends differently.
    pub dependent_runs: bool,
}

/// What kept an engine from answering.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ExecuteError {
    /// What happened and what to do.
    pub message: String,
}

impl ExecuteError {
    /// An error with this message.
    pub fn new(message: impl ToString) -> ExecuteError {
        ExecuteError { message: message.to_string() }
    }
}
