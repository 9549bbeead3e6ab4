//! `twinrun combine`: covering arrays of an input model, rich in metamorphic groups where it has relations.

mod judge;
mod methods;
mod runner;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde_json::json;
use twinrun_base::Exit;
use twinrun_combine::groups::{
    ConcreteStage, Group, Richness, concretise, enrich, make as rows_by, matches, plan,
};
use twinrun_combine::readers::{PictOptions, read_file_with};
use twinrun_combine::{
    Array, Config, Model, Random, Verification, explain, generate, page, present, verify, verify_listing,
    writers,
};

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::targets::{Opened, Ready};
use crate::{output, targets};
use methods::Way;
use runner::Runner;

/// Makes or checks covering arrays.
#[derive(Debug, Args)]
pub(crate) struct Combine {
    /// The model: twinrun.toml or another TOML file, PICT, ACTS, CTWedge, .model, DIMACS or FeatureIDE [default: the project's
    /// twinrun.toml]
    model: Option<PathBuf>,
    /// Cover all combinations of this many parameters, 1 to 6 [default: the model's, else 2]
    #[arg(long, short = 't', value_name = "T")]
    strength: Option<usize>,
    /// Check this array (CSV or tab-separated) instead of making one
    #[arg(long, value_name = "FILE")]
    verify: Option<PathBuf>,
    /// Missing combinations that are listed when an array is checked
    #[arg(long, value_name = "N", default_value_t = Verification::SHOWN)]
    missing: usize,
    /// Keep the rows of this file (CSV, tab-separated or our JSON) and complete them
    #[arg(long, value_name = "FILE")]
    extend: Option<PathBuf>,
    /// Say why values cannot occur together, e.g. "A=1, B=x", instead of making an array
    #[arg(long, value_name = "VALUES")]
    explain: Option<String>,
    /// PICT's own options for a model in its form, e.g. "/o:3 /d:; /c"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pict_options: Option<String>,
    /// How rows are made
    #[arg(long, value_enum, default_value = "enriched", value_name = "METHOD")]
    method: Way,
    /// Make tests this many times, with one seed after the other, and print means
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repetitions: Option<u64>,
    /// Steps of local search, in each of four searches: a longer search that gives the same array again on any machine
    #[arg(long, value_name = "N", conflicts_with = "time")]
    steps: Option<u64>,
    /// How rows are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORM")]
    rows: Rows,
    /// Give every class a concrete value, so that the relations' groups come true
    #[arg(long)]
    concrete: bool,
    /// Run the groups on the model's subject and judge them (implies --concrete)
    #[arg(long)]
    run: bool,
    /// Rows that may be added for the sake of groups: this many times the square root of the array's size ...
    #[arg(long, default_value_t = Richness::default().extra_rows, value_name = "FACTOR")]
    extra_rows: f64,
    /// ... or this share of it, whichever is more
    #[arg(long, default_value_t = Richness::default().share, value_name = "SHARE")]
    extra_share: f64,
    /// Groups that every relation gets at least, by further rows if need be
    #[arg(long, default_value_t = 1, value_name = "N")]
    least_groups: usize,
    /// Leave the relations of the model aside
    #[arg(long)]
    no_groups: bool,
    /// Write a page to this file: the array as a picture, its groups, how coverage grows, tables that sort; with --verify, of the
    /// array that is checked
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Seed, threads and time; with a time, local search makes the array smaller until it is over
    #[command(flatten)]
    search: Search,
}

/// Searches with `--steps`: they share the threads, and their number does not depend on the machine.
const SEARCHES: usize = 4;

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
    let mut model = read(&path, options, common)?;
    if let Some(file) = &options.verify {
        return check(&model, file, options, common);
    }
    if let Some(values) = &options.explain {
        return why(&model, values, &path, common);
    }
    let taken = model.relations.iter().any(|relation| relation.taken);
    let with_groups = !options.no_groups && !model.relations.is_empty();
    if !(options.run || taken && with_groups) {
        return make(&model, &[], None, &path, options, common);
    }
    let ready = subject(&model, &path, options, common)?;
    let seed = options.search.seed.unwrap_or(1);
    let targets = runner::targets(&model, &ready)?;
    let mut runner = match &ready.opened {
        Opened::Wasm(_) => Runner::wasm(&targets, seed)?,
        Opened::Command(command) => Runner::command(command, &model)?,
    };
    let rules = runner::take_rules(&mut model, &ready, &mut runner, seed)?;
    let running = options.run.then_some((&mut runner, ready.name.as_str()));
    make(&model, &rules, running, &path, options, common)
}

