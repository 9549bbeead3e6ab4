//! Reports of real commands: with workers that are killed and coordinators that are killed and go on, byte for byte those of a
//! local run, time fields aside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::Rng;
use twinrun_base::report::TIME_FIELDS;

use crate::scene::{Actor, LEASE, Scene, spawn, twinrun};

/// One command on one project.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Compared {
    pub(crate) project: String,
    pub(crate) command: String,
    pub(crate) identical: bool,
    pub(crate) jobs: u64,
    pub(crate) worker_kills: u64,
    pub(crate) coordinator_kills: u64,
    pub(crate) server_kills: u64,
    pub(crate) problem: String,
}

impl Compared {
    pub(crate) fn kills(&self) -> u64 {
        self.worker_kills + self.coordinator_kills + self.server_kills
    }
}

/// What is run where.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    pub(crate) project: PathBuf,
    pub(crate) words: Vec<String>,
}

impl Errand {
    pub(crate) fn name(&self) -> String {
        self.project.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// All commands on all projects, and debuggers on some programs; the seed and all limits are counted, so that nothing depends on
/// time. They come in rounds in which each project has one command and each command comes up often: any first part of them is
/// a fair one.
pub(crate) fn errands(projects: &[PathBuf], cases: u64) -> Vec<Errand> {
    let mut lists: Vec<Vec<Errand>> = projects.iter().map(|project| of_project(project, cases)).collect();
    lists.push(of_debuggers());
    for (number, list) in lists.iter_mut().enumerate() {
        let turns = number % list.len().max(1);
        list.rotate_left(turns);
    }
    let rounds = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..rounds).flat_map(|round| lists.iter().filter_map(move |list| list.get(round).cloned())).collect()
}

fn of_project(project: &Path, cases: u64) -> Vec<Errand> {
    let text = std::fs::read_to_string(project.join("twinrun.toml")).unwrap_or_default();
    let cases = cases.to_string();
    // Each run of a command is a process.
    let of_command: &[&[&str]] = &[&["test", "--cases", "60"]];
    let of_modules: &[&[&str]] = &[
        &["test", "--cases", &cases],
        &["score", "faulty", "--cases", "300", "--every", "4"],
        &["locate", "faulty", "--groups", "400"],
        &["hunt", "--cases", "2000"],
    ];
    let all = if text.contains("command = [") { of_command } else { of_modules };
    all.iter().map(|words| errand(project, words)).collect()
}

/// Node debugs some of the programs of the study of debuggers.
fn of_debuggers() -> Vec<Errand> {
    let project = twinrun_results::workspace_root().join("subjects/javascript");
    let of = |programs: &[&str]| errand(&project, &[&["debugger", "--tests", "3"], programs].concat());
    vec![
        of(&["array-bubble-log.js", "array-two-sum.js"]),
        of(&["array-rotate.js", "array-dedupe.js"]),
        of(&["array-merge-sort.js", "array-sparse.js"]),
    ]
}

fn errand(project: &Path, words: &[&str]) -> Errand {
    Errand { project: project.to_owned(), words: words.iter().map(|word| (*word).to_owned()).collect() }
}

/// The most kills of each kind in one comparison: after them it comes to its end.
const KILLS: (u64, u64, u64) = (4, 2, 1);

/// Runs one command here and on the cluster.
pub(crate) fn compare(scene: &mut Scene, errand: &Errand, seed: u64) -> Result<Compared, String> {
    let text = |error: std::io::Error| error.to_string();
    let Errand { project, words } = errand;
    let name = errand.name();
    let copy = scene.folder.join("projects").join(&name);
    copy_project(project, &copy).map_err(text)?;
    let mut compared = Compared { project: name, command: words.join(" "), ..Compared::default() };
    let here = scene.folder.join("here.json");
    let status = run(&copy, words, &here, &[])?.wait().map_err(text)?;
    let wanted = report(&here);
    forget(&copy);
    let there = scene.folder.join("there.json");
    let lease = (LEASE as f64 / 1e3).to_string();
    let url = scene.url();
    let cluster = scene.cluster.clone();
    let away = ["--nats", &url, "--cluster-name", &cluster, "--lease", &lease];
    let before = results(scene);
    let mut rng = Rng::new(seed);
    let mut born = 0;
    let mut worker = |scene: &Scene| {
        born += 1;
        scene.twinrun_worker(&format!("s{seed}-{born}"), 1)
    };
    let mut workers = [worker(scene)?, worker(scene)?];
    let mut coordinator = run(&copy, words, &there, &away)?;
    let ended = loop {
        std::thread::sleep(Duration::from_millis(100 + rng.below(500)));
        if let Ok(Some(ended)) = coordinator.0.try_wait() {
            break ended;
        }
        match rng.below(8) {
            0 | 1 if compared.coordinator_kills < KILLS.1 => {
                coordinator.kill();
                compared.coordinator_kills += 1;
                coordinator = run(&copy, words, &there, &away)?;
            }
            2 if compared.server_kills < KILLS.2 => {
                scene.server.kill().map_err(text)?;
                std::thread::sleep(Duration::from_millis(rng.below(300)));
                scene.server.restart().map_err(text)?;
                compared.server_kills += 1;
            }
            3..=6 if compared.worker_kills < KILLS.0 => {
                let place = rng.below(2) as usize;
                workers[place].kill();
                workers[place] = worker(scene)?;
                compared.worker_kills += 1;
            }
            _ => {}
        }
    };
    let found = report(&there);
    compared.jobs = results(scene).saturating_sub(before);
    let same = wanted.is_some() && wanted == found && status.code() == ended.code();
    // Alike because nothing ran there would say nothing.
    compared.identical = same && compared.jobs > 0;
    if !same {
        let codes = format!("exit codes {:?}, {:?}: ", status.code(), ended.code());
        compared.problem = codes + &difference(wanted.as_deref(), found.as_deref());
    } else if !compared.identical {
        compared.problem = "no job ran there".to_owned();
    }
    forget(&copy);
    Ok(compared)
}

trait Waits {
    fn wait(self) -> std::io::Result<std::process::ExitStatus>;
}

impl Waits for Actor {
    fn wait(mut self) -> std::io::Result<std::process::ExitStatus> {
        self.0.wait()
    }
}

fn run(project: &Path, words: &[String], output: &Path, more: &[&str]) -> Result<Actor, String> {
    let _ = std::fs::remove_file(output);
    let mut command = Command::new(twinrun()?);
    command.args(words).args(more).args(["--quiet", "--format", "json", "--output"]).arg(output);
    spawn(command.arg("--project").arg(project).current_dir(project))
}

/// A report as text, without what tells the time.
fn report(path: &Path) -> Option<String> {
    let mut value: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    timeless(&mut value);
    serde_json::to_string_pretty(&value).ok()
}

fn timeless(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(timeless),
        Value::Object(fields) => {
            fields.retain(|key, _| !TIME_FIELDS.contains(&key.as_str()));
            fields.values_mut().for_each(timeless);
        }
        _ => {}
    }
}

