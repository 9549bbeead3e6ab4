//! Campaigns: programs × seeds against one debugger, journalled, resumable, on several workers.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use twinrun_campaign::{Campaign, Config as Limits, Context, Event, Halt, Job, Outcome};

use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::program::Program;
use crate::reduce::reduce;
use crate::rounds::{Config, Report, Verdict, run_test};
use crate::transformations;
use crate::warning::Warning;

/// Changes whenever the same seed would make other choices.
const ALGORITHM: u32 = 7;

/// Some tests of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestJob {
    algorithm: u32,
    /// The debugger with its version.
    pub debugger: String,
    /// The program.
    pub program: Program,
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds.
    pub seeds: u64,
    /// How each test is done.
    pub config: Config,
    /// Pairs of sessions to spend on reducing each warning.
    pub reduce: usize,
}

impl Job for TestJob {
    fn label(&self) -> String {
        format!("{} with seeds from {}", self.program.name, self.first_seed)
    }
}

/// The jobs of a campaign: for every block of seeds every program, so that a stopped campaign has seen them all.
pub fn jobs(
    debugger: &str,
    programs: &[Program],
    seeds: std::ops::Range<u64>,
    seeds_a_job: u64,
    config: &Config,
    reduce: usize,
) -> Vec<TestJob> {
    let mut jobs = Vec::new();
    let mut first = seeds.start;
    while first < seeds.end {
        let count = seeds_a_job.max(1).min(seeds.end - first);
        jobs.extend(programs.iter().map(|program| TestJob {
            algorithm: ALGORITHM,
            debugger: debugger.to_owned(),
            program: program.clone(),
            first_seed: first,
            seeds: count,
            config: config.clone(),
            reduce,
        }));
        first += count;
    }
    jobs
}

/// Runs jobs that are not recorded yet; every worker has a debugger of its own, made by `start`.
///
/// # Errors
/// When the journal fails.
pub fn run_campaign(
    campaign: &mut Campaign,
    jobs: &[TestJob],
    limits: &Limits,
    start: &(dyn Fn() -> Result<Box<dyn Backend>> + Sync),
    listen: impl FnMut(&Event),
) -> std::result::Result<Outcome<Vec<Report>>, twinrun_campaign::Error> {
    let idle: Mutex<Vec<Box<dyn Backend>>> = Mutex::new(Vec::new());
    let lend = || idle.lock().ok().and_then(|mut idle| idle.pop());
    campaign.run(
        jobs,
        limits,
        |job, context| {
            let mut backend = match lend() {
                Some(backend) => backend,
                None => start().map_err(|error| Halt::Failed(error.to_string()))?,
            };
            let reports = attend(backend.as_mut(), job, context)?;
            if let Ok(mut idle) = idle.lock() {
                idle.push(backend);
            }
            Ok(reports)
        },
        listen,
    )
}

/// Runs one job: here, or in another process for a campaign of this one.
///
/// # Errors
/// When the debugger cannot be used at all.
pub fn attend(
    backend: &mut dyn Backend,
    job: &TestJob,
    context: &Context<'_>,
) -> std::result::Result<Vec<Report>, Halt> {
    let mut reports = Vec::new();
    for seed in job.first_seed..job.first_seed.saturating_add(job.seeds) {
        if context.stopping() {
            return Err(Halt::Interrupted);
        }
        reports.push(run_job(backend, job, seed).map_err(|error| match error {
            Error::Cut => Halt::Interrupted,
            other => Halt::Failed(other.to_string()),
        })?);
    }
    Ok(reports)
}

fn run_job(backend: &mut dyn Backend, job: &TestJob, seed: u64) -> Result<Report> {
    let mut report = match run_test(backend, &job.program, seed, &job.config) {
        Ok(report) => report,
        Err(Error::Cut) => {
            backend.discard();
            return Err(Error::Cut);
        }
        Err(error) => {
            // One session that the debugger spoilt must not spoil the campaign.
            backend.discard();
            return Ok(Report {
                program: job.program.name.clone(),
                seed,
                rounds: Vec::new(),
                sessions: 0,
                explained: BTreeMap::new(),
                verdict: Verdict::Discarded(format!("the debugger failed: {error}")),
            });
        }
    };
    if let (Verdict::Warning(warning), true) = (&mut report.verdict, job.reduce > 0) {
        match reduce(backend, warning, job.reduce) {
            Ok(reduced) => **warning = reduced,
            // Cut while it was reduced: as it is, it was seen in fresh processes.
            Err(_) => backend.discard(),
        }
    }
    Ok(report)
}

