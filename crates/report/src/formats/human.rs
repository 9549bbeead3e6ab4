//! Text for people: the source underlined, the runs side by side, then one line a relation.
//!
//! A finding is short: what fails, one place to look at, one repair, how to reproduce it. [`Options::verbose`] tells all that is known of it.

use twinrun_base::report::RelationSummary;
use twinrun_base::{Exit, FailedCheck, Finding, Operator, Report, Verdict};

use crate::formats::Options;
use crate::inert::{inert, shorten};
use crate::rules::rule;
use crate::runs::{self, Row};
use crate::snippet::{brief, snippet};
use crate::style::{Ink, Paint, count, pad, thousands, width, wrap};

/// A run's column is not narrower than this; the runs are put below each other instead.
const NARROWEST: usize = 18;

/// The whole report.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    let paint = Paint::new(options.color);
    let most = options.width.clamp(40, 160);
    let mut lines = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        let earlier = report.findings[..number].iter().find(|earlier| explained_alike(earlier, finding));
        lines.extend(self::finding(finding, earlier, options));
        lines.push(String::new());
    }
    let names = report.relations.iter().map(|it| width(&name(&it.subject, &it.relation))).max().unwrap_or(0);
    for relation in &report.relations {
        lines.extend(summary(relation, names.min(most / 3), paint, most));
    }
    for notice in &report.notices {
        lines.extend(note(notice, paint, most));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(closing(report, paint));
    if !options.verbose && report.findings.iter().any(is_shortened) {
        let more = "--verbose tells all suspects, the critical branch and all repairs";
        lines.push(paint.ink(Ink::Dim, more));
    }
    lines.join("\n") + "\n"
}

/// Whether what is said of one finding explains the other: one subject, one place, one repair.
fn explained_alike(earlier: &Finding, finding: &Finding) -> bool {
    let place =
        |finding: &Finding| finding.suspects.first().map(|it| (it.location.file.clone(), it.location.line));
    let repair = |finding: &Finding| finding.repairs.first().map(|it| it.diff.clone());
    earlier.subject == finding.subject
        && place(earlier).is_some()
        && place(earlier) == place(finding)
        && repair(earlier) == repair(finding)
}

/// One finding; `earlier` is one above that has the same explanation.
pub fn finding(finding: &Finding, earlier: Option<&Finding>, options: &Options<'_>) -> Vec<String> {
    let paint = Paint::new(options.color);
    let most = options.width.clamp(40, 160);
    let ink = if finding.verdict == Verdict::Timeout { Ink::Yellow } else { Ink::Red };

    let heading = format!("{}: {}", finding.verdict, name(&finding.subject, &finding.relation));
    let seen = count(finding.seen, "time", "times");
    let mut lines = vec![format!(
        "{} {}",
        paint.ink(ink, &heading),
        paint.ink(Ink::Dim, &format!("[{}], seen {seen}", finding.fingerprint.short()))
    )];
    if let Some(statement) =
        finding.relation_location.as_ref().and_then(|it| options.sources.comment_above(it))
    {
        let statement = shorten(&inert(&statement), 2 * (most - 2));
        lines.extend(indent(wrap(&statement, most - 2)));
    }
    let failed = what_failed(finding);
    match failed_at(finding) {
        Some(location) => {
            let label = shorten(&failed, 2 * most);
            let show = if options.verbose { snippet } else { brief };
            lines.extend(indent(show(options.sources, location, &label, ink, paint, most - 2)));
        }
        None => lines.extend(indent(wrap(&failed, most - 2))),
    }
    if let Some(crash) = &finding.group.crash {
        for frame in crash.stack.iter().skip(1).take(if options.verbose { 8 } else { 3 }) {
            let place =
                frame.location.as_ref().map_or(String::new(), |it| format!(" at {}", inert(&it.to_string())));
            lines.push(format!("      called by {}{}", inert(&frame.function), paint.ink(Ink::Cyan, &place)));
        }
    }

    let case = runs::case(&finding.group);
    if !case.is_empty() {
        lines.push(String::new());
        lines.extend(indent(hanging("case  ", &case, Ink::Bold, paint, most - 2)));
    }
    if let Some(condition) = &finding.fails_when {
        let condition = shorten(&inert(condition), if options.verbose { 1000 } else { 2 * most });
        lines.extend(indent(hanging("fails when  ", &condition, Ink::Bold, paint, most - 2)));
    }
    let rows = runs::rows(&finding.group);
    if !rows.is_empty() {
        if options.verbose || case.is_empty() {
            lines.push(String::new());
        }
        lines.extend(indent(table(&rows, finding.group.runs.len(), paint, most - 2)));
    }
    match earlier {
        _ if options.verbose => lines.extend(everything(finding, options, paint, most)),
        Some(earlier) => {
            let above = name(&earlier.subject, &earlier.relation);
            let place =
                finding.suspects.first().map(|it| inert(&it.location.to_string())).unwrap_or_default();
            let repaired = if finding.repairs.is_empty() { "" } else { ", and the same repair fixes it" };
            lines.push(String::new());
            let text = format!("{place}, as for {above} above{repaired}");
            lines.extend(indent(hanging("look at  ", &text, Ink::Bold, paint, most - 2)));
        }
        None => lines.extend(verdict(finding, options, paint, most)),
    }
    lines.push(String::new());
    for unsaid in &finding.unsaid {
        // One line each: --verbose has the whole of it.
        let said = if options.verbose { unsaid.clone() } else { shorten_to_line(unsaid, most - 8) };
        lines.extend(indent(note(&said, paint, most - 2)));
    }
    let again = finding.saved.iter().map(|saved| format!("again: twinrun replay {}", inert(saved)));
    for remark in remarks(finding).into_iter().chain(again) {
        lines.extend(indent(wrap(&remark, most - 2)).map(|line| paint.ink(Ink::Dim, &line)));
    }
    lines
}

