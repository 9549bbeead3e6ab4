//! The built-in checks between the runs of a command.

use std::path::Path;

use serde_json::json;
use twinrun_base::{FailedCheck, Operator, Value};
use twinrun_subject::command::{Check, Stream};

use super::draw::Parameters;
use super::{Done, expression, failed_check, script};
use crate::executor::ExecuteError;

/// `None` when the check holds.
pub(super) fn failed(
    check: &Check,
    source: &Parameters,
    runs: &[Done],
    relation: &str,
    folder: &Path,
) -> Result<Option<FailedCheck>, ExecuteError> {
    use Check as C;
    let stream = |run: &usize, stream: &Stream| -> Vec<u8> {
        let Some(done) = runs.get(run.wrapping_sub(1)) else { return Vec::new() };
        match stream {
            Stream::Stdout => done.output.stdout.clone(),
            Stream::Stderr => done.output.stderr.clone(),
            Stream::File(name) => done.output.files.get(name).cloned().unwrap_or_default(),
        }
    };
    // A property of two outputs: its name, whether it holds, and how the sides are shown.
    let compare = |left: &usize,
                   right: &usize,
                   which: &Stream,
                   operator: Operator,
                   what: &str,
                   holds: fn(&[u8], &[u8]) -> bool| {
        let (a, b) = (stream(left, which), stream(right, which));
        (!holds(&a, &b)).then(|| {
            let mut failed =
                failed_check(format!("{what} (runs {left} and {right})"), Value::Bytes(a), Value::Bytes(b));
            failed.operator = operator;
            failed
        })
    };
    Ok(match check {
        C::SameOutput { left, right, stream } => {
            compare(left, right, stream, Operator::Eq, "same output", |a, b| a == b)
        }
        C::DifferentOutput { left, right, stream } => {
            compare(left, right, stream, Operator::Ne, "different output", |a, b| a != b)
        }
        C::PermutationOfLines { left, right, stream } => {
            compare(left, right, stream, Operator::True, "the same lines in any order", |a, b| {
                sorted(a) == sorted(b)
            })
        }
        C::SubsetOfLines { left, right, stream } => compare(
            left,
            right,
            stream,
            Operator::True,
            "the right run's lines are among the left run's",
            contains,
        ),
        C::SupersetOfLines { left, right, stream } => compare(
            left,
            right,
            stream,
            Operator::True,
            "the left run's lines are among the right run's",
            |a, b| contains(b, a),
        ),
        C::ReverseOfLines { left, right, stream } => {
            compare(left, right, stream, Operator::True, "the same lines in reverse order", |a, b| {
                lines(a).iter().rev().eq(lines(b).iter())
            })
        }
        C::SameExit { left, right } => {
            let exit =
                |run: &usize| runs.get(run.wrapping_sub(1)).and_then(|done| done.output.exit).unwrap_or(-1);
            let (a, b) = (exit(left), exit(right));
            (a != b).then(|| FailedCheck {
                operator: Operator::Eq,
                ..failed_check(
                    format!("same exit code (runs {left} and {right})"),
                    Value::Int(a.into()),
                    Value::Int(b.into()),
                )
            })
        }
        C::Numeric { left, right, stream: which, tolerance, relative } => {
            let (a, b) =
                (expression::numbers(&stream(left, which)), expression::numbers(&stream(right, which)));
            let near =
                |a: f64, b: f64| a == b || (a - b).abs() <= tolerance.max(relative * a.abs().max(b.abs()));
            let holds = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| near(*a, *b));
            (!holds).then(|| FailedCheck {
                operator: Operator::Near,
                tolerance: Some(*tolerance),
                ..failed_check(
                    format!("equal numbers within the tolerance (runs {left} and {right})"),
                    Value::Floats(a),
                    Value::Floats(b),
                )
            })
        }
        C::Expression { holds } => {
            let value = expression::evaluate(&holds.0, source, runs)?;
            (value == 0.0).then(|| {
                let output =
                    |run: usize| runs.get(run).map(|done| done.output.stdout.clone()).unwrap_or_default();
                failed_check(holds.0.clone(), Value::Bytes(output(0)), Value::Bytes(output(1)))
            })
        }
        C::Script { script: program } => {
            let described: Vec<_> = runs.iter().map(script::described).collect();
            let answer = script::run(program, folder, &json!({"relation": relation, "runs": described}))?;
            match answer.get("holds").and_then(serde_json::Value::as_bool) {
                Some(true) => None,
                Some(false) => {
                    let message = answer
                        .get("message")
                        .and_then(serde_json::Value::as_str)
                        .unwrap_or("the script says no");
                    let output =
                        |run: usize| runs.get(run).map(|done| done.output.stdout.clone()).unwrap_or_default();
                    Some(failed_check(message.to_owned(), Value::Bytes(output(0)), Value::Bytes(output(1))))
                }
                None => {
                    return Err(ExecuteError::new(format!(
                        "the script `{}` answered {answer} instead of {{\"holds\": true}} or {{\"holds\": false}}",
                        program.join(" ")
                    )));
                }
            }
        }
    })
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() { Vec::new() } else { bytes.split(|byte| *byte == b'\n').collect() }
}

fn sorted(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = lines(bytes);
    lines.sort_unstable();
    lines
}

/// Whether every line of `part` is in `whole`, as often at least.
fn contains(whole: &[u8], part: &[u8]) -> bool {
    let mut rest = sorted(whole).into_iter();
    sorted(part).into_iter().all(|line| rest.by_ref().any(|other| other == line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_each_line_at_most_as_often() {
        assert!(contains(b"b\na\na\n", b"a\nb\n"));
        assert!(contains(b"b\na\na\n", b"a\na"));
        assert!(!contains(b"b\na\n", b"a\na\n"));
        assert!(contains(b"x\n", b""));
    }
}
