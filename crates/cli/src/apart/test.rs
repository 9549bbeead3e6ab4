//! Chunks of `twinrun test`.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::{Case, Hash};
use twinrun_campaign::remote::{Blob, Remote};
use twinrun_campaign::{Context, Halt};
use twinrun_subject::Project;
use twinrun_testing::chunk::Chunk;
use twinrun_testing::session;
use twinrun_testing::target::Target;

use super::subjects::{CANNOT, Packed};
use super::{Away, job, read};
use crate::targets::Ready;

/// The kind's name.
pub(crate) const KIND: &str = "test";

#[derive(Serialize, Deserialize)]
struct Data {
    subjects: Vec<Packed>,
    /// Identity, place of the subject, name of the relation.
    targets: Vec<(Hash, usize, String)>,
    corpus: Vec<(String, String, Case)>,
    checked: bool,
}

/// What the chunks of a test need.
pub(crate) fn remote(
    away: &Away,
    project: &Project,
    subjects: &[(Ready, Vec<String>)],
    targets: &[&dyn Target],
    corpus: &[(String, String, Case)],
    checked: bool,
) -> Remote {
    let mut blobs: Vec<Blob> = Vec::new();
    let packed: Vec<Packed> =
        subjects.iter().map(|(ready, _)| Packed::pack(project, ready, &mut blobs)).collect();
    let place = |target: &&&dyn Target| subjects.iter().position(|(ready, _)| ready.name == target.subject());
    let targets = targets
        .iter()
        .filter_map(|target| Some((target.identity(), place(&target)?, target.relation().to_owned())))
        .collect();
    let commands = packed.iter().any(Packed::commands);
    let data = Data { subjects: packed, targets, corpus: corpus.to_vec(), checked };
    away.with(KIND, &data, blobs, commands)
}

/// A test, opened elsewhere: subjects are compiled when a chunk needs them.
pub(crate) struct Apart {
    data: Data,
    ready: Vec<OnceCell<Ready>>,
    commands: bool,
}

impl Apart {
    pub(crate) fn open(data: &Value, commands: bool) -> Result<Apart, Halt> {
        let data: Data = read("the test", data)?;
        let ready = data.subjects.iter().map(|_| OnceCell::new()).collect();
        Ok(Apart { data, ready, commands })
    }

    pub(crate) fn run(
        &mut self,
        spec: &str,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        context: &Context<'_>,
    ) -> Result<Value, Halt> {
        let chunk: Chunk = job(spec)?;
        let known = self.data.targets.iter().find(|(identity, ..)| *identity == chunk.target);
        let gone = || Halt::Failed("its relation is gone".to_owned());
        let (_, place, relation) = known.ok_or_else(gone)?;
        let cell = self.ready.get(*place).ok_or_else(gone)?;
        if cell.get().is_none() {
            let _ = cell.set(self.data.subjects[*place].open(fetch, self.commands)?);
        }
        let ready = cell.get().ok_or_else(gone)?;
        let target = ready.target(relation)?;
        if target.identity() != chunk.target {
            return Err(Halt::Failed(format!("{CANNOT}its copy of `{}` is another one", ready.name)));
        }
        let corpus = self.data.corpus.iter();
        let initial: Vec<Case> = corpus
            .filter(|(subject, of, _)| *subject == ready.name && of == relation)
            .map(|(_, _, case)| case.clone())
            .collect();
        let result = session::attend(&chunk, &*target, &initial, self.data.checked, context)?;
        if result.stopped && context.stopping() {
            return Err(Halt::Interrupted);
        }
        Ok(serde_json::to_value(&result)?)
    }
}
