//! One page for people: what was tested, what was found, the source with the suspects.

use std::collections::BTreeMap;
use std::fmt::Write;

use twinrun_base::report::RelationSummary;
use twinrun_base::{Exit, Finding, Report, Verdict};

use crate::formats::Options;
use crate::formats::human::{failed_at, name, remarks, what_failed};
use crate::html::{Mood, Note, Part, copied, page, source, tag, text};
use crate::inert::shorten;
use crate::runs;
use crate::style::{count, thousands};

/// The whole report.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    let mut parts = vec![overview(report)];
    for (number, finding) in (1..).zip(&report.findings) {
        let content = self::finding(finding, number, options, "");
        let title = format!("{number}. {}: {}", finding.verdict, name(&finding.subject, &finding.relation));
        parts.push(Part {
            id: format!("finding-{number}"),
            title,
            mood: Some(mood(finding)),
            content,
            searched: true,
        });
    }
    page(&format!("Twinrun {}", report.command), &text(&lead(report)), &parts)
}

/// The mood of a finding.
pub fn mood(finding: &Finding) -> Mood {
    if finding.verdict == Verdict::Timeout { Mood::Unsure } else { Mood::Bad }
}

/// What came out, in one sentence.
pub fn lead(report: &Report) -> String {
    let relations = count(report.relations.len() as u64, "relation", "relations");
    let groups = report.relations.iter().map(|relation| relation.counts.total()).sum();
    let what = match (report.exit(), report.findings.len()) {
        (_, 1..) => format!("{} in {relations}", count(report.findings.len() as u64, "finding", "findings")),
        (Exit::Holds, _) => format!("no violation found in {relations}"),
        _ => format!("no answer for some of {relations}"),
    };
    let cut = report.cut.map(|cause| format!(", cut: {cause}")).unwrap_or_default();
    format!(
        "{what}, after {}{cut}. Seed {}, Twinrun {}.",
        count(groups, "group", "groups"),
        report.seed,
        report.version
    )
}

