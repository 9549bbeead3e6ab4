//! The summary of campaigns as one HTML page without scripts.

use std::fmt::Write as _;

use crate::campaign::Summary;
use crate::trace::Step;
use crate::warning::Warning;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left;vertical-align:top}\
pre{background:#f5f5f5;padding:.6rem;overflow:auto}.differs{background:#fdd}\
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}pre{background:#222}td,th{border-color:#444}.differs{background:#522}}";

/// One page for all debuggers that were tested.
pub fn html(summaries: &[(String, Summary)]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Debuggers tested</title><style>{STYLE}</style>\
         <h1>Debuggers tested</h1><table><tr><th>debugger<th>tests<th>cases<th>sessions<th>warnings<th>groups</tr>"
    );
    for (name, summary) in summaries {
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            escape(name),
            summary.tests,
            summary.cases,
            summary.sessions,
            summary.warnings(),
            summary.groups.len()
        );
    }
    page.push_str("</table>");
    for (name, summary) in summaries {
        for (group, warnings) in &summary.groups {
            let _ = write!(page, "<h2>{}: {} ({})</h2>", escape(name), escape(group), warnings.len());
            if let Some(warning) = warnings.first() {
                page.push_str(&one(warning));
            }
        }
    }
    page.push_str("</html>\n");
    page
}

fn one(warning: &Warning) -> String {
    let mut part = format!(
        "<p>Expected <b>{}</b>, found <b>{}</b> (program {}, seed {}, rounds {}).</p><pre>{}</pre>",
        escape(&warning.difference.expected),
        escape(&warning.difference.found),
        escape(&warning.initial.program.name),
        warning.seed,
        escape(&warning.rounds.join(", ")),
        escape(&warning.initial.program.source)
    );
    if warning.follow_up.test.program.source != warning.initial.program.source {
        let _ = write!(
            part,
            "<p>Follow-up program:</p><pre>{}</pre>",
            escape(&warning.follow_up.test.program.source)
        );
    }
    part.push_str("<table><tr><th>initial<th>follow-up</tr>");
    let show = |steps: &[Step], index: Option<usize>| {
        index
            .and_then(|index| steps.get(index))
            .map_or_else(String::new, |step| escape(&format!("{} → {}", step.action, step.answer)))
    };
    for row in warning.aligned() {
        let _ = write!(
            part,
            "<tr{}><td>{}<td>{}</tr>",
            if row.differs { " class=\"differs\"" } else { "" },
            show(&warning.initial.trace.steps, row.initial),
            show(&warning.follow_up.test.trace.steps, row.follow_up)
        );
    }
    part.push_str("</table>");
    part
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_programs_cannot_become_markup() {
        assert_eq!(escape("<script>&\""), "&lt;script&gt;&amp;&quot;");
        assert!(html(&[("<b>".to_owned(), Summary::default())]).contains("&lt;b&gt;"));
    }
}
