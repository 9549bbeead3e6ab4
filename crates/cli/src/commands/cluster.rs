//! `twinrun cluster`: what a cluster is doing, and how it is emptied.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, Subcommand};
use twinrun_base::Exit;
use twinrun_cluster::message::shown;
use twinrun_cluster::runtime;
use twinrun_cluster::status::{Status, drain, purge, status};
use twinrun_subject::Project;
use twinrun_subject::project::ClusterFile;

use crate::Outcome;
use crate::cluster::Access;
use crate::error::Error;
use crate::options::{Common, Format};
use crate::output;

/// Looks after a cluster.
#[derive(Debug, Args)]
pub(crate) struct Cluster {
    #[command(subcommand)]
    what: What,
    /// The NATS server [default: `nats` of the project's `[cluster]`]
    #[arg(long, global = true, value_name = "URL")]
    nats: Option<String>,
    #[command(flatten)]
    access: Access,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show queues and workers
    Status,
    /// Ask workers to finish what they run and to end
    Drain {
        /// Only this one
        #[arg(value_name = "WORKER")]
        worker: Option<String>,
    },
    /// Remove all waiting jobs
    Purge {
        /// Also results, modules and queues; stop workers and campaigns first
        #[arg(long)]
        everything: bool,
    },
}

pub(crate) fn run(options: &Cluster, common: &Common) -> Outcome {
    let project = common.project.as_ref().map_or_else(
        || Project::find(Path::new(".")),
        |path| match path.is_dir() {
            true => Project::find(path),
            false => Project::read(path),
        },
    );
    let project = project.ok();
    let none = ClusterFile::default();
    let file = project.as_ref().map_or(&none, |project| &project.file.cluster);
    let folder = project.as_ref().map_or(Path::new("."), |project| &project.folder);
    let url = options.nats.as_ref().or(file.nats.as_ref());
    let url = url.ok_or_else(|| Error::Usage("name the NATS server: --nats URL".to_owned()))?;
    let config = options.access.config(url, file, folder)?;
    let failed = |error: twinrun_cluster::Error| Error::Infrastructure(error.to_string());
    let runtime = runtime().map_err(failed)?;
    match &options.what {
        What::Status => {
            let status = runtime.block_on(status(&config)).map_err(failed)?;
            let text = match common.format {
                Format::Json => serde_json::to_string_pretty(&status).unwrap_or_default() + "\n",
                _ => human(&status),
            };
            output::text(&text, common)?;
        }
        What::Drain { worker } => {
            runtime.block_on(drain(&config, worker.clone())).map_err(failed)?;
            output::text("the workers were asked to finish and to end\n", common)?;
        }
        What::Purge { everything } => {
            let purged = runtime.block_on(purge(&config, *everything)).map_err(failed)?;
            output::text(&format!("{purged} waiting jobs were removed\n"), common)?;
        }
    }
    Ok(Exit::Holds)
}

fn human(status: &Status) -> String {
    let mut text = format!("{} results, {:.1} MB on the server\n", status.results, status.bytes as f64 / 1e6);
    for queue in &status.queues {
        let other = if queue.own { "" } else { "  (another version)" };
        let _ = writeln!(
            text,
            "queue {:<32} {:>7} waiting {:>6} running {:>5} again  lease {} s{other}",
            queue.name, queue.waiting, queue.running, queue.again, queue.lease
        );
    }
    if status.workers.is_empty() {
        text.push_str("no workers\n");
    }
    for worker in &status.workers {
        let mut words = worker.labels.clone();
        words.extend(worker.commands.then(|| "runs commands".to_owned()));
        words.extend(worker.draining.then(|| "draining".to_owned()));
        let _ = writeln!(
            text,
            "worker {:<31} {:>7} running of {:<3} {:>8} answered {:>3} children died  {} {}",
            worker.worker,
            worker.running,
            worker.jobs,
            worker.answered,
            worker.deaths,
            shown(&worker.version),
            shown(&words.join(", "))
        );
    }
    text
}
