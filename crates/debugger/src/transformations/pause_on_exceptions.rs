//! Pausing on exceptions adds pauses where something is thrown, and takes none away.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::{Action, Answer, Control, Special};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct PauseOnExceptions;

/// Exceptions after which a continue stops looking for its pause.
const MOST_EXCEPTIONS: usize = 40;

impl Transformation for PauseOnExceptions {
    fn name(&self) -> &'static str {
        "pause-on-exceptions"
    }

    fn claim(&self) -> &'static str {
        "pausing on exceptions adds pauses where something is thrown and changes nothing else"
    }

    fn interactive(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        // A step that an exception interrupts would have to be found again; a continue goes on.
        let steps = &scene.test.trace.steps;
        let is_step =
            |action: &Action| matches!(action, Action::Control(control) if *control != Control::Continue);
        let calm = steps.iter().rposition(|step| is_step(&step.action)).map_or(0, |last| last + 1);
        // What is held at its entry may answer only after it has gone on.
        let first = steps.iter().position(|step| matches!(step.action, Action::Control(_)))?;
        let begun = first + usize::from(scene.capabilities.held);
        let steps = steps_where(scene, |index, action, _| {
            index >= calm.max(begun) && *action == Action::Control(Control::Continue)
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        if index == follow.plan.step {
            follow.perform(Action::Special(Special::Exceptions { on: true }))?;
        }
        let mut answered = follow.mirror(index)?;
        let resumed = matches!(follow.initial.steps[index].action, Action::Control(_));
        if index < follow.plan.step || !resumed {
            return Ok(answered);
        }
        let mut times = 0;
        while thrown(follow.last()) {
            times += 1;
            if times == MOST_EXCEPTIONS {
                follow.perform(Action::Special(Special::Exceptions { on: false }))?;
            } else if times > 2 * MOST_EXCEPTIONS {
                break;
            }
            answered = Some(follow.perform(Action::Control(Control::Continue))?);
        }
        Ok(answered)
    }
}

/// Whether a pause is one for an exception alone.
fn thrown(answer: Option<&Answer>) -> bool {
    matches!(answer, Some(Answer::Paused(pause))
        if !pause.at_breakpoint && matches!(pause.reason.as_str(), "exception" | "promiseRejection"))
}
