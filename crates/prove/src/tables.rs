//! The tables of semi-proving (its Tables 1 to 6): for each run its paths with their conditions on the inputs and what they answer, and for each feasible
//! combination of paths when the relation holds and when it fails.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Verdict as Ending};
use twinrun_explore::{Kind, Path, RunPath};
use twinrun_term::Terms;

use crate::conditions::{Conjunction, Minimiser, flatten};
use crate::enumerate::Enumeration;
use crate::explain::value_text;
use crate::prepare::{Config, solver};
use crate::report::{Condition, Failure};
use crate::whole::given_to_all;

/// Rows of a table beyond these are counted only.
const MOST_ROWS: usize = 200;
/// So many different values of one output are told on one path.
const MOST_VALUES: usize = 4;
/// So many paths of a group speak for a row.
const MOST_PATHS: usize = 64;

/// What `--pairs` tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// A table for each run.
    pub runs: Vec<RunTable>,
    /// The feasible combinations of the runs' paths.
    pub pairs: Vec<PairRow>,
    /// How many combinations there are beyond those.
    pub pairs_left_out: usize,
    /// Whether all paths are known, so that the conditions of a run are all of it.
    pub complete: bool,
}

/// The paths of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTable {
    /// The run, counted from 1.
    pub run: u32,
    /// What it is given, over the inputs of the relation: `a = a`, `b = c`.
    pub given: Vec<String>,
    /// Its paths.
    pub paths: Vec<PathRow>,
    /// How many paths there are beyond those.
    pub paths_left_out: usize,
}

/// One path of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRow {
    /// Its number in the report.
    pub path: usize,
    /// For which inputs of the relation the run takes it.
    pub condition: Condition,
    /// What it answers, over the inputs: `median = b`.
    pub outputs: Vec<String>,
}

/// One combination of paths, a path for each run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRow {
    /// The numbers of the paths.
    pub paths: Vec<usize>,
    /// When the relation holds on it, if it ever does.
    pub holds_when: Option<Condition>,
    /// When it fails on it, if it ever does.
    pub fails_when: Option<Condition>,
    /// Whether some inputs crash or do not end.
    pub broken: bool,
}

impl Enumeration {
    /// The tables of what was found; conditions are as short as the budget allows.
    pub(crate) fn tables(
        &mut self,
        numbers: &FxHashMap<RunPath, usize>,
        failures: &[Failure],
        config: &Config,
        until: Budget,
    ) -> Tables {
        let complete = self.is_complete();
        let mut finder = solver(&config.solver, until);
        let patience = until.at_most(config.patience);
        let found: Vec<(&Vec<RunPath>, &Vec<Path>)> = self.found.iter().collect();
        let everything: Vec<&Path> = found.iter().flat_map(|(_, paths)| paths.iter()).collect();
        let given = given_to_all(&self.explorer.engine.domain.terms, &everything);
        let mut minimiser = Minimiser {
            terms: &mut self.explorer.engine.domain.terms,
            solver: &mut finder,
            until: patience,
            given,
            extents: Vec::new(),
        };
        let runs = found.iter().map(|(runs, _)| runs.len()).max().unwrap_or(0);
        let mut tables = Tables { complete, ..Tables::default() };
        for run in 0..runs as u32 {
            // The groups that take each path in this run.
            let mut taking: BTreeMap<usize, Vec<&Path>> = BTreeMap::new();
            for (runs, paths) in &found {
                let Some(number) = runs.get(run as usize).and_then(|path| numbers.get(path)) else {
                    continue;
                };
                taking.entry(*number).or_default().extend(paths.iter());
            }
            let given =
                everything.first().map_or(Vec::new(), |path| named(minimiser.terms, path, run, false));
            let paths_left_out = taking.len().saturating_sub(MOST_ROWS);
            let rows = taking.into_iter().take(MOST_ROWS).map(|(path, taking)| PathRow {
                path,
                condition: of_run(&mut minimiser, &taking, run, complete),
                outputs: answers(minimiser.terms, &taking, run),
            });
            let paths = rows.collect();
            tables.runs.push(RunTable { run: run + 1, given, paths, paths_left_out });
        }
        tables.pairs_left_out = found.len().saturating_sub(MOST_ROWS);
        // Those that fail are told first of many.
        let mut order: Vec<&(&Vec<RunPath>, &Vec<Path>)> = found.iter().collect();
        let fails = |paths: &[Path]| paths.iter().any(|path| path.verdict == Ending::Violated);
        order.sort_by_key(|(_, paths)| !fails(paths));
        for (runs, paths) in order.into_iter().take(MOST_ROWS) {
            let numbers: Vec<usize> = runs.iter().filter_map(|path| numbers.get(path).copied()).collect();
            let known = failures.iter().find(|failure| failure.paths == numbers);
            let mut when = |ending: Ending| {
                let own: Vec<&Path> = paths.iter().filter(|path| path.verdict == ending).collect();
                (!own.is_empty()).then(|| of_pair(&mut minimiser, &own, complete))
            };
            let (holds_when, fails_when) = match known {
                Some(known) => (known.holds_when.clone(), Some(known.fails_when.clone())),
                None => (when(Ending::Holds), when(Ending::Violated)),
            };
            let broken = paths.iter().any(|path| matches!(path.verdict, Ending::Crashed | Ending::Timeout));
            tables.pairs.push(PairRow { paths: numbers, holds_when, fails_when, broken });
        }
        tables.pairs.sort_by(|one, other| one.paths.cmp(&other.paths));
        tables
    }
}

