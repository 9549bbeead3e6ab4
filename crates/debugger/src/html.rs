//! The summary of campaigns as one HTML page: a table of debuggers, and each group of warnings with its two sessions side by side.

use std::fmt::Write as _;

use twinrun_report::html::{Mood, Part, copied, lines, page, text};

use crate::campaign::Summary;
use crate::trace::Step;
use crate::warning::Warning;

/// One page for all debuggers that were tested.
pub fn html(summaries: &[(String, Summary)]) -> String {
    let mut parts = vec![overview(summaries)];
    for (name, summary) in summaries {
        for (group, warnings) in &summary.groups {
            let Some(warning) = warnings.first() else { continue };
            let number = parts.len();
            parts.push(Part {
                id: format!("warning-{number}"),
                title: format!("{name}: {group} ({})", warnings.len()),
                mood: Some(Mood::Bad),
                content: one(warning, number),
                searched: true,
            });
        }
    }
    let warnings: usize = summaries.iter().map(|(_, summary)| summary.warnings()).sum();
    let counted =
        |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    let lead = format!("{} of {}.", counted(warnings, "warning"), counted(parts.len() - 1, "cause"));
    page("Debuggers tested", &text(&lead), &parts)
}

fn overview(summaries: &[(String, Summary)]) -> Part {
    let mut content = String::from("<div class=\"wide\"><table><thead><tr><th>Debugger</th>");
    for title in ["Tests", "Cases", "Sessions", "Warnings", "Causes"] {
        let _ = write!(content, "<th class=\"number\">{title}</th>");
    }
    content.push_str("</tr></thead><tbody>");
    for (name, summary) in summaries {
        let _ = write!(content, "<tr><td>{}</td>", text(name));
        let numbers = [
            summary.tests.to_string(),
            summary.cases.to_string(),
            summary.sessions.to_string(),
            summary.warnings().to_string(),
            summary.groups.len().to_string(),
        ];
        for number in numbers {
            let _ = write!(content, "<td class=\"number\">{number}</td>");
        }
        content.push_str("</tr>");
    }
    content.push_str("</tbody></table></div>");
    Part { id: "overview".into(), title: "Overview".into(), mood: None, content, searched: false }
}

fn one(warning: &Warning, number: usize) -> String {
    let mut part = format!(
        "<p class=\"lead\">Expected <b>{}</b>, found <b>{}</b>.</p><p class=\"dim\">Program {}, seed {}, rounds {}.</p>",
        text(&warning.difference.expected),
        text(&warning.difference.found),
        text(&warning.initial.program.name),
        warning.seed,
        text(&warning.rounds.join(", ")),
    );
    part.push_str("<h3>The program</h3>");
    part.push_str(&copied(&format!("program-{number}"), &warning.initial.program.source));
    if warning.follow_up.test.program.source != warning.initial.program.source {
        let _ = write!(
            part,
            "<details><summary>Follow-up program</summary><pre tabindex=\"0\">{}</pre></details>",
            lines(&warning.follow_up.test.program.source)
        );
    }
    part.push_str("<h3>The sessions</h3><div class=\"wide\"><table><thead><tr><th>Initial</th><th>Follow-up</th></tr></thead><tbody>");
    let show = |steps: &[Step], index: Option<usize>| {
        index
            .and_then(|index| steps.get(index))
            .map_or_else(String::new, |step| text(&format!("{} → {}", step.action, step.answer)))
    };
    for row in warning.aligned() {
        let _ = write!(
            part,
            "<tr{}><td class=\"mono\">{}</td><td class=\"mono\">{}</td></tr>",
            if row.differs { " class=\"differs\"" } else { "" },
            show(&warning.initial.trace.steps, row.initial),
            show(&warning.follow_up.test.trace.steps, row.follow_up)
        );
    }
    part.push_str("</tbody></table></div>");
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_programs_cannot_become_markup() {
        assert!(html(&[("<b>".to_owned(), Summary::default())]).contains("&lt;b&gt;"));
    }
}
