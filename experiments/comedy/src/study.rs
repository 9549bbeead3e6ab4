//! One mutant: built, tested, debugged by both methods, measured.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Limits, Rng, Verdict};
use twinrun_campaign::Job;
use twinrun_debug::{Config, Evidence, How, Method, Outcome, Report, Subject, Violated, debug};
use twinrun_interp::Concrete;
use twinrun_interp::group::{Prepared, run_group};
use twinrun_mutate::{FaultKind, Mutant, apply};
use twinrun_results::cpu_seconds;
use twinrun_solve::Program;
use twinrun_subject::Module;
use twinrun_testing::engine::{Modules, WasmSubject};
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target};

use crate::distance::{Trace, trace};
use crate::workspace::{Error, Workspace};

/// The version of the algorithms: part of every job's identity.
pub(crate) const VERSION: u32 = 2;
/// Violating cases of each relation.
const CASES: usize = 10;
/// Tries for them, as published.
const TRIES: u64 = 100_000;
/// The first tries run on the interpreter: most mutants are killed before compiling them would pay.
const QUICK: u64 = 600;
/// The most time for one report.
const TIME: Duration = Duration::from_secs(20);
/// Paths from one violating case: enough for most, and no luck of the clock.
const PATHS: u64 = 60;
/// Changes of behaviour for one report.
const CHANGES: u64 = 4000;

const LIMITS: fn() -> Limits = || Limits { work: 100_000, ..Limits::default() };

/// One mutant of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Study {
    pub(crate) version: u32,
    pub(crate) program: String,
    pub(crate) file: String,
    pub(crate) mutant: String,
    pub(crate) operator: String,
    /// Hash of all sources.
    pub(crate) sources: String,
    pub(crate) seed: u64,
}

impl Job for Study {
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

/// What a method said of a killed mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) outcome: Outcome,
    /// Whether it named a branch.
    pub(crate) named: bool,
    /// The distance of the first-named place.
    pub(crate) distance: Option<u32>,
    pub(crate) seconds: f64,
}

/// A branch of the ranking, for looking at what evidence is worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ranked {
    pub(crate) evidence: Evidence,
    pub(crate) distance: Option<u32>,
}

/// The result of one job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Studied {
    pub(crate) fate: Fate,
    /// Violating cases by relation.
    pub(crate) violated: Vec<(String, usize)>,
    pub(crate) published: Option<Said>,
    pub(crate) ours: Option<Said>,
    pub(crate) ranking: Vec<Ranked>,
    pub(crate) search: Option<twinrun_debug::Search>,
}

impl Studied {
    fn without_report(fate: Fate) -> Studied {
        Studied { fate, violated: Vec::new(), published: None, ours: None, ranking: Vec::new(), search: None }
    }
}

/// Studies one mutant.
pub(crate) fn study(
    job: &Study,
    workspace: &Workspace,
    file: &str,
    mutant: &Mutant,
    solver: &Program,
) -> Result<Studied, Box<dyn std::error::Error>> {
    let text = apply(workspace.text(file), mutant);
    let module = match workspace.build(file, &text) {
        Ok(module) => module,
        Err(Error::Subject(twinrun_subject::Error::Compile { .. } | twinrun_subject::Error::Link { .. })) => {
            return Ok(Studied::without_report(Fate::NotCompiled));
        }
        Err(error) => return Err(error.into()),
    };
    let subject = Subject::new(&job.program, &module, &[], LIMITS())?;
    let Some(violated) = test(&subject, &module, job.seed)? else {
        return Ok(Studied::without_report(Fate::Crashed));
    };
    if violated.is_empty() {
        return Ok(Studied::without_report(Fate::Survived));
    }
    let config = Config {
        method: Method::Ranked,
        solver: solver.clone(),
        time: TIME,
        query: Duration::from_secs(1),
        paths: PATHS,
        changes: CHANGES,
        seed: job.seed,
    };
    let before = cpu_seconds();
    let report = debug(&subject, &violated, &config)?;
    // With one worker this is what the report took, its solver included, however busy the machine is.
    let seconds = cpu_seconds() - before;
    // Where code is missing, a twin with a mark in its place tells where the fault is on the trace.
    let marked = match mutant.fault.kind {
        FaultKind::Missing => {
            let marked = mark(mutant);
            let text = apply(workspace.text(file), &marked);
            Some((workspace.build(file, &text)?, marked))
        }
        _ => None,
    };
    let (measured, fault) = match &marked {
        Some((module, marked)) => (module, marked.fault),
        None => (&module, mutant.fault),
    };
    let measure = |relation: &str, case: &Case| trace(measured, file, &fault, relation, case, LIMITS());
    let published = published(&report, seconds, &measure);
    // All branches of the ranking are named on one trace.
    let ground = report.ground().and_then(|(relation, case)| measure(relation, case));
    let ranking: Vec<Ranked> = report
        .critical
        .iter()
        .map(|critical| Ranked {
            evidence: critical.evidence,
            distance: ground.as_ref().and_then(|trace| trace.distance(critical.branch.index)),
        })
        .collect();
    let ours = Said {
        outcome: report.outcome,
        named: !ranking.is_empty(),
        distance: ranking.first().and_then(|ranked| ranked.distance),
        seconds,
    };
    let mut counts: Vec<(String, usize)> = Vec::new();
    for case in &violated {
        match counts.iter_mut().find(|(relation, _)| *relation == case.relation) {
            Some((_, count)) => *count += 1,
            None => counts.push((case.relation.clone(), 1)),
        }
    }
    Ok(Studied {
        fate: Fate::Killed,
        violated: counts,
        published: Some(published),
        ours: Some(ours),
        ranking,
        search: Some(report.search),
    })
}

/// The published method is the first half of ours: the pair with the shortest failing suffix among those found by negation.
fn published(report: &Report, seconds: f64, measure: &dyn Fn(&str, &Case) -> Option<Trace>) -> Said {
    let first = report.pairs.iter().find(|pair| pair.how == How::Negated);
    let trace = first.and_then(|pair| measure(&pair.relation, &pair.failing.case));
    Said {
        named: first.is_some(),
        outcome: match (first, report.search.exhausted) {
            (Some(_), _) => Outcome::Found,
            (None, true) => Outcome::NoPassingNeighbour,
            (None, false) => Outcome::NotFound,
        },
        distance: first.zip(trace).and_then(|(pair, trace)| trace.distance(pair.branch.index)),
        seconds: seconds * report.search.search_seconds / report.search.seconds.max(1e-9),
    }
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
fn test(
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
