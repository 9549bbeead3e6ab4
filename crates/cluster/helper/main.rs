//! What the integration tests run and kill: a worker and a coordinator with kinds of jobs of their own.
//!
//! `worker URL NAME FOLDER JOBS LEASE-MS`, `child FOLDER SCRATCH`, `coordinate URL JOURNAL LEASE-MS JOBS`; files of users and
//! certificates in `HELPER_CA`, `HELPER_NKEY`, `HELPER_CREDS`, `HELPER_CERT` and `HELPER_KEY`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twinrun_campaign::remote::Blob;
use twinrun_campaign::{Campaign, Config as Limits, Context, Halt, Job, Remote, Setting};
use twinrun_cluster::worker::{Options, Program, work};
use twinrun_cluster::{Blobs, Config, Coordinator, Kind, Opening, Work, child, runtime};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Probe {
    what: String,
    n: u64,
}

impl Job for Probe {
    fn label(&self) -> String {
        format!("{} {}", self.what, self.n)
    }
}

struct Probing {
    factor: u64,
}

impl Work for Probing {
    fn run(
        &mut self,
        spec: &str,
        _: &Value,
        blobs: &dyn Blobs,
        context: &Context<'_>,
    ) -> Result<Value, Halt> {
        let probe: Probe = serde_json::from_str(spec)?;
        match probe.what.as_str() {
            "multiply" => Ok(json!(probe.n.wrapping_mul(self.factor))),
            "wait" => {
                for step in 0..probe.n {
                    context.progress(step, Some(probe.n), "waiting");
                    std::thread::sleep(Duration::from_millis(1));
                    if context.stopping() {
                        return Err(Halt::Interrupted);
                    }
                }
                Ok(json!(probe.n))
            }
            "large" => Ok(json!(vec![probe.n; 300_000])),
            "read" => {
                let bytes =
                    blobs.fetch(&twinrun_campaign::remote::hash(b"contents")).map_err(Halt::Failed)?;
                Ok(json!(bytes.len() as u64 + probe.n))
            }
            "abort" => std::process::abort(),
            "panic" => panic!("as it was told"),
            other => Err(Halt::Failed(format!("there is no {other}"))),
        }
    }
}

fn open(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let factor = opening.data["factor"].as_u64().ok_or_else(|| Halt::Failed("no factor".to_owned()))?;
    Ok(Box::new(Probing { factor }))
}

const KINDS: [Kind; 2] =
    [Kind { name: "probe", commands: false, open }, Kind { name: "command", commands: true, open }];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["child", folder, scratch] => child::serve(&KINDS, false, Path::new(folder), Path::new(scratch)),
        ["worker", url, name, folder, jobs, lease] => {
            let options = Options {
                name: (*name).to_owned(),
                jobs: jobs.parse().unwrap_or(1),
                labels: Vec::new(),
                commands: false,
                folder: folder.into(),
                child: Program {
                    program: std::env::current_exe().unwrap_or_default(),
                    arguments: vec!["child".into(), (*folder).into()],
                },
                idle: None,
            };
            let log = |line: &str| eprintln!("{line}");
            let ended = runtime().and_then(|runtime| {
                runtime.block_on(work(&config(url, lease), &options, Rc::default(), &log))
            });
            println!("{ended:?}");
        }
        ["coordinate", url, journal, lease, jobs] => {
            let Some(all) = coordinate(url, journal, lease, jobs) else { return ExitCode::FAILURE };
            println!("{all}");
        }
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

fn config(url: &str, lease: &str) -> Config {
    let lease = Duration::from_millis(lease.parse().unwrap_or(1000));
    let file = |name: &str| std::env::var_os(format!("HELPER_{name}")).map(PathBuf::from);
    Config {
        lease,
        ca: file("CA"),
        nkey: file("NKEY"),
        credentials: file("CREDS"),
        certificate: file("CERT").zip(file("KEY")),
        ..Config::new(url, "1")
    }
}

/// Jobs are `WHAT:FROM..TO`, separated by commas; the answers are printed in the order of the jobs.
fn coordinate(url: &str, journal: &str, lease: &str, jobs: &str) -> Option<Value> {
    let mut probes = Vec::new();
    for part in jobs.split(',') {
        let (what, range) = part.split_once(':')?;
        let (from, to) = range.split_once("..")?;
        let range = from.parse::<u64>().ok()?..to.parse().ok()?;
        probes.extend(range.map(|n| Probe { what: what.to_owned(), n }));
    }
    let setting = Setting {
        kind: "probe".to_owned(),
        data: json!({ "factor": 3 }),
        blobs: vec![Blob::new(&b"contents"[..])],
        ..Setting::default()
    };
    let runner = Coordinator::new(config(url, lease), |line| eprintln!("{line}"));
    let remote = Remote { runner: Arc::new(runner), setting: Arc::new(setting), local: false };
    let limits = Limits { remote: Some(remote), ..Limits::default() };
    let mut campaign = Campaign::open(journal, "probes").ok()?;
    let never = |_: &Probe, _: &Context<'_>| Err::<Value, Halt>(Halt::Failed("ran here".to_owned()));
    let outcome = campaign.run(&probes, &limits, never, |_| ()).map_err(|error| eprintln!("{error}")).ok()?;
    let entry = |entry: &twinrun_campaign::Entry<Value>| match entry {
        twinrun_campaign::Entry::Finished(value) if value.is_array() => json!(value.as_array().map(Vec::len)),
        twinrun_campaign::Entry::Finished(value) => value.clone(),
        twinrun_campaign::Entry::Failed(message) => json!(message),
        twinrun_campaign::Entry::Open => Value::Null,
    };
    Some(outcome.entries.iter().map(entry).collect())
}
