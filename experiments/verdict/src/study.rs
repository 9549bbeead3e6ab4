//! One fault: hunted as a user would, with the evidence of each line and the repairs written down.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twinrun_base::{Hash, Rng, Verdict};
use twinrun_campaign::{Job, What};
use twinrun_hunt::model::{COUNT, Evidence, evidence};
use twinrun_hunt::{CHOSEN, Config, Language, News, Opened, Sources, Subject, Voice, hunt, voices};
use twinrun_localize::lines::Lines;
use twinrun_results::cpu_seconds;
use twinrun_solve::Program as Solver;
use twinrun_subject::Project;
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::generate::Generator;
use twinrun_whatif::bench::Bench;
use twinrun_whatif::build::same_code;
use twinrun_whatif::repair::{Choice, Outcome};

use crate::program::{Fault, Program, Workshop, original};

/// The version of the algorithms: part of every job's identity.
pub(crate) const VERSION: u32 = 7;
/// Cases for each relation.
const CASES: u64 = 3000;
/// Cases of all relations together on which a repair that is right answers as the correct program.
const ANSWERS: u64 = 10_000;

/// How a fault is hunted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Variant {
    /// As a user would.
    Plain,
    /// No edit may give the original text: how much rests on edits that undo the very mutation.
    InverseOff,
    /// Runs name no outputs.
    WithoutOutput,
}

/// One fault of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) version: u32,
    pub(crate) study: String,
    pub(crate) program: String,
    pub(crate) variant: Variant,
    pub(crate) fault: Fault,
}

impl Job for Trial {
    fn label(&self) -> String {
        format!("{} {}", self.program, self.fault.name)
    }
}

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    NotCompiled,
    /// No relation is violated, nothing crashes.
    Undetected,
    /// No line with code is near the fault.
    NoLine,
    Detected,
}

/// A line with its evidence.
pub(crate) type Line = (String, u32, [f64; COUNT]);

/// The result of one job: what the techniques said, so that the model can be fitted again without hunting again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Studied {
    pub(crate) fate: Fate,
    /// The faulty lines.
    pub(crate) wanted: Vec<(String, u32)>,
    /// What each technique said of places.
    pub(crate) voices: Vec<Voice>,
    /// What the search for repairs gave, the repairs themselves left out.
    pub(crate) outcome: Option<Outcome>,
    /// For each choice of the outcome, whether it gives the original text.
    pub(crate) inverse: Vec<bool>,
    /// For each repair that is offered, whether it answers as the correct program.
    pub(crate) repairs: Vec<bool>,
    /// CPU seconds of the hunt, its compilers and solvers included.
    pub(crate) seconds: f64,
    /// The same by what it did.
    pub(crate) stages: BTreeMap<String, f64>,
    /// Why no edit was tried.
    pub(crate) unrepaired: Option<String>,
    /// What is known of each line that some technique names: told from the above.
    #[serde(skip)]
    pub(crate) lines: Vec<Line>,
}

impl Studied {
    pub(crate) fn without(fate: Fate) -> Studied {
        Studied {
            fate,
            wanted: Vec::new(),
            voices: Vec::new(),
            outcome: None,
            inverse: Vec::new(),
            repairs: Vec::new(),
            seconds: 0.0,
            stages: BTreeMap::new(),
            unrepaired: None,
            lines: Vec::new(),
        }
    }

    /// With the features of all lines.
    pub(crate) fn told(&self) -> Studied {
        let lines = evidence(&self.voices, self.outcome.as_ref());
        let line = |it: Evidence| (it.location.file, it.location.line, it.features);
        Studied { lines: lines.into_iter().map(line).collect(), ..self.clone() }
    }
}

/// Studies one fault.
pub(crate) fn study(
    trial: &Trial,
    program: &Program,
    workshop: &Workshop,
    solver: &Solver,
) -> Result<Studied, String> {
    let studied = workshop.with_fault(program, &trial.fault, |subject, relations| {
        hunted(trial, program, workshop, solver, subject, relations)
    });
    match studied {
        Ok(Some(studied)) => studied,
        Ok(None) => Ok(Studied::without(Fate::NotCompiled)),
        Err(error) => Err(error.to_string()),
    }
}

