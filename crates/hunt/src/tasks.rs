//! The pieces of a hunt, each an independent job with its own answer.

use serde::{Deserialize, Serialize};
use twinrun_base::report::RelationSummary;
use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Case, Finding, Rng, Verdict, cut};
use twinrun_campaign::{Config as Workers, Context, Job};
use twinrun_debug::{Method as DebugMethod, Violated};
use twinrun_localize::coverage::Importer;
use twinrun_localize::formulas::formula;
use twinrun_localize::gather::{self, Gathered, Sites, gather};
use twinrun_localize::lines::Lines;
use twinrun_localize::mend;
use twinrun_localize::method::{DEFAULT_FORMULA, Mending, Method};
use twinrun_localize::notice::{self, Noticed, notice};
use twinrun_localize::ranking::Ties;
use twinrun_localize::report::{Options, Report as Located, locate};
use twinrun_testing::executor::Executor;
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;
use twinrun_testing::saved::{self, SavedCase};
use twinrun_testing::session::{self, Plan};
use twinrun_testing::target::{Build, Target};

use crate::combined::{Combined, combine};
use crate::error::Error;
use crate::hunt::Config;
use crate::outcome::{Hunt, Said, Shown};
use crate::ready_test::ready_test;
use crate::region::region;
use crate::repairs::Repaired;
use crate::subject::{Opened, Subject};
use crate::trace::Tracer;

/// The version of the algorithms: part of every task's identity.
pub(crate) const ALGORITHM: u32 = 4;
/// Groups drawn for each relation to locate: of WebAssembly, and of a command, where each costs a process.
const GROUPS: (usize, usize) = (1000, 50);
/// Groups drawn for each relation to see what goes unnoticed.
const NOTICING_GROUPS: usize = 150;
/// Suspects that one voice names.
const MOST_SUSPECTS: usize = 200;
/// Violated cases of each relation that debugging begins from, and the tries to draw them.
const VIOLATED: (usize, u64) = (10, 3000);
/// Passing and violating paths and changes of one debugging: enough for most.
const PATHS: u64 = 2000;
const CHANGES: u64 = 10_000;

/// One piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) algorithm: u32,
    pub(crate) subject: String,
    /// Of the subject with its relations, limits and toolchain.
    pub(crate) identity: String,
    pub(crate) seed: u64,
    pub(crate) cases: u64,
    /// Of the hunt.
    pub(crate) effort: u64,
    pub(crate) what: What,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Test { relation: String },
    Locate { findings: Vec<String> },
    Debug { findings: Vec<String> },
    Repair { findings: Vec<String> },
    Prove { relation: String, violated: bool },
    Notice,
    Show { finding: String },
}

impl Job for Task {
    fn label(&self) -> String {
        let subject = &self.subject;
        match &self.what {
            What::Test { relation } => format!("testing {subject}/{relation}"),
            What::Locate { .. } => format!("locating in {subject}"),
            What::Debug { .. } => format!("debugging {subject}"),
            What::Repair { .. } => format!("repairing {subject}"),
            What::Prove { relation, .. } => format!("proving {subject}/{relation}"),
            What::Notice => format!("looking for what goes unnoticed in {subject}"),
            What::Show { .. } => format!("tracing {subject}"),
        }
    }
}

/// What came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Tested {
        summary: Box<RelationSummary>,
        findings: Vec<Finding>,
        notices: Vec<String>,
        combined: Option<Combined>,
    },
    Located(Said<Located>),
    Debugged(Said<twinrun_debug::Report>),
    Repaired(Said<Repaired>),
    Proved(Said<twinrun_prove::Report>),
    Noticed(Said<Noticed>),
    Shown(Box<Shown>),
}

fn failed(error: impl ToString) -> Error {
    Error::Failed(error.to_string())
}

/// What a hunt keeps beside its journal while it has not ended: the journal of the test that runs, and the cases that were saved.
const TEST_JOURNAL: &str = "hunt.test.journal";
const WRITTEN: &str = "hunt.written";

/// A hunt has ended: the next one begins anew.
pub(crate) fn forget(config: &Config) {
    // They may never have been made.
    let _ = std::fs::remove_file(config.cache.join(TEST_JOURNAL));
    let _ = std::fs::remove_file(config.cache.join(WRITTEN));
}

