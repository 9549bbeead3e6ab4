//! Pieces of a hunt in other processes: what they need there, and how they run.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::{Finding, Report};
use twinrun_campaign::remote::{Blob, Remote, Runner};
use twinrun_campaign::{Context, Halt, Setting};
use twinrun_solve::Program;
use twinrun_testing::saved::SavedCase;

use crate::hunt::{Allotment, Config, attend};
use crate::model::CHOSEN;
use crate::outcome::{Hunt, Stage, VERSION};
use crate::subject::Subject;
use crate::tasks::{Task, What};

/// The kind of jobs.
pub const KIND: &str = "hunt";

/// Who runs pieces of a hunt elsewhere, and what the caller packed for them.
#[derive(Clone, Debug)]
pub struct Away {
    /// Who runs them.
    pub runner: Arc<dyn Runner>,
    /// Threads here take jobs too.
    pub local: bool,
    /// The subjects, in the caller's form.
    pub subjects: Value,
    /// Contents that they name.
    pub blobs: Vec<Blob>,
    /// Some of them run programs of the machine.
    pub commands: bool,
}

/// What a piece depends on beside its own data.
#[derive(Serialize, Deserialize)]
struct Data {
    subjects: Value,
    jobs: (usize, usize),
    checked: bool,
    /// The version of the solver, or why there is none.
    solver: Result<String, String>,
    findings: Vec<Finding>,
    /// Cases that are replayed first.
    saved: Vec<SavedCase>,
}

impl Away {
    /// The setting of some pieces. Pictures stay here: they are quick, and need everything that the hunt knows; repairs need the project's sources.
    pub(crate) fn remote(
        &self,
        tasks: &[Task],
        config: &Config,
        hunt: &Hunt,
        allotment: &Allotment,
        saved: Vec<SavedCase>,
    ) -> Option<Remote> {
        if tasks.iter().any(|task| matches!(task.what, What::Show { .. } | What::Repair { .. })) {
            return None;
        }
        let data = Data {
            subjects: self.subjects.clone(),
            jobs: (allotment.loud, allotment.quiet),
            checked: config.checked,
            solver: config.solver.as_ref().map(|solver| solver.version.clone()).map_err(Clone::clone),
            findings: hunt.report.findings.clone(),
            saved,
        };
        let setting = Setting {
            kind: KIND.to_owned(),
            // Plain data of ours always becomes JSON.
            data: serde_json::to_value(&data).unwrap_or_default(),
            allowance: Value::Null,
            blobs: self.blobs.clone(),
            commands: self.commands,
        };
        Some(Remote { runner: Arc::clone(&self.runner), setting: Arc::new(setting), local: self.local })
    }
}

/// A hunt, opened elsewhere.
pub struct Apart {
    data: Data,
    solver: Result<Program, String>,
}

/// A failure that begins with this is no answer: another worker may be able to run the job.
const CANNOT: &str = "cannot run here: ";

impl Apart {
    /// Reads what another process packed; the subjects are the caller's to open.
    ///
    /// # Errors
    /// When it cannot be read, or the solver here is another one.
    pub fn open(data: &Value, solver: Result<Program, String>) -> Result<(Apart, Value), Halt> {
        let read = Data::deserialize(data);
        let mut data =
            read.map_err(|error| Halt::Failed(format!("the hunt cannot be understood: {error}")))?;
        let here = solver.as_ref().map(|solver| solver.version.as_str()).map_err(String::as_str);
        // Another version of the solver may give another answer.
        if let Ok(wanted) = &data.solver
            && here != Ok(wanted.as_str())
        {
            let here = here.unwrap_or("missing");
            return Err(Halt::Failed(format!("{CANNOT}the solver must be {wanted}, and here it is {here}")));
        }
        let solver = match &data.solver {
            Ok(_) => solver,
            Err(why) => Err(why.clone()),
        };
        let subjects = std::mem::take(&mut data.subjects);
        Ok((Apart { data, solver }, subjects))
    }

    /// Runs one piece; `folder` is for what must be a file, and stands for the project's.
    ///
    /// # Errors
    /// When it cannot be done, or was interrupted.
    pub fn run(
        &self,
        spec: &str,
        subjects: &[Subject<'_>],
        folder: &Path,
        context: &Context<'_>,
    ) -> Result<Value, Halt> {
        let read = serde_json::from_str(spec);
        let task: Task =
            read.map_err(|error| Halt::Failed(format!("the job cannot be understood: {error}")))?;
        let subject = subjects.iter().find(|subject| subject.name == task.subject);
        let subject = subject.ok_or_else(|| Halt::Failed("its subject is gone".to_owned()))?;
        if subject.identity()?.to_string() != task.identity {
            return Err(Halt::Failed(format!("{CANNOT}its copy of `{}` is another one", task.subject)));
        }
        let cache = folder.join(".twinrun");
        // Nothing of an earlier piece is left.
        let _ = std::fs::remove_dir_all(&cache);
        if let What::Test { relation } = &task.what {
            let own = |saved: &&SavedCase| saved.subject == task.subject && saved.relation == *relation;
            for saved in self.data.saved.iter().filter(own) {
                saved.write(&cache.join("cases"))?;
            }
        }
        let config = Config {
            project: String::new(),
            folder: folder.to_owned(),
            cache,
            version: String::new(),
            seed: task.seed,
            cases: task.cases,
            effort: task.effort,
            jobs: 1,
            checked: self.data.checked,
            fresh: false,
            solver: self.solver.clone(),
            prove_others: true,
            score: true,
            weights: CHOSEN,
            forbidden: Vec::new(),
            baseline: Vec::new(),
            away: None,
        };
        let hunt = Hunt {
            version: VERSION,
            project: String::new(),
            stage: Stage::Explaining,
            report: Report { findings: self.data.findings.clone(), ..Report::default() },
            subjects: Vec::new(),
            proofs: Vec::new(),
            shown: Vec::new(),
            combined: Vec::new(),
            noticed: Vec::new(),
            known: 0,
        };
        let (loud, quiet) = self.data.jobs;
        let answer = attend(&task, subject, &config, &hunt, &Allotment { loud, quiet }, context)?;
        if context.stopping() {
            return Err(Halt::Interrupted);
        }
        Ok(serde_json::to_value(&answer)?)
    }
}