fn difference(wanted: Option<&str>, found: Option<&str>) -> String {
    let (Some(wanted), Some(found)) = (wanted, found) else {
        return format!("report here: {}, there: {}", wanted.is_some(), found.is_some());
    };
    let differs = wanted.lines().zip(found.lines()).find(|(a, b)| a != b);
    differs.map_or("one is longer".to_owned(), |(a, b)| format!("{} / {}", a.trim(), b.trim()))
}

/// Everything that a run leaves for the next one; builds stay.
fn forget(project: &Path) {
    let cache = project.join(".twinrun");
    let _ = std::fs::remove_dir_all(cache.join("cases"));
    for entry in std::fs::read_dir(&cache).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn results(scene: &Scene) -> u64 {
    let config = crate::probe::config(&scene.url(), &scene.cluster, LEASE);
    let status = twinrun_cluster::runtime()
        .ok()
        .and_then(|it| it.block_on(twinrun_cluster::status::status(&config)).ok());
    status.map_or(0, |status| status.results)
}

fn copy_project(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        let (path, copied): (PathBuf, PathBuf) = (entry.path(), to.join(entry.file_name()));
        let left_out = [".twinrun", "target"].iter().any(|name| entry.file_name() == *name);
        match path.is_dir() {
            true if left_out => {}
            true => copy_project(&path, &copied)?,
            false if copied.exists() => {}
            // A crate finds the SDK beside the workspace, and so must its copy.
            false if entry.file_name() == "Cargo.toml" => {
                let sdk = twinrun_results::workspace_root().join("sdk").display().to_string();
                std::fs::write(&copied, std::fs::read_to_string(&path)?.replace("../../sdk", &sdk))?;
            }
            false => drop(std::fs::copy(&path, &copied)?),
        }
    }
    Ok(())
}
