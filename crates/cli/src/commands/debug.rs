//! `twinrun debug`: from violated cases to the branch to look at.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use twinrun_base::work::SECOND;
use twinrun_base::{Case, Exit, Rng, Verdict, cut};
use twinrun_debug::{Config, Method, Outcome as Ended, Report, Subject, Violated, present};
use twinrun_solve::Program;
use twinrun_subject::Project;
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;
use twinrun_testing::saved::{self, SavedCase};
use twinrun_testing::target::Build;

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Effort, Format, duration};
use crate::targets::{self, Opened, Ready};
use crate::{output, stop};

/// Finds the branch where a violating and a passing neighbour part, and ranks the branches to look at.
#[derive(Debug, Args)]
pub(crate) struct Debug {
    /// What to debug: SUBJECT or SUBJECT:RELATION [default: everything in the project]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    /// Saved cases to begin from, instead of those below .twinrun/cases
    #[arg(long = "case", value_name = "FILE")]
    cases: Vec<PathBuf>,
    /// How the branch is found
    #[arg(long, value_enum, default_value = "ranked")]
    method: How,
    /// Cut after this time, e.g. 10s, 5m; what was found until then is reported [default: never]
    #[arg(long, value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    #[command(flatten)]
    effort: Effort,
    /// Violated cases of each relation to begin from
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,
    /// Without saved cases: how many cases are drawn for each relation to find a violated one
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    tries: u64,
    /// The seed of drawn cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    /// Neighbours, and branches ranked by what a change there repairs
    Ranked,
    /// As published: the branch where the neighbours with the shortest failing suffix part
    Published,
}

pub(crate) fn run(options: &Debug, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json | Format::Sarif) {
        return Err(Error::Usage("debug prints `--format human`, `json` or `sarif`".to_owned()));
    }
    stop::begin("debug", options.time, common);
    let project = targets::project(common)?;
    let solver = Program::find(&project.folder).map_err(|error| Error::Infrastructure(error.to_string()))?;
    let config = Config {
        method: match options.method {
            How::Ranked => Method::Ranked,
            How::Published => Method::Published,
        },
        solver,
        work: twinrun_debug::WORK.saturating_mul(options.effort.effort),
        query: 5 * SECOND,
        paths: 100_000,
        changes: 100_000,
        seed: options.seed,
    };
    let mut reports: Vec<Report> = Vec::new();
    for (name, relations) in targets::chosen(&project, &options.what)? {
        if cut::is_requested() {
            break;
        }
        say(common, &format!("building {name}"));
        let ready = targets::ready(&project, &name)?;
        let Opened::Wasm(wasm) = &ready.opened else {
            return Err(Error::Usage(format!(
                "`{name}` is a command: debugging needs a subject that is WebAssembly (C, C++, Rust or a ready .wasm)"
            )));
        };
        let relations = if relations.is_empty() { ready.relations.clone() } else { relations };
        let mut violated = Vec::new();
        for relation in &relations {
            violated.extend(violated_cases(options, common, &project, &ready, relation)?);
        }
        if violated.is_empty() {
            say(common, &format!("{name}: no violated case is saved or was found: nothing to debug"));
            continue;
        }
        let modules = wasm.modules();
        let programs: Vec<_> =
            modules.programs.iter().map(|(name, module)| (name.clone(), &**module)).collect();
        let limits = project.limits(project.subject(&name)?);
        let failed = |error: twinrun_debug::Error| Error::Usage(error.to_string());
        let subject = Subject::new(&name, &modules.relations, &programs, limits).map_err(failed)?;
        say(common, &format!("debugging {name} from {} violated cases", violated.len()));
        let report = twinrun_debug::debug(&subject, &violated, &config).map_err(failed)?;
        confirm(&ready, &report)?;
        reports.push(report);
    }
    let folder = project.folder.clone();
    let line = |file: &str, number: u32| {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        text.lines().nth(number.checked_sub(1)? as usize).map(str::to_owned)
    };
    let json = |value: serde_json::Value| serde_json::to_string_pretty(&value).unwrap_or_default() + "\n";
    let text = match common.format {
        Format::Json => json(serde_json::json!({
            "command": "debug", "version": env!("CARGO_PKG_VERSION"), "cut": cut::requested(), "subjects": reports,
        })),
        Format::Sarif => json(present::sarif(&reports, env!("CARGO_PKG_VERSION"))),
        _ if reports.is_empty() && cut::is_requested() => "cut before a violated case was found\n".to_owned(),
        _ if reports.is_empty() => "nothing to debug: no relation is violated\n".to_owned(),
        _ => reports.iter().map(|report| present::human(report, &line)).collect::<Vec<_>>().join("\n"),
    };
    output::text(&text, common)?;
    if let Some(cause) = cut::requested() {
        say(common, &format!("cut: {cause}"));
    }
    Ok(if reports.is_empty() && cut::is_requested() {
        Exit::Inconclusive
    } else if reports.is_empty() {
        Exit::Holds
    } else if reports.iter().any(|report| report.outcome == Ended::NotFound) {
        Exit::Inconclusive
    } else {
        Exit::Violated
    })
}

fn say(common: &Common, words: &str) {
    if !common.quiet {
        eprintln!("{words}");
    }
}

/// Violated cases of a relation: given ones, saved ones, or drawn ones.
fn violated_cases(
    options: &Debug,
    common: &Common,
    project: &Project,
    ready: &Ready,
    relation: &str,
) -> Result<Vec<Violated>, Error> {
    let target = ready.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(Vec::new()) };
    let mut cases: Vec<Case> = Vec::new();
    if options.cases.is_empty() {
        let (saved, errors) = saved::read_all(&project.cache().join("cases"), &ready.name, relation);
        errors.iter().for_each(|error| say(common, &error.to_string()));
        cases.extend(saved.into_iter().map(|(_, saved)| saved.case));
    } else {
        for path in &options.cases {
            let saved = SavedCase::read(path)?;
            if saved.relation == relation && saved.subject == ready.name {
                cases.push(saved.case);
            }
        }
    }
    let mut violated = Vec::new();
    for case in cases {
        let mut replay = Replay::default();
        replay.begin(&case);
        if executor.run(&mut replay)?.verdict == Verdict::Violated {
            violated.push(replay.drawn());
        }
    }
    if violated.is_empty() && options.cases.is_empty() {
        say(common, &format!("{}:{relation}: no violated case is saved; drawing", ready.name));
        let mut generator = Generator::new(Rng::new(options.seed), executor.dictionary());
        for _ in 0..options.tries {
            generator.begin(&[]);
            if executor.run(&mut generator)?.verdict == Verdict::Violated {
                violated.push(generator.case());
            }
            if violated.len() == options.most || cut::is_requested() {
                break;
            }
        }
    }
    violated.truncate(options.most);
    Ok(violated.into_iter().map(|case| Violated { relation: relation.to_owned(), case }).collect())
}

/// Both sides of every pair must end the same way in the other engine.
fn confirm(ready: &Ready, report: &Report) -> Result<(), Error> {
    for pair in &report.pairs {
        let target = ready.target(&pair.relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        for group in [&pair.failing, &pair.passing] {
            let mut replay = Replay::default();
            replay.begin(&group.case);
            let verdict = executor.run(&mut replay)?.verdict;
            if verdict != group.verdict && !cut::is_requested() {
                return Err(Error::Infrastructure(format!(
                    "the engines disagree on {}: {} and {verdict}; please report this",
                    group.case, group.verdict
                )));
            }
        }
    }
    Ok(())
}
