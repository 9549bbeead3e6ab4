//! The report as text for people: few lines for each suspect, the source around it, and how sure it is.

use std::fmt::Write as _;

use super::{Sources, advice};
use crate::report::{Report, Suspect};

/// The report as text.
pub fn human(report: &Report, sources: &Sources) -> String {
    let mut text = String::new();
    let groups = &report.groups;
    let _ = writeln!(
        text,
        "{}: {} violated and {} holding groups over {} lines ({} slices, {})",
        report.subject, groups.violated, groups.holding, report.lines, report.slice, report.formula
    );
    let silent: Vec<&str> =
        groups.relations.iter().filter(|it| it.violated == 0).map(|it| it.relation.as_str()).collect();
    let loud: Vec<String> = groups
        .relations
        .iter()
        .filter(|it| it.violated > 0)
        .map(|it| format!("{} {}/{}", it.relation, it.violated, it.violated + it.holding))
        .collect();
    if !loud.is_empty() {
        let _ = writeln!(text, "violated: {}", loud.join(", "));
    }
    if !silent.is_empty() && groups.violated > 0 {
        let _ = writeln!(text, "never violated: {}", silent.join(", "));
    }
    if let Some(advice) = advice(report) {
        let _ = writeln!(text, "\n{advice}");
    }
    for suspect in &report.suspects {
        text.push('\n');
        show(&mut text, suspect, sources);
    }
    if !report.suspects.is_empty() {
        let _ = writeln!(text, "\nconfidence: {} ({})", report.confidence.level, report.confidence.reason);
    }
    if let Some(against) = &report.against {
        let _ = writeln!(
            text,
            "\nagainst {}: {} of {} runs answer differently; {} groups hold although a run fails",
            against.reference, against.failed, against.runs, against.coincidental
        );
        let faults: Vec<String> = against.faults.iter().map(ToString::to_string).collect();
        if faults.is_empty() {
            let _ = writeln!(text, "the sources do not differ, so that there is no rank to compare");
        } else {
            let _ = writeln!(text, "the sources differ at {}", faults.join(", "));
            for scenario in &against.scenarios {
                match (scenario.rank, scenario.exam) {
                    (Some(rank), Some(exam)) => {
                        let _ = writeln!(text, "  {:<28} rank {rank:<6} EXAM {exam:.3}", scenario.name);
                    }
                    _ => {
                        let _ = writeln!(text, "  {:<28} no failing run", scenario.name);
                    }
                }
            }
        }
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn show(text: &mut String, suspect: &Suspect, sources: &Sources) {
    let location = &suspect.location;
    let equals = match suspect.equals {
        1 => String::new(),
        equals => format!(" (one of {equals} equals)"),
    };
    let _ = writeln!(
        text,
        "{:>3}. {}:{} in {}{equals}",
        suspect.rank, location.file, location.line, suspect.function
    );
    let around = |line: u32| sources.line(&location.file, line).map(|it| (line, it));
    for (line, source) in (location.line.saturating_sub(1)..=location.line + 1).filter_map(around) {
        let mark = if line == location.line { '>' } else { ' ' };
        let _ = writeln!(text, "   {mark} {line:>5} | {source}");
    }
    let _ = writeln!(text, "     {}", suspect.reason);
}