fn hunted(
    trial: &Trial,
    program: &Program,
    workshop: &Workshop,
    solver: &Solver,
    subject: &WasmSubject,
    relations: &[String],
) -> Result<Studied, String> {
    let wanted = wanted(&Lines::of(subject.modules()), &trial.fault);
    if wanted.is_empty() {
        return Ok(Studied::without(Fate::NoLine));
    }
    let folder = workshop.project(program);
    let project = Project::read(&folder.join("twinrun.toml")).map_err(|error| error.to_string())?;
    let cache = workshop.folder.join("hunt").join(Hash::of([&trial.program, &trial.fault.name]).short());
    let text = original(&trial.fault.file);
    let config = Config {
        project: program.name.to_owned(),
        folder,
        cache: cache.clone(),
        version: "study".to_owned(),
        seed: 1,
        cases: CASES,
        effort: 1,
        jobs: 1,
        checked: false,
        fresh: true,
        solver: Ok(solver.clone()),
        prove_others: false,
        score: false,
        weights: CHOSEN,
        forbidden: if trial.variant == Variant::InverseOff { vec![text.clone()] } else { Vec::new() },
        baseline: Vec::new(),
        away: None,
    };
    let hunted = Subject {
        name: program.name.to_owned(),
        opened: Opened::Wasm(subject),
        relations: relations.to_vec(),
        language: Language::Other,
        sources: Some(Sources { project: &project, environment: &workshop.environment, relations }),
    };
    let began = cpu_seconds();
    let mut stages: BTreeMap<String, f64> = BTreeMap::new();
    let (mut label, mut since) = (String::new(), began);
    let mut tell = |news: News<'_>| {
        let News::Event(event) = news else { return };
        match &event.what {
            What::Started { label: next, .. } => {
                label = next.split_whitespace().next().unwrap_or_default().to_owned();
                since = cpu_seconds();
            }
            What::Finished { .. } => {
                *stages.entry(std::mem::take(&mut label)).or_default() += cpu_seconds() - since;
            }
            _ => {}
        }
    };
    let found = hunt(&[hunted], &config, &mut tell).map_err(|error| error.to_string());
    let seconds = cpu_seconds() - began;
    // Thousands of folders would stay behind.
    let _ = std::fs::remove_dir_all(&cache);
    let found = found?;
    let Some(finding) = found.report.findings.first() else { return Ok(Studied::without(Fate::Undetected)) };
    let file = found.subjects.first();
    let proof = found.proofs.iter().find(|proof| proof.relation == finding.relation);
    let repaired = file.and_then(|file| file.repaired.report());
    let said = voices(
        file.and_then(|file| file.located.report()),
        file.and_then(|file| file.debugged.report()),
        proof.and_then(|proof| proof.proved.report()),
    );
    let outcome = repaired.map(|it| &it.outcome);
    let mut repairs = Vec::new();
    let faulty = std::fs::read_to_string(workshop.folder.join(&trial.fault.file))
        .map_err(|error| error.to_string())?;
    let inverse = |choice: &Choice| {
        let (at, length, replacement) = &choice.edit;
        same_file(&choice.file, &trial.fault.file)
            && same_code(&[&faulty[..*at], replacement, &faulty[at + length..]].concat(), &text)
    };
    let inverse = outcome.map_or_else(Vec::new, |it| it.choices.iter().map(inverse).collect());
    if let Some(outcome) = outcome.filter(|it| !it.repairs.is_empty()) {
        let correct =
            workshop.with_text(program, &trial.fault.file, &text).map_err(|error| error.to_string())?;
        let correct = correct.ok_or("the correct program does not compile")?;
        for repair in &outcome.repairs {
            let (at, length, replacement) = &repair.edit;
            let repaired = match same_file(&repair.file, &trial.fault.file) {
                true => [&faulty[..*at], replacement, &faulty[at + length..]].concat(),
                // A repair in another file leaves the fault where it is.
                false => {
                    repairs.push(false);
                    continue;
                }
            };
            let candidate = workshop
                .with_text(program, &trial.fault.file, &repaired)
                .map_err(|error| error.to_string())?;
            repairs.push(match candidate {
                Some(candidate) => same_answers(&candidate, &correct, relations)?,
                None => false,
            });
        }
    }
    Ok(Studied {
        fate: Fate::Detected,
        wanted,
        voices: said,
        outcome: outcome.map(|it| Outcome { repairs: Vec::new(), ..it.clone() }),
        inverse,
        repairs,
        seconds,
        stages,
        unrepaired: file.and_then(|file| file.repaired.why()).map(str::to_owned),
        lines: Vec::new(),
    })
}

fn same_file(a: &str, b: &str) -> bool {
    a.rsplit('/').next() == b.rsplit('/').next()
}

/// Whether a subject answers as another one on drawn cases: every compared value, output and verdict.
fn same_answers(one: &WasmSubject, other: &WasmSubject, relations: &[String]) -> Result<bool, String> {
    let bench = |subject: &WasmSubject| {
        Bench::new(subject.modules(), subject.limits()).map_err(|error| error.to_string())
    };
    let (mut one, mut other) = (bench(one)?, bench(other)?);
    for relation in relations {
        let mut generator = Generator::new(Rng::new(77), &[]);
        for _ in 0..ANSWERS / relations.len().max(1) as u64 {
            generator.begin(&[]);
            let right = other.draw(relation, &mut generator).map_err(|error| error.to_string())?;
            let answer = one.run(relation, &generator.case()).map_err(|error| error.to_string())?;
            if (answer.verdict, &answer.values) != (right.verdict, &right.values)
                && right.verdict == Verdict::Holds
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The faulty lines among those with code, or where the fault has none the nearest before and behind it.
fn wanted(lines: &Lines, fault: &Fault) -> Vec<(String, u32)> {
    let (first, last) = fault.lines();
    let of_file: Vec<(&String, u32)> = lines
        .lines
        .iter()
        .map(|line| (&line.location.file, line.location.line))
        .filter(|(file, _)| same_file(file, &fault.file))
        .collect();
    let exact: Vec<(String, u32)> = of_file
        .iter()
        .filter(|(_, line)| (first..=last).contains(line))
        .map(|(file, line)| ((*file).clone(), *line))
        .collect();
    if !exact.is_empty() && !fault.missing {
        return exact;
    }
    let before = of_file.iter().rev().find(|(_, line)| *line < first);
    let behind = of_file.iter().find(|(_, line)| *line > last);
    let around = before.into_iter().chain(behind).map(|(file, line)| ((*file).clone(), *line));
    exact.into_iter().chain(around).collect()
}
