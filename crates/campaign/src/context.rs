//! What a run of a campaign is told, and what a running job can ask and say.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::event::{Stop, What};
use crate::job::JobId;
use crate::remote::Remote;

/// How to run a campaign.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Number of worker threads; 0 for one on each core.
    pub workers: usize,
    /// When to stop handing out jobs.
    pub deadline: Option<Instant>,
    /// Set it (from a signal handler, say) to stop handing out jobs.
    pub stop: Arc<AtomicBool>,
    /// Run the jobs again whose recorded result is a failure.
    pub retry_failed: bool,
    /// Run the jobs elsewhere; without it they run on threads of this process.
    pub remote: Option<Remote>,
}

impl Config {
    /// Why no further job should be handed out, if so.
    pub(crate) fn stopping(&self) -> Option<Stop> {
        if self.stop.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Deadline)
        } else {
            None
        }
    }

    pub(crate) fn threads(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        }
    }
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
    pub(crate) config: &'a Config,
    pub(crate) say: &'a dyn Fn(What),
    pub(crate) last_progress: Cell<Option<Instant>>,
}

impl<'a> Context<'a> {
    /// The surroundings of a job that a process runs for a campaign of another one; `say` hears its progress.
    pub fn apart(id: JobId, config: &'a Config, say: &'a dyn Fn(What)) -> Context<'a> {
        Context { job: 0, id, config, say, last_progress: Cell::default() }
    }

    /// The identity of the job.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// Whether the job should stop soon and return [`Halt::Interrupted`]. Short jobs need not ask.
    pub fn stopping(&self) -> bool {
        self.config.stopping().is_some()
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
