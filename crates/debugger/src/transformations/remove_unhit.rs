//! A breakpoint at which the program never paused can go.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::position::Position;
use crate::random::Random;
use crate::trace::{Action, Answer, Step};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct RemoveUnhit;

impl Transformation for RemoveUnhit {
    fn name(&self) -> &'static str {
        "remove-unhit-breakpoint"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint at which the program never paused can be left out"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = &scene.test.trace.steps;
        let requests = |at: Position| {
            steps
                .iter()
                .filter(|step| matches!(&step.action, Action::Set { at: other, .. } if *other == at))
                .count()
        };
        let unhit = steps_where(scene, |_, action, answer| match (action, answer) {
            (Action::Set { at, .. }, Answer::Set(actual)) => !paused_at(steps, *actual) && requests(*at) == 1,
            _ => false,
        });
        let step = *random.pick(&unhit)?;
        let Action::Set { at, .. } = steps[step].action else { return None };
        Some(Plan { transformation: self.name().to_owned(), step, at: Some(at), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        match &follow.initial.steps[index].action {
            Action::Set { at, .. } | Action::Remove { at } if Some(*at) == follow.plan.at => Ok(None),
            _ => follow.mirror(index),
        }
    }
}

fn paused_at(steps: &[Step], place: Position) -> bool {
    steps.iter().any(|step| matches!(&step.answer, Answer::Paused(pause) if pause.location == place))
}
