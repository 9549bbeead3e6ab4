//! A program that is started passes its first statement: a breakpoint that stands there is met before any other.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::position::{LineIndex, Position};
use crate::random::Random;
use crate::trace::{Action, Answer, Control};

use super::{Scene, Transformation};

/// See the module.
pub(crate) struct FirstStatement;

impl Transformation for FirstStatement {
    fn name(&self) -> &'static str {
        "first-statement"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint on the line of the program's first statement is paused at once, and changes nothing after it is removed"
    }

    fn plan(&self, scene: &Scene<'_>, _: &mut Random) -> Option<Plan> {
        // Columns would have to be known to be passed first, too; what is held there has passed it.
        let entry =
            scene.outline.entry.filter(|_| !scene.capabilities.columns && !scene.capabilities.held)?;
        let steps = &scene.test.trace.steps;
        let step = steps.iter().position(|step| step.action == Action::Control(Control::Continue))?;
        let line = LineIndex::new(&scene.test.program.source).position(entry).line;
        let taken = steps.iter().any(|step| match (&step.action, &step.answer) {
            (Action::Set { at, .. }, Answer::Set(actual)) => at.line == line || actual.line == line,
            (Action::Set { at, .. }, _) => at.line == line,
            _ => false,
        });
        let at = Some(Position::new(line, 0)).filter(|_| !taken)?;
        Some(Plan { transformation: self.name().to_owned(), step, at: Some(at), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let Some(at) = follow.plan.at.filter(|_| index == follow.plan.step) else {
            return follow.mirror(index);
        };
        let set = follow.perform(Action::set(at))?;
        let stands = follow.session.steps()[set].answer == Answer::Set(at);
        if stands {
            let started = follow.perform(Action::Control(Control::Continue))?;
            let answer = follow.session.steps()[started].answer.clone();
            // What initialises the program may pass breakpoints before it.
            let here = follow.location();
            let standing = follow.session.standing();
            let other = standing.iter().any(|known| known.actual != at && Some(known.actual) == here);
            if here != Some(at) && !other {
                let kind = DifferenceKind::PauseMissing;
                let expected = format!("a pause at {at}, the first statement");
                follow.contradict(index, started, Difference { kind, expected, found: answer.to_string() });
                return Ok(None);
            }
            follow.perform(Action::Remove { at })?;
            if other {
                return Ok(Some(started));
            }
        } else if matches!(follow.session.steps()[set].answer, Answer::Set(_)) {
            follow.perform(Action::Remove { at })?;
        }
        follow.mirror(index)
    }
}
