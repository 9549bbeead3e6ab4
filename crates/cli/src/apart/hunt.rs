//! Pieces of `twinrun hunt`.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use twinrun_campaign::{Context, Halt};
use twinrun_hunt::apart::{self, Away as Packed};
use twinrun_hunt::{Language, Opened as Hunted, Subject};
use twinrun_solve::Program;
use twinrun_subject::Project;

use super::subjects::Packed as Shipped;
use super::{Away, read};
use crate::targets::{Opened, Ready};

/// The kind's name.
pub(crate) const KIND: &str = apart::KIND;

/// What the pieces of a hunt need.
pub(crate) fn pack<'a>(
    away: &Away,
    project: &Project,
    subjects: impl Iterator<Item = (&'a Ready, &'a [String])>,
) -> Packed {
    let mut blobs = Vec::new();
    let shipped: Vec<(Shipped, &[String])> =
        subjects.map(|(ready, relations)| (Shipped::pack(project, ready, &mut blobs), relations)).collect();
    Packed {
        runner: std::sync::Arc::clone(&away.runner),
        local: away.local,
        commands: shipped.iter().any(|(shipped, _)| shipped.commands()),
        // Plain data of ours always becomes JSON.
        subjects: serde_json::to_value(&shipped).unwrap_or_default(),
        blobs,
    }
}

/// A hunt, opened elsewhere.
pub(crate) struct Apart {
    apart: apart::Apart,
    ready: Vec<(Ready, Option<Ready>, Vec<String>)>,
    folder: PathBuf,
}

impl Apart {
    pub(crate) fn open(
        data: &Value,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        folder: &Path,
        commands: bool,
    ) -> Result<Apart, Halt> {
        let here = std::env::current_dir().unwrap_or_default();
        let (apart, subjects) =
            apart::Apart::open(data, Program::find(&here).map_err(|error| error.to_string()))?;
        let shipped: Vec<(Shipped, Vec<String>)> = read("the subjects", &subjects)?;
        let mut ready = Vec::new();
        for (subject, relations) in shipped {
            if let Shipped::Wasm { subject, .. } = &subject {
                for (path, hash) in subject.sources() {
                    unpack(folder, path, &fetch(hash).map_err(Halt::Failed)?)?;
                }
            }
            let covered = subject.open_with_coverage(commands)?;
            ready.push((subject.open(fetch, commands)?, covered, relations));
        }
        Ok(Apart { apart, ready, folder: folder.to_owned() })
    }

    pub(crate) fn run(&mut self, spec: &str, context: &Context<'_>) -> Result<Value, Halt> {
        let subjects: Vec<Subject<'_>> = self.ready.iter().map(subject).collect();
        self.apart.run(spec, &subjects, &self.folder, context)
    }
}

fn subject((ready, covered, relations): &(Ready, Option<Ready>, Vec<String>)) -> Subject<'_> {
    let opened = match &ready.opened {
        Opened::Wasm(subject) => Hunted::Wasm(subject),
        Opened::Command(plain) => Hunted::Command {
            plain,
            covered: covered.as_ref().and_then(|covered| match &covered.opened {
                Opened::Command(command) => Some(command),
                Opened::Wasm(_) => None,
            }),
        },
    };
    // Tests to copy are written by the coordinator, with the pictures.
    Subject {
        name: ready.name.clone(),
        opened,
        relations: relations.clone(),
        language: Language::Other,
        sources: None,
    }
}

/// Puts a source where proofs look for it. Those outside the project stay away: no message writes there.
fn unpack(folder: &Path, path: &str, bytes: &[u8]) -> Result<(), Halt> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(());
    }
    let full = folder.join(path);
    if let Some(parent) = full.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(full, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_source_is_written_outside_its_folder() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("in");
        std::fs::create_dir(&folder).unwrap();
        let absolute = around.path().join("absolute").display().to_string();
        for path in ["../out.c", "a/../../out.c", &absolute, ".", ""] {
            let _ = unpack(&folder, path, b"x");
        }
        assert_eq!(std::fs::read_dir(around.path()).unwrap().count(), 1);
        unpack(&folder, "src/a.c", b"x").unwrap();
        assert!(folder.join("src/a.c").is_file());
    }
}
