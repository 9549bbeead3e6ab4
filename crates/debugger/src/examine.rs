//! Whether a plan shows a difference that the debugger has to answer for.

use crate::backend::Backend;
use crate::compare::{Difference, DifferenceKind, Relation};
use crate::error::Result;
use crate::follow::{FollowUp, Plan, Test, follow};
use crate::guards;
use crate::predict::Prediction;
use crate::rounds::{NONE, lone_follow_up};
use crate::session::replay;
use crate::trace::{Action, Answer, Control};
use crate::warning::Warning;

/// What came of a plan beside a recorded session.
#[derive(Debug)]
pub struct Examined {
    /// The follow-up session.
    pub follow_up: FollowUp,
    /// What the debugger says of both programs, where a difference made us ask.
    pub prediction: Option<Prediction>,
    /// Why the difference says nothing about the debugger, if so.
    pub explained: Option<&'static str>,
    /// Sessions that it took.
    pub sessions: usize,
}

/// Performs a plan, and where a difference shows, tries everything else that could have made it.
///
/// # Errors
/// When the transformed program does not parse or the debugger talks nonsense.
pub fn examine(backend: &mut dyn Backend, initial: &Test, plan: &Plan) -> Result<Examined> {
    let follow_up = follow(backend, initial, plan, None)?;
    let mut examined = Examined { follow_up, prediction: None, explained: None, sessions: 1 };
    if examined.follow_up.difference.is_none() {
        return Ok(examined);
    }
    if !plan.edits.is_empty() {
        // Steps may stop at places that only the changed program has: with these known, the sessions may meet after all.
        let changed = &examined.follow_up.test.program;
        let prediction = Prediction::of(backend, &initial.program, changed, plan)?;
        examined.follow_up = follow(backend, initial, plan, Some(&prediction))?;
        examined.prediction = Some(prediction);
        examined.sessions += 3;
    }
    let Some(difference) = examined.follow_up.difference.clone() else { return Ok(examined) };
    examined.explained =
        explanation(initial, plan, &examined.follow_up, &difference, examined.prediction.as_ref())?;
    if examined.explained.is_none() && !control_agrees(backend, initial, plan, &examined.follow_up)? {
        examined.sessions += 1;
        examined.explained = Some("a breakpoint where the step ended does not meet it, whatever else is set");
    }
    Ok(examined)
}

fn explanation(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
    prediction: Option<&Prediction>,
) -> Result<Option<&'static str>> {
    let predicted = prediction.and_then(|known| known.explains(initial, follow_up, difference));
    match predicted {
        Some(why) => Ok(Some(why)),
        None => guards::false_kind(initial, plan, follow_up, difference),
    }
}

/// Whether a temporary breakpoint can stand for the step that it replaced: the same session with nothing else changed, but with
/// the breakpoint and a continue instead of the step, has to pause alike. A step may end inside a statement on its return from a
/// call, or know the frame that it began in; a breakpoint does neither.
fn control_agrees(
    backend: &mut dyn Backend,
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
) -> Result<bool> {
    let (true, Some(&(one, two))) = (plan.transformation == "add-breakpoint", follow_up.pairs.last()) else {
        return Ok(true);
    };
    let steps = &initial.trace.steps;
    let (Some(step), true) = (steps.get(one), two < follow_up.test.trace.steps.len()) else {
        return Ok(true);
    };
    let (Action::Control(control), Answer::Paused(pause)) = (&step.action, &step.answer) else {
        return Ok(true);
    };
    let met_by_continue = follow_up.test.trace.steps[two].action == Action::Control(Control::Continue);
    if *control == Control::Continue || !met_by_continue {
        return Ok(true);
    }
    let mut actions: Vec<Action> = steps[..one].iter().map(|step| step.action.clone()).collect();
    actions.push(Action::set(pause.location));
    actions.push(Action::Control(Control::Continue));
    let trace = replay(backend, &initial.program, &actions)?;
    let met = trace.steps.last().map(|step| &step.answer);
    Ok(met.is_some_and(|met| {
        Relation::default().compare(&step.answer, met).is_none() && *met != Answer::Removed
    }))
}

/// Repeats a warning, each session in a fresh process; the warning takes over what is seen there.
///
/// # Errors
/// When the debugger talks nonsense.
pub fn confirm(
    backend: &mut dyn Backend,
    warning: &mut Warning,
    prediction: Option<&Prediction>,
) -> Result<bool> {
    backend.discard();
    let trace = replay(backend, &warning.initial.program, &warning.initial.trace.actions())?;
    backend.discard();
    let initial = Test { program: warning.initial.program.clone(), trace };
    let follow_up = if warning.plan.transformation == NONE {
        lone_follow_up(backend, &initial.program, &warning.follow_up.test.trace.actions())?
    } else {
        follow(backend, &initial, &warning.plan, prediction)?
    };
    backend.discard();
    let Some(difference) = follow_up.difference.clone() else { return Ok(false) };
    let same = difference.kind == warning.difference.kind
        && explanation(&initial, &warning.plan, &follow_up, &difference, prediction)?.is_none();
    // Output and pauses may come over two channels: what one race shows, others do not.
    if same && difference.kind == DifferenceKind::Output && warning.plan.transformation != NONE {
        for _ in 0..2 {
            backend.discard();
            let again = replay(backend, &initial.program, &initial.trace.actions())?;
            let found = follow(backend, &initial, &warning.plan, prediction)?.difference;
            if again != initial.trace || found.as_ref() != Some(&difference) {
                backend.discard();
                return Ok(false);
            }
        }
        backend.discard();
    }
    if same {
        warning.initial = initial;
        warning.follow_up = follow_up;
        warning.difference = difference;
    }
    Ok(same)
}
