//! Which of the known bugs a warning shows, told by what differs and where.

use twinrun_debugger::{Action, Answer, Control, DifferenceKind as Kind, LineIndex, Position, Test, Warning};

/// The bugs of V8's debugger that the study and we know of.
pub(crate) const MISSED: &str = "missed slid breakpoint (889481)";
pub(crate) const UNASKED: &str = "pause without a breakpoint (892653)";
pub(crate) const LOST_VARIABLE: &str = "missing variable (901816)";
pub(crate) const CLASS: &str = "breakpoint on a class loses the later ones";
pub(crate) const CRASH: &str = "crash in a loop whose variable dead code captures";

/// The bug, if it is one of the five.
pub(crate) fn known(warning: &Warning) -> Option<&'static str> {
    let kind = warning.difference.kind;
    let of_pause = matches!(kind, Kind::PauseMoved | Kind::PauseMissing | Kind::PauseExtra | Kind::Stack);
    let version = warning.debugger.split(' ').nth(1).unwrap_or_default();
    // Expressions for literals may add stops: such a difference says nothing about the class.
    let of_literal = warning.plan.transformation.ends_with("-to-expression");
    if version.starts_with("16.20") && !of_literal && on_class(warning) && of_pause {
        return Some(CLASS);
    }
    match kind {
        Kind::Crash if !warning.plan.captured.is_empty() => Some(CRASH),
        // The captured variable of the function itself; others that are left out are other bugs.
        Kind::VariableMissing
            if warning.plan.transformation == "insert-dead-code"
                && warning
                    .plan
                    .mentioned
                    .iter()
                    .any(|name| warning.difference.expected.starts_with(&format!("{name} in Own scope"))) =>
        {
            Some(LOST_VARIABLE)
        }
        // After a step over `await` it is another bug, which current versions have, too.
        _ if of_pause && unasked(warning) && over_yield(warning) => Some(UNASKED),
        _ if of_pause && warning.plan.transformation == "slide" => Some(MISSED),
        _ => None,
    }
}

/// Whether one of the sessions paused after a continue although no breakpoint stands there.
fn unasked(warning: &Warning) -> bool {
    let pause = |test: &Test, step: usize| {
        test.trace.steps.get(step).is_some_and(|step| match (&step.action, &step.answer) {
            (Action::Control(Control::Continue), Answer::Paused(pause)) => {
                let here = text_at(&test.program.source, pause.location);
                !pause.at_breakpoint && !here.starts_with("debugger")
            }
            _ => false,
        })
    };
    warning
        .follow_up
        .pairs
        .last()
        .is_some_and(|&(one, two)| pause(&warning.initial, one) || pause(&warning.follow_up.test, two))
}

/// Whether one of the sessions stepped from a line with a `yield`.
fn over_yield(warning: &Warning) -> bool {
    let stepped = |test: &Test| {
        let mut at = None;
        test.trace.steps.iter().any(|step| {
            let from = at;
            if let Answer::Paused(pause) = &step.answer {
                at = Some(pause.location);
            }
            let steps = matches!(&step.action, Action::Control(control) if *control != Control::Continue);
            let line = |at: Position| LineIndex::new(&test.program.source).line(at.line).contains("yield");
            steps && from.is_some_and(line)
        })
    };
    stepped(&warning.initial) || stepped(&warning.follow_up.test)
}

/// Whether a breakpoint stood on a class.
fn on_class(warning: &Warning) -> bool {
    let on_class = |test: &Test| {
        test.trace.steps.iter().any(|step| {
            matches!(&step.answer, Answer::Set(at) if text_at(&test.program.source, *at).starts_with("class"))
        })
    };
    on_class(&warning.initial) || on_class(&warning.follow_up.test)
}

fn text_at(source: &str, at: Position) -> &str {
    &source[LineIndex::new(source).offset(at)..]
}