fn indent(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// The one place to look at with its strongest reason, and the likeliest repair.
fn verdict(finding: &Finding, options: &Options<'_>, paint: Paint, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(suspect) = finding.suspects.first() {
        lines.push(String::new());
        // Reasons stand behind each other, the strongest first.
        let reason = inert(suspect.reason.split("; ").next().unwrap_or_default());
        let shown = brief(options.sources, &suspect.location, &reason, Ink::Yellow, paint, most - 11);
        lines.extend(beside("look at", shown, paint));
    }
    if let Some(repair) = finding.repairs.first() {
        lines.push(String::new());
        let what = inert(&format!("{} {}", repair.location, repair.change));
        lines.extend(indent(hanging("repair  ", &what, Ink::Bold, paint, most - 2)));
        for support in repair.support.iter().take(4) {
            lines.extend(wrap(&inert(support), most - 4).into_iter().map(|line| format!("    {line}")));
        }
        lines.extend(
            diff(&around_changes(&repair.diff), paint, most - 4)
                .into_iter()
                .map(|line| format!("    {line}")),
        );
    }
    lines
}

/// All suspects, the critical branch, all repairs.
fn everything(finding: &Finding, options: &Options<'_>, paint: Paint, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if !finding.suspects.is_empty() {
        lines.push(String::new());
        lines.push(format!("  {}", paint.ink(Ink::Bold, "suspects")));
        for (rank, suspect) in finding.suspects.iter().take(5).enumerate() {
            let label = format!("{:.2}  {}", suspect.score, inert(&suspect.reason));
            let shown = snippet(options.sources, &suspect.location, &label, Ink::Yellow, paint, most - 6);
            for (index, line) in shown.into_iter().enumerate() {
                let number = if index == 0 { format!("{}.", rank + 1) } else { String::new() };
                lines.push(format!("  {} {line}", pad(&number, 3)));
            }
        }
    }
    if let Some(critical) = &finding.critical {
        lines.push(String::new());
        lines.push(format!("  {}", paint.ink(Ink::Bold, "critical branch")));
        let reason = inert(&critical.reason);
        let shown = snippet(options.sources, &critical.location, &reason, Ink::Yellow, paint, most - 6);
        lines.extend(shown.into_iter().map(|line| format!("      {line}")));
    }
    for (index, repair) in finding.repairs.iter().enumerate() {
        lines.push(String::new());
        let title = if index == 0 { "repair" } else { "or" };
        let what = inert(&format!("{} {}", repair.location, repair.change));
        lines.extend(indent(hanging(&format!("{title}  "), &what, Ink::Bold, paint, most - 2)));
        for support in &repair.support {
            lines.extend(wrap(&inert(support), most - 6).into_iter().map(|line| format!("      {line}")));
        }
        // The file is named above.
        let shown: Vec<&str> =
            repair.diff.lines().filter(|it| !it.starts_with("--- ") && !it.starts_with("+++ ")).collect();
        lines.extend(diff(&shown, paint, most - 6).into_iter().map(|line| format!("      {line}")));
    }
    lines
}

