//! Which break locations a rewriting moves, from the debugger's own answer on both programs.
//!
//! Where a debugger can break is its own affair: an expression that needs no code has no place, and an edit beside it may give it
//! one. So nothing is assumed of a compiler. The debugger lists its places in both programs; those that are listed in both, the same
//! number of times and as the same kind, are *stable*. A statement in which a place appeared or vanished is compiled otherwise now,
//! and what its other places mean may have changed with it. A difference speaks against the debugger only where it contradicts the
//! lists: both sessions stand, and stood before, at stable places of statements that kept all of theirs.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{Backend, Place};
use crate::compare::{Difference, DifferenceKind};
use crate::edit::{Origin, PositionMap};
use crate::error::Result;
use crate::follow::{FollowUp, Plan, Test};
use crate::outline::Outline;
use crate::position::{LineIndex, Position};
use crate::program::{Language, Program};
use crate::trace::{Action, Answer, Control, Pause, Trace};

/// What the debugger itself says of two programs.
#[derive(Debug)]
pub struct Prediction {
    /// Places of the first program that the second has too.
    stable: BTreeSet<Position>,
    /// Places that only the second program has.
    fresh: BTreeSet<Position>,
    regions: [Regions; 2],
    /// The debugger does not tell its places: nothing can be contradicted.
    silent: bool,
}

/// Places of both programs that would be the same one.
#[derive(Debug, Default)]
struct Tally {
    /// How many more the first program has.
    balance: isize,
    /// Where the first program has it.
    old: BTreeSet<Position>,
    /// Where the second program has it.
    new: BTreeSet<Position>,
}

/// The statements of one program with the places that are not in the other.
#[derive(Debug)]
struct Regions {
    outline: Outline,
    index: LineIndex,
    by_line: bool,
    changed: BTreeSet<usize>,
}

impl Regions {
    fn new(program: &Program) -> Result<Self> {
        Ok(Regions {
            outline: Outline::of(program)?,
            index: LineIndex::new(&program.source),
            by_line: program.language != Language::JavaScript,
            changed: BTreeSet::new(),
        })
    }

    /// The innermost statement around a place, by where it begins; for debuggers that know lines only, the line.
    fn region(&self, at: Position) -> usize {
        if self.by_line {
            return at.line as usize;
        }
        let around = self.outline.statement(self.index.offset(at));
        around.map_or(usize::MAX, |statement| statement.range.start)
    }

    fn kept(&self, at: Position) -> bool {
        !self.changed.contains(&self.region(at))
    }
}

impl Prediction {
    /// Asks the debugger for its places in a program and in what a plan makes of it.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense, or one of the programs does not parse.
    pub fn of(backend: &mut dyn Backend, initial: &Program, changed: &Program, plan: &Plan) -> Result<Self> {
        let (one, two) = (backend.places(initial)?, backend.places(changed)?);
        let map = PositionMap::new(&initial.source, &plan.edits);
        let regions = [Regions::new(initial)?, Regions::new(changed)?];
        let silent = one.is_none() || two.is_none();
        Ok(Self::from_places(&map, regions, &one.unwrap_or_default(), &two.unwrap_or_default(), silent))
    }

    fn from_places(
        map: &PositionMap,
        mut regions: [Regions; 2],
        one: &[Place],
        two: &[Place],
        silent: bool,
    ) -> Self {
        // A place of the new program under the position that it has in the old one; those inside a replaced piece stand for each
        // other.
        let mut counts: BTreeMap<(Position, &str), Tally> = BTreeMap::new();
        let mut fresh = BTreeSet::new();
        for place in one {
            let entry = counts.entry((map.representative(place.at), &place.kind)).or_default();
            entry.balance += 1;
            entry.old.insert(place.at);
        }
        for place in two {
            match map.origin(place.at) {
                Origin::Inserted => {
                    fresh.insert(place.at);
                }
                Origin::Kept(at) | Origin::Replaced(at) => {
                    let entry = counts.entry((at, &place.kind)).or_default();
                    entry.balance -= 1;
                    entry.new.insert(place.at);
                }
            }
        }
        let mut stable = BTreeSet::new();
        let mut unstable: BTreeSet<Position> = BTreeSet::new();
        for Tally { balance, old: olds, new: news } in counts.values() {
            if *balance == 0 && !olds.is_empty() {
                stable.extend(olds);
                continue;
            }
            unstable.extend(olds);
            for at in olds {
                let region = regions[0].region(*at);
                regions[0].changed.insert(region);
            }
            for at in news {
                let region = regions[1].region(*at);
                regions[1].changed.insert(region);
                if olds.is_empty() {
                    fresh.insert(*at);
                }
            }
        }
        for at in &fresh {
            let region = regions[1].region(*at);
            regions[1].changed.insert(region);
        }
        stable.retain(|at| !unstable.contains(at));
        // The same position may be a place of another kind in the old program.
        fresh.retain(|at| !matches!(map.origin(*at), Origin::Kept(old) if stable.contains(&old)));
        Prediction { stable, fresh, regions, silent }
    }

    /// Whether the second program can break at this place of its own and the first cannot: a step may stop there.
    pub(crate) fn is_fresh(&self, at: Position) -> bool {
        self.silent || self.fresh.contains(&at)
    }

