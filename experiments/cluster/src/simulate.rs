//! Up to a thousand workers: a model from measured costs, and simulated workers against a real server.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{interval, sleep};
use twinrun_cluster::message::{Reply, Text};
use twinrun_cluster::names::{ANY, Class};
use twinrun_cluster::{Bus, Error, runtime};

use crate::probe::config;
use crate::scene::{Scene, cpu_seconds};

/// A number of simulated workers: what the model says, what came out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Crowd {
    pub(crate) workers: u64,
    pub(crate) job_ms: u64,
    pub(crate) jobs: u64,
    pub(crate) most_in_flight: u64,
    pub(crate) predicted_jobs_per_s: f64,
    pub(crate) measured_jobs_per_s: f64,
    /// Jobs that were waited for, and of these the ones whose answer was there at the end of the wait.
    pub(crate) runs: u64,
    pub(crate) twice: u64,
    pub(crate) server_cpu_ms_per_job: f64,
    pub(crate) server_mb: f64,
}

/// Costs of one job, as measured on this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// Wall-clock time of a job beside its own, at a worker.
    pub(crate) overhead_ms: f64,
    /// The most jobs a second that the server (with the simulated crowd beside it on the same cores) gets through.
    pub(crate) limit_per_s: f64,
}

impl Costs {
    /// Jobs a second: each worker does one after the other, until the server is the limit.
    pub(crate) fn throughput(&self, workers: u64, job_ms: f64) -> f64 {
        (workers as f64 * 1e3 / (job_ms + self.overhead_ms)).min(self.limit_per_s)
    }

    /// The same for a campaign of so many jobs. At its beginning all workers ask at once and are served in turn; each then does
    /// its share, and the one that was served last ends last. All of it takes at least what the server needs for all jobs.
    pub(crate) fn of_campaign(&self, workers: u64, job_ms: f64, jobs: u64) -> f64 {
        let first = workers.min(jobs) as f64 / self.limit_per_s;
        let shares = jobs.div_ceil(workers.max(1)) as f64 * (job_ms + self.overhead_ms) / 1e3;
        jobs as f64 / (first + shares).max(jobs as f64 / self.limit_per_s)
    }

    /// Workers beyond which more of them change nothing.
    pub(crate) fn most_workers(&self, job_ms: f64) -> f64 {
        self.limit_per_s * (job_ms + self.overhead_ms) / 1e3
    }
}

/// The lease of a crowd's jobs: that of the command, and shorter than the longest simulated job.
const LEASE: Duration = Duration::from_secs(30);
/// Real workers have a connection each; a crowd shares some, because it is one process.
const CONNECTIONS: u64 = 16;

/// What a crowd shares.
struct Crew {
    job: Duration,
    open: Cell<u64>,
    in_flight: Cell<u64>,
    most: Cell<u64>,
    runs: Cell<u64>,
    done: RefCell<BTreeSet<String>>,
    twice: Cell<u64>,
    ended: Cell<Option<Instant>>,
}

/// Simulated workers: they take, look, wait, keep their lease, record and acknowledge as real ones do, and compute nothing.
pub(crate) fn crowd(folder: &Path, workers: u64, job_ms: u64, jobs: u64) -> Result<Crowd, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "crowd")?;
    let text = |error: Error| error.to_string();
    let config = config(&scene.url(), &scene.cluster, u64::try_from(LEASE.as_millis()).unwrap_or(u64::MAX));
    let crew = Crew {
        job: Duration::from_millis(job_ms),
        open: Cell::new(jobs),
        in_flight: Cell::default(),
        most: Cell::default(),
        runs: Cell::default(),
        done: RefCell::default(),
        twice: Cell::default(),
        ended: Cell::default(),
    };
    let (before, seconds) = runtime().map_err(text)?.block_on(async {
        // Workers are there before a campaign begins: connecting is no part of it.
        let mut places = Vec::new();
        for _ in 0..CONNECTIONS.min(workers) {
            let bus = Bus::open(&config, "crowd").await.map_err(text)?;
            let queue = bus.queue(Class::Sandbox, ANY).await.map_err(text)?;
            places.push(Rc::new((bus, queue)));
        }
        queue(&places[0].0, jobs).await.map_err(text)?;
        let before = cpu_seconds(scene.server.process());
        let began = Instant::now();
        let one = |number: u64| simulated(Rc::clone(&places[number as usize % places.len()]), &crew);
        futures_util::future::join_all((0..workers).map(one)).await;
        // What is still asked for when the last answer is there waits in vain; that is not the campaign's time.
        let ended = crew.ended.get().unwrap_or_else(Instant::now);
        Ok::<_, String>((before, ended.duration_since(began).as_secs_f64()))
    })?;
    Ok(Crowd {
        workers,
        job_ms,
        jobs,
        most_in_flight: crew.most.get(),
        predicted_jobs_per_s: 0.0,
        measured_jobs_per_s: jobs as f64 / seconds,
        runs: crew.runs.get(),
        twice: crew.twice.get(),
        server_cpu_ms_per_job: 1e3 * (cpu_seconds(scene.server.process()) - before) / jobs as f64,
        server_mb: resident_mb(scene.server.process()),
    })
}

