//! Makes an array rich in groups without losing coverage.
//!
//! Starting from a small array, a row that matters little is turned into a follow-up (or a source) of another
//! row; what that uncovers is repaired by the same local search that shrinks arrays, around the rows of the
//! new group; the change stays if coverage is whole again and the array has gained groups. Up to a given
//! share of rows may be added first: they are free to serve groups alone.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::matcher::{Group, abstract_matches};
use super::relation::Abstract;
use super::sampling::to_space;
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
    /// The one knob between size and groups: rows may be added up to this share of the array, 0.03 by default.
    pub extra_rows: f64,
    /// Changes tried.
    pub attempts: usize,
}

impl Default for Richness {
    fn default() -> Richness {
        Richness { extra_rows: 0.03, attempts: 20_000 }
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
    let mut rows: Vec<Row> = array.rows.iter().map(|row| to_space(&space, row)).collect();
    let extra = (rows.len() as f64 * richness.extra_rows).floor() as usize;
    let fixed = model.seeds.len();
    for _ in 0..extra {
        let copy = rows[random.below(rows.len())].clone();
        rows.push(copy);
    }
    if let Some(search) = Search::new(&space, &fresh, &rows) {
        let buckets = vec![FxHashMap::default(); relations.relations.len()];
        let mut enricher = Enricher { relations: &relations, rows: rows.clone(), search, fixed, buckets };
        enricher.accept(&(0..rows.len()).collect::<Vec<usize>>());
        enricher.run(richness.attempts, &mut random);
        enricher.drop_idle();
        rows = enricher.rows;
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
    search: Search<'a>,
    fixed: usize,
    /// For each relation, the rows that agree in its equal parameters.
    buckets: Vec<FxHashMap<u64, Vec<usize>>>,
}

/// Tuples counted before enrichment ends: a bound on its time that does not depend on the machine.
const WORK: u64 = 40_000_000;
/// Repair steps after one change.
const REPAIRS: usize = 25;
/// Rows looked at as the one to change.
const VICTIMS: usize = 48;
/// Partners looked at for one row.
const PARTNERS: usize = 12;

impl Enricher<'_> {
    fn run(&mut self, attempts: usize, random: &mut Random) {
        if self.rows.len() <= self.fixed + 1 {
            return;
        }
        for _ in 0..attempts {
            if self.search.work > WORK {
                break;
            }
            self.attempt(random);
        }
    }

    /// Takes out rows that are alone in covering nothing and belong to no group.
    fn drop_idle(&mut self) {
        let planned = abstract_matches(self.relations, &self.rows);
        let mut grouped = vec![false; self.rows.len()];
        planned.iter().for_each(|group| group.tests.iter().for_each(|&test| grouped[test] = true));
        for at in (self.fixed..self.rows.len()).rev() {
            if !grouped[at] && self.search.lone[at].iter().all(|lone| *lone == 0) {
                self.search.remove(at);
                self.rows.swap_remove(at);
            }
        }
    }

    fn attempt(&mut self, random: &mut Random) {
        let anchor = random.below(self.rows.len());
        let relation = random.below(self.relations.relations.len());
        let backwards = self.relations.relations[relation].0 == 2 && random.below(2) == 0;
        let given = self.rows[anchor].clone();
        let mut partners = self.relations.partners(relation, &given, backwards, random);
        random.shuffle(&mut partners);
        partners.truncate(PARTNERS);
        // The cheapest rows to turn into a partner.
        let mut best: Option<(i64, Vec<(usize, Row)>)> = None;
        for partner in partners {
            let Some((cost, placed)) = self.place(anchor, partner, random) else { continue };
            if best.as_ref().is_none_or(|(own, _)| cost < *own) {
                best = Some((cost, placed));
            }
        }
        let Some((_, placed)) = best else { return };
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
        for _ in 0..REPAIRS {
            if self.search.open() == 0 || self.search.open() > budget + 10 {
                break;
            }
            self.search.step += 1;
            self.search.repair_logged(self.fixed, random, &mut log);
        }
        let mut touched: Vec<usize> = log.iter().map(|(at, ..)| *at).collect();
        touched.sort_unstable();
        touched.dedup();
        let accepted = self.search.open() == 0 && {
            let before = self.worth(&self.rows, &touched);
            let after = self.worth(&self.search.rows, &touched);
            after > before || (after == before && random.below(4) == 0)
        };
        if accepted {
            self.accept(&touched);
        } else {
            for &(at, parameter, old) in log.iter().rev() {
                self.search.set(at, parameter, old);
            }
        }
        self.search.protected.clear();
    }

    /// Rows to turn into the rows of a partner, and what that costs in tuples and groups.
    fn place(
        &self,
        anchor: usize,
        partner: Vec<Row>,
        random: &mut Random,
    ) -> Option<(i64, Vec<(usize, Row)>)> {
        let mut placed: Vec<(usize, Row)> = Vec::new();
        let mut total = 0;
        for row in partner {
            let movable = self.rows.len() - self.fixed;
            let all = movable <= VICTIMS;
            let victims =
                (0..movable.min(VICTIMS)).map(|at| self.fixed + if all { at } else { random.below(movable) });
            let cost = |at: usize| -> i64 {
                let lone = &self.search.lone[at];
                let changed = (0..row.len()).filter(|&parameter| self.rows[at][parameter] != row[parameter]);
                changed.map(|parameter| 1 + 4 * i64::from(lone[parameter])).sum::<i64>()
            };
            let free = victims.filter(|&at| at != anchor && !placed.iter().any(|(own, _)| *own == at));
            let (cost, at) = free.map(|at| (cost(at), at)).min()?;
            if cost == 0 {
                return None;
            }
            total += cost;
            placed.push((at, row));
        }
        Some((total, placed))
    }

    /// How many groups of two some rows belong to, given their contents; the other rows are as accepted.
    fn worth(&self, rows: &[Row], touched: &[usize]) -> i64 {
        let mut worth = 0;
        for (relation, (runs, ..)) in self.relations.relations.iter().enumerate() {
            if *runs != 2 {
                continue;
            }
            let both = |a: &Row, b: &Row| {
                // Two tests of one row may differ within their classes, but hardly by all relations at once.
                let related =
                    |pair: [&[u32]; 2]| i64::from(a != b && self.relations.related(relation, &pair));
                related([a, b]) + related([b, a])
            };
            for (place, &at) in touched.iter().enumerate() {
                let others =
                    self.buckets[relation].get(&self.key(relation, &rows[at])).map_or(&[][..], Vec::as_slice);
                let others = others.iter().filter(|other| !touched.contains(other));
                worth += others.map(|&other| both(&rows[at], &self.rows[other])).sum::<i64>();
                worth += touched[place + 1..].iter().map(|&other| both(&rows[at], &rows[other])).sum::<i64>();
            }
        }
        worth + self.worth_of_larger(rows)
    }

    /// Rows of one group agree in this.
    fn key(&self, relation: usize, row: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        self.relations.relations[relation].1.iter().for_each(|&at| row[at].hash(&mut hasher));
        hasher.finish()
    }

    /// Takes the rows of the search over, and notes where they belong.
    fn accept(&mut self, touched: &[usize]) {
        for &at in touched {
            for relation in 0..self.buckets.len() {
                let (old, new) =
                    (self.key(relation, &self.rows[at]), self.key(relation, &self.search.rows[at]));
                if let Some(bucket) = self.buckets[relation].get_mut(&old) {
                    bucket.retain(|other| *other != at);
                }
                self.buckets[relation].entry(new).or_default().push(at);
            }
            self.rows[at].clone_from(&self.search.rows[at]);
        }
    }

    /// Groups of more than two tests, over all rows.
    fn worth_of_larger(&self, rows: &[Row]) -> i64 {
        if self.relations.relations.iter().all(|(runs, ..)| *runs == 2) {
            return 0;
        }
        abstract_matches(self.relations, rows).iter().filter(|group| group.tests.len() > 2).count() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::verify;
    use crate::groups::{concretise, matches, plan};
    use crate::readers::read_toml;

    const MODEL: &str = r#"
constraints = ["same <= negative + zero + positive", "zero <= same"]
[[parameters]]
name = "same"
values = [0, { name = "some", range = "[2,9]" }, { name = "many", range = "[10,19]" }]
[[parameters]]
name = "negative"
values = [0, { name = "some", range = "[1,19]" }, { name = "many", range = "[20,39]" }]
[[parameters]]
name = "positive"
values = [0, { name = "some", range = "[1,19]" }, { name = "many", range = "[20,39]" }]
[[parameters]]
name = "zero"
values = [0, { name = "some", range = "[1,4]" }, { name = "many", range = "[5,9]" }]
[[parameters]]
name = "order"
values = [0, 1, 2]
[[parameters]]
name = "data"
values = [{ name = "any", range = "[0,1000000]" }]
[[relations]]
name = "shuffle"
input = "follow.order != source.order"
[[relations]]
name = "negate"
input = "follow.negative = source.positive and follow.positive = source.negative and follow.negative != source.negative"
[[relations]]
name = "three orders"
runs = ["a", "b", "c"]
input = "a.order < b.order and b.order < c.order"
"#;

    #[test]
    fn enriched_arrays_cover_everything_and_have_more_groups() {
        let model = read_toml(MODEL).unwrap();
        for strength in 2..=3 {
            let config = Config { strength: Some(strength), ..Config::default() };
            let plain = generate(&model, &config).unwrap();
            let (array, planned) =
                enrich(&model, &config, Richness { attempts: 300, ..Richness::default() }).unwrap();
            assert!(verify(&model, &array.rows, strength).unwrap().complete());
            assert!(array.rows.len() as f64 <= plain.rows.len() as f64 * 1.03);
            let groups = |rows: &[Vec<usize>], planned: &[Group]| {
                let stage = concretise(&model, rows, planned, &mut Random::new(1));
                matches(&model, &stage.tests).len()
            };
            let without = groups(&plain.rows, &plan(&model, &plain.rows).unwrap());
            let with = groups(&array.rows, &planned);
            assert!(
                with >= without && (strength == 2 || with > without),
                "strength {strength}: {with} after {without}"
            );
        }
    }
}
