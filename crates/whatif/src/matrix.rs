//! Edits × cases: what each edit does to failing and to passing cases, filled lazily.
//!
//! Most edits fix nothing, and two or three cases show it; what fixes something meets more cases; what fixes everything and breaks nothing meets all of them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Verdict};
use twinrun_testing::executor::ExecuteError;

use crate::bench::{Answer, Bench};
use crate::cases::{Cases, Stored};

/// Failing cases that an edit meets first.
const SCREEN: usize = 4;
/// Failing and passing cases that one meets which fixes some of these.
const SAMPLE: usize = 16;

/// What one edit does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The edit.
    pub edit: usize,
    /// Failing cases that were run with it.
    pub failing: u32,
    /// Of these, cases that pass with it.
    pub fixed: u32,
    /// Of the fixed ones, cases of which some compared value stays.
    pub partly: u32,
    /// Passing cases that were run with it.
    pub passing: u32,
    /// Of these, cases that still pass.
    pub held: u32,
    /// Of these, cases whose answers stay.
    pub kept: u32,
    /// Of the passing cases, those that take as much work as before.
    pub same_work: u32,
    /// How many different answers it leaves, as a share of those before; of two that disagreed, one was wrong and may go, so that a half is enough.
    pub variety: f64,
    /// It met all cases, fixes every failing one, breaks no passing one, and keeps answers various.
    pub perfect: bool,
}

impl Effect {
    /// How well it repairs, from 0 to 1; squared, because many edits repair a little. Passing cases may have passed with wrong answers: keeping these counts
    /// for a quarter only.
    pub fn worth(&self) -> f64 {
        let share = |part: u32, of: u32| f64::from(part + 1) / f64::from(of + 1);
        let fixed = f64::from(self.fixed) / f64::from(self.failing.max(1));
        let rest = share(self.held, self.passing) * (0.75 + 0.25 * share(self.kept, self.passing));
        (fixed * rest * (2.0 * self.variety).min(1.0)).powi(2)
    }
}

/// What was found out.
#[derive(Default)]
pub struct Matrix {
    /// Edits that fix at least one case, in the order in which they were tried.
    pub effects: Vec<Effect>,
    /// All answers of the perfect ones, in the order of the cases.
    pub answers: BTreeMap<usize, Vec<Answer>>,
    /// The edits that were tried, in that order.
    pub tried: Vec<usize>,
    /// Whether all were.
    pub complete: bool,
}

/// Tries edits in this order until the budget is spent.
///
/// # Errors
/// When the engine cannot answer.
pub fn fill(
    bench: &mut Bench,
    order: &[usize],
    cases: &Cases,
    budget: Budget,
) -> Result<Matrix, ExecuteError> {
    let mut matrix = Matrix { complete: true, ..Matrix::default() };
    let failing = screened(&cases.failing);
    let holding = spread(cases.holding.len(), SAMPLE);
    for &edit in order {
        if budget.is_over() {
            matrix.complete = false;
            break;
        }
        bench.switch(Some(edit));
        matrix.tried.push(edit);
        if let Some((effect, answers)) = tried(bench, edit, cases, &failing, &holding)? {
            if effect.perfect {
                matrix.answers.insert(edit, answers);
            }
            matrix.effects.push(effect);
        }
    }
    bench.switch(None);
    Ok(matrix)
}

/// The order in which failing cases are met: the quickest of each relation, then evenly over the rest.
fn screened(failing: &[Stored]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut order: Vec<usize> = (0..failing.len()).filter(|it| seen.insert(&failing[*it].relation)).collect();
    let more: Vec<usize> =
        spread(failing.len(), SAMPLE).into_iter().filter(|it| !order.contains(it)).collect();
    order.extend(more);
    order
}

/// So many of these numbers, evenly.
fn spread(count: usize, most: usize) -> Vec<usize> {
    let step = count.div_ceil(most.max(1)).max(1);
    (0..count).step_by(step).collect()
}

/// What the edit that is switched on does; nothing where it fixes nothing.
fn tried(
    bench: &mut Bench,
    edit: usize,
    cases: &Cases,
    failing: &[usize],
    holding: &[usize],
) -> Result<Option<(Effect, Vec<Answer>)>, ExecuteError> {
    let mut effect = Effect {
        edit,
        failing: 0,
        fixed: 0,
        partly: 0,
        passing: 0,
        held: 0,
        kept: 0,
        same_work: 0,
        variety: 1.0,
        perfect: false,
    };
    let mut known: BTreeMap<usize, Answer> = BTreeMap::new();
    for (place, &index) in failing.iter().enumerate() {
        if place == SCREEN && effect.fixed == 0 {
            break;
        }
        known.insert(index, fails(bench, &mut effect, &cases.failing[index])?);
    }
    if effect.fixed == 0 {
        return Ok(None);
    }
    let behind = cases.failing.len();
    for &index in holding {
        known.insert(behind + index, passes(bench, &mut effect, &cases.holding[index])?);
    }
    // The rest, as long as nothing speaks against it.
    let all: Vec<&Stored> = cases.all().collect();
    for (index, stored) in all.iter().enumerate() {
        if effect.fixed < effect.failing || effect.held < effect.passing {
            break;
        }
        if let Entry::Vacant(entry) = known.entry(index) {
            entry.insert(match index < behind {
                true => fails(bench, &mut effect, stored)?,
                false => passes(bench, &mut effect, stored)?,
            });
        }
    }
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    for (index, answer) in known.iter().filter(|(_, answer)| answer.verdict == Verdict::Holds) {
        let stored = all[*index];
        before.extend(stored.answer.values.iter().enumerate().map(|it| (&stored.relation, it)));
        after.extend(answer.values.iter().enumerate().map(|it| (&stored.relation, it)));
    }
    effect.variety = after.len() as f64 / before.len().max(1) as f64;
    effect.perfect = known.len() == all.len()
        && effect.fixed == effect.failing
        && effect.held == effect.passing
        && effect.variety >= 0.5;
    Ok(Some((effect, known.into_values().collect())))
}

fn fails(bench: &mut Bench, effect: &mut Effect, stored: &Stored) -> Result<Answer, ExecuteError> {
    let answer = bench.run(&stored.relation, &stored.case)?;
    effect.failing += 1;
    if answer.verdict == Verdict::Holds {
        effect.fixed += 1;
        let stays = answer.values.iter().zip(&stored.answer.values).any(|(now, then)| now == then);
        effect.partly += u32::from(stays);
    }
    Ok(answer)
}

fn passes(bench: &mut Bench, effect: &mut Effect, stored: &Stored) -> Result<Answer, ExecuteError> {
    let answer = bench.run(&stored.relation, &stored.case)?;
    effect.passing += 1;
    let held = answer.verdict == Verdict::Holds;
    effect.held += u32::from(held);
    effect.kept += u32::from(held && answer.values == stored.answer.values);
    effect.same_work += u32::from(held && answer.work == stored.answer.work);
    Ok(answer)
}
