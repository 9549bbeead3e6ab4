//! Systematic exploration: each path's conditions are negated in turn, and the inputs that the solver finds are run.
//!
//! Every path is found once: an item negates one condition of a path, keeps those before it, and the path that it leads to
//! negates only later ones (Godefroid, Levin, Molnar: generational search). With the last item first this is depth-first.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use twinrun_base::{Budget, Rng, cut};
use twinrun_solve::{Counters, Solver};
use twinrun_term::{Model, Term};

use crate::engine::{Engine, Error};
use crate::flip::{Flip, flip, flip_exactly};
use crate::host::Source;
use crate::path::{Condition, Kind, Path};

/// In which order paths are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The deepest open branch first: least memory, best use of the solver's stack.
    #[default]
    DepthFirst,
    /// The oldest open branch first.
    BreadthFirst,
    /// Branch outcomes of the site table that no path has taken yet first.
    Uncovered,
    /// The same; then, in turn, further values of what had to be fixed, such as lengths and choices, and occurrences of branches whose other outcome no
    /// path has taken yet together with one of these values or of the relation's own choices; any open branch last.
    Diverse,
}

/// How far to explore.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The order.
    pub strategy: Strategy,
    /// The most paths to run.
    pub max_paths: Option<u64>,
    /// Conditions beyond this many are not negated.
    pub max_depth: Option<usize>,
    /// What everything is paid from.
    pub budget: Option<Budget>,
    /// Whether to stop at the first branch that the solver cannot decide, since what is wanted is a proof.
    pub exact: bool,
    /// Whether to leave conditions outside of runs (the transformation, the check) as they are.
    pub runs_only: bool,
}

/// What was covered, and what was not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Paths that were run.
    pub paths: u64,
    /// Of these, paths that an assumption discarded.
    pub discarded: u64,
    /// Of these, paths that did not end: the work limit was reached or the budget spent.
    pub unfinished: u64,
    /// Open branches that no input can take.
    pub infeasible: u64,
    /// Open branches that the solver could not decide.
    pub unknown: u64,
    /// Of the paths, those found by fixing some inputs because the solver could not decide without.
    pub approximated: u64,
    /// Values that were fixed to one number on the way: addresses beyond the window, lengths.
    pub fixed: u64,
    /// Paths that did not follow their prediction.
    pub diverged: u64,
    /// Branches beyond the depth that were left as they are.
    pub beyond_depth: u64,
    /// Branches that were still open at the end.
    pub open: u64,
}

impl Coverage {
    /// Both together.
    pub fn plus(self, other: Coverage) -> Coverage {
        Coverage {
            paths: self.paths + other.paths,
            discarded: self.discarded + other.discarded,
            unfinished: self.unfinished + other.unfinished,
            infeasible: self.infeasible + other.infeasible,
            unknown: self.unknown + other.unknown,
            approximated: self.approximated + other.approximated,
            fixed: self.fixed + other.fixed,
            diverged: self.diverged + other.diverged,
            beyond_depth: self.beyond_depth + other.beyond_depth,
            open: self.open + other.open,
        }
    }

    /// Whether every path was run.
    pub fn is_complete(&self) -> bool {
        self.unfinished == 0
            && self.unknown == 0
            && self.approximated == 0
            && self.diverged == 0
            && self.beyond_depth == 0
            && self.open == 0
    }
}

/// A condition of a path that is still to be negated.
pub(crate) struct Item {
    pub(crate) parent: Rc<Parent>,
    pub(crate) index: usize,
    /// Outcomes that were taken already, besides the parent's.
    pub(crate) excluded: Vec<Term>,
    /// The branch and the outcome that was taken, if it is of the site table.
    pub(crate) site: Option<(u32, u32)>,
    /// Whether it is a value that had to be fixed.
    pub(crate) fixed: bool,
    /// For a branch of the site table: the run, the branch, its other outcome, and how often the run had come there before.
    pub(crate) other: Option<Occurrence>,
}

/// An outcome of a branch: the run (0 for the relation's own code), the branch, the outcome, how often the run had come there before.
type Occurrence = (u32, u32, u32, u32);
/// Beyond this, occurrences of a branch are not told apart.
const MOST_OCCURRENCES: u32 = 8;

impl Item {
    /// Whether a path keeps the conditions before this one and leaves it.
    pub(crate) fn is_followed_by(&self, path: &Path) -> bool {
        let known = &self.parent.conditions;
        let before = |path: &Path| {
            path.conditions[..self.index].iter().zip(known).all(|(new, old)| new.term == old.term)
        };
        path.conditions.len() > self.index
            && before(path)
            && path.conditions[self.index].term != known[self.index].term
            && !self.excluded.contains(&path.conditions[self.index].term)
    }
}

