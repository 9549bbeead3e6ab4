//! A campaign for the integration tests to kill: `helper JOURNAL LOG JOBS WORKERS PARK`.
//!
//! The log gets a line when the journal is open, when a job starts, and when the stream says that it is recorded. From
//! start number PARK on, jobs wait for ever instead of starting, so that a kill always comes before the end.

use std::env::args;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use twinrun_campaign::{Campaign, Config, Context, Entry, Halt, Job, What};

/// Hash a seed many times over; now and then, that is a finding.
#[derive(Serialize, Deserialize)]
struct Chain {
    algorithm: u32,
    seed: usize,
    rounds: u32,
}

impl Job for Chain {
    fn label(&self) -> String {
        format!("chain {}", self.seed)
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = args().skip(1).collect();
    let [journal, log, jobs, workers, park] = &args[..] else {
        eprintln!("usage: helper JOURNAL LOG JOBS WORKERS PARK");
        return ExitCode::from(2);
    };
    match campaign(journal, log, number(jobs), number(workers), number(park)) {
        Ok(findings) => {
            println!("{findings}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

fn campaign(
    journal: &str,
    log: &str,
    jobs: usize,
    workers: usize,
    park: usize,
) -> Result<String, twinrun_campaign::Error> {
    let log = OpenOptions::new().append(true).create(true).open(log).expect("the log can be opened");
    let mut campaign = Campaign::open(journal, "chains")?;
    // A kill may have cut the last line short: what follows has a line of its own.
    say(&log, "\nopen");
    let jobs: Vec<Chain> = (0..jobs).map(|seed| Chain { algorithm: 1, seed, rounds: 2500 }).collect();
    let started = AtomicUsize::new(0);
    let work = |job: &Chain, context: &Context<'_>| -> Result<Option<String>, Halt> {
        while started.fetch_add(1, Ordering::Relaxed) >= park {
            std::thread::sleep(Duration::from_secs(1));
        }
        say(&log, &format!("start {}", context.id()));
        let mut hash = blake3::hash(&job.seed.to_le_bytes());
        for _ in 0..job.rounds {
            hash = blake3::hash(hash.as_bytes());
        }
        match hash.as_bytes()[0] {
            0..16 => Ok(Some(hash.to_hex().to_string())),
            16..20 => panic!("{hash} is unlucky"),
            20..24 => Err(Halt::Failed(format!("{hash} gives up"))),
            _ => Ok(None),
        }
    };
    let outcome = campaign.run(&jobs, &Config { workers, ..Config::default() }, work, |event| {
        if let What::Finished { id, recorded: false, .. } | What::Failed { id, recorded: false, .. } =
            &event.what
        {
            say(&log, &format!("done {id}"));
        }
    })?;
    assert!(outcome.is_complete());
    let findings = outcome.entries.iter().enumerate().filter_map(|(job, entry)| match entry {
        Entry::Finished(finding) => finding.as_ref().map(|hash| format!("{job} found {hash}")),
        Entry::Failed(message) => Some(format!("{job} failed {message}")),
        Entry::Open => Some(format!("{job} open")),
    });
    Ok(findings.collect::<Vec<_>>().join("\n"))
}

fn say(mut log: &File, line: &str) {
    log.write_all(format!("{line}\n").as_bytes()).expect("the log can be written");
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}
