//! SARIF 2.1.0 for code scanning and editors: stable rule identifiers and fingerprints, the runs as code flows.

use serde_json::{Value, json};
use twinrun_base::{Exit, Finding, Location, Repair, Report, Verdict};

use crate::formats::Options;
use crate::formats::github::one_line;
use crate::formats::human::{name, what_failed};
use crate::inert::{inert, shorten};
use crate::rules::{RULES, Rule, rule};
use crate::runs;
use crate::sources::Sources;

/// The base of relative paths, by the name that GitHub knows.
const ROOT: &str = "%SRCROOT%";

/// The whole report.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    let results: Vec<Value> =
        report.findings.iter().map(|finding| result(finding, options.sources)).collect();
    let notifications: Vec<Value> = report
        .notices
        .iter()
        .chain(report.relations.iter().flat_map(|relation| &relation.notices))
        .map(|notice| json!({ "level": "note", "message": message(notice) }))
        .collect();
    let exit = report.exit();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "Twinrun",
                    "version": report.version,
                    "rules": RULES.iter().map(descriptor).collect::<Vec<_>>(),
                }
            },
            "invocations": [{
                "executionSuccessful": !matches!(exit, Exit::Usage | Exit::Infrastructure),
                "exitCode": exit as i32,
                "toolExecutionNotifications": notifications,
            }],
            "originalUriBaseIds": { ROOT: { "description": { "text": "The folder of twinrun.toml." } } },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "command": report.command, "seed": report.seed.to_string() },
        }]
    });
    // Plain data with string keys always has a JSON form.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// Repairs of subjects, without findings: one result for each subject that has some, its fixes the likeliest first.
pub fn repairs(subjects: &[(&str, Vec<Repair>)], version: &str) -> String {
    let result = |(subject, repairs): &(&str, Vec<Repair>)| {
        let first = repairs.first()?;
        let mut place = json!({ "uri": uri(&first.location.file) });
        if !first.location.file.starts_with('/') {
            place["uriBaseId"] = json!(ROOT);
        }
        Some(json!({
            "ruleId": "repair",
            "level": "note",
            "message": message(&format!("{subject}: {} {}; {}", first.location, first.change, first.support.join("; "))),
            "locations": [{ "physicalLocation": {
                "artifactLocation": place,
                "region": { "startLine": first.location.line.max(1) },
            } }],
            "partialFingerprints": { "twinrunRepair/v1": format!("{subject}:{}:{}", first.location.file, first.change) },
            "fixes": repairs.iter().map(fix).collect::<Vec<_>>(),
        }))
    };
    let title = "A change after which every relation holds on everything that was tried.";
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Twinrun",
                "version": version,
                "rules": [{ "id": "repair", "shortDescription": { "text": title } }],
            } },
            "originalUriBaseIds": { ROOT: { "description": { "text": "The folder of twinrun.toml." } } },
            "columnKind": "unicodeCodePoints",
            "results": subjects.iter().filter_map(result).collect::<Vec<_>>(),
        }]
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn descriptor(rule: &Rule) -> Value {
    let level = if rule.id == "timeout" { "warning" } else { "error" };
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": rule.help },
        "help": { "text": rule.help },
        "defaultConfiguration": { "level": level },
    })
}

