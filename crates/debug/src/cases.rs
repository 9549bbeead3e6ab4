//! Cases for the ranking: the violated ones and smaller ones made of them, passing ones near them, and fresh ones.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use twinrun_base::{Case, Rng, Verdict};
use twinrun_explore::Decided;
use twinrun_interp::Position;
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;

use crate::debug::Violated;
use crate::error::Error;
use crate::groups::Groups;
use crate::perturbed::Perturbed;
use crate::repairs::Known;
use crate::shrunk::shrunk;
use crate::steps::Steps;
use crate::subject::Subject;

/// Passing cases that are drawn for each relation, and the tries for them.
const PASSING: usize = 6;
const TRIES: u32 = 300;
/// Cases that are drawn to judge changes, whatever their verdict: for all relations of the subject together, and for each at least.
const FRESH: usize = 48;
const FRESH_EACH: usize = 16;
/// So many of them should be violated; where too few are, cases near the violated ones are drawn.
const FRESH_VIOLATED: usize = 24;
/// Cases that are drawn beside for the changes that suit all of these, and such near the violated ones.
const MORE: usize = 60;
const MORE_NEAR: usize = 60;
/// Tries for cases near the violated ones.
const NEAR_TRIES: u32 = 240;
/// Violated cases of each relation that are shrunk.
const SHRUNK: usize = 3;

/// A case that ran, with the branches of its runs.
pub(crate) struct Traced {
    pub(crate) relation: String,
    pub(crate) known: Known,
    pub(crate) trace: Vec<Decided>,
    pub(crate) owners: BTreeMap<Position, Vec<usize>>,
}

/// The violated cases of each relation with smaller ones made of them, the smallest first.
pub(crate) fn with_smaller(groups: &Groups, violated: &[Violated]) -> Result<Vec<Violated>, Error> {
    let relations: BTreeSet<&String> = violated.iter().map(|violated| &violated.relation).collect();
    let mut all: Vec<Violated> = Vec::new();
    for relation in relations {
        let function = groups.relation(relation)?;
        let work = |case: &Case| groups.replay(function, case, Perturbed::nothing(), u64::MAX).work;
        let mut own: Vec<(u64, &Case)> = violated
            .iter()
            .filter(|it| it.relation == *relation)
            .map(|it| (work(&it.case), &it.case))
            .collect();
        own.sort_by_key(|(work, _)| *work);
        let mut cases: Vec<(u64, Case)> = Vec::new();
        for (_, case) in own.iter().take(SHRUNK) {
            let smaller = shrunk(groups, function, case)?;
            if !cases.iter().any(|(_, known)| *known == smaller) {
                cases.push((work(&smaller), smaller));
            }
        }
        cases.sort_by_key(|(work, _)| *work);
        for (work, case) in own {
            if !cases.iter().any(|(_, known)| known == case) {
                cases.push((work, case.clone()));
            }
        }
        all.extend(cases.into_iter().map(|(_, case)| Violated { relation: relation.clone(), case }));
    }
    Ok(all)
}

/// At most so many of each relation, in their order.
pub(crate) fn of_each(violated: &[Violated], most: usize) -> Vec<Violated> {
    let mut taken: BTreeMap<&String, usize> = BTreeMap::new();
    let few = violated.iter().filter(|it| {
        let count = taken.entry(&it.relation).or_default();
        *count += 1;
        *count <= most
    });
    few.cloned().collect()
}

/// Runs a case and keeps it if it ends as wanted.
pub(crate) fn traced(
    groups: &Groups,
    subject: &Subject,
    relation: &str,
    case: &Case,
    wanted: Verdict,
) -> Result<Option<Traced>, Error> {
    let function = groups.relation(relation)?;
    let mut replay = Replay::default();
    replay.begin(case);
    let mut steps = Steps::new(subject);
    let ran = groups.run(function, &mut replay, Perturbed::nothing(), u64::MAX, &mut steps);
    Ok((ran.verdict == wanted).then(|| Traced {
        relation: relation.to_owned(),
        known: Known { relation: function, case: replay.drawn(), ran },
        owners: steps.owners(),
        trace: steps.trace,
    }))
}

