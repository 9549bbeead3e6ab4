//! The result file: totals and one row a debugger, from what the campaigns wrote and from the judgements of `judged.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    /// Whether the debugger is wrong.
    bug: bool,
    /// Which cause it is, the same word for the same one.
    cause: String,
    /// The finding that it repeats, of those known before.
    #[serde(default)]
    finding: Option<String>,
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
        let of = |found: &Found| {
            judgements.iter().find(|judgement| {
                judgement.debugger == *name
                    && judgement.program == found.program
                    && judgement.seed == found.seed
            })
        };
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
    let again: BTreeSet<&str> = KNOWN
        .iter()
        .filter(|(debugger, finding)| {
            judged.iter().any(|(name, judgement)| {
                name == debugger && judgement.bug && judgement.finding.as_deref() == Some(*finding)
            })
        })
        .map(|(_, finding)| *finding)
        .collect();
    let planted: Vec<Value> = std::fs::read_to_string(folder.join("planted.json"))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    // What was measured by hand is written beside the campaigns' files.
    let measured: BTreeMap<String, Value> = std::fs::read_to_string(folder.join("measured.json"))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let by_hand = |name: &str| measured.get(name).cloned().unwrap_or(Value::Null);
    results.total("cases", cases);
    results.total("judged_warnings", judged.len());
    results.total("true_pct_warnings", share(right, of_v8().count()));
    results.total("true_pct_causes", share(true_causes, by_cause.len()));
    results.total("true_causes", true_causes);
    results.total("true_causes_before", by_hand("true_causes_before"));
    results.total(
        "newest_true_pct",
        share(newest.iter().filter(|judgement| judgement.bug).count(), newest.len()),
    );
    results.total("rediscovered", again.len());
    results.total("rediscovered_undirected", by_hand("rediscovered_undirected"));
    let found = planted.iter().filter(|row| row["found"] == true).count();
    results.total("planted_found", if planted.is_empty() { Value::Null } else { json!(found) });
    results.total("adapters_compared", compared.len());
    results.total("cases_per_cpu_second", json!(rates.get("node-24.1.0")));
    results.total("cases_per_cpu_second_11", json!(rates.get("node-11.15.0")));
    results.total("orphans", by_hand("orphans"));
    results.total("late_seconds_max", by_hand("late_seconds_max"));
    let bugs = std::fs::read_dir(root.join("experiments/debuggers/bugs")).map_or(0, Iterator::count);
    results.total("new_bugs", bugs);
    results.notes.push(format!("Found again: {}.", again.into_iter().collect::<Vec<_>>().join(", ")));
    results.notes.push(format!(
        "Compared with at least 100 cases: {}.",
        compared.into_iter().collect::<Vec<_>>().join(", ")
    ));
    for row in &planted {
        let periods = row["periods"].as_array().into_iter().flatten();
        let found: Vec<String> = periods
            .map(|period| {
                let by = period["by"].as_str().unwrap_or("not found");
                format!(
                    "every {}: {by} ({} cases, {:.0} s)",
                    period["period"],
                    period["cases"],
                    period["cpu"].as_f64().unwrap_or(0.0)
                )
            })
            .collect();
        results.notes.push(format!("Planted {}: {}.", row["kind"], found.join("; ")));
    }
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
