//! What a run of a campaign is told, and what a running job can ask and say.

use std::cell::Cell;
use std::time::{Duration, Instant};

use twinrun_base::{Cause, Cut, cut};

use crate::event::{Stop, What};
use crate::job::JobId;
use crate::remote::Remote;

/// How to run a campaign. The cut of the calling thread stops it too, and reaches every job.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Number of worker threads; 0 for one on each core.
    pub workers: usize,
    /// When to stop handing out jobs.
    pub deadline: Option<Instant>,
    /// Run the jobs again whose recorded result is a failure.
    pub retry_failed: bool,
    /// Run the jobs elsewhere; without it they run on threads of this process.
    pub remote: Option<Remote>,
}

impl Config {
    /// What ends the handing out. Jobs themselves hear of the cut of the calling thread only: a slice of a study ends between jobs.
    pub(crate) fn cut(&self) -> Cut {
        cut::current().unwrap_or_default().child(self.deadline)
    }

    pub(crate) fn threads(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        }
    }
}

/// Why no further job is handed out, if so.
pub(crate) fn stopping(cut: &Cut) -> Option<Stop> {
    cut.cause().map(|cause| match cause {
        Cause::Signal => Stop::Cancelled,
        Cause::Time => Stop::Deadline,
    })
}

/// Why a job has no result.
///
/// Any error turns into [`Halt::Failed`] by `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It stopped because [`Context::stopping`] said so: nothing is recorded, the job stays open.
    Interrupted,
    /// It cannot be done: recorded as a failure.
    Failed(String),
}

impl<E: std::error::Error> From<E> for Halt {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Self::Failed(message)
    }
}

/// The surroundings of a running job.
pub struct Context<'a> {
    pub(crate) job: usize,
    pub(crate) id: JobId,
    pub(crate) cut: &'a Cut,
    pub(crate) say: &'a dyn Fn(What),
    pub(crate) last_progress: Cell<Option<Instant>>,
}

impl<'a> Context<'a> {
    /// The surroundings of a job that a process runs for a campaign of another one, within this cut; `say` hears its progress.
    pub fn apart(id: JobId, cut: &'a Cut, say: &'a dyn Fn(What)) -> Context<'a> {
        Context { job: 0, id, cut, say, last_progress: Cell::default() }
    }

    /// The identity of the job.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// Whether the job should stop soon and return [`Halt::Interrupted`]. Short jobs need not ask.
    pub fn stopping(&self) -> bool {
        self.cut.cause().is_some()
    }

    /// Says how far the job is. Cheap enough for inner loops: the stream hears of it ten times a second at most.
    pub fn progress(&self, done: u64, total: Option<u64>, note: &str) {
        const PAUSE: Duration = Duration::from_millis(100);
        let now = Instant::now();
        if self.last_progress.get().is_none_or(|last| now - last >= PAUSE) {
            self.last_progress.set(Some(now));
            (self.say)(What::Progress { job: self.job, done, total, note: note.to_string() });
        }
    }
}