/// The model with the rows that it is to keep; what the reader found odd is said.
fn read(path: &Path, options: &Combine, common: &Common) -> Result<Model, Error> {
    let wrong = |error| failure(path, error);
    let text = options.pict_options.as_deref().unwrap_or("");
    let mut pict = PictOptions::parse(text).map_err(wrong)?;
    pict.order = pict.order.or(options.strength);
    let mut model = read_file_with(path, &pict).map_err(wrong)?;
    model
        .warnings
        .iter()
        .filter(|_| !common.quiet)
        .for_each(|warning| eprintln!("{}: {warning}", path.display()));
    for file in options.extend.iter().cloned().chain(pict.seeds.map(PathBuf::from)) {
        let text =
            std::fs::read_to_string(&file).map_err(|source| Error::Read { path: file.clone(), source })?;
        let seeds = writers::read_seeds(&model, &text).map_err(|error| failure(&file, error))?;
        model.seeds.extend(seeds);
    }
    Ok(model)
}

/// The first row to be kept that the constraints forbid, and which these are.
fn refused(model: &Model) -> Option<String> {
    model.seeds.iter().find_map(|seed| {
        let cells: Vec<(usize, usize)> =
            seed.iter().enumerate().filter_map(|(parameter, value)| Some((parameter, (*value)?))).collect();
        let why = explain(model, &cells).ok().flatten()?;
        let cell = |&(parameter, value): &(usize, usize)| {
            let own = &model.parameters[parameter];
            format!("{} = {}", own.name, own.values[value].label)
        };
        let row = cells.iter().map(cell).collect::<Vec<_>>().join(", ");
        let lines: String = why.iter().map(|text| format!("\n  {text}")).collect();
        Some(format!("the row {row} cannot be kept because of{lines}"))
    })
}

/// Why values cannot occur together.
fn why(model: &Model, values: &str, path: &Path, common: &Common) -> Outcome {
    let mut chosen = Vec::new();
    for part in values.split(',') {
        let wrong =
            || Error::Usage(format!("`{}` is no value of the model: write \"A=1, B=x\"", part.trim()));
        let (name, label) = part.split_once('=').ok_or_else(wrong)?;
        let cell = model.find(name.trim(), label.trim()).map_err(|why| failure(path, why))?;
        chosen.push(cell);
    }
    let found = explain(model, &chosen).map_err(|error| failure(path, error))?;
    let text = match (common.format, &found) {
        (Format::Json, found) => {
            format!("{:#}\n", json!({ "feasible": found.is_none(), "constraints": found }))
        }
        (_, None) => format!("{values} can occur together\n"),
        (_, Some(why)) => {
            let lines: String = why.iter().map(|text| format!("\n  {text}")).collect();
            format!("{values} cannot occur together because of{lines}\n")
        }
    };
    output::text(&text, common)?;
    Ok(if found.is_none() { Exit::Holds } else { Exit::Violated })
}

/// The subject that the model speaks of, opened.
fn subject(model: &Model, path: &Path, options: &Combine, common: &Common) -> Result<Ready, Error> {
    let Some(name) = &model.subject else {
        return Err(Error::Usage(format!(
            "{}: the model names no subject to run: add `subject = \"NAME\"` to it, and put it as `[combine]` into twinrun.toml",
            path.display()
        )));
    };
    let common =
        Common { project: common.project.clone().or_else(|| options.model.clone()), ..common.clone() };
    let project = targets::project(&common)?;
    if !common.quiet {
        eprintln!("building {name}");
    }
    let ready = targets::ready(&project, name)?;
    ready.notices.iter().filter(|_| !common.quiet).for_each(|notice| eprintln!("{}", notice.trim_end()));
    Ok(ready)
}

