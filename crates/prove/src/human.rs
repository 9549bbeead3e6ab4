//! A report as text for people.

use std::fmt::Write as _;

use twinrun_base::{Case, Value};

use crate::failure_report::{FailureReport, RowKind};
use crate::human_tables;
use crate::loops::LoopProof;
use crate::report::{Condition, Failure, Report, Safety, Witness};
use crate::verdict::{By, Verdict};

/// The report as text.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}: {}", report.subject, report.relation, headline(report));
    for input in &report.inputs {
        let _ = writeln!(text, "  input {input}");
    }
    if let Some(merged) = &report.merged
        && let Verdict::Proved(proof) = &report.verdict
        && merged.complete
        && matches!(proof.by(), By::MergedPaths | By::Permutations)
    {
        let over = if merged.integers { ", over integers where nothing can wrap around" } else { "" };
        let each = if proof.by() == By::Permutations { ", each permutation by itself" } else { "" };
        let _ = writeln!(
            text,
            "  with paths merged{each}: {} left after {} merges, {}{over}",
            count(merged.paths, "path"),
            merged.merges,
            count(merged.queries, "query"),
        );
    }
    if let Some(tested) = &report.tested {
        let all = if tested.all_pairs { "all" } else { "not all" };
        let cut = match (tested.cut, tested.limited) {
            (true, _) => ", cut",
            (false, true) => ", fewer than planned since they are long",
            (false, false) => "",
        };
        let _ = writeln!(
            text,
            "  in the other engine: {} drawn and {} at boundaries ({all} pairs of boundary values){cut}",
            count(tested.drawn, "group"),
            tested.boundary
        );
    }
    if let Some(proof) = &report.loops {
        describe_loops(&mut text, proof);
    }
    if let Some(pairs) = &report.pairs {
        let all = if pairs.complete { "" } else { " so far, not all" };
        let _ = writeln!(
            text,
            "  {} of a single run; {} feasible{all}: {} failing, {} of them for some inputs only",
            count(pairs.first_run_paths as u64, "path"),
            count(pairs.pairs as u64, "pair"),
            pairs.failing,
            pairs.mixed
        );
    }
    if let Some(witness) = &report.witness {
        describe_witness(&mut text, witness);
    }
    if let Some(condition) = &report.fails_when {
        let _ = writeln!(text, "  fails {} {condition}", when(condition));
    }
    for (number, failure) in report.failures.iter().enumerate() {
        describe(&mut text, number + 1, failure);
    }
    if report.failures_left_out > 0 {
        let _ = writeln!(text, "\n  … and {} failing pairs more", report.failures_left_out);
    }
    if let Some(tables) = &report.tables {
        text.push_str(&human_tables::render(tables));
    }
    if let Some(suspected) = &report.suspected {
        let counts: Vec<String> = suspected
            .violations
            .iter()
            .enumerate()
            .map(|(run, violations)| format!("the path of run {} in {violations}", run + 1))
            .collect();
        let _ = writeln!(
            text,
            "\n  suspected: path {} (run {} of failure 1): of all failing pairs, {}",
            suspected.path,
            suspected.run,
            counts.join(", ")
        );
    }
    if let Some(failure) = &report.failure_report {
        let _ = writeln!(
            text,
            "\n  lines that lead to the failure ({:.1} % of {}, {:.1} % of {} trace rows):",
            failure.lines_percent(),
            failure.source_lines,
            failure.rows_percent(),
            failure.trace_rows
        );
        for line in &failure.lines {
            let mend = line.mend.as_ref().map(|mend| format!(": {mend}")).unwrap_or_default();
            let place = &line.location;
            let _ = writeln!(text, "    {}:{} ({:.2}){mend}", place.file, place.line, line.score);
        }
    }
    safety(&mut text, &report.safety);
    for statement in &report.follows {
        let _ = writeln!(text, "  by {}: {}", statement.relations.join(" and "), statement.text);
    }
    if let Some(disagreement) = &report.disagreement {
        let _ = writeln!(
            text,
            "  prover: {}; other engine: {}; case: {}",
            disagreement.prover,
            disagreement.engine,
            case_text(&disagreement.case)
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    text
}

/// The chain of events of a failure report, a row each, only of these kinds; highlighted ones are marked.
pub fn render_trace(failure: &FailureReport, kinds: &[RowKind]) -> String {
    let mut text = format!("inputs: {}\n", case_text(&failure.case));
    for (number, row) in failure.rows.iter().enumerate().filter(|(_, row)| kinds.contains(&row.kind)) {
        let mark = if row.highlighted { '>' } else { ' ' };
        let place =
            row.location.as_ref().map(|place| format!(", {}:{}", place.file, place.line)).unwrap_or_default();
        let _ = writeln!(
            text,
            "{mark}{:5} run {} [{}] {}{place}",
            number + 1,
            row.run,
            row.kind.name(),
            row.text
        );
    }
    text
}

fn headline(report: &Report) -> String {
    match &report.verdict {
        Verdict::Proved(proof) if proof.by() == By::AllCases => format!(
            "proved for all inputs of the declared ranges: each of its {} was run",
            count(proof.paths(), "case")
        ),
        Verdict::Proved(_) => "proved for all inputs of the declared ranges".to_owned(),
        Verdict::ProvedOverReals(_) => {
            "proved over the reals and over integers without overflow, for every number of turns of its loops; the machine's numbers were tested, not proved"
                .to_owned()
        }
        Verdict::ProvedUpTo { bound, remaining, .. } => {
            format!("proved up to a bound: {bound}; not covered: {remaining}")
        }
        Verdict::Tested { paths, outcomes: (taken, of), open } => format!(
            "holds on {paths} selected paths, each for all of its inputs (symbolic testing, no proof): {taken} of {of} branch outcomes taken, {open} branches open"
        ),
        Verdict::Violated => "VIOLATED".to_owned(),
        Verdict::Crashed => "CRASHES for some inputs".to_owned(),
        Verdict::Unknown { reasons } => format!("unknown: {}", reasons.join("; ")),
    }
}

fn describe_loops(text: &mut String, proof: &LoopProof) {
    if !proof.any.is_empty() {
        let _ = writeln!(text, "  for any function {}", proof.any.join(", "));
    }
    for way in &proof.ways {
        let _ = writeln!(text, "  when {}: {}", way.when, if way.proved { "proved" } else { "not proved" });
        if let Some(steps) = &way.steps {
            let _ = writeln!(text, "    in common steps of {steps}");
        }
        for invariant in &way.invariants {
            let _ = writeln!(text, "    invariant {invariant}");
        }
    }
    let (tested, violated) = proof.tested;
    let _ = writeln!(text, "  on doubles: {tested} cases tested, {violated} outside the tolerance");
    if let Some(case) = &proof.witness {
        let _ = writeln!(text, "    for example {}", case_text(case));
    }
}

fn describe_witness(text: &mut String, witness: &Witness) {
    let verdict = witness.replayed.verdict;
    let _ = writeln!(text, "  {verdict} for {}", case_text(&witness.case));
    if let Some(crash) = &witness.replayed.crash {
        let place = crash.location().map(|place| format!(" at {place}")).unwrap_or_default();
        let _ = writeln!(text, "    {}{place}", crash.message);
    }
}

fn when(condition: &Condition) -> &'static str {
    if condition.exact { "exactly when" } else { "when (there may be more)" }
}

