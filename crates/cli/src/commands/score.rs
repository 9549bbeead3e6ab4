//! `twinrun score`: which relation notices which mutants.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use twinrun_base::{Exit, Rng, Verdict};
use twinrun_mutate::{Language, Mutant, apply, mutants};
use twinrun_subject::Project;
use twinrun_subject::project::Source;
use twinrun_testing::generate::Generator;
use twinrun_testing::target::Build;

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Format, duration};
use crate::targets::{self, Opened, Ready};
use crate::{output, stop};

/// Makes mutants of a C or C++ subject and says which relations notice them.
#[derive(Debug, Args)]
pub(crate) struct Score {
    /// The subjects [default: all of the project]
    #[arg(value_name = "SUBJECT")]
    what: Vec<String>,
    /// Cases for each mutant and relation
    #[arg(long, value_name = "N", default_value_t = 1000)]
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
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Fate {
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

#[derive(Serialize)]
struct Scored {
    mutant: Mutant,
    change: String,
    fate: Fate,
    /// The relations that are violated.
    killed_by: Vec<String>,
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
    let stop = stop::flag();
    let until = options.time.map(|time| Instant::now() + time);
    let stopped = || stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until);
    let mut tables = Vec::new();
    for (name, _) in targets::chosen(&project, &options.what)? {
        tables.push(score(&project, &name, options, common, &stopped)?);
    }
    let text = match common.format {
        Format::Json => {
            let report =
                json!({"command": "score", "version": env!("CARGO_PKG_VERSION"), "subjects": tables});
            serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
        }
        _ => tables.iter().map(human).collect::<Vec<_>>().join("\n"),
    };
    output::text(&text, common)?;
    Ok(if tables.iter().all(|table| table.complete) { Exit::Holds } else { Exit::Inconclusive })
}

fn score(
    project: &Project,
    name: &str,
    options: &Score,
    common: &Common,
    stopped: &dyn Fn() -> bool,
) -> Result<Table, Error> {
    let subject = project.subject(name)?;
    let Some(Source::Recipe(recipe)) = project.source(name, subject)? else {
        return Err(Error::Usage(format!(
            "`{name}` has no C or C++ sources: mutants are made of these (not of commands, Rust or ready modules)"
        )));
    };
    let original = targets::ready(project, name)?;
    let scratch = project.cache().join("score").join(name);
    copy(&project.folder, &scratch)?;
    let twin = Project::read(&scratch.join("twinrun.toml"))?;
    let plain = code(&original);
    let expected = outputs(&original, options)?;
    let mut all: Vec<(PathBuf, String, Mutant)> = Vec::new();
    for unit in &recipe.units {
        let Ok(inside) = unit.source.strip_prefix(&project.folder) else { continue };
        let shown = inside.display().to_string();
        let Some(language) = Language::of(&shown) else { continue };
        let text = read(&unit.source)?;
        let found = mutants(&text, &shown, language).map_err(|error| Error::Usage(error.to_string()))?;
        // Relations are no part of the subject; the parser takes `RELATION(name)` for a type and a name in brackets.
        let found = found.into_iter().filter(|mutant| !mutant.function.starts_with('('));
        all.extend(found.map(|mutant| (inside.to_owned(), text.clone(), mutant)));
    }
    let wanted: Vec<_> = all.into_iter().step_by(options.every.max(1)).collect();
    let total = wanted.len();
    let mut scored: Vec<Scored> = Vec::new();
    let mut changed: Vec<BTreeSet<String>> = Vec::new();
    for (done, (file, text, mutant)) in wanted.into_iter().enumerate() {
        if stopped() {
            break;
        }
        if !common.quiet && done % 20 == 0 {
            eprintln!("{name}: {done} of {total} mutants");
        }
        let path = scratch.join(&file);
        write(&path, &apply(&text, &mutant))?;
        let built = targets::ready(&twin, name);
        write(&path, &text)?;
        let (fate, killed_by, different) = match built {
            Err(_) => (Fate::NotCompiled, Vec::new(), BTreeSet::new()),
            Ok(ready) if code(&ready) == plain => (Fate::Equivalent, Vec::new(), BTreeSet::new()),
            Ok(ready) => judge(&ready, options, &expected)?,
        };
        changed.push(different);
        scored.push(Scored { change: mutant.describe(), mutant, fate, killed_by });
    }
    let mut relations = Vec::new();
    for relation in &original.relations {
        let kills = |scored: &&Scored| scored.killed_by.contains(relation);
        let could = changed.iter().filter(|different| different.contains(relation)).count();
        let noticed = scored
            .iter()
            .zip(&changed)
            .filter(|(scored, different)| kills(scored) && different.contains(relation))
            .count();
        relations.push(Strength {
            relation: relation.clone(),
            kills: scored.iter().filter(kills).count(),
            alone: scored.iter().filter(kills).filter(|it| it.killed_by.len() == 1).count(),
            run_difference: run_difference(&original, relation, options)?,
            noticed: (could > 0).then(|| noticed as f64 / could as f64),
        });
    }
    relations.sort_by(|a, b| b.kills.cmp(&a.kills).then_with(|| a.relation.cmp(&b.relation)));
    Ok(Table { subject: name.to_owned(), complete: scored.len() == total, relations, mutants: scored })
}

/// How many cases show what the runs give.
const SHOWN: u64 = 50;

/// What the runs of each relation give on the first cases, as far as the relation labels it.
fn outputs(ready: &Ready, options: &Score) -> Result<Vec<(String, Vec<String>)>, Error> {
    let mut all = Vec::new();
    for relation in &ready.relations {
        let target = ready.target(relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        let mut generator = Generator::new(Rng::new(options.seed), &[]);
        let mut given = Vec::new();
        for _ in 0..SHOWN.min(options.cases) {
            generator.begin(&[]);
            executor.run(&mut generator)?;
            let group = executor.explain(&generator.case())?.group;
            given.push(
                group.runs.iter().map(|run| format!("{:?}", run.outputs)).collect::<Vec<_>>().join(";"),
            );
        }
        all.push((relation.clone(), given));
    }
    Ok(all)
}

/// Runs all relations of a mutant; also the relations whose runs give something else than the original's.
fn judge(
    ready: &Ready,
    options: &Score,
    expected: &[(String, Vec<String>)],
) -> Result<(Fate, Vec<String>, BTreeSet<String>), Error> {
    let mut killed_by = Vec::new();
    let mut crashed = false;
    for relation in &ready.relations {
        let target = ready.target(relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        let mut generator = Generator::new(Rng::new(options.seed), &[]);
        for _ in 0..options.cases {
            generator.begin(&[]);
            match executor.run(&mut generator)?.verdict {
                Verdict::Violated => {
                    killed_by.push(relation.clone());
                    break;
                }
                Verdict::Crashed | Verdict::Timeout => {
                    crashed = true;
                    break;
                }
                Verdict::Holds | Verdict::Discarded => {}
            }
        }
    }
    let fate = if !killed_by.is_empty() {
        Fate::Killed
    } else if crashed {
        Fate::Crashed
    } else {
        Fate::Survived
    };
    let different = match fate {
        Fate::Crashed => BTreeSet::new(),
        _ => {
            let now = outputs(ready, options)?;
            let pairs = now.iter().zip(expected);
            pairs.filter(|(now, before)| now.1 != before.1).map(|(now, _)| now.0.clone()).collect()
        }
    };
    Ok((fate, killed_by, different))
}

/// The share of touched blocks that not all runs of a group touch, on average over some cases.
fn run_difference(ready: &Ready, relation: &str, options: &Score) -> Result<f64, Error> {
    let target = ready.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(0.0) };
    let mut generator = Generator::new(Rng::new(options.seed), &[]);
    let (mut sum, mut groups) = (0.0, 0.0f64);
    for _ in 0..SHOWN.min(options.cases) {
        generator.begin(&[]);
        executor.run(&mut generator)?;
        let coverage = executor.explain(&generator.case())?.coverage;
        let sets: Vec<BTreeSet<u32>> =
            coverage.into_iter().map(|blocks| blocks.into_iter().collect()).collect();
        let all: BTreeSet<u32> = sets.iter().flatten().copied().collect();
        if sets.len() > 1 && !all.is_empty() {
            let shared = all.iter().filter(|block| sets.iter().all(|set| set.contains(block))).count();
            sum += 1.0 - shared as f64 / all.len() as f64;
            groups += 1.0;
        }
    }
    Ok(sum / groups.max(1.0))
}

/// The code section of the subject's module: without names, places and custom sections.
fn code(ready: &Ready) -> Vec<u8> {
    let Opened::Wasm(subject) = &ready.opened else { return Vec::new() };
    code_section(&subject.modules().relations.bytes).unwrap_or_default().to_vec()
}

fn code_section(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.get(8..)?;
    while let Some((&id, after)) = rest.split_first() {
        let (mut size, mut shift, mut used) = (0usize, 0, 0);
        for &byte in after {
            size |= usize::from(byte & 0x7f) << shift;
            (shift, used) = (shift + 7, used + 1);
            if byte < 0x80 {
                break;
            }
        }
        let content = after.get(used..used + size)?;
        if id == 10 {
            return Some(content);
        }
        rest = &after[used + size..];
    }
    None
}

fn human(table: &Table) -> String {
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
        let _ =
            writeln!(text, "    {} {} ({})", scored.mutant.location, scored.change, scored.mutant.operator);
    }
    text
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// Copies a project without what tools made.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    const LEFT_OUT: [&str; 5] = [".twinrun", ".deps", ".git", "target", "node_modules"];
    fs::create_dir_all(to).map_err(|source| Error::Write { path: to.to_owned(), source })?;
    let entries = fs::read_dir(from).map_err(|source| Error::Read { path: from.to_owned(), source })?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let (path, copied) = (entry.path(), to.join(&name));
        if path.is_dir() {
            copy(&path, &copied)?;
        } else {
            fs::copy(&path, &copied).map_err(|source| Error::Write { path: copied.clone(), source })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_section_is_found_behind_others() {
        let module = [0, 97, 115, 109, 1, 0, 0, 0, 0, 3, 1, 65, 66, 10, 2, 7, 8, 0, 1, 0];
        assert_eq!(code_section(&module), Some(&[7, 8][..]));
        assert_eq!(code_section(&module[..10]), None);
    }
}