/// The cases that the tests among these replay first: those that were saved before this hunt began.
pub(crate) fn saved(tasks: &[Task], config: &Config) -> Vec<SavedCase> {
    let written = std::fs::read_to_string(config.cache.join(WRITTEN)).unwrap_or_default();
    let own: Vec<&std::path::Path> = written.lines().map(std::path::Path::new).collect();
    let mut all = Vec::new();
    for task in tasks {
        if let What::Test { relation } = &task.what {
            let (saved, _) = saved::read_all(&config.cache.join("cases"), &task.subject, relation);
            all.extend(
                saved.into_iter().filter(|(path, _)| !own.contains(&path.as_path())).map(|(_, it)| it),
            );
        }
    }
    all
}

/// Saves the cases of a test that ran elsewhere, as one that ran here does.
pub(crate) fn keep(findings: &[Finding], config: &Config, notices: &mut Vec<String>) {
    let folder = config.cache.join("cases");
    for finding in findings.iter().filter(|finding| finding.saved.is_some()) {
        let case = finding.group.case.clone();
        let saved = SavedCase::new(&finding.subject, &finding.relation, finding.verdict, case);
        let path = saved.path(&folder);
        let note = || {
            use std::io::Write;
            let mut file =
                std::fs::OpenOptions::new().create(true).append(true).open(config.cache.join(WRITTEN))?;
            writeln!(file, "{}", path.display())
        };
        if !path.exists()
            && let Err(error) = note()
        {
            notices.push(format!("{}: {error}", path.display()));
        }
        if let Err(error) = saved.write(&folder) {
            notices.push(error.to_string());
        }
    }
}

/// Tests one relation: all pairs of boundary values of its inputs, then drawn cases in as many rounds as the effort is.
pub(crate) fn test(subject: &Subject<'_>, relation: &str, config: &Config) -> Result<Answer, Error> {
    let target = subject.target(relation).map_err(failed)?;
    let (combined, failing) = match target.executor(Build::Plain).map_err(failed)? {
        Some(mut executor) => combine((&subject.name, relation), &mut *executor, config.seed)
            .map_err(failed)?
            .map_or((None, Vec::new()), |(combined, failing)| (Some(combined), failing)),
        None => (None, Vec::new()),
    };
    let first = failing.into_iter().map(|case| (subject.name.clone(), relation.to_owned(), case));
    let plan = Plan {
        first: first.collect(),
        seed: config.seed,
        cases: config.cases,
        rounds: config.effort,
        campaign: Workers { workers: config.jobs, ..Workers::default() },
        saved: Some(config.cache.join("cases")),
        journal: Some(config.cache.join(TEST_JOURNAL)),
        written: Some(config.cache.join(WRITTEN)),
        corpus: Vec::new(),
        checked: config.checked,
    };
    let mut report = session::test(&[&*target], &plan, &|_| ()).map_err(failed)?;
    for finding in &mut report.findings {
        // As one would type it in the project's folder.
        if let Some(saved) = &mut finding.saved
            && let Ok(relative) = std::path::Path::new(saved).strip_prefix(&config.folder)
        {
            *saved = relative.display().to_string();
        }
    }
    let summary = report.relations.pop().ok_or_else(|| failed("the test gave no summary"))?;
    Ok(Answer::Tested {
        summary: Box::new(summary),
        findings: report.findings,
        notices: report.notices,
        combined,
    })
}

