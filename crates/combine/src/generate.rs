//! Makes an array for a model: the one entry point of generation.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::algebra;
use crate::bound::{invalid_bound, lower_bound};
use crate::cover::Requirement;
use crate::error::Error;
use crate::feasible::{Feasibility, contradiction, infeasible_by_propagation, infeasible_sets};
use crate::greedy::{self, Effort};
use crate::model::Model;
use crate::optimise::{Limits, searchable, shrink};
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Invalid, Row, Space};
use rustc_hash::FxHashSet;

/// How to make an array.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// The strength; the model's own, or 2, when absent.
    pub strength: Option<usize>,
    /// Everything random follows from it.
    pub seed: u64,
    /// Time to spend on making the array smaller, beyond the quick mode.
    pub time: Option<Duration>,
    /// Steps of local search; when absent, 2,000 and as many again as the array has rows, twice over, and many more where there
    /// are no constraints and few combinations. A number of steps, unlike a time, gives the same array again.
    pub steps: Option<u64>,
    /// Searches with these steps, each with its own luck: the smallest array wins. Their number is part of the answer, that
    /// of the threads is not.
    pub searches: usize,
    /// Local search runs on this many threads; with a time, each of them searches until it is over.
    pub jobs: usize,
    /// What `time` is measured by: the time since some fixed moment.
    pub clock: fn() -> Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config { clock: wall_clock, strength: None, seed: 1, time: None, steps: None, searches: 1, jobs: 1 }
    }
}

/// The time since this was first asked.
pub fn wall_clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// A covering array and what is known about it.
#[derive(Debug, Clone, Default)]
pub struct Array {
    /// Rows: the index of a value for every parameter of the model.
    pub rows: Vec<Vec<usize>>,
    /// The strength that they cover.
    pub strength: usize,
    /// Feasible tuples.
    pub tuples: usize,
    /// Feasible tuples that no row covers: 0 unless time ran out.
    pub uncovered: usize,
    /// No array can have fewer rows.
    pub lower_bound: usize,
    /// Values that can never occur: parameter and value.
    pub dead: Vec<(usize, usize)>,
    /// Calls of the SAT solver that found a row, and that found none.
    pub solver_calls: (u64, u64),
    /// Size after construction, before local search.
    pub constructed: usize,
    /// The first so many rows are those given with the model, completed.
    pub seeds: usize,
}

/// Makes a covering array: rows without invalid values that cover the model, then rows with one invalid value each that
/// cover it together with all combinations of one value fewer, and what can only occur beside an invalid value.
///
/// # Errors
/// When the constraints contradict each other, the strength makes no sense, or the tables grow too large.
pub fn generate(model: &Model, config: &Config) -> Result<Array, Error> {
    model.validate()?;
    let strength = config.strength.or(model.strength).unwrap_or(2);
    model.check_strength(strength, model.parameters.len())?;
    let started = (config.clock)();
    let stop = || config.time.is_some_and(|time| (config.clock)() >= started + time);
    let mut random = Random::new(config.seed);
    let mut array = Array { strength, ..Array::default() };
    let mut groups = vec![((0..model.parameters.len()).collect(), strength)];
    groups.extend(model.mixed.iter().map(|mixed| (mixed.parameters.clone(), mixed.strength)));
    let space = Space::new(model, Invalid::Never)?;
    let part = Part { model, space: &space, groups: &groups, invalid: false };
    if !part.make(config, &mut random, &stop, &mut array)? {
        return Err(contradiction(&space, model));
    }
    if model.parameters.iter().any(|parameter| parameter.values.iter().any(|value| value.invalid)) {
        let space = Space::new(model, Invalid::AtMostOne)?;
        let part = Part { model, space: &space, groups: &groups, invalid: true };
        part.make(config, &mut random, &stop, &mut array)?;
    }
    Ok(array)
}

/// Random valid rows without invalid values, each drawn by itself and none twice; fewer where there are no more.
///
/// # Errors
/// When the constraints contradict each other.
pub fn random_rows(model: &Model, count: usize, seed: u64) -> Result<Vec<Vec<usize>>, Error> {
    model.validate()?;
    let space = Space::new(model, Invalid::Never)?;
    let mut random = Random::new(seed);
    let mut propagator = Propagator::new(&space);
    let mut feasibility = Feasibility::new(&space);
    let mut rows = Vec::with_capacity(count);
    let mut seen = FxHashSet::default();
    // A small space may have no further row: after so many draws in vain there is none, as far as can be told.
    let mut vain = 0;
    while rows.len() < count && vain < 100 + count {
        // Where random choice with propagation fails, the solver's own row is better than none.
        let row = propagator.random_row(&mut random).or_else(|| feasibility.row(&[]));
        let row = space.to_model(&row.ok_or_else(|| contradiction(&space, model))?);
        if seen.insert(row.clone()) {
            rows.push(row);
        } else {
            vain += 1;
        }
    }
    Ok(rows)
}