/// The changed lines of a diff with one line around them: what it takes to recognise the place.
fn around_changes(diff: &str) -> Vec<&str> {
    let is_head = |line: &str| ["--- ", "+++ ", "@@"].iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = diff.lines().filter(|line| !is_head(line)).collect();
    let is_change = |index: usize| lines.get(index).is_some_and(|line| line.starts_with(['+', '-']));
    let near = |index: usize| {
        is_change(index) || is_change(index + 1) || index.checked_sub(1).is_some_and(is_change)
    };
    (0..lines.len()).filter(|index| near(*index)).map(|index| lines[index]).collect()
}

fn diff(lines: &[&str], paint: Paint, most: usize) -> Vec<String> {
    let ink = |line: &str| match line.chars().next() {
        Some('+') => Ink::Green,
        Some('-') => Ink::Red,
        _ => Ink::Dim,
    };
    lines.iter().map(|line| paint.ink(ink(line), &shorten(&inert(line), most))).collect()
}

/// Whether the short form leaves something out.
fn is_shortened(finding: &Finding) -> bool {
    finding.suspects.len() > 1 || finding.repairs.len() > 1 || finding.critical.is_some()
}

/// `maxsub/reverse`, harmless.
pub(crate) fn name(subject: &str, relation: &str) -> String {
    shorten(&format!("{}/{}", inert(subject), inert(relation)), 60)
}

/// One sentence: which check failed with which values, or how a run ended.
pub(crate) fn what_failed(finding: &Finding) -> String {
    let last = match finding.group.runs.len() {
        0 => "the relation, outside its runs,".to_string(),
        runs => runs::title(runs - 1),
    };
    match (&finding.group.check, &finding.group.crash) {
        (_, Some(crash)) => {
            let message = inert(&crash.message);
            let title = rule(finding).title;
            // Engines often begin their message with the kind itself.
            let said = message.to_lowercase().starts_with(&title.to_lowercase());
            match (message.is_empty(), said) {
                (true, _) => format!("{last} crashed: {title}"),
                (false, true) => format!("{last} crashed: {message}"),
                (false, false) => format!("{last} crashed: {title}: {message}"),
            }
        }
        (Some(check), None) => failed_check(check),
        (None, None) if finding.verdict == Verdict::Timeout => {
            format!("{last} did not end within the limit ({} steps)", thousands(finding.group.work))
        }
        (None, None) => "the relation does not hold".to_string(),
    }
}

fn failed_check(check: &FailedCheck) -> String {
    let (text, left, right) = (inert(&check.text), runs::value(&check.left), runs::value(&check.right));
    match check.operator {
        Operator::True => format!("`{text}` is false"),
        Operator::Near => {
            let tolerance = check.tolerance.map_or(String::new(), |it| format!(" within {it:?}"));
            format!("`{text}` fails: {left} is not near {right}{tolerance}")
        }
        operator => format!("`{text}` fails: {left} {} {right}", operator.symbol()),
    }
}

/// Where to underline what failed: the crash or the check. Suspects have their own list.
pub(crate) fn failed_at(finding: &Finding) -> Option<&twinrun_base::Location> {
    let crash = finding.group.crash.as_ref().and_then(|crash| crash.location());
    let check = finding.group.check.as_ref().and_then(|check| check.location.as_ref());
    crash.or(check).or(finding.relation_location.as_ref())
}

pub(crate) fn remarks(finding: &Finding) -> Vec<String> {
    let mut remarks = Vec::new();
    if finding.dependent_runs {
        remarks.push(
            "the runs depend on each other through static data: with the statics restored before every run, the outcome differs"
                .to_string(),
        );
    }
    if finding.checked_build {
        remarks.push("only the checked build shows it".to_string());
    }
    remarks
}

