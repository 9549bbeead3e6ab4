//! `twinrun worker`: takes jobs from a cluster and runs them.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use twinrun_base::Exit;
use twinrun_campaign::{Context, Halt};
use twinrun_cluster::worker::{Options, Program, work};
use twinrun_cluster::{Blobs, Kind, Opening, Work, child, runtime};
use twinrun_subject::project::ClusterFile;

use crate::cluster::Access;
use crate::error::Error;
use crate::options::{Common, duration};
use crate::{Outcome, apart, stop};

/// Takes jobs from a NATS server and runs them, each in a process of its own that is watched.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// The NATS server
    #[arg(long, value_name = "URL", required_unless_present = "child")]
    nats: Option<String>,
    /// Jobs at once [default: one on each core]
    #[arg(long, short, default_value_t = 0, hide_default_value = true, value_name = "N")]
    jobs: usize,
    /// Also take jobs that only workers with one of these labels may take
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    labels: Vec<String>,
    /// Run programs of this machine too: commands and debuggers. Whoever may write to the server then runs programs here
    #[arg(long)]
    allow_commands: bool,
    /// Where modules are kept [default: a folder that goes with the worker]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The worker's name [default: made from the machine's and the process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// End when there was nothing to do for this time, e.g. 30s, 5m
    #[arg(long, value_parser = duration, value_name = "TIME")]
    idle: Option<Duration>,
    #[command(flatten)]
    access: Access,
    /// Run jobs for a worker that gives them on standard input, with this folder of its own
    #[arg(long, hide = true, value_name = "SCRATCH", requires = "folder")]
    child: Option<PathBuf>,
}

/// The kinds of jobs that are known.
const KINDS: [Kind; 5] = [
    Kind { name: apart::test::KIND, commands: false, open: open_test },
    Kind { name: apart::hunt::KIND, commands: false, open: open_hunt },
    Kind { name: apart::score::KIND, commands: false, open: open_score },
    Kind { name: apart::locate::KIND, commands: false, open: open_locate },
    Kind { name: apart::debugger::KIND, commands: true, open: open_debugger },
];

pub(crate) fn run(options: &Worker, common: &Common) -> Outcome {
    if let (Some(scratch), Some(folder)) = (&options.child, &options.folder) {
        child::serve(&KINDS, options.allow_commands, folder, scratch);
        return Ok(Exit::Holds);
    }
    let failed = |error: twinrun_cluster::Error| Error::Infrastructure(error.to_string());
    let url = options.nats.as_deref().unwrap_or_default();
    let config = options.access.config(url, &ClusterFile::default(), &PathBuf::from("."))?;
    let (folder, temporary) = match &options.folder {
        Some(folder) => (folder.clone(), None),
        None => {
            let made = tempfile::Builder::new().prefix("twinrun-worker-").tempdir();
            let made =
                made.map_err(|error| Error::Infrastructure(format!("no folder can be made: {error}")))?;
            (made.path().to_owned(), Some(made))
        }
    };
    let mut arguments = vec!["worker".into(), "--folder".into(), folder.clone().into_os_string()];
    if options.allow_commands {
        arguments.push("--allow-commands".into());
    }
    arguments.push("--child".into());
    let program = std::env::current_exe()
        .map_err(|error| Error::Infrastructure(format!("this program cannot find itself: {error}")))?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let worker = Options {
        name: options.name.clone().unwrap_or_else(name),
        jobs: if options.jobs == 0 { cores() } else { options.jobs },
        labels: options.labels.clone(),
        commands: options.allow_commands,
        folder,
        child: Program { program, arguments },
        idle: options.idle,
    };
    let flag = stop::flag();
    let log = |line: &str| {
        if !common.quiet {
            eprintln!("{}: {line}", worker.name);
        }
    };
    log(&format!("version {}, {} jobs at once", config.version, worker.jobs));
    let summary = runtime().map_err(failed)?.block_on(async {
        let end = Rc::new(tokio::sync::Notify::new());
        let asked = async {
            while !flag.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            end.notify_one();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            summary = work(&config, &worker, Rc::clone(&end), &log) => summary,
            () = asked => unreachable!("it waits for ever"),
        }
    });
    let summary = summary.map_err(failed)?;
    log(&format!(
        "{} jobs answered, {} messages refused, {} children died",
        summary.answered, summary.refused, summary.deaths
    ));
    drop(temporary);
    Ok(Exit::Holds)
}

/// Unique among workers, and readable.
fn name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let fits = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let host: String = host.trim().chars().filter(fits).take(40).collect();
    let host = if host.is_empty() { "worker".to_owned() } else { host };
    format!("{host}-{}", std::process::id())
}

/// What one kind opened; the contents are fetched when a job needs them.
struct Running<A> {
    apart: A,
    run: fn(&mut A, &str, &Value, &Fetch<'_>, &Context<'_>) -> Result<Value, Halt>,
}

/// Contents by their hash.
type Fetch<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

impl<A> Work for Running<A> {
    fn run(
        &mut self,
        spec: &str,
        allowance: &Value,
        blobs: &dyn Blobs,
        context: &Context<'_>,
    ) -> Result<Value, Halt> {
        (self.run)(&mut self.apart, spec, allowance, &|hash| blobs.fetch(hash), context)
    }
}

fn open_test(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let apart = apart::test::Apart::open(opening.data, opening.commands)?;
    Ok(Box::new(Running { apart, run: |apart, spec, _, fetch, context| apart.run(spec, fetch, context) }))
}

fn open_hunt(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let fetch = |hash: &str| opening.blobs.fetch(hash);
    let apart = apart::hunt::Apart::open(opening.data, &fetch, opening.folder, opening.commands)?;
    Ok(Box::new(Running { apart, run: |apart, spec, _, _, context| apart.run(spec, context) }))
}

fn open_score(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let fetch = |hash: &str| opening.blobs.fetch(hash);
    let apart = apart::score::Apart::open(opening.data, &fetch, opening.commands)?;
    Ok(Box::new(Running { apart, run: |apart, spec, _, fetch, context| apart.run(spec, fetch, context) }))
}

fn open_locate(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let fetch = |hash: &str| opening.blobs.fetch(hash);
    let apart = apart::locate::Apart::open(opening.data, &fetch, opening.commands)?;
    Ok(Box::new(Running { apart, run: |apart, spec, _, _, context| apart.run(spec, context) }))
}

fn open_debugger(opening: &Opening<'_>) -> Result<Box<dyn Work>, Halt> {
    let apart = apart::debugger::Apart::open(opening.data, opening.folder, opening.commands)?;
    Ok(Box::new(Running { apart, run: |apart, spec, _, _, context| apart.run(spec, context) }))
}
