//! Known false kinds: differences that a transformation legitimately causes and that no comparison of answers can tell.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{FollowUp, Plan, Test};
use crate::outline::Outline;
use crate::position::LineIndex;
use crate::program::Language;
use crate::trace::{Answer, Step};
use crate::transformations::words;

/// Whether a difference in places or values may come from a variable that the plan captures.
///
/// V8 gives an expression no place of its own where its value already stands in a register; once a closure captures the
/// variable, the places inside a statement that uses it are others. A breakpoint there then means another moment, and so
/// do steps from it.
pub(crate) fn moved_by_capture(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> Result<bool> {
    use DifferenceKind as Kind;
    let of_place = matches!(
        difference.kind,
        Kind::BreakpointMoved
            | Kind::PauseMoved
            | Kind::PauseMissing
            | Kind::PauseExtra
            | Kind::Stack
            | Kind::Value
    );
    let (true, false, Some(&(one, two))) = (of_place, plan.captured.is_empty(), follow_up.pairs.last())
    else {
        return Ok(false);
    };
    Ok(mentions(initial, one, plan)? || mentions(&follow_up.test, two, plan)?)
}

/// Whether a difference in values may be one of C variables that have no value yet: debuggers show what happens to stand
/// in their place, and that moves with every edit.
pub(crate) fn without_value(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> bool {
    let rewritten_c = initial.program.language == Language::C && !plan.edits.is_empty();
    let (true, DifferenceKind::Value, Some(&(step, _))) =
        (rewritten_c, difference.kind, follow_up.pairs.last())
    else {
        return false;
    };
    let Some(Answer::Paused(pause)) = initial.trace.steps.get(step).map(|step| &step.answer) else {
        return false;
    };
    let name = difference.expected.split(" in ").next().unwrap_or_default();
    let index = LineIndex::new(&initial.program.source);
    let has_name = |text: &str| words(text).iter().any(|word| word == name);
    // Upwards from the pause to the line that begins the function.
    for line in (1..pause.location.line).rev() {
        let text = index.line(line);
        if text.starts_with(|first: char| !first.is_whitespace() && first != '}') {
            return !has_name(text);
        }
        if has_name(text) && text.contains('=') {
            return false;
        }
    }
    true
}

/// Whether a step, or the pause that it started from, stands in a statement that mentions a captured variable.
fn mentions(test: &Test, step: usize, plan: &Plan) -> Result<bool> {
    let source = &test.program.source;
    let outline = Outline::of(&test.program)?;
    let index = LineIndex::new(source);
    let place = |step: &Step| match &step.answer {
        Answer::Paused(pause) => Some(pause.location),
        Answer::Set(at) => Some(*at),
        _ => None,
    };
    let here = test.trace.steps.get(step).and_then(place);
    let before =
        test.trace.steps[..step.min(test.trace.steps.len())].iter().rev().find_map(|step| {
            match &step.answer {
                Answer::Paused(pause) => Some(pause.location),
                _ => None,
            }
        });
    Ok(here.into_iter().chain(before).any(|position| {
        let text = outline.statement_text(source, index.offset(position));
        words(text).iter().any(|word| plan.captured.contains(word))
    }))
}
