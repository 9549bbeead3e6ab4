//! The heat map: every file with its suspects, one self-contained page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Sources, advice};
use crate::report::Report;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --faint: #6b6b76; --rule: #e3e3e8 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --paper: #17171a; --faint: #9a9aa6; --rule: #33333a } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.faint { color: var(--faint) }
table { border-collapse: collapse; width: 100% }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--rule) }
td, th { padding: .3rem .6rem .3rem 0; vertical-align: top }
.suspects td { border-bottom: 1px solid var(--rule) }
.code { font: 13px/1.45 ui-monospace, monospace; white-space: pre; overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; padding: .5rem 0 }
.code div { padding: 0 .6rem; border-left: 4px solid transparent }
.code span.n { display: inline-block; width: 3.2rem; color: var(--faint); user-select: none }
.code span.r { float: right; color: var(--faint); padding-left: 1rem }
.code div:target { outline: 2px solid #3b6fd4 }
.scale { display: inline-block; width: 10rem; height: .7rem; border-radius: 3px; background: linear-gradient(90deg, rgb(255 200 60 / .10), rgb(220 40 30 / .60)) }
";

/// The page.
pub fn html(report: &Report, sources: &Sources) -> String {
    let mut page = String::new();
    let groups = &report.groups;
    let title = format!("Suspects in {}", report.subject);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n<p>{1} violated and {2} holding groups over {3} lines; {4} slices, {5}. Confidence: <b>{6}</b> \
         ({7}).</p>\n",
        escape(&title),
        groups.violated,
        groups.holding,
        report.lines,
        escape(&report.slice),
        escape(&report.formula),
        escape(&report.confidence.level),
        escape(&report.confidence.reason)
    );
    if let Some(advice) = advice(report) {
        let _ = writeln!(page, "<p><b>{}</b></p>", escape(&advice));
    }
    if !report.suspects.is_empty() {
        page.push_str(
            "<h2>Suspects</h2>\n<table class=\"suspects\"><tr><th>rank<th>line<th>function<th>why</tr>\n",
        );
        for suspect in &report.suspects {
            let location = &suspect.location;
            let _ = writeln!(
                page,
                "<tr><td>{}<td><a href=\"#{}\">{}:{}</a><td>{}<td>{}</tr>",
                suspect.rank,
                anchor(&location.file, location.line),
                escape(&location.file),
                location.line,
                escape(&suspect.function),
                escape(&suspect.reason)
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("<h2>Relations</h2>\n<table><tr><th>relation<th>violated<th>holding</tr>\n");
    for it in &groups.relations {
        let _ = writeln!(page, "<tr><td>{}<td>{}<td>{}</tr>", escape(&it.relation), it.violated, it.holding);
    }
    page.push_str("</table>\n");
    let heat: BTreeMap<(&str, u32), f64> = report
        .heat
        .iter()
        .map(|heat| ((heat.location.file.as_str(), heat.location.line), heat.heat))
        .collect();
    let ranks: BTreeMap<(&str, u32), usize> = report
        .suspects
        .iter()
        .map(|suspect| ((suspect.location.file.as_str(), suspect.location.line), suspect.rank))
        .collect();
    if !heat.is_empty() {
        page.push_str("<p class=\"faint\">less suspicious <span class=\"scale\"></span> more; uncoloured lines are run by no violated group</p>\n");
    }
    for (file, lines) in sources.files() {
        let _ = write!(page, "<h2>{}</h2>\n<div class=\"code\">", escape(file));
        for (number, line) in (1u32..).zip(lines) {
            let style = heat.get(&(file, number)).map(|heat| color(*heat)).unwrap_or_default();
            let rank = ranks.get(&(file, number)).map(|rank| format!("<span class=\"r\">#{rank}</span>"));
            let _ = write!(
                page,
                "<div id=\"{}\"{style}>{}<span class=\"n\">{number}</span>{}</div>",
                anchor(file, number),
                rank.unwrap_or_default(),
                if line.is_empty() { " ".to_owned() } else { escape(line) }
            );
        }
        page.push_str("</div>\n");
    }
    page.push_str("</body></html>\n");
    page
}

/// From pale yellow to red; the square keeps the crowd of middling lines pale.
fn color(heat: f64) -> String {
    let strength = heat * heat;
    let green = 200.0 - 160.0 * strength;
    let alpha = 0.08 + 0.52 * strength;
    let edge = if heat > 0.95 { ";border-left-color:rgb(200 30 20)" } else { "" };
    format!(" style=\"background:rgb(250 {green:.0} 50 / {alpha:.2}){edge}\"")
}

fn anchor(file: &str, line: u32) -> String {
    let file: String = file.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{file}-{line}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