fn result(finding: &Finding, sources: &Sources) -> Value {
    let rule = rule(finding);
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": RULES.iter().position(|other| other.id == rule.id),
        "level": if finding.verdict == Verdict::Timeout { "warning" } else { "error" },
        "message": message(&summary(finding)),
        "locations": finding.location().map(|it| location(it, None, sources)).into_iter().collect::<Vec<_>>(),
        "partialFingerprints": { "twinrunFinding/v1": finding.fingerprint.to_string() },
        "properties": {
            "subject": finding.subject,
            "relation": finding.relation,
            "verdict": finding.verdict.to_string(),
            "case": runs::case(&finding.group),
            "seen": finding.seen,
            "saved": finding.saved,
        },
    });
    if let Some(condition) = &finding.fails_when {
        result["properties"]["failsWhen"] = json!(shorten(&inert(condition), 4000));
    }
    if !finding.suspects.is_empty() {
        let related = finding.suspects.iter().enumerate().map(|(index, suspect)| {
            let text = format!("suspect {} ({:.2}): {}", index + 1, suspect.score, suspect.reason);
            let mut place = location(&suspect.location, Some(&text), sources);
            place["id"] = json!(index + 1);
            place
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(critical) = &finding.critical {
        let mut place =
            location(&critical.location, Some(&format!("critical branch: {}", critical.reason)), sources);
        place["id"] = json!(finding.suspects.len() + 1);
        match result["relatedLocations"].as_array_mut() {
            Some(related) => related.push(place),
            None => result["relatedLocations"] = json!([place]),
        }
    }
    if let Some(crash) = &finding.group.crash {
        let frame = |frame: &twinrun_base::Frame| {
            let mut place = match &frame.location {
                Some(at) => location(at, None, sources),
                None => json!({}),
            };
            place["logicalLocations"] =
                json!([{ "fullyQualifiedName": inert(&frame.function), "kind": "function" }]);
            json!({ "location": place })
        };
        let frames: Vec<Value> = crash.stack.iter().map(frame).collect();
        result["stacks"] = json!([{ "message": message(&what_failed(finding)), "frames": frames }]);
    }
    if !finding.repairs.is_empty() {
        result["fixes"] = finding.repairs.iter().map(fix).collect();
    }
    if !finding.group.runs.is_empty() {
        result["codeFlows"] = json!([{
            "message": message("the runs of the group"),
            "threadFlows": thread_flows(finding, sources),
        }]);
    }
    result
}

/// A repair as replacements of whole lines: its hunks.
fn fix(repair: &Repair) -> Value {
    let mut replacements: Vec<Value> = Vec::new();
    for hunk in repair.diff.split("\n@@ -").skip(1) {
        let Some((head, body)) = hunk.split_once('\n') else { continue };
        let first = head.split([',', ' ']).next().and_then(|it| it.parse::<u32>().ok()).unwrap_or(1);
        let of = |sign: char| body.lines().filter(move |line| line.starts_with([' ', sign]));
        let inserted: String = of('+').map(|line| format!("{}\n", &line[1..])).collect();
        replacements.push(json!({
            // From the beginning of the first line to the beginning of the one after the last.
            "deletedRegion": { "startLine": first, "startColumn": 1, "endLine": first + of('-').count() as u32, "endColumn": 1 },
            "insertedContent": { "text": inserted },
        }));
    }
    let mut artifact = json!({ "uri": uri(&repair.location.file) });
    if !repair.location.file.starts_with('/') {
        artifact["uriBaseId"] = json!(ROOT);
    }
    json!({
        "description": message(&format!("{} {}", repair.location, repair.change)),
        "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
    })
}

/// One thread flow a run: what it was given and gave; the last one ends with what failed.
fn thread_flows(finding: &Finding, sources: &Sources) -> Vec<Value> {
    let last = finding.group.runs.len() - 1;
    let relation = finding.relation_location.as_ref();
    let failed = finding.group.crash.as_ref().and_then(|crash| crash.location());
    let failed = failed.or(finding.group.check.as_ref().and_then(|check| check.location.as_ref()));
    let step = |place: Option<&Location>, text: &str, importance: &str| {
        let place = match place {
            Some(at) => location(at, Some(text), sources),
            None => json!({ "message": message(text) }),
        };
        json!({ "location": place, "importance": importance })
    };
    let flow = |(index, run): (usize, &twinrun_base::Run)| {
        let mut steps = vec![step(relation.or(failed), &one_line(index, run), "important")];
        if index == last {
            steps.push(step(failed.or(relation), &what_failed(finding), "essential"));
        }
        json!({ "id": format!("run {}", index + 1), "message": message(&runs::title(index)), "locations": steps })
    };
    finding.group.runs.iter().enumerate().map(flow).collect()
}

fn summary(finding: &Finding) -> String {
    let case = runs::case(&finding.group);
    let on = if case.is_empty() { String::new() } else { format!(" Case: {case}.") };
    format!("{}: {}.{on}", name(&finding.subject, &finding.relation), what_failed(finding))
}

fn location(place: &Location, text: Option<&str>, sources: &Sources) -> Value {
    let mut artifact = json!({ "uri": uri(&place.file) });
    if !place.file.starts_with('/') {
        artifact["uriBaseId"] = json!(ROOT);
    }
    let mut physical = json!({ "artifactLocation": artifact });
    // Line 0 is "unknown" in debug information, and SARIF counts from 1.
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if let Some(column) = sources.column(place) {
            physical["region"]["startColumn"] = json!(column);
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(text) = text {
        location["message"] = message(text);
    }
    location
}

fn message(text: &str) -> Value {
    json!({ "text": shorten(&inert(text), 4000) })
}

/// A path as a URI reference: everything but unreserved characters and slashes is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    fn log() -> Value {
        serde_json::from_str(&render(&sample::report(), &sample::options(&sample::sources()))).unwrap()
    }

    /// Every object that `key` leads to, anywhere below `value`.
    fn all<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| all(item, key, found)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if name == key {
                        match value {
                            Value::Array(items) => found.extend(items),
                            other => found.push(other),
                        }
                    }
                    all(value, key, found);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn sarif() {
        insta::assert_snapshot!(render(&sample::report(), &sample::options(&sample::sources())));
    }

    #[test]
    fn the_structure_that_the_schema_requires_is_there() {
        let log = log();
        assert_eq!(log["version"], "2.1.0");
        // Object, and what the published schema requires of it.
        let required: [(&str, &[&str]); 9] = [
            ("runs", &["tool"]),
            ("tool", &["driver"]),
            ("driver", &["name"]),
            ("rules", &["id"]),
            ("results", &["message"]),
            ("invocations", &["executionSuccessful"]),
            ("threadFlows", &["locations"]),
            ("codeFlows", &["threadFlows"]),
            ("stacks", &["frames"]),
        ];
        for (key, fields) in required {
            let mut found = Vec::new();
            all(&log, key, &mut found);
            assert!(!found.is_empty(), "the sample has no {key}");
            for object in found {
                assert!(fields.iter().all(|field| object.get(field).is_some()), "{key}: {object}");
            }
        }
        let mut messages = Vec::new();
        all(&log, "message", &mut messages);
        assert!(messages.iter().all(|it| it["text"].as_str().is_some_and(|text| !text.is_empty())));
        let mut regions = Vec::new();
        all(&log, "region", &mut regions);
        assert!(regions.iter().all(|it| it["startLine"].as_u64() > Some(0) && it["startColumn"] != 0));
        let mut uris = Vec::new();
        all(&log, "uri", &mut uris);
        let plain =
            |uri: &str| uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte));
        assert!(uris.iter().all(|uri| plain(uri.as_str().unwrap())));
    }

    #[test]
    fn every_result_has_its_rule_a_fingerprint_and_a_flow_for_each_run() {
        let (log, report) = (log(), sample::report());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        for (result, finding) in results.iter().zip(&report.findings) {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(result["partialFingerprints"]["twinrunFinding/v1"], finding.fingerprint.to_string());
            let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
            assert_eq!(flows.len(), finding.group.runs.len());
        }
        assert_eq!(results.len(), report.findings.len());
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/a b%.c"), "src/a%20b%25.c");
        assert_eq!(uri("/tmp/é.c"), "file:///tmp/%C3%A9.c");
    }
}
