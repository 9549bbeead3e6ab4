//! What workers say of themselves.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::names::word;

/// A worker as others see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name.
    pub worker: String,
    /// Its machine.
    pub host: String,
    /// Its process.
    pub process: u32,
    /// Its version of Twinrun.
    pub version: String,
    /// Jobs that it runs at once.
    pub jobs: usize,
    /// Its labels.
    pub labels: Vec<String>,
    /// It runs programs of its machine.
    pub commands: bool,
    /// Jobs that run now.
    pub running: usize,
    /// Jobs that it has answered.
    pub answered: u64,
    /// Messages that it has refused.
    pub refused: u64,
    /// Children that died.
    pub deaths: u64,
    /// It takes no further jobs.
    pub draining: bool,
}

impl Presence {
    /// # Errors
    /// When it is none.
    pub(crate) fn read(bytes: &[u8]) -> Result<Presence, Error> {
        let read: Presence =
            serde_json::from_slice(bytes).map_err(|error| Error::Message(error.to_string()))?;
        word(&read.worker)?;
        Ok(read)
    }
}
