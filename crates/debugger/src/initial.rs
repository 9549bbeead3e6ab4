//! Initial sessions: random actions from the grammar, chosen while the debugger answers.
//!
//! The idea of feedback-directed sessions is from Lehmann and Pradel, "Feedback-directed Differential Testing of
//! Interactive Debuggers", ESEC/FSE 2018: what the debugger answered decides what is worth asking next.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::error::Result;
use crate::outline::Outline;
use crate::places::random_place;
use crate::position::{LineIndex, Position};
use crate::program::Program;
use crate::random::Random;
use crate::session::Session;
use crate::trace::{Action, Answer, Control, Special, Trace};

/// How long random sessions are and what they are made of; weights are relative to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mix {
    /// Most breakpoints before the start; at least one is set.
    pub first_breakpoints: usize,
    /// Most actions after the start.
    pub actions: usize,
    /// Weight of a new breakpoint.
    pub set: u32,
    /// Weight of removing a breakpoint.
    pub remove: u32,
    /// Weight of a continue.
    pub resume: u32,
    /// Weights of the steps: out, over, into.
    pub steps: [u32; 3],
    /// How many of 100 sessions keep to one kind of step.
    pub habit: u32,
    /// How many of 100 sessions look into values and at frames below the top.
    #[serde(default)]
    pub deeper: u32,
}

impl Default for Mix {
    fn default() -> Self {
        Mix {
            first_breakpoints: 3,
            actions: 9,
            set: 16,
            remove: 4,
            resume: 34,
            steps: [8, 24, 14],
            habit: 35,
            deeper: 12,
        }
    }
}

/// Runs a random session.
///
/// # Errors
/// When the program does not parse or the debugger talks nonsense.
pub fn initial_session(
    backend: &mut dyn Backend,
    program: &Program,
    outline: &Outline,
    unreached: &[Range<usize>],
    mix: &Mix,
    random: &mut Random,
) -> Result<Trace> {
    let capabilities = backend.capabilities();
    let index = LineIndex::new(&program.source);
    let reached = |offset: &usize| !unreached.iter().any(|range| range.contains(offset));
    let mut session = Session::open(backend, program)?;
    look_deeper(&mut session, mix, random)?;
    let mut asked = BTreeSet::new();
    let mut near: Vec<usize> =
        outline.starts.iter().copied().chain(outline.joints.iter().map(|(offset, _)| *offset)).collect();
    near.retain(reached);
    near.sort_unstable();
    near.dedup();
    let draw = |random: &mut Random, session: &Session<'_>| {
        // Places shortly after the present one are likely to be reached.
        if let Some(here) = location(session).filter(|_| random.chance(40)) {
            let offset = index.offset(here);
            let next: Vec<usize> = near.iter().copied().filter(|start| *start > offset).take(8).collect();
            if let Some(&start) = random.pick(&next) {
                let position = index.position(start);
                return Some(if capabilities.columns { position } else { Position::new(position.line, 0) });
            }
        }
        // A breakpoint in code that never runs shows little; some are set there all the same.
        let mut place = random_place(program, outline, capabilities, random)?;
        for _ in 0..4 {
            if reached(&index.offset(place)) || random.chance(10) {
                break;
            }
            place = random_place(program, outline, capabilities, random)?;
        }
        Some(place)
    };
    let first = 1 + random.below(mix.first_breakpoints.max(1));
    for _ in 0..first * 3 {
        if session.standing().len() >= first {
            break;
        }
        if let Some(at) = draw(random, &session)
            && asked.insert(at)
        {
            session.perform(Action::set(at))?;
        }
    }
    session.perform(Action::Control(Control::Continue))?;
    let length = 2 + random.below(mix.actions.max(1));
    let habit = random.chance(mix.habit).then(|| {
        let drawn = random.below(mix.steps.iter().sum::<u32>().max(1) as usize) as u32;
        weighted_step(drawn, mix).unwrap_or(Control::StepOver)
    });
    let total = mix.set + mix.remove + mix.resume + mix.steps.iter().sum::<u32>();
    for _ in 0..length {
        if session.ended() {
            break;
        }
        let drawn = random.below(total.max(1) as usize) as u32;
        if drawn < mix.set {
            if let Some(at) = draw(random, &session)
                && asked.insert(at)
            {
                session.perform(Action::set(at))?;
            }
        } else if drawn < mix.set + mix.remove {
            let places: Vec<Position> =
                session.standing().iter().map(|standing| standing.requested).collect();
            if let Some(&at) = random.pick(&places) {
                session.perform(Action::Remove { at })?;
                asked.remove(&at);
            }
        } else {
            let mut control = weighted_step(drawn - mix.set - mix.remove, mix).unwrap_or(Control::Continue);
            // People who step go on stepping.
            if let Some(habit) = habit.filter(|_| control != Control::Continue || random.chance(40)) {
                control = habit;
            }
            session.perform(Action::Control(control))?;
        }
    }
    session.finish()
}

/// In some sessions more is read of each pause.
pub(crate) fn look_deeper(session: &mut Session<'_>, mix: &Mix, random: &mut Random) -> Result<()> {
    if random.chance(mix.deeper) {
        session.perform(Action::Special(Special::Look { frames: 3, depth: 2 }))?;
    }
    Ok(())
}

/// The step that a drawn number stands for; none beyond their weights.
fn weighted_step(drawn: u32, mix: &Mix) -> Option<Control> {
    let mut left = drawn;
    for (step, weight) in Control::STEPS.iter().zip(mix.steps) {
        if left < weight {
            return Some(*step);
        }
        left -= weight;
    }
    None
}

fn location(session: &Session<'_>) -> Option<Position> {
    session.steps().iter().rev().find_map(|step| match &step.answer {
        Answer::Paused(pause) => Some(pause.location),
        _ => None,
    })
}
