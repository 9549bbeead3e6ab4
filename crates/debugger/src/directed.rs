//! Directed sessions: half of the tests aim at one combination of a transformation, a kind of syntax and a control.
//!
//! Which combination comes next is decided by what was covered: the combinations that a program offers are numbered, and the tests of
//! a program go through them in a fixed, mixed order, one each, so that the seeds of a campaign cover all of them before any comes a
//! second time, and no test depends on another.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::backend::Backend;
use crate::error::Result;
use crate::initial::{Mix, look_deeper};
use crate::outline::{Joint, Outline};
use crate::position::{LineIndex, Position};
use crate::program::Program;
use crate::random::Random;
use crate::session::Session;
use crate::trace::{Action, Answer, Control, Trace};
use crate::transformations;

/// A combination to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The transformation's name.
    pub(crate) transformation: &'static str,
    /// What the breakpoint stands at; none for any statement.
    pub(crate) syntax: Option<Joint>,
    /// What is done after the pause there.
    pub(crate) control: Control,
}

/// Transformations with many ways to do the same: they are aimed at as often as the number says.
const AIMED: &[(&str, usize)] = &[
    ("set-again", 4),
    ("insert-dead-code", 5),
    ("insert-no-op", 2),
    ("slide", 2),
    ("add-breakpoint", 2),
    ("replace-continue", 2),
    ("remove-dead-code", 1),
    ("add-parameter", 1),
    ("boolean-to-expression", 1),
    ("false-condition", 1),
    ("true-condition", 1),
    ("by-url", 1),
    ("run-to", 1),
    ("evaluate-shown", 3),
    ("assign-same", 1),
    ("offered-place", 2),
    ("logpoint", 1),
    ("hit-count", 1),
    ("first-statement", 1),
    ("pause-on-exceptions", 2),
    ("restart-frame", 1),
];

const CONTROLS: [Control; 4] = [Control::StepOver, Control::StepInto, Control::StepOut, Control::Continue];

/// The combination that a test of a program covers; the same number means the same one.
pub(crate) fn target(outline: &Outline, allowed: impl Fn(&str) -> bool, number: u64) -> Option<Target> {
    let kinds: BTreeSet<Joint> = outline.joints.iter().map(|(_, kind)| *kind).collect();
    let kinds: Vec<Option<Joint>> = std::iter::once(None).chain(kinds.into_iter().map(Some)).collect();
    let names: Vec<&'static str> = AIMED
        .iter()
        .filter(|(name, _)| allowed(name))
        .flat_map(|&(name, times)| std::iter::repeat_n(transformations::named(name).name(), times))
        .collect();
    let all = names.len() * kinds.len() * CONTROLS.len();
    if all == 0 {
        return None;
    }
    // A stride that has no divisor in common with the number of combinations meets each of them once.
    let common = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let stride = (all * 5 / 8..).find(|&stride| common(stride, all) == 1).unwrap_or(1);
    let at = (number % all as u64) as usize * stride % all;
    Some(Target {
        transformation: names[at % names.len()],
        syntax: kinds[at / names.len() % kinds.len()],
        control: CONTROLS[at / names.len() / kinds.len() % CONTROLS.len()],
    })
}

/// Runs a session for a target: a breakpoint at its syntax, then its control a few times.
///
/// # Errors
/// When the program does not parse or the debugger talks nonsense.
pub(crate) fn directed_session(
    backend: &mut dyn Backend,
    program: &Program,
    outline: &Outline,
    unreached: &[Range<usize>],
    target: Target,
    mix: &Mix,
    random: &mut Random,
) -> Result<Trace> {
    let columns = backend.capabilities().columns;
    let index = LineIndex::new(&program.source);
    let joints = outline.joints.iter().filter(|(_, kind)| Some(*kind) == target.syntax);
    let places: Vec<usize> = match target.syntax {
        Some(_) => joints.map(|(offset, _)| *offset).collect(),
        None => outline.starts.clone(),
    };
    let run: Vec<usize> = places
        .iter()
        .copied()
        .filter(|offset| !unreached.iter().any(|range| range.contains(offset)))
        .collect();
    let places = if run.is_empty() || random.chance(10) { places } else { run };
    let mut session = Session::open(backend, program)?;
    look_deeper(&mut session, mix, random)?;
    let mut asked = BTreeSet::new();
    // The statement in which the syntax stands is often where the session has to come from.
    let before = |offset: usize| {
        outline.starts.iter().copied().filter(|start| *start <= offset).max().unwrap_or(offset)
    };
    let wanted = 1 + usize::from(random.chance(50));
    for _ in 0..wanted * 3 {
        if session.standing().len() >= wanted {
            break;
        }
        let Some(&offset) = random.pick(&places) else { break };
        let offset = if random.chance(25) { before(offset) } else { offset };
        let at = index.position(offset);
        let at = if columns && random.chance(65) { at } else { Position::new(at.line, 0) };
        if asked.insert(at) {
            session.perform(Action::set(at))?;
        }
    }
    session.perform(Action::Control(Control::Continue))?;
    let most = 2 + random.below(mix.actions.clamp(1, 5));
    for number in 0..most {
        if session.ended() {
            break;
        }
        // Now and then back to the breakpoints, as people do when a step went astray.
        let control = if number > 0 && random.chance(25) { Control::Continue } else { target.control };
        session.perform(Action::Control(control))?;
    }
    if !session.ended() && matches!(session.steps().last().map(|step| &step.answer), Some(Answer::Paused(_)))
    {
        session.perform(Action::Control(Control::Continue))?;
    }
    session.finish()
}

/// Most tests that one program gets in a round through all of them.
const MOST_TURNS: usize = 6;

/// How many tests each program gets in one round through all of them: more where it has syntax that few of the others have, so that
/// what is rare is not covered last.
pub fn turns(programs: &[Program]) -> Vec<usize> {
    let kinds: Vec<BTreeSet<Joint>> = programs
        .iter()
        .map(|program| {
            Outline::of(program).map(|outline| outline.joints.iter().map(|(_, kind)| *kind).collect())
        })
        .map(std::result::Result::unwrap_or_default)
        .collect();
    let having = |kind: &Joint| kinds.iter().filter(|known| known.contains(kind)).count();
    let rarity = |known: &BTreeSet<Joint>| {
        known.iter().map(|kind| programs.len() / having(kind).max(1)).max().unwrap_or(1).max(1)
    };
    // Twice as rare is one test more.
    kinds.iter().map(|known| (1 + rarity(known).ilog2() as usize).min(MOST_TURNS)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_rare_syntax_get_more_tests() {
        let program = |text: &str| Program::new("test.js", crate::program::Language::JavaScript, text);
        let mut programs = vec![program("var a = 1;"); 15];
        programs.push(program("function* g() { yield 1; }"));
        let turns = turns(&programs);
        assert_eq!((turns[0], turns[15]), (1, 5));
    }

    #[test]
    fn the_tests_of_a_program_cover_every_combination_before_any_comes_again() {
        let outline = Outline {
            joints: vec![(0, Joint::Class), (5, Joint::Loop), (9, Joint::Loop)],
            ..Outline::default()
        };
        let weights: usize = AIMED.iter().map(|(_, times)| times).sum();
        let all = weights * 3 * 4;
        let mut seen = BTreeSet::new();
        for number in 0..all as u64 {
            let target = target(&outline, |_| true, number).unwrap();
            seen.insert((target.transformation, target.syntax, target.control));
        }
        assert_eq!(seen.len(), AIMED.len() * 3 * 4);
    }
}