/// Draws passing cases of every relation, many of them near the violated ones.
pub(crate) fn draw(
    groups: &Groups,
    subject: &Subject,
    violated: &[Violated],
    seed: u64,
    passing: &mut Vec<Traced>,
) -> Result<(), Error> {
    let relations: BTreeSet<&String> = violated.iter().map(|violated| &violated.relation).collect();
    for (index, relation) in relations.into_iter().enumerate() {
        let function = groups.relation(relation)?;
        let near: Vec<Rc<Case>> = violated
            .iter()
            .filter(|it| it.relation == *relation)
            .map(|it| Rc::new(it.case.clone()))
            .collect();
        let mut generator = Generator::new(Rng::fork(seed, index as u64), &[]);
        let mut found = 0;
        for _ in 0..TRIES {
            generator.begin(&near);
            let ran = groups.run(function, &mut generator, Perturbed::nothing(), u64::MAX, &mut ());
            if ran.verdict == Verdict::Holds {
                passing.extend(traced(groups, subject, relation, &generator.case(), Verdict::Holds)?);
                found += 1;
            }
            if found == PASSING {
                break;
            }
        }
    }
    Ok(())
}

/// Draws cases to judge changes by, of all relations of the subject, whatever their verdict; and more, for the changes that suit all
/// of the first. A fault that few cases show is judged by cases near the violated ones.
pub(crate) fn fresh(groups: &Groups, violated: &[Traced], seed: u64) -> (Vec<Known>, Vec<Known>) {
    let relations = groups.relations().count().max(1);
    let mut fresh = drawn(groups, seed, (FRESH / relations).max(FRESH_EACH));
    let mut more = drawn(groups, seed ^ 0x6d6f_7265, MORE / relations);
    let (mut near_violated, mut near_passing) = near(groups, violated, seed ^ 0x6e65_6172);
    let known = fresh.iter().filter(|known| known.ran.verdict == Verdict::Violated).count();
    near_violated.truncate(FRESH_VIOLATED.saturating_sub(known));
    near_passing.truncate(MORE_NEAR);
    fresh.extend(near_violated);
    more.extend(near_passing);
    // The first of them are looked at most.
    let (violating, passing) = fresh.into_iter().partition(|known| known.ran.verdict == Verdict::Violated);
    (in_turn(vec![violating, passing]), more)
}

/// Draws cases near the violated ones, other than they: violated and passing ones, of all their relations in turn.
fn near(groups: &Groups, violated: &[Traced], seed: u64) -> (Vec<Known>, Vec<Known>) {
    let relations: BTreeSet<u32> = violated.iter().map(|violated| violated.known.relation).collect();
    let tries = NEAR_TRIES / relations.len().max(1) as u32;
    let (mut violating, mut passing) = (Vec::new(), Vec::new());
    for (index, relation) in relations.into_iter().enumerate() {
        let own = violated.iter().map(|it| &it.known).filter(|known| known.relation == relation);
        let given: Vec<Rc<Case>> = own.map(|known| Rc::new(known.case.clone())).collect();
        let mut generator = Generator::new(Rng::fork(seed, index as u64), &[]);
        let (mut own_violating, mut own_passing) = (Vec::<Known>::new(), Vec::<Known>::new());
        for _ in 0..tries {
            generator.begin(&given);
            let ran = groups.run(relation, &mut generator, Perturbed::nothing(), u64::MAX, &mut ());
            let case = generator.case();
            let to = match ran.verdict {
                Verdict::Violated => &mut own_violating,
                Verdict::Holds => &mut own_passing,
                _ => continue,
            };
            if !given.iter().any(|known| **known == case) && !to.iter().any(|known| known.case == case) {
                to.push(Known { relation, case, ran });
            }
        }
        violating.push(own_violating);
        passing.push(own_passing);
    }
    (in_turn(violating), in_turn(passing))
}

/// The elements of several lists in turn.
fn in_turn<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all: Vec<(usize, T)> = lists.into_iter().flat_map(|list| list.into_iter().enumerate()).collect();
    all.sort_by_key(|(turn, _)| *turn);
    all.into_iter().map(|(_, element)| element).collect()
}

fn drawn(groups: &Groups, seed: u64, each: usize) -> Vec<Known> {
    let mut found = Vec::new();
    for (index, (_, relation)) in groups.relations().enumerate() {
        // Another stream than that of the passing cases.
        let mut generator = Generator::new(Rng::fork(seed ^ 0x5eed, index as u64), &[]);
        let mut wanted = each;
        for _ in 0..2 * each {
            generator.begin(&[]);
            let ran = groups.run(relation, &mut generator, Perturbed::nothing(), u64::MAX, &mut ());
            if matches!(ran.verdict, Verdict::Holds | Verdict::Violated) {
                found.push(Known { relation, case: generator.case(), ran });
                wanted -= 1;
            }
            if wanted == 0 {
                break;
            }
        }
    }
    found
}
