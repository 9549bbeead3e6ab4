//! `twinrun combine`: covering arrays of an input model, rich in metamorphic groups where it has relations.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use twinrun_base::Exit;
use twinrun_combine::groups::{ConcreteStage, Group, Richness, concretise, enrich, matches, plan};
use twinrun_combine::readers::read_file;
use twinrun_combine::{Array, Config, Model, Random, generate, present, verify, writers};

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::output;

/// Makes or checks covering arrays.
#[derive(Debug, Args)]
pub(crate) struct Combine {
    /// The model: twinrun.toml or another TOML file, PICT, ACTS, CTWedge or .model [default: the project's twinrun.toml]
    model: Option<PathBuf>,
    /// Cover all combinations of this many parameters, 1 to 6 [default: the model's, else 2]
    #[arg(long, short = 't', value_name = "T")]
    strength: Option<usize>,
    /// Check this array (CSV or tab-separated) instead of making one
    #[arg(long, value_name = "FILE")]
    verify: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORM")]
    rows: Rows,
    /// Give every class a concrete value, so that the relations' groups come true
    #[arg(long)]
    concrete: bool,
    /// Rows that may be added for the sake of groups, as a share of the array
    #[arg(long, default_value_t = 0.03, value_name = "SHARE")]
    extra_rows: f64,
    /// Leave the relations of the model aside
    #[arg(long)]
    no_groups: bool,
    /// Write a picture of the array and its groups to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Seed, threads and time; with a time, local search makes the array smaller until it is over
    #[command(flatten)]
    search: Search,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// An aligned table with a summary
    Table,
    /// Comma-separated, only the rows
    Csv,
    /// Tab-separated as PICT prints them, only the rows
    Pict,
}

pub(crate) fn run(options: &Combine, common: &Common) -> Outcome {
    let path = model_path(options, common);
    let model = read_file(&path).map_err(|error| failure(&path, error))?;
    let wrong = |error| failure(&path, error);
    if let Some(file) = &options.verify {
        return check(&model, file, options, common);
    }
    let config = Config {
        strength: options.strength,
        seed: options.search.seed.unwrap_or(1),
        time: options.search.time,
        jobs: if options.search.jobs == 0 { cores() } else { options.search.jobs },
        ..Config::default()
    };
    let with_groups = !options.no_groups && !model.relations.is_empty();
    let (array, planned) = if with_groups {
        enrich(&model, &config, Richness { extra_rows: options.extra_rows, ..Richness::default() })
            .map_err(wrong)?
    } else {
        (generate(&model, &config).map_err(wrong)?, Vec::new())
    };
    let stage =
        options.concrete.then(|| concretise(&model, &array.rows, &planned, &mut Random::new(config.seed)));
    let groups = match &stage {
        Some(stage) => matches(&model, &stage.tests),
        None if with_groups => plan(&model, &array.rows).map_err(wrong)?,
        None => Vec::new(),
    };
    if let Some(file) = &options.html {
        let page = present::html(&model, &array, &groups);
        std::fs::write(file, page).map_err(|source| Error::Write { path: file.clone(), source })?;
    }
    let text = match common.format {
        Format::Human => human(&model, &array, stage.as_ref(), &groups, options.rows),
        Format::Json => format!("{:#}\n", writers::json_report(&model, &array, stage.as_ref(), &groups)),
        _ => return Err(Error::Usage("arrays are printed with --format human or json".to_owned())),
    };
    output::text(&text, common)?;
    Ok(if array.uncovered == 0 { Exit::Holds } else { Exit::Inconclusive })
}

fn check(model: &Model, file: &Path, options: &Combine, common: &Common) -> Outcome {
    let text =
        std::fs::read_to_string(file).map_err(|source| Error::Read { path: file.to_path_buf(), source })?;
    let rows = writers::read_array(model, &text).map_err(|error| failure(file, error))?;
    let strength = options.strength.or(model.strength).unwrap_or(2);
    let found = verify(model, &rows, strength).map_err(|error| failure(file, error))?;
    let text = match common.format {
        Format::Json => format!("{:#}\n", writers::json_verification(rows.len(), strength, &found)),
        _ => present::verification(model, rows.len(), strength, &found),
    };
    output::text(&text, common)?;
    Ok(if found.complete() { Exit::Holds } else { Exit::Violated })
}

fn human(
    model: &Model,
    array: &Array,
    stage: Option<&ConcreteStage>,
    groups: &[Group],
    rows: Rows,
) -> String {
    match (rows, stage) {
        (Rows::Csv, None) => writers::csv(model, &array.rows),
        (Rows::Csv, Some(stage)) => writers::csv_tests(model, &stage.tests),
        (Rows::Pict, _) => writers::pict(model, &array.rows),
        (Rows::Table, stage) => present::report(model, array, stage, groups),
    }
}

fn model_path(options: &Combine, common: &Common) -> PathBuf {
    if let Some(path) = &options.model {
        return path.clone();
    }
    let project = common.project.clone().unwrap_or_else(|| PathBuf::from("."));
    if project.is_dir() { project.join("twinrun.toml") } else { project }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn failure(path: &Path, error: twinrun_combine::Error) -> Error {
    match error {
        twinrun_combine::Error::File { path, source } => Error::Read { path: path.into(), source },
        error => Error::Usage(format!("{}: {error}", path.display())),
    }
}
