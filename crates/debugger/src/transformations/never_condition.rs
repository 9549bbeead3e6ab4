//! A breakpoint whose condition never holds is like none.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::places::random_place;
use crate::random::Random;
use crate::trace::Action;

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct NeverCondition;

impl Transformation for NeverCondition {
    fn name(&self) -> &'static str {
        "false-condition"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint whose condition never holds changes nothing"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.conditions {
            return None;
        }
        let steps = steps_where(scene, |_, action, _| matches!(action, Action::Control(_)));
        let step = *random.pick(&steps)?;
        let at = random_place(&scene.test.program, scene.outline, scene.capabilities, random)?;
        // One that stands already would be asked for twice.
        let known = |action: &Action| match action {
            Action::Set { at: other, .. } => {
                *other == at || (!scene.capabilities.columns && other.line == at.line)
            }
            _ => false,
        };
        let taken = scene.test.trace.steps.iter().any(|step| known(&step.action));
        (!taken).then(|| Plan {
            transformation: self.name().to_owned(),
            step,
            at: Some(at),
            ..Plan::default()
        })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        if index == follow.plan.step
            && let Some(at) = follow.plan.at
        {
            let condition = Some(follow.capabilities.never.to_owned());
            follow.perform(Action::Set { at, condition })?;
        }
        follow.mirror(index)
    }
}
