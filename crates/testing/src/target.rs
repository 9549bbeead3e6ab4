//! A target: one relation of one subject, ready to be run as often as needed on several threads.

use twinrun_base::{Hash, Location};

use crate::executor::{ExecuteError, Executor};

/// Which build of the subject runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// The subject as it is.
    Plain,
    /// The subject as it is, its memory watched: uses of bytes that nobody has written, and of freed ones, are crashes.
    Watched,
    /// The subject with safety checks: overflow, bounds, null, heap; watched as well.
    Checked,
}

/// One relation of one subject.
pub trait Target: Sync {
    /// The subject's name.
    fn subject(&self) -> &str;

    /// The relation's name.
    fn relation(&self) -> &str;

    /// What the outcome of a case depends on: subject, relation, limits, toolchain, algorithm.
    fn identity(&self) -> Hash;

    /// Where the relation is defined.
    fn location(&self) -> Option<Location>;

    /// How many blocks of user code there are; `None` where coverage is not observed.
    fn blocks(&self) -> Option<usize>;

    /// An executor for this thread; `None` where there is no such build.
    ///
    /// # Errors
    /// When the engine cannot start.
    fn executor(&self, build: Build) -> Result<Option<Box<dyn Executor + '_>>, ExecuteError>;

    /// How many cases make one job, and how many groups a shrinking may take: small where a group costs a process.
    fn pace(&self) -> Pace {
        Pace { chunk: 10_000, shrink: 20_000 }
    }
}

/// How much work is sensible at once.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Cases in one job.
    pub chunk: u64,
    /// Groups for one shrinking.
    pub shrink: u64,
}
