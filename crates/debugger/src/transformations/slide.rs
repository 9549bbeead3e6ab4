//! Breakpoint sliding: a breakpoint set at exactly the line and column to which it slid behaves the same.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer};

use super::{Scene, Transformation};

/// See the module.
pub(crate) struct Slide;

impl Transformation for Slide {
    fn name(&self) -> &'static str {
        "slide"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint set at exactly the place to which it slid behaves the same"
    }

    fn plan(&self, scene: &Scene<'_>, _: &mut Random) -> Option<Plan> {
        let slid = scene.test.trace.steps.iter().any(|step| {
            matches!((&step.action, &step.answer), (Action::Set { at, .. }, Answer::Set(actual)) if at != actual)
        });
        slid.then(|| Plan { transformation: self.name().to_owned(), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let step = &follow.initial.steps[index];
        match (&step.action, &step.answer) {
            (Action::Set { condition, .. }, Answer::Set(actual)) => {
                if follow.session.standing().iter().any(|standing| standing.requested == *actual) {
                    // Two breakpoints slid to one place: there is one now.
                    return Ok(None);
                }
                follow.perform(Action::Set { at: *actual, condition: condition.clone() }).map(Some)
            }
            // What the debugger refused stood nowhere; in a changed program it might find a place.
            (Action::Set { .. }, Answer::Refused(_)) => Ok(None),
            (Action::Remove { at }, Answer::Removed) => {
                let Some(&(_, actual)) = follow.alive.iter().find(|(requested, _)| requested == at) else {
                    return follow.mirror(index);
                };
                let shared = follow.alive.iter().filter(|(_, other)| *other == actual).count() > 1;
                if shared { Ok(None) } else { follow.perform(Action::Remove { at: actual }).map(Some) }
            }
            _ => follow.mirror(index),
        }
    }
}
