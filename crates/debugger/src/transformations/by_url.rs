//! A breakpoint set by the program's address is the one set by the debugger's own name for the program.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::position::Position;
use crate::random::Random;
use crate::trace::{Action, Answer, Special};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct ByUrl;

impl Transformation for ByUrl {
    fn name(&self) -> &'static str {
        "by-url"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint by address goes to the same place and pauses as often as one by script"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        // Asked for twice, a breakpoint is refused by its name, and an address makes another name.
        let asked = |at: &Position| {
            let steps = &scene.test.trace.steps;
            steps
                .iter()
                .filter(|step| matches!(&step.action, Action::Set { at: other, .. } if other == at))
                .count()
        };
        let steps = steps_where(scene, |_, action, answer| match (action, answer) {
            (Action::Set { at, condition: None }, Answer::Set(_)) => asked(at) == 1,
            _ => false,
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        match follow.initial.steps[index].action {
            Action::Set { at, .. } if index == follow.plan.step => {
                let answered = follow.perform(Action::Special(Special::ByUrl { at }))?;
                match follow.last() {
                    // A debugger without addresses: the breakpoint as it was.
                    Some(Answer::Refused(words)) if words == Special::UNKNOWN => follow.mirror(index),
                    _ => Ok(Some(answered)),
                }
            }
            _ => follow.mirror(index),
        }
    }
}
