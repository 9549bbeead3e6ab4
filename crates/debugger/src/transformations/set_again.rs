//! Removing a breakpoint and setting it again at once changes nothing.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::position::Position;
use crate::random::Random;
use crate::trace::{Action, Answer};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct SetAgain;

impl Transformation for SetAgain {
    fn name(&self) -> &'static str {
        "set-again"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint removed and set again at once stands at the same place and behaves the same"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = &scene.test.trace.steps;
        let step = *random.pick(&steps_where(scene, |_, action, _| matches!(action, Action::Control(_))))?;
        let mut standing = Vec::new();
        for known in &steps[..step] {
            match (&known.action, &known.answer) {
                (Action::Set { at, condition: None }, Answer::Set(_)) => standing.push(*at),
                (Action::Remove { at }, _) => standing.retain(|other| other != at),
                _ => {}
            }
        }
        let at = *random.pick(&standing)?;
        Some(Plan { transformation: self.name().to_owned(), step, at: Some(at), ..Plan::default() })
    }

    /// The breakpoint that the program paused at, just before a step leaves it.
    fn aim(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let steps = &scene.test.trace.steps;
        let mut standing: Vec<(Position, Position)> = Vec::new();
        let mut here = None;
        let mut found = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            if let (Action::Control(_), Some(here)) = (&step.action, here) {
                let at = standing.iter().filter(|(_, actual)| *actual == here);
                found.extend(at.map(|(requested, _)| (index, *requested)));
            }
            match (&step.action, &step.answer) {
                (Action::Set { at, condition: None }, Answer::Set(actual)) => standing.push((*at, *actual)),
                (Action::Remove { at }, _) => standing.retain(|(requested, _)| requested != at),
                (_, Answer::Paused(pause)) => here = Some(pause.location),
                _ => {}
            }
        }
        let &(step, at) = random.pick(&found)?;
        Some(Plan { transformation: self.name().to_owned(), step, at: Some(at), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        if index == follow.plan.step
            && let Some(at) = follow.plan.at
        {
            follow.perform(Action::Remove { at })?;
            let again = follow.perform(Action::set(at))?;
            let first = follow.initial.steps[..index].iter().rposition(
                |step| matches!((&step.action, &step.answer), (Action::Set { at: known, .. }, Answer::Set(_)) if *known == at),
            );
            follow.also.extend(first.map(|first| (first, again)));
        }
        follow.mirror(index)
    }
}
