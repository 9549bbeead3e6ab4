//! A hunt in the formats of machines: the common report, with what only a hunt knows added.

use serde_json::{Value, json};
use twinrun_report::formats::{json as common, sarif};
use twinrun_report::{Options, inert};

use crate::outcome::{Hunt, Shown, Site};

/// Steps of one run in a code flow: viewers show them all.
const MOST_STEPS: usize = 200;

/// The report as JSON: the common form with a field `hunt` beside it, which older readers skip.
pub fn json(hunt: &Hunt, options: &Options<'_>) -> String {
    let mut report: Value = serde_json::from_str(&common::render(&hunt.report, options)).unwrap_or_default();
    report["hunt"] = json!({
        "project": hunt.project,
        "stage": hunt.stage,
        "known": hunt.known,
        "subjects": hunt.subjects,
        "proofs": hunt.proofs,
        "combined": hunt.combined,
        "noticed": hunt.noticed,
        "regions": hunt.shown.iter().map(|it| json!({ "fingerprint": it.fingerprint, "region": it.region, "tests": it.tests })).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

/// The report as SARIF; the runs of a finding are thread flows with the branches that they decide.
pub fn sarif(hunt: &Hunt, options: &Options<'_>) -> String {
    let mut log: Value = serde_json::from_str(&sarif::render(&hunt.report, options)).unwrap_or_default();
    if let Some(results) = log["runs"][0]["results"].as_array_mut() {
        for (result, finding) in results.iter_mut().zip(&hunt.report.findings) {
            let shown = hunt.shown.iter().find(|shown| shown.fingerprint == finding.fingerprint);
            if let (Some(shown), Some(flows)) = (shown, result["codeFlows"][0]["threadFlows"].as_array_mut())
            {
                steps(shown, flows);
            }
        }
    }
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// Puts the branches of each run between what it was given and what it gave.
fn steps(shown: &Shown, flows: &mut [Value]) {
    let Some(first) = shown.traces.first() else { return };
    let side = |rows: &mut dyn Iterator<Item = (i32, bool)>, sites: &[Site]| -> Vec<Value> {
        rows.filter_map(|(site, differs)| Some(step(sites.get(usize::try_from(site).ok()?)?, differs)))
            .take(MOST_STEPS)
            .collect()
    };
    let mut sides = vec![side(&mut first.rows.iter().map(|row| (row.0, row.0 != row.1)), &first.sites)];
    for aligned in shown.traces.iter().filter(|it| it.left == first.left) {
        sides.push(side(&mut aligned.rows.iter().map(|row| (row.1, row.0 != row.1)), &aligned.sites));
    }
    for (flow, steps) in flows.iter_mut().zip(sides) {
        if let Some(locations) = flow["locations"].as_array_mut() {
            let after = 1.min(locations.len());
            locations.splice(after..after, steps);
        }
    }
}

fn step(site: &Site, differs: bool) -> Value {
    json!({
        "location": {
            "physicalLocation": {
                "artifactLocation": { "uri": site.file, "uriBaseId": "%SRCROOT%" },
                "region": { "startLine": site.line.max(1) },
            },
            "message": { "text": format!("{}: outcome {}", inert(&site.function), site.outcome) },
        },
        // Viewers fold what is unimportant.
        "importance": if differs { "important" } else { "unimportant" },
    })
}
