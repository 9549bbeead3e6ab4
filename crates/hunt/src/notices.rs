//! What a hunt says of relations and subjects in one sentence each.

use std::fmt::Write;

use crate::combined::Combined;
use crate::outcome::{Notice, Proof, Said};

/// What a proof says of a relation, in one sentence.
pub(crate) fn of_proof(proof: &Proof) -> Option<String> {
    use twinrun_prove::Verdict as Known;
    let report = match &proof.proved {
        Said::Report(report) => report,
        Said::Nothing { why } => return Some(why.clone()),
        Said::Pending => return None,
    };
    Some(match &report.verdict {
        Known::Proved(_) => "proved: it holds for all inputs of its declared ranges".to_owned(),
        Known::ProvedOverReals(_) => {
            "proved over the reals and over integers without overflow, for any number of turns; the machine's numbers were only tested".to_owned()
        }
        Known::ProvedUpTo { bound, remaining, .. } => {
            format!("holds up to {bound}; not covered: {remaining}")
        }
        Known::Tested { .. } => {
            "not proved: it holds on the paths that were selected, and there are others".to_owned()
        }
        Known::Violated | Known::Crashed => return None,
        Known::Unknown { reasons } => match reasons.first() {
            Some(reason) => format!("not proved in the time: {reason}"),
            None => "not proved in the time".to_owned(),
        },
    })
}

/// Lines that a notice names.
const NAMED: usize = 5;

/// Where a fault of a subject would go unnoticed, in one sentence.
pub(crate) fn of_changes(notice: &Notice) -> Option<String> {
    let noticed = notice.said.report()?;
    if noticed.tried == 0 {
        return None;
    }
    let mut text = format!(
        "{}: the relations notice {} of {} small changes of the code that alter an answer",
        notice.subject, noticed.noticed, noticed.tried
    );
    if noticed.run < noticed.lines {
        let never = noticed.lines - noticed.run;
        let _ = write!(text, "; {never} of {} lines were not run", noticed.lines);
    }
    if !noticed.blind.is_empty() {
        let named: Vec<String> = noticed
            .blind
            .iter()
            .take(NAMED)
            .map(|blind| format!("{}:{}", blind.location.file, blind.location.line))
            .collect();
        let more = noticed.blind.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more lines") } else { String::new() };
        let _ = write!(text, "; none is noticed at {}{more}", named.join(", "));
    }
    Some(text)
}

/// What combinations of boundary values gave, in one sentence.
pub(crate) fn of_combinations(combined: &Combined) -> Option<String> {
    if combined.cases == 0 {
        return None;
    }
    let mut text = format!(
        "{} cases with all pairs of boundary values of {} inputs ran first",
        combined.cases,
        combined.inputs.len()
    );
    if combined.failing > 0 {
        let _ = write!(text, ", {} failed", combined.failing);
        if let Some(first) = combined.suffices.first() {
            let _ = write!(text, "; {first} is in no holding one");
        }
    }
    Some(text)
}
