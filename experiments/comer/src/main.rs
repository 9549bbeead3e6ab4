//! `./x experiment comer [--repetitions N] [--strengths 2,3,4] [--only NAME,NAME] [--mutants N]`: the subjects of the
//! COMER study with six ways to tests, judged by their relations on mutants.

mod features;
mod methods;
mod study;
mod subject;

use std::path::PathBuf;

use serde_json::json;
use twinrun_results::{Results, workspace_root};

use crate::methods::METHODS;
use crate::study::{Cell, Study};

/// What to run.
pub(crate) struct Options {
    pub repetitions: u64,
    pub strengths: Vec<usize>,
    pub only: Option<Vec<String>>,
    pub mutants: usize,
}

fn main() {
    let options = options();
    let folder = workspace_root().join("subjects/comer");
    let mut names: Vec<String> = match std::fs::read_dir(&folder) {
        Ok(entries) => {
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            return;
        }
    };
    names.retain(|name| folder.join(name).join("model.toml").exists());
    names.retain(|name| options.only.as_ref().is_none_or(|only| only.contains(name)));
    names.sort();
    let mut results = Results::new("comer");
    let mut study = Study::default();
    for name in &names {
        match subject::Subject::load(&folder.join(name), &work_folder().join(name), options.mutants) {
            Ok(subject) => study.run(&subject, &options, &mut results),
            Err(why) => eprintln!("{name}: left out: {why}"),
        }
    }
    study.totals(&mut results, &options);
    match results.write() {
        Ok(path) => println!("{}", path.display()),
        Err(error) => eprintln!("the results could not be written: {error}"),
    }
}

/// One row of the result table.
pub(crate) fn row(name: &str, strength: usize, mutants: usize, cells: &[Cell]) -> serde_json::Value {
    let mut row = json!({ "subject": name, "t": strength, "mutants": mutants });
    for (method, cell) in METHODS.iter().zip(cells) {
        row[format!("{method} tests")] = json!(cell.tests);
        row[format!("{method} groups")] = json!(cell.groups);
        row[format!("{method} faults")] = json!(cell.faults);
    }
    row["oracle on ours"] = json!(cells[methods::OURS].oracle);
    row["in no group"] = json!(cells[methods::OURS].lonely);
    row["seconds"] = json!(cells[methods::OURS].seconds);
    row["published seconds"] = json!(cells[methods::PUBLISHED].seconds);
    row["solved"] = json!(cells[methods::OURS].solved);
    row["given up"] = json!(cells[methods::OURS].given_up);
    row
}

fn work_folder() -> PathBuf {
    workspace_root().join("target/comer")
}

fn options() -> Options {
    let mut options = Options { repetitions: 30, strengths: vec![2, 3, 4], only: None, mutants: 25 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--repetitions" => options.repetitions = value().parse().unwrap_or(options.repetitions),
            "--mutants" => options.mutants = value().parse().unwrap_or(options.mutants),
            "--strengths" => options.strengths = value().split(',').filter_map(|s| s.parse().ok()).collect(),
            "--only" => options.only = Some(value().split(',').map(str::to_owned).collect()),
            _ => {}
        }
    }
    options
}