/// Ranks the lines of a subject.
pub(crate) fn locating(
    subject: &Subject<'_>,
    findings: &[Finding],
    config: &Config,
    work: u64,
) -> Result<Said<Located>, Error> {
    let nothing = |why: &str| Ok(Said::Nothing { why: why.to_owned() });
    let Some(formula) = formula(DEFAULT_FORMULA) else { return nothing("there is no formula") };
    let mut method = Method::improved(formula);
    let (sites, groups) = match subject.opened {
        Opened::Wasm(wasm) => (Sites::Observed(Lines::of(wasm.modules())), GROUPS.0),
        Opened::Command { covered: Some(covered), .. } => {
            method.mending = Mending::Off;
            match Importer::of_command(covered, &config.folder) {
                Some(importer) => (Sites::Imported(importer), GROUPS.1),
                None => return nothing("locating: this command tells nothing about the lines that it runs"),
            }
        }
        Opened::Command { covered: None, .. } => {
            return nothing(
                "locating: this command tells nothing about the lines that it runs; add `[subject.NAME.coverage]` to twinrun.toml",
            );
        }
    };
    let boxed: Vec<Box<dyn Target + '_>> = subject
        .relations
        .iter()
        .map(|relation| match subject.opened {
            Opened::Command { covered: Some(covered), .. } => {
                covered.target(relation).map(|target| Box::new(target) as Box<dyn Target + '_>)
            }
            _ => subject.target(relation),
        })
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let targets: Vec<&dyn Target> = boxed.iter().map(|target| &**target).collect();
    let budget = Budget::of(work);
    let late = |_: usize, drawn: usize| drawn % 16 == 15 && budget.is_over();
    let gathering = gather::Config { seed: config.seed, groups, ..gather::Config::default() };
    let mut gathered = gather(&targets, sites, &gathering, &late).map_err(failed)?;
    if gathered.evidence.violations() == 0 && matches!(subject.opened, Opened::Wasm(_)) {
        rare(&targets, findings, &gathering, &mut gathered)?;
    }
    let mended = match subject.opened {
        Opened::Wasm(wasm) if gathered.evidence.violations() > 0 => {
            let limits = mend::limits(&targets, &gathered, wasm.limits()).map_err(failed)?;
            let tried = mend::Config { budget: Some(budget), ..mend::Config::default() };
            mend::suspects(wasm.modules(), limits, &gathered, &tried).map_err(failed)?
        }
        _ => Vec::new(),
    };
    let options = Options { method, ties: Ties::Average, most: MOST_SUSPECTS };
    let mut report = locate(&subject.name, &gathered.evidence, &mended, &options);
    report.notes = gathered.notices;
    match report.suspects.is_empty() {
        true => Ok(Said::Nothing {
            why: format!(
                "locating: nothing is ranked ({} violated and {} holding groups were drawn)",
                report.groups.violated, report.groups.holding
            ),
        }),
        false => Ok(Said::Report(Box::new(report))),
    }
}

/// Failures that drawing does not meet again: the findings' own cases, and what lies on the way to smaller ones.
fn rare(
    targets: &[&dyn Target],
    findings: &[Finding],
    gathering: &gather::Config,
    gathered: &mut Gathered,
) -> Result<(), Error> {
    for (relation, target) in targets.iter().enumerate() {
        let own = findings.iter().filter(|finding| finding.relation == target.relation());
        let cases: Vec<&Case> = own.flat_map(|finding| [&finding.found, &finding.group.case]).collect();
        let Some(mut executor) = target.executor(Build::Plain).map_err(failed)? else { continue };
        for case in cases {
            let mut replay = Replay::default();
            replay.begin(case);
            let ended = executor.run(&mut replay).map_err(failed)?.verdict;
            if matches!(ended, Verdict::Violated | Verdict::Crashed) {
                gathered.evidence.add(relation, true, false, executor.slices());
                gathered.cases.push(replay.drawn());
            }
        }
        gather::approach(relation, &mut *executor, gathering, gathered).map_err(failed)?;
    }
    Ok(())
}

/// Ranks the branches of a subject.
pub(crate) fn debugging(
    subject: &Subject<'_>,
    findings: &[Finding],
    config: &Config,
    work: u64,
) -> Result<Said<twinrun_debug::Report>, Error> {
    let nothing = |why: String| Ok(Said::Nothing { why: format!("debugging: {why}") });
    let Some(wasm) = subject.wasm() else {
        return nothing(
            "the critical branch needs a subject that is WebAssembly (C, C++, Rust or a ready .wasm)".into(),
        );
    };
    let solver = match &config.solver {
        Ok(solver) => solver.clone(),
        Err(why) => return nothing(why.clone()),
    };
    let violated = violated_cases(subject, findings, config.seed)?;
    if violated.is_empty() {
        return nothing("no check is violated, only crashes or time-outs were found".into());
    }
    let debugged = debug_subject(subject, wasm)?;
    let asked = twinrun_debug::Config {
        method: DebugMethod::Ranked,
        solver,
        work,
        query: (2 * SECOND).min(work / 4),
        paths: PATHS,
        changes: CHANGES,
        seed: config.seed,
    };
    let report = twinrun_debug::debug(&debugged, &violated, &asked).map_err(failed)?;
    match report.critical.is_empty() {
        true => nothing("no branch could be named with the work given".into()),
        false => Ok(Said::Report(Box::new(report))),
    }
}

/// The subject for debugging and tracing.
pub(crate) fn debug_subject(
    subject: &Subject<'_>,
    wasm: &twinrun_testing::engine::WasmSubject,
) -> Result<twinrun_debug::Subject, Error> {
    let modules = wasm.modules();
    let programs: Vec<_> = modules.programs.iter().map(|(name, module)| (name.clone(), &**module)).collect();
    twinrun_debug::Subject::new(&subject.name, &modules.relations, &programs, wasm.limits()).map_err(failed)
}

/// The cases of the findings, and some drawn ones beside them.
fn violated_cases(subject: &Subject<'_>, findings: &[Finding], seed: u64) -> Result<Vec<Violated>, Error> {
    let mut all = Vec::new();
    for (number, relation) in subject.relations.iter().enumerate() {
        let own = findings.iter().filter(|it| it.relation == *relation && it.verdict == Verdict::Violated);
        let mut cases: Vec<Case> = own.flat_map(|it| [it.group.case.clone(), it.found.clone()]).collect();
        if cases.is_empty() {
            continue;
        }
        let target = subject.target(relation).map_err(failed)?;
        let Some(mut executor) = target.executor(Build::Plain).map_err(failed)? else { continue };
        cases.dedup();
        let mut violated: Vec<Case> = Vec::new();
        for case in cases {
            let mut replay = Replay::default();
            replay.begin(&case);
            if executor.run(&mut replay).map_err(failed)?.verdict == Verdict::Violated {
                violated.push(replay.drawn());
            }
        }
        draw(&mut *executor, Rng::fork(seed, number as u64), &mut violated)?;
        all.extend(violated.into_iter().map(|case| Violated { relation: relation.clone(), case }));
    }
    Ok(all)
}

fn draw(executor: &mut dyn Executor, rng: Rng, violated: &mut Vec<Case>) -> Result<(), Error> {
    let mut generator = Generator::new(rng, executor.dictionary());
    for _ in 0..VIOLATED.1 {
        if violated.len() >= VIOLATED.0 || cut::is_requested() {
            break;
        }
        generator.begin(&[]);
        if executor.run(&mut generator).map_err(failed)?.verdict == Verdict::Violated {
            let case = generator.case();
            if !violated.contains(&case) {
                violated.push(case);
            }
        }
    }
    Ok(())
}

/// Proves a relation, or tells when it fails.
pub(crate) fn proving(
    subject: &Subject<'_>,
    relation: &str,
    violated: bool,
    config: &Config,
    work: u64,
    context: &Context<'_>,
) -> Result<Said<twinrun_prove::Report>, Error> {
    let nothing = |why: &str| Ok(Said::Nothing { why: format!("proving: {why}") });
    let Some(wasm) = subject.wasm() else {
        return nothing("proofs need a subject that is WebAssembly (C, C++, Rust or a ready .wasm)");
    };
    let solver = match &config.solver {
        Ok(solver) => solver.clone(),
        Err(why) => return nothing(why),
    };
    let asked = twinrun_prove::Config {
        work,
        patience: (8 * SECOND).min(work / 3),
        failures: 5,
        // A hunt wants the conditions, not the count of all pairs; `twinrun prove` has the time for that.
        enough: violated.then_some(12),
        no_safety: true,
        sources: Some(config.folder.clone()),
        ..twinrun_prove::Config::new(solver)
    };
    let mut tell = |progress: twinrun_prove::Progress| {
        let note = format!("proving {relation}: {} {} done", progress.done, progress.phase);
        context.progress(progress.done, Some(progress.done + progress.left), &note);
    };
    let report = twinrun_prove::prove(wasm, relation, &asked, &mut tell).map_err(failed)?;
    Ok(Said::Report(Box::new(report)))
}

/// Tells where a fault of the subject would go unnoticed.
pub(crate) fn noticing(subject: &Subject<'_>, config: &Config, work: u64) -> Result<Said<Noticed>, Error> {
    let Some(wasm) = subject.wasm() else {
        return Ok(Said::Nothing { why: "only WebAssembly subjects can be changed".to_owned() });
    };
    let boxed: Vec<Box<dyn Target + '_>> = subject
        .relations
        .iter()
        .map(|relation| subject.target(relation))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let targets: Vec<&dyn Target> = boxed.iter().map(|target| &**target).collect();
    let budget = Budget::of(work);
    let late = |_: usize, drawn: usize| drawn % 16 == 15 && budget.is_over();
    let gathering =
        gather::Config { seed: config.seed, groups: NOTICING_GROUPS, ..gather::Config::default() };
    let sites = Sites::Observed(Lines::of(wasm.modules()));
    let gathered = gather(&targets, sites, &gathering, &late).map_err(failed)?;
    let limits = mend::limits(&targets, &gathered, wasm.limits()).map_err(failed)?;
    let noticed = notice(wasm.modules(), limits, &gathered, &notice::Config::default(), &|| budget.is_over());
    Ok(Said::Report(Box::new(noticed.map_err(failed)?)))
}

/// Work of a run that does not end that is traced.
const ENDLESS: u64 = 20_000;

/// What is shown of a finding: traces, the region, a ready-made test.
pub(crate) fn showing(subject: &Subject<'_>, finding: &Finding, hunt: &Hunt) -> Result<Shown, Error> {
    let mut shown = Shown {
        fingerprint: finding.fingerprint,
        traces: Vec::new(),
        region: None,
        tests: ready_test(finding, &subject.language).into_iter().collect(),
    };
    let Some(wasm) = subject.wasm() else { return Ok(shown) };
    let mut debugged = debug_subject(subject, wasm)?;
    let endless = finding.verdict == Verdict::Timeout;
    if endless {
        // The beginning of what does not end tells as much.
        debugged.limits.work = debugged.limits.work.min(ENDLESS);
    }
    let tracer = Tracer::new(&debugged)?;
    let runs = tracer.runs(&finding.relation, &finding.group.case)?;
    for (number, run) in runs.iter().enumerate().skip(1).take(2) {
        shown.traces.push(
            tracer.aligned(("run 1 (source)", &runs[0]), (&format!("run {} (follow-up)", number + 1), run)),
        );
    }
    let file = hunt.subjects.iter().find(|it| it.subject == subject.name);
    let report = file.and_then(|file| file.debugged.report());
    if let Some(pair) = report.and_then(|it| it.pairs.iter().find(|pair| pair.relation == finding.relation)) {
        let run = (pair.branch.run.max(1) - 1) as usize;
        let failing = tracer.runs(&pair.relation, &pair.failing.case)?;
        let passing = tracer.runs(&pair.relation, &pair.passing.case)?;
        if let (Some(one), Some(two)) = (failing.get(run), passing.get(run)) {
            let title = |how: &str| format!("run {} of the {how}", run + 1);
            shown
                .traces
                .push(tracer.aligned((&title("violating case"), one), (&title("passing neighbour"), two)));
        }
    }
    let target = subject.target(&finding.relation).map_err(failed)?;
    let build = if finding.checked_build { Build::Checked } else { Build::Plain };
    // Every neighbour of what does not end may cost the whole limit.
    if let Some(mut executor) = target.executor(build).map_err(failed)?.filter(|_| !endless) {
        shown.region = region(&mut *executor, &finding.group.case).map_err(failed)?;
    }
    let proof =
        hunt.proofs.iter().find(|it| it.subject == finding.subject && it.relation == finding.relation);
    let exact = proof.and_then(|proof| proof.proved.report()).is_some_and(|report| {
        report.pairs.is_some_and(|pairs| pairs.complete)
            && report.fails_when.as_ref().is_some_and(|it| it.exact)
    });
    if let Some(region) = &mut shown.region {
        region.exact = exact;
    }
    Ok(shown)
}
