//! The study of debuggers: random campaigns against several versions of V8's debugger, Chromium, lldb-dap and debugpy.
//!
//! Usage: `twinrun-experiment-debuggers [SECONDS [DEBUGGER...]]`; `speed` counts as a debugger. Each debugger gets at most
//! that many seconds in this run (default 240); what is done is journalled under `.twinrun/` and never done again, so that
//! several runs add up. Every debugger gets all programs, block after block of seeds, until its time is over.

mod bugs;
mod judged;
mod programs;
mod speed;
mod tables;
mod trial;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use twinrun_campaign::{Campaign, Config as Limited};
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::debugpy::Debugpy;
use twinrun_debugger::backends::lldb::Lldb;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{Backend, Config, Limits, Program, Report, Summary, TestJob, jobs, run_campaign};
use twinrun_results::workspace_root;

/// What is tested.
const DEBUGGERS: &[&str] = &[
    "node-11.15.0",
    "node-14.21.3",
    "node-16.20.2",
    "node-18.20.8",
    "node-24.1.0",
    "node-24.21.0",
    "chromium",
    "lldb-dap",
    "debugpy",
];
/// The newest Node, whose rate is measured.
const NEWEST: &str = "node-24.21.0";
/// Blocks of seeds: more than any budget of time gets through.
const BLOCKS: u64 = 20;
/// Fetched programs are many and small: each block has every fifth of them, and every second of the joined ones.
const SHARES: usize = 5;
/// Pairs of sessions to spend on reducing each warning.
const REDUCE: usize = 60;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "experiment").collect();
    if let [word, binary, list, seconds, out] = arguments.as_slice()
        && word == "trial"
    {
        return trial::run(binary, list, seconds.parse()?, out);
    }
    let seconds: u64 = arguments.first().map_or(Ok(240), |word| word.parse())?;
    let wanted: &[String] = arguments.get(1..).unwrap_or_default();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    let root = workspace_root();
    let fetched = Command::new(root.join("experiments/debuggers/fetch")).arg("all").status()?;
    if !fetched.success() {
        eprintln!("not everything could be fetched; what is missing is left out");
    }
    let own = programs::own(&root.join("subjects/javascript"));
    let mut javascript = own.clone();
    javascript.extend(programs::variants(&own));
    let from_npm = programs::fetched(&root.join(".deps/javascript"));
    let known = root.join(".deps/javascript/that-run.txt");
    let from_npm = programs::that_run(&node_binary(&root, NEWEST), from_npm, &known);
    eprintln!(
        "{} programs of our own, {} with variants, {} from npm",
        own.len(),
        javascript.len(),
        from_npm.len()
    );
    let (own_count, npm_count) = (own.len(), from_npm.len());
    let (javascript, from_npm) = (mixed(javascript), mixed(from_npm));
    let joined = programs::joined(&from_npm);
    let joined = programs::that_run(&node_binary(&root, NEWEST), joined, &known.with_extension("joined.txt"));
    eprintln!("{} joined ones", joined.len());
    let c = mixed(programs::own(&root.join("subjects/debugger-c")));
    let python = mixed(programs::own(&root.join("subjects/debugger-python")));

    let mut summaries: BTreeMap<&str, Summary> = BTreeMap::new();
    for name in DEBUGGERS {
        let time = if is_wanted(name) { seconds } else { 0 };
        let programs: [&[Program]; 3] = match *name {
            "lldb-dap" => [&c, &[], &[]],
            "debugpy" => [&python, &[], &[]],
            _ => [&javascript, &joined, &from_npm],
        };
        if let Some(reports) = campaign(&root, name, programs, time)? {
            summaries.insert(name, Summary::of(&reports));
        }
    }
    let rate = if is_wanted("speed") {
        speed::measure(&node_binary(&root, NEWEST), &own)?
    } else {
        speed::earlier(&root)
    };
    tables::write(&root, own_count, npm_count, &summaries, rate)
}

