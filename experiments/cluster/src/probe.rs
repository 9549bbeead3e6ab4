//! Jobs of this study's own, and the processes that run them: worker, child and coordinator.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twinrun_base::Rng;
use twinrun_campaign::{Campaign, Config as Limits, Context, Halt, Job, Remote, Setting};
use twinrun_cluster::worker::{Options, Program, work};
use twinrun_cluster::{Blobs, Config, Coordinator, Kind, Opening, Work, child, runtime};

/// The version under which everything here runs.
pub(crate) const VERSION: &str = "study";

/// One job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Probe {
    /// What to do.
    pub(crate) what: What,
    /// Makes it different from others.
    pub(crate) number: u64,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    /// Nothing.
    Nothing,
    /// Computes in so many steps.
    Spin(u64),
    /// Waits so many milliseconds.
    Wait(u64),
    /// Answers with so many numbers.
    Large(u64),
    /// Ends its process.
    Abort,
    /// Ends its process with a code.
    Exit,
    /// Calls itself until the stack is used up.
    Overflow,
    /// Reads where nothing is.
    Segfault,
    /// Is killed as the system kills when memory runs out.
    Killed,
}

impl Job for Probe {
    fn label(&self) -> String {
        format!("{:?} {}", self.what, self.number)
    }
}

/// Computes; the answer depends on every step.
pub(crate) fn spin(seed: u64, steps: u64) -> u64 {
    let mut rng = Rng::new(seed);
    (0..steps).fold(0, |sum: u64, _| sum.wrapping_mul(31).wrapping_add(rng.bits()))
}

/// What all jobs answer with: something else is no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Answer {
    Number(u64),
    Numbers(Vec<u64>),
}

/// What a job answers.
pub(crate) fn answer(probe: &Probe) -> Value {
    match probe.what {
        What::Spin(steps) => json!(spin(probe.number, steps)),
        What::Large(size) => json!((0..size).map(|n| n ^ probe.number).collect::<Vec<_>>()),
        _ => json!(probe.number),
    }
}

struct Probing {
    log: Option<String>,
}

impl Work for Probing {
    fn run(&mut self, spec: &str, _: &Value, _: &dyn Blobs, context: &Context<'_>) -> Result<Value, Halt> {
        let probe: Probe = serde_json::from_str(spec)?;
        if let Some(log) = &self.log {
            // One line at once: a kill leaves whole lines.
            let line = format!("{} {}\n", context.id(), now_ms());
            let mut file = OpenOptions::new().append(true).create(true).open(log)?;
            file.write_all(line.as_bytes())?;
        }
        match probe.what {
            What::Wait(ms) => {
                let until = Instant::now() + Duration::from_millis(ms);
                while Instant::now() < until && !context.stopping() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            What::Abort => std::process::abort(),
            What::Exit => std::process::exit(7),
            What::Overflow => {
                std::hint::black_box(overflow(1));
            }
            What::Segfault => signal(libc::SIGSEGV),
            What::Killed => signal(libc::SIGKILL),
            What::Nothing | What::Spin(_) | What::Large(_) => {}
        }
        if context.stopping() { Err(Halt::Interrupted) } else { Ok(answer(&probe)) }
    }
}

#[expect(unconditional_recursion, reason = "that is what it is for")]
fn overflow(n: u64) -> u64 {
    let kept = std::hint::black_box([n; 64]);
    overflow(n + 1) + kept[3]
}

fn signal(number: i32) {
    // Twice: the first one may only take the handler away that looks for stack overflows.
    for _ in 0..2 {
        // SAFETY: raising a signal has no preconditions; the process ends, which is what is wanted.
        unsafe { libc::raise(number) };
    }
}

pub(crate) fn now_ms() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis())
}

fn open(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    Ok(Box::new(Probing { log: opening.data["log"].as_str().map(str::to_owned) }))
}

const KINDS: [Kind; 1] = [Kind { name: "probe", commands: false, open }];

/// How everything here reaches the server.
pub(crate) fn config(url: &str, name: &str, lease_ms: u64) -> Config {
    let lease = Duration::from_millis(lease_ms);
    Config { name: name.to_owned(), lease, ..Config::new(url, VERSION) }
}

/// `child FOLDER SCRATCH`
pub(crate) fn be_child(folder: &str, scratch: &str) {
    child::serve(&KINDS, false, Path::new(folder), Path::new(scratch));
}

/// `worker URL CLUSTER NAME FOLDER JOBS LEASE`
pub(crate) fn be_worker(words: &[&str]) -> Option<()> {
    let [url, cluster, name, folder, jobs, lease] = words else { return None };
    let options = Options {
        name: (*name).to_owned(),
        jobs: jobs.parse().ok()?,
        labels: Vec::new(),
        commands: false,
        folder: folder.into(),
        child: Program {
            program: std::env::current_exe().ok()?,
            arguments: vec!["child".into(), (*folder).into()],
        },
        idle: None,
    };
    let config = config(url, cluster, lease.parse().ok()?);
    // The server may be away at the moment.
    let runtime = runtime().ok()?;
    while runtime.block_on(work(&config, &options, Rc::default(), &|_| ())).is_err() {
        std::thread::sleep(Duration::from_millis(200));
    }
    Some(())
}

/// `coordinate URL CLUSTER JOURNAL LEASE LOG JOBS-FILE ANSWERS-FILE`
pub(crate) fn be_coordinator(words: &[&str]) -> Option<()> {
    let [url, cluster, journal, lease, log, jobs, answers] = words else { return None };
    let probes: Vec<Probe> = serde_json::from_str(&std::fs::read_to_string(jobs).ok()?).ok()?;
    let config = config(url, cluster, lease.parse().ok()?);
    let data = if log.is_empty() { json!({}) } else { json!({ "log": log }) };
    let found = coordinate(config, Path::new(journal), data, &probes).ok()?;
    let text = serde_json::to_string(&found).ok()?;
    let unfinished = format!("{answers}.tmp");
    std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, answers)).ok()
}

/// Runs probes on a cluster; failures are answers that begin with `failed: `.
pub(crate) fn coordinate(
    config: Config,
    journal: &Path,
    data: Value,
    probes: &[Probe],
) -> Result<Vec<Value>, String> {
    let setting = Setting { kind: "probe".to_owned(), data, ..Setting::default() };
    let runner = Arc::new(Coordinator::new(config, |_| ()));
    let limits = Limits {
        remote: Some(Remote { runner, setting: Arc::new(setting), local: false }),
        ..Limits::default()
    };
    let text = |error: twinrun_campaign::Error| error.to_string();
    let mut campaign = Campaign::open(journal, "probes").map_err(text)?;
    let never = |_: &Probe, _: &Context<'_>| Err::<Answer, Halt>(Halt::Failed("ran here".to_owned()));
    let outcome = campaign.run(probes, &limits, never, |_| ()).map_err(text)?;
    Ok(outcome
        .entries
        .into_iter()
        .map(|entry| match entry {
            twinrun_campaign::Entry::Finished(answer) => json!(answer),
            twinrun_campaign::Entry::Failed(message) => json!(format!("failed: {message}")),
            twinrun_campaign::Entry::Open => Value::Null,
        })
        .collect())
}
