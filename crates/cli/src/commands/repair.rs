//! `twinrun repair`: what to write instead.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use twinrun_base::{Case, Exit, cut, work};
use twinrun_hunt::repairs::{self, Repaired as Answer};
use twinrun_report::formats::sarif;
use twinrun_solve::Program;
use twinrun_subject::Project;
use twinrun_whatif::cases::Amount;
use twinrun_whatif::repair::{Config, repair};

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Effort, Format, duration};
use crate::targets::{self, Opened};
use crate::{output, stop};

/// Looks for small changes of C or C++ sources after which every relation holds, and shows them as diffs.
///
/// A relation is a weak oracle: what satisfies it may still be wrong. Where two repairs answer differently, the smallest such case is shown, so that you can
/// decide.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  twinrun repair                    all subjects of the project\n  twinrun repair faulty --apply     write the first repair into the source"
)]
pub(crate) struct Repair {
    /// The subjects [default: all of the project]
    #[arg(value_name = "SUBJECT")]
    what: Vec<String>,
    /// Cases that are drawn for each relation
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Write the first repair into the source file
    #[arg(long)]
    apply: bool,
    /// Do not try to prove the relations of what was repaired
    #[arg(long)]
    no_proof: bool,
    #[command(flatten)]
    effort: Effort,
    /// The seed; the same seed draws the same cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop after this time, e.g. 30s, 5m
    #[arg(long, value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
}

/// What became of one subject.
#[derive(Serialize)]
struct Repaired {
    subject: String,
    #[serde(flatten)]
    answer: Answer,
    /// The file that a repair was written to.
    applied: Option<String>,
}

pub(crate) fn run(options: &Repair, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json | Format::Sarif) {
        return Err(Error::Usage("repair prints `--format human`, `json` or `sarif`".to_owned()));
    }
    let project = targets::project(common)?;
    stop::begin("repair", options.time, common);
    let mut all = Vec::new();
    for (name, _) in targets::chosen(&project, &options.what)? {
        all.extend(subject(&project, &name, options, common)?);
    }
    if all.is_empty() {
        return Err(Error::Usage(
            "repairs are changes of C or C++ sources: no chosen subject has any".to_owned(),
        ));
    }
    let text = match common.format {
        Format::Json => {
            let report = json!({
                "command": "repair",
                "version": env!("CARGO_PKG_VERSION"),
                "seed": options.seed,
                "cut": cut::requested(),
                "subjects": all,
            });
            serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
        }
        Format::Sarif => {
            let told: Vec<_> = all.iter().map(|it| (it.subject.as_str(), it.answer.told())).collect();
            sarif::repairs(&told, env!("CARGO_PKG_VERSION"))
        }
        _ => all.iter().map(human).collect::<Vec<_>>().join("\n"),
    };
    output::text(&text, common)?;
    Ok(if all.iter().any(|it| !it.answer.outcome.violated.is_empty() && it.applied.is_none()) {
        Exit::Violated
    } else if cut::is_requested()
        || all.iter().all(|it| it.answer.outcome.failing + it.answer.outcome.passing == 0)
    {
        Exit::Inconclusive
    } else {
        Exit::Holds
    })
}

/// Repairs one subject; none where it is no C or C++.
fn subject(
    project: &Project,
    name: &str,
    options: &Repair,
    common: &Common,
) -> Result<Option<Repaired>, Error> {
    if twinrun_whatif::build::files(project, name).is_err() {
        return Ok(None);
    }
    if !common.quiet {
        eprintln!("building {name}");
    }
    let ready = targets::ready(project, name)?;
    let Opened::Wasm(original) = &ready.opened else { return Ok(None) };
    let config = Config {
        seed: options.seed,
        amount: Amount { drawn: options.cases, ..Config::default().amount },
        work: options.effort.effort.saturating_mul(60 * work::SECOND),
        given: saved(project, name, &ready.relations),
        ..Config::default()
    };
    let environment = targets::environment(&project.folder);
    let (outcome, built) = repair(project, name, original, &ready.relations, &environment, &config)?;
    let solver = Program::find(&project.folder).ok().filter(|_| !options.no_proof);
    let proofs = match &solver {
        Some(solver) => built
            .iter()
            .map(|it| repairs::proofs(&it.subject, &ready.relations, solver, repairs::PROOF))
            .collect(),
        None => Vec::new(),
    };
    let mut applied = None;
    if options.apply
        && let (Some(first), Some(built)) = (outcome.repairs.first(), built.first())
    {
        let path = project.folder.join(&first.file);
        fs::write(&path, &built.text).map_err(|source| Error::Write { path: path.clone(), source })?;
        applied = Some(first.file.clone());
    }
    Ok(Some(Repaired { subject: name.to_owned(), answer: Answer { outcome, proofs }, applied }))
}

/// The saved cases of a subject: what drawing may not meet again.
fn saved(project: &Project, name: &str, relations: &[String]) -> Vec<(String, Case)> {
    let folder = project.cache().join("cases");
    let of = |relation: &String| {
        let (saved, _) = twinrun_testing::saved::read_all(&folder, name, relation);
        saved.into_iter().map(|(_, saved)| (relation.clone(), saved.case)).collect::<Vec<_>>()
    };
    relations.iter().flat_map(of).collect()
}

fn human(repaired: &Repaired) -> String {
    let Repaired { subject, answer, applied } = repaired;
    let found = &answer.outcome;
    let mut text = String::new();
    if found.violated.is_empty() {
        let _ =
            writeln!(text, "{subject}: nothing to repair: all {} cases that were judged pass", found.passing);
        return text;
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let _ = writeln!(
        text,
        "{subject}: {} fail{}; {} edit{} tried on {} failing and {} passing cases{}{}",
        found.violated.join(", "),
        if found.violated.len() == 1 { "s" } else { "" },
        found.tried,
        plural(found.tried),
        found.failing,
        found.passing,
        if found.dropped > 0 { format!(" ({} more do not compile)", found.dropped) } else { String::new() },
        if found.complete { "" } else { "; cut before all were tried" }
    );
    if found.repairs.is_empty() {
        let _ = writeln!(
            text,
            "  no single edit fixes every failing case and breaks none: the fault needs more than one, or one of another kind"
        );
    }
    for (place, repair) in answer.told().iter().enumerate() {
        let _ = writeln!(text, "\nrepair {}: {} {}", place + 1, repair.location, repair.change);
        for support in &repair.support {
            let _ = writeln!(text, "  {support}");
        }
        text.push('\n');
        text.push_str(&repair.diff);
    }
    if let Some(file) = applied {
        let _ = writeln!(text, "\nwritten: {file}");
    }
    if !found.repairs.is_empty() {
        let _ = writeln!(
            text,
            "\nA relation is a weak oracle: a repair satisfies the relations, which is less than being right. Read it before you keep it."
        );
    }
    text
}
