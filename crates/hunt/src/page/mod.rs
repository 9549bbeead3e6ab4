//! The report of a hunt as one page that needs nothing but itself.

mod blind;
mod proof;
mod region;

use std::fmt::Write;

use twinrun_base::Finding;
use twinrun_report::formats::html::{self, mood};
use twinrun_report::html::{Mood, Part, Step, Traces, copied, live_page, tag, text, traces};
use twinrun_report::{Options, Sources};

use crate::combined::Combined;
use crate::outcome::{Aligned, Hunt, Said, Shown, Stage};

/// The page; `version` is given by a server that shows it live.
pub fn page(hunt: &Hunt, options: &Options<'_>, version: Option<&str>) -> String {
    let mut overview = html::overview(&hunt.report);
    overview.content = format!("{}{}", findings(hunt), overview.content);
    let mut parts = vec![overview];
    for (number, finding) in (1..).zip(&hunt.report.findings) {
        let shown = hunt.shown.iter().find(|shown| shown.fingerprint == finding.fingerprint);
        let more = more(hunt, finding, shown, number, options);
        parts.push(Part {
            id: format!("finding-{number}"),
            title: title(finding, number),
            mood: Some(mood(finding)),
            content: html::finding(finding, number, options, &more),
            searched: true,
        });
    }
    parts.extend(proof::part(hunt));
    parts.extend(blind::part(hunt, options.sources));
    live_page(&format!("Twinrun hunt: {}", hunt.project), &text(&lead(hunt)), &parts, version)
}

/// A page of proofs alone.
pub fn proofs(reports: &[twinrun_prove::Report]) -> String {
    let part = |(number, report): (usize, &twinrun_prove::Report)| {
        let (mood, word) = proof_mood(report);
        Part {
            id: format!("proof-{number}"),
            title: format!("{}/{}: {word}", report.subject, report.relation),
            mood: Some(mood),
            content: proof::one(report),
            searched: true,
        }
    };
    let parts: Vec<Part> = (1..).zip(reports).map(part).collect();
    let relations =
        if reports.len() == 1 { "1 relation".to_owned() } else { format!("{} relations", reports.len()) };
    live_page("Twinrun proofs", &text(&relations), &parts, None)
}

fn title(finding: &Finding, number: usize) -> String {
    format!("{number}. {}: {}/{}", finding.verdict, finding.subject, finding.relation)
}

fn lead(hunt: &Hunt) -> String {
    let stage = match hunt.stage {
        Stage::Testing => "The hunt is testing. ",
        Stage::Explaining => "The hunt is explaining what it found. ",
        Stage::Done => "",
        Stage::Interrupted => "The hunt was interrupted; the same command goes on. ",
    };
    format!("{stage}{}", html::lead(&hunt.report))
}

/// The findings in a few words each, first thing on the page.
fn findings(hunt: &Hunt) -> String {
    if hunt.report.findings.is_empty() {
        return String::new();
    }
    let mut list = String::from("<ol class=\"places\">");
    for (number, finding) in (1..).zip(&hunt.report.findings) {
        let _ = write!(
            list,
            "<li><a href=\"#finding-{number}\">{}/{}</a> {}",
            text(&finding.subject),
            text(&finding.relation),
            tag(mood(finding), &finding.verdict.to_string())
        );
        if let Some(first) = finding.suspects.first() {
            let _ = write!(list, " look at <code>{}</code> first", text(&first.location.to_string()));
        }
        if let Some(condition) = &finding.fails_when {
            let short: String = condition.chars().take(120).collect();
            let dots = if short.len() < condition.len() { "…" } else { "" };
            let _ = write!(list, ", fails when <code>{}{dots}</code>", text(&short));
        }
        list.push_str("</li>");
    }
    list.push_str("</ol>");
    list
}

