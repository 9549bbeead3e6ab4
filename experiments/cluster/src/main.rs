//! Campaigns on many machines: a real server and real processes on loopback.
//!
//! `experiment [--part chaos|reports|speed|hostile|crowd] [--slice N] [--small]`; what is done is kept in `target/cluster`, so that
//! slices add up. `--write` writes the result from what there is.

mod chaos;
mod hostile;
mod probe;
mod reports;
mod scene;
mod simulate;
mod speed;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_results::{Results, workspace_root};

use chaos::Chaos;
use hostile::Contained;
use reports::Compared;
use scene::Scene;
use simulate::{Costs, Crowd};
use speed::Speed;

/// What slices have given so far.
#[derive(Default, Serialize, Deserialize)]
struct State {
    rounds: u64,
    chaos: Chaos,
    reports: Vec<Compared>,
    overhead: Option<Speed>,
    efficiency: Option<Speed>,
    poison: Option<Contained>,
    strangers: Option<Contained>,
    crowds: Vec<Crowd>,
}

/// How much is done.
struct Size {
    /// Jobs of a round of kills, and kills in it.
    jobs: u64,
    kills: u64,
    rounds: u64,
    overhead: u64,
    efficiency: (u64, u64),
    poison: u64,
    messages: u64,
    crowds: &'static [(u64, u64, u64)],
    cases: u64,
    projects: usize,
}

const FULL: Size = Size {
    jobs: 2000,
    kills: 25,
    rounds: 10,
    overhead: 3000,
    efficiency: (20, 3),
    poison: 10,
    messages: 1200,
    crowds: &[(100, 500, 2000), (300, 1000, 3000), (1000, 4000, 5000), (10_000, 60_000, 10_000)],
    cases: 40_000,
    projects: usize::MAX,
};

const SMALL: Size = Size {
    jobs: 150,
    kills: 6,
    rounds: 1,
    overhead: 200,
    efficiency: (6, 1),
    poison: 1,
    messages: 120,
    crowds: &[(50, 100, 300)],
    cases: 20_000,
    projects: 1,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["child", folder, scratch] => {
            probe::be_child(folder, scratch);
            Some(())
        }
        ["worker", rest @ ..] => probe::be_worker(rest),
        ["coordinate", rest @ ..] => probe::be_coordinator(rest),
        ["experiment" | "bench", rest @ ..] => match study(rest) {
            Ok(()) => Some(()),
            Err(problem) => {
                eprintln!("error: {problem}");
                None
            }
        },
        _ => None,
    };
    if done.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn study(options: &[&str]) -> Result<(), String> {
    let mut parts = Vec::new();
    let mut slice = u64::MAX;
    let (mut size, mut folder) = (&FULL, workspace_root().join("target/cluster"));
    let mut rest = options.iter();
    let mut write = false;
    while let Some(option) = rest.next() {
        match *option {
            "--part" => parts.push(*rest.next().ok_or("--part needs a name")?),
            "--slice" => {
                let number = rest.next().ok_or("--slice needs a number")?;
                slice = number.parse().map_err(|_| "--slice needs a number")?;
            }
            "--small" => (size, folder) = (&SMALL, workspace_root().join("target/cluster-small")),
            "--write" => write = true,
            other => return Err(format!("{other} is not known")),
        }
    }
    let small = std::ptr::eq(size, &SMALL);
    if parts.is_empty() && !write {
        parts = vec!["chaos", "reports", "hostile", "speed", "crowd"];
    }
    let path = folder.join("state.json");
    if small {
        let _ = std::fs::remove_dir_all(&folder);
    }
    let mut state: State = std::fs::read_to_string(&path)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    for part in parts {
        run_part(part, &mut state, size, slice, &folder)?;
    }
    let results = results(&state);
    eprintln!("{}", results.markdown());
    if small {
        return verify(&state);
    }
    results.write().map(drop).map_err(|error| error.to_string())
}

