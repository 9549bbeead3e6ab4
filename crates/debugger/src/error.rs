//! What can keep a session from answering.

use std::io;
use std::path::PathBuf;

/// What kept us from testing. A debugger that crashes or falls silent is no error but an ending ([`crate::Ending`]).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The debugger's program could not be started.
    #[error("cannot start {program}: {source}", program = program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The debugger started but never opened its port or answered its handshake.
    #[error("{program} offers no debugging connection: {why}", program = program.display())]
    NoConnection {
        /// The program.
        program: PathBuf,
        /// What it said instead.
        why: String,
    },
    /// The connection ended: the debugger died or closed it.
    #[error("the debugger closed its connection")]
    Closed,
    /// No answer within the limit.
    #[error("no answer from the debugger within {0} ms")]
    Silent(u64),
    /// An answer that is no message of the protocol.
    #[error("the debugger answered nonsense: {0}")]
    Nonsense(String),
    /// The work was cut from outside while the debugger was waited for.
    #[error("it was cut")]
    Cut,
    /// The debugger refused a request.
    #[error("{method} was refused: {message}")]
    Refused {
        /// The request.
        method: String,
        /// The debugger's words.
        message: String,
    },
    /// The program to debug does not parse or compile.
    #[error("the program does not parse: {0}")]
    Program(String),
    /// Something else with a file or a process.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl Error {
    /// Wraps an operating-system error with what was tried.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let what = what.into();
        move |source| Error::Io { what, source }
    }
}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, Error>;
