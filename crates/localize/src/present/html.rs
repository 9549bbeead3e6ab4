//! The heat map: every file with its suspects, one self-contained page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use twinrun_report::html::{Mood, Note, Part, page, source, tag, text};

use super::{Sources, advice};
use crate::report::Report;

/// The page.
pub fn html(report: &Report, sources: &Sources) -> String {
    let groups = &report.groups;
    let lead = format!(
        "{} violated and {} holding groups over {} lines; {} slices, {}. Confidence: {} ({}).",
        groups.violated,
        groups.holding,
        report.lines,
        report.slice,
        report.formula,
        report.confidence.level,
        report.confidence.reason
    );
    let part = |id: &str, title: &str, content: String| Part {
        id: id.to_owned(),
        title: title.to_owned(),
        mood: None,
        content,
        searched: true,
    };
    let mut parts = vec![
        part("suspects", "Suspects", suspects(report)),
        part("relations", "Relations", relations(report)),
    ];
    for (number, file) in files(report).into_iter().enumerate() {
        if let Some(content) = heat(report, sources, file) {
            parts.push(part(&format!("file-{number}"), file, content));
        }
    }
    page(&format!("Suspects in {}", report.subject), &text(&lead), &parts)
}

/// The files with suspicious lines, in order.
fn files(report: &Report) -> BTreeSet<&str> {
    super::files(report).collect()
}

fn suspects(report: &Report) -> String {
    let mut html = String::new();
    if let Some(advice) = advice(report) {
        let _ = write!(html, "<p><b>{}</b></p>", text(&advice));
    }
    if report.suspects.is_empty() {
        return html;
    }
    html.push_str("<div class=\"wide\"><table><thead><tr><th class=\"number\">Rank</th><th>Line</th><th>Function</th><th>Why</th></tr></thead><tbody>");
    for suspect in &report.suspects {
        let number = files(report).iter().position(|file| *file == suspect.location.file).unwrap_or(0);
        let _ = write!(
            html,
            "<tr><td class=\"number\">{}</td><td><a href=\"#file-{number}\">{}:{}</a></td><td>{}</td><td>{}</td></tr>",
            suspect.rank,
            text(&suspect.location.file),
            suspect.location.line,
            text(&suspect.function),
            text(&suspect.reason)
        );
    }
    html.push_str("</tbody></table></div>");
    html
}

fn relations(report: &Report) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table><thead><tr><th>Relation</th><th>Outcome</th><th class=\"number\">Violated</th><th class=\"number\">Holding</th></tr></thead><tbody>",
    );
    for it in &report.groups.relations {
        let outcome = if it.violated > 0 { tag(Mood::Bad, "violated") } else { tag(Mood::Good, "holds") };
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{outcome}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            text(&it.relation),
            it.violated,
            it.holding
        );
    }
    html.push_str("</tbody></table></div>");
    html
}

fn heat(report: &Report, sources: &Sources, file: &str) -> Option<String> {
    let mut notes: BTreeMap<u32, Note> = BTreeMap::new();
    for heat in report.heat.iter().filter(|heat| heat.location.file == file) {
        // The square keeps the crowd of middling lines pale.
        notes.entry(heat.location.line).or_default().heat = heat.heat * heat.heat;
    }
    for suspect in report.suspects.iter().filter(|suspect| suspect.location.file == file) {
        notes.entry(suspect.location.line).or_default().why = format!("suspect {}", suspect.rank);
    }
    let shown = source(sources, file, &notes)?;
    Some(format!(
        "<p class=\"dim\">The darker, the more suspicious; uncoloured lines are run by no violated group.</p>{shown}"
    ))
}
