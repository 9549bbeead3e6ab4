//! What a job costs beside itself, and how well two workers use two cores.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_campaign::{Campaign, Config as Limits, Context, Halt};

use crate::probe::{Probe, What, answer, config, coordinate, spin};
use crate::scene::{LEASE, Scene, cpu_seconds};

/// What was measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Speed {
    pub(crate) overhead_ms: f64,
    pub(crate) overhead_jobs: u64,
    pub(crate) efficiency: f64,
    pub(crate) job_ms: f64,
    pub(crate) local_seconds: f64,
    pub(crate) cluster_seconds: f64,
    pub(crate) server_cpu_seconds: f64,
    pub(crate) server_cpu_ms_per_job: f64,
}

/// One worker with one child: wall-clock time of empty jobs, each.
pub(crate) fn overhead(folder: &Path, count: u64) -> Result<Speed, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "overhead")?;
    let _worker = scene.worker("w", 1)?;
    let probes = |from: u64, to: u64| -> Vec<Probe> {
        (from..to).map(|number| Probe { what: What::Nothing, number }).collect()
    };
    let config = config(&scene.url(), &scene.cluster, LEASE);
    // The first ones wait for the worker to come up.
    coordinate(config.clone(), &folder.join("warm"), json!({}), &probes(0, 50))?;
    let before = cpu_seconds(scene.server.process());
    let began = Instant::now();
    let found = coordinate(config, &folder.join("journal"), json!({}), &probes(1000, 1000 + count))?;
    let seconds = began.elapsed().as_secs_f64();
    if found.iter().zip(1000..).any(|(found, number)| *found != json!(number)) {
        return Err("an answer is wrong".to_owned());
    }
    Ok(Speed {
        overhead_ms: 1e3 * seconds / count as f64,
        overhead_jobs: count,
        server_cpu_ms_per_job: 1e3 * (cpu_seconds(scene.server.process()) - before) / count as f64,
        ..Speed::default()
    })
}

/// Two workers with a child each against two threads of one process, on the same jobs; in turns, because the machine has other
/// things to do too.
pub(crate) fn efficiency(folder: &Path, count: u64, job_ms: u64, turns: u64) -> Result<Speed, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "efficiency")?;
    let _workers = [scene.worker("a", 1)?, scene.worker("b", 1)?];
    let steps = calibrate(job_ms);
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let warm: Vec<Probe> = (0..20).map(|number| Probe { what: What::Nothing, number }).collect();
    coordinate(config.clone(), &folder.join("warm"), json!({}), &warm)?;
    let (mut local, mut cluster, mut server, mut longest) = (0.0, 0.0, 0.0, Vec::new());
    for turn in 0..turns {
        let probes: Vec<Probe> =
            (0..count).map(|number| Probe { what: What::Spin(steps), number: turn << 32 | number }).collect();
        let began = Instant::now();
        longest.push(locally(&probes)?);
        local += began.elapsed().as_secs_f64();
        let before = cpu_seconds(scene.server.process());
        let began = Instant::now();
        let found = coordinate(config.clone(), &folder.join(format!("journal{turn}")), json!({}), &probes)?;
        cluster += began.elapsed().as_secs_f64();
        server += cpu_seconds(scene.server.process()) - before;
        if found.iter().zip(&probes).any(|(found, probe)| *found != answer(probe)) {
            return Err("an answer is wrong".to_owned());
        }
    }
    Ok(Speed {
        efficiency: local / cluster,
        job_ms: longest.iter().sum::<f64>() / longest.len().max(1) as f64,
        local_seconds: local,
        cluster_seconds: cluster,
        server_cpu_seconds: server,
        ..Speed::default()
    })
}

/// Two threads here; the mean time of a job in milliseconds.
fn locally(probes: &[Probe]) -> Result<f64, String> {
    let text = |error: twinrun_campaign::Error| error.to_string();
    let mut campaign = Campaign::in_memory("local").map_err(text)?;
    let limits = Limits { workers: 2, ..Limits::default() };
    let spent = std::sync::Mutex::new(0.0);
    let work = |probe: &Probe, _: &Context<'_>| {
        let began = Instant::now();
        let found = answer(probe);
        if let Ok(mut spent) = spent.lock() {
            *spent += 1e3 * began.elapsed().as_secs_f64();
        }
        Ok::<_, Halt>(found)
    };
    campaign.run(probes, &limits, work, |_| ()).map_err(text)?;
    let spent = spent.into_inner().map_err(|error| error.to_string())?;
    Ok(spent / probes.len().max(1) as f64)
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
