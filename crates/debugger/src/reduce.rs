//! Reduction: statements and actions are left out as long as the same difference shows.

use crate::backend::Backend;
use crate::compare::DifferenceKind;
use crate::edit::{Edit, PositionMap, apply};
use crate::error::{Error, Result};
use crate::examine::{Examined, confirm, examine};
use crate::follow::{Plan, Test};
use crate::outline::Outline;
use crate::position::Position;
use crate::program::Program;
use crate::rounds::NONE;
use crate::session::replay;
use crate::trace::{Action, Control, Special};
use crate::warning::Warning;

/// A smaller input that may show the same difference.
#[derive(Clone)]
struct Candidate {
    program: Program,
    actions: Vec<Action>,
    plan: Plan,
}

/// Makes a warning smaller with at most `budget` pairs of sessions; what is left is confirmed in fresh processes, and if
/// that fails the warning stays as it was.
///
/// # Errors
/// When the debugger talks nonsense.
pub fn reduce(backend: &mut dyn Backend, warning: &Warning, budget: usize) -> Result<Warning> {
    if warning.plan.transformation == NONE {
        return Ok(warning.clone());
    }
    let mut reducer = Reducer { backend, kind: warning.difference.kind, budget };
    let mut best = Candidate {
        program: warning.initial.program.clone(),
        actions: warning.initial.trace.actions(),
        plan: warning.plan.clone(),
    };
    if let Some(&(last, _)) = warning.follow_up.pairs.last()
        && !warning.difference_in_behaviour()
    {
        let mut shorter = best.clone();
        shorter.actions.truncate(last + 1);
        reducer.accept(&mut best, shorter)?;
    }
    loop {
        let before = (best.program.source.len(), best.actions.len());
        reducer.drop_actions(&mut best)?;
        reducer.drop_statements(&mut best)?;
        if (best.program.source.len(), best.actions.len()) == before || reducer.budget == 0 {
            break;
        }
    }
    let Some((initial, examined)) = reducer.try_out(&best)? else { return Ok(warning.clone()) };
    let Examined { follow_up, prediction, .. } = examined;
    let Some(difference) = follow_up.difference.clone() else { return Ok(warning.clone()) };
    let mut reduced =
        Warning { plan: best.plan, initial, follow_up, difference, reduced: true, ..warning.clone() };
    Ok(if confirm(backend, &mut reduced, prediction.as_ref())? { reduced } else { warning.clone() })
}

struct Reducer<'b> {
    backend: &'b mut dyn Backend,
    kind: DifferenceKind,
    budget: usize,
}