pub(crate) struct Parent {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) model: Model,
}

/// An exploration of one relation.
pub struct Explorer {
    /// Runs the relation.
    pub engine: Engine,
    /// Finds inputs.
    pub solver: Solver,
    pub(crate) config: Config,
    first: Option<Source>,
    /// The conditions of the first path before this one stay as they are.
    pub(crate) first_from: usize,
    pub(crate) queue: VecDeque<Item>,
    /// Branches that may have an outcome that is new together with a value that was fixed.
    second: VecDeque<Item>,
    later: VecDeque<Item>,
    fixed: VecDeque<Item>,
    chance: Rng,
    covered: FxHashSet<(u32, u32)>,
    /// Which occurrences were seen together with which choices.
    together: FxHashSet<(Term, Occurrence)>,
    pub(crate) coverage: Coverage,
    reasons: BTreeSet<String>,
}

impl Explorer {
    /// An exploration that starts with these inputs.
    pub fn new(mut engine: Engine, mut solver: Solver, config: Config, first: Source) -> Self {
        if config.budget.is_some() {
            solver.config_mut().budget = config.budget;
            engine.domain.budget = config.budget;
        }
        Explorer {
            engine,
            solver,
            config,
            first: Some(first),
            first_from: 0,
            queue: VecDeque::new(),
            second: VecDeque::new(),
            later: VecDeque::new(),
            fixed: VecDeque::new(),
            chance: Rng::new(1),
            covered: FxHashSet::default(),
            together: FxHashSet::default(),
            coverage: Coverage::default(),
            reasons: BTreeSet::new(),
        }
    }

    /// What was covered so far.
    pub fn coverage(&self) -> Coverage {
        let waiting = self.queue.len() + self.second.len() + self.later.len() + self.fixed.len();
        let open = waiting as u64 + u64::from(self.first.is_some());
        Coverage { open, fixed: self.engine.domain.fixed, ..self.coverage }
    }

    /// How the solver's answers came about.
    pub fn counters(&self) -> Counters {
        self.solver.counters()
    }

    /// Why branches stayed undecided, each reason once.
    pub fn reasons(&self) -> &BTreeSet<String> {
        &self.reasons
    }

    /// Branch outcomes of the site table that some path has taken.
    pub fn covered(&self) -> &FxHashSet<(u32, u32)> {
        &self.covered
    }

