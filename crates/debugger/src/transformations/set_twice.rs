//! Setting a breakpoint a second time, at the place where it was asked for, changes nothing.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct SetTwice;

impl Transformation for SetTwice {
    fn name(&self) -> &'static str {
        "set-twice"
    }

    fn claim(&self) -> &'static str {
        "asking for the same breakpoint twice changes nothing"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = steps_where(scene, |_, action, answer| {
            matches!((action, answer), (Action::Set { .. }, Answer::Set(_)))
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let answered = follow.mirror(index)?;
        if index == follow.plan.step {
            let step = &follow.initial.steps[index];
            follow.perform(step.action.clone())?;
            // A debugger may refuse the second one or count it as the first; if it placed it, then at the same place.
            if let Some(Answer::Set(_)) = follow.last() {
                follow.also.push((index, follow.session.steps().len() - 1));
            }
        }
        if let Action::Remove { at } = follow.initial.steps[index].action
            && follow.session.standing().iter().any(|standing| standing.requested == at)
        {
            follow.perform(Action::Remove { at })?;
        }
        Ok(answered)
    }
}