/// The runs side by side where they fit, else below each other.
fn table(rows: &[Row], runs: usize, paint: Paint, most: usize) -> Vec<String> {
    let labels = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0).min(24);
    // Two blanks between columns, two more for the mark.
    let share = most.saturating_sub(labels + 2 + 2 * runs) / runs.max(1);
    if share < NARROWEST {
        return stacked(rows, runs, labels, paint, most);
    }
    let columns: Vec<usize> = (0..runs)
        .map(|run| {
            let widest = rows.iter().map(|row| width(&row.cells[run])).max().unwrap_or(0);
            widest.max(width(&runs::title(run))).min(share)
        })
        .collect();
    let titles: String = (0..runs).map(|run| format!("  {}", pad(&runs::title(run), columns[run]))).collect();
    let mut lines = vec![paint.ink(Ink::Bold, format!("{}{titles}", " ".repeat(labels)).trim_end())];
    for row in rows {
        let cells: Vec<Vec<String>> =
            row.cells.iter().zip(&columns).map(|(cell, column)| wrap(cell, *column)).collect();
        let label = wrap(&row.label, labels);
        let height = cells.iter().map(Vec::len).max().unwrap_or(1).max(label.len());
        let at = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
        for index in 0..height {
            let text: String = cells
                .iter()
                .zip(&columns)
                .map(|(cell, column)| format!("  {}", pad(&at(cell, index), *column)))
                .collect();
            let text = if row.differs { paint.ink(Ink::Red, &text) } else { text };
            let mark = if row.differs && index == 0 {
                format!("  {}", paint.ink(Ink::Red, "≠"))
            } else {
                String::new()
            };
            let label = paint.ink(Ink::Dim, &pad(&at(&label, index), labels));
            lines.push(format!("{label}{text}{mark}").trim_end().to_string());
        }
    }
    lines
}

fn stacked(rows: &[Row], runs: usize, labels: usize, paint: Paint, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for run in 0..runs {
        lines.push(paint.ink(Ink::Bold, &runs::title(run)));
        for row in rows.iter().filter(|row| !row.cells[run].is_empty()) {
            let mark = if row.differs { "≠ " } else { "  " };
            let ink = if row.differs { Ink::Red } else { Ink::Dim };
            let label = pad(&format!("{mark}{}", row.label), labels + 4);
            lines.extend(hanging(&label, &row.cells[run], ink, paint, most));
        }
    }
    lines
}

/// Lines with a title left of the first.
fn beside(title: &str, lines: Vec<String>, paint: Paint) -> Vec<String> {
    let blank = " ".repeat(width(title));
    let first = |index: usize| if index == 0 { paint.ink(Ink::Bold, title) } else { blank.clone() };
    lines.iter().enumerate().map(|(index, line)| format!("  {}  {line}", first(index))).collect()
}

/// A label with wrapped text beside it.
fn hanging(label: &str, text: &str, ink: Ink, paint: Paint, most: usize) -> Vec<String> {
    let lines = wrap(text, most.saturating_sub(width(label)));
    let blank = " ".repeat(width(label));
    let first = |index: usize| if index == 0 { paint.ink(ink, label) } else { blank.clone() };
    lines.iter().enumerate().map(|(index, line)| format!("{}{line}", first(index))).collect()
}

/// One line a relation, its notices below.
fn summary(relation: &RelationSummary, names: usize, paint: Paint, most: usize) -> Vec<String> {
    let counts = &relation.counts;
    let (mark, word, ink) = if counts.violated + counts.crashed > 0 {
        let word = if counts.violated > 0 { "violated" } else { "crashed" };
        ("✗", word, Ink::Red)
    } else if counts.timeout > 0 || counts.holds == 0 {
        ("?", "unknown", Ink::Yellow)
    } else {
        ("✓", "holds", Ink::Green)
    };
    let mut parts = vec![count(counts.total(), "group", "groups")];
    for (number, word) in [
        (counts.violated, "violated"),
        (counts.crashed, "crashed"),
        (counts.timeout, "timed out"),
        (counts.discarded, "discarded"),
    ] {
        if number > 0 {
            parts.push(format!("{} {word}", thousands(number)));
        }
    }
    if let Some((covered, blocks)) = relation.covered {
        parts.push(format!("{covered}/{blocks} blocks"));
    }
    parts.push(format!("{:.1} s", relation.seconds));
    if relation.stopped {
        parts.push("stopped early".to_string());
    }
    let head =
        format!("{mark} {}  {}  ", pad(&name(&relation.subject, &relation.relation), names), pad(word, 8));
    let details = parts.join(", ");
    let mut lines = if width(&head) + width(&details) <= most {
        vec![format!("{}{details}", paint.ink(ink, &head))]
    } else {
        let mut lines = vec![paint.ink(ink, head.trim_end())];
        lines.extend(wrap(&details, most - 4).into_iter().map(|line| format!("    {line}")));
        lines
    };
    for notice in &relation.notices {
        lines.extend(note(notice, paint, most - 4).into_iter().map(|line| format!("    {line}")));
    }
    lines
}