    /// The next path, or nothing when all were run or a limit is reached.
    ///
    /// # Errors
    /// When the relation cannot be run.
    pub fn next_path(&mut self) -> Result<Option<Path>, Error> {
        if let Some(first) = self.first.take() {
            let path = self.engine.run(first)?;
            self.took(&path);
            self.expand(&path, self.first_from, Vec::new());
            return Ok(Some(path));
        }
        loop {
            if self.stopped() {
                return Ok(None);
            }
            let Some(item) = self.take() else { return Ok(None) };
            let Some(model) = self.inputs(&item) else { continue };
            let path = self.engine.run(Source::Model(model))?;
            self.took(&path);
            if !item.is_followed_by(&path) {
                self.coverage.diverged += 1;
                continue;
            }
            let mut excluded = item.excluded;
            excluded.push(item.parent.conditions[item.index].term);
            self.expand(&path, item.index, excluded);
            return Ok(Some(path));
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.config.max_paths.is_some_and(|most| self.coverage.paths >= most)
            || self.config.budget.is_some_and(Budget::is_over)
            || cut::is_requested()
            || (self.config.exact && self.coverage.unknown > 0)
    }

    fn took(&mut self, path: &Path) {
        self.coverage.paths += 1;
        self.coverage.discarded += u64::from(path.verdict == twinrun_base::Verdict::Discarded);
        self.coverage.unfinished += u64::from(path.verdict == twinrun_base::Verdict::Timeout);
        self.covered.extend(path.decided.iter().map(|decided| (decided.site, decided.outcome)));
        if self.config.strategy == Strategy::Diverse {
            let occurrences = occurrences(path);
            for value in path.conditions.iter().filter(is_choice) {
                self.together.extend(occurrences.values().map(|&occurrence| (value.term, occurrence)));
            }
        }
    }

    /// Whether the other outcome of an item's branch is new together with some value that was fixed before it.
    fn is_new_together(&self, item: &Item) -> bool {
        let Some(other) = item.other else { return false };
        let before = item.parent.conditions[..item.index].iter();
        let mut values = before.filter(is_choice);
        values.any(|value| !self.together.contains(&(value.term, other)))
    }

    /// Opens the conditions of a new path from `from` on; what was `excluded` there was taken before.
    fn expand(&mut self, path: &Path, from: usize, excluded: Vec<Term>) {
        let parent = Rc::new(Parent { conditions: path.conditions.clone(), model: path.model.clone() });
        let diverse = self.config.strategy == Strategy::Diverse;
        let occurrences = if diverse { occurrences(path) } else { FxHashMap::default() };
        let mut excluded = Some(excluded);
        for (index, condition) in path.conditions.iter().enumerate().skip(from) {
            let taken = if index == from { excluded.take().unwrap_or_default() } else { Vec::new() };
            // Both outcomes are taken only where one is the other's negation. Where merging stopped at a branch that the parent had merged, the condition
            // is another one, and the rest has to be asked for again.
            if index == from
                && let [other] = taken[..]
                && self.engine.domain.terms.not(other) == condition.term
            {
                continue;
            }
            if condition.kind == Kind::Input || (self.config.runs_only && condition.run.is_none()) {
                continue;
            }
            if self.config.max_depth.is_some_and(|most| index >= most) {
                self.coverage.beyond_depth += 1;
                continue;
            }
            let site = path.site(condition).map(|decided| (decided.site, decided.outcome));
            let fixed = condition.kind == Kind::Fixed;
            let other = site.and_then(|_| occurrences.get(&condition.decision));
            let other = other.map(|&(run, site, outcome, times)| (run, site, 1 - outcome.min(1), times));
            let item = Item { parent: parent.clone(), index, excluded: taken, site, fixed, other };
            self.queue.push_back(item);
        }
    }

    fn take(&mut self) -> Option<Item> {
        match self.config.strategy {
            Strategy::DepthFirst => self.queue.pop_back(),
            Strategy::BreadthFirst => self.queue.pop_front(),
            Strategy::Uncovered | Strategy::Diverse => {
                while let Some(item) = self.queue.pop_back() {
                    // The other outcome of a branch with two; any other of a switch.
                    let fresh = item
                        .site
                        .is_some_and(|(site, outcome)| !self.covered.contains(&(site, 1 - outcome.min(1))));
                    if fresh {
                        return Some(item);
                    }
                    match self.config.strategy {
                        Strategy::Diverse if item.fixed => self.fixed.push_back(item),
                        Strategy::Diverse => self.second.push_back(item),
                        _ => self.later.push_back(item),
                    }
                }
                if self.config.strategy == Strategy::Uncovered {
                    return self.later.pop_front();
                }
                let none_else = self.later.is_empty() && self.second.is_empty();
                let next_value = none_else || self.chance.one_in(2);
                if next_value && let Some(item) = self.fixed.pop_front() {
                    return Some(item);
                }
                // What is not new any more never becomes new again.
                while !self.second.is_empty() {
                    let any = self.chance.below(self.second.len() as u64) as usize;
                    let Some(item) = self.second.swap_remove_back(any) else { break };
                    if self.is_new_together(&item) {
                        return Some(item);
                    }
                    self.later.push_back(item);
                }
                let any = self.chance.below(self.later.len().max(1) as u64) as usize;
                self.later.swap_remove_back(any).or_else(|| self.fixed.pop_front())
            }
        }
    }

    /// Inputs that keep the conditions before the item's and leave its own.
    pub(crate) fn inputs(&mut self, item: &Item) -> Option<Model> {
        let terms = &mut self.engine.domain.terms;
        let Parent { conditions, model } = &*item.parent;
        let find = if self.config.exact { flip_exactly } else { flip };
        match find(terms, &mut self.solver, conditions, item.index, &item.excluded, model) {
            Flip::Inputs { model, approximated } => {
                self.coverage.approximated += u64::from(approximated);
                Some(model)
            }
            Flip::Impossible => {
                self.coverage.infeasible += 1;
                None
            }
            Flip::Unknown(reason) => {
                self.coverage.unknown += 1;
                self.reasons.insert(reason.to_string());
                None
            }
        }
    }
}

/// Whether a condition tells what the relation chose: a value that was fixed, or a branch of its own code.
fn is_choice(condition: &&Condition) -> bool {
    match condition.kind {
        Kind::Fixed => true,
        Kind::Branch { .. } | Kind::Switch { .. } => condition.run.is_none(),
        _ => false,
    }
}

/// All branches of the site table on a path, by the number of the decision; of occurrences that are not told apart, the first.
fn occurrences(path: &Path) -> FxHashMap<u32, Occurrence> {
    let mut times: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for decided in &path.decided {
        let run = decided.run.map_or(0, |run| run + 1);
        let before = times.entry((run, decided.site)).or_insert(0);
        if *before < MOST_OCCURRENCES {
            found.insert(decided.decision, (run, decided.site, decided.outcome, *before));
        }
        *before += 1;
    }
    found
}
