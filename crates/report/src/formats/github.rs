//! Annotations of GitHub Actions: one workflow command a finding, shown beside the line.

use twinrun_base::{Finding, Report, Verdict};

use crate::formats::Options;
use crate::formats::human::{name, what_failed};
use crate::inert::{inert, shorten};
use crate::rules::rule;
use crate::runs;

/// The whole report.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    report.findings.iter().map(|finding| annotation(finding, options)).collect()
}

fn annotation(finding: &Finding, options: &Options<'_>) -> String {
    let level = if finding.verdict == Verdict::Timeout { "warning" } else { "error" };
    let mut properties = Vec::new();
    if let Some(location) = finding.location() {
        properties.push(format!("file={}", property(&inert(&location.file))));
        properties.push(format!("line={}", location.line));
        properties.extend(options.sources.column(location).map(|column| format!("col={column}")));
    }
    let title = format!("{} ({})", rule(finding).title, name(&finding.subject, &finding.relation));
    properties.push(format!("title={}", property(&title)));
    let mut message = what_failed(finding);
    let case = runs::case(&finding.group);
    if !case.is_empty() {
        message = format!("{message}\ncase: {case}");
    }
    for (rank, suspect) in (1..=3).zip(&finding.suspects) {
        message = format!(
            "{message}\nsuspect {rank}: {}: {}",
            inert(&suspect.location.to_string()),
            inert(&suspect.reason)
        );
    }
    if let Some(condition) = &finding.fails_when {
        message = format!("{message}\nfails when: {}", inert(condition));
    }
    for (index, run) in finding.group.runs.iter().enumerate() {
        message = format!("{message}\n{}", one_line(index, run));
    }
    format!("::{level} {}::{}\n", properties.join(","), data(&shorten(&message, 4000)))
}

/// `run 1 (source): given a = [1, 2]; result = 3`.
pub(crate) fn one_line(index: usize, run: &twinrun_base::Run) -> String {
    let pairs = |pairs: &[(String, twinrun_base::Value)]| -> Vec<String> {
        pairs.iter().map(|(name, value)| format!("{} = {}", inert(name), runs::value(value))).collect()
    };
    let mut parts = pairs(&run.given);
    if !parts.is_empty() {
        parts = vec![format!("given {}", parts.join(", "))];
    }
    parts.extend(pairs(&run.outputs));
    if let Some(program) = &run.program {
        parts.push(format!("exit {}", program.exit));
    }
    match parts.is_empty() {
        true => runs::title(index),
        false => format!("{}: {}", runs::title(index), parts.join("; ")),
    }
}

/// What the runner asks for in a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What the runner asks for in a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    #[test]
    fn github() {
        insta::assert_snapshot!(render(&sample::report(), &sample::options(&sample::sources())));
    }

    #[test]
    fn every_finding_is_one_command_on_one_line() {
        let report = sample::report();
        let text = render(&report, &sample::options(&sample::sources()));
        assert_eq!(text.lines().count(), report.findings.len());
        assert!(text.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")));
        assert!(text.lines().all(|line| line.matches("::").count() >= 2));
    }
}
