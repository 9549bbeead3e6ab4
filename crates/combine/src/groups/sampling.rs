//! The published ways to groups, for comparison: COMER's candidate sampling with its parameters PR and REP,
//! and one follow-up for each test ("Enhance combinatorial testing with metamorphic relations", Algorithm 1).

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::matcher::{Group, abstract_matches};
use super::relation::Abstract;
use crate::cover::Requirement;
use crate::error::Error;
use crate::feasible::{Feasibility, contradiction, infeasible_sets};
use crate::model::Model;
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Invalid, Row, Space};

/// Parameters of the published method.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The strength to cover.
    pub strength: usize,
    /// The probability to sample follow-ups of an earlier row rather than random rows.
    pub probability: f64,
    /// Candidates for each row.
    pub candidates: usize,
    /// Everything random follows from it.
    pub seed: u64,
}

/// An array by the published sampling, with the groups that it planned.
///
/// # Errors
/// As generation.
pub fn sample(model: &Model, sampling: Sampling) -> Result<(Vec<Vec<usize>>, Vec<Group>), Error> {
    let mut random = Random::new(sampling.seed);
    let space = Space::new(model, Invalid::Never)?;
    let mut feasibility = Feasibility::new(&space);
    if feasibility.row(&[]).is_none() {
        return Err(contradiction(&space, model));
    }
    let infeasible = infeasible_sets(&space, &mut feasibility, sampling.strength, &mut random);
    let everything: Vec<usize> = (0..space.sizes.len()).collect();
    let mut requirement = Requirement::new(&space, &everything, sampling.strength, &infeasible)?;
    let relations = Abstract::new(model, &space)?;
    let mut propagator = Propagator::new(&space);
    let mut rows: Vec<Row> = Vec::new();
    let mut known = FxHashMap::default();
    let mut planned: Vec<Group> = Vec::new();
    let mut barren = 0;
    while requirement.left > 0 {
        let follow =
            random.unit() <= sampling.probability && !rows.is_empty() && !relations.relations.is_empty();
        let mut best: Option<Chosen> = None;
        let keep =
            |gain: usize, chosen: Vec<Row>, group: Option<(usize, usize)>, best: &mut Option<Chosen>| {
                if best.as_ref().is_none_or(|(own, ..)| gain > *own) {
                    *best = Some((gain, chosen, group));
                }
            };
        if follow {
            let source = random.below(rows.len());
            let relation = random.below(relations.relations.len());
            let partners = relations.partners(relation, &rows[source], false, &mut random);
            for _ in 0..sampling.candidates.min(partners.len()) {
                let chosen = &partners[random.below(partners.len())];
                let gain = chosen.iter().map(|row| requirement.count_new(row)).sum();
                keep(gain, chosen.clone(), Some((relation, source)), &mut best);
            }
        } else {
            for _ in 0..sampling.candidates {
                if let Some(row) = propagator.random_row(&mut random) {
                    keep(requirement.count_new(&row), vec![row], None, &mut best);
                }
            }
        }
        match best {
            Some((gain, chosen, group)) if gain > 0 => {
                barren = 0;
                let mut tests: Vec<usize> = Vec::new();
                for row in chosen {
                    requirement.cover(&row);
                    tests.push(place(&mut rows, &mut known, row));
                }
                planned.extend(group.map(|(relation, source)| Group {
                    relation,
                    tests: std::iter::once(source).chain(tests).collect(),
                }));
            }
            _ => barren += 1,
        }
        // Random rows may take forever to meet the last tuples: then one is asked for.
        if barren > BARREN
            && let Some((mut tuple, completing)) = requirement.hardest()
        {
            tuple.push(completing[random.below(completing.len())]);
            let row = feasibility.row(&tuple).expect("the tuple can occur");
            requirement.cover(&row);
            place(&mut rows, &mut known, row);
            barren = 0;
        }
    }
    Ok((rows.iter().map(|row| space.to_model(row)).collect(), planned))
}

/// The rows that were drawn, what they cover, and the relation and source that they follow.
type Chosen = (usize, Vec<Row>, Option<(usize, usize)>);

/// The place of a row, which is added when it is not there: no row is there twice.
fn place<T: Clone + Eq + Hash>(
    rows: &mut Vec<Vec<T>>,
    known: &mut FxHashMap<Vec<T>, usize>,
    row: Vec<T>,
) -> usize {
    *known.entry(row).or_insert_with_key(|row| {
        rows.push(row.clone());
        rows.len() - 1
    })
}

/// Rounds without a new tuple before the method is helped on.
const BARREN: usize = 8;

/// One follow-up for each test: the rows with their follow-ups behind them, and the groups so planned.
///
/// # Errors
/// As generation.
pub fn follow_ups(
    model: &Model,
    rows: &[Vec<usize>],
    seed: u64,
) -> Result<(Vec<Vec<usize>>, Vec<Group>), Error> {
    let mut random = Random::new(seed);
    let space = Space::new(model, Invalid::Never)?;
    let relations = Abstract::new(model, &space)?;
    let mut out = rows.to_vec();
    let mut known: FxHashMap<Vec<usize>, usize> = rows.iter().cloned().zip(0..).collect();
    let mut planned = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut order: Vec<usize> = (0..relations.relations.len()).collect();
        random.shuffle(&mut order);
        let source = space.of_model(row);
        for relation in order {
            let partners = relations.partners(relation, &source, false, &mut random);
            if partners.is_empty() {
                continue;
            }
            let chosen = &partners[random.below(partners.len())];
            let others = chosen.iter().map(|row| space.to_model(row));
            let tests =
                std::iter::once(at).chain(others.map(|row| place(&mut out, &mut known, row))).collect();
            planned.push(Group { relation, tests });
            break;
        }
    }
    Ok((out, planned))
}

/// All groups that rows can form, for relation-aware concretisation of an array made without relations.
///
/// # Errors
/// As generation.
pub fn plan(model: &Model, rows: &[Vec<usize>]) -> Result<Vec<Group>, Error> {
    let space = Space::new(model, Invalid::Never)?;
    let relations = Abstract::new(model, &space)?;
    let rows: Vec<Row> = rows.iter().map(|row| space.of_model(row)).collect();
    Ok(abstract_matches(&relations, &rows))
}