    /// Why a difference does not contradict what the debugger says of both programs; none when it does.
    pub(crate) fn explains(
        &self,
        initial: &Test,
        follow_up: &FollowUp,
        difference: &Difference,
    ) -> Option<&'static str> {
        use DifferenceKind as Kind;
        let of_place = !matches!(
            difference.kind,
            Kind::Crash | Kind::Silence | Kind::Nonsense | Kind::Ending | Kind::Output
        );
        let (true, Some(&(one, two))) = (of_place, follow_up.pairs.last()) else { return None };
        if self.silent {
            return Some("the debugger does not tell where it can break");
        }
        let (first, second) = (&initial.trace, &follow_up.test.trace);
        let (Some(step), Some(other)) = (first.steps.get(one), second.steps.get(two)) else { return None };
        let no_counterpart = Some("the place is none in one of the programs");
        match (&step.answer, &other.answer) {
            (Answer::Set(at), found) => {
                if !self.stable.contains(at) {
                    return no_counterpart;
                }
                // Asked for before its place, a breakpoint takes the first one that there is now.
                let asked = match &other.action {
                    Action::Set { at, .. } => *at,
                    _ => return None,
                };
                let slides = matches!(found, Answer::Set(to) if asked <= *to && self.fresh.contains(to));
                if slides { no_counterpart } else { None }
            }
            (Answer::Refused(_), Answer::Set(at)) => {
                if self.fresh.contains(at) {
                    no_counterpart
                } else {
                    None
                }
            }
            (expected, found) => {
                let stepped =
                    matches!(&step.action, Action::Control(control) if *control != Control::Continue);
                let gone =
                    matches!(expected, Answer::Paused(pause) if !self.stable.contains(&pause.location));
                let new = matches!(found, Answer::Paused(pause) if self.fresh.contains(&pause.location));
                if gone || (new && stepped) {
                    return no_counterpart;
                }
                let sides =
                    [(expected, paused_before(first, one), 0), (found, paused_before(second, two), 1)];
                let changed = sides.into_iter().any(|(answer, before, which)| {
                    let here = match answer {
                        Answer::Paused(pause) => Some(pause),
                        _ => None,
                    };
                    here.into_iter().chain(before).any(|pause| !self.frames_kept(pause, which))
                });
                changed.then_some("the statement has other places in the changed program")
            }
        }
    }

    /// Whether the statements in which a stack stands kept their places.
    fn frames_kept(&self, pause: &Pause, which: usize) -> bool {
        // Callers stand inside statements, at calls: what moved there moved with the places of its statement.
        let callers = pause.frames.iter().skip(1).filter_map(|frame| frame.location);
        std::iter::once(pause.location).chain(callers).all(|at| self.regions[which].kept(at))
    }
}

/// Where a session paused before a step.
fn paused_before(trace: &Trace, step: usize) -> Option<&Pause> {
    trace.steps[..step.min(trace.steps.len())].iter().rev().find_map(|step| match &step.answer {
        Answer::Paused(pause) => Some(pause),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Edit, apply};
    use crate::trace::{Ending, Step};

    fn places(list: &[(u32, u32)]) -> Vec<Place> {
        list.iter()
            .map(|&(line, column)| Place { at: Position::new(line, column), kind: String::new() })
            .collect()
    }

    /// Whether a breakpoint that stood at `expected` and stands at `found` after an edit is explained by the lists.
    fn check(
        source: &str,
        edit: Edit,
        one: &[(u32, u32)],
        two: &[(u32, u32)],
        expected: Position,
        found: Position,
    ) -> bool {
        let program = |text: &str| Program::new("test", Language::JavaScript, text);
        let edits = [edit];
        let changed = apply(source, &edits);
        let regions = [Regions::new(&program(source)).unwrap(), Regions::new(&program(&changed)).unwrap()];
        let map = PositionMap::new(source, &edits);
        let asked = map.forward(expected).unwrap();
        let prediction = Prediction::from_places(&map, regions, &places(one), &places(two), false);
        let test = |text: &str, asked, at| {
            let steps = vec![Step { action: Action::set(asked), answer: Answer::Set(at) }];
            Test {
                program: program(text),
                trace: Trace { steps, output: Vec::new(), ending: Ending::Finished },
            }
        };
        let difference = Difference {
            kind: DifferenceKind::BreakpointMoved,
            expected: String::new(),
            found: String::new(),
        };
        let follow_up =
            FollowUp { test: test(&changed, asked, found), pairs: vec![(0, 0)], difference: None };
        prediction.explains(&test(source, expected, expected), &follow_up, &difference).is_some()
    }

    #[test]
    fn a_breakpoint_may_move_only_where_its_place_is_gone() {
        let source = "if (true) f();\ng();";
        let edit = || Edit::replace(4, 8, "(a === a)");
        let (one, two) = ([(1, 10), (2, 0)], [(1, 4), (1, 15), (2, 0)]);
        // `g()` is a place in both programs.
        assert!(!check(source, edit(), &one, &two, Position::new(2, 0), Position::new(1, 15)));
        // `if` was one, and is none any more.
        let had = [(1, 0), (1, 10), (2, 0)];
        assert!(check(source, edit(), &had, &two, Position::new(1, 0), Position::new(1, 4)));
    }
}
