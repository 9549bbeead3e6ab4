//! What keeps edits from being tried.

use std::io;
use std::path::PathBuf;

use twinrun_testing::executor::ExecuteError;

use crate::source::ParseError;

/// What kept us from answering.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A source is not understood.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The project cannot be built.
    #[error(transparent)]
    Subject(#[from] twinrun_subject::Error),
    /// The engine cannot answer.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// There is no C or C++ source of the subject that could be edited.
    #[error("`{0}` has no C or C++ source in the project: repairs are changes of source text")]
    NoSource(String),
    /// With no edit switched on the module answers otherwise than the plain build.
    #[error("with no edit switched on, `{relation}` answers otherwise than the plain build: {case}")]
    NotPlain {
        /// The relation.
        relation: String,
        /// The case.
        case: String,
    },
}
