//! A relation over a permutation, proved from generators.
//!
//! Exchanging the first two and moving all up by one place generate every permutation of n. Where run 2 is given what run 1 is given, permuted, and the
//! answers are to be equal, the relation for two permutations gives it for their product: the answer does not change on the first way, nor on the second.

use std::time::Instant;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use twinrun_base::{Domain, Rng};
use twinrun_explore::{Engine, Source, Watching};
use twinrun_term::Model;

use crate::carry::{self, Carry};
use crate::certificate::obligations;
use crate::error::Error;
use crate::merged;
use crate::prepare::{Config, Loaded, Progress};
use crate::report::{MergedProof, Obligation};

/// Up to this length, what run 2 is given is looked at for every permutation; beyond, for as many as there are of this length.
const MOST_ALL: usize = 6;

/// A proof from generators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneratorProof {
    /// The input that is the permutation.
    pub input: String,
    /// The permutations for which the relation was proved.
    pub generators: Vec<Vec<u32>>,
    /// For how many permutations it was seen that run 2 is given the permuted input.
    pub looked_at: usize,
    /// Whether these are all.
    pub all: bool,
}

/// What was proved.
pub(crate) struct Proved {
    pub(crate) proof: GeneratorProof,
    pub(crate) carry: Carry,
    pub(crate) inputs: Vec<String>,
    pub(crate) merged: MergedProof,
    pub(crate) obligations: Option<Vec<Obligation>>,
}

/// Proves a relation that draws one permutation from the two that generate all; nothing where it has another form or cannot be proved so.
pub(crate) fn prove(
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    (watching, names): (&Watching, &FxHashMap<u32, String>),
    until: Instant,
    tell: &mut dyn FnMut(Progress),
) -> Result<Option<Proved>, Error> {
    let mut engine = loaded.engine(relation, config.limits)?;
    let first = engine.run(Source::Model(Model::new()))?;
    let mut drawn = first.drawn.iter().filter_map(|drawn| match drawn.domain {
        Domain::Permutation { n } if n > 1 => Some((drawn.name.clone(), n)),
        _ => None,
    });
    let (Some((input, n)), None) = (drawn.next(), drawn.next()) else { return Ok(None) };
    let all = every(n as usize);
    let Some(carry) = permutes(&mut engine, watching, names, &all)? else { return Ok(None) };
    let mut generators = vec![swapped(n), rotated(n)];
    generators.dedup();
    let mut proved = Proved {
        proof: GeneratorProof {
            input,
            generators: generators.clone(),
            looked_at: all.len(),
            all: n as usize <= MOST_ALL,
        },
        carry,
        inputs: crate::whole::describe(&first.drawn),
        merged: MergedProof { complete: true, integers: true, ..MergedProof::default() },
        obligations: Some(Vec::new()),
    };
    for generator in generators {
        let pinned = loaded.pinned(generator.clone());
        let mut outcome = merged::explore(&pinned, relation, config, until, true, tell)?;
        let complete = outcome.coverage.is_complete() && outcome.timeouts == 0;
        if outcome.violated.is_some() || !outcome.crashed.is_empty() || !complete {
            return Ok(None);
        }
        proved.merged.paths += outcome.summary.paths;
        proved.merged.merges += outcome.summary.merges;
        proved.merged.queries += outcome.summary.queries;
        proved.merged.integers &= outcome.summary.integers;
        let own = obligations(&mut outcome.explorer.engine.domain.terms, &outcome.covered);
        let stated = own.map(|own| {
            own.into_iter().map(|it| Obligation { states: format!("{}, for {generator:?}", it.states), ..it })
        });
        proved.obligations = proved.obligations.zip(stated).map(|(mut known, own)| {
            known.extend(own);
            known
        });
    }
    Ok(Some(proved))
}

/// The generators as a map between arguments, if for each of these permutations run 2 is given what run 1 is given in that order.
fn permutes(
    engine: &mut Engine,
    watching: &Watching,
    names: &FxHashMap<u32, String>,
    permutations: &[Vec<u32>],
) -> Result<Option<Carry>, Error> {
    let mut found: Option<Carry> = None;
    for permutation in permutations {
        engine.pin(Some(permutation.clone()));
        let carry = carry::find(engine, watching, names)?;
        engine.pin(None);
        let wanted: Vec<usize> = permutation.iter().map(|&place| place as usize).collect();
        let Some(carry) = carry.filter(|carry| carry.permutations == [wanted]) else { return Ok(None) };
        let ranges = carry.from.iter().all(|it| it.range == carry.from[0].range);
        if !ranges {
            return Ok(None);
        }
        let known = found.get_or_insert_with(|| Carry { permutations: Vec::new(), ..carry.clone() });
        if known.from != carry.from {
            return Ok(None);
        }
    }
    if let Some(carry) = &mut found {
        let n = carry.from.len() as u32;
        let whole = |permutation: Vec<u32>| permutation.into_iter().map(|place| place as usize).collect();
        carry.permutations = vec![whole(swapped(n)), whole(rotated(n))];
        carry.permutations.dedup();
    }
    Ok(found)
}

/// The first two exchanged.
fn swapped(n: u32) -> Vec<u32> {
    (0..n).map(|index| if index < 2 { 1 - index } else { index }).collect()
}

/// All moved up by one place.
fn rotated(n: u32) -> Vec<u32> {
    (0..n).map(|index| (index + 1) % n).collect()
}

/// All permutations of a short length; as many of a longer one, drawn.
fn every(n: usize) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..n as u32).collect();
    if n > MOST_ALL {
        let mut rng = Rng::new(5);
        let mut drawn = || {
            let mut permutation = identity.clone();
            for index in (1..n).rev() {
                permutation.swap(index, rng.below(index as u64 + 1) as usize);
            }
            permutation
        };
        let mut all: Vec<Vec<u32>> = (0..720).map(|_| drawn()).collect();
        all.extend([swapped(n as u32), rotated(n as u32)]);
        return all;
    }
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |known: &Vec<u32>| {
            let known = known.clone();
            let open: Vec<u32> = identity.iter().copied().filter(|it| !known.contains(it)).collect();
            open.into_iter().map(move |next| [&known[..], &[next]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_generators_generate_every_permutation() {
        for n in 2..6u32 {
            let mut known = vec![(0..n).collect::<Vec<u32>>()];
            let mut next = 0;
            while next < known.len() {
                for generator in [swapped(n), rotated(n)] {
                    let product: Vec<u32> = generator.iter().map(|&it| known[next][it as usize]).collect();
                    if !known.contains(&product) {
                        known.push(product);
                    }
                }
                next += 1;
            }
            known.sort();
            let mut all = every(n as usize);
            all.sort();
            assert_eq!(known, all);
        }
    }
}
