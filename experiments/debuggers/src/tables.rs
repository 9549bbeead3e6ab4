//! The result file: totals and one row a debugger, from what the campaigns wrote and from the judgements of `judged.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};
use twinrun_results::Results;

use crate::trial::{Found, Trial};
use crate::{DEBUGGERS, Failure};

/// The judgement on one warning, made by reading its reduced case.
#[derive(Debug, Deserialize)]
struct Judgement {
    debugger: String,
    program: String,
    seed: u64,
    /// What was found there: another warning of the same test is not the one that was judged.
    found: String,
    /// Whether the debugger is wrong.
    bug: bool,
    /// Which cause it is, the same word for the same one.
    cause: String,
    /// The finding that it repeats, of those known before.
    #[serde(default)]
    finding: Option<String>,
}

impl Judgement {
    fn is_about(&self, name: &str, found: &Found) -> bool {
        self.debugger == name
            && self.program == found.program
            && self.seed == found.seed
            && found.data["found"] == self.found.as_str()
    }
}

/// What was known before and had to be found again, each with its debugger.
const KNOWN: [(&str, &str); 8] = [
    ("node-26.10.0", "finding-1"),
    ("node-26.10.0", "finding-2"),
    ("node-26.10.0", "finding-3"),
    ("node-26.10.0", "finding-4"),
    ("node-11.15.0", "889481"),
    ("node-11.15.0", "892653"),
    ("node-11.15.0", "901816"),
    ("node-24.1.0", "crash-24.1"),
];

/// The debuggers that the shares are about.
fn is_v8(name: &str) -> bool {
    name.starts_with("node-") || name == "chromium"
}

fn share(part: usize, all: usize) -> Value {
    if all == 0 { Value::Null } else { json!((1000.0 * part as f64 / all as f64).round() / 10.0) }
}

/// Causes with whether any warning of theirs is true; one that has both kinds counts as false.
fn causes<'j>(judged: impl Iterator<Item = &'j Judgement>) -> BTreeMap<&'j str, bool> {
    let mut causes = BTreeMap::new();
    for judgement in judged {
        let entry = causes.entry(judgement.cause.as_str()).or_insert(true);
        *entry &= judgement.bug;
    }
    causes
}

/// Processor seconds within which a known bug has to be found again.
const TIME_TO_REDISCOVER: f64 = 600.0;

fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> Option<T> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}

/// The known bugs that campaigns found again, each with the processor seconds after which; none where no campaign was run.
fn rediscovered<'k>(folder: &Path, judgements: &[Judgement], end: &str) -> Option<BTreeMap<&'k str, f64>> {
    let mut again = BTreeMap::new();
    let mut ran = false;
    for (debugger, finding) in KNOWN {
        let name = format!("{debugger}{end}");
        let Some(trial) = read::<Trial>(folder, &name) else { continue };
        ran = true;
        let is_it = |found: &&Found| {
            judgements.iter().any(|judgement| {
                judgement.is_about(&name, found)
                    && judgement.bug
                    && judgement.finding.as_deref() == Some(finding)
            })
        };
        let first = trial.warnings.iter().filter(is_it).map(|found| found.after).min_by(f64::total_cmp);
        if let Some(after) = first.filter(|after| *after <= TIME_TO_REDISCOVER) {
            again.insert(finding, after);
        }
    }
    ran.then_some(again)
}

/// Prints what a campaign found, for judging: one line each, or one warning in full with what its script says.
pub(crate) fn warnings(root: &Path, folder: &Path, name: &str, number: Option<usize>) -> Result<(), Failure> {
    let text = std::fs::read_to_string(root.join("experiments/debuggers/judged.json"))?;
    let judgements: Vec<Judgement> = serde_json::from_str(&text)?;
    let trial: Trial = read(folder, name).ok_or("there was no such campaign")?;
    for (at, found) in trial.warnings.iter().enumerate() {
        let judged = judgements.iter().find(|judgement| judgement.is_about(name, found));
        if number.is_none() {
            let judged = judged.map_or("not judged", |judgement| &judgement.cause);
            println!(
                "{at}: {} ({}, {}, seed {}): {judged}",
                found.cause, found.transformation, found.program, found.seed
            );
        }
        if number == Some(at) {
            println!("{}", found.text);
            println!("The script {}.", repeated(root, folder, name, found)?);
        }
    }
    Ok(())
}

