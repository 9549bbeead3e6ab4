//! Makes an array rich in groups without losing coverage.
//!
//! Starting from a small array, a row that matters little is turned into a follow-up (or a source) of another
//! row; what that uncovers is repaired by the same local search that shrinks arrays, around the rows of the
//! new group; the change stays if coverage is whole again and the array has gained groups. Up to a given
//! share of rows may be added first: they are free to serve groups alone.

mod added;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::matcher::{Group, abstract_matches, distinct};
use super::relation::Abstract;
use crate::cover::Requirement;
use crate::error::Error;
use crate::feasible::{Feasibility, infeasible_sets};
use crate::generate::{Array, Config, generate};
use crate::model::Model;
use crate::optimise::Search;
use crate::random::Random;
use crate::space::{Invalid, Row, Space};

/// How much is done for groups.
#[derive(Debug, Clone, Copy)]
pub struct Richness {
    /// The one knob between size and groups: this many times the square root of the array's size may be added in rows,
    /// 0.87 by default. A small array has no row to spare, a large one has many.
    pub extra_rows: f64,
    /// That share of the rows may be added where it is more.
    pub share: f64,
    /// A relation with fewer groups than this is given them by further rows: one without groups tests nothing.
    pub least: usize,
    /// Changes tried.
    pub attempts: usize,
}

impl Default for Richness {
    fn default() -> Richness {
        Richness { extra_rows: 2.0, share: 0.25, least: 1, attempts: 200_000 }
    }
}

impl Richness {
    /// How many rows may be added to so many.
    fn budget(&self, rows: usize) -> usize {
        (self.extra_rows * (rows as f64).sqrt()).max(self.share * rows as f64).round() as usize
    }
}

/// A covering array rich in groups, and the groups that its rows can form, those with the most
/// connected tests first.
///
/// # Errors
/// As generation.
pub fn enrich(model: &Model, config: &Config, richness: Richness) -> Result<(Array, Vec<Group>), Error> {
    let mut array = generate(model, config)?;
    if model.relations.is_empty()
        || model.parameters.iter().any(|p| p.values.iter().any(|value| value.invalid))
    {
        return Ok((array, Vec::new()));
    }
    let mut random = Random::new(config.seed ^ 0x6772_6f75_7073);
    let space = Space::new(model, Invalid::Never)?;
    let mut feasibility = Feasibility::new(&space);
    let mut groups: Vec<(Vec<usize>, usize)> = vec![((0..model.parameters.len()).collect(), array.strength)];
    groups.extend(model.mixed.iter().map(|mixed| (mixed.parameters.clone(), mixed.strength)));
    let largest = groups.iter().map(|(_, strength)| *strength).max().unwrap_or(1);
    let infeasible = infeasible_sets(&space, &mut feasibility, largest, &mut random);
    let mut fresh = Vec::new();
    for (parameters, strength) in &groups {
        let own: Vec<usize> =
            (0..space.order.len()).filter(|&at| parameters.contains(&space.order[at])).collect();
        fresh.push(Requirement::new(&space, &own, *strength, &infeasible)?);
    }
    let relations = Abstract::new(model, &space)?;
    let mut rows: Vec<Row> = array.rows.iter().map(|row| space.of_model(row)).collect();
    let extra = richness.budget(rows.len());
    // The search counts tuples for a fixed number of rows: a copy keeps the place of each row to be added.
    let mut places = rows.clone();
    places.extend((0..extra).map(|_| rows[random.below(rows.len())].clone()));
    if let Some(search) = Search::new(&space, &fresh, &places) {
        let buckets = vec![FxHashMap::default(); relations.relations.len()];
        let known = FxHashMap::default();
        let served = vec![vec![0; places.len()]; relations.relations.len()];
        let seen = vec![FxHashMap::default(); relations.relations.len()];
        let strength = array.strength;
        let mut enricher = Enricher {
            relations: &relations,
            rows: rows.clone(),
            present: rows.iter().cloned().collect(),
            search,
            fixed: array.seeds,
            strength,
            buckets,
            known,
            served,
            seen,
            places: vec![0; relations.relations.len()],
        };
        enricher.accept(&(0..rows.len()).collect::<Vec<usize>>());
        enricher.count_served();
        enricher.place_added(extra, &mut random);
        enricher.run(richness.attempts, &mut random);
        enricher.drop_idle();
        rows = enricher.rows;
        added::serve_all(&relations, &mut rows, richness.least, &mut random);
    }
    let mut planned = abstract_matches(&relations, &rows);
    connected_first(&mut planned, rows.len());
    array.rows = rows.iter().map(|row| space.to_model(row)).collect();
    Ok((array, planned))
}