/// Combinations to cover from which on rows are not chosen among several, rules from which on they are chosen among two, and
/// rules that a quick search judges in all.
const HUGE: usize = 200_000_000;
const MANY_RULES: usize = 10_000;
const RULES_JUDGED: u64 = 20_000_000;
/// Steps of a quick search where there are no rules: so many, fewer where the tuples of all rows are many.
const MANY_STEPS: u64 = 50_000;
const FREELY: u64 = 300_000_000;
/// Tuples of all rows together from which on local search is only done when it is asked for.
const COUNTED: usize = 500_000_000;

fn tuples_of_row(requirement: &Requirement) -> usize {
    let parameters = requirement.parameters.len();
    (0..requirement.tuples.strength).fold(1, |all, at| all * parameters.saturating_sub(at) / (at + 1))
}

/// Asks whether time is over.
type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Rows of one kind: without invalid values, or with one.
struct Part<'a> {
    model: &'a Model,
    space: &'a Space,
    groups: &'a [(Vec<usize>, usize)],
    /// Rows with an invalid value, after those without.
    invalid: bool,
}

impl Part<'_> {
    /// Adds this part's rows to the array; false when there is no valid row at all.
    fn make(
        &self,
        config: &Config,
        random: &mut Random,
        stop: Stop<'_>,
        array: &mut Array,
    ) -> Result<bool, Error> {
        let space = self.space;
        let mut feasibility = Feasibility::new(space);
        if feasibility.row(&[]).is_none() {
            return Ok(false);
        }
        let largest = self.groups.iter().map(|(_, strength)| *strength).max().unwrap_or(1);
        let many = space.rules.len() > MANY_RULES;
        let (infeasible, mut refuting) = if many && largest == 2 && !self.invalid {
            let (infeasible, refuting) = infeasible_by_propagation(space, &mut feasibility, random);
            (infeasible, Some(refuting))
        } else {
            (infeasible_sets(space, &mut feasibility, largest, random), None)
        };
        let dead = infeasible.iter().filter(|set| set.len() == 1).map(|set| space.locate(set[0]));
        if !self.invalid {
            array.dead.extend(dead.filter(|&(p, v)| !self.model.parameters[p].values[v].invalid));
        } else {
            // A valid value may be able to occur beside an invalid one only.
            let dead: Vec<(usize, usize)> = dead.collect();
            array.dead.retain(|value| dead.contains(value));
            array.dead.extend(dead.iter().filter(|&&(p, v)| self.model.parameters[p].values[v].invalid));
        }
        let mut fresh = Vec::new();
        for (parameters, strength) in self.groups {
            let mut own: Vec<usize> =
                (0..space.order.len()).filter(|&at| parameters.contains(&space.order[at])).collect();
            own.sort_unstable();
            fresh.push(Requirement::new(space, &own, *strength, &infeasible)?);
        }
        let mut rows: Vec<Row> = Vec::new();
        let ready = self.ready(&fresh, &infeasible);
        // Large tables are not kept twice: without them there is no local search.
        let searchable = searchable(&fresh);
        let best = if self.invalid {
            0
        } else {
            fresh.iter().map(|requirement| lower_bound(requirement, &space.sizes)).max().unwrap_or(0)
        };
        let negative = if self.invalid { invalid_bound(self.model, space, &fresh) } else { 0 };
        let mut requirements = if searchable { fresh.clone() } else { std::mem::take(&mut fresh) };
        let bound = if self.invalid {
            rows = array.rows.iter().map(|row| space.of_model(row)).collect();
            for requirement in &mut requirements {
                rows.iter().for_each(|row| {
                    requirement.cover(row);
                });
            }
            array.rows.len() + negative
        } else {
            self.plant(&mut feasibility, &mut requirements, &mut rows, random)?;
            best
        };
        let (fixed, before) = (rows.len(), array.tuples);
        let tuples: usize = requirements.iter().map(|requirement| requirement.total).sum();
        let effort = match tuples {
            // A look at every combination takes long here: one row at a time has to do.
            HUGE.. => Effort { candidates: 1, passes: 0 },
            // So it does where every row is put to very many rules.
            _ if many => Effort { candidates: 2, passes: 0 },
            _ => Effort { candidates: if largest <= 2 { 8 } else { 3 }, passes: 1 },
        };
        match ready {
            // No search can do better.
            Some(ready) if ready.len() <= bound => rows = cover_with(ready, &mut requirements),
            ready => {
                let refuting = refuting.as_mut();
                greedy::extend(
                    space,
                    (&mut feasibility, refuting),
                    &mut requirements,
                    &mut rows,
                    effort,
                    random,
                    stop,
                );
                if let Some(ready) = ready.filter(|ready| ready.len() < rows.len()) {
                    rows = cover_with(ready, &mut requirements);
                }
            }
        }
        for pair in refuting.iter().flat_map(|refuting| &refuting.pairs) {
            for requirement in &mut fresh {
                requirement.exclude(pair);
            }
        }
        // Only now it is known which pairs can occur.
        let bound = match &refuting {
            Some(_) => {
                fresh.iter().map(|requirement| lower_bound(requirement, &space.sizes)).max().unwrap_or(0)
            }
            None => bound,
        };
        array.constructed = rows.len();
        array.tuples = requirements.iter().map(|requirement| requirement.total).sum::<usize>();
        debug_assert!(array.tuples >= before, "invalid values only add combinations");
        array.uncovered = requirements.iter().map(|requirement| requirement.left).sum::<usize>();
        // Before its first step, local search counts every tuple of every row.
        let counted: usize = fresh.iter().map(|requirement| tuples_of_row(requirement) * rows.len()).sum();
        let asked = config.time.is_some() || config.steps.is_some();
        let searched = searchable && (asked || counted <= COUNTED);
        if searched && requirements.iter().all(|requirement| requirement.left == 0) {
            drop(requirements);
            rows = self.shrink(config, &fresh, &rows, fixed, bound, random, stop);
        }
        let mut seen = FxHashSet::default();
        rows.retain(|row| seen.insert(row.clone()));
        if !self.invalid {
            array.seeds = fixed;
            array.lower_bound = bound.max(fixed);
        } else {
            array.lower_bound += bound - fixed;
        }
        array.solver_calls.0 += feasibility.calls.0;
        array.solver_calls.1 += feasibility.calls.1;
        array.rows = rows.iter().map(|row| space.to_model(row)).collect();
        Ok(true)
    }

    /// Local search, several times if asked for, each with its own luck; the smallest array wins, the first among equals.
    #[expect(clippy::too_many_arguments, reason = "the state of one generation")]
    fn shrink(
        &self,
        config: &Config,
        fresh: &[Requirement],
        rows: &[Row],
        fixed: usize,
        lower_bound: usize,
        random: &mut Random,
        stop: Stop<'_>,
    ) -> Vec<Row> {
        // Each step may judge a whole row: with very many rules, fewer steps take as long.
        let mut quick =
            (2000 + 2 * rows.len() as u64).min(RULES_JUDGED / self.space.rules.len().max(1) as u64);
        if self.space.rules.is_empty() {
            // Without rules a step is cheap, and where algebra gives no better it takes many to find what is known to exist.
            let counted: usize = fresh.iter().map(|own| tuples_of_row(own) * rows.len()).sum();
            quick = quick.max((FREELY / counted.max(1) as u64).min(MANY_STEPS));
        }
        let unlimited = if config.time.is_some() { u64::MAX } else { quick };
        let limits = Limits { steps: config.steps.unwrap_or(unlimited), lower_bound };
        let searches = match (config.time, config.steps) {
            (Some(_), _) => config.jobs.max(1),
            (None, Some(_)) => config.searches.max(1),
            (None, None) => 1,
        };
        if searches == 1 {
            return shrink(self.space, fresh, rows, fixed, limits, random, stop);
        }
        // A search ends early only when one before it has reached the bound: so the winner does not depend on the machine.
        let done = AtomicUsize::new(usize::MAX);
        let next = AtomicUsize::new(0);
        let seeds: Vec<u64> = (0..searches).map(|_| random.bits()).collect();
        let turns = || {
            let mut found: Option<(usize, usize, Vec<Row>)> = None;
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&seed) = seeds.get(at) else { return found };
                let stop = || stop() || done.load(Ordering::Relaxed) < at;
                let own = shrink(self.space, fresh, rows, fixed, limits, &mut Random::new(seed), &stop);
                if own.len() <= lower_bound {
                    done.fetch_min(at, Ordering::Relaxed);
                }
                if found.as_ref().is_none_or(|(size, ..)| own.len() < *size) {
                    found = Some((own.len(), at, own));
                }
            }
        };
        let found: Vec<(usize, usize, Vec<Row>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..config.jobs.clamp(1, searches)).map(|_| scope.spawn(turns)).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
        });
        found.into_iter().min().map_or_else(|| rows.to_vec(), |(.., rows)| rows)
    }

    /// An array that needs no search, where nothing but one strength over all values is asked for.
    fn ready(&self, fresh: &[Requirement], infeasible: &[Vec<u32>]) -> Option<Vec<Row>> {
        let plain = !self.invalid
            && self.model.seeds.is_empty()
            && infeasible.is_empty()
            && self.space.rules.is_empty();
        let [requirement] = fresh else { return None };
        let rows = algebra::array(&self.space.sizes, requirement.tuples.strength).filter(|_| plain)?;
        let row = |row: Vec<usize>| {
            row.iter().zip(&self.space.first).map(|(&value, first)| first + value as u32).collect()
        };
        Some(rows.into_iter().map(row).collect())
    }

    /// Completes the seed rows and puts them first.
    fn plant(
        &self,
        feasibility: &mut Feasibility<'_>,
        requirements: &mut [Requirement],
        rows: &mut Vec<Row>,
        random: &mut Random,
    ) -> Result<(), Error> {
        let mut propagator = Propagator::new(self.space);
        for (at, seed) in self.model.seeds.iter().enumerate() {
            let values: Vec<u32> = self.space.ids_of(seed).into_iter().flatten().collect();
            let filled =
                greedy::fill(self.space, &mut propagator, feasibility, requirements, &values, random);
            let Some((_, row)) = filled else {
                return Err(Error::Model(format!("seed {} breaks a constraint", at + 1)));
            };
            requirements.iter_mut().for_each(|requirement| {
                requirement.cover(&row);
            });
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        Ok(())
    }
}

