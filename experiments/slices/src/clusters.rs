//! Ways to put violated groups down to several faults, so that each fault gets a ranking of its own (after Jones, Bowring and
//! Harrold, Debugging in parallel, 2007). Measured against one ranking for all; the tool has that one.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_localize::evidence::{Evidence, bits};
use twinrun_localize::mend::{Mended, Worth};

/// The violated groups of each cluster, by number in the evidence.
pub(crate) type Clusters = Vec<BTreeSet<u32>>;

/// A way to tell violated groups apart.
pub(crate) type Way = fn(&Evidence, &[Mended]) -> Clusters;

/// All ways, with what they go by.
pub(crate) const WAYS: [(&str, Way); 3] =
    [("changes that mend them", by_mending), ("relation", by_relation), ("slices", by_slices)];

/// Clusters by mending at most.
const MOST: usize = 4;
/// A change that mends this share of the tried groups speaks for one fault.
const ENOUGH: f64 = 0.75;
/// Groups that a change must mend for a cluster of its own.
const LEAST: usize = 2;

fn violated(evidence: &Evidence) -> BTreeSet<u32> {
    let all = (0..).zip(&evidence.groups).filter(|(_, group)| group.violated);
    all.map(|(index, _)| index).collect()
}

/// Groups that the same change mends; those that were not tried go where their slices are nearest.
fn by_mending(evidence: &Evidence, mended: &[Mended]) -> Clusters {
    let seeds = seeds(mended);
    if seeds.len() < 2 {
        return vec![violated(evidence)];
    }
    let centres: Vec<Vec<f64>> = seeds.iter().map(|seed| centre(evidence, seed)).collect();
    let mut found = seeds.clone();
    for group in violated(evidence) {
        if !seeds.iter().any(|seed| seed.contains(&group)) {
            found[nearest(evidence, &centres, group)].insert(group);
        }
    }
    largest_first(found)
}

/// The violated groups of each relation.
fn by_relation(evidence: &Evidence, _: &[Mended]) -> Clusters {
    let mut found: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for group in violated(evidence) {
        found.entry(evidence.groups[group as usize].relation).or_default().insert(group);
    }
    largest_first(found.into_values().collect())
}

/// Two clusters of similar slices: the two most different groups, and each other one where it is nearest, in a few rounds.
fn by_slices(evidence: &Evidence, _: &[Mended]) -> Clusters {
    let all = violated(evidence);
    let Some(first) = all.first() else { return vec![all] };
    let far = |from: &[f64]| {
        let distances =
            all.iter().map(|group| (*group, distance(from, &centre(evidence, &BTreeSet::from([*group])))));
        distances.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(*first, |(group, _)| group)
    };
    let one = far(&centre(evidence, &BTreeSet::from([*first])));
    let other = far(&centre(evidence, &BTreeSet::from([one])));
    let mut found = vec![BTreeSet::from([one]), BTreeSet::from([other])];
    for _ in 0..ROUNDS {
        let centres: Vec<Vec<f64>> = found.iter().map(|cluster| centre(evidence, cluster)).collect();
        let mut next = vec![BTreeSet::new(); 2];
        for group in &all {
            next[nearest(evidence, &centres, *group)].insert(*group);
        }
        next.retain(|cluster| !cluster.is_empty());
        if next.len() < 2 {
            return vec![all];
        }
        found = next;
    }
    largest_first(found)
}

/// Rounds after which clusters hardly change.
const ROUNDS: usize = 5;

fn largest_first(mut clusters: Clusters) -> Clusters {
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
    clusters
}

/// Tried groups that one change mends, then among the others those that the next change mends: a greedy cover.
fn seeds(mended: &[Mended]) -> Clusters {
    let mends = |change: &Mended| -> BTreeSet<u32> {
        let groups = change.effects.iter().map(|(group, _)| *group);
        groups.filter(|group| change.mends(*group)).collect()
    };
    let sets: Vec<(&Mended, BTreeSet<u32>)> =
        mended.iter().filter(|it| it.leaves_the_rest()).map(|it| (it, mends(it))).collect();
    let tried = mended.first().map_or(0, |change| change.effects.len());
    let most = sets.iter().map(|(_, set)| set.len()).max().unwrap_or(0);
    let mut seeds: Clusters = Vec::new();
    while seeds.len() < MOST && (most as f64) < ENOUGH * tried as f64 {
        let fresh = |set: &BTreeSet<u32>| -> BTreeSet<u32> {
            set.iter().filter(|group| !seeds.iter().any(|seed| seed.contains(group))).copied().collect()
        };
        let candidates = sets.iter().map(|(change, set)| (fresh(set), change.worth(Worth::Held)));
        match candidates.max_by(|a, b| a.0.len().cmp(&b.0.len()).then(a.1.total_cmp(&b.1))) {
            Some((groups, _)) if groups.len() >= LEAST => seeds.push(groups),
            _ => break,
        }
    }
    seeds
}

fn nearest(evidence: &Evidence, centres: &[Vec<f64>], group: u32) -> usize {
    let slice = centre(evidence, &BTreeSet::from([group]));
    let distances: Vec<f64> = centres.iter().map(|centre| distance(centre, &slice)).collect();
    (0..distances.len()).min_by(|a, b| distances[*a].total_cmp(&distances[*b])).unwrap_or(0)
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum()
}

/// How often each block is touched by these groups.
fn centre(evidence: &Evidence, groups: &BTreeSet<u32>) -> Vec<f64> {
    let mut centre = vec![0.0; evidence.lines.blocks.len()];
    for group in groups {
        for block in bits(&evidence.union(&evidence.groups[*group as usize])) {
            if let Some(share) = centre.get_mut(block) {
                *share += 1.0 / groups.len() as f64;
            }
        }
    }
    centre
}

/// The evidence of one cluster: its violated groups and all that hold.
pub(crate) fn evidence_of(evidence: &Evidence, cluster: &BTreeSet<u32>) -> Evidence {
    let mut of = evidence.clone();
    let groups = (0..).zip(&evidence.groups);
    let chosen = groups.filter(|(index, group)| !group.violated || cluster.contains(index));
    of.groups = chosen.map(|(_, group)| group.clone()).collect();
    of
}

/// What the changes do for one cluster.
pub(crate) fn mended_of(mended: &[Mended], cluster: &BTreeSet<u32>) -> Vec<Mended> {
    mended.iter().filter_map(|change| change.among(cluster)).collect()
}