/// Orders groups so that the concrete stage meets tests of many groups early, and their neighbours next.
fn connected_first(planned: &mut [Group], rows: usize) {
    let mut degree = vec![0usize; rows];
    planned.iter().for_each(|group| group.tests.iter().for_each(|&test| degree[test] += 1));
    planned.sort_by_key(|group| {
        let most = group.tests.iter().map(|&test| degree[test]).max().unwrap_or(0);
        (std::cmp::Reverse(most), group.clone())
    });
}

struct Enricher<'a> {
    relations: &'a Abstract<'a>,
    /// The rows as last accepted; the search holds the rows being tried.
    rows: Vec<Row>,
    /// The same as a set: no row may be there twice.
    present: FxHashSet<Row>,
    search: Search<'a>,
    fixed: usize,
    /// For each relation, the rows that agree in its equal parameters.
    buckets: Vec<FxHashMap<u64, Vec<usize>>>,
    strength: usize,
    /// How many groups of two of each relation each accepted row is in.
    served: Vec<Vec<i64>>,
    /// How often each value occurs in the tests of the groups of two of each relation.
    seen: Vec<FxHashMap<u32, i64>>,
    /// How many places of tests the groups of two of each relation have.
    places: Vec<i64>,
    /// Partners that were listed before: by relation, direction and row.
    known: FxHashMap<(usize, bool, Row), Partners>,
}

fn value_worth(count: i64) -> i64 {
    VALUES[usize::try_from(count).unwrap_or(0).min(VALUES.len() - 1)]
}

/// How a change of rows changes the numbers of groups of two: by relation and row, and by relation and value.
#[derive(Default)]
struct Changes {
    rows: FxHashMap<(usize, usize), i64>,
    values: FxHashMap<(usize, u32), i64>,
}

/// Partners of a row: each a list of rows.
type Partners = Rc<[Vec<Row>]>;

/// Tuples counted before enrichment ends, fewer where the array itself took long: a bound on its time that does not depend
/// on the machine.
const WORK: (u64, u64) = (24_000_000, 1_000);
/// The first of so many parts of the work is for the relations that have few groups: these cost many attempts in vain, which
/// easier ones turn into groups afterwards.
const BALANCED: u64 = 4;
/// What an attempt counts for beside its tuples.
const ATTEMPT: u64 = 100;
/// Tuples that a change may uncover: more are hardly ever repaired.
const HOPELESS: usize = 40;
/// Repair steps after one change.
const REPAIRS: usize = 25;
/// What it is worth that a row comes into its first group of a relation; any further group is worth 1. Groups spread over
/// rows and relations see more faults than many groups of a few rows.
const FIRST: i64 = 1;
/// What it is worth that the groups of a relation have a value in one of their tests, and in several: a relation that
/// was tried with all values of all parameters sees faults that many groups alike do not.
const VALUES: [i64; 3] = [0, 4, 6];
/// Rows looked at as the one to change: at random, and among those that agree with the wanted row in some values.
const VICTIMS: usize = 32;
const NEAR: (usize, usize) = (6, 4);
/// Partners looked at for one row.
const PARTNERS: usize = 12;
/// Partners of one row that are remembered, and rows for which they are.
const REMEMBERED: (usize, usize) = (64, 8192);
/// Attempts in vain after which enrichment ends: so many, and so many more for each row.
const PATIENCE: (usize, usize) = (10_000, 100);

