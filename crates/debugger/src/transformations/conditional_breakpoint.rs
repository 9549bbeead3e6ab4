//! A condition that always holds changes nothing.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct ConditionalBreakpoint;

impl Transformation for ConditionalBreakpoint {
    fn name(&self) -> &'static str {
        "true-condition"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint whose condition always holds behaves like one without a condition"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.conditions {
            return None;
        }
        let steps = steps_where(scene, |_, action, answer| {
            matches!((action, answer), (Action::Set { condition: None, .. }, Answer::Set(_)))
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        match follow.initial.steps[index].action {
            Action::Set { at, .. } if index == follow.plan.step => {
                let condition = Some(follow.capabilities.always.to_owned());
                follow.perform(Action::Set { at, condition }).map(Some)
            }
            _ => follow.mirror(index),
        }
    }
}