fn run_part(part: &str, state: &mut State, size: &Size, slice: u64, folder: &Path) -> Result<(), String> {
    let scratch = folder.join("scratch").join(part);
    let keep = |state: &State| save(state, folder);
    match part {
        "chaos" => {
            for _ in 0..slice.min(size.rounds.saturating_sub(state.rounds)) {
                let chaos = chaos::round(&scratch, state.rounds + 1, size.jobs, size.kills)?;
                eprintln!("kills: {chaos:?}");
                state.chaos.add(&chaos);
                state.rounds += 1;
                keep(state)?;
            }
        }
        "reports" => {
            let _ = std::fs::remove_dir_all(&scratch);
            let scene = Scene::new(&scratch, "reports")?;
            let mut done = 0;
            for (number, project) in projects().into_iter().take(size.projects).enumerate() {
                for words in reports::commands(&project, size.cases) {
                    let name = project.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let known = |it: &Compared| it.project == name && it.command == words.join(" ");
                    if done == slice || state.reports.iter().any(known) {
                        continue;
                    }
                    let compared = reports::compare(&scene, &project, &words, 100 + number as u64)?;
                    eprintln!("{compared:?}");
                    state.reports.push(compared);
                    done += 1;
                    keep(state)?;
                }
            }
        }
        "hostile" => {
            state.poison = Some(hostile::poison(&scratch, size.poison)?);
            state.strangers = Some(hostile::strangers(&scratch, size.messages)?);
        }
        "speed" => {
            state.overhead = Some(speed::overhead(&scratch, size.overhead)?);
            keep(state)?;
            state.efficiency = Some(speed::efficiency(&scratch, size.efficiency.0, 200, size.efficiency.1)?);
        }
        "crowd" => {
            state.crowds.clear();
            // Waits of no length show what the server gets through.
            let limit = simulate::crowd(&scratch, 64, 0, size.crowds[0].2)?;
            let overhead_ms = state.overhead.as_ref().map_or(2.0, |speed| speed.overhead_ms);
            let costs = Costs { overhead_ms, limit_per_s: limit.measured_jobs_per_s };
            state.crowds.push(Crowd { predicted_jobs_per_s: limit.measured_jobs_per_s, ..limit });
            for &(workers, job_ms, jobs) in size.crowds {
                let mut crowd = simulate::crowd(&scratch, workers, job_ms, jobs)?;
                crowd.predicted_jobs_per_s = costs.of_campaign(workers, job_ms as f64, jobs);
                eprintln!("{crowd:?}");
                state.crowds.push(crowd);
                keep(state)?;
            }
        }
        other => return Err(format!("there is no part {other}")),
    }
    keep(state)
}

fn save(state: &State, folder: &Path) -> Result<(), String> {
    let text = serde_json::to_string_pretty(state).map_err(|error| error.to_string())?;
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(folder.join("state.json"), text));
    written.map_err(|error| error.to_string())
}

/// The examples, all of them.
fn projects() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace_root().join("examples"));
    let mut found: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("twinrun.toml").is_file())
        .collect();
    found.sort();
    found
}

