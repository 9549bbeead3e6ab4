//! Replace continue by step: the places where the four controls may pause include each other (continue ⊂ step out ⊂ step
//! over ⊂ step into), so steps and then a continue lose no pause.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer, Control};

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
        let step = *random.pick(&steps)?;
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