/// What a campaign found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Tests of up to N rounds.
    pub tests: usize,
    /// Metamorphic test cases: pairs of sessions that were compared.
    pub cases: usize,
    /// Sessions.
    pub sessions: usize,
    /// Tests whose initial session does not repeat, by what differs.
    pub unsteady: BTreeMap<String, usize>,
    /// Differences that something else than the debugger explains, by cause.
    pub explained: BTreeMap<String, usize>,
    /// Tests that could not be done, by cause.
    pub discarded: BTreeMap<String, usize>,
    /// Differences that a fresh process did not show.
    pub leaked: usize,
    /// Cases by transformation.
    pub by_transformation: BTreeMap<String, usize>,
    /// Warnings by transformation.
    pub warnings_by_transformation: BTreeMap<String, usize>,
    /// Warnings by the round that made the difference, from 1; round 0 stands for the initial session itself.
    pub warnings_by_round: BTreeMap<usize, usize>,
    /// Warnings that needed an interactive transformation in any round.
    pub interactive: usize,
    /// The warnings by cause, the smallest program first.
    pub groups: BTreeMap<String, Vec<Warning>>,
}

impl Summary {
    /// Sums up reports.
    pub fn of<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Self {
        let mut summary = Summary::default();
        for report in reports {
            summary.tests += 1;
            summary.cases += report.rounds.len();
            summary.sessions += report.sessions;
            for name in &report.rounds {
                *summary.by_transformation.entry(name.clone()).or_default() += 1;
            }
            for (why, times) in &report.explained {
                *summary.explained.entry(why.clone()).or_default() += times;
            }
            match &report.verdict {
                Verdict::Holds => {}
                Verdict::Unsteady(what) => *summary.unsteady.entry(what.clone()).or_default() += 1,
                Verdict::Discarded(why) => *summary.discarded.entry(why.clone()).or_default() += 1,
                Verdict::Leaked(_) => summary.leaked += 1,
                Verdict::Warning(warning) => summary.add(warning),
            }
        }
        for warnings in summary.groups.values_mut() {
            warnings.sort_by_key(|warning| {
                (warning.initial.program.source.len(), warning.initial.trace.steps.len())
            });
        }
        summary
    }

    /// The summary as plain text: counts, then the smallest warning of each group.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} tests, {} cases, {} sessions: {} warnings of {} causes ({} explained otherwise, {} unsteady, {} discarded, {} leaked)\n",
            self.tests,
            self.cases,
            self.sessions,
            self.warnings(),
            self.groups.len(),
            self.explained.values().sum::<usize>(),
            self.unsteady.values().sum::<usize>(),
            self.discarded.values().sum::<usize>(),
            self.leaked
        );
        for (name, cases) in &self.by_transformation {
            let warnings = self.warnings_by_transformation.get(name).copied().unwrap_or(0);
            text.push_str(&format!("  {name:<26} {cases:>6} cases {warnings:>4} warnings\n"));
        }
        for (round, warnings) in &self.warnings_by_round {
            text.push_str(&format!("  round {round}: {warnings} warnings\n"));
        }
        for (word, causes) in
            [("explained", &self.explained), ("unsteady", &self.unsteady), ("discarded", &self.discarded)]
        {
            for (cause, times) in causes {
                text.push_str(&format!("  {word} {times} ×: {cause}\n"));
            }
        }
        for (group, warnings) in &self.groups {
            text.push_str(&format!("\n{} × {group}\n", warnings.len()));
            text.push_str(&warnings.first().map(Warning::text).unwrap_or_default());
        }
        text
    }

    /// The number of warnings.
    pub fn warnings(&self) -> usize {
        self.groups.values().map(Vec::len).sum()
    }

    fn add(&mut self, warning: &Warning) {
        *self.warnings_by_transformation.entry(warning.plan.transformation.clone()).or_default() += 1;
        *self.warnings_by_round.entry(warning.rounds.len()).or_default() += 1;
        self.interactive +=
            usize::from(warning.rounds.iter().any(|name| transformations::named(name).interactive()));
        self.groups.entry(warning.cause()).or_default().push(warning.clone());
    }
}

/// How the groups of warnings of two versions of a debugger differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionDifference {
    /// Only the first version has them.
    pub fixed: Vec<String>,
    /// Only the second version has them.
    pub new: Vec<String>,
    /// Both have them.
    pub kept: Vec<String>,
}

/// Compares the campaigns of two versions.
pub fn compare_versions(old: &Summary, new: &Summary) -> VersionDifference {
    let only = |one: &Summary, two: &Summary, both: bool| {
        one.groups.keys().filter(|group| two.groups.contains_key(*group) == both).cloned().collect()
    };
    VersionDifference { fixed: only(old, new, false), new: only(new, old, false), kept: only(old, new, true) }
}
