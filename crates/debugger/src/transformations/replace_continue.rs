//! Replace continue by step: the places where the four controls may pause include each other (continue ⊂ step out ⊂ step
//! over ⊂ step into), so steps and then a continue lose no pause.

use crate::error::Result;
use crate::follow::{Follow, Plan, Test};
use crate::position::LineIndex;
use crate::random::Random;
use crate::trace::{Action, Answer, Control, Step};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct ReplaceContinue;

impl Transformation for ReplaceContinue {
    fn name(&self) -> &'static str {
        "replace-continue"
    }

    fn claim(&self) -> &'static str {
        "steps instead of a continue pause at the same breakpoint, or earlier and then continue to it"
    }

    fn interactive(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let is_control = |action: &Action| matches!(action, Action::Control(_));
        let first = scene.test.trace.steps.iter().position(|step| is_control(&step.action))?;
        // The first control starts the program: there is nothing to step from.
        let steps = steps_where(scene, |index, action, _| {
            index > first && *action == Action::Control(Control::Continue)
        });
        let surprising = surprises(scene.test);
        let step = *random.pick(if surprising.is_empty() { &steps } else { &surprising })?;
        let control = *random.pick(&Control::STEPS)?;
        let controls = vec![control; 1 + random.below(3)];
        Some(Plan { transformation: self.name().to_owned(), step, controls, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        if index != follow.plan.step {
            return follow.mirror(index);
        }
        let plan = follow.plan;
        for control in &plan.controls {
            let answered = follow.perform(Action::Control(*control))?;
            let at_breakpoint = match follow.last() {
                Some(Answer::Paused(pause)) => pause.at_breakpoint,
                _ => true,
            };
            // At a breakpoint the continue would have paused as well: here the sessions have to meet.
            if at_breakpoint || follow.matches(index) {
                return Ok(Some(answered));
            }
        }
        follow.perform(Action::Control(Control::Continue)).map(Some)
    }
}

/// The continues of a session after which the debugger paused without naming a breakpoint: what comes of a step there is
/// worth more than anywhere else.
pub(crate) fn surprises(test: &Test) -> Vec<usize> {
    let index = LineIndex::new(&test.program.source);
    let steps = &test.trace.steps;
    let first = steps.iter().position(|step| matches!(step.action, Action::Control(_))).unwrap_or(0);
    let surprising = |step: &Step| match (&step.action, &step.answer) {
        (Action::Control(Control::Continue), Answer::Paused(pause)) => {
            let text = &test.program.source[index.offset(pause.location)..];
            !pause.at_breakpoint && !text.starts_with("debugger")
        }
        _ => false,
    };
    (first + 1..steps.len()).filter(|&step| surprising(&steps[step])).collect()
}