/// For which inputs a run takes a path: what it decided itself.
fn of_run(minimiser: &mut Minimiser<'_>, taking: &[&Path], run: u32, complete: bool) -> Condition {
    let mut alternatives: Vec<Conjunction> = Vec::new();
    // What the relation's own code decides before the run is not part of the run's path.
    let mut apart = false;
    for path in taking {
        minimiser.rest_on(path);
        let own = path.conditions.iter().filter(|condition| condition.run == Some(run));
        let terms: Vec<_> = own.map(|condition| condition.term).collect();
        apart |= path.conditions.iter().any(|condition| {
            condition.run.is_none() && !matches!(condition.kind, Kind::Input | Kind::Check | Kind::Assume)
        });
        let atoms = flatten(minimiser.terms, &terms);
        if !alternatives.contains(&atoms) && alternatives.len() < MOST_PATHS {
            alternatives.push(atoms);
        }
    }
    let whole = alternatives.len() < MOST_PATHS;
    let shorter: Vec<Conjunction> =
        alternatives.into_iter().map(|atoms| minimiser.minimal_of(atoms)).collect();
    let union = minimiser.union(shorter);
    minimiser.show(&union, complete && whole && !apart)
}

fn of_pair(minimiser: &mut Minimiser<'_>, own: &[&Path], complete: bool) -> Condition {
    let whole = own.len() <= MOST_PATHS;
    let alternatives: Vec<Conjunction> =
        own.iter().take(MOST_PATHS).map(|path| minimiser.minimal(path)).collect();
    let union = minimiser.union(alternatives);
    minimiser.show(&union, complete && whole)
}

/// What a run is given or answers on one path, by name.
fn named(terms: &Terms, path: &Path, run: u32, output: bool) -> Vec<String> {
    let own = path.told.iter().filter(|told| told.run == run && told.output == output);
    own.map(|told| format!("{} = {}", told.name, value_text(terms, &told.values))).collect()
}

/// What a run answers on a path, whatever the other runs do: mostly one value.
fn answers(terms: &Terms, taking: &[&Path], run: u32) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in taking.iter().take(MOST_PATHS) {
        for told in path.told.iter().filter(|told| told.run == run && told.output) {
            if !names.contains(&told.name) {
                names.push(told.name.clone());
            }
            let known = values.entry(told.name.clone()).or_default();
            let value = value_text(terms, &told.values);
            if !known.contains(&value) {
                known.push(value);
            }
        }
    }
    let line = |name: &String| {
        let known = values.get(name).map(Vec::as_slice).unwrap_or_default();
        let more = if known.len() > MOST_VALUES { " or …" } else { "" };
        let shown = known.iter().take(MOST_VALUES).cloned().collect::<Vec<_>>().join(" or ");
        format!("{name} = {shown}{more}")
    };
    names.iter().map(line).collect()
}
