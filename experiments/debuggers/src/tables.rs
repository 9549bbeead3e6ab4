//! The result files: totals, one row a debugger, and every warning with its judgement.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use twinrun_debugger::{Summary, Warning, compare_versions, replay_data};
use twinrun_results::Results;

use crate::judged::{self, Judgement};
use crate::{Failure, bugs};

/// Writes `debuggers.json`, `debuggers.md`, `debuggers-judged.md` and the replay scripts.
pub(crate) fn write(
    root: &Path,
    own: usize,
    fetched: usize,
    summaries: &BTreeMap<&str, Summary>,
    rate: Option<(f64, f64)>,
) -> Result<(), Failure> {
    let judgements = judged::judgements(root)?;
    let mut results = Results::new("debuggers");
    let warnings = |name: &str| -> Vec<&Warning> {
        summaries.get(name).into_iter().flat_map(|summary| summary.groups.values().flatten()).collect()
    };
    let found =
        |name: &str| -> BTreeSet<&str> { warnings(name).into_iter().filter_map(bugs::known).collect() };
    let list = |names: BTreeSet<&str>| Value::from(names.into_iter().map(Value::from).collect::<Vec<_>>());
    results.total("found_11", list(found("node-11.15.0")));
    results.total("found_16", list(found("node-16.20.2")));
    results.total("found_24_1", list(found("node-24.1.0")));
    let clean = ["node-18.20.8", "node-24.21.0"]
        .iter()
        .all(|name| summaries.get(name).is_some_and(|summary| summary.tests > 0) && found(name).is_empty());
    results.total("controls_clean", clean);
    let judged_true = |name: &str| {
        let is_true =
            |warning: &&Warning| judged::judge(&judgements, warning).is_some_and(|judgement| judgement.bug);
        warnings(name).iter().filter(|warning| is_true(warning)).count()
    };
    let share = |name: &str| match warnings(name).len() {
        0 => Value::Null,
        all => json!((1000.0 * judged_true(name) as f64 / all as f64).round() / 10.0),
    };
    results.total("true_pct", share("node-11.15.0"));
    let (cases, tests) = rate.unwrap_or_default();
    results.total("tests_per_second", cases);
    results.total("five_round_tests_per_second", tests);
    results.total("programs", own);
    for (name, summary) in summaries {
        let discarded: usize = summary.discarded.values().sum();
        let unjudged = warnings(name)
            .into_iter()
            .filter(|warning| judged::judge(&judgements, warning).is_none())
            .count();
        results.row(&json!({
            "debugger": name, "tests": summary.tests, "cases": summary.cases, "sessions": summary.sessions,
            "unsteady": summary.unsteady, "discarded": discarded, "leaked": summary.leaked,
            "warnings": summary.warnings(), "groups": summary.groups.len(), "true": judged_true(name),
            "true_pct": share(name), "not_judged": unjudged, "interactive": summary.interactive,
            "by_round": serde_json::to_string(&summary.warnings_by_round)?, "known": list(found(name)),
        }));
    }
    results.notes.push(format!(
        "Programs: {own} of our own with their variants, {fetched} of npm's test262-parser-tests and benchmark-octane that run."
    ));
    for (one, two) in [("node-11.15.0", "node-24.21.0"), ("node-24.1.0", "node-24.21.0")] {
        if let (Some(old), Some(new)) = (summaries.get(one), summaries.get(two)) {
            let difference = compare_versions(old, new);
            results.notes.push(format!(
                "From {one} to {two}: {} groups of warnings gone, {} new, {} in both.",
                difference.fixed.len(),
                difference.new.len(),
                difference.kept.len()
            ));
        }
    }
    results.notes.push(
        "Every warning was seen again in fresh processes, reduced, and judged by hand (debuggers-judged.md). `interactive` counts \
         the warnings that needed an interactive transformation in any round, `by_round` those of each round. Rates are in \
         seconds of processor time, client and debugger together, so one core does that many a second and two cores twice as many."
            .to_owned(),
    );
    println!("{}", results.write()?.display());
    write_judged(root, summaries, &judgements)
}

/// Debuggers whose developers would want to hear: their warnings are written as data of replay scripts too.
const CURRENT: [&str; 4] = ["node-24.21", "chromium", "lldb-dap", "debugpy"];

/// The table of all warnings, with the smallest of each group in full; for current debuggers also as data of a replay script.
fn write_judged(
    root: &Path,
    summaries: &BTreeMap<&str, Summary>,
    judgements: &[Judgement],
) -> Result<(), Failure> {
    let mut text = "# Warnings, judged by hand\n\nOne row a warning; the smallest of each group stands below in full.\n\n\
                    | debugger | program | seed | rounds | warning | verdict | why |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut examples = String::new();
    let scripts = root.join("experiments/debuggers/reproductions");
    if scripts.exists() {
        std::fs::remove_dir_all(&scripts)?;
    }
    std::fs::create_dir_all(&scripts)?;
    for (name, summary) in summaries {
        for (group, warnings) in &summary.groups {
            for warning in warnings {
                let (verdict, why) = match judged::judge(judgements, warning) {
                    Some(judgement) => (if judgement.bug { "true" } else { "false" }, judgement.why.as_str()),
                    None => ("not judged", ""),
                };
                let cell = |text: &str| text.replace('|', "\\|");
                let _ = writeln!(
                    text,
                    "| {name} | {} | {} | {} | {} | {verdict} | {} |",
                    warning.initial.program.name,
                    warning.seed,
                    warning.rounds.join(", "),
                    cell(group),
                    cell(why)
                );
            }
            let Some(first) = warnings.first() else { continue };
            let _ = writeln!(examples, "## {name}: {group}\n\n```text\n{}```\n", first.text());
            if CURRENT.iter().any(|current| name.starts_with(current)) {
                let file: String = format!("{name} {group}")
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                    .collect();
                let data = serde_json::to_string_pretty(&replay_data(first))? + "\n";
                std::fs::write(scripts.join(format!("{file}.json")), data)?;
            }
        }
    }
    std::fs::write(root.join("experiments/results/debuggers-judged.md"), format!("{text}\n{examples}"))?;
    Ok(())
}
