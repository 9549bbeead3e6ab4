//! A variable set to the value that it has changes nothing.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer, Special};

use super::evaluate_shown::shown;
use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct AssignSame;

impl Transformation for AssignSame {
    fn name(&self) -> &'static str {
        "assign-same"
    }

    fn claim(&self) -> &'static str {
        "a variable set by the debugger to the value that it has changes nothing"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        let steps = steps_where(
            scene,
            |_, _, answer| matches!(answer, Answer::Paused(pause) if !shown(pause).is_empty()),
        );
        let step = *random.pick(&steps)?;
        let Answer::Paused(pause) = &scene.test.trace.steps[step].answer else { return None };
        let name = random.pick(&shown(pause))?.0.clone();
        Some(Plan { transformation: self.name().to_owned(), step, fresh: vec![name], ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let answered = follow.mirror(index)?;
        if index == follow.plan.step
            && follow.matches(index)
            && let (Some(Answer::Paused(pause)), Some(name)) = (follow.last(), follow.plan.fresh.first())
            && let Some((name, value)) = shown(pause).into_iter().find(|(known, _)| known == name)
        {
            follow.perform(Action::Special(Special::Assign { name, value }))?;
        }
        Ok(answered)
    }
}
