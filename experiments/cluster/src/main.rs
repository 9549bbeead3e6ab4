//! Campaigns on many machines: a real server and real processes on loopback.
//!
//! `experiment [--part chaos|reports|overhead|efficiency|hostile|crowd] [--slice N] [--small]`; what is done is kept in
//! `target/cluster`, so that slices add up. `--write` writes the result from what there is.

mod chaos;
mod hostile;
mod load;
mod probe;
mod reports;
mod results;
mod scene;
mod simulate;
mod speed;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use twinrun_results::{method_version, workspace_root};

use chaos::Chaos;
use hostile::Contained;
use reports::Compared;
use scene::Scene;
use simulate::{Costs, Crowd};
use speed::{Overhead, Turn};

/// What slices have given so far.
#[derive(Default, Serialize, Deserialize)]
struct State {
    /// The commits that each part was run on: slices may lie apart.
    commits: BTreeMap<String, BTreeSet<String>>,
    rounds: u64,
    chaos: Chaos,
    reports: Vec<Compared>,
    overhead: Option<Overhead>,
    efficiency: Vec<Turn>,
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
    /// Jobs of a turn, milliseconds of a job, turns.
    efficiency: (u64, u64, u64),
    poison: u64,
    messages: u64,
    crowds: &'static [(u64, u64, u64)],
    /// Cases of a test whose report is compared, and comparisons.
    cases: u64,
    reports: usize,
}

const FULL: Size = Size {
    jobs: 2000,
    kills: 25,
    rounds: 10,
    overhead: 6000,
    efficiency: (40, 200, 9),
    poison: 10,
    messages: 1200,
    crowds: &[(100, 500, 2000), (300, 1000, 3000), (1000, 4000, 5000), (10_000, 60_000, 10_000)],
    cases: 40_000,
    reports: usize::MAX,
};

const SMALL: Size = Size {
    jobs: 150,
    kills: 6,
    rounds: 1,
    overhead: 200,
    efficiency: (4, 50, 1),
    poison: 1,
    messages: 120,
    crowds: &[(50, 100, 300)],
    cases: 20_000,
    reports: 1,
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
        ["spin", rest @ ..] => speed::be_local(rest),
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
        parts = vec!["chaos", "reports", "hostile", "overhead", "efficiency", "crowd"];
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
    let results = results::of(&state);
    eprintln!("{}", results.markdown());
    if small {
        return verify(&state);
    }
    results.write().map(drop).map_err(|error| error.to_string())
}

fn run_part(part: &str, state: &mut State, size: &Size, slice: u64, folder: &Path) -> Result<(), String> {
    let scratch = folder.join("scratch").join(part);
    let keep = |state: &State| save(state, folder);
    state.commits.entry(part.to_owned()).or_default().insert(method_version());
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
            let mut scene = Scene::new(&scratch, "reports")?;
            let errands = reports::errands(&projects(), size.cases).into_iter().take(size.reports);
            let mut done = 0;
            for (number, errand) in (100..).zip(errands) {
                let known =
                    |it: &Compared| it.project == errand.name() && it.command == errand.words.join(" ");
                if done == slice || state.reports.iter().any(known) {
                    continue;
                }
                let compared = reports::compare(&mut scene, &errand, number)?;
                eprintln!("{compared:?}");
                state.reports.push(compared);
                done += 1;
                keep(state)?;
            }
        }
        "hostile" => {
            state.poison = Some(hostile::poison(&scratch, size.poison)?);
            state.strangers = Some(hostile::strangers(&scratch, size.messages)?);
        }
        "overhead" => state.overhead = Some(speed::overhead(&scratch, size.overhead)?),
        "efficiency" => {
            let (jobs, job_ms, turns) = size.efficiency;
            state.efficiency = speed::efficiency(&scratch, jobs, job_ms, turns.min(slice))?;
        }
        "crowd" => {
            state.crowds.clear();
            // One alone shows what a job costs beside itself, many with jobs of no length what the server gets through.
            let jobs = size.crowds[0].2;
            let alone = simulate::crowd(&scratch, 1, 0, jobs / 4)?;
            let many = simulate::crowd(&scratch, 64, 0, jobs)?;
            let costs =
                Costs { overhead_ms: 1e3 / alone.measured_jobs_per_s, limit_per_s: many.measured_jobs_per_s };
            for measured in [alone, many] {
                let predicted_jobs_per_s = measured.measured_jobs_per_s;
                state.crowds.push(Crowd { predicted_jobs_per_s, ..measured });
            }
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
