//! Subjects for other processes: WebAssembly travels, commands must be there.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twinrun_campaign::Halt;
use twinrun_campaign::remote::Blob;
use twinrun_subject::Project;
use twinrun_testing::shipped::Shipped;

use crate::targets::{self, Opened, Ready};

/// A failure that says that another worker may be able to run the job.
pub(crate) const CANNOT: &str = "cannot run here: ";

/// A subject as it travels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Packed {
    /// Modules and sources by their hashes.
    Wasm { subject: Box<Shipped>, relations: Vec<String> },
    /// A command of the project, which lies in the same folder on every machine.
    Command { project: PathBuf, name: String, relations: Vec<String> },
}

impl Packed {
    /// Packs a subject of a project; what it names is added to the blobs.
    pub(crate) fn pack(project: &Project, ready: &Ready, blobs: &mut Vec<Blob>) -> Packed {
        let relations = ready.relations.clone();
        match &ready.opened {
            Opened::Wasm(subject) => {
                let (subject, contents) = Shipped::pack(subject);
                blobs.extend(contents);
                Packed::Wasm { subject: Box::new(subject), relations }
            }
            Opened::Command(_) => {
                Packed::Command { project: project.path.clone(), name: ready.name.clone(), relations }
            }
        }
    }

    /// Whether it runs programs of the machine.
    pub(crate) fn commands(&self) -> bool {
        matches!(self, Packed::Command { .. })
    }

    /// A command that tells its coverage, opened to collect it.
    pub(crate) fn open_with_coverage(&self, commands: bool) -> Result<Option<Ready>, Halt> {
        let Packed::Command { project, name, .. } = self else { return Ok(None) };
        if !commands {
            return Err(Halt::Failed(format!("{CANNOT}it was not started with --allow-commands")));
        }
        let open = || -> Result<Option<Ready>, String> {
            let project = Project::read(project).map_err(|error| error.to_string())?;
            let plain = targets::ready(&project, name).map_err(|error| error.to_string())?;
            let tells = matches!(&plain.opened, Opened::Command(command) if command.coverage().is_some());
            let covered = tells.then(|| targets::ready_with_coverage(&project, name)).transpose();
            covered.map_err(|error| error.to_string())
        };
        open().map_err(|reason| Halt::Failed(format!("{CANNOT}{reason}")))
    }

    /// Opens it. Commands only where they are allowed.
    pub(crate) fn open(
        &self,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        commands: bool,
    ) -> Result<Ready, Halt> {
        match self {
            Packed::Wasm { subject, relations } => Ok(Ready {
                name: subject.name().to_owned(),
                opened: Opened::Wasm(subject.open(fetch)?),
                relations: relations.clone(),
                notices: Vec::new(),
            }),
            Packed::Command { .. } if !commands => {
                Err(Halt::Failed(format!("{CANNOT}it was not started with --allow-commands")))
            }
            Packed::Command { project, name, .. } => {
                open_command(project, name).map_err(|reason| Halt::Failed(format!("{CANNOT}{reason}")))
            }
        }
    }
}

fn open_command(project: &Path, name: &str) -> Result<Ready, String> {
    let project = Project::read(project).map_err(|error| error.to_string())?;
    targets::ready(&project, name).map_err(|error| error.to_string())
}
