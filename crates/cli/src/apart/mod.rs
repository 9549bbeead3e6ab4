//! Jobs apart: what each kind needs to run in another process, and how it runs there.
//!
//! One file for each kind. The commands pack what their jobs need; a worker's child opens it and runs jobs one after the other.
//! Nothing here knows how the two talk: see `crates/cluster`.

#![cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "only workers open what is packed here"))]

pub(crate) mod debugger;
pub(crate) mod hunt;
pub(crate) mod locate;
pub(crate) mod score;
pub(crate) mod subjects;
pub(crate) mod test;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use twinrun_campaign::remote::{Blob, Remote, Runner};
use twinrun_campaign::{Halt, Setting};

/// Who runs jobs elsewhere, as the command line and the project say.
#[derive(Clone, Debug)]
pub(crate) struct Away {
    /// Who runs them.
    pub(crate) runner: Arc<dyn Runner>,
    /// Threads here take jobs too.
    pub(crate) local: bool,
}

impl Away {
    /// The jobs of a kind there.
    pub(crate) fn with(&self, kind: &str, data: &impl Serialize, blobs: Vec<Blob>, commands: bool) -> Remote {
        let setting = Setting {
            kind: kind.to_owned(),
            // Plain data of ours always becomes JSON.
            data: serde_json::to_value(data).unwrap_or_default(),
            allowance: Value::Null,
            blobs,
            commands,
        };
        Remote { runner: Arc::clone(&self.runner), setting: Arc::new(setting), local: self.local }
    }
}

/// Reads what another process wrote.
pub(crate) fn read<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, Halt> {
    T::deserialize(value).map_err(|error| Halt::Failed(format!("{what} cannot be understood: {error}")))
}

/// Reads a job.
pub(crate) fn job<T: DeserializeOwned>(spec: &str) -> Result<T, Halt> {
    serde_json::from_str(spec).map_err(|error| Halt::Failed(format!("the job cannot be understood: {error}")))
}