/// Makes the array, makes it concrete and runs it, as far as the options ask for it.
fn make(
    model: &Model,
    rules: &[(String, String)],
    running: Option<(&mut Runner<'_>, &str)>,
    path: &Path,
    options: &Combine,
    common: &Common,
) -> Outcome {
    let wrong = |error| match refused(model) {
        Some(why) => Error::Usage(why),
        None => failure(path, error),
    };
    let config = Config {
        strength: options.strength,
        seed: options.search.seed.unwrap_or(1),
        time: options.search.time,
        jobs: if options.search.jobs == 0 { cores() } else { options.search.jobs },
        steps: options.steps,
        searches: SEARCHES,
        ..Config::default()
    };
    let with_groups = !options.no_groups && !model.relations.is_empty();
    let richness = Richness {
        extra_rows: options.extra_rows,
        share: options.extra_share,
        least: options.least_groups,
        ..Richness::default()
    };
    if let Some(repetitions) = options.repetitions {
        let way = if with_groups { options.method } else { Way::Plain };
        let means = methods::repeat(model, way, &config, richness, repetitions).map_err(wrong)?;
        let json = || format!("{:#}\n", means.json());
        output::text(&if common.format == Format::Json { json() } else { means.human() }, common)?;
        return Ok(Exit::Holds);
    }
    let began = Instant::now();
    let (array, planned) = match options.method {
        Way::Enriched if with_groups => enrich(model, &config, richness).map_err(wrong)?,
        Way::Enriched | Way::Plain => (generate(model, &config).map_err(wrong)?, Vec::new()),
        way => {
            let (rows, planned) = rows_by(model, way.method(), &config, richness).map_err(wrong)?;
            let strength = config.strength.or(model.strength).unwrap_or(2);
            let found = verify(model, &rows, strength).map_err(wrong)?;
            let (tuples, uncovered) = (found.covered + found.missing_count, found.missing_count);
            (Array { rows, strength, tuples, uncovered, ..Array::default() }, planned)
        }
    };
    let abstractly = began.elapsed();
    let stage = (options.concrete || running.is_some())
        .then(|| concretise(model, &array.rows, &planned, &mut Random::new(config.seed)));
    let times = (abstractly, began.elapsed() - abstractly);
    let groups = match &stage {
        Some(stage) => matches(model, &stage.tests),
        None if with_groups => plan(model, &array.rows).map_err(wrong)?,
        None => Vec::new(),
    };
    if let Some(file) = &options.html {
        let page = page::html(model, &array, &groups);
        std::fs::write(file, page).map_err(|source| Error::Write { path: file.clone(), source })?;
    }
    let judged = match (running, &stage) {
        (Some((runner, subject)), Some(stage)) => {
            Some((judge::judge(model, &stage.tests, &groups, runner, config.seed)?, subject))
        }
        _ => None,
    };
    let text = match (common.format, &judged) {
        (Format::Human, _) => {
            let mut text = human(model, &array, stage.as_ref(), &groups, options.rows);
            if options.rows == Rows::Table {
                let rule = |(name, rule): &(String, String)| format!("taken from {name}: {rule}\n");
                text = rules.iter().map(rule).collect::<String>() + &text;
                if !common.quiet && stage.is_some() {
                    eprintln!("abstract stage {:.2?}, concrete stage {:.2?}", times.0, times.1);
                }
                if let Some((outcome, _)) = &judged {
                    text = format!("{text}\n{}", judge::human(model, outcome));
                }
            }
            text
        }
        (Format::Json, _) => {
            let mut value = writers::json_report(model, &array, stage.as_ref(), &groups);
            value["seconds"] =
                json!({ "abstract": times.0.as_secs_f64(), "concrete": times.1.as_secs_f64() });
            value["rules"] =
                rules.iter().map(|(name, rule)| json!({ "relation": name, "input": rule })).collect();
            if let Some((outcome, _)) = &judged {
                value["run"] = judge::to_json(model, outcome);
            }
            format!("{value:#}\n")
        }
        (_, Some((outcome, subject))) => {
            let report = judge::report(model, subject, outcome, config.seed);
            let folder = path.parent().unwrap_or(Path::new("."));
            output::report(&report, folder, common)?;
            return Ok(exit(&array, judged.as_ref().map(|(outcome, _)| outcome), model, subject));
        }
        _ => {
            return Err(Error::Usage(
                "arrays are printed with --format human or json; with --run also sarif, junit and github"
                    .to_owned(),
            ));
        }
    };
    output::text(&text, common)?;
    let subject = judged.as_ref().map_or("", |(_, subject)| *subject);
    Ok(exit(&array, judged.as_ref().map(|(outcome, _)| outcome), model, subject))
}

fn exit(array: &Array, outcome: Option<&judge::Outcome>, model: &Model, subject: &str) -> Exit {
    match outcome {
        Some(outcome) => judge::report(model, subject, outcome, 0).exit(),
        None if array.uncovered == 0 => Exit::Holds,
        None => Exit::Inconclusive,
    }
}

fn check(model: &Model, file: &Path, options: &Combine, common: &Common) -> Outcome {
    let text =
        std::fs::read_to_string(file).map_err(|source| Error::Read { path: file.to_path_buf(), source })?;
    let rows = writers::read_array(model, &text).map_err(|error| failure(file, error))?;
    let strength = options.strength.or(model.strength).unwrap_or(2);
    let found =
        verify_listing(model, &rows, strength, options.missing).map_err(|error| failure(file, error))?;
    if let Some(file) = &options.html {
        let page = page::checked_html(model, &rows, strength, &found);
        std::fs::write(file, page).map_err(|source| Error::Write { path: file.clone(), source })?;
    }
    let text = match common.format {
        Format::Json => format!("{:#}\n", writers::json_verification(model, rows.len(), strength, &found)),
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
