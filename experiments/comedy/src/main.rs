//! `./x experiment comedy`: the published study of concolic metamorphic debugging, with our method beside the published one.
//!
//! 21 programs in C with their published relations, all mutants, up to ten violating cases for each relation from up to
//! 100,000 random tries. Crashing mutants are left out, as published. The study is resumable: what is in the journal is not done
//! again. Options: `--only PROGRAM`, `--time SECONDS` (go on later), `--jobs N` (times are
//! exact with one, the default, and shares of the whole with several), `--every N` (a sample: every Nth mutant), `--half 0|1` (the
//! programs with even or odd number: the weights of the ranking were fitted on mutants of the even ones), `--dump FILE` (all results, one JSON line each),
//! `--tests` (only the first half), `--reports` (only the second, of what is tested), `--scratch FOLDER` (where the journals are).

mod distance;
mod programs;
mod study;
mod table;
mod test;
mod workspace;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use twinrun_base::Hash;
use twinrun_campaign::{Campaign, Config, Halt};
use twinrun_report::Progress;
use twinrun_results::workspace_root;
use twinrun_solve::Program;
use twinrun_whatif::Mutant;

use programs::PROGRAMS;
use study::{Studied, Study, study};
use test::{Fate, Test, Tested, test};
use workspace::Workspace;

thread_local! {
    /// Each worker has its own copies of the programs.
    static WORKSPACES: RefCell<BTreeMap<String, Workspace>> = RefCell::default();
}

struct Options {
    only: Vec<String>,
    time: Option<Duration>,
    jobs: usize,
    dump: Option<PathBuf>,
    every: usize,
    half: Option<usize>,
    tests: bool,
    reports: bool,
    scratch: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let root = workspace_root();
    let scratch = options.scratch.clone().unwrap_or_else(|| root.join("target/comedy"));
    let solver = Program::find(&root)?;
    let config = Config {
        workers: options.jobs,
        deadline: options.time.map(|time| Instant::now() + time),
        retry_failed: true,
        ..Config::default()
    };
    // First all mutants are built and tested, then those that a relation kills are reported on.
    let jobs = jobs(&root, &scratch, &options)?;
    let mut progress = Progress::lines(std::io::stderr(), 20_000);
    let mut campaign = Campaign::open(scratch.join("tests.db"), "comedy-tests")?;
    let work = |job: &Test, _: &twinrun_campaign::Context<'_>| {
        on_mutant(job, &root, &scratch, |workspace, file, mutant| test(job, workspace, file, mutant))
            .map_err(|error| Halt::Failed(error.to_string()))
    };
    let recorded = Config { deadline: Some(Instant::now()), ..config.clone() };
    let testing = if options.reports { &recorded } else { &config };
    let outcome = campaign.run(&jobs, testing, work, |event| progress.event(event))?;
    for (index, message) in outcome.failed() {
        eprintln!("{}: {}: {message}", jobs[index].program, jobs[index].mutant);
    }
    let tested: Vec<(&Test, &Tested)> =
        outcome.finished().map(|(index, tested)| (&jobs[index], tested)).collect();
    eprintln!("{} of {} mutants are tested", tested.len(), jobs.len());
    if options.tests {
        return Ok(());
    }
    let killed: Vec<(Study, &Tested)> = tested
        .iter()
        .filter(|(_, tested)| tested.fate == Fate::Killed)
        .map(|(test, tested)| (Study { method: study::VERSION, test: (*test).clone() }, *tested))
        .collect();
    let reports: Vec<Study> = killed.iter().map(|(study, _)| study.clone()).collect();
    let known: BTreeMap<(&str, &str, &str), &Tested> =
        killed.iter().map(|(study, tested)| (key(&study.test), *tested)).collect();
    let mut progress = Progress::lines(std::io::stderr(), 20_000);
    let mut campaign = Campaign::open(scratch.join("journal.db"), "comedy")?;
    let work = |job: &Study, _: &twinrun_campaign::Context<'_>| {
        let tested = known.get(&key(&job.test)).ok_or_else(|| Halt::Failed("not tested".to_owned()))?;
        on_mutant(&job.test, &root, &scratch, |workspace, file, mutant| {
            study(job, tested, workspace, file, mutant, (&solver, options.jobs.max(1)))
        })
        .map_err(|error| Halt::Failed(error.to_string()))
    };
    let outcome = campaign.run(&reports, &config, work, |event| progress.event(event))?;
    for (index, message) in outcome.failed() {
        eprintln!("{}: {message}", reports[index].test.mutant);
    }
    let studied: BTreeMap<(&str, &str, &str), &Studied> =
        outcome.finished().map(|(index, studied)| (key(&reports[index].test), studied)).collect();
    eprintln!("{} of {} killed mutants are reported on", studied.len(), reports.len());
    let results: Vec<(&Test, &Tested, Option<&Studied>)> =
        tested.iter().map(|(test, tested)| (*test, *tested, studied.get(&key(test)).copied())).collect();
    if let Some(path) = &options.dump {
        let lines: Result<Vec<String>, _> = results.iter().map(serde_json::to_string).collect();
        std::fs::write(path, lines?.join("\n") + "\n")?;
    }
    let complete = tested.len() == jobs.len() && studied.len() == reports.len();
    let table = table::results(&results, &solver, options.every, complete);
    println!("{}", table.markdown());
    if complete && options.only.is_empty() && options.half.is_none() {
        eprintln!("{}", table.write()?.display());
    } else {
        eprintln!("the study is not complete: nothing is written; run it again to go on");
    }
    Ok(())
}

