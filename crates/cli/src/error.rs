//! What keeps a command from answering, and the exit code for it.

use std::io;
use std::path::PathBuf;

use twinrun_base::Exit;

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The command line asks for something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// The project or one of its subjects.
    #[error(transparent)]
    Subject(#[from] twinrun_subject::Error),
    /// Testing.
    #[error(transparent)]
    Test(#[from] twinrun_testing::session::TestError),
    /// Running one group.
    #[error(transparent)]
    Execute(#[from] twinrun_testing::executor::ExecuteError),
    /// Trying edits.
    #[error(transparent)]
    WhatIf(#[from] twinrun_whatif::Error),
    /// A saved case.
    #[error(transparent)]
    Saved(#[from] twinrun_testing::saved::SavedError),
    /// A result cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Something that we need is missing or failed.
    #[error("{0}")]
    Infrastructure(String),
}

impl Error {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::Usage(_) | Error::Saved(_) => Exit::Usage,
            Error::Subject(error) => subject_exit(error),
            _ => Exit::Infrastructure,
        }
    }

    /// The message for people, with the place in the file underlined where there is one.
    pub(crate) fn text(&self, _color: bool) -> String {
        self.to_string()
    }
}

/// What the user wrote is wrong, or what is needed is missing.
fn subject_exit(error: &twinrun_subject::Error) -> Exit {
    use twinrun_subject::Error as E;
    match error {
        E::Module { error, .. } => subject_exit(error),
        E::NoToolchain { .. }
        | E::NoCxxLibrary { .. }
        | E::NoNativeCompiler
        | E::NoRust { .. }
        | E::Io { .. } => Exit::Infrastructure,
        E::NotWasm { .. } | E::CorruptWasm { .. } => Exit::Infrastructure,
        _ => Exit::Usage,
    }
}
