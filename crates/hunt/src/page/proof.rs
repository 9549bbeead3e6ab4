//! The proof page: for each relation what is proved, on how many paths, and under which conditions it fails.

use std::fmt::Write;

use twinrun_prove::{Condition, Failure, Report, Tables, Verdict};
use twinrun_report::html::{Mood, Part, tag, text};

use super::proof_mood;
use crate::outcome::{Hunt, Said};

/// Alternatives of a condition that are listed.
const MOST: usize = 12;

/// The part with all relations; none when proving has said nothing at all.
pub(super) fn part(hunt: &Hunt) -> Option<Part> {
    let mut content = String::new();
    for proof in &hunt.proofs {
        let name = format!("{}/{}", proof.subject, proof.relation);
        let (mark, body) = match &proof.proved {
            Said::Pending => (tag(Mood::Unsure, "not yet"), String::new()),
            Said::Nothing { why } => {
                (tag(Mood::Unsure, "no answer"), format!("<p class=\"dim\">{}</p>", text(why)))
            }
            Said::Report(report) => {
                let (mood, word) = proof_mood(report);
                (tag(mood, word), one(report))
            }
        };
        let _ = write!(content, "<details><summary>{} {mark}</summary>{body}</details>", text(&name));
    }
    (!content.is_empty()).then(|| Part {
        id: "proofs".to_owned(),
        title: "Proofs".to_owned(),
        mood: None,
        content,
        searched: true,
    })
}

pub(super) fn one(report: &Report) -> String {
    let mut facts: Vec<(&str, String)> = Vec::new();
    match &report.verdict {
        Verdict::Proved(_) => facts.push(("Known", "it holds for all inputs of the declared ranges".into())),
        Verdict::ProvedOverReals(_) => {
            facts.push((
                "Known",
                "it holds over the reals and over integers without overflow for any number of turns".into(),
            ));
        }
        Verdict::ProvedUpTo { bound, remaining, places } => {
            facts.push(("Known", format!("it holds for all inputs up to {bound}")));
            facts.push(("Not covered", remaining.clone()));
            let at: Vec<String> = places.iter().map(ToString::to_string).collect();
            facts.push(("Bound reached at", at.join(", ")));
        }
        Verdict::Tested { .. } => {
            facts.push((
                "Known",
                "it holds on the paths that were selected, for all of their inputs; there are others".into(),
            ));
        }
        Verdict::Violated => facts.push(("Known", "it fails for some inputs".into())),
        Verdict::Crashed => facts.push(("Known", "some inputs crash".into())),
        Verdict::Unknown { reasons } => facts.push(("Unknown because", reasons.join("; "))),
    }
    if !report.inputs.is_empty() {
        facts.push(("Inputs", report.inputs.join("; ")));
    }
    if let Some(merged) = &report.merged {
        let exact = if merged.integers { ", exactly over integers" } else { "" };
        let whole = if merged.complete { "" } else { ", not all answered" };
        facts.push((
            "Merged paths",
            format!(
                "{} paths after {} merges, {} questions{exact}{whole}",
                merged.paths, merged.merges, merged.queries
            ),
        ));
    }
    if let Some(pairs) = &report.pairs {
        let all = if pairs.complete { "" } else { ", not all were looked at" };
        facts.push((
            "Pairs of paths",
            format!(
                "{} feasible, {} failing, {} crash or time out{all}",
                pairs.pairs, pairs.failing, pairs.broken
            ),
        ));
    }
    if let Some(condition) = &report.fails_when {
        facts.push(("Fails when", condition.to_string()));
    }
    facts.extend(report.notes.iter().map(|note| ("Note", note.clone())));
    let mut html = String::from("<dl class=\"facts\">");
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        let value: String = value.chars().take(2000).collect();
        let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", text(&value));
    }
    html.push_str("</dl>");
    if let Some(witness) = &report.witness {
        let _ = write!(html, "<p>For example <code>{}</code></p>", text(&witness.case.to_string()));
    }
    for statement in &report.follows {
        let by = statement.relations.join(" and ");
        let _ = write!(html, "<p>By {}: {}</p>", text(&by), text(&statement.text));
    }
    if let Some(known) = &report.tables {
        html.push_str(&tables(known));
    }
    html + &failures(report)
}

