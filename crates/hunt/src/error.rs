//! What keeps a hunt from being run.

use std::io;
use std::path::PathBuf;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another hunt uses the same folder.
    #[error(
        "{holder} already hunts in {}: wait for it, or look at it with `twinrun serve`; two hunts in one folder would write over each other", folder.display()
    )]
    Busy {
        /// The project's folder for what tools keep.
        folder: PathBuf,
        /// Who.
        holder: String,
    },
    /// The journal.
    #[error(transparent)]
    Campaign(#[from] twinrun_campaign::Error),
    /// A technique or an engine failed.
    #[error("{0}")]
    Failed(String),
    /// What the hunt knows cannot be kept or read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not what a hunt wrote.
    #[error("{} was not written by this version of twinrun hunt: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}
