//! What debugging reports, as plain data.

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Group, Location};

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A violating and a passing input were found whose runs part at a branch.
    Found,
    /// Every path with the same transformation violates the relation: no neighbour passes.
    NoPassingNeighbour,
    /// Time, a limit or the solver ended the search; a passing neighbour may exist.
    NotFound,
}

/// A branch of a failing trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Where the branch stands.
    pub location: Option<Location>,
    /// Where its statement starts: `if (a || b)` is one.
    pub statement: Option<Location>,
    /// The function that holds it.
    pub function: String,
    /// The run, from 1: 1 is the source.
    pub run: u32,
    /// The how many-th time that the run decides it, from 1.
    pub iteration: u32,
    /// The outcome in the failing run.
    pub outcome: u32,
    /// Its position among the branches of all runs of the failing trace, from 0.
    pub index: usize,
}

/// How a pair was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The last open condition of a failing path was negated and solved.
    Negated,
    /// A drawn passing case was compared, because no neighbour with the same transformation passes or was found.
    Compared,
}

/// A violating and a passing input whose runs agree up to a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The relation.
    pub relation: String,
    /// How it was found.
    pub how: How,
    /// The branch where they part, in the failing trace.
    pub branch: Named,
    /// How many branches the failing runs decide after it.
    pub suffix: usize,
    /// The violating group, replayed.
    pub failing: Group,
    /// The passing group, replayed.
    pub passing: Group,
    /// The first statements with branches after it in the failing trace.
    pub after_failing: Vec<Location>,
    /// The same in the passing trace.
    pub after_passing: Vec<Location>,
}

/// A branch to look at, with the reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Critical {
    /// The branch, in the failing trace of its pair, else of [`Report::violated`].
    pub branch: Named,
    /// The pair whose failing trace it belongs to: index into [`Report::pairs`]; none where no passing neighbour is known.
    pub pair: Option<usize>,
    /// How likely the fault is here, as the evidence goes; the branch first named may have less when the suspected ones lie around it.
    pub score: f64,
    /// Why, each in one sentence.
    pub reasons: Vec<String>,
    /// The same in numbers.
    pub evidence: Evidence,
}

/// What speaks against a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The neighbours of this pair part here.
    pub parting: bool,
    /// The share of all pairs that part at this statement.
    pub partings: f64,
    /// How good the changes of behaviour at or right after this branch are, as a logarithm; 0 where none repairs.
    pub repair: f64,
    /// Ochiai's coefficient of its outcomes over violated and passing cases, the greatest.
    pub spectrum: f64,
    /// Every violated case takes one of its outcomes, and no passing one does.
    pub only_failing: bool,
    /// The share of the violated cases that hold when one decision of this branch goes the other way.
    pub switched: f64,
    /// Places with code that go with this branch.
    pub places: u32,
    /// Changes of behaviour that were tried there.
    pub tried: u32,
    /// Of these, those that make every violated case hold.
    pub fixing: u32,
}

/// How good a change of behaviour is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// The share of the violated cases that hold with it.
    pub fixed: f64,
    /// The share of the passing cases that still hold with it.
    pub harmless: f64,
    /// The share of the passing cases that compare the same values as before.
    pub kept: f64,
    /// The share of the violated cases in which one side of the failed check stays as it was.
    pub one_sided: f64,
    /// The share of drawn cases, of all relations, that hold with it; 0 when it was not among the changes that are judged so.
    pub general: f64,
    /// The share of the drawn passing cases that compare the same values as before.
    pub fresh_kept: f64,
    /// The share of the drawn violated cases that hold with it; 1 when none was drawn.
    pub fresh_fixed: f64,
    /// How many different results the drawn cases have, to how many the most varied good change leaves: a change that makes all
    /// results equal satisfies most relations and repairs nothing.
    pub distinct: f64,
    /// The share of the passing cases, drawn ones included, that take as many steps as before.
    pub same_work: f64,
    /// The share of the branches of violated cases that are still decided with it: a change that avoids the fault repairs nothing.
    #[serde(default)]
    pub covered: f64,
}

/// A change of behaviour that makes violated cases hold, with the branch that it goes with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repaired {
    /// The branch at or right before the change, by its position among the branches of the failing trace.
    pub index: usize,
    /// Its statement.
    pub statement: Option<Location>,
    /// The change in words.
    pub change: String,
    /// What kind of change it is.
    pub kind: String,
    /// How good it is.
    pub worth: Worth,
    /// At how many statements some change has the same effect on all cases; 1 when it was not judged by drawn cases.
    #[serde(default)]
    pub alike: u32,
    /// All of it in one number.
    pub score: f64,
}

/// A branch statement that every failing run went through in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Common {
    /// The statement.
    pub statement: Option<Location>,
    /// The function that holds it.
    pub function: String,
    /// The outcomes that every violated case took.
    pub outcomes: Vec<u32>,
    /// How many of the passing cases took all of these too.
    pub in_passing: usize,
}

/// How the search went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// Violated cases that it started from.
    pub cases: u64,
    /// Paths that were run.
    pub paths: u64,
    /// Conditions that were negated.
    pub negated: u64,
    /// Of these, impossible.
    pub infeasible: u64,
    /// Of these, undecided by the solver.
    pub unknown: u64,
    /// Of these, decided with some inputs fixed.
    pub approximated: u64,
    /// Paths that did not follow their prediction.
    pub diverged: u64,
    /// Paths that crashed, timed out or were discarded, so that they are neither failing nor passing.
    pub broken: u64,
    /// Questions that went to the solver.
    pub solver_queries: u64,
    /// Passing cases that were drawn.
    pub passing: u64,
    /// Cases that were drawn to judge changes.
    #[serde(default)]
    pub drawn: u64,
    /// Of these, violated ones.
    #[serde(default)]
    pub drawn_violated: u64,
    /// Changes of behaviour that were tried.
    pub changes: u64,
    /// Of these, those that make every violated case hold.
    pub repairs: u64,
    /// Every path that keeps the conditions outside of runs was seen, from every case, and none passes.
    pub exhausted: bool,
    /// Wall-clock seconds until neighbours were found or given up.
    pub search_seconds: f64,
    /// Wall-clock seconds in all.
    pub seconds: f64,
}

/// The report on one subject's violated cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The subject.
    pub subject: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Branches to look at, the first one named first.
    pub critical: Vec<Critical>,
    /// The best changes of behaviour for each branch statement, the best first.
    pub repairs: Vec<Repaired>,
    /// The pairs: as published, the shortest failing suffix first; for a ranking, the shortest failing trace.
    pub pairs: Vec<Pair>,
    /// Where no pair is known: the violated case whose trace the branches are named on, with its relation.
    pub violated: Option<(String, Case)>,
    /// What all failing runs have in common.
    pub common: Vec<Common>,
    /// How the search went.
    pub search: Search,
}

impl Report {
    /// The relation and the violated case whose trace the branch first named belongs to.
    pub fn ground(&self) -> Option<(&str, &Case)> {
        let first = self.critical.first()?;
        match first.pair.and_then(|pair| self.pairs.get(pair)) {
            Some(pair) => Some((&pair.relation, &pair.failing.case)),
            None => self.violated.as_ref().map(|(relation, case)| (relation.as_str(), case)),
        }
    }
}
