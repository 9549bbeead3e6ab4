//! One block of repetitions of one subject at one strength: all methods, all programs, summed up.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use twinrun_campaign::Job;
use twinrun_combine::Model;
use twinrun_combine::groups::{Group, Test, distinct, matches};

use crate::features::Feature;
use crate::methods::{METHODS, OURS, PLAIN, PUBLISHED, cpu, make, plain};
use crate::subject::{Kind, Outcome, Program, Subject, numeric, run};

/// What to repeat: everything that the figures depend on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Block {
    pub subject: String,
    pub strength: usize,
    /// The first seed, and how many.
    pub first: u64,
    pub count: u64,
    pub mutants: usize,
    /// The hash of generator, subject and study.
    pub sources: String,
}

impl Job for Block {
    fn label(&self) -> String {
        let last = self.first + self.count - 1;
        format!("{} at strength {}, repetitions {} to {last}", self.subject, self.strength, self.first)
    }
}

/// Sums over repetitions of one method.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub tests: f64,
    /// Unordered pairs of different tests for each relation, as published.
    pub groups: f64,
    /// The same, where a rule that holds both ways counts twice.
    pub ordered: f64,
    /// Different tests that are the source of some group.
    pub sources: f64,
    /// Relations with a group.
    pub relations: f64,
    /// Tests that equal an earlier one in their row or in their values.
    pub repeated: f64,
    /// Mutants with a violated group; of a SciPy subject, versions with one.
    pub faults: f64,
    /// Mutants whose output differs on some test.
    pub oracle: f64,
    /// Tests in no group.
    pub lonely: f64,
    /// CPU seconds of the abstract and of the concrete stage.
    pub abstract_seconds: f64,
    pub concrete_seconds: f64,
    pub solved: f64,
    pub given_up: f64,
}

impl Cell {
    pub(crate) fn add(&mut self, other: &Cell) {
        self.tests += other.tests;
        self.groups += other.groups;
        self.ordered += other.ordered;
        self.sources += other.sources;
        self.relations += other.relations;
        self.repeated += other.repeated;
        self.faults += other.faults;
        self.oracle += other.oracle;
        self.lonely += other.lonely;
        self.abstract_seconds += other.abstract_seconds;
        self.concrete_seconds += other.concrete_seconds;
        self.solved += other.solved;
        self.given_up += other.given_up;
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.abstract_seconds + self.concrete_seconds
    }
}

/// What each relation brought to our method in one repetition.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub seed: u64,
    pub judged: bool,
    /// Groups of each relation.
    pub groups: Vec<f64>,
    /// Mutants with a violated group of each relation.
    pub faults: Vec<f64>,
}

/// What a block gave.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Part {
    pub repetitions: u64,
    /// Those of them that were run on the mutants.
    pub judged: u64,
    /// Valid mutants of the subject; 0 for SciPy.
    pub mutants: usize,
    pub scipy: bool,
    pub cells: Vec<Cell>,
    /// The slowest generation of our method and of the published one.
    pub slowest: (f64, f64),
    /// Groups that the original violates.
    pub false_alarms: Vec<String>,
    pub features: Vec<Feature>,
    pub runs: Vec<Run>,
    /// For each SciPy version: repetitions in which our groups showed a violation, and an example.
    pub versions: Vec<(String, u64, String)>,
}

impl Part {
    /// Adds a part of the same subject and strength.
    pub(crate) fn add(&mut self, other: &Part) {
        if self.cells.is_empty() {
            *self = other.clone();
            return;
        }
        self.repetitions += other.repetitions;
        self.judged += other.judged;
        self.mutants = self.mutants.max(other.mutants);
        self.scipy |= other.scipy;
        if self.versions.is_empty() {
            self.versions =
                other.versions.iter().map(|(name, ..)| (name.clone(), 0, String::new())).collect();
        }
        self.cells.iter_mut().zip(&other.cells).for_each(|(own, other)| own.add(other));
        self.slowest = (self.slowest.0.max(other.slowest.0), self.slowest.1.max(other.slowest.1));
        self.false_alarms.extend(other.false_alarms.iter().cloned());
        self.runs.extend(other.runs.iter().cloned());
        for (own, other) in self.versions.iter_mut().zip(&other.versions).filter(|_| other.judged > 0) {
            own.1 += other.1;
            if own.2.is_empty() {
                own.2.clone_from(&other.2);
            }
        }
    }
}