/// Programs in an order that mixes their kinds, so that a stopped campaign has seen all of them.
fn mixed(mut programs: Vec<Program>) -> Vec<Program> {
    let mix = |name: &str| {
        name.bytes()
            .fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)).rotate_left(7))
    };
    programs.sort_by_key(|program| (mix(&program.name), program.name.clone()));
    programs
}

/// Block after block: all our programs with the block's seed, then a share of the fetched ones, joined and single.
fn blocks(debugger: &str, [programs, joined, fetched]: [&[Program]; 3]) -> Vec<TestJob> {
    let config = Config::default();
    let mut all = Vec::new();
    for block in 0..BLOCKS {
        let share = |programs: &[Program], shares: usize| -> Vec<Program> {
            programs.iter().skip(block as usize % shares).step_by(shares).cloned().collect()
        };
        for programs in [programs.to_vec(), share(joined, 2), share(fetched, SHARES)] {
            all.extend(jobs(debugger, &programs, block..block + 1, 1, &config, REDUCE));
        }
    }
    all
}

/// Runs or resumes one campaign; none when the debugger is not installed.
fn campaign(
    root: &Path,
    name: &str,
    programs: [&[Program]; 3],
    seconds: u64,
) -> Result<Option<Vec<Report>>, Failure> {
    let folder = std::env::temp_dir().join(format!("twinrun-debuggers-{}", std::process::id()));
    // Tabs of one browser serve all workers.
    let browser: Mutex<Option<Chromium>> = Mutex::new(None);
    let counter = AtomicUsize::new(0);
    let start = || -> twinrun_debugger::Result<Box<dyn Backend>> {
        let limits = Limits { answer: Duration::from_secs(15), ..Limits::default() };
        let own = folder.join(counter.fetch_add(1, Ordering::Relaxed).to_string());
        Ok(match name {
            "chromium" => {
                let mut browser = browser.lock().map_err(|_| twinrun_debugger::Error::Closed)?;
                match browser.as_mut() {
                    Some(first) => Box::new(first.another_tab()?),
                    None => {
                        let mut first = Chromium::new(Path::new("/usr/bin/chromium"), &own, limits)?;
                        let tab = first.another_tab()?;
                        *browser = Some(first);
                        Box::new(tab)
                    }
                }
            }
            "lldb-dap" => Box::new(Lldb::new(
                Path::new("/usr/bin/lldb-dap-19"),
                Path::new("/usr/bin/cc"),
                &own,
                limits,
            )?),
            "debugpy" => {
                Box::new(Debugpy::new(Path::new("python3"), &root.join(".deps/python"), &own, limits)?)
            }
            node => Box::new(Node::new(&node_binary(root, node), Isolation::Context, limits)?),
        })
    };
    // Chromium tells its version without being started.
    let version = match name {
        "chromium" => Chromium::new(Path::new("/usr/bin/chromium"), &folder, Limits::default())
            .map(|chromium| chromium.name().to_owned()),
        _ => start().map(|backend| backend.name().to_owned()),
    };
    let version = match version {
        Ok(version) => version,
        Err(error) => {
            eprintln!("{name} is left out: {error}");
            return Ok(None);
        }
    };
    let jobs = blocks(&version, programs);
    let journal = root.join(".twinrun").join("debuggers.sqlite");
    let mut campaign = Campaign::open(journal, &format!("debuggers {name}"))?;
    // Sessions mostly wait for the debugger, and it for them: several workers a core.
    let workers = 4 * std::thread::available_parallelism().map_or(1, usize::from);
    let limits = Limited {
        workers,
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        ..Limited::default()
    };
    let outcome = run_campaign(&mut campaign, &jobs, &limits, &start, |_| ())?;
    let reports: Vec<Report> = outcome.finished().flat_map(|(_, reports)| reports.clone()).collect();
    for (job, why) in outcome.failed() {
        eprintln!("{name}: {} failed: {why}", jobs[job].program.name);
    }
    eprintln!("{name}: {} tests done", reports.len());
    let _ = std::fs::remove_dir_all(&folder);
    Ok(Some(reports))
}

fn node_binary(root: &Path, name: &str) -> PathBuf {
    root.join(".deps/node").join(name.trim_start_matches("node-")).join("bin/node")
}