async fn queue(bus: &Bus, jobs: u64) -> Result<(), Error> {
    let payload = json!({ "padding": "x".repeat(400) }).to_string();
    let mut acks = Vec::new();
    for number in 0..jobs {
        let key = twinrun_campaign::remote::hash(&number.to_le_bytes());
        let subject = bus.names.job(Class::Sandbox, ANY, "crowd", &key);
        acks.push(bus.queue_job(subject, &key, 0, payload.clone().into_bytes()).await?);
        if acks.len() == 256 {
            for ack in acks.drain(..) {
                let _ = ack.await;
            }
        }
    }
    for ack in acks {
        let _ = ack.await;
    }
    Ok(())
}

async fn simulated(place: Rc<(Bus, Consumer<pull::Config>)>, crew: &Crew) {
    let (bus, queue) = &*place;
    while crew.open.get() > 0 {
        let batch = queue.batch().max_messages(1).expires(Duration::from_millis(1000)).messages().await;
        let Ok(mut batch) = batch else { continue };
        let Some(Ok(message)) = batch.next().await else { continue };
        crew.in_flight.set(crew.in_flight.get() + 1);
        crew.most.set(crew.most.get().max(crew.in_flight.get()));
        let key = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        // A job that was handed out twice has its answer already, and nobody works for it again.
        if !matches!(bus.recorded(&key).await, Ok(Some(_))) {
            wait(crew, &message).await;
            let millis = u64::try_from(crew.job.as_millis()).unwrap_or(u64::MAX);
            let reply = Reply::new(&key, "crowd", millis, Ok(Text::Inline("\"an answer\"".to_owned())));
            while bus.record(&reply).await.is_err() {}
            crew.note(key);
        }
        let _ = message.ack_with(AckKind::Ack).await;
        crew.in_flight.set(crew.in_flight.get() - 1);
    }
}

/// The time of a job. A job that is longer than its lease is handed out again unless its worker says that it lives: the first
/// form of this simulation did not, ran every job of 60 s twice, and so had half of the throughput that the model says.
async fn wait(crew: &Crew, message: &Message) {
    crew.runs.set(crew.runs.get() + 1);
    let mut beats = interval(LEASE / 3);
    beats.tick().await;
    let job = sleep(crew.job);
    tokio::pin!(job);
    loop {
        tokio::select! {
            () = &mut job => return,
            _ = beats.tick() => drop(message.ack_with(AckKind::Progress).await),
        }
    }
}

impl Crew {
    fn note(&self, key: String) {
        if !self.done.borrow_mut().insert(key) {
            self.twice.set(self.twice.get() + 1);
            return;
        }
        self.open.set(self.open.get().saturating_sub(1));
        if self.open.get() == 0 {
            self.ended.set(Some(Instant::now()));
        }
    }
}

fn resident_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_counts_shares_the_beginning_and_the_server() {
        let costs = Costs { overhead_ms: 0.0, limit_per_s: 1000.0 };
        let check = |workers, job_ms, jobs, expect: f64| {
            let rate = costs.of_campaign(workers, job_ms, jobs);
            assert!((rate - expect).abs() < 1e-6, "{rate} instead of {expect}");
        };
        // Ten shares of a second, the last worker a tenth of a second late.
        check(100, 1000.0, 1000, 1000.0 / 10.1);
        // One job more is one share more.
        check(100, 1000.0, 1001, 1001.0 / 11.1);
        // Beyond its limit the server decides.
        check(1000, 1.0, 100_000, 1000.0);
    }
}
