//! Every place that the debugger offers for breakpoints takes one, exactly there.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct ExactPlace;

impl Transformation for ExactPlace {
    fn name(&self) -> &'static str {
        "offered-place"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint at a place that the debugger offers stands exactly there"
    }

    fn needs_places(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = steps_where(scene, |_, action, _| matches!(action, Action::Control(_)));
        let step = *random.pick(&steps)?;
        let at = random.pick(scene.places)?.at;
        let taken = scene.test.trace.steps.iter().any(|step| match (&step.action, &step.answer) {
            (Action::Set { at: other, .. }, Answer::Set(actual)) => *other == at || *actual == at,
            (Action::Set { at: other, .. }, _) => *other == at,
            _ => false,
        });
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
            let set = follow.perform(Action::set(at))?;
            let answer = follow.session.steps()[set].answer.clone();
            if answer != Answer::Set(at) && !matches!(answer, Answer::Ended(_)) {
                let kind = DifferenceKind::BreakpointMoved;
                let expected = format!("set at {at}, which it offers");
                follow.contradict(index, set, Difference { kind, expected, found: answer.to_string() });
                return Ok(None);
            }
            follow.perform(Action::Remove { at })?;
        }
        follow.mirror(index)
    }
}