fn results(state: &State) -> Results {
    let State { chaos, reports, overhead, efficiency, poison, strangers, crowds, .. } = state;
    let sum = |of: fn(&Compared) -> u64| reports.iter().map(of).sum::<u64>();
    let identical = reports.iter().filter(|it| it.identical).count();
    let mut results = Results::new("cluster");
    results.total("jobs", chaos.jobs + sum(|it| it.jobs));
    results.total("kills", chaos.kills() + sum(|it| it.worker_kills + it.coordinator_kills));
    results.total("lost", chaos.lost);
    results.total("run_again_after_recorded", chaos.again);
    results.total("reports", reports.len());
    results.total(
        "reports_identical",
        if reports.is_empty() { 0.0 } else { identical as f64 / reports.len() as f64 },
    );
    if let Some(speed) = overhead {
        results.total("overhead_ms_per_job", round(speed.overhead_ms));
        results.total("server_cpu_ms_per_job", round(speed.server_cpu_ms_per_job));
    }
    if let Some(speed) = efficiency {
        results.total("efficiency_2_workers", round(speed.efficiency));
        results.total("efficiency_job_ms", round(speed.job_ms));
        results.total("efficiency_server_cpu_s", round(speed.server_cpu_seconds));
        results.total("efficiency_local_s", round(speed.local_seconds));
        results.total("efficiency_cluster_s", round(speed.cluster_seconds));
    }
    let none = Contained::default();
    let (poison, strangers) = (poison.as_ref().unwrap_or(&none), strangers.as_ref().unwrap_or(&none));
    results.total("poison_jobs", poison.poison);
    results.total("poison_jobs_contained", poison.poison_contained);
    results.total("hostile_messages", strangers.messages);
    results.total("crashes", poison.crashes + strangers.crashes);
    results.total("files_outside", strangers.escapes);
    results.total("most_in_flight", crowds.iter().map(|crowd| crowd.most_in_flight).max().unwrap_or(0));
    results.row(&json!({
        "part": "kills", "what": "workers, coordinator, server; two at once", "jobs": chaos.jobs,
        "kills": format!("{} + {} + {}; {}", chaos.worker_kills, chaos.coordinator_kills, chaos.server_kills, chaos.double_kills),
        "outcome": format!("{} lost, {} runs, {} after recorded", chaos.lost, chaos.runs, chaos.again),
    }));
    for it in reports {
        results.row(&json!({
            "part": "reports", "what": format!("{}: {}", it.project, it.command), "jobs": it.jobs,
            "kills": format!("{} + {}", it.worker_kills, it.coordinator_kills),
            "outcome": if it.identical { "identical".to_owned() } else { it.problem.clone() },
        }));
    }
    for it in crowds {
        results.row(&json!({
            "part": "crowd", "what": format!("{} simulated workers, jobs of {} ms", it.workers, it.job_ms), "jobs": it.jobs,
            "kills": "", "outcome": format!(
                "{:.0} jobs/s, the model says {:.0}; {} in flight; server {:.2} ms CPU a job, {:.0} MB",
                it.measured_jobs_per_s, it.predicted_jobs_per_s, it.most_in_flight, it.server_cpu_ms_per_job, it.server_mb),
        }));
    }
    if let (Some(speed), Some(first)) = (overhead, crowds.first()) {
        let costs = Costs { overhead_ms: speed.overhead_ms, limit_per_s: first.measured_jobs_per_s };
        for workers in [1, 10, 100, 1000] {
            let rate = |job_ms: f64| costs.throughput(workers, job_ms);
            results.row(&json!({
                "part": "model", "what": format!("{workers} workers"), "jobs": "", "kills": "",
                "outcome": format!("{:.0}, {:.0}, {:.1} jobs/s for jobs of 20 ms, 200 ms, 10 s", rate(20.0), rate(200.0), rate(10_000.0)),
            }));
        }
        results.notes.push(format!(
            "One server on this machine is the limit at {:.0} jobs/s: beyond {:.0} workers for jobs of 200 ms, {:.0} for jobs of 10 s.",
            costs.limit_per_s, costs.most_workers(200.0), costs.most_workers(10_000.0)
        ));
    }
    results.notes.push("A real `nats-server` and real processes on loopback. Kills are SIGKILL; the server keeps its storage. A run counts as \
         again after recorded when it begins more than 250 ms after the answer was recorded: those that overlap were in flight."
        .to_owned());
    results
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The bounded part: everything that does not depend on the machine's speed must be as it should.
fn verify(state: &State) -> Result<(), String> {
    let none = Contained::default();
    let (poison, strangers) =
        (state.poison.as_ref().unwrap_or(&none), state.strangers.as_ref().unwrap_or(&none));
    let wrong = state.chaos.lost + state.chaos.again + poison.crashes + strangers.crashes + strangers.escapes;
    match wrong == 0
        && poison.poison == poison.poison_contained
        && state.reports.iter().all(|it| it.identical)
    {
        true => Ok(()),
        false => Err("something was lost, ran again, crashed or differs".to_owned()),
    }
}
