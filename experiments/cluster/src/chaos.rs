//! Kills: workers, coordinator and server die at random, also two at once, and every answer must come back, and be right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::Rng;
use twinrun_campaign::JobId;
use twinrun_cluster::{Bus, runtime};

use crate::probe::{Probe, What, answer, config};
use crate::scene::{Actor, LEASE, Scene};

/// What some rounds of kills gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chaos {
    pub(crate) jobs: u64,
    pub(crate) worker_kills: u64,
    pub(crate) coordinator_kills: u64,
    pub(crate) server_kills: u64,
    pub(crate) double_kills: u64,
    /// Answers that are missing or wrong.
    pub(crate) lost: u64,
    /// Runs of jobs, and of these runs that began after the job's answer was recorded.
    pub(crate) runs: u64,
    pub(crate) again: u64,
    pub(crate) seconds: f64,
}

impl Chaos {
    pub(crate) fn kills(&self) -> u64 {
        self.worker_kills + self.coordinator_kills + self.server_kills
    }

    pub(crate) fn add(&mut self, other: &Chaos) {
        self.jobs += other.jobs;
        self.worker_kills += other.worker_kills;
        self.coordinator_kills += other.coordinator_kills;
        self.server_kills += other.server_kills;
        self.double_kills += other.double_kills;
        self.lost += other.lost;
        self.runs += other.runs;
        self.again += other.again;
        self.seconds += other.seconds;
    }
}

/// A run that began so much later than the answer was recorded did not merely overlap with the one that gave it: the look into
/// the bucket and the start of the job are this far apart on a loaded machine.
const OVERLAP_MS: u128 = 250;

/// The jobs of a round: mostly short, some that wait, some with large answers.
pub(crate) fn probes(round: u64, count: u64) -> Vec<Probe> {
    let mut rng = Rng::fork(round, 1);
    let probe = |number| {
        let what = match rng.below(100) {
            0..=1 => What::Large(150_000),
            2..=11 => What::Wait(rng.below(40)),
            12..=29 => What::Nothing,
            _ => What::Spin(rng.below(200_000)),
        };
        Probe { what, number: round << 32 | number }
    };
    (0..count).map(probe).collect()
}

/// One round: so many jobs, and kills until they are done.
pub(crate) fn round(folder: &Path, round: u64, count: u64, most_kills: u64) -> Result<Chaos, String> {
    let text = |error: std::io::Error| error.to_string();
    let _ = std::fs::remove_dir_all(folder);
    let mut scene = Scene::new(folder, &format!("chaos{round}"))?;
    let probes = probes(round, count);
    let (jobs, answers) = (folder.join("jobs.json"), folder.join("answers.json"));
    let log = folder.join("runs.log").display().to_string();
    std::fs::write(&jobs, serde_json::to_string(&probes).map_err(|error| error.to_string())?)
        .map_err(text)?;
    let mut chaos = Chaos { jobs: count, ..Chaos::default() };
    let mut rng = Rng::fork(round, 2);
    let mut born = 0;
    let mut worker = |scene: &Scene| {
        born += 1;
        scene.worker(&format!("w{born}"), 2)
    };
    let mut workers: Vec<Actor> = vec![worker(&scene)?, worker(&scene)?, worker(&scene)?];
    let mut coordinator = scene.coordinator("journal", &log, &jobs, &answers)?;
    let began = Instant::now();
    let mut patience = Instant::now();
    let mut size = 0;
    while !answers.exists() {
        std::thread::sleep(Duration::from_millis(150 + rng.below(500)));
        let grown = std::fs::metadata(&log).map_or(0, |it| it.len());
        if grown > size {
            (size, patience) = (grown, Instant::now());
        }
        if patience.elapsed() > Duration::from_secs(180) {
            break;
        }
        if !coordinator.alive() && !answers.exists() {
            coordinator = scene.coordinator("journal", &log, &jobs, &answers)?;
        }
        if chaos.kills() >= most_kills {
            continue;
        }
        let both = rng.below(5) == 0;
        chaos.double_kills += u64::from(both);
        for _ in 0..1 + u64::from(both) {
            match rng.below(10) {
                0..=5 => {
                    let place = rng.below(workers.len() as u64) as usize;
                    workers[place].kill();
                    workers[place] = worker(&scene)?;
                    chaos.worker_kills += 1;
                }
                6..=7 => {
                    coordinator.kill();
                    coordinator = scene.coordinator("journal", &log, &jobs, &answers)?;
                    chaos.coordinator_kills += 1;
                }
                _ => {
                    scene.server.kill().map_err(text)?;
                    std::thread::sleep(Duration::from_millis(rng.below(300)));
                    scene.server.restart().map_err(text)?;
                    chaos.server_kills += 1;
                }
            }
        }
    }
    chaos.seconds = began.elapsed().as_secs_f64();
    let found: Vec<Value> = std::fs::read_to_string(&answers)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    chaos.lost =
        probes.iter().enumerate().filter(|(place, probe)| found.get(*place) != Some(&answer(probe))).count()
            as u64;
    let (runs, again) = runs(&scene, &log, &probes)?;
    (chaos.runs, chaos.again) = (runs, again);
    Ok(chaos)
}

/// How often jobs ran, and how often after their answer was recorded.
fn runs(scene: &Scene, log: &str, probes: &[Probe]) -> Result<(u64, u64), String> {
    let recorded = recorded(scene, log, probes)?;
    let (mut runs, mut again) = (0, 0);
    for line in std::fs::read_to_string(log).unwrap_or_default().lines() {
        let Some((id, began)) = line.split_once(' ') else { continue };
        let Ok(began) = began.parse::<u128>() else { continue };
        runs += 1;
        again += u64::from(recorded.get(id).is_some_and(|at| began > at + OVERLAP_MS));
    }
    Ok((runs, again))
}

/// When the answer of each job was recorded, by the server's clock, which is this machine's.
fn recorded(scene: &Scene, log: &str, probes: &[Probe]) -> Result<BTreeMap<String, u128>, String> {
    let text = |error: twinrun_cluster::Error| error.to_string();
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let data = format!("{{\"log\":{}}}", Value::from(log));
    let setting = twinrun_campaign::remote::hash(data.as_bytes());
    runtime().map_err(text)?.block_on(async {
        let bus = Bus::open(&config, "study").await.map_err(text)?;
        let results =
            bus.jetstream.get_key_value(bus.names.results()).await.map_err(|error| error.to_string())?;
        let mut recorded = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for probe in probes {
            let id = JobId::of(probe).map_err(|error| error.to_string())?;
            let key = bus.names.key("probe", &setting, id);
            if let Ok(Some(entry)) = results.entry(key.as_str()).await
                && seen.insert(key)
            {
                recorded
                    .insert(id.to_string(), entry.created.unix_timestamp_nanos().unsigned_abs() / 1_000_000);
            }
        }
        Ok(recorded)
    })
}