/// The table of relations.
pub fn overview(report: &Report) -> Part {
    type Column = (&'static str, fn(&RelationSummary) -> u64);
    let all: [Column; 5] = [
        ("Groups", |it| it.counts.total()),
        ("Violated", |it| it.counts.violated),
        ("Crashed", |it| it.counts.crashed),
        ("Timed out", |it| it.counts.timeout),
        ("Discarded", |it| it.counts.discarded),
    ];
    // Columns that say nothing are left out.
    let columns: Vec<Column> =
        all.into_iter().filter(|(_, number)| report.relations.iter().any(|it| number(it) > 0)).collect();
    let mut content = String::from("<div class=\"wide\"><table><thead><tr><th>Relation</th><th>Outcome</th>");
    for (title, _) in &columns {
        let _ = write!(content, "<th class=\"number\">{title}</th>");
    }
    content.push_str("<th class=\"number\">Blocks</th><th class=\"number\">Seconds</th></tr></thead><tbody>");
    for relation in &report.relations {
        let _ = write!(
            content,
            "<tr><td>{}</td><td>{}</td>",
            text(&name(&relation.subject, &relation.relation)),
            outcome(relation)
        );
        for (_, number) in &columns {
            let _ = write!(content, "<td class=\"number\">{}</td>", thousands(number(relation)));
        }
        let covered = relation.covered.map_or("–".to_owned(), |(some, all)| format!("{some} of {all}"));
        let _ = write!(
            content,
            "<td class=\"number\">{covered}</td><td class=\"number\">{:.1}</td></tr>",
            relation.seconds
        );
        for notice in &relation.notices {
            let span = columns.len() + 3;
            let _ = write!(
                content,
                "<tr><td></td><td colspan=\"{span}\" class=\"dim\">{}</td></tr>",
                text(notice)
            );
        }
    }
    content.push_str("</tbody></table></div>");
    for notice in &report.notices {
        let _ = write!(content, "<p class=\"dim\">{}</p>", text(notice));
    }
    Part { id: "overview".into(), title: "Overview".into(), mood: None, content, searched: false }
}

fn outcome(relation: &RelationSummary) -> String {
    let counts = &relation.counts;
    if counts.violated > 0 {
        tag(Mood::Bad, "violated")
    } else if counts.crashed > 0 {
        tag(Mood::Bad, "crashed")
    } else if counts.timeout > 0 || counts.holds == 0 {
        tag(Mood::Unsure, "unknown")
    } else {
        tag(Mood::Good, "holds")
    }
}

/// The content of one finding; `more` is HTML that stands before how to run it again.
pub fn finding(finding: &Finding, number: usize, options: &Options<'_>, more: &str) -> String {
    let mut html = format!("<p class=\"lead\">{}</p>", text(&what_failed(finding)));
    if let Some(condition) = &finding.fails_when {
        let _ =
            write!(html, "<h3>Fails when</h3><pre class=\"wrap\">{}</pre>", text(&shorten(condition, 2000)));
    }
    let case = runs::case(&finding.group);
    if !case.is_empty() {
        let _ = write!(html, "<h3>Minimal case</h3><pre class=\"wrap\">{}</pre>", text(&case));
    }
    html.push_str(&runs_table(finding));
    if let Some(crash) = finding.group.crash.as_ref().filter(|crash| !crash.stack.is_empty()) {
        html.push_str("<h3>Stack</h3><ol class=\"places\">");
        for frame in crash.stack.iter().take(20) {
            let place = frame
                .location
                .as_ref()
                .map_or(String::new(), |place| format!(" at {}", text(&place.to_string())));
            let _ = write!(html, "<li><code>{}</code>{place}</li>", text(&frame.function));
        }
        html.push_str("</ol>");
    }
    html.push_str(&suspects(finding));
    html.push_str(&sources(finding, options));
    html.push_str(more);
    if let Some(saved) = &finding.saved {
        html.push_str("<h3>Again</h3>");
        html.push_str(&copied(&format!("replay-{number}"), &format!("twinrun replay {saved}")));
    }
    let _ = write!(
        html,
        "<p class=\"dim\">seen {} · shrunk in {}{} · fingerprint {}</p>",
        count(finding.seen, "time", "times"),
        count(finding.shrinks, "step", "steps"),
        remarks(finding).iter().map(|remark| format!(" · {}", text(remark))).collect::<String>(),
        finding.fingerprint.short()
    );
    html
}

/// The runs side by side.
fn runs_table(finding: &Finding) -> String {
    let rows = runs::rows(&finding.group);
    if rows.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h3>The runs</h3><div class=\"wide\"><table><thead><tr><th></th>");
    for run in 0..finding.group.runs.len() {
        let _ = write!(html, "<th>{}</th>", runs::title(run));
    }
    html.push_str("</tr></thead><tbody>");
    for row in &rows {
        let class = if row.differs { " class=\"differs\"" } else { "" };
        let _ = write!(html, "<tr{class}><th scope=\"row\">{}</th>", text(&row.label));
        for cell in &row.cells {
            let _ = write!(html, "<td class=\"mono\">{}</td>", text(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    html
}

fn suspects(finding: &Finding) -> String {
    let mut html = String::new();
    if let Some(critical) = &finding.critical {
        let place = text(&critical.location.to_string());
        let _ =
            write!(html, "<h3>Critical branch</h3><p><code>{place}</code> {}</p>", text(&critical.reason));
    }
    for (index, repair) in finding.repairs.iter().enumerate() {
        let title = if index == 0 { "What to write instead" } else { "Or" };
        let place = text(&repair.location.to_string());
        let _ = write!(html, "<h3>{title}</h3><p><code>{place}</code> {}</p>", text(&repair.change));
        for support in &repair.support {
            let _ = write!(html, "<p class=\"dim\">{}</p>", text(support));
        }
        html.push_str(&copied(&format!("repair-{}-{index}", finding.fingerprint.short()), &repair.diff));
    }
    for unsaid in &finding.unsaid {
        let _ = write!(html, "<p class=\"dim\">{}</p>", text(unsaid));
    }
    if finding.suspects.is_empty() {
        return html;
    }
    html.push_str("<h3>Where to look</h3><ol class=\"places\">");
    for suspect in finding.suspects.iter().take(5) {
        let place = text(&suspect.location.to_string());
        let _ = write!(html, "<li><code>{place}</code> {}</li>", text(&suspect.reason));
    }
    html.push_str("</ol>");
    html
}

/// The files with suspects, else the one with the place that failed.
fn sources(finding: &Finding, options: &Options<'_>) -> String {
    let mut files: BTreeMap<&str, BTreeMap<u32, Note>> = BTreeMap::new();
    let greatest = finding.suspects.first().map_or(1.0, |suspect| suspect.score);
    for (rank, suspect) in (1..).zip(&finding.suspects) {
        let note = files.entry(&suspect.location.file).or_default().entry(suspect.location.line).or_default();
        let heat = if greatest > 0.0 { suspect.score / greatest } else { 0.0 };
        note.heat = note.heat.max(heat);
        if rank <= 5 && note.why.is_empty() {
            note.why = format!("suspect {rank}");
        }
    }
    if let Some(critical) = &finding.critical {
        let note =
            files.entry(&critical.location.file).or_default().entry(critical.location.line).or_default();
        note.critical = true;
        note.why = joined(&note.why, "critical branch");
    }
    if let Some(place) = failed_at(finding) {
        let note = files.entry(&place.file).or_default().entry(place.line).or_default();
        note.why = joined(&note.why, "failed here");
    }
    let mut html = String::new();
    for (file, notes) in files {
        if let Some(shown) = source(options.sources, file, &notes) {
            // Without a suspect it is the file of the relation, which people know.
            let open = if notes.values().any(|note| note.heat > 0.0) || finding.suspects.is_empty() {
                " open"
            } else {
                ""
            };
            let _ = write!(html, "<details{open}><summary>{}</summary>{shown}</details>", text(file));
        }
    }
    html
}

fn joined(said: &str, more: &str) -> String {
    if said.is_empty() { more.to_owned() } else { format!("{said}, {more}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    #[test]
    fn hostile_text_is_inert_and_every_finding_has_its_part() {
        let sources = sample::sources();
        let report = sample::report();
        let html = render(&report, &sample::options(&sources));
        for number in 1..=report.findings.len() {
            assert!(html.contains(&format!("<article id=\"finding-{number}\"")));
        }
        assert!(!html.contains("<b>&") && !html.contains('\u{1b}') && !html.contains('\u{202e}'));
        assert!(!html.contains("http://") && !html.contains("https://"), "nothing is fetched");
        assert!(html.contains("class=\"differs\""));
    }
}