fn describe(text: &mut String, number: usize, failure: &Failure) {
    let paths: Vec<String> = failure.paths.iter().map(|path| format!("path {path}")).collect();
    let _ = writeln!(text, "\n  failure {number}: {}", paths.join(" and "));
    let _ = writeln!(text, "    fails {} {}", when(&failure.fails_when), failure.fails_when);
    match &failure.holds_when {
        Some(condition) => {
            let _ = writeln!(text, "    holds {} {condition}", when(condition));
        }
        None => text.push_str("    holds for no inputs of these paths\n"),
    }
    if let Some(trigger) = &failure.trigger {
        let _ = writeln!(text, "    trigger: {trigger}");
    }
    for output in &failure.outputs {
        let _ = writeln!(text, "    run {}: {} = {}", output.run, output.name, output.value);
    }
    let _ = writeln!(text, "    line {}: {}", failure.line, failure.check);
    if let Some((left, right)) = &failure.sides {
        let _ = writeln!(text, "      left {left}, right {right}");
    }
    if let Some(witness) = &failure.witness {
        let confirmed = if witness.confirmed {
            "confirmed in the other engine"
        } else {
            "NOT confirmed in the other engine"
        };
        let _ = writeln!(text, "    for example {} ({confirmed})", case_text(&witness.case));
        for place in &witness.wraps {
            let _ = writeln!(text, "    there, an integer wraps around at {place}");
        }
    }
}

fn safety(text: &mut String, safety: &Safety) {
    match safety {
        Safety::Proved { checked } => {
            let _ = writeln!(text, "  safety: proved for the same inputs ({checked})");
        }
        Safety::Broken { crashes, complete } => {
            let all = if *complete { "" } else { ", there may be more" };
            let _ = writeln!(text, "  safety: broken{all}");
            for failure in crashes {
                let place = failure.crash.location().map(|place| format!(" at {place}")).unwrap_or_default();
                let _ = writeln!(text, "    {}{place}", failure.crash.message);
                let _ = writeln!(text, "      when {}", failure.fails_when);
                let confirmed = if failure.confirmed { "confirmed" } else { "NOT confirmed" };
                let _ = writeln!(text, "      for example {} ({confirmed})", case_text(&failure.case));
            }
        }
        Safety::Unknown { reasons } => {
            let _ = writeln!(text, "  safety: not known ({})", reasons.join("; "));
        }
    }
}

/// A case on one line.
pub(crate) fn case_text(case: &Case) -> String {
    let value = |value: &Value| match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Ints(numbers) => format!("{numbers:?}"),
        Value::Floats(numbers) => format!("{numbers:?}"),
        Value::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Value::Ops(ops) => format!("{} operations", ops.len()),
    };
    let parts: Vec<String> =
        case.inputs.iter().map(|input| format!("{} = {}", input.name, value(&input.value))).collect();
    parts.join(", ")
}

fn count(number: u64, what: &str) -> String {
    match (number, what) {
        (1, _) => format!("1 {what}"),
        (_, "query") => format!("{number} queries"),
        _ => format!("{number} {what}s"),
    }
}
