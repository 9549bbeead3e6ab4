//! Reports as text and as SARIF; JSON is the report itself.

use std::fmt::Write as _;

use serde_json::{Value, json};
use twinrun_base::{Group, Location};

use crate::report::{How, Named, Outcome, Pair, Report};

/// Gives the text of a line of a source file.
pub type Line<'a> = &'a dyn Fn(&str, u32) -> Option<String>;

/// How many branches of the ranking a text shows.
const SHOWN: usize = 5;

/// The report for people.
pub fn human(report: &Report, line: Line<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", report.subject, headline(report));
    for (rank, critical) in report.critical.iter().take(SHOWN).enumerate() {
        let _ = writeln!(text, "\n  {}. {}", rank + 1, place(&critical.branch));
        if let Some(source) = critical.branch.statement.as_ref().and_then(|it| line(&it.file, it.line)) {
            let _ = writeln!(text, "     | {}", source.trim());
        }
        for reason in &critical.reasons {
            let _ = writeln!(text, "     - {reason}");
        }
    }
    if let Some(first) = report.critical.first()
        && let Some(pair) = first.pair.and_then(|pair| report.pairs.get(pair))
    {
        neighbours(&mut text, pair);
    }
    if report.pairs.is_empty() && !report.common.is_empty() {
        let _ = writeln!(text, "\n  common to all failing runs, those least common in passing runs first:");
        for common in report.common.iter().take(SHOWN) {
            let place = common.statement.as_ref().map_or("?".to_owned(), Location::to_string);
            let outcomes: Vec<String> = common.outcomes.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "     {place} in {}: outcome {}", common.function, outcomes.join(" and "));
        }
    }
    let search = &report.search;
    let _ = writeln!(
        text,
        "\n  {} violated cases, {} paths; {} conditions negated, {} of them impossible, {} undecided; {} questions to the solver; {} changes tried, {} repair every case; {:.2} s",
        search.cases,
        search.paths,
        search.negated,
        search.infeasible,
        search.unknown,
        search.solver_queries,
        search.changes,
        search.repairs,
        search.seconds
    );
    text
}

fn headline(report: &Report) -> String {
    match report.outcome {
        Outcome::Found => match report.critical.first().and_then(|it| it.branch.statement.as_ref()) {
            Some(place) => format!("look at {place} first"),
            None => "neighbours were found that diverge at a branch without a place: build with -g".to_owned(),
        },
        Outcome::NoPassingNeighbour => {
            "no passing neighbour exists: every path with the same transformation violates the relation, and no drawn case passes"
                .to_owned()
        }
        Outcome::NotFound => {
            "no passing neighbour was found; one may exist (more time: --time; more violated cases: twinrun test)"
                .to_owned()
        }
    }
}

fn place(branch: &Named) -> String {
    let place = branch.statement.as_ref().or(branch.location.as_ref());
    let place = place.map_or("?".to_owned(), Location::to_string);
    let run = if branch.run == 1 { "the source run".to_owned() } else { format!("run {}", branch.run) };
    format!("{place} in {}, {run}, time {}", branch.function, branch.iteration)
}

fn neighbours(text: &mut String, pair: &Pair) {
    let how = match pair.how {
        How::Negated => "neighbours",
        How::Compared => "the violated and the drawn passing case that agree longest",
    };
    let _ = writeln!(text, "\n  {how} of `{}`, which diverge at {}:", pair.relation, place(&pair.branch));
    for (name, group, after) in
        [("violated", &pair.failing, &pair.after_failing), ("passing", &pair.passing, &pair.after_passing)]
    {
        let _ = writeln!(text, "     {name:8} {}", group.case);
        let outputs = outputs(group);
        if !outputs.is_empty() {
            let _ = writeln!(text, "              gives {outputs}");
        }
        let after: Vec<String> = after.iter().map(Location::to_string).collect();
        if !after.is_empty() {
            let _ = writeln!(text, "              goes on with {}", after.join(", "));
        }
    }
}

fn outputs(group: &Group) -> String {
    let runs = group.runs.iter().enumerate().filter(|(_, run)| !run.outputs.is_empty());
    let runs: Vec<String> = runs
        .map(|(index, run)| {
            let values: Vec<String> =
                run.outputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{} (run {})", values.join(", "), index + 1)
        })
        .collect();
    if !runs.is_empty() {
        return runs.join("; ");
    }
    group.check.as_ref().map_or(String::new(), |check| format!("{} and {}", check.left, check.right))
}

/// The report as a SARIF 2.1.0 log: one result for each of the first branches.
pub fn sarif(reports: &[Report], version: &str) -> Value {
    let results: Vec<Value> = reports.iter().flat_map(results).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "twinrun",
                "version": version,
                "rules": [{
                    "id": "critical-branch",
                    "shortDescription": {"text": "critical branch"},
                    "help": {"text": "Two neighbouring inputs, one violating the relation and one satisfying it, take different ways around here."},
                }],
            }},
            "results": results,
        }],
    })
}

fn results(report: &Report) -> Vec<Value> {
    let shown = report.critical.iter().take(SHOWN).enumerate();
    shown
        .map(|(rank, critical)| {
            let place = critical.branch.statement.as_ref().or(critical.branch.location.as_ref());
            let locations: Vec<Value> = place
                .map(|place| {
                    json!({"physicalLocation": {
                        "artifactLocation": {"uri": place.file},
                        "region": {"startLine": place.line, "startColumn": place.column.max(1)},
                    }})
                })
                .into_iter()
                .collect();
            json!({
                "ruleId": "critical-branch",
                "level": if rank == 0 { "warning" } else { "note" },
                "message": {"text": format!("{}: critical branch {} of {}: {}", report.subject, rank + 1, report.critical.len(), critical.reasons.join("; "))},
                "locations": locations,
                "rank": 100.0 / (rank as f64 + 1.0),
            })
        })
        .collect()
}
