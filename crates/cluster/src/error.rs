//! What keeps a cluster from being used.

use std::fmt::Display;
use std::path::PathBuf;

/// Why something on the cluster could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server cannot be reached or refuses us.
    #[error("cannot connect to NATS at {url}: {reason}")]
    Connect {
        /// Where.
        url: String,
        /// What the client said.
        reason: String,
        /// Nobody answered; who refuses us will do so again.
        away: bool,
    },
    /// A file with credentials or certificates.
    #[error("cannot use {}: {reason}", path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The server answers, but not as we need it.
    #[error("NATS: {what}: {reason}")]
    Server {
        /// What we wanted.
        what: &'static str,
        /// What it said.
        reason: String,
    },
    /// A name that would be no name of a stream or subject.
    #[error("`{0}` is no name: use letters, digits, - and _")]
    Name(String),
    /// Contents that are missing or not what their name says.
    #[error("the contents {hash} {reason}")]
    Blob {
        /// Their name.
        hash: String,
        /// What is wrong.
        reason: String,
    },
    /// A message that does not say what it should.
    #[error("not a valid message: {0}")]
    Message(String),
    /// The worker's folder.
    #[error("cannot use the folder {}: {source}", path.display())]
    Folder {
        /// The folder or a file in it.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A child cannot be started.
    #[error("cannot start a child of the worker: {0}")]
    Child(std::io::Error),
    /// No runtime.
    #[error("cannot start a runtime: {0}")]
    Runtime(std::io::Error),
}

/// For `map_err`: what was wanted, with what the client said.
pub(crate) fn server<E: Display>(what: &'static str) -> impl FnOnce(E) -> Error {
    move |error| Error::Server { what, reason: error.to_string() }
}
