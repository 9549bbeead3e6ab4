//! What keeps a campaign from running; a failing job is not among it (that is an [`Entry`](crate::Entry)).

use std::path::PathBuf;

use crate::lock::Holder;

/// Why a campaign could not be opened, run or replayed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The journal's folder or its lock file cannot be created.
    #[error("cannot create {}: {source}; choose a folder that can be written to", path.display())]
    Create {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another campaign is using the journal.
    #[error("the journal {} is in use by {holder}; wait until it ends, or give this campaign its own journal", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
        /// Who uses it.
        holder: Holder,
    },
    /// The file is something else.
    #[error("{} is not a campaign journal; choose another path (the file was left as it is)", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// The journal was written by another version.
    #[error(
        "the journal {} has schema version {found}, and this program writes version {expected}; \
         use the program that wrote it, or remove the journal to start again", path.display()
    )]
    Version {
        /// The journal.
        path: PathBuf,
        /// The version in the file.
        found: i64,
        /// The version of this program.
        expected: i64,
    },
    /// The journal cannot be read.
    #[error("cannot read the journal {}: {source}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The journal cannot be written: full disk, read-only folder.
    #[error(
        "cannot write the journal {}: {source}; every result recorded before is kept: \
         make room (or the folder writable) and run again to continue", path.display()
    )]
    Write {
        /// The journal.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A worker cannot be started.
    #[error("cannot start a worker: {source}; use fewer workers")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// The jobs cannot be run elsewhere (any more).
    #[error("{0}; every result recorded before is kept: run again to continue")]
    Runner(String),
    /// A job is not plain data.
    #[error("job {index} is not plain data: {reason}")]
    Job {
        /// Its place in the list of jobs.
        index: usize,
        /// What does not survive writing and reading.
        reason: String,
    },
    /// A recorded result is not of the expected type.
    #[error(
        "the recorded result of job {index} cannot be understood: {reason}; \
         if the type of the results has changed, give the jobs a new algorithm version"
    )]
    Result {
        /// The job's place in the list of jobs.
        index: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A recording cannot be read or is not one.
    #[error("the recording cannot be replayed, line {line}: {reason}")]
    Recording {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}
