//! `./x experiment comer [--repetitions N] [--strengths 2,3,4] [--only NAME,NAME] [--mutants N] [--judged N] [--jobs N] [--minutes M]
//! [--partial] [--journal FILE]`:
//! the subjects of the COMER study with six ways to tests, judged by their relations on mutants. What is done is
//! journalled under `target/` and never done again while nothing that it depends on changes, so that several runs of some
//! minutes add up; the result file is written when all is done.

mod correlation;
mod features;
mod methods;
mod study;
mod subject;
mod totals;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use twinrun_campaign::{Campaign, Halt, Job, What};
use twinrun_results::{Results, sources, workspace_root};

use crate::study::{Block, Part};
use crate::subject::Subject;

/// What to run.
pub(crate) struct Options {
    pub repetitions: u64,
    pub strengths: Vec<usize>,
    pub only: Option<Vec<String>>,
    pub mutants: usize,
    /// Only the first so many repetitions are run on the mutants: these take most of the time.
    pub judged: u64,
    pub jobs: usize,
    pub minutes: Option<f64>,
    pub journal: PathBuf,
    /// Write the results although repetitions are left.
    pub partial: bool,
}

/// Repetitions of one job.
const BLOCK: u64 = 3;

fn main() {
    let options = options();
    if let Err(error) = study(&options) {
        eprintln!("{error}");
        std::process::exit(3);
    }
}

fn study(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let folder = workspace_root().join("subjects/comer");
    let mut names: Vec<String> = std::fs::read_dir(&folder)?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| folder.join(name).join("model.toml").exists());
    names.retain(|name| options.only.as_ref().is_none_or(|only| only.contains(name)));
    names.sort();
    let blocks = blocks(&names, options);
    let limits = twinrun_campaign::Config {
        workers: options.jobs.max(1),
        deadline: options.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes)),
        retry_failed: true,
        ..twinrun_campaign::Config::default()
    };
    let mut campaign = Campaign::open(&options.journal, "comer")?;
    // Subjects are built beside each other, each of them once.
    let loaded: Mutex<BTreeMap<String, Arc<Building>>> = Mutex::new(BTreeMap::new());
    let load = |block: &Block| -> Result<Arc<Subject>, Halt> {
        let own = workspace_root().join("subjects/comer").join(&block.subject);
        let key =
            format!("{}-{}", block.subject, sources(&[&format!("subjects/comer/{}", block.subject), COMMON]));
        let key = if block.mutants == 0 { format!("{key} alone") } else { key };
        let building = {
            let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(loaded.entry(key.clone()).or_default())
        };
        let subject = building
            .get_or_init(|| Subject::load(&own, &work_folder().join(&key), block.mutants).map(Arc::new));
        subject.clone().map_err(Halt::Failed)
    };
    let work = |block: &Block, _: &twinrun_campaign::Context<'_>| Ok(study::repeat(&*load(block)?, block));
    let outcome = campaign.run(&blocks, &limits, work, |event| {
        if let What::Finished { job, elapsed_ms, recorded: false, .. } = &event.what {
            println!("{} in {:.1} s", blocks[*job].label(), *elapsed_ms as f64 / 1000.0);
        }
    })?;
    outcome.failed().for_each(|(job, why)| eprintln!("{}: left out: {why}", blocks[job].label()));
    let mut parts: Vec<(String, usize, Part)> = Vec::new();
    for (job, part) in outcome.finished() {
        let Block { subject, strength, .. } = &blocks[job];
        match parts.iter_mut().find(|(name, own, _)| name == subject && own == strength) {
            Some((_, _, own)) => own.add(part),
            None => parts.push((subject.clone(), *strength, part.clone())),
        }
    }
    let mut results = Results::new("comer");
    totals::write(&parts, options, &mut results);
    let all = names.len() * options.strengths.len();
    if (outcome.is_complete() || (options.partial && parts.len() == all)) && options.only.is_none() {
        println!("{}", results.write()?.display());
    } else {
        results.rows.iter().for_each(|row| println!("{}", serde_json::Value::Object(row.clone())));
        println!("{:#}", serde_json::Value::Object(results.totals));
        eprintln!(
            "{} of {} blocks are left: run the same again to go on",
            outcome.open().count(),
            blocks.len()
        );
    }
    Ok(())
}

/// A subject, once it is built.
type Building = OnceLock<Result<Arc<Subject>, String>>;

/// What tests and groups depend on, beside the subjects and this study.
const GENERATOR: [&str; 23] = [
    "algebra.rs",
    "algebra",
    "bound.rs",
    "cnf.rs",
    "cover.rs",
    "expression",
    "feasible.rs",
    "generate.rs",
    "greedy.rs",
    "groups/concrete.rs",
    "groups/enrich.rs",
    "groups/enrich/added.rs",
    "groups/matcher.rs",
    "groups/methods.rs",
    "groups/relation.rs",
    "groups/sampling.rs",
    "optimise.rs",
    "propagate.rs",
    "random.rs",
    "rule.rs",
    "space.rs",
    "tuples.rs",
    "value.rs",
];

/// What of this study the results of a block depend on: how they are summed up may change.
const STUDY: [&str; 4] = ["features.rs", "methods.rs", "study.rs", "subject.rs"];

/// What all subjects share.
const COMMON: &str = "subjects/comer/common";

fn blocks(names: &[String], options: &Options) -> Vec<Block> {
    // Repetitions outermost: whenever the study is stopped, all subjects have come equally far.
    let mut blocks = Vec::new();
    for first in (1..=options.repetitions).step_by(BLOCK as usize) {
        for name in names {
            let own = format!("subjects/comer/{name}");
            let mut depends: Vec<String> =
                GENERATOR.map(|file| format!("crates/combine/src/{file}")).to_vec();
            depends.extend(STUDY.map(|file| format!("experiments/comer/src/{file}")));
            depends.extend(["crates/whatif/src", &own, COMMON].map(str::to_owned));
            let sources = sources(&depends);
            for &strength in &options.strengths {
                let count = BLOCK.min(options.repetitions + 1 - first);
                let (subject, sources) = (name.clone(), sources.clone());
                let mutants = if first <= options.judged { options.mutants } else { 0 };
                blocks.push(Block { subject, strength, first, count, mutants, sources });
            }
        }
    }
    blocks
}

fn work_folder() -> PathBuf {
    build_folder().join("comer")
}

/// Where cargo builds.
fn build_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace_root().join("target"), PathBuf::from)
}

fn options() -> Options {
    let mut options = Options {
        repetitions: 30,
        strengths: vec![2, 3, 4],
        only: None,
        mutants: 25,
        judged: u64::MAX,
        jobs: 1,
        minutes: None,
        journal: build_folder().join("comer.journal"),
        partial: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--repetitions" => options.repetitions = value().parse().unwrap_or(options.repetitions),
            "--mutants" => options.mutants = value().parse().unwrap_or(options.mutants),
            "--judged" => options.judged = value().parse().unwrap_or(options.judged),
            "--strengths" => options.strengths = value().split(',').filter_map(|s| s.parse().ok()).collect(),
            "--jobs" => options.jobs = value().parse().unwrap_or(1),
            "--partial" => options.partial = true,
            "--journal" => options.journal = value().into(),
            "--minutes" => options.minutes = value().parse().ok(),
            "--only" => options.only = Some(value().split(',').map(str::to_owned).collect()),
            _ => {}
        }
    }
    options
}
