//! `twinrun score`: which relation notices which mutants.

mod compiled;
mod court;
pub(crate) mod judge;
mod source;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_base::{Exit, Location};
use twinrun_subject::Project;
use twinrun_whatif::Mutant;
use twinrun_whatif::build::files;

use crate::Outcome;
use crate::apart::Away;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Format, duration};
use crate::{output, stop, targets};
use compiled::Placed;
use court::Court;
use judge::Judged;

/// Makes mutants of a subject and says which relations notice them.
#[derive(Debug, Args)]
pub(crate) struct Score {
    /// The subjects [default: all of the project]
    #[arg(value_name = "SUBJECT")]
    what: Vec<String>,
    /// Cases for each mutant and relation
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Only every Nth mutant
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// The seed; the same seed draws the same cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop after this time, e.g. 30s, 5m
    #[arg(long, value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    #[command(flatten)]
    cluster: Cluster,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    /// The compiler refuses it.
    NotCompiled,
    /// The compiler makes the same code of it.
    Equivalent,
    /// A case crashes or does not end.
    Crashed,
    /// No relation notices it.
    Survived,
    /// A relation is violated.
    Killed,
}

/// A mutant of the source or of the module.
#[derive(Serialize)]
#[serde(untagged)]
enum Which {
    Source(Mutant),
    Module(Placed),
}

impl Which {
    fn location(&self) -> Option<&Location> {
        match self {
            Which::Source(mutant) => Some(&mutant.location),
            Which::Module(placed) => placed.location.as_ref(),
        }
    }

    fn operator(&self) -> &str {
        match self {
            Which::Source(mutant) => &mutant.operator,
            Which::Module(placed) => &placed.mutant.operator,
        }
    }
}

#[derive(Serialize)]
struct Scored {
    mutant: Which,
    change: String,
    fate: Fate,
    /// The relations that are violated.
    killed_by: Vec<String>,
    /// The relations whose runs give something else than the original's.
    #[serde(skip)]
    different: BTreeSet<String>,
}

impl Scored {
    fn new(mutant: Which, change: String, Judged { fate, killed_by, different }: Judged) -> Scored {
        Scored { mutant, change, fate, killed_by, different }
    }
}

/// How strong a relation is.
#[derive(Serialize)]
struct Strength {
    relation: String,
    kills: usize,
    /// Mutants that no other relation kills.
    alone: usize,
    /// How differently its runs execute: the share of blocks that only some of a group's runs touch, on average.
    run_difference: f64,
    /// Of the mutants that change what its runs give, the share that its check notices.
    noticed: Option<f64>,
}

#[derive(Serialize)]
struct Table {
    subject: String,
    complete: bool,
    relations: Vec<Strength>,
    mutants: Vec<Scored>,
}

pub(crate) fn run(options: &Score, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json) {
        return Err(Error::Usage("score prints `--format human` or `--format json`".to_owned()));
    }
    let project = targets::project(common)?;
    stop::begin("score", options.time, common);
    let away = options.cluster.away(Some(&project), common)?;
    let mut tables = Vec::new();
    for (name, _) in targets::chosen(&project, &options.what)? {
        tables.push(score(&project, &name, options, common, away.as_ref())?);
    }
    let line = |location: &Location| {
        let text = std::fs::read_to_string(project.folder.join(&location.file)).ok()?;
        text.lines().nth(location.line.checked_sub(1)? as usize).map(str::to_owned)
    };
    let text = match common.format {
        Format::Json => {
            let report =
                json!({"command": "score", "version": env!("CARGO_PKG_VERSION"), "subjects": tables});
            serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
        }
        _ => tables.iter().map(|table| human(table, &line)).collect::<Vec<_>>().join("\n"),
    };
    output::text(&text, common)?;
    // Where no mutant was made, nothing was scored.
    let is_scored = |table: &Table| table.complete && !table.mutants.is_empty();
    Ok(if tables.iter().all(is_scored) { Exit::Holds } else { Exit::Inconclusive })
}

fn score(
    project: &Project,
    name: &str,
    options: &Score,
    common: &Common,
    away: Option<&Away>,
) -> Result<Table, Error> {
    let original = targets::ready(project, name)?;
    let Score { seed, cases, .. } = *options;
    let expected = judge::outputs(&original, seed, cases)?;
    let court =
        Court { project, original: &original, expected: &expected, options, away, quiet: common.quiet };
    let (scored, total) = match files(project, name) {
        Ok(files) => source::score(project, &files, &original, options, &court)?,
        Err(twinrun_whatif::Error::NoSource(_)) => compiled::score(&original, options, &court)?,
        Err(error) => return Err(error.into()),
    };
    let mut relations = Vec::new();
    for relation in &original.relations {
        let kills = |scored: &&Scored| scored.killed_by.contains(relation);
        let could = |scored: &&Scored| scored.different.contains(relation);
        let changed = scored.iter().filter(could).count();
        let noticed = scored.iter().filter(could).filter(kills).count();
        relations.push(Strength {
            relation: relation.clone(),
            kills: scored.iter().filter(kills).count(),
            alone: scored.iter().filter(kills).filter(|it| it.killed_by.len() == 1).count(),
            run_difference: judge::run_difference(&original, relation, seed, cases)?,
            noticed: (changed > 0).then(|| noticed as f64 / changed as f64),
        });
    }
    relations.sort_by(|a, b| b.kills.cmp(&a.kills).then_with(|| a.relation.cmp(&b.relation)));
    Ok(Table { subject: name.to_owned(), complete: scored.len() == total, relations, mutants: scored })
}

fn human(table: &Table, line: &dyn Fn(&Location) -> Option<String>) -> String {
    let mut text = String::new();
    let count = |fate: Fate| table.mutants.iter().filter(|it| it.fate == fate).count();
    let _ = writeln!(
        text,
        "{}: {} mutants{}: {} killed, {} survived, {} crashed, {} equivalent, {} not compiled",
        table.subject,
        table.mutants.len(),
        if table.complete { "" } else { " (out of time)" },
        count(Fate::Killed),
        count(Fate::Survived),
        count(Fate::Crashed),
        count(Fate::Equivalent),
        count(Fate::NotCompiled)
    );
    for strength in &table.relations {
        let noticed = strength.noticed.map_or("no labelled output changes".to_owned(), |it| {
            format!("notices {:.0} % of changed outputs", 100.0 * it)
        });
        let _ = writeln!(
            text,
            "  {:20} kills {} ({} alone), {noticed}, its runs differ in {:.0} % of their code",
            strength.relation,
            strength.kills,
            strength.alone,
            100.0 * strength.run_difference
        );
    }
    let survivors: Vec<&Scored> = table.mutants.iter().filter(|it| it.fate == Fate::Survived).collect();
    if !survivors.is_empty() {
        let _ = writeln!(text, "  survivors:");
    }
    for scored in survivors {
        let location = scored.mutant.location();
        let place = location.map_or("no place is known".to_owned(), Location::to_string);
        let _ = writeln!(text, "    {place} {} ({})", scored.change, scored.mutant.operator());
        if let Some(source) = location.and_then(line) {
            let _ = writeln!(text, "      | {}", source.trim());
        }
    }
    text
}
