//! Mutants of `twinrun score`: built or patched by the coordinator, judged anywhere.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::Hash;
use twinrun_campaign::remote::{Blob, Remote};
use twinrun_campaign::{Context, Halt, Job};
use twinrun_subject::{Module, Project};
use twinrun_testing::engine::{Modules, WasmSubject};

use super::subjects::Packed;
use super::{Away, job, read};
use crate::commands::score::judge::{Judged, Outputs, judge};
use crate::targets::{Opened, Ready};

/// The kind's name.
pub(crate) const KIND: &str = "score";
/// The version of the algorithm: part of every job's identity.
const ALGORITHM: u32 = 1;

/// A job: all relations on one mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Trial {
    algorithm: u32,
    /// The original's subject and limits.
    original: Hash,
    /// For people.
    name: String,
    mutant: Mutated,
    seed: u64,
    cases: u64,
}

/// A mutant's modules, by the BLAKE3 of their bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mutated {
    /// With the relations.
    pub(crate) relations: String,
    /// By the names under which relations run them.
    pub(crate) programs: Vec<(String, String)>,
    /// Instructions were exchanged in place: the tables of the original hold.
    pub(crate) in_place: bool,
}

impl Mutated {
    /// A mutant's modules; their bytes are added to the blobs.
    pub(crate) fn of(modules: &Modules, in_place: bool, blobs: &mut Vec<Blob>) -> Mutated {
        let mut name = |module: &Arc<Module>| {
            let blob = Blob::new(Arc::clone(&module.bytes));
            blobs.push(blob.clone());
            blob.hash
        };
        Mutated {
            relations: name(&modules.relations),
            programs: modules.programs.iter().map(|(known, module)| (known.clone(), name(module))).collect(),
            in_place,
        }
    }

    fn modules(
        &self,
        original: &Modules,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Modules, Halt> {
        let one = |hash: &str, original: &Arc<Module>| -> Result<Arc<Module>, Halt> {
            let bytes: Arc<[u8]> = fetch(hash).map_err(Halt::Failed)?.into();
            Ok(match self.in_place {
                true => Arc::new(Module { hash: Hash::of([&bytes]), bytes, ..Module::clone(original) }),
                false => Arc::new(Module::load(bytes, &original.roots)?),
            })
        };
        let mut programs = Vec::new();
        for ((name, hash), (_, original)) in self.programs.iter().zip(&original.programs) {
            programs.push((name.clone(), one(hash, original)?));
        }
        Ok(Modules { relations: one(&self.relations, &original.relations)?, programs })
    }
}

impl Trial {
    pub(crate) fn new(original: Hash, name: String, mutant: Mutated, seed: u64, cases: u64) -> Trial {
        Trial { algorithm: ALGORITHM, original, name, mutant, seed, cases }
    }
}

impl Job for Trial {
    fn label(&self) -> String {
        format!("judging {}", self.name)
    }
}

/// What the jobs of some mutants need.
pub(crate) fn remote(
    away: &Away,
    project: &Project,
    original: &Ready,
    expected: &Outputs,
    mutants: &[Blob],
) -> Remote {
    let mut blobs = mutants.to_vec();
    let packed = Packed::pack(project, original, &mut blobs);
    let commands = packed.commands();
    away.with(KIND, &(packed, expected), blobs, commands)
}

/// Judges one mutant.
pub(crate) fn attend(
    original: &Ready,
    expected: &Outputs,
    trial: &Trial,
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    context: &Context<'_>,
) -> Result<Judged, Halt> {
    let Opened::Wasm(subject) = &original.opened else {
        return Err(Halt::Failed("a command has no mutants".to_owned()));
    };
    if context.stopping() {
        return Err(Halt::Interrupted);
    }
    let modules = trial.mutant.modules(subject.modules(), fetch)?;
    let opened = WasmSubject::new(&original.name, modules, None, subject.limits(), "score")?;
    let ready = Ready {
        name: original.name.clone(),
        opened: Opened::Wasm(opened),
        relations: original.relations.clone(),
        notices: Vec::new(),
    };
    Ok(judge(&ready, trial.seed, trial.cases, expected)?)
}

/// An original with what its runs give, opened elsewhere.
pub(crate) struct Apart {
    original: Ready,
    expected: Outputs,
}

impl Apart {
    pub(crate) fn open(
        data: &Value,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        commands: bool,
    ) -> Result<Apart, Halt> {
        let (packed, expected): (Packed, Outputs) = read("the subject", data)?;
        Ok(Apart { original: packed.open(fetch, commands)?, expected })
    }

    pub(crate) fn run(
        &mut self,
        spec: &str,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        context: &Context<'_>,
    ) -> Result<Value, Halt> {
        let trial: Trial = job(spec)?;
        Ok(serde_json::to_value(attend(&self.original, &self.expected, &trial, fetch, context)?)?)
    }
}
