//! Groups for `twinrun locate`, one job for each relation.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::Hash;
use twinrun_campaign::remote::Remote;
use twinrun_campaign::{Context, Halt, Job};
use twinrun_localize::gather::{self, gather_one};
use twinrun_subject::Project;
use twinrun_testing::target::Target;

use super::subjects::Packed;
use super::{Away, job, read};
use crate::targets::Ready;

/// The kind's name.
pub(crate) const KIND: &str = "locate";
/// The version of the algorithm: part of every job's identity.
const ALGORITHM: u32 = 1;

/// A job: groups of one relation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Draw {
    algorithm: u32,
    target: Hash,
    name: String,
    relation: usize,
    seed: u64,
    groups: usize,
}

impl Job for Draw {
    fn label(&self) -> String {
        format!("drawing {} groups of {}", self.groups, self.name)
    }
}

/// The jobs: one for each relation, in their order.
pub(crate) fn jobs(targets: &[&dyn Target], config: &gather::Config) -> Vec<Draw> {
    let job = |(relation, target): (usize, &&dyn Target)| Draw {
        algorithm: ALGORITHM,
        target: target.identity(),
        name: target.relation().to_owned(),
        relation,
        seed: config.seed,
        groups: config.groups,
    };
    targets.iter().enumerate().map(job).collect()
}

/// What the jobs need.
pub(crate) fn remote(away: &Away, project: &Project, ready: &Ready) -> Remote {
    let mut blobs = Vec::new();
    let packed = Packed::pack(project, ready, &mut blobs);
    let commands = packed.commands();
    away.with(KIND, &packed, blobs, commands)
}

/// Runs a job.
pub(crate) fn attend(ready: &Ready, draw: &Draw, context: &Context<'_>) -> Result<gather::Gathered, Halt> {
    let target = ready.target(&draw.name)?;
    if target.identity() != draw.target {
        return Err(Halt::Failed("its relation is gone".to_owned()));
    }
    let config = gather::Config { seed: draw.seed, groups: draw.groups, ..gather::Config::default() };
    let progress = |_, drawn: usize| {
        context.progress(drawn as u64, Some(draw.groups as u64), "");
        drawn % 16 == 15 && context.stopping()
    };
    let gathered = gather_one(draw.relation, &*target, &config, &progress)?;
    if context.stopping() { Err(Halt::Interrupted) } else { Ok(gathered) }
}

/// A subject, opened elsewhere.
pub(crate) struct Apart {
    ready: Ready,
}

impl Apart {
    pub(crate) fn open(
        data: &Value,
        fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
        commands: bool,
    ) -> Result<Apart, Halt> {
        let packed: Packed = read("the subject", data)?;
        Ok(Apart { ready: packed.open(fetch, commands)? })
    }

    pub(crate) fn run(&mut self, spec: &str, context: &Context<'_>) -> Result<Value, Halt> {
        Ok(serde_json::to_value(attend(&self.ready, &job(spec)?, context)?)?)
    }
}
