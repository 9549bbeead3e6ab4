//! Running to the place where a continue paused pauses there too.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer, Control, Special};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct RunTo;

impl Transformation for RunTo {
    fn name(&self) -> &'static str {
        "run-to"
    }

    fn claim(&self) -> &'static str {
        "running to the place of the next pause pauses there"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        let started =
            scene.test.trace.steps.iter().position(|step| matches!(step.action, Action::Control(_)))?;
        let steps = steps_where(scene, |index, action, answer| {
            index > started
                && *action == Action::Control(Control::Continue)
                && matches!(answer, Answer::Paused(pause) if pause.at_breakpoint)
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        match &follow.initial.steps[index].answer {
            Answer::Paused(pause) if index == follow.plan.step => {
                let at = pause.location;
                let answered = follow.perform(Action::Special(Special::RunTo { at }))?;
                match follow.last() {
                    // Refused: another breakpoint stands there, or the debugger cannot.
                    Some(Answer::Refused(_)) => follow.mirror(index),
                    _ => Ok(Some(answered)),
                }
            }
            _ => follow.mirror(index),
        }
    }
}
