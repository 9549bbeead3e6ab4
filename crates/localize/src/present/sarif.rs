//! The report as SARIF 2.1.0: one result for each suspect, the first ones as warnings.

use serde_json::{Value, json};

use super::advice;
use crate::report::Report;

/// The report as SARIF.
pub fn sarif(report: &Report) -> String {
    let results: Vec<Value> = report
        .suspects
        .iter()
        .map(|suspect| {
            json!({
                "ruleId": "twinrun/suspect",
                "level": if suspect.rank == 1 { "warning" } else { "note" },
                "rank": (100.0 / suspect.rank as f64).round(),
                "message": { "text": format!("suspect {} in {}: {}", suspect.rank, suspect.function, suspect.reason) },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": suspect.location.file },
                    "region": { "startLine": suspect.location.line, "startColumn": suspect.location.column.max(1) },
                }}],
                "partialFingerprints": { "suspect/v1": format!("{}:{}:{}", report.subject, suspect.location.file, suspect.location.line) },
            })
        })
        .collect();
    let notice = advice(report).map(|text| json!({ "level": "note", "message": { "text": text } }));
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "twinrun locate",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": "twinrun/suspect",
                    "shortDescription": { "text": "A line that is likely to hold the fault behind violated relations" },
                }],
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notice.into_iter().collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").unwrap_or_default()
}
