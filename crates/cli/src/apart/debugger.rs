//! Tests of debuggers. The debugger must be installed where they run, in the same version.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_campaign::remote::Remote;
use twinrun_campaign::{Context, Halt};
use twinrun_debugger::backends::dap::Description;
use twinrun_debugger::{Backend, TestJob, attend};

use super::subjects::CANNOT;
use super::{Away, job, read};
use crate::commands::debugger::{Fleet, Kind};

/// The kind's name.
pub(crate) const KIND: &str = "debugger";

#[derive(Serialize, Deserialize)]
struct Data {
    debugger: Kind,
    binary: PathBuf,
    packages: PathBuf,
    #[serde(default)]
    description: Option<Description>,
    /// Its name with its version.
    name: String,
}

/// What tests of a debugger need.
pub(crate) fn remote(
    away: &Away,
    debugger: Kind,
    binary: &Path,
    packages: &Path,
    description: Option<Description>,
    name: &str,
) -> Remote {
    let packages = std::path::absolute(packages).unwrap_or_else(|_| packages.to_owned());
    let data = Data { debugger, binary: binary.to_owned(), packages, description, name: name.to_owned() };
    away.with(KIND, &data, Vec::new(), true)
}

/// A debugger, started elsewhere.
pub(crate) struct Apart {
    // Before the fleet, which takes the debuggers' folder with it.
    backend: Option<Box<dyn Backend>>,
    fleet: Fleet,
    name: String,
}

impl Apart {
    pub(crate) fn open(data: &Value, folder: &Path, commands: bool) -> Result<Apart, Halt> {
        let cannot = |reason: &str| Halt::Failed(format!("{CANNOT}{reason}"));
        if !commands {
            return Err(cannot("it was not started with --allow-commands"));
        }
        let Data { debugger, binary, packages, description, name } = read("the campaign", data)?;
        let fleet = Fleet::new(debugger, &binary, &packages, description, folder);
        let found = fleet.version().map_err(|error| cannot(&error.to_string()))?;
        match found == name {
            true => Ok(Apart { backend: None, fleet, name }),
            false => Err(cannot(&format!("its debugger is {found}, and {name} is wanted"))),
        }
    }

    pub(crate) fn run(&mut self, spec: &str, context: &Context<'_>) -> Result<Value, Halt> {
        let test: TestJob = job(spec)?;
        if test.debugger != self.name {
            return Err(Halt::Failed("the job is for another debugger".to_owned()));
        }
        let backend = match &mut self.backend {
            Some(backend) => backend,
            none => none.insert(self.fleet.start()?),
        };
        Ok(serde_json::to_value(attend(backend.as_mut(), &test, context)?)?)
    }
}
