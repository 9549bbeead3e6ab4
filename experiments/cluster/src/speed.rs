//! What a job costs beside itself, and how well two workers use two cores.
//!
//! The machine may do much else meanwhile, so everything is measured many times, what is compared in turns within seconds of each
//! other, and processor time beside wall-clock time: the latter shows what load does, the former what a job truly costs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twinrun_campaign::{Campaign, Config as Limits, Context, Halt};

use crate::load::{Stretch, family_seconds, median, own_seconds, waited_seconds};
use crate::probe::{Probe, What, answer, config, coordinate, spin};
use crate::scene::{Actor, LEASE, Scene, cpu_seconds, this};

/// Jobs of a batch: enough that beginning and end of a campaign do not decide.
const BATCH: u64 = 400;

/// Empty jobs at one worker with one child, in batches: each is a campaign with its beginning and its end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Overhead {
    pub(crate) jobs: u64,
    /// Wall-clock milliseconds a job, of each batch.
    pub(crate) wall_ms: Vec<f64>,
    /// The share of the machine that others used, of each batch.
    pub(crate) others: Vec<f64>,
    /// Milliseconds of processor time a job, over all batches.
    pub(crate) coordinator_cpu_ms: f64,
    pub(crate) worker_cpu_ms: f64,
    pub(crate) child_cpu_ms: f64,
    pub(crate) server_cpu_ms: f64,
}

impl Overhead {
    pub(crate) fn wall(&self) -> f64 {
        median(self.wall_ms.iter().copied())
    }

    pub(crate) fn cpu(&self) -> f64 {
        self.coordinator_cpu_ms + self.worker_cpu_ms + self.child_cpu_ms + self.server_cpu_ms
    }
}

/// Processor time of a scene: of this process as the coordinator, of workers, their children, the server.
struct Spent {
    coordinator: f64,
    worker: f64,
    child: f64,
    server: f64,
}

impl Spent {
    fn now(scene: &Scene, workers: &[Actor]) -> Spent {
        let processes = || workers.iter().map(|worker| worker.0.id());
        Spent {
            coordinator: own_seconds(),
            worker: processes().map(cpu_seconds).sum(),
            child: processes().map(family_seconds).sum(),
            server: cpu_seconds(scene.server.process()),
        }
    }

    fn since(self, before: &Spent) -> Spent {
        Spent {
            coordinator: self.coordinator - before.coordinator,
            worker: self.worker - before.worker,
            child: self.child - before.child,
            server: self.server - before.server,
        }
    }

    fn all(&self) -> f64 {
        self.coordinator + self.worker + self.child + self.server
    }
}

pub(crate) fn overhead(folder: &Path, count: u64) -> Result<Overhead, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "overhead")?;
    let workers = [scene.worker("w", 1)?];
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let probes = |from: u64, count: u64| -> Vec<Probe> {
        (from..from + count).map(|number| Probe { what: What::Nothing, number }).collect()
    };
    // The first ones wait for the worker to come up.
    coordinate(config.clone(), &folder.join("warm"), json!({}), &probes(0, 50))?;
    let mut overhead = Overhead::default();
    let first = Spent::now(&scene, &workers);
    while overhead.jobs < count {
        let size = BATCH.min(count - overhead.jobs);
        let from = 1000 + overhead.jobs;
        let before = Spent::now(&scene, &workers);
        let stretch = Stretch::begin();
        let journal = folder.join(format!("journal{from}"));
        let found = coordinate(config.clone(), &journal, json!({}), &probes(from, size))?;
        overhead.wall_ms.push(1e3 * stretch.seconds() / size as f64);
        overhead.others.push(stretch.others(Spent::now(&scene, &workers).since(&before).all()));
        if found.iter().zip(from..).any(|(found, number)| *found != json!(number)) {
            return Err("an answer is wrong".to_owned());
        }
        overhead.jobs += size;
    }
    let spent = Spent::now(&scene, &workers).since(&first);
    let each = |seconds: f64| 1e3 * seconds / overhead.jobs as f64;
    overhead.coordinator_cpu_ms = each(spent.coordinator);
    overhead.worker_cpu_ms = each(spent.worker);
    overhead.child_cpu_ms = each(spent.child);
    overhead.server_cpu_ms = each(spent.server);
    Ok(overhead)
}

/// The same jobs three times within a minute: two threads of one process, two processes with a half each, two workers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) job_ms: f64,
    pub(crate) threads_s: f64,
    pub(crate) processes_s: f64,
    pub(crate) cluster_s: f64,
    /// Processor time of two processes, of the cluster with everything, of its server alone.
    pub(crate) processes_cpu_s: f64,
    pub(crate) cluster_cpu_s: f64,
    pub(crate) server_cpu_s: f64,
    /// The share of the machine that others used while the processes and while the cluster ran.
    pub(crate) others_processes: f64,
    pub(crate) others_cluster: f64,
}

