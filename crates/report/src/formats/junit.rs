//! JUnit XML: a suite for each subject, a test case for each relation (and for each further finding of it).

use twinrun_base::report::RelationSummary;
use twinrun_base::{Finding, Report, Verdict};

use crate::formats::Options;
use crate::formats::human::{self, what_failed};
use crate::inert::inert;
use crate::rules::rule;

/// The whole report.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    // Files are read anywhere: no colours, and a fixed width.
    let options = Options { color: false, width: 120, verbose: true, ..*options };
    let mut subjects: Vec<&str> = Vec::new();
    for relation in &report.relations {
        if !subjects.contains(&relation.subject.as_str()) {
            subjects.push(&relation.subject);
        }
    }
    let suites: Vec<Suite> = subjects.iter().map(|subject| suite(subject, report, &options)).collect();
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_string(),
        format!("<testsuites name=\"twinrun\"{}>", total(&suites).attributes()),
    ];
    for suite in suites {
        let name = attribute("name", suite.name);
        lines.push(format!("  <testsuite{name}{}>", suite.numbers.attributes()));
        lines.extend(suite.cases);
        lines.push("  </testsuite>".to_string());
    }
    lines.push("</testsuites>".to_string());
    lines.join("\n") + "\n"
}

struct Suite<'a> {
    name: &'a str,
    numbers: Numbers,
    cases: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Numbers {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl Numbers {
    fn attributes(&self) -> String {
        let Self { tests, failures, errors, skipped, seconds } = self;
        format!(
            " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\""
        )
    }
}

fn total(suites: &[Suite<'_>]) -> Numbers {
    suites.iter().fold(Numbers::default(), |sum, Suite { numbers, .. }| Numbers {
        tests: sum.tests + numbers.tests,
        failures: sum.failures + numbers.failures,
        errors: sum.errors + numbers.errors,
        skipped: sum.skipped + numbers.skipped,
        seconds: sum.seconds + numbers.seconds,
    })
}

fn suite<'a>(subject: &'a str, report: &Report, options: &Options<'_>) -> Suite<'a> {
    let mut suite = Suite { name: subject, numbers: Numbers::default(), cases: Vec::new() };
    for relation in report.relations.iter().filter(|relation| relation.subject == subject) {
        suite.numbers.seconds += relation.seconds;
        let findings: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| finding.subject == subject && finding.relation == relation.relation)
            .collect();
        if findings.is_empty() {
            suite.numbers.tests += 1;
            let inside = unanswered(relation);
            suite.numbers.skipped += usize::from(inside.is_some());
            suite.cases.push(test_case(relation, "", relation.seconds, inside));
        }
        for (index, finding) in findings.iter().enumerate() {
            // A test case has at most one failure; the first carries the time.
            let (suffix, seconds) = match index {
                0 => (String::new(), relation.seconds),
                _ => (format!(" #{}", index + 1), 0.0),
            };
            suite.numbers.tests += 1;
            let element = if finding.verdict == Verdict::Violated { "failure" } else { "error" };
            *(if element == "failure" { &mut suite.numbers.failures } else { &mut suite.numbers.errors }) +=
                1;
            let inside = format!(
                "      <{element}{}{}>{}</{element}>",
                attribute("type", rule(finding).id),
                attribute("message", &what_failed(finding)),
                escape(&human::finding(finding, None, options).join("\n"))
            );
            suite.cases.push(test_case(relation, &suffix, seconds, Some(inside)));
        }
    }
    suite
}

/// A relation without findings that nevertheless cannot be said to hold.
fn unanswered(relation: &RelationSummary) -> Option<String> {
    (relation.counts.holds == 0).then(|| {
        let reason = relation.notices.first().map_or("no group gave an answer", String::as_str);
        format!("      <skipped{}/>", attribute("message", &inert(reason)))
    })
}

fn test_case(relation: &RelationSummary, suffix: &str, seconds: f64, inside: Option<String>) -> String {
    let name = attribute("name", &format!("{}{suffix}", relation.relation));
    let head =
        format!("    <testcase{name}{} time=\"{seconds:.3}\"", attribute("classname", &relation.subject));
    match inside {
        Some(inside) => format!("{head}>\n{inside}\n    </testcase>"),
        None => format!("{head}/>"),
    }
}

fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escape(&inert(value)))
}

/// XML 1.0 text. Control characters have become visible escapes before; what XML forbids beside them goes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(char),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ if char.is_control() => out.push('\u{fffd}'),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    #[test]
    fn junit() {
        insta::assert_snapshot!(render(&sample::report(), &sample::options(&sample::sources())));
    }

    #[test]
    fn hostile_text_stays_well_formed() {
        let text = escape("<a href=\"x\">&\u{1b}\0\u{ffff}]]>");
        assert_eq!(text, "&lt;a href=&quot;x&quot;&gt;&amp;\u{fffd}\u{fffd}\u{fffd}]]&gt;");
    }
}