/// The beginning of a notice, as much as fits one line.
fn shorten_to_line(notice: &str, most: usize) -> String {
    let lines = wrap(notice, most.saturating_sub(2));
    match lines.as_slice() {
        [first, _, ..] => format!("{first} …"),
        _ => notice.to_owned(),
    }
}

fn note(notice: &str, paint: Paint, most: usize) -> Vec<String> {
    hanging("note: ", &inert(notice), Ink::Yellow, paint, most)
}

fn closing(report: &Report, paint: Paint) -> String {
    let found = |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
    let parts: Vec<String> = [Verdict::Violated, Verdict::Crashed, Verdict::Timeout]
        .into_iter()
        .filter(|verdict| found(*verdict) > 0)
        .map(|verdict| format!("{} {verdict}", found(verdict)))
        .collect();
    let relations = count(report.relations.len() as u64, "relation", "relations");
    let (text, ink) = match report.exit() {
        // Violations that a baseline knows are counted, but no findings.
        Exit::Holds if report.relations.iter().any(|it| it.counts.violated + it.counts.crashed > 0) => {
            (format!("{relations} tested: nothing new"), Ink::Green)
        }
        Exit::Holds => (format!("{relations} tested: no violation found"), Ink::Green),
        Exit::Violated => (
            format!(
                "{} in {relations}: {}",
                count(report.findings.len() as u64, "finding", "findings"),
                parts.join(", ")
            ),
            Ink::Red,
        ),
        _ => (format!("{relations} tested: no answer for some"), Ink::Yellow),
    };
    let cut = report.cut.map(|cause| format!(", cut: {cause}")).unwrap_or_default();
    format!("{}{cut} (seed {})", paint.ink(ink, &text), report.seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    fn at(width: usize, color: bool) -> String {
        let sources = sample::sources();
        render(&sample::report(), &Options { width, color, verbose: false, sources: &sources })
    }

    #[test]
    fn human() {
        insta::assert_snapshot!(at(100, false));
    }

    #[test]
    fn human_verbose() {
        let sources = sample::sources();
        insta::assert_snapshot!(render(
            &sample::report(),
            &Options { verbose: true, ..sample::options(&sources) }
        ));
    }

    #[test]
    fn findings_with_one_explanation_share_it() {
        let mut report = sample::report();
        let mut second = report.findings[0].clone();
        second.relation = "shift".to_owned();
        report.findings.insert(1, second);
        let sources = sample::sources();
        let text = render(&report, &sample::options(&sources));
        assert_eq!(text.matches("+            cnt = 0;").count(), 1, "{text}");
        assert!(text.contains("as for maxsub/reverse above, and the same repair fixes it"), "{text}");
    }

    #[test]
    fn human_narrow() {
        insta::assert_snapshot!(at(50, false));
    }

    #[test]
    fn without_colour_there_are_no_control_characters_and_with_it_the_text_is_the_same() {
        for width in [1, 40, 72, 100, 300] {
            let plain = at(width, false);
            assert!(!plain.chars().any(|char| char.is_control() && char != '\n'));
            let mut painted = at(width, true);
            for code in ["0", "1", "1;31", "32", "33", "36", "2"] {
                painted = painted.replace(&format!("\u{1b}[{code}m"), "");
            }
            let trim = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            assert_eq!(trim(&painted), trim(&plain));
        }
    }

    #[test]
    fn three_runs_stand_beside_each_other() {
        let mut finding = sample::report().findings.remove(0);
        finding.group.runs.push(finding.group.runs[0].clone());
        let sources = sample::sources();
        let lines = super::finding(&finding, None, &sample::options(&sources));
        assert!(lines.iter().any(|line| line.contains("run 1") && line.contains("run 3")), "{lines:#?}");
    }

    #[test]
    fn a_report_without_findings_says_what_holds() {
        let mut report = sample::report();
        report.findings.clear();
        report.relations.truncate(2);
        let sources = sample::sources();
        let end =
            |report: &Report| render(report, &sample::options(&sources)).lines().last().map(str::to_owned);
        // Violations without a finding are those that a baseline knows.
        assert_eq!(end(&report).as_deref(), Some("2 relations tested: nothing new (seed 42)"));
        report.relations.remove(0);
        assert_eq!(end(&report).as_deref(), Some("1 relation tested: no violation found (seed 42)"));
    }
}
