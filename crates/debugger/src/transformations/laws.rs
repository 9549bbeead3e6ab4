//! What every single session must obey, by the meaning of the actions: the session is repeated as it is and looked at.
//!
//! A continue pauses only where a breakpoint stands or the program asks for it. A step over does not end deeper than it began, and a step
//! out ends higher, unless a breakpoint stands there.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{Follow, Plan, Test};
use crate::outline::Outline;
use crate::position::{LineIndex, Position};
use crate::program::Language;
use crate::random::Random;
use crate::trace::{Action, Answer, Control, Pause, Special, Step};

use super::{Scene, Transformation};

/// See the module.
pub(crate) struct Laws;

/// Its name.
pub(crate) const NAME: &str = "as-it-is";

impl Transformation for Laws {
    fn name(&self) -> &'static str {
        NAME
    }

    fn claim(&self) -> &'static str {
        "a continue pauses at breakpoints alone; a step over never ends deeper, a step out ends higher"
    }

    fn plan(&self, scene: &Scene<'_>, _: &mut Random) -> Option<Plan> {
        broken(scene.test).then(|| Plan { transformation: NAME.to_owned(), ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let answered = follow.mirror(index)?;
        let steps = follow.session.steps();
        if let Some(last) = steps.len().checked_sub(1)
            && let Some(found) = breach(steps, last, follow.source)
        {
            follow.contradict(index, last, found);
            return Ok(None);
        }
        Ok(answered)
    }
}

/// Whether a session breaks one of the laws.
pub(crate) fn broken(test: &Test) -> bool {
    let steps = &test.trace.steps;
    (0..steps.len()).any(|at| breach(steps, at, &test.program.source).is_some())
}

/// How a step breaks a law.
fn breach(steps: &[Step], at: usize, source: &str) -> Option<Difference> {
    let (Action::Control(control), Answer::Paused(pause)) = (&steps[at].action, &steps[at].answer) else {
        return None;
    };
    let mut standing: Vec<(Position, Position)> = Vec::new();
    let mut before: Option<&Pause> = None;
    for step in &steps[..at] {
        match (&step.action, &step.answer) {
            (Action::Set { at, .. }, Answer::Set(actual)) => standing.push((*at, *actual)),
            (Action::Remove { at }, Answer::Removed) => {
                if let Some(known) = standing.iter().position(|(requested, _)| requested == at) {
                    standing.remove(known);
                }
            }
            (_, Answer::Paused(pause)) => before = Some(pause),
            (Action::Special(Special::Look { .. }), _) => {}
            // What only some debuggers do may set or clear breakpoints.
            (Action::Special(_), _) => return None,
            _ => {}
        }
    }
    // The program may ask for a pause by itself.
    let asked = source[LineIndex::new(source).offset(pause.location)..].starts_with("debugger");
    let stands = standing.iter().any(|(_, actual)| *actual == pause.location);
    if asked || stands {
        return None;
    }
    let places: Vec<String> = standing.iter().map(|(_, actual)| actual.to_string()).collect();
    let depth = pause.frames.len();
    let from = before.map(|before| before.frames.len());
    let expected = match (control, from) {
        (Control::Continue, _) if places.is_empty() => "no pause, for no breakpoint stands".to_owned(),
        (Control::Continue, _) => format!("a pause at {} or none", places.join(" or ")),
        (Control::StepOver, Some(from)) if depth > from && !pause.at_breakpoint => {
            format!("a step over that ends {from} deep or higher")
        }
        (Control::StepOut, Some(from)) if depth >= from && depth > 1 && !pause.at_breakpoint => {
            format!("a step out that ends higher than {from} deep")
        }
        _ => return None,
    };
    let found = format!("paused at {}, {depth} deep", pause.location);
    Some(Difference { kind: DifferenceKind::PauseExtra, expected, found })
}

/// Numbers that surely are in scope and have a value at a pause, by the program's text.
pub(super) fn in_scope(test_source: &crate::program::Program, pause: &Pause) -> Vec<String> {
    if test_source.language == Language::JavaScript {
        return Vec::new();
    }
    let Ok(outline) = Outline::of(test_source) else { return Vec::new() };
    let index = LineIndex::new(&test_source.source);
    let gap = outline.gaps.iter().find(|gap| index.position(gap.offset).line == pause.location.line);
    let top = test_source.language == Language::Python && pause.frames.len() < 2;
    gap.filter(|_| !top).map_or_else(Vec::new, |gap| gap.readable.clone())
}