/// What the replay script of a warning says of it.
fn repeated(root: &Path, folder: &Path, name: &str, found: &Found) -> Result<&'static str, Failure> {
    let data = folder.join("replayed.json");
    std::fs::write(&data, found.data.to_string())?;
    let scripts = root.join("crates/debugger/src/replay");
    let mut command = Command::new("python3");
    if found.data["adapter"].is_null() {
        let node = name.split("-undirected").next().unwrap_or(name).trim_start_matches("node-");
        let binary = root.join(".deps/node").join(node).join("bin/node");
        if !binary.exists() {
            return Ok("needs a Node with the same V8, and there is none");
        }
        command.arg(scripts.join("inspector.py")).arg(&data).arg(binary);
    } else {
        command.arg(scripts.join("adapter.py")).arg(&data);
    }
    Ok(match command.stdin(Stdio::null()).stdout(Stdio::null()).status()?.code() {
        Some(0) => "repeats it",
        Some(1) => "does not repeat it",
        _ => "does not tell",
    })
}

/// Writes `debuggers.json`.
pub(crate) fn write(root: &Path, folder: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(root.join("experiments/debuggers/judged.json"))?;
    let judgements: Vec<Judgement> = serde_json::from_str(&text)?;
    let mut results = Results::new("debuggers");
    let mut judged: Vec<(&str, &Judgement)> = Vec::new();
    let (mut cases, mut unjudged, mut compared) = (0, 0, BTreeSet::new());
    let mut rates = BTreeMap::new();
    for (name, _) in DEBUGGERS {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.json"))) else { continue };
        let trial: Trial = serde_json::from_str(&text)?;
        let of = |found: &Found| judgements.iter().find(|judgement| judgement.is_about(name, found));
        let known: Vec<&Judgement> = trial.warnings.iter().filter_map(of).collect();
        let right = known.iter().filter(|judgement| judgement.bug).count();
        cases += trial.cases;
        unjudged += trial.warnings.len() - known.len();
        if trial.cases >= 100 {
            // The versions of Node are one adapter.
            compared.insert(if name.starts_with("node-") { "node" } else { name });
        }
        let rate = (trial.cases as f64 / trial.cpu * 10.0).round() / 10.0;
        rates.insert(*name, rate);
        results.row(&json!({
            "debugger": trial.debugger, "tests": trial.tests, "cases": trial.cases, "sessions": trial.sessions,
            "cpu_seconds": trial.cpu.round(), "cases_per_cpu_second": rate, "warnings": trial.warnings.len(),
            "causes": causes(known.iter().copied()).len(), "true": right, "true_pct": share(right, known.len()),
            "not_judged": trial.warnings.len() - known.len(),
            "explained": trial.explained.values().sum::<usize>(), "unsteady": trial.unsteady.values().sum::<usize>(),
            "leaked": trial.leaked, "discarded": trial.discarded.values().sum::<usize>(),
        }));
        judged.extend(known.into_iter().map(|judgement| (*name, judgement)));
    }
    let of_v8 = || judged.iter().filter(|(name, _)| is_v8(name)).map(|(_, judgement)| *judgement);
    let right = of_v8().filter(|judgement| judgement.bug).count();
    let by_cause = causes(of_v8());
    let true_causes = by_cause.values().filter(|right| **right).count();
    let newest: Vec<&Judgement> =
        judged.iter().filter(|(name, _)| *name == "node-26.10.0").map(|(_, judgement)| *judgement).collect();
    let again = rediscovered(folder, &judgements, "");
    let undirected = rediscovered(folder, &judgements, "-undirected");
    let planted: BTreeMap<String, Value> = read(folder, "planted").unwrap_or_default();
    let robust: BTreeMap<String, Value> = read(folder, "robust").unwrap_or_default();
    // What another commit found on the same programs is judged by hand and written beside the campaigns' files.
    let measured: BTreeMap<String, Value> = read(folder, "measured").unwrap_or_default();
    let told =
        |values: &BTreeMap<String, Value>, name: &str| values.get(name).cloned().unwrap_or(Value::Null);
    results.total("cases", cases);
    results.total("judged_warnings", judged.len());
    results.total("true_pct_warnings", share(right, of_v8().count()));
    results.total("true_pct_causes", share(true_causes, by_cause.len()));
    results.total("true_causes", true_causes);
    results.total("true_causes_before", told(&measured, "true_causes_before"));
    results.total(
        "newest_true_pct",
        share(newest.iter().filter(|judgement| judgement.bug).count(), newest.len()),
    );
    results.total("rediscovered", again.as_ref().map_or(0, BTreeMap::len));
    results.total("rediscovered_undirected", undirected.as_ref().map(BTreeMap::len));
    let found = planted.values().filter(|row| row["found"] == true).count();
    results.total("planted_found", if planted.is_empty() { Value::Null } else { json!(found) });
    results.total("adapters_compared", compared.len());
    results.total("cases_per_cpu_second", json!(rates.get("node-24.1.0")));
    results.total("cases_per_cpu_second_11", json!(rates.get("node-11.15.0")));
    results.total("orphans", told(&robust, "orphans"));
    results.total("late_seconds_max", told(&robust, "late_seconds_max"));
    let bugs = std::fs::read_dir(root.join("experiments/debuggers/bugs")).map_or(0, Iterator::count);
    results.total("new_bugs", bugs);
    for (how, again) in [("", &again), (" without sessions that aim", &undirected)] {
        let list = again.iter().flatten().map(|(finding, after)| format!("{finding} after {after:.0} s"));
        let list: Vec<String> = list.collect();
        if again.is_some() {
            results.notes.push(format!("Found again{how}: {}.", list.join(", ")));
        }
    }
    results.notes.push(format!(
        "Compared with at least 100 cases: {}.",
        compared.into_iter().collect::<Vec<_>>().join(", ")
    ));
    for row in planted.values() {
        let periods = row["periods"].as_array().into_iter().flatten();
        let found: Vec<String> = periods
            .map(|period| {
                let by = period["by"].as_str().unwrap_or("not found");
                format!(
                    "every {}: {by} (acted {} times, {} cases, {:.0} s)",
                    period["period"],
                    period["acted"],
                    period["cases"],
                    period["cpu"].as_f64().unwrap_or(0.0)
                )
            })
            .collect();
        results.notes.push(format!("Planted {}: {}.", row["kind"], found.join("; ")));
    }
    if let Some(silent) = robust.get("without_summary") {
        results.notes.push(format!(
            "Runs of the command line that were stopped after six seconds and told no summary: {silent}."
        ));
    }
    // Of which commits the campaigns were, and what was changed after them.
    results.notes.extend(
        told(&measured, "notes")
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
    if unjudged > 0 {
        results.notes.push(format!("{unjudged} warnings were not judged and count nowhere."));
    }
    results.notes.push(
        "V8's programs are the half of the npm programs (experiments/debuggers/unseen.js) that nobody looked at while the tester was \
         worked on; C, Python and Go programs are our own. Shares are over Node and Chromium. Rates are cases in a second of processor \
         time, client and debugger together, on a loaded machine. A total that is null was not measured."
            .to_owned(),
    );
    println!("{}", results.write()?.display());
    Ok(())
}