/// Runs one block.
pub(crate) fn repeat(subject: &Subject, block: &Block) -> Part {
    let mut part = Part {
        repetitions: block.count,
        judged: if block.mutants == 0 { 0 } else { block.count },
        cells: vec![Cell::default(); METHODS.len()],
        features: subject.features().to_vec(),
        ..Part::default()
    };
    match &subject.kind {
        Kind::Mutants { mutants, .. } => part.mutants = mutants.len(),
        Kind::Versions(versions) => {
            part.scipy = true;
            part.versions = versions.iter().map(|(name, _)| (name.clone(), 0, String::new())).collect();
        }
    }
    let mut all: Vec<Arc<Generated>> = Vec::new();
    for seed in block.first..block.first + block.count {
        let relations = subject.model.relations.len();
        let (groups, faults) = (vec![0.0; relations], vec![0.0; relations]);
        part.runs.push(Run { seed, judged: block.mutants > 0, groups, faults });
        all.push(generate(subject, block.strength, seed, &mut part));
    }
    match &subject.kind {
        // Without mutants only tests and groups are counted.
        Kind::Mutants { mutants, .. } if mutants.is_empty() => {}
        // Each repetition by itself: a program that hangs too often leaves the rest of its tests unjudged.
        Kind::Mutants { original, mutants } => {
            for (at, made) in all.iter().map(|generated| &generated.made).enumerate() {
                let Some(expected) = run(original, &made.tests, &made.groups) else { continue };
                alarms(subject, made, &expected, &mut part);
                for mutant in mutants {
                    if let Some(outcome) = run(mutant, &made.tests, &made.groups) {
                        made.judge(Some(&expected), &outcome, at, &mut part);
                    }
                }
            }
        }
        // All repetitions at once: loading SciPy takes longer than the tests.
        Kind::Versions(versions) => {
            let all: Vec<&Made> = all.iter().map(|generated| &generated.made).collect();
            for (version, (_, program)) in versions.iter().enumerate() {
                let outcomes = run_all(program, &all).unwrap_or_default();
                for (at, (made, outcome)) in all.iter().zip(&outcomes).enumerate() {
                    made.judge(None, outcome, at, &mut part);
                    let violated = made.parts[OURS].1.clone().find(|&group| outcome.verdicts[group] == 1);
                    if let Some(group) = violated {
                        part.versions[version].1 += 1;
                        if part.versions[version].2.is_empty() {
                            part.versions[version].2 = made.show(subject, group);
                        }
                    }
                }
            }
        }
    }
    part
}

/// The outcomes of several repetitions by one start of a program.
fn run_all(program: &Program, all: &[&Made]) -> Option<Vec<Outcome>> {
    let (mut tests, mut groups) = (Vec::new(), Vec::new());
    for made in all {
        let first = tests.len();
        groups.extend(made.groups.iter().cloned().map(|mut group| {
            group.tests.iter_mut().for_each(|test| *test += first);
            group
        }));
        tests.extend(made.tests.iter().cloned());
    }
    let mut outcome = run(program, &tests, &groups)?;
    let own = |made: &&Made| Outcome {
        digests: outcome.digests.drain(..made.tests.len()).collect(),
        verdicts: outcome.verdicts.drain(..made.groups.len()).collect(),
    };
    Some(all.iter().map(own).collect())
}

