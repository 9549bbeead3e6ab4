//! The one stream of events: progress, recording and reports all read it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::job::JobId;

/// Something that happened in a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Milliseconds since this run of the campaign began.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened. Jobs are named by their place in the list of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The campaign began: always the first event.
    Began {
        /// Name of the campaign.
        campaign: String,
        /// Number of jobs.
        jobs: usize,
        /// Number of workers.
        workers: usize,
    },
    /// A worker took a job.
    Started {
        /// Which job.
        job: usize,
        /// Its identity.
        id: JobId,
        /// What people read.
        label: String,
        /// Which worker, from 0.
        worker: usize,
    },
    /// A running job says how far it is.
    Progress {
        /// Which job.
        job: usize,
        /// Steps done.
        done: u64,
        /// Of how many, if known.
        total: Option<u64>,
        /// What it is doing.
        note: String,
    },
    /// A job has a result, and the result is recorded.
    Finished {
        /// Which job.
        job: usize,
        /// Its identity.
        id: JobId,
        /// How long it ran.
        elapsed_ms: u64,
        /// Its result.
        result: Value,
        /// It did not run: the journal already had it, or an equal job has just finished.
        recorded: bool,
    },
    /// A job panicked or gave up, and this is recorded.
    Failed {
        /// Which job.
        job: usize,
        /// Its identity.
        id: JobId,
        /// How long it ran.
        elapsed_ms: u64,
        /// Why.
        message: String,
        /// It did not run: the journal already had it, or an equal job has just failed.
        recorded: bool,
    },
    /// A running job obeyed a request to stop; nothing is recorded of it.
    Interrupted {
        /// Which job.
        job: usize,
        /// Its identity.
        id: JobId,
    },
    /// The campaign ended or was stopped: always the last event.
    Ended {
        /// Jobs with a result.
        finished: usize,
        /// Jobs that failed.
        failed: usize,
        /// Jobs with neither.
        open: usize,
        /// Why jobs are open.
        stop: Option<Stop>,
    },
}

/// Why a campaign stopped handing out jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Somebody asked for it (Ctrl-C).
    Cancelled,
    /// The time was up.
    Deadline,
}
