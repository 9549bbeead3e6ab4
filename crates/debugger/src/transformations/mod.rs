//! The transformations, one file each: what they change, and what must stay the same.

mod add_breakpoint;
mod add_parameter;
mod assign_same;
mod boolean_expression;
mod by_url;
mod conditional_breakpoint;
mod evaluate_shown;
mod exact_place;
mod first_statement;
mod hit_count;
mod insert_dead_code;
mod integer_expression;
mod laws;
mod logpoint;
mod never_condition;
mod no_operation;
mod passive;
mod pause_on_exceptions;
mod remove_dead_code;
mod remove_unhit;
mod replace_continue;
mod restart_frame;
mod run_to;
mod set_again;
mod set_twice;
mod slide;

use std::ops::Range;

pub(crate) use laws::{NAME as LAWS, broken as breaks_laws};
pub(crate) use replace_continue::surprises;

use crate::backend::{Capabilities, Place};
use crate::error::Result;
use crate::follow::{Follow, Plan, Test, mirror};
use crate::outline::{Gap, Outline};
use crate::position::LineIndex;
use crate::random::Random;
use crate::trace::{Action, Answer};

/// What stands where a statement was removed: the empty statement, so that the line before cannot run on.
pub(crate) const NOTHING: &str = ";";

/// What a transformation may look at when it makes its choices.
#[derive(Debug)]
pub struct Scene<'s> {
    /// The test to transform.
    pub test: &'s Test,
    /// Its program's outline.
    pub outline: &'s Outline,
    /// Parts of the program that never run; only for transformations that ask for them.
    pub unreached: &'s [Range<usize>],
    /// The places that the debugger offers; only for transformations that ask for them.
    pub places: &'s [Place],
    /// What the debugger can do.
    pub capabilities: Capabilities,
}

/// A metamorphic transformation of a debugger's input.
pub trait Transformation: Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// What must hold, in a sentence.
    fn claim(&self) -> &'static str;

    /// Whether it is decided while the debugger runs.
    fn interactive(&self) -> bool {
        false
    }

    /// Whether it changes the program; then every slid breakpoint has to be replaced by its place first.
    fn rewrites(&self) -> bool {
        false
    }

    /// Whether it needs to know what never runs.
    fn needs_coverage(&self) -> bool {
        false
    }

    /// Whether it needs to know where the debugger can break.
    fn needs_places(&self) -> bool {
        false
    }

    /// Makes the choices where they are most likely to show something, for a session that was made for it.
    fn aim(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        self.plan(scene, random)
    }

    /// Makes the random choices; none when the transformation does not apply.
    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan>;

    /// Performs what stands for one step of the initial session; gives the step of the follow-up whose answer has to
    /// match, none when nothing has to.
    ///
    /// # Errors
    /// When the debugger talks nonsense.
    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        mirror(follow, index)
    }
}

/// All transformations, in the order of their names in reports.
pub const ALL: &[&dyn Transformation] = &[
    &add_breakpoint::AddBreakpoint,
    &replace_continue::ReplaceContinue,
    &slide::Slide,
    &remove_unhit::RemoveUnhit,
    &set_twice::SetTwice,
    &conditional_breakpoint::ConditionalBreakpoint,
    &set_again::SetAgain,
    &never_condition::NeverCondition,
    &by_url::ByUrl,
    &run_to::RunTo,
    &evaluate_shown::EvaluateShown,
    &assign_same::AssignSame,
    &exact_place::ExactPlace,
    &logpoint::Logpoint,
    &hit_count::HitCount,
    &first_statement::FirstStatement,
    &pause_on_exceptions::PauseOnExceptions,
    &restart_frame::RestartFrame,
    &laws::Laws,
    &insert_dead_code::InsertDeadCode,
    &remove_dead_code::RemoveDeadCode,
    &add_parameter::AddParameter,
    &no_operation::NoOperation,
    &integer_expression::IntegerExpression,
    &boolean_expression::BooleanExpression,
];

/// The transformation of a name; the sliding one, which applies to everything, for names that nobody has.
pub fn named(name: &str) -> &'static dyn Transformation {
    ALL.iter().copied().find(|known| known.name() == name).unwrap_or(&slide::Slide)
}

/// Steps at which the program has not ended yet and which satisfy a condition.
pub(crate) fn steps_where(scene: &Scene<'_>, accept: impl Fn(usize, &Action, &Answer) -> bool) -> Vec<usize> {
    let steps = &scene.test.trace.steps;
    (0..steps.len()).filter(|&index| accept(index, &steps[index].action, &steps[index].answer)).collect()
}

/// A gap near a pause of the session: code where nobody looks is unlikely to change what is seen. Of four random gaps the
/// nearest one is taken.
pub(crate) fn gap_near_pauses<'g>(gaps: &[&'g Gap], test: &Test, random: &mut Random) -> Option<&'g Gap> {
    let index = LineIndex::new(&test.program.source);
    let pauses: Vec<usize> = test
        .trace
        .steps
        .iter()
        .filter_map(|step| match &step.answer {
            Answer::Paused(pause) => Some(index.offset(pause.location)),
            _ => None,
        })
        .collect();
    let distance = |gap: &Gap| pauses.iter().map(|pause| pause.abs_diff(gap.offset)).min().unwrap_or(0);
    let drawn: Vec<&Gap> = (0..4).filter_map(|_| random.pick(gaps).copied()).collect();
    drawn.into_iter().min_by_key(|gap| distance(gap))
}

/// A name that a text does not contain.
pub(crate) fn fresh_name(source: &str) -> String {
    (1..)
        .map(|number| format!("fresh{number}"))
        .find(|name| !source.contains(name.as_str()))
        .unwrap_or_default()
}

/// The identifiers of a text, keywords and all.
pub(crate) fn words(text: &str) -> Vec<String> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    let mut words: Vec<String> = text
        .split(|character| !is_word(character))
        .filter(|word| word.chars().next().is_some_and(|first| !first.is_ascii_digit()))
        .map(str::to_owned)
        .collect();
    words.sort();
    words.dedup();
    words
}
