//! A frame that is begun anew at its first statement stands where it stood: nothing of it has run.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::outline::Outline;
use crate::position::LineIndex;
use crate::random::Random;
use crate::trace::{Action, Answer, Control, Special};

use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct RestartFrame;

/// Steps from where a frame begins to its first statement.
const MOST_STEPS: usize = 4;

impl Transformation for RestartFrame {
    fn name(&self) -> &'static str {
        "restart-frame"
    }

    fn claim(&self) -> &'static str {
        "a frame restarted before its first statement has run pauses there again"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        let source = &scene.test.program.source;
        let index = LineIndex::new(source);
        let steps = steps_where(scene, |_, action, answer| match (action, answer) {
            (Action::Control(_), Answer::Paused(pause)) => {
                pause.frames.len() > 1 && begins(scene.outline, source, index.offset(pause.location))
            }
            _ => false,
        });
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let answered = follow.mirror(index)?;
        if index != follow.plan.step || !follow.matches(index) {
            return Ok(answered);
        }
        let mut again = follow.perform(Action::Special(Special::Restart))?;
        // A debugger that cannot restart this frame.
        if matches!(follow.last(), Some(Answer::Refused(_))) {
            return Ok(answered);
        }
        for _ in 0..MOST_STEPS {
            if follow.matches(index) || follow.location().is_none() {
                break;
            }
            again = follow.perform(Action::Control(Control::StepOver))?;
        }
        Ok(Some(again))
    }
}

/// Whether the first statement of a function begins here, in a function whose parameters compute nothing.
fn begins(outline: &Outline, source: &str, offset: usize) -> bool {
    let Some(statement) = outline.statements.iter().find(|statement| statement.range.start == offset) else {
        return false;
    };
    let Some(function) = &statement.function else { return false };
    let of_it = outline.statements.iter().filter(|other| other.function.as_ref() == Some(function));
    let first = of_it.map(|other| other.range.start).min();
    let head = source.get(function.start..offset).unwrap_or("=").replace("=>", "");
    first == Some(offset) && !head.contains(['=', '*']) && !head.contains("async")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Language, Program};

    fn check(source: &str, statement: &str, expected: bool) {
        let outline = Outline::of(&Program::new("test", Language::JavaScript, source)).unwrap();
        let offset = source.find(statement).unwrap();
        assert_eq!(begins(&outline, source, offset), expected, "{statement} of {source}");
    }

    #[test]
    fn a_function_begins_with_its_first_statement_unless_its_parameters_compute() {
        check("function f(a) { g(a); h(a); }", "g(a)", true);
        check("function f(a) { g(a); h(a); }", "h(a)", false);
        check("function f(a = k()) { g(a); }", "g(a)", false);
        check("function* f() { g(); }", "g()", false);
        check("const f = (a) => { g(a); };", "g(a)", true);
        check("g();", "g()", false);
    }
}