/// The tests and groups of all methods in one list, so that each program is started once.
struct Made {
    tests: Vec<Test>,
    groups: Vec<Group>,
    /// The tests and groups of each method.
    parts: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

/// What one repetition made, before anything is run.
struct Generated {
    made: Made,
    cells: Vec<Cell>,
    /// Our groups of each relation.
    of_relation: Vec<f64>,
    /// Seconds of our method and of the published one.
    seconds: (f64, f64),
}

/// Some subjects have the same model, so that their tests are the same: those made last are kept.
static LATEST: Mutex<VecDeque<(String, Arc<Generated>)>> = Mutex::new(VecDeque::new());
const KEPT: usize = 12;

fn generate(subject: &Subject, strength: usize, seed: u64, part: &mut Part) -> Arc<Generated> {
    let key = format!("{strength} {seed} {:?}", subject.model);
    let kept = || LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept().iter().find(|(own, _)| *own == key).map(|(_, known)| Arc::clone(known));
    let generated = known.unwrap_or_else(|| {
        let made = Arc::new(generated(&subject.model, strength, seed));
        let mut kept = kept();
        kept.push_back((key, Arc::clone(&made)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        made
    });
    part.cells.iter_mut().zip(&generated.cells).for_each(|(own, cell)| own.add(cell));
    if let Some(run) = part.runs.last_mut() {
        run.groups.clone_from(&generated.of_relation);
    }
    let (ours, published) = generated.seconds;
    part.slowest = (part.slowest.0.max(ours), part.slowest.1.max(published));
    assert!(numeric(&generated.made.tests), "{}: every value is a number", subject.name);
    generated
}

fn generated(model: &Model, strength: usize, seed: u64) -> Generated {
    let before = cpu();
    let rows = plain(model, strength, seed);
    let plain_seconds = (cpu() - before).as_secs_f64();
    let mut all = Made { tests: Vec::new(), groups: Vec::new(), parts: Vec::new() };
    let mut cells = vec![Cell::default(); METHODS.len()];
    cells[PLAIN].abstract_seconds += plain_seconds;
    let mut of_relation = vec![0.0; model.relations.len()];
    let mut seconds = (0.0, 0.0);
    for (method, cell) in cells.iter_mut().enumerate() {
        let made = make(method, model, strength, seed, &rows);
        let found = matches(model, &made.stage.tests);
        let mut grouped = vec![false; made.stage.tests.len()];
        found.iter().for_each(|group| group.tests.iter().for_each(|&test| grouped[test] = true));
        let unordered = distinct(&found);
        cell.add(&Cell {
            tests: made.stage.tests.len() as f64,
            groups: unordered.len() as f64,
            ordered: found.len() as f64,
            sources: different(found.iter().map(|group| group.tests[0])) as f64,
            relations: different(found.iter().map(|group| group.relation)) as f64,
            repeated: repeated(&made.stage.tests) as f64,
            lonely: grouped.iter().filter(|grouped| !**grouped).count() as f64,
            abstract_seconds: made.seconds.0,
            concrete_seconds: made.seconds.1,
            solved: made.stage.solved as f64,
            given_up: made.stage.given_up as f64,
            ..Cell::default()
        });
        if method == OURS {
            seconds.0 = made.seconds.0 + made.seconds.1;
            unordered.iter().for_each(|group| of_relation[group.relation] += 1.0);
        } else if method == PUBLISHED {
            seconds.1 = made.seconds.0 + made.seconds.1;
        }
        let (first_test, first_group) = (all.tests.len(), all.groups.len());
        all.groups.extend(found.into_iter().filter(|group| group.tests.len() == 2).map(|mut group| {
            group.tests.iter_mut().for_each(|test| *test += first_test);
            group
        }));
        all.tests.extend(made.stage.tests);
        all.parts.push((first_test..all.tests.len(), first_group..all.groups.len()));
    }
    Generated { made: all, cells, of_relation, seconds }
}

fn different(items: impl Iterator<Item = usize>) -> usize {
    items.collect::<BTreeSet<usize>>().len()
}

/// Tests that equal an earlier one, in their row or in all values.
fn repeated(tests: &[Test]) -> usize {
    let mut rows = BTreeSet::new();
    let mut values = BTreeSet::new();
    let text = |test: &Test| test.values().map(ToString::to_string).collect::<Vec<String>>();
    tests.iter().filter(|test| !rows.insert(&test.row) | !values.insert(text(test))).count()
}

impl Made {
    /// Counts what one faulty program shows in one repetition.
    fn judge(&self, expected: Option<&Outcome>, outcome: &Outcome, repetition: usize, part: &mut Part) {
        for ((tests, groups), cell) in self.parts.iter().zip(&mut part.cells) {
            let differs = expected.is_some_and(|expected| {
                tests
                    .clone()
                    .any(|at| outcome.digests[at] != 0 && outcome.digests[at] != expected.digests[at])
            });
            cell.oracle += f64::from(u8::from(differs));
            cell.faults += f64::from(u8::from(outcome.verdicts[groups.clone()].contains(&1)));
        }
        let ours = &self.parts[OURS].1;
        for (relation, faults) in part.runs[repetition].faults.iter_mut().enumerate() {
            let violated =
                ours.clone().any(|at| self.groups[at].relation == relation && outcome.verdicts[at] == 1);
            *faults += f64::from(u8::from(violated));
        }
    }

    fn show(&self, subject: &Subject, group: usize) -> String {
        let show =
            |test: usize| self.tests[test].values().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let group = &self.groups[group];
        format!(
            "{} / {}: {} -> {}",
            subject.name,
            subject.model.relations[group.relation].name,
            show(group.tests[0]),
            show(group.tests[1])
        )
    }
}

fn alarms(subject: &Subject, made: &Made, expected: &Outcome, part: &mut Part) {
    if let Some(at) = expected.verdicts.iter().position(|verdict| *verdict == 1) {
        let alarm = made.show(subject, at);
        eprintln!("the original violates {alarm}");
        part.false_alarms.push(alarm);
    }
}
