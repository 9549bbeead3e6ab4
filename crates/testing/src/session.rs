//! A test of several relations: saved cases first, then chunks of drawn cases on all cores, then findings.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::{Case, Cause, Cut, Finding, Report, Verdict, cut};
use twinrun_campaign::{Campaign, Config, Context, Event, Halt};

use crate::chunk::{Chunk, ChunkResult, Failure, run_chunk};
use crate::executor::{Ending, ExecuteError};
use crate::findings::findings;
use crate::replay::Replay;
use crate::saved::{self, SavedCase};
use crate::target::{Build, Target};

/// How much to test, and where things are kept.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed of all cases.
    pub seed: u64,
    /// Cases for each relation.
    pub cases: u64,
    /// Rounds of `cases`; a cut ends them early.
    pub rounds: u64,
    /// Threads.
    pub campaign: Config,
    /// The folder of saved cases; none are read or written without it.
    pub saved: Option<PathBuf>,
    /// The journal; without it nothing survives a kill.
    pub journal: Option<PathBuf>,
    /// Where this test notes which cases it saved, until it has ended: one that goes on does not replay what it saved itself, so that its counts
    /// are those of one that was never stopped.
    pub written: Option<PathBuf>,
    /// Cases that begin every corpus, by (subject, relation).
    pub corpus: Vec<(String, String, Case)>,
    /// Cases that are run before any is drawn, by (subject, relation).
    pub first: Vec<(String, String, Case)>,
    /// Run the checked build beside the plain one.
    pub checked: bool,
}

/// What keeps a test from being run.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// An engine could not answer.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// The campaign could not be run.
    #[error(transparent)]
    Campaign(#[from] twinrun_campaign::Error),
}