/// Paths with their conditions and answers, and the pairs of them.
fn tables(tables: &Tables) -> String {
    let mut html = String::new();
    for run in &tables.runs {
        let given =
            if run.given.is_empty() { String::new() } else { format!(", given {}", run.given.join(", ")) };
        let rows = run.paths.iter().map(|path| {
            let answers: Vec<String> =
                path.outputs.iter().map(|output| format!("<code>{}</code>", text(output))).collect();
            [path.path.to_string(), alternatives(&path.condition), answers.join("<br>")]
        });
        let title = format!("Paths of run {}{given}", run.run);
        html.push_str(&table(&title, ["Path", "Taken when", "Answers"], rows, run.paths_left_out));
    }
    let when = |condition: &Option<Condition>| {
        condition.as_ref().map_or_else(|| "<span class=\"dim\">never</span>".to_owned(), alternatives)
    };
    let rows = tables.pairs.iter().map(|pair| {
        let numbers: Vec<String> = pair.paths.iter().map(usize::to_string).collect();
        let broken =
            if pair.broken { " <span class=\"dim\">(some inputs crash or do not end)</span>" } else { "" };
        [numbers.join(" and "), when(&pair.holds_when), when(&pair.fails_when) + broken]
    });
    html + &table("Pairs of paths", ["Paths", "Holds when", "Fails when"], rows, tables.pairs_left_out)
}

/// A table whose cells are HTML already.
fn table(title: &str, heads: [&str; 3], rows: impl Iterator<Item = [String; 3]>, left_out: usize) -> String {
    let cells = |row: &[String; 3], cell: &str| -> String {
        row.iter().map(|content| format!("<{cell}>{content}</{cell}>")).collect()
    };
    let mut html = format!(
        "<h4>{}</h4><div class=\"wide\"><table><thead><tr>{}</tr></thead><tbody>",
        text(title),
        cells(&heads.map(str::to_owned), "th")
    );
    for row in rows {
        let _ = write!(html, "<tr>{}</tr>", cells(&row, "td"));
    }
    html.push_str("</tbody></table></div>");
    if left_out > 0 {
        let _ = write!(html, "<p class=\"dim\">{left_out} more.</p>");
    }
    html
}

/// The failing pairs with their conditions.
pub(super) fn failures(report: &Report) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let mut html = String::from("<details><summary>Failure conditions of each pair of paths</summary>");
    for failure in &report.failures {
        html.push_str(&one_failure(failure));
    }
    if report.failures_left_out > 0 {
        let _ = write!(html, "<p class=\"dim\">{} further failing pairs.</p>", report.failures_left_out);
    }
    html.push_str("</details>");
    html
}

fn one_failure(failure: &Failure) -> String {
    let paths: Vec<String> = failure.paths.iter().map(usize::to_string).collect();
    let mut html = format!(
        "<h4>Paths {}: <code>{}</code></h4><dl class=\"facts\"><dt>Fails when</dt><dd>{}</dd>",
        paths.join(" and "),
        text(&failure.check),
        alternatives(&failure.fails_when)
    );
    let conditions = [("Holds when", &failure.holds_when), ("Trigger", &failure.trigger)];
    for (name, condition) in conditions {
        if let Some(condition) = condition {
            let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", alternatives(condition));
        }
    }
    if let Some((left, right)) = &failure.sides {
        let _ = write!(
            html,
            "<dt>Compared</dt><dd><code>{}</code> with <code>{}</code></dd>",
            text(left),
            text(right)
        );
    }
    for output in &failure.outputs {
        let _ = write!(
            html,
            "<dt>Run {}: {}</dt><dd><code>{}</code></dd>",
            output.run,
            text(&output.name),
            text(&output.value)
        );
    }
    if let Some(witness) = &failure.witness {
        let confirmed = if witness.confirmed { "" } else { " (not confirmed by the other engine)" };
        let _ = write!(
            html,
            "<dt>For example</dt><dd><code>{}</code>{confirmed}</dd>",
            text(&witness.case.to_string())
        );
    }
    html.push_str("</dl>");
    html
}

fn alternatives(condition: &Condition) -> String {
    let mut shown: Vec<String> =
        condition.alternatives.iter().take(MOST).map(|part| format!("<code>{}</code>", text(part))).collect();
    if condition.alternatives.len() > MOST {
        shown.push(format!("{} more", condition.alternatives.len() - MOST));
    }
    let exact = if condition.exact { "" } else { " <span class=\"dim\">(at least)</span>" };
    format!("{}{exact}", shown.join(" or "))
}
