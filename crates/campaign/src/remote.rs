//! Jobs that run elsewhere: what a runner is given, and what it gives back.
//!
//! A campaign knows nothing of machines and networks. It lends a [`Desk`] to a [`Runner`], which takes the pending jobs from
//! it and settles them there; journal, events and outcome are the same as for threads.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::event::Stop;
use crate::job::JobId;

/// What jobs need beside their own data to run in another process.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Who understands the jobs there.
    pub kind: String,
    /// Everything but the job that its result depends on. Results are shared between runs with the same data.
    pub data: Value,
    /// What results of uncut runs do not depend on: time that may be spent.
    pub allowance: Value,
    /// Contents that the data names by their hash.
    pub blobs: Vec<Blob>,
    /// The jobs run programs of the machine they are on, not only WebAssembly.
    pub commands: bool,
}

/// Bytes that are named by their hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Blob {
    /// BLAKE3 of the bytes, in hexadecimal digits.
    pub hash: String,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

impl Blob {
    /// Names bytes.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Blob {
        let bytes = bytes.into();
        Blob { hash: hash(&bytes), bytes }
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({}, {} bytes)", self.hash, self.bytes.len())
    }
}

/// The name of bytes: BLAKE3 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Where the jobs of a campaign run.
#[derive(Clone, Debug)]
pub struct Remote {
    /// Who runs them.
    pub runner: Arc<dyn Runner>,
    /// What they need there.
    pub setting: Arc<Setting>,
    /// Threads here take jobs too.
    pub local: bool,
}

/// Runs jobs in other processes.
pub trait Runner: fmt::Debug + Send + Sync {
    /// Settles jobs until none is open or the desk says to stop.
    ///
    /// # Errors
    /// When jobs can no longer be run at all; those that are settled stay so.
    fn run(&self, setting: &Setting, desk: &dyn Desk) -> Result<(), String>;
}

/// A job that is to be run, as others see it.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Its identity.
    pub id: JobId,
    /// Its canonical JSON, whose BLAKE3 is the identity.
    pub spec: String,
    /// What people read.
    pub label: String,
}

/// An answer: the result, or why there is none.
pub type Answered = Result<Value, String>;

/// The jobs of a campaign, lent to a runner. Jobs are named by their place in [`Desk::errands`].
pub trait Desk: Sync {
    /// The jobs that had no result when the campaign began.
    fn errands(&self) -> &[Errand];

    /// Whether the job has no answer yet.
    fn is_open(&self, errand: usize) -> bool;

    /// Whether some job has no answer yet.
    fn any_open(&self) -> bool;

    /// Why no further job should be handed out, if so.
    fn stopping(&self) -> Option<Stop>;

    /// Somebody took the job.
    fn started(&self, errand: usize, worker: usize);

    /// Whoever took the job has not been heard of for long: threads here may take it.
    fn vanished(&self, errand: usize);

    /// Recorded failures count as open.
    fn retry_failed(&self) -> bool;

    /// Somebody says how far the job is.
    fn progress(&self, errand: usize, done: u64, total: Option<u64>, note: &str);

    /// Commits the answer of a job and tells of it; a second answer is left aside.
    ///
    /// # Errors
    /// When it is not an answer of such a job, or nobody listens any more.
    fn settle(&self, errand: usize, elapsed_ms: u64, answer: Answered) -> Result<(), Refused>;

    /// The answers that threads here gave since this was last asked.
    fn answered_here(&self) -> Vec<(usize, u64, Answered)>;
}

/// Why an answer was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It cannot be read as a result.
    NotAResult(String),
    /// The campaign is being torn down.
    Closed,
}