/// Something that happened while testing, for progress and for results as they come.
#[derive(Debug)]
pub enum Progress<'a> {
    /// From the campaign of chunks.
    Campaign(&'a Event),
    /// Failing cases of this relation are being shrunk.
    Shrinking {
        /// The subject.
        subject: &'a str,
        /// The relation.
        relation: &'a str,
        /// Distinct failures.
        failures: usize,
    },
    /// A finding, minimal and replayed.
    Found(&'a Finding),
    /// An interrupted test goes on: so many jobs of so many were done already.
    Resumed {
        /// Done before.
        done: usize,
        /// All.
        of: usize,
    },
}

/// Tests all targets and reports.
///
/// # Errors
/// When an engine or the journal fails; failures of the subject are in the report.
pub fn test(
    targets: &[&dyn Target],
    plan: &Plan,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<Report, TestError> {
    let mut report = Report {
        command: "test".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: plan.seed,
        ..Report::default()
    };
    let mut states: Vec<State> = targets.iter().map(|_| State::default()).collect();
    for (target, state) in targets.iter().zip(&mut states) {
        replay_saved(*target, plan, state)?;
    }
    run_rounds(targets, plan, &mut states, &mut report, progress)?;

    // A cut ends the search, not the reporting: that has a moment of its own.
    let cause = cut::requested();
    let grace = if cause.is_some() { Some(Cut::new(Some(GRACE))) } else { cut::current() };
    cut::within(grace, || conclude(targets, states, plan, &mut report, progress))?;
    report.cut = cause.or(cut::requested());
    if report.cut != Some(Cause::Signal) {
        forget(plan);
    }
    Ok(report)
}

/// How long the findings of a test that was cut may take: shrinking them, replaying them, writing them down.
const GRACE: Duration = Duration::from_millis(1000);

/// From failures to findings.
fn conclude(
    targets: &[&dyn Target],
    states: Vec<State>,
    plan: &Plan,
    report: &mut Report,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), TestError> {
    for (target, mut state) in targets.iter().zip(states) {
        let failures = std::mem::take(&mut state.failures);
        if !failures.is_empty() {
            let (subject, relation) = (target.subject(), target.relation());
            progress(Progress::Shrinking { subject, relation, failures: failures.len() });
        }
        let mut found = findings(*target, failures)?;
        for finding in &mut found {
            save(finding, plan, &mut report.notices);
            progress(Progress::Found(finding));
        }
        report.relations.push(state.summary(*target));
        report.findings.extend(found);
    }
    Ok(())
}

/// What is known of one relation while the test runs.
#[derive(Default)]
struct State {
    counts: Counts,
    covered: Vec<u32>,
    failures: Vec<Failure>,
    notices: Vec<String>,
    seconds: f64,
    chunks: u64,
    checked: u64,
    replayed: u64,
    stopped: bool,
    gave_up: bool,
}

impl State {
    fn add(&mut self, result: ChunkResult) {
        self.counts.merge(&result.counts);
        self.covered.extend(result.covered);
        self.covered.sort_unstable();
        self.covered.dedup();
        self.failures.extend(result.failures);
        self.checked += result.checked;
        self.chunks += 1;
        self.gave_up |= result.stopped;
        for notice in result.notices {
            // One example of a kind is enough.
            if self.notices.is_empty() {
                self.notices.push(notice);
            }
        }
    }

    fn summary(mut self, target: &dyn Target) -> RelationSummary {
        let Counts { holds, discarded, timeout, .. } = self.counts;
        let judged = self.counts.total() - discarded;
        let explained = !self.notices.is_empty();
        if judged == 0 && discarded > 0 && explained {
            // The executor said why.
        } else if judged == 0 && discarded > 0 {
            self.notices.push(format!(
                "no case passes the assumptions: all {discarded} were discarded. Draw inputs that satisfy ASSUME by construction, or widen it"
            ));
        } else if discarded > judged {
            let share = 100 * discarded / (discarded + judged);
            self.notices.push(format!(
                "{share} % of the cases were discarded by ASSUME; drawing fitting inputs directly tests more"
            ));
        }
        if timeout > 0 && self.gave_up && !self.stopped {
            self.notices.push(format!(
                "stopped early after {timeout} time-outs; raise `limits.work` if the subject needs more work than that"
            ));
        }
        if holds == 0 && judged == 0 && discarded == 0 && self.notices.is_empty() {
            self.notices.push("no case was run".to_owned());
        }
        if self.replayed > 0 {
            let cases = if self.replayed == 1 {
                "1 saved case".to_owned()
            } else {
                format!("{} saved cases", self.replayed)
            };
            self.notices.push(format!("{cases} replayed first"));
        }
        RelationSummary {
            subject: target.subject().to_owned(),
            relation: target.relation().to_owned(),
            counts: self.counts,
            covered: target.blocks().map(|blocks| (self.covered.len() as u64, blocks as u64)),
            seconds: self.seconds,
            notices: self.notices,
            stopped: self.stopped || self.gave_up,
        }
    }
}

/// Runs the saved cases of a relation and those that the plan begins with; those that fail are failures like any other.
fn replay_saved(target: &dyn Target, plan: &Plan, state: &mut State) -> Result<(), TestError> {
    let mut cases: Vec<Case> = Vec::new();
    if let Some(folder) = &plan.saved {
        let (mut saved, errors) = saved::read_all(folder, target.subject(), target.relation());
        state.notices.extend(errors.iter().map(ToString::to_string));
        let own = written(plan);
        saved.retain(|(path, _)| !own.contains(path));
        state.replayed = saved.len() as u64;
        cases.extend(saved.into_iter().map(|(_, saved)| saved.case));
    }
    cases.extend(belonging(&plan.first, target).cloned());
    for build in [Build::Plain, Build::Checked] {
        if cases.is_empty() || (build == Build::Checked && !plan.checked) {
            continue;
        }
        let Some(mut executor) = target.executor(build)? else { continue };
        let mut replay = Replay::default();
        for case in &cases {
            replay.begin(case);
            let ending: Ending = executor.run(&mut replay)?;
            if cut::is_requested() && ending.verdict == Verdict::Discarded {
                return Ok(());
            }
            let checked = build == Build::Checked;
            if !checked {
                state.counts.add(ending.verdict);
            }
            let failed = match ending.verdict {
                Verdict::Crashed => true,
                Verdict::Violated | Verdict::Timeout => !checked,
                Verdict::Holds | Verdict::Discarded => false,
            };
            if failed {
                let signature = crate::chunk::signature(executor.touched());
                state.failures.push(Failure { ending, signature, case: replay.drawn(), count: 1, checked });
            }
        }
    }
    Ok(())
}

/// Runs chunks in rounds until the plan is fulfilled.
fn run_rounds(
    targets: &[&dyn Target],
    plan: &Plan,
    states: &mut [State],
    report: &mut Report,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), TestError> {
    let mut campaign = match &plan.journal {
        Some(path) => match Campaign::open(path, "test") {
            Ok(campaign) => campaign,
            Err(twinrun_campaign::Error::Locked { .. }) => {
                report
                    .notices
                    .push("another test of this project is running: this one keeps no journal".to_owned());
                Campaign::in_memory("test")?
            }
            Err(error) => return Err(error.into()),
        },
        None => Campaign::in_memory("test")?,
    };
    let resumed = campaign.recorded()?.len();
    let mut known = 0;
    for round in 0..plan.rounds.max(1) {
        let jobs = jobs(targets, plan, round);
        let owners: Vec<usize> = jobs.iter().map(|(owner, _)| *owner).collect();
        let chunks: Vec<Chunk> = jobs.into_iter().map(|(_, chunk)| chunk).collect();
        let partial: Mutex<Vec<(usize, ChunkResult)>> = Mutex::new(Vec::new());
        let began = Instant::now();
        let outcome = campaign.run(
            &chunks,
            &plan.campaign,
            |chunk: &Chunk, context| {
                let owner = targets.iter().position(|target| target.identity() == chunk.target);
                let owner = owner.ok_or_else(|| Halt::Failed("its relation is gone".to_owned()))?;
                let initial: Vec<Case> = belonging(&plan.corpus, targets[owner]).cloned().collect();
                let result = attend(chunk, targets[owner], &initial, plan.checked, context)?;
                if result.stopped && context.stopping() {
                    partial.lock().expect("no thread panics while it holds this").push((owner, result));
                    return Err(Halt::Interrupted);
                }
                Ok(result)
            },
            |event| progress(Progress::Campaign(event)),
        )?;
        let share = began.elapsed().as_secs_f64() / targets.len().max(1) as f64;
        states.iter_mut().for_each(|state| state.seconds += share);
        if let Some((_, message)) = outcome.failed().next() {
            return Err(ExecuteError::new(message).into());
        }
        known += outcome.entries.len();
        let open: Vec<usize> = outcome.open().collect();
        for (job, result) in outcome.finished() {
            states[owners[job]].add(result.clone());
        }
        for job in &open {
            states[owners[*job]].stopped = true;
        }
        for (owner, result) in partial.into_inner().expect("no thread panics while it holds this") {
            states[owner].add(result);
        }
        if !open.is_empty() || cut::is_requested() {
            break;
        }
    }
    if resumed > 0 && resumed <= known {
        progress(Progress::Resumed { done: resumed, of: known });
    }
    Ok(())
}

/// A finished test begins anew next time; an interrupted one goes on.
fn forget(plan: &Plan) {
    if let Some(journal) = &plan.journal {
        remove_journal(journal);
    }
    if let Some(written) = &plan.written {
        // It may never have been made.
        let _ = std::fs::remove_file(written);
    }
}

/// The cases that this test saved before it was interrupted.
fn written(plan: &Plan) -> Vec<PathBuf> {
    let text = plan.written.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    text.unwrap_or_default().lines().map(PathBuf::from).collect()
}

/// Notes a case that this test saved and that was not there before.
fn note(plan: &Plan, path: &Path) -> std::io::Result<()> {
    use std::io::Write;
    let Some(written) = &plan.written else { return Ok(()) };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(written)?;
    writeln!(file, "{}", path.display())
}

/// Runs one chunk: here, or in another process for a test of this one.
///
/// # Errors
/// When an engine cannot answer.
pub fn attend(
    chunk: &Chunk,
    target: &dyn Target,
    initial: &[Case],
    checked: bool,
    context: &Context<'_>,
) -> Result<ChunkResult, Halt> {
    let failed = |error: ExecuteError| Halt::Failed(error.to_string());
    let plain = target.executor(Build::Plain).map_err(failed)?;
    let mut plain = plain.ok_or_else(|| Halt::Failed("no build".into()))?;
    let mut checked = if checked { target.executor(Build::Checked).map_err(failed)? } else { None };
    let stop = || context.stopping();
    let tell = |done| context.progress(done, Some(chunk.cases), "");
    let checked = checked.as_mut().map(|it| &mut **it as &mut dyn crate::executor::Executor);
    run_chunk(chunk, &mut *plain, checked, initial, &stop, &tell).map_err(failed)
}

/// The jobs of one round: the chunks of all relations in turn, so that every relation is heard early.
fn jobs(targets: &[&dyn Target], plan: &Plan, round: u64) -> Vec<(usize, Chunk)> {
    let mut jobs = Vec::new();
    for (owner, target) in targets.iter().enumerate() {
        let size = target.pace().chunk.min(plan.cases).max(1);
        let count = plan.cases.div_ceil(size);
        for index in 0..count {
            let cases = size.min(plan.cases - index * size);
            let name = format!("{}: {}", target.subject(), target.relation());
            jobs.push((
                index,
                owner,
                Chunk::new(target.identity(), name, plan.seed, round * count + index, cases),
            ));
        }
    }
    jobs.sort_by_key(|(index, owner, _)| (*index, *owner));
    jobs.into_iter().map(|(_, owner, chunk)| (owner, chunk)).collect()
}

/// The cases of a list that belong to a target.
fn belonging<'a>(
    cases: &'a [(String, String, Case)],
    target: &'a dyn Target,
) -> impl Iterator<Item = &'a Case> {
    cases
        .iter()
        .filter(|(subject, relation, _)| subject == target.subject() && relation == target.relation())
        .map(|(_, _, case)| case)
}

fn save(finding: &mut Finding, plan: &Plan, notices: &mut Vec<String>) {
    let Some(folder) = &plan.saved else { return };
    let saved =
        SavedCase::new(&finding.subject, &finding.relation, finding.verdict, finding.group.case.clone());
    let path = saved.path(folder);
    // Noted first: a case that is saved but not noted would be replayed by the test that goes on.
    if !path.exists()
        && let Err(error) = std::fs::create_dir_all(folder).and_then(|()| note(plan, &path))
    {
        notices.push(format!("{}: {error}", path.display()));
    }
    match saved.write(folder) {
        Ok(path) => finding.saved = Some(path.display().to_string()),
        Err(error) => notices.push(error.to_string()),
    }
}

fn remove_journal(journal: &Path) {
    // What cannot be removed is only resumed needlessly.
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mut name = journal.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
}
