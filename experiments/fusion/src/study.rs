//! One mutant: hunted as a user would, with what each technique says written down.

use serde::{Deserialize, Serialize};
use twinrun_base::{Hash, Location, Verdict};
use twinrun_campaign::Job;
use twinrun_hunt::fuse::Technique;
use twinrun_hunt::{Config, Language, Opened, Subject, Voice, Vote, Weights, hunt, voices};
use twinrun_localize::lines::Lines;
use twinrun_solve::Program as Solver;
use twinrun_testing::engine::WasmSubject;

use crate::program::{Fault, Program, Workshop};

/// The version of the algorithms: part of every job's identity.
pub(crate) const VERSION: u32 = 2;
/// Cases for each relation.
const CASES: u64 = 3000;

/// One mutant of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) version: u32,
    pub(crate) study: String,
    pub(crate) program: String,
    pub(crate) fault: Fault,
}

impl Job for Trial {
    fn label(&self) -> String {
        format!("{} {}", self.program, self.fault.name)
    }
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    NotCompiled,
    /// No relation is violated.
    Survived,
    /// A case crashes or does not end: left out, as in both studies.
    Crashed,
    /// No line with code is near the fault.
    NoLine,
    Killed,
}

/// A line with its score.
type Line = (String, u32, f64);

/// The result of one job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Studied {
    pub(crate) fate: Fate,
    /// The faulty lines.
    pub(crate) wanted: Vec<(String, u32)>,
    /// What each technique says: lines with their scores, the most suspicious first.
    pub(crate) said: Vec<(u8, Vec<Line>)>,
}

impl Studied {
    fn without(fate: Fate) -> Studied {
        Studied { fate, wanted: Vec::new(), said: Vec::new() }
    }

    /// The voices as fusion wants them.
    pub(crate) fn voices(&self) -> Vec<Voice> {
        let technique = |code: u8| [Technique::Locate, Technique::Debug, Technique::Prove][code as usize % 3];
        let vote = |(file, line, score): &Line| Vote {
            location: Location { file: file.clone(), line: *line, column: 0 },
            score: *score,
            reason: String::new(),
        };
        self.said
            .iter()
            .map(|(code, votes)| Voice {
                technique: technique(*code),
                votes: votes.iter().map(vote).collect(),
            })
            .collect()
    }
}

/// Studies one mutant.
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
    let cache = workshop.folder.join("hunt").join(Hash::of([&trial.program, &trial.fault.name]).short());
    let config = Config {
        project: program.name.to_owned(),
        folder: workshop.project(program),
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
        weights: Weights::CHOSEN,
        baseline: Vec::new(),
        away: None,
    };
    let subject = Subject {
        name: program.name.to_owned(),
        opened: Opened::Wasm(subject),
        relations: relations.to_vec(),
        language: Language::Other,
    };
    let found = hunt(&[subject], &config, &mut |_| ()).map_err(|error| error.to_string());
    // Thousands of folders would stay behind.
    let _ = std::fs::remove_dir_all(&cache);
    let found = found?;
    let bad = |verdict: Verdict| matches!(verdict, Verdict::Crashed | Verdict::Timeout);
    if found.report.findings.iter().any(|finding| bad(finding.verdict)) {
        return Ok(Studied::without(Fate::Crashed));
    }
    let Some(finding) = found.report.findings.first() else { return Ok(Studied::without(Fate::Survived)) };
    let file = found.subjects.first();
    let proof = found.proofs.iter().find(|proof| proof.relation == finding.relation);
    let voices = voices(
        file.and_then(|file| file.located.report()),
        file.and_then(|file| file.debugged.report()),
        proof.and_then(|proof| proof.proved.report()),
    );
    let said = voices.into_iter().map(|voice| {
        let votes = voice.votes.into_iter().map(|vote| (vote.location.file, vote.location.line, vote.score));
        (voice.technique as u8, votes.collect())
    });
    Ok(Studied { fate: Fate::Killed, wanted, said: said.collect() })
}

/// The faulty lines among those with code, or where the fault has none the nearest before and behind it.
fn wanted(lines: &Lines, fault: &Fault) -> Vec<(String, u32)> {
    let name = fault.file.rsplit('/').next().unwrap_or(&fault.file);
    let (first, last) = fault.lines();
    let of_file: Vec<(&String, u32)> = lines
        .lines
        .iter()
        .map(|line| (&line.location.file, line.location.line))
        .filter(|(file, _)| file.rsplit('/').next() == Some(name))
        .collect();
    let exact: Vec<(String, u32)> = of_file
        .iter()
        .filter(|(_, line)| (first..=last).contains(line))
        .map(|(file, line)| ((*file).clone(), *line))
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    let before = of_file.iter().rev().find(|(_, line)| *line < first);
    let behind = of_file.iter().find(|(_, line)| *line > last);
    before.into_iter().chain(behind).map(|(file, line)| ((*file).clone(), *line)).collect()
}
