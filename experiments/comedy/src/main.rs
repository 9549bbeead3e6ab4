//! `./x experiment comedy`: the published study of concolic metamorphic debugging, with our method beside the published one.
//!
//! 21 programs in C with their published relations, all mutants, up to ten violating cases for each relation from up to
//! 100,000 random tries. Crashing mutants are left out, as published. The study is resumable: what is in the journal is not done
//! again. Options: `--only PROGRAM`, `--time SECONDS` (go on later), `--jobs N` (times are
//! exact with one, the default), `--every N` (a sample: every Nth mutant), `--dump FILE` (all results, one JSON line each).

mod distance;
mod programs;
mod study;
mod table;
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

use programs::PROGRAMS;
use study::{Studied, Study, VERSION, study};
use workspace::Workspace;

thread_local! {
    /// Each worker has its own copies of the programs.
    static WORKSPACES: RefCell<BTreeMap<String, Workspace>> = RefCell::default();
}

/// The stack of the thread that studies a mutant.
const STACK: usize = 16 << 20;

struct Options {
    only: Vec<String>,
    time: Option<Duration>,
    jobs: usize,
    dump: Option<PathBuf>,
    every: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let root = workspace_root();
    let scratch = root.join("target/comedy");
    let solver = Program::find(&root)?;
    let jobs = jobs(&root, &scratch, &options)?;
    let mut campaign = Campaign::open(scratch.join("journal.db"), "comedy")?;
    let config = Config {
        workers: options.jobs,
        deadline: options.time.map(|time| Instant::now() + time),
        retry_failed: true,
        ..Config::default()
    };
    let mut progress = Progress::lines(std::io::stderr(), 20_000);
    let work = |job: &Study, _: &twinrun_campaign::Context<'_>| {
        one(job, &root, &scratch, &solver).map_err(|error| Halt::Failed(error.to_string()))
    };
    let outcome = campaign.run(&jobs, &config, work, |event| progress.event(event))?;
    let results: Vec<(&Study, &Studied)> =
        outcome.finished().map(|(index, studied)| (&jobs[index], studied)).collect();
    eprintln!("{} of {} mutants are done", results.len(), jobs.len());
    for (index, message) in outcome.failed() {
        eprintln!("{}: {}: {message}", jobs[index].program, jobs[index].mutant);
    }
    if let Some(path) = &options.dump {
        let lines: Result<Vec<String>, _> = results.iter().map(serde_json::to_string).collect();
        std::fs::write(path, lines?.join("\n") + "\n")?;
    }
    let table = table::results(&results, &solver, options.every, results.len() == jobs.len());
    println!("{}", table.markdown());
    if results.len() == jobs.len() && options.only.is_empty() {
        eprintln!("{}", table.write()?.display());
    } else {
        eprintln!("the study is not complete: nothing is written; run it again to go on");
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { only: Vec::new(), time: None, jobs: 1, dump: None, every: 1 };
    let mut words = std::env::args().skip(1).filter(|word| word != "experiment");
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--only" => options.only.push(value()?),
            "--time" => options.time = Some(Duration::from_secs(value()?.parse()?)),
            "--jobs" => options.jobs = value()?.parse()?,
            "--every" => options.every = value()?.parse::<usize>()?.max(1),
            "--dump" => options.dump = Some(value()?.into()),
            other => {
                return Err(format!(
                    "unknown option {other}; there are --only PROGRAM, --time SECONDS, --jobs N, --every N, --dump FILE"
                )
                .into());
            }
        }
    }
    Ok(options)
}

/// One job for each mutant of each program.
fn jobs(root: &Path, scratch: &Path, options: &Options) -> Result<Vec<Study>, Box<dyn Error>> {
    let mut jobs = Vec::new();
    for program in &PROGRAMS {
        if !options.only.is_empty() && !options.only.iter().any(|only| only == program.folder) {
            continue;
        }
        let workspace = Workspace::new(root, program.folder, &scratch.join("list"))?;
        let sources = Hash::of(workspace.texts()).to_string();
        jobs.extend(workspace.mutants.iter().step_by(options.every).map(|(file, mutant)| Study {
            version: VERSION,
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

fn one(job: &Study, root: &Path, scratch: &Path, solver: &Program) -> Result<Studied, Box<dyn Error>> {
    WORKSPACES.with_borrow_mut(|workspaces| {
        if !workspaces.contains_key(&job.program) {
            let name = std::thread::current().name().unwrap_or("worker").replace(' ', "-");
            let workspace = Workspace::new(root, &job.program, &scratch.join(name))?;
            workspaces.insert(job.program.clone(), workspace);
        }
        let workspace = &workspaces[&job.program];
        let found = workspace.mutants.iter().find(|(file, it)| it.id == job.mutant && *file == job.file);
        let (file, mutant) = found.ok_or("the mutant is gone")?;
        // Compiled groups want a large stack: on a small one every group would switch stacks.
        std::thread::scope(|scope| {
            let studying = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
                study(job, workspace, file, mutant, solver).map_err(|error| error.to_string())
            })?;
            Ok(studying.join().map_err(|_| "the study of the mutant ended unexpectedly")??)
        })
    })
}
