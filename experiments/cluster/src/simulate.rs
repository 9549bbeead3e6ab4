//! Up to a thousand workers: a model from measured costs, and simulated workers against a real server.

use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_cluster::message::{Reply, Text};
use twinrun_cluster::names::{ANY, Class};
use twinrun_cluster::{Bus, runtime};

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

    /// The same for a campaign of so many jobs: at its beginning all workers ask at once, and the server serves them in turn.
    pub(crate) fn of_campaign(&self, workers: u64, job_ms: f64, jobs: u64) -> f64 {
        let seconds =
            jobs as f64 / self.throughput(workers, job_ms) + workers.min(jobs) as f64 / self.limit_per_s;
        jobs as f64 / seconds
    }

    /// Workers beyond which more of them change nothing.
    pub(crate) fn most_workers(&self, job_ms: f64) -> f64 {
        self.limit_per_s * (job_ms + self.overhead_ms) / 1e3
    }
}

/// Simulated workers: they take, wait, record and acknowledge as real ones do, and compute nothing.
pub(crate) fn crowd(folder: &Path, workers: u64, job_ms: u64, jobs: u64) -> Result<Crowd, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "crowd")?;
    let text = |error: twinrun_cluster::Error| error.to_string();
    let config = config(&scene.url(), &scene.cluster, 30_000);
    let before = cpu_seconds(scene.server.process());
    let mut crowd = Crowd { workers, job_ms, jobs, ..Crowd::default() };
    runtime().map_err(text)?.block_on(async {
        let bus = Rc::new(Bus::open(&config, "crowd").await.map_err(text)?);
        queue(&bus, jobs).await.map_err(text)?;
        let left = Rc::new(std::cell::Cell::new(jobs));
        let flight = Rc::new(std::cell::Cell::new((0u64, 0u64)));
        // Real workers have a connection each; a thousand of them share some here, because all are in one process.
        let mut buses = Vec::new();
        for _ in 0..16.min(workers) {
            buses.push(Rc::new(Bus::open(&config, "crowd").await.map_err(text)?));
        }
        let began = Instant::now();
        let one = |number: u64| {
            let bus = Rc::clone(&buses[number as usize % buses.len()]);
            simulated(bus, job_ms, Rc::clone(&left), Rc::clone(&flight))
        };
        futures_util::future::join_all((0..workers).map(one)).await;
        crowd.measured_jobs_per_s = jobs as f64 / began.elapsed().as_secs_f64();
        crowd.most_in_flight = flight.get().1;
        Ok::<_, String>(())
    })?;
    crowd.server_cpu_ms_per_job = 1e3 * (cpu_seconds(scene.server.process()) - before) / jobs as f64;
    crowd.server_mb = resident_mb(scene.server.process());
    Ok(crowd)
}

async fn queue(bus: &Bus, jobs: u64) -> Result<(), twinrun_cluster::Error> {
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

async fn simulated(
    bus: Rc<Bus>,
    job_ms: u64,
    left: Rc<std::cell::Cell<u64>>,
    flight: Rc<std::cell::Cell<(u64, u64)>>,
) {
    let Ok(queue) = bus.queue(Class::Sandbox, ANY).await else { return };
    while left.get() > 0 {
        let batch = queue.batch().max_messages(1).expires(Duration::from_millis(1000)).messages().await;
        let Ok(mut batch) = batch else { continue };
        let Some(Ok(message)) = batch.next().await else { continue };
        let (now, most) = flight.get();
        flight.set((now + 1, most.max(now + 1)));
        let key = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        let _ = bus.recorded(&key).await;
        tokio::time::sleep(Duration::from_millis(job_ms)).await;
        let reply = Reply::new(&key, "crowd", job_ms, Ok(Text::Inline("\"an answer\"".to_owned())));
        while bus.record(&reply).await.is_err() {}
        let _ = message.ack_with(AckKind::Ack).await;
        let (now, most) = flight.get();
        flight.set((now - 1, most));
        left.set(left.get().saturating_sub(1));
    }
}

fn resident_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
