//! The first half of the study: each mutant is built and tested; what violates a relation is kept for the reports.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Limits, Rng, Verdict};
use twinrun_campaign::Job;
use twinrun_debug::{Subject, Violated};
use twinrun_interp::Concrete;
use twinrun_interp::group::{Prepared, run_group};
use twinrun_results::cpu_seconds;
use twinrun_subject::Module;
use twinrun_testing::engine::{Modules, WasmSubject};
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target};
use twinrun_whatif::{Fault, FaultKind, Mutant, apply};

use crate::workspace::{Error, Workspace};

/// The version of what is done here: part of every job's identity.
pub(crate) const VERSION: u32 = 1;
/// Violating cases of each relation.
const CASES: usize = 10;
/// Tries for them, as published.
const TRIES: u64 = 100_000;
/// The first tries run on the interpreter: most mutants are killed before compiling them would pay.
const QUICK: u64 = 600;

/// Limits of every group of the study.
pub(crate) const LIMITS: fn() -> Limits = || Limits { work: 100_000, ..Limits::default() };

/// One mutant of one program, to be built and tested.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Test {
    pub(crate) version: u32,
    pub(crate) program: String,
    pub(crate) file: String,
    pub(crate) mutant: String,
    pub(crate) operator: String,
    /// Hash of all sources.
    pub(crate) sources: String,
    pub(crate) seed: u64,
}

impl Job for Test {
    fn label(&self) -> String {
        format!("{}: {}", self.program, self.mutant)
    }
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    /// The compiler refuses it.
    NotCompiled,
    /// A case crashes or does not end: left out, as published.
    Crashed,
    /// No relation is violated in all tries.
    Survived,
    /// Some relation is violated.
    Killed,
}

/// A tested mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tested {
    pub(crate) fate: Fate,
    /// Violating cases with their relations.
    pub(crate) violated: Vec<(String, Case)>,
    /// CPU seconds for building and testing.
    pub(crate) spent: [f64; 2],
}

/// A killed mutant, built again or read from where the test left it.
pub(crate) struct Killed {
    pub(crate) module: Module,
    /// Where the fault is on a trace: the mutant itself, or a twin with a mark where code is missing.
    pub(crate) marked: Option<Module>,
    pub(crate) fault: Fault,
}

/// Builds and tests a mutant.
pub(crate) fn test(
    job: &Test,
    workspace: &Workspace,
    file: &str,
    mutant: &Mutant,
) -> Result<Tested, Box<dyn std::error::Error>> {
    let began = cpu_seconds();
    let text = apply(workspace.text(file), mutant);
    let module = match workspace.build(file, &text) {
        Ok(module) => module,
        Err(Error::Subject(twinrun_subject::Error::Compile { .. } | twinrun_subject::Error::Link { .. })) => {
            return Ok(Tested { fate: Fate::NotCompiled, violated: Vec::new(), spent: [0.0; 2] });
        }
        Err(error) => return Err(error.into()),
    };
    let built = cpu_seconds();
    let subject = Subject::new(&job.program, &module, &[], LIMITS())?;
    let violated = violations(&subject, &module, job.seed)?;
    let spent = [built - began, cpu_seconds() - built];
    let (fate, violated) = match violated {
        None => (Fate::Crashed, Vec::new()),
        Some(violated) if violated.is_empty() => (Fate::Survived, Vec::new()),
        Some(violated) => (Fate::Killed, violated),
    };
    if fate == Fate::Killed {
        let path = kept(workspace, job);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, &module.bytes)?;
        if mutant.fault.kind == FaultKind::Missing {
            let text = apply(workspace.text(file), &mark(mutant));
            fs::write(path.with_extension("marked"), &workspace.build(file, &text)?.bytes)?;
        }
    }
    let violated = violated.into_iter().map(|it| (it.relation, it.case)).collect();
    Ok(Tested { fate, violated, spent })
}

/// The modules of a killed mutant.
pub(crate) fn killed(
    job: &Test,
    workspace: &Workspace,
    file: &str,
    mutant: &Mutant,
) -> Result<Killed, Error> {
    let path = kept(workspace, job);
    let load = |path: PathBuf, mutant: &Mutant| {
        let text = apply(workspace.text(file), mutant);
        match fs::read(&path) {
            Ok(bytes) => workspace.load(file, &text, bytes),
            Err(_) => workspace.build(file, &text),
        }
    };
    let module = load(path.clone(), mutant)?;
    if mutant.fault.kind != FaultKind::Missing {
        return Ok(Killed { module, marked: None, fault: mutant.fault });
    }
    let twin = mark(mutant);
    let marked = load(path.with_extension("marked"), &twin)?;
    Ok(Killed { module, marked: Some(marked), fault: twin.fault })
}

/// Where the module of a killed mutant is kept.
fn kept(workspace: &Workspace, job: &Test) -> PathBuf {
    workspace.kept.join(&job.program).join(format!("{}-{}.wasm", job.file.replace('.', "-"), job.mutant))
}

/// The mutant with a harmless read where code is missing, so that the place has code.
fn mark(mutant: &Mutant) -> Mutant {
    let mark = "(void)*(volatile int *)1024;";
    let replacement = format!("{{ {mark} {} }}", mutant.replacement);
    let mut marked = mutant.clone();
    marked.fault.to = (mutant.fault.from.0, mutant.fault.from.1 + 2 + mark.len() as u32);
    marked.replacement = replacement;
    marked
}

/// Up to ten violating cases of each relation; nothing when a case crashes or does not end.
fn violations(
    subject: &Subject,
    module: &Module,
    seed: u64,
) -> Result<Option<Vec<Violated>>, Box<dyn std::error::Error>> {
    let prepared = Prepared::new(&subject.module, LIMITS(), &mut Concrete)?;
    let mut all = Vec::new();
    let mut open = Vec::new();
    for (number, (relation, function)) in prepared.relations.iter().enumerate() {
        let mut generator = Generator::new(Rng::fork(seed, number as u64), &[]);
        let mut found: Vec<Case> = Vec::new();
        for _ in 0..QUICK {
            generator.begin(&[]);
            let ended = run_group(&prepared, *function, &mut generator, &mut ())?.verdict;
            if !take(ended, &generator, &mut found) {
                return Ok(None);
            }
            if found.len() == CASES {
                break;
            }
        }
        open.push((relation.clone(), generator, found));
    }
    if open.iter().any(|(_, _, found)| found.len() < CASES) {
        let modules = Modules { relations: Arc::new(module.clone()), programs: Vec::new() };
        let compiled = WasmSubject::new("study", modules, None, LIMITS(), "study")?;
        for (relation, generator, found) in &mut open {
            let target = compiled.target(relation)?;
            let Some(mut executor) = target.executor(Build::Plain)? else { continue };
            for _ in QUICK..TRIES {
                if found.len() == CASES {
                    break;
                }
                generator.begin(&[]);
                let ended = executor.run(generator)?.verdict;
                if !take(ended, generator, found) {
                    return Ok(None);
                }
            }
        }
    }
    for (relation, _, found) in open {
        all.extend(found.into_iter().map(|case| Violated { relation: relation.clone(), case }));
    }
    Ok(Some(all))
}

/// Takes in how a case ended; false when the mutant crashes or hangs.
fn take(ended: Verdict, generator: &Generator, found: &mut Vec<Case>) -> bool {
    match ended {
        Verdict::Violated => {
            let case = generator.case();
            if !found.contains(&case) {
                found.push(case);
            }
            true
        }
        Verdict::Holds | Verdict::Discarded => true,
        Verdict::Crashed | Verdict::Timeout => false,
    }
}