impl Enricher<'_> {
    fn run(&mut self, attempts: usize, random: &mut Random) {
        if self.rows.len() <= self.fixed + 1 {
            return;
        }
        let patience = PATIENCE.0 + PATIENCE.1 * self.rows.len();
        let mut vain = 0;
        let work = WORK.0.saturating_sub(WORK.1 * self.rows.len() as u64).max(WORK.0 / 4);
        for attempt in 0..attempts as u64 {
            let spent = self.search.work + ATTEMPT * attempt;
            if spent > work || vain > patience {
                break;
            }
            vain = if self.attempt(spent < work / BALANCED, random) { 0 } else { vain + 1 };
        }
    }

    /// A relation; of two drawn ones that with fewer groups when they are to be balanced.
    fn draw_relation(&self, balanced: bool, random: &mut Random) -> usize {
        let count = self.relations.relations.len();
        let (one, other) = (random.below(count), random.below(count));
        if balanced && self.places[other] < self.places[one] { other } else { one }
    }

    /// The rows that complete a group with a row, a random part of them when there are many.
    fn partners(
        &mut self,
        relation: usize,
        backwards: bool,
        given: &Row,
        random: &mut Random,
    ) -> Rc<[Vec<Row>]> {
        let key = (relation, backwards, given.clone());
        if let Some(partners) = self.known.get(&key) {
            return Rc::clone(partners);
        }
        let mut partners = self.relations.partners(relation, given, backwards, random);
        random.shuffle(&mut partners);
        partners.truncate(REMEMBERED.0);
        let partners: Rc<[Vec<Row>]> = partners.into();
        if self.known.len() >= REMEMBERED.1 {
            self.known.clear();
        }
        self.known.insert(key, Rc::clone(&partners));
        partners
    }

    /// Takes out rows that are alone in covering nothing and belong to no group.
    fn drop_idle(&mut self) {
        let planned = abstract_matches(self.relations, &self.rows);
        let mut grouped = vec![false; self.rows.len()];
        planned.iter().for_each(|group| group.tests.iter().for_each(|&test| grouped[test] = true));
        for at in (self.fixed..self.rows.len()).rev() {
            if !grouped[at] && self.search.lone[at].iter().all(|lone| *lone == 0) {
                self.search.remove(at);
                let row = self.rows.swap_remove(at);
                self.present.remove(&row);
            }
        }
    }

    /// One change; whether it brought groups.
    fn attempt(&mut self, balanced: bool, random: &mut Random) -> bool {
        let relation = self.draw_relation(balanced, random);
        // Rows without a group of the relation are preferred now and then, so that groups spread; the others make
        // clusters grow, which is easier.
        let tries = if random.below(4) == 0 { 3 } else { 0 };
        let anchor =
            (0..tries).map(|_| random.below(self.rows.len())).find(|&at| self.served[relation][at] == 0);
        let anchor = anchor.unwrap_or_else(|| random.below(self.rows.len()));
        let backwards = self.relations.relations[relation].0 == 2 && random.below(2) == 0;
        let given = self.rows[anchor].clone();
        let partners = self.partners(relation, backwards, &given, random);
        // The cheapest rows to turn into a partner.
        let mut best: Option<(i64, Vec<(usize, Row)>)> = None;
        let first = random.below(partners.len().max(1));
        for at in 0..partners.len().min(PARTNERS) {
            let partner = &partners[(first + at) % partners.len()];
            let Some((cost, placed)) = self.place(relation, anchor, partner, random) else { continue };
            if best.as_ref().is_none_or(|(own, _)| cost < *own) {
                best = Some((cost, placed));
            }
        }
        let Some((_, placed)) = best else { return false };
        let mut log: Vec<(usize, usize, u32)> = Vec::new();
        self.search.protected = placed.iter().map(|(at, _)| *at).chain([anchor]).collect();
        for (at, row) in &placed {
            for (parameter, &value) in row.iter().enumerate() {
                let old = self.search.rows[*at][parameter];
                if old != value {
                    log.push((*at, parameter, old));
                    self.search.set(*at, parameter, value);
                }
            }
        }
        let budget = self.search.open();
        for _ in 0..if budget > HOPELESS { 0 } else { REPAIRS } {
            if self.search.open() == 0 || self.search.open() > budget + 10 {
                break;
            }
            self.search.step += 1;
            self.search.repair_logged(self.fixed, random, &mut log);
        }
        let mut touched: Vec<usize> = log.iter().map(|(at, ..)| *at).collect();
        touched.sort_unstable();
        touched.dedup();
        let gain = (self.search.open() == 0 && self.distinct(&touched)).then(|| self.gain(&touched));
        if let Some((_, changes)) =
            gain.as_ref().filter(|(gain, _)| *gain > 0 || (*gain == 0 && random.below(4) == 0))
        {
            self.note(changes);
            self.accept(&touched);
        } else {
            for &(at, parameter, old) in log.iter().rev() {
                self.search.set(at, parameter, old);
            }
        }
        self.search.protected.clear();
        gain.is_some_and(|(gain, _)| gain > 0)
    }

    /// Rows to turn into the rows of a partner, and what that costs in tuples and groups.
    fn place(
        &self,
        relation: usize,
        anchor: usize,
        partner: &[Row],
        random: &mut Random,
    ) -> Option<(i64, Vec<(usize, Row)>)> {
        let mut placed: Vec<(usize, Row)> = Vec::new();
        let mut total = 0;
        for row in partner {
            if self.present.contains(row) {
                return None;
            }
            let movable = self.rows.len() - self.fixed;
            let mut victims: Vec<usize> = if movable <= VICTIMS {
                (self.fixed..self.rows.len()).collect()
            } else {
                (0..VICTIMS).map(|_| self.fixed + random.below(movable)).collect()
            };
            // Parameters are in the order of their sizes: rows that agree in the largest ones are the cheapest to turn.
            let same = &self.relations.relations[relation].1;
            for turn in 0..if movable <= VICTIMS { 0 } else { NEAR.0 } {
                let largest = same.len().min((self.strength - 1).saturating_sub(turn));
                let mut values: Vec<u32> = same[same.len() - largest..].iter().map(|&at| row[at]).collect();
                values.extend((values.len()..self.strength - 1).map(|_| row[random.below(row.len())]));
                self.search.agreeing(&values, NEAR.1, random, &mut victims);
            }
            victims.retain(|&at| at >= self.fixed);
            let cost = |at: usize| -> i64 {
                let lone = &self.search.lone[at];
                let changed = (0..row.len()).filter(|&parameter| self.rows[at][parameter] != row[parameter]);
                let groups: i64 = self.served.iter().map(|served| served[at]).sum();
                changed.map(|parameter| 1 + 4 * i64::from(lone[parameter])).sum::<i64>() + 4 * groups
            };
            let free =
                victims.into_iter().filter(|&at| at != anchor && !placed.iter().any(|(own, _)| *own == at));
            let (cost, at) = free.map(|at| (cost(at), at)).min()?;
            total += cost;
            placed.push((at, row.clone()));
        }
        Some((total, placed))
    }

    /// Takes over how the numbers of groups change.
    fn note(&mut self, changes: &Changes) {
        for (&(relation, row), change) in &changes.rows {
            self.served[relation][row] += change;
            self.places[relation] += change;
        }
        for (&(relation, value), change) in &changes.values {
            *self.seen[relation].entry(value).or_default() += change;
        }
    }

    /// What a change of some rows is worth, and what it changes.
    fn gain(&self, touched: &[usize]) -> (i64, Changes) {
        let known: Vec<usize> = touched.iter().copied().filter(|&at| at < self.rows.len()).collect();
        let (before, after) = (self.links(&self.rows, &known), self.links(&self.search.rows, touched));
        let mut gain = after.len() as i64 - before.len() as i64;
        if self.relations.relations.iter().any(|(runs, ..)| *runs > 2) {
            gain += self.larger(&self.search.rows[..self.rows.len()]) - self.larger(&self.rows);
        }
        let mut changes = Changes::default();
        for (links, rows, sign) in [(before, &self.rows, -1), (after, &self.search.rows, 1)] {
            for (relation, a, b) in links {
                for at in [a, b] {
                    *changes.rows.entry((relation, at)).or_default() += sign;
                    for &value in &rows[at] {
                        *changes.values.entry((relation, value)).or_default() += sign;
                    }
                }
            }
        }
        for (&(relation, row), change) in &changes.rows {
            let old = self.served[relation][row];
            gain += FIRST * (i64::from(old + change > 0) - i64::from(old > 0));
        }
        for (&(relation, value), change) in &changes.values {
            let old = self.seen[relation].get(&value).copied().unwrap_or(0);
            gain += value_worth(old + change) - value_worth(old);
        }
        (gain, changes)
    }

    /// Whether no row would be there twice.
    fn distinct(&self, touched: &[usize]) -> bool {
        touched.iter().enumerate().all(|(place, &at)| {
            let row = &self.search.rows[at];
            let kept = self.present.contains(row) && !touched.iter().any(|&other| self.rows[other] == *row);
            !kept && touched[..place].iter().all(|&other| self.search.rows[other] != *row)
        })
    }

    /// The groups of two that some rows belong to, given their contents; the other rows are as accepted. Two tests are
    /// one group of a relation, whichever of them is the source.
    fn links(&self, rows: &[Row], touched: &[usize]) -> Vec<(usize, usize, usize)> {
        let mut links = Vec::new();
        for (relation, (runs, ..)) in self.relations.relations.iter().enumerate() {
            if *runs != 2 {
                continue;
            }
            let mut both = |at: usize, other: usize, a: &Row, b: &Row| {
                let related = self.relations.paired(relation, a, b);
                links.extend(related.then_some((relation, at, other)));
            };
            for (place, &at) in touched.iter().enumerate() {
                let others =
                    self.buckets[relation].get(&self.key(relation, &rows[at])).map_or(&[][..], Vec::as_slice);
                for &other in others.iter().filter(|other| !touched.contains(other)) {
                    both(at, other, &rows[at], &self.rows[other]);
                }
                for &other in &touched[place + 1..] {
                    both(at, other, &rows[at], &rows[other]);
                }
            }
        }
        links
    }

    /// Counts the groups of two of the accepted rows.
    fn count_served(&mut self) {
        for group in distinct(&abstract_matches(self.relations, &self.rows)) {
            if let [a, b] = group.tests[..] {
                for at in [a, b] {
                    self.served[group.relation][at] += 1;
                    self.places[group.relation] += 1;
                    for &value in &self.rows[at] {
                        *self.seen[group.relation].entry(value).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Rows of one group agree in this.
    fn key(&self, relation: usize, row: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        self.relations.relations[relation].1.iter().for_each(|&at| row[at].hash(&mut hasher));
        hasher.finish()
    }

    /// Takes the rows of the search over, and notes where they belong.
    fn accept(&mut self, touched: &[usize]) {
        for &at in touched.iter().filter(|&&at| at < self.rows.len()) {
            self.present.remove(&self.rows[at]);
            for relation in 0..self.buckets.len() {
                let old = self.key(relation, &self.rows[at]);
                if let Some(bucket) = self.buckets[relation].get_mut(&old) {
                    bucket.retain(|other| *other != at);
                }
            }
        }
        for &at in touched {
            let row = self.search.rows[at].clone();
            for relation in 0..self.buckets.len() {
                let new = self.key(relation, &row);
                self.buckets[relation].entry(new).or_default().push(at);
            }
            self.present.insert(row.clone());
            if at < self.rows.len() { self.rows[at] = row } else { self.rows.push(row) }
        }
    }

    /// Groups of more than two tests, over all rows.
    fn larger(&self, rows: &[Row]) -> i64 {
        abstract_matches(self.relations, rows).iter().filter(|group| group.tests.len() > 2).count() as i64
    }
}