/// What tells one mutant from another.
fn key(test: &Test) -> (&str, &str, &str) {
    (&test.program, &test.file, &test.mutant)
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        only: Vec::new(),
        time: None,
        jobs: 1,
        dump: None,
        every: 1,
        half: None,
        tests: false,
        reports: false,
        scratch: None,
    };
    let mut words = std::env::args().skip(1).filter(|word| word != "experiment");
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--only" => options.only.push(value()?),
            "--time" => options.time = Some(Duration::from_secs(value()?.parse()?)),
            "--jobs" => options.jobs = value()?.parse()?,
            "--every" => options.every = value()?.parse::<usize>()?.max(1),
            "--tests" => options.tests = true,
            "--reports" => options.reports = true,
            "--half" => options.half = Some(value()?.parse::<usize>()? % 2),
            "--scratch" => options.scratch = Some(value()?.into()),
            "--dump" => options.dump = Some(value()?.into()),
            other => {
                return Err(format!(
                    "unknown option {other}; there are --only PROGRAM, --time SECONDS, --jobs N, --every N, --half 0|1, --tests, --reports, --scratch FOLDER, --dump FILE"
                )
                .into());
            }
        }
    }
    Ok(options)
}

/// One job for each mutant of each program.
fn jobs(root: &Path, scratch: &Path, options: &Options) -> Result<Vec<Test>, Box<dyn Error>> {
    let mut jobs = Vec::new();
    for (index, program) in PROGRAMS.iter().enumerate() {
        if options.half.is_some_and(|half| index % 2 != half) {
            continue;
        }
        if !options.only.is_empty() && !options.only.iter().any(|only| only == program.folder) {
            continue;
        }
        let workspace = Workspace::new(root, program.folder, &scratch.join("list"))?;
        let sources = Hash::of(workspace.texts()).to_string();
        jobs.extend(workspace.mutants.iter().step_by(options.every).map(|(file, mutant)| Test {
            version: test::VERSION,
            program: program.folder.to_owned(),
            file: file.clone(),
            mutant: mutant.id.clone(),
            operator: mutant.operator.clone(),
            sources: sources.clone(),
            seed: 1,
        }));
    }
    Ok(jobs)
}

/// Does something with a mutant in this worker's copy of its program.
fn on_mutant<T: Send>(
    job: &Test,
    root: &Path,
    scratch: &Path,
    action: impl FnOnce(&Workspace, &str, &Mutant) -> Result<T, Box<dyn Error>> + Send,
) -> Result<T, Box<dyn Error>> {
    WORKSPACES.with_borrow_mut(|workspaces| {
        if !workspaces.contains_key(&job.program) {
            let name = std::thread::current().name().unwrap_or("worker").replace(' ', "-");
            let name = format!("{name}-files");
            let workspace = Workspace::new(root, &job.program, &scratch.join(name))?;
            workspaces.insert(job.program.clone(), workspace);
        }
        let workspace = &workspaces[&job.program];
        let found = workspace.mutants.iter().find(|(file, it)| it.id == job.mutant && *file == job.file);
        let (file, mutant) = found.ok_or("the mutant is gone")?;
        action(workspace, file, mutant)
    })
}