/// What a hunt knows of a finding beyond the finding itself.
fn more(
    hunt: &Hunt,
    finding: &Finding,
    shown: Option<&Shown>,
    number: usize,
    options: &Options<'_>,
) -> String {
    let mut html = String::new();
    let proof =
        hunt.proofs.iter().find(|it| it.subject == finding.subject && it.relation == finding.relation);
    if let Some(report) = proof.and_then(|proof| proof.proved.report()) {
        html.push_str(&proof::failures(report));
    }
    if let Some(file) = hunt.subjects.iter().find(|file| file.subject == finding.subject) {
        html.push_str(&voices(file, proof.map(|proof| &proof.proved)));
    }
    let own = |it: &&Combined| it.subject == finding.subject && it.relation == finding.relation;
    if let Some(combined) = hunt.combined.iter().find(own) {
        html.push_str(&combination(combined));
    }
    let Some(shown) = shown else { return html };
    if !shown.traces.is_empty() {
        html.push_str("<h3>Traces</h3>");
    }
    for (index, aligned) in shown.traces.iter().enumerate() {
        html.push_str(&trace(&format!("trace-{number}-{index}"), aligned, options.sources));
    }
    if let Some(region) = &shown.region {
        html.push_str(&region::picture(region));
    }
    for (index, (language, test)) in shown.tests.iter().enumerate() {
        let _ = write!(
            html,
            "<details><summary>A test in {}</summary>{}</details>",
            text(language),
            copied(&format!("test-{number}-{index}"), test)
        );
    }
    html
}

/// The smallest combinations of input values that fail.
fn combination(combined: &Combined) -> String {
    if combined.failing == 0 {
        return String::new();
    }
    let mut html = format!(
        "<h3>Failing combinations</h3><p>{} of {} cases fail that cover all pairs of boundary values of {} inputs.",
        combined.failing,
        combined.cases,
        combined.inputs.len()
    );
    match combined.suffices.is_empty() {
        true => html.push_str(
            " Every small combination of values of the first one occurs in a holding case too.</p>",
        ),
        false => {
            html.push_str(" What no holding case has, of the first one:</p><ul class=\"places\">");
            for words in combined.suffices.iter().take(5) {
                let _ = write!(html, "<li><code>{}</code></li>", text(words));
            }
            html.push_str("</ul>");
        }
    }
    html
}

/// What each technique says by itself, so that one can see where the fused order comes from.
fn voices(file: &crate::outcome::CaseFile, proved: Option<&Said<twinrun_prove::Report>>) -> String {
    let mut columns = String::new();
    let all = crate::voices(file.located.report(), file.debugged.report(), proved.and_then(Said::report));
    for voice in &all {
        let _ = write!(columns, "<div><h4>{}</h4><ol>", text(voice.technique.name()));
        for vote in voice.votes.iter().take(5) {
            let _ = write!(columns, "<li><code>{}</code></li>", text(&vote.location.to_string()));
        }
        columns.push_str("</ol></div>");
    }
    if all.len() < 2 {
        return String::new();
    }
    format!(
        "<details><summary>What each technique says</summary><div class=\"pair\">{columns}</div></details>"
    )
}

fn trace(id: &str, aligned: &Aligned, sources: &Sources) -> String {
    let step = |site: &crate::outcome::Site| Step {
        place: format!("{}:{}", site.line, site.column),
        what: sources.line(&site.file, site.line).map_or_else(|| site.function.clone(), str::to_owned),
        outcome: format!("→ {}", site.outcome),
    };
    traces(
        id,
        &Traces {
            left: &aligned.left,
            right: &aligned.right,
            steps: aligned.sites.iter().map(step).collect(),
            rows: &aligned.rows,
            left_out: aligned.left_out,
        },
    )
}

/// The files that the page shows beside those of the findings.
pub fn traced_files(hunt: &Hunt) -> impl Iterator<Item = &str> {
    let sites = hunt.shown.iter().flat_map(|shown| &shown.traces).flat_map(|aligned| &aligned.sites);
    let blind = hunt.noticed.iter().filter_map(|notice| notice.said.report()).flat_map(|it| &it.blind);
    sites.map(|site| site.file.as_str()).chain(blind.map(|blind| blind.location.file.as_str()))
}

/// A mood for a proof.
fn proof_mood(report: &twinrun_prove::Report) -> (Mood, &'static str) {
    use twinrun_prove::Verdict;
    match report.verdict {
        Verdict::Proved(_) => (Mood::Good, "proved"),
        Verdict::ProvedOverReals(_) => (Mood::Good, "proved over the reals"),
        Verdict::ProvedUpTo { .. } => (Mood::Unsure, "holds up to a bound"),
        Verdict::Tested { .. } => (Mood::Unsure, "tested only"),
        Verdict::Violated => (Mood::Bad, "violated"),
        Verdict::Crashed => (Mood::Bad, "crashed"),
        Verdict::Unknown { .. } => (Mood::Unsure, "unknown"),
    }
}