/// Two workers with a child each against two local processes, and against two threads with one queue.
pub(crate) fn efficiency(folder: &Path, count: u64, job_ms: u64, turns: u64) -> Result<Vec<Turn>, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "efficiency")?;
    let workers = [scene.worker("a", 1)?, scene.worker("b", 1)?];
    let steps = calibrate(job_ms);
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let warm: Vec<Probe> = (0..20).map(|number| Probe { what: What::Nothing, number }).collect();
    coordinate(config.clone(), &folder.join("warm"), json!({}), &warm)?;
    let mut all = Vec::new();
    for number in 0..turns {
        let from = number << 32;
        let probes: Vec<Probe> =
            (from..from + count).map(|number| Probe { what: What::Spin(steps), number }).collect();
        let mut turn = Turn::default();
        let away = |turn: &mut Turn| {
            let before = Spent::now(&scene, &workers);
            let stretch = Stretch::begin();
            let journal = folder.join(format!("journal{number}"));
            let found = coordinate(config.clone(), &journal, json!({}), &probes);
            turn.cluster_s = stretch.seconds();
            let spent = Spent::now(&scene, &workers).since(&before);
            (turn.cluster_cpu_s, turn.server_cpu_s) = (spent.all(), spent.server);
            turn.others_cluster = stretch.others(spent.all());
            found
        };
        // In turns: what changes slowly hits the first and the last alike.
        let (found, wanted) = if number % 2 == 0 {
            processes(&mut turn, steps, from, count)?;
            (away(&mut turn)?, threads(&mut turn, &probes)?)
        } else {
            let wanted = threads(&mut turn, &probes)?;
            let found = away(&mut turn)?;
            processes(&mut turn, steps, from, count)?;
            (found, wanted)
        };
        if found != wanted {
            return Err("an answer is wrong".to_owned());
        }
        eprintln!("{turn:?}");
        all.push(turn);
    }
    Ok(all)
}

/// Two processes, each with one half of the jobs.
fn processes(turn: &mut Turn, steps: u64, from: u64, count: u64) -> Result<(), String> {
    let before = waited_seconds();
    let stretch = Stretch::begin();
    let half = |from: u64, to: u64| {
        let mut command = Command::new(this()?);
        command.arg("spin").args([steps, from, to].map(|it| it.to_string())).stdin(Stdio::null());
        command.spawn().map_err(|error| error.to_string())
    };
    let both = [half(from, from + count / 2)?, half(from + count / 2, from + count)?];
    for mut process in both {
        let ended = process.wait().map_err(|error| error.to_string())?;
        if !ended.success() {
            return Err(format!("a local process ended with {ended}"));
        }
    }
    turn.processes_s = stretch.seconds();
    turn.processes_cpu_s = waited_seconds() - before;
    turn.others_processes = stretch.others(turn.processes_cpu_s);
    Ok(())
}

/// `spin STEPS FROM TO`: one of the two local processes.
pub(crate) fn be_local(words: &[&str]) -> Option<()> {
    let [steps, from, to] = words else { return None };
    let steps = steps.parse().ok()?;
    for number in from.parse().ok()?..to.parse().ok()? {
        std::hint::black_box(answer(&Probe { what: What::Spin(steps), number }));
    }
    Some(())
}

/// Two threads here, and what they answer.
fn threads(turn: &mut Turn, probes: &[Probe]) -> Result<Vec<Value>, String> {
    let text = |error: twinrun_campaign::Error| error.to_string();
    let began = Instant::now();
    let mut campaign = Campaign::in_memory("local").map_err(text)?;
    let limits = Limits { workers: 2, ..Limits::default() };
    let spent = std::sync::Mutex::new(0.0);
    let work = |probe: &Probe, _: &Context<'_>| {
        let began = Instant::now();
        let found = answer(probe);
        if let Ok(mut spent) = spent.lock() {
            *spent += 1e3 * began.elapsed().as_secs_f64();
        }
        Ok::<Value, Halt>(found)
    };
    let outcome = campaign.run(probes, &limits, work, |_| ()).map_err(text)?;
    turn.threads_s = began.elapsed().as_secs_f64();
    turn.job_ms = spent.into_inner().map_err(|error| error.to_string())? / probes.len().max(1) as f64;
    Ok(outcome.finished().map(|(_, found)| found.clone()).collect())
}

/// Steps that take at least this time on a core.
fn calibrate(job_ms: u64) -> u64 {
    let mut steps = 1 << 20;
    loop {
        // The quickest of some: others use the machine too.
        let time = |_| {
            let began = Instant::now();
            std::hint::black_box(spin(1, steps));
            1e3 * began.elapsed().as_secs_f64()
        };
        let ms = (0..3).map(time).fold(f64::INFINITY, f64::min);
        if ms >= job_ms as f64 {
            return steps;
        }
        steps = (steps as f64 * (1.2 * job_ms as f64 / ms.max(1.0)).clamp(1.2, 20.0)) as u64;
    }
}