impl Reducer<'_> {
    fn drop_actions(&mut self, best: &mut Candidate) -> Result<()> {
        let mut index = best.actions.len();
        while index > 0 {
            index -= 1;
            if index >= best.actions.len() {
                continue;
            }
            let first_control = best.actions.iter().position(|action| matches!(action, Action::Control(_)));
            let uses_step = best.plan.edits.is_empty() && best.plan.transformation != "slide";
            if (uses_step && index == best.plan.step) || Some(index) == first_control {
                continue;
            }
            let mut smaller = best.clone();
            smaller.actions.remove(index);
            if uses_step && index < smaller.plan.step {
                smaller.plan.step -= 1;
            }
            self.accept(best, smaller)?;
        }
        // A continue says less than a step.
        for index in 0..best.actions.len() {
            if matches!(best.actions[index], Action::Control(control) if control != Control::Continue) {
                let mut simpler = best.clone();
                simpler.actions[index] = Action::Control(Control::Continue);
                self.accept(best, simpler)?;
            }
        }
        Ok(())
    }

    fn drop_statements(&mut self, best: &mut Candidate) -> Result<()> {
        let Ok(outline) = Outline::of(&best.program) else { return Ok(()) };
        let mut ranges: Vec<_> = outline.statements.into_iter().map(|statement| statement.range).collect();
        ranges.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
        // Places move when a smaller program is taken, so what is left of them is counted from the end.
        let mut gone: Vec<std::ops::Range<usize>> = Vec::new();
        for range in ranges {
            if gone.iter().any(|other| other.start <= range.start && range.end <= other.end) {
                continue;
            }
            let removed_before: usize =
                gone.iter().filter(|other| other.end <= range.start).map(ExactSizeIterator::len).sum();
            let inside: usize = gone
                .iter()
                .filter(|other| range.start <= other.start && other.end <= range.end)
                .map(ExactSizeIterator::len)
                .sum();
            let (start, end) = (range.start - removed_before, range.end - removed_before - inside);
            let source = &best.program.source;
            if end > source.len() || !source.is_char_boundary(start) || !source.is_char_boundary(end) {
                continue;
            }
            if let Some(smaller) = without(best, start, end)
                && self.accept(best, smaller)?
            {
                gone.retain(|other| !(range.start <= other.start && other.end <= range.end));
                gone.push(range);
            }
        }
        // Lines that are empty now.
        loop {
            let source = &best.program.source;
            let Some(empty) = source.match_indices('\n').find_map(|(at, _)| {
                let rest = &source[at + 1..];
                let line = rest.split('\n').next().unwrap_or_default();
                (line.trim().is_empty() && rest.len() > line.len()).then_some((at, at + 1 + line.len()))
            }) else {
                return Ok(());
            };
            let Some(smaller) = without(best, empty.0, empty.1) else { return Ok(()) };
            if !self.accept(best, smaller)? {
                return Ok(());
            }
        }
    }

    /// Takes a candidate over when it shows the difference.
    fn accept(&mut self, best: &mut Candidate, candidate: Candidate) -> Result<bool> {
        if self.budget == 0 {
            return Ok(false);
        }
        self.budget -= 1;
        let shows = self.try_out(&candidate)?.is_some();
        if shows {
            *best = candidate;
        }
        Ok(shows)
    }

    fn try_out(&mut self, candidate: &Candidate) -> Result<Option<(Test, Examined)>> {
        let attempt = |backend: &mut dyn Backend| -> Result<Option<(Test, Examined)>> {
            Outline::of(&candidate.program)?;
            let trace = replay(backend, &candidate.program, &candidate.actions)?;
            if trace.steps.len() < candidate.actions.len() {
                return Ok(None);
            }
            let initial = Test { program: candidate.program.clone(), trace };
            let examined = examine(backend, &initial, &candidate.plan)?;
            let kind = examined.follow_up.difference.as_ref().map(|difference| difference.kind);
            let same = kind == Some(self.kind) && examined.explained.is_none();
            Ok(same.then_some((initial, examined)))
        };
        match attempt(self.backend) {
            Err(Error::Program(_)) => Ok(None),
            other => other,
        }
    }
}

/// The candidate without a piece of its program; none when the plan needs that piece.
fn without(candidate: &Candidate, start: usize, end: usize) -> Option<Candidate> {
    let edits = [Edit::replace(start, end, "")];
    let map = PositionMap::new(&candidate.program.source, &edits);
    let mut plan = candidate.plan.clone();
    for edit in &mut plan.edits {
        if edit.start < end
            && start < edit.end.max(edit.start + 1)
            && !(edit.start == edit.end && edit.start == start)
        {
            return None;
        }
        edit.start = map.forward_offset(edit.start).unwrap_or(start);
        edit.end = map.forward_offset(edit.end).unwrap_or(start);
    }
    let moved = |at: Position| map.forward(at);
    plan.at = match plan.at {
        Some(at) => Some(moved(at)?),
        None => None,
    };
    let mut actions = Vec::new();
    for action in &candidate.actions {
        actions.push(match action {
            Action::Set { at, condition } => Action::Set { at: moved(*at)?, condition: condition.clone() },
            Action::Remove { at } => Action::Remove { at: moved(*at)? },
            Action::Special(Special::ByUrl { at }) => Action::Special(Special::ByUrl { at: moved(*at)? }),
            Action::Special(Special::Passive { at, how }) => {
                Action::Special(Special::Passive { at: moved(*at)?, how: *how })
            }
            Action::Special(Special::RunTo { at }) => Action::Special(Special::RunTo { at: moved(*at)? }),
            other => other.clone(),
        });
    }
    let program = candidate.program.with_source(apply(&candidate.program.source, &edits));
    Some(Candidate { program, actions, plan })
}
