//! Add breakpoint and continue: one more breakpoint has no influence other than additional pauses where it stands.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::places::random_place;
use crate::random::Random;
use crate::trace::{Action, Answer, Control};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct AddBreakpoint;

/// Additional pauses after which the added breakpoint is removed again, for loops that would never end.
const MOST_PAUSES: usize = 25;

impl Transformation for AddBreakpoint {
    fn name(&self) -> &'static str {
        "add-breakpoint"
    }

    fn claim(&self) -> &'static str {
        "one more breakpoint adds pauses where it stands and changes nothing else"
    }

    fn interactive(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = steps_where(scene, |_, action, _| matches!(action, Action::Control(_)));
        let step = *random.pick(&steps)?;
        let at = random_place(&scene.test.program, scene.outline, scene.capabilities, random)?;
        // Asked for twice at one place, the initial session's own breakpoint would be refused.
        let asked = |action: &Action| matches!(action, Action::Set { at: known, .. } if *known == at);
        if scene.test.trace.steps.iter().any(|step| asked(&step.action)) {
            return None;
        }
        Some(Plan { transformation: self.name().to_owned(), step, at: Some(at), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        if index == follow.plan.step
            && let Some(at) = follow.plan.at
        {
            follow.perform(Action::set(at))?;
            if let Some(Answer::Set(actual)) = follow.last() {
                follow.added = Some(*actual);
            }
        }
        let (Some(added), Action::Control(control)) = (follow.added, &follow.initial.steps[index].action)
        else {
            return follow.mirror(index);
        };
        let stepped = *control != Control::Continue;
        let mut answered = follow.resume(index, *control)?;
        let mut pauses = 0;
        while follow.location() == Some(added) && !follow.matches(index) {
            pauses += 1;
            if pauses == MOST_PAUSES
                && let Some(at) = follow.plan.at
            {
                follow.perform(Action::Remove { at })?;
                follow.added = None;
            }
            answered =
                follow.meet_again(index, stepped, |location| location == added && pauses < MOST_PAUSES)?;
            if pauses >= MOST_PAUSES {
                break;
            }
        }
        Ok(Some(answered))
    }
}