/// Takes rows as they are.
fn cover_with(rows: Vec<Row>, requirements: &mut [Requirement]) -> Vec<Row> {
    for requirement in requirements {
        rows.iter().for_each(|row| {
            requirement.cover(row);
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::verify;
    use crate::readers::read_pict;

    fn check(text: &str, strength: usize) -> (Model, Array) {
        let model = read_pict(text).unwrap();
        let array = generate(&model, &Config { strength: Some(strength), ..Config::default() }).unwrap();
        let verification = verify(&model, &array.rows, strength).unwrap();
        assert!(verification.complete(), "strength {strength}: {verification:?}");
        assert_eq!(array.uncovered, 0);
        assert!(array.rows.len() >= array.lower_bound);
        (model, array)
    }

    const DISK: &str = "Type: Single, Span, Stripe, Mirror, RAID5\nSize: 10, 100, 500, 1000, 5000\nMethod: Quick, Slow\nFS: FAT, FAT32, NTFS\nCluster: 512, 1024, 2048, 4096\nCompression: On, Off\nIF [FS] = \"FAT\" THEN [Size] <= 1000;\nIF [FS] = \"FAT32\" THEN [Size] <= 100 AND [Compression] = \"Off\";\n[Size] >= 100 OR [Cluster] <> 4096;\n";

    #[test]
    fn every_strength_covers_every_feasible_tuple() {
        for strength in 1..=6 {
            check(DISK, strength);
        }
    }

    #[test]
    fn a_seed_repeats_the_array_and_another_changes_it() {
        let model = read_pict(DISK).unwrap();
        let make = |seed| generate(&model, &Config { seed, ..Config::default() }).unwrap().rows;
        assert_eq!(make(5), make(5));
        assert_ne!(make(5), make(6));
    }

    #[test]
    fn mixed_strength_covers_its_parameters_more_deeply() {
        let text = format!(
            "{}{}",
            DISK.replace("\nIF [FS] = \"FAT\" ", "\n{Type, Method, FS} @ 3\nIF [FS] = \"FAT\" "),
            ""
        );
        let (_, array) = check(&text, 2);
        assert!(array.rows.len() >= 30);
    }

    #[test]
    fn invalid_values_stand_alone() {
        let (model, array) = check("A: 1, 2, ~-1\nB: x, y, ~?\nC: 1, 2, 3\n", 2);
        let invalid =
            |row: &[usize]| row.iter().zip(&model.parameters).filter(|(v, p)| p.values[**v].invalid).count();
        assert!(array.rows.iter().all(|row| invalid(row) <= 1));
        assert_eq!(array.rows.iter().filter(|row| invalid(row) == 1).count(), 6);
    }

    #[test]
    fn seeds_are_kept_and_completed() {
        let mut model = read_pict(DISK).unwrap();
        model.seeds = vec![vec![Some(4), Some(4), None, None, None, None]; 1];
        let array = generate(&model, &Config::default()).unwrap();
        assert_eq!(array.rows[0][..2], [4, 4]);
        assert!(verify(&model, &array.rows, 2).unwrap().complete());
        model.seeds = vec![vec![None, Some(4), None, Some(0), None, None]; 1];
        assert!(
            generate(&model, &Config::default())
                .unwrap_err()
                .to_string()
                .contains("seed 1 breaks a constraint")
        );
    }

    #[test]
    fn contradictions_are_reported_with_a_minimal_set() {
        let model =
            read_pict("A: 1, 2\nB: 1, 2\n[B] = 1;\n[A] = 1 OR [B] = 2;\n[A] = [B] OR [A] > 1;\n[A] <> 1;\n")
                .unwrap();
        match generate(&model, &Config::default()) {
            Err(Error::Contradiction { conflict }) => {
                assert_eq!(conflict.len(), 3, "{conflict:?}");
                assert!(!conflict.iter().any(|text| text.contains("[A] = [B]")), "{conflict:?}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn dead_values_are_listed() {
        let model = read_pict("A: 1, 2, 3\nB: 1, 2\n[A] <= [B];\n").unwrap();
        assert_eq!(generate(&model, &Config::default()).unwrap().dead, [(0, 2)]);
    }

    #[test]
    fn uniform_models_have_the_size_of_their_construction() {
        for (value, columns, size) in [(2, 35, 8), (3, 13, 15), (5, 6, 25), (7, 8, 49), (9, 10, 81)] {
            let values: Vec<String> = (0..value).map(|value| value.to_string()).collect();
            let text: String = (0..columns).map(|p| format!("p{p}: {}\n", values.join(", "))).collect();
            let (_, array) = check(&text, 2);
            assert_eq!(array.rows.len(), size, "{value}^{columns}");
        }
    }

    #[test]
    fn steps_repeat_an_array_on_any_number_of_threads() {
        let model = read_pict(DISK).unwrap();
        let make = |jobs| {
            let config = Config { steps: Some(300), searches: 3, jobs, ..Config::default() };
            generate(&model, &config).unwrap().rows
        };
        assert_eq!(make(1), make(3));
        assert_eq!(make(2), make(8));
    }

    #[test]
    fn no_row_is_there_twice() {
        let mut model = read_pict(DISK).unwrap();
        model.seeds = vec![vec![Some(4), Some(4), None, None, None, None]; 3];
        for strength in 1..=3 {
            let rows =
                generate(&model, &Config { strength: Some(strength), ..Config::default() }).unwrap().rows;
            let unique: std::collections::BTreeSet<&Vec<usize>> = rows.iter().collect();
            assert_eq!(unique.len(), rows.len());
        }
        assert_eq!(
            random_rows(&model, 10_000, 1).unwrap().len(),
            random_rows(&model, 20_000, 2).unwrap().len()
        );
    }

    #[test]
    fn what_can_only_occur_beside_an_invalid_value_is_covered() {
        let (model, array) =
            check("A: 1, 2, ~-1\nB: x, y\nC: 1, 2\nIF [B] = \"y\" AND [C] = 2 THEN [A] = -1;\n", 2);
        assert!(array.rows.iter().any(|row| model.labels(row) == ["-1", "y", "2"]));
    }

    #[test]
    fn a_strength_above_the_parameters_is_refused() {
        let model = read_pict("A: 1, 2\nB: 1, 2\n").unwrap();
        let error = generate(&model, &Config { strength: Some(3), ..Config::default() }).unwrap_err();
        assert_eq!(error.to_string(), "strength 3 is above the number of parameters, 2");
    }

    #[test]
    fn a_thousand_parameters_and_a_constraint_over_all_of_them_are_no_trouble() {
        let all: Vec<String> = (0..1000).map(|p| format!("p{p}")).collect();
        let some: Vec<String> = all.iter().map(|p| format!("{p} = 1")).collect();
        let mut text = format!("constraints = [\"{} <= 900\", \"{}\"]\n", all.join(" + "), some.join(" or "));
        all.iter().for_each(|p| text.push_str(&format!("[[parameters]]\nname = \"{p}\"\nvalues = [0, 1]\n")));
        let model = crate::readers::read_toml(&text).unwrap();
        let array = generate(&model, &Config { steps: Some(50), ..Config::default() }).unwrap();
        assert_eq!(array.uncovered, 0);
        assert!(array.rows.len() < 40, "{}", array.rows.len());
    }
}
