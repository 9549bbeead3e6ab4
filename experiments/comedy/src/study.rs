//! One killed mutant: debugged by both methods, measured.

use serde::{Deserialize, Serialize};
use twinrun_base::work::SECOND;
use twinrun_base::{Case, Location};
use twinrun_campaign::Job;
use twinrun_debug::{Config, Evidence, How, Method, Outcome, Report, Subject, Violated, Worth, debug};
use twinrun_results::cpu_seconds;
use twinrun_solve::Program;
use twinrun_whatif::Mutant;

use crate::distance::{Trace, trace};
use crate::test::{Killed, LIMITS, Test, Tested, killed};
use crate::workspace::Workspace;

/// The version of the method: part of every job's identity.
pub(crate) const VERSION: u32 = 18;
/// The most time for one report; the limits below end nearly all reports earlier, so that no luck of the clock decides.
const WORK: u64 = 20 * SECOND;
/// The most time for one question to the solver.
const QUERY: u64 = 3 * SECOND / 10;
/// Paths from one violating case.
const PATHS: u64 = 25;
/// Changes of behaviour for one report.
const CHANGES: u64 = 100_000;

/// A killed mutant to report on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Study {
    pub(crate) method: u32,
    pub(crate) test: Test,
}

impl Job for Study {
    fn label(&self) -> String {
        self.test.label()
    }
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
    pub(crate) statement: (u32, u32),
    pub(crate) index: usize,
    pub(crate) evidence: Evidence,
    pub(crate) distance: Option<u32>,
}

/// A change of behaviour, for the same purpose.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tried {
    pub(crate) statement: (u32, u32),
    pub(crate) index: usize,
    pub(crate) distance: Option<u32>,
    pub(crate) change: String,
    pub(crate) kind: String,
    pub(crate) worth: Worth,
    #[serde(default)]
    pub(crate) alike: u32,
}

/// The reports on a killed mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Studied {
    /// How the published search went.
    #[serde(default)]
    pub(crate) published_search: twinrun_debug::Search,
    pub(crate) published: Said,
    pub(crate) ours: Said,
    pub(crate) ranking: Vec<Ranked>,
    pub(crate) tried: Vec<Tried>,
    /// The branch statements of the trace that they are on.
    #[serde(default)]
    pub(crate) statements: Vec<u32>,
    pub(crate) search: twinrun_debug::Search,
}

/// Reports on one killed mutant by both methods.
pub(crate) fn study(
    job: &Study,
    tested: &Tested,
    workspace: &Workspace,
    file: &str,
    mutant: &Mutant,
    (solver, workers): (&Program, usize),
) -> Result<Studied, Box<dyn std::error::Error>> {
    let Killed { module, marked, fault } = killed(&job.test, workspace, file, mutant)?;
    let subject = Subject::new(&job.test.program, &module, &[], LIMITS())?;
    let violated = tested.violated.iter().cloned();
    let violated: Vec<Violated> = violated.map(|(relation, case)| Violated { relation, case }).collect();
    let config = Config {
        method: Method::Ranked,
        solver: solver.clone(),
        work: WORK,
        query: QUERY,
        paths: PATHS,
        changes: CHANGES,
        seed: job.test.seed,
    };
    // What a report takes, its solver included, however busy the machine is; with several workers, on average.
    let timed = |method: Method| {
        let before = cpu_seconds();
        let report = debug(&subject, &violated, &Config { method, ..config.clone() })?;
        Ok::<_, twinrun_debug::Error>((report, (cpu_seconds() - before) / workers as f64))
    };
    let (as_published, published_seconds) = timed(Method::Published)?;
    let (report, seconds) = timed(Method::Ranked)?;
    let measured = marked.as_ref().unwrap_or(&module);
    let measure = |relation: &str, case: &Case| trace(measured, file, &fault, relation, case, LIMITS());
    let published = published(&as_published, published_seconds, &measure);
    // All branches of the ranking are named on one trace.
    let ground = report.ground().and_then(|(relation, case)| measure(relation, case));
    let ranking: Vec<Ranked> = report
        .critical
        .iter()
        .map(|critical| Ranked {
            statement: place(critical.branch.statement.as_ref()),
            index: critical.branch.index,
            evidence: critical.evidence,
            distance: ground.as_ref().and_then(|trace| trace.distance(critical.branch.index)),
        })
        .collect();
    let tried = report.repairs.iter().map(|repaired| Tried {
        statement: place(repaired.statement.as_ref()),
        index: repaired.index,
        distance: ground.as_ref().and_then(|trace| trace.distance(repaired.index)),
        change: repaired.change.clone(),
        kind: repaired.kind.clone(),
        worth: repaired.worth,
        alike: repaired.alike,
    });
    let tried = tried.collect();
    let ours = Said {
        outcome: report.outcome,
        named: !ranking.is_empty(),
        distance: ranking.first().and_then(|ranked| ranked.distance),
        seconds,
    };
    let statements = ground.map(|trace| trace.statements).unwrap_or_default();
    Ok(Studied {
        published_search: as_published.search,
        published,
        ours,
        ranking,
        tried,
        statements,
        search: report.search,
    })
}

fn place(location: Option<&Location>) -> (u32, u32) {
    location.map_or((0, 0), |location| (location.line, location.column))
}

/// The published method: the pair with the shortest failing suffix.
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
        seconds,
    }
}
