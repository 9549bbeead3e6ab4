//! Systematic exploration: each path's conditions are negated in turn, and the inputs that the solver finds are run.
//!
//! Every path is found once: an item negates one condition of a path, keeps those before it, and the path that it leads to
//! negates only later ones (Godefroid, Levin, Molnar: generational search). With the last item first this is depth-first.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Instant;

use rustc_hash::FxHashSet;
use twinrun_base::Rng;
use twinrun_solve::{Counters, Solver};
use twinrun_term::{Model, Term};

use crate::engine::{Engine, Error};
use crate::flip::{Flip, flip};
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
    /// The same; then, in turn, further values of what had to be fixed, such as lengths and choices, and any open branch.
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
    /// When to stop.
    pub deadline: Option<Instant>,
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
    /// Whether every path was run.
    pub fn is_complete(&self) -> bool {
        self.unknown == 0
            && self.approximated == 0
            && self.diverged == 0
            && self.beyond_depth == 0
            && self.open == 0
    }
}

/// A condition of a path that is still to be negated.
struct Item {
    parent: Rc<Parent>,
    index: usize,
    /// Outcomes that were taken already, besides the parent's.
    excluded: Vec<Term>,
    /// The branch and the outcome that was taken, if it is of the site table.
    site: Option<(u32, u32)>,
    /// Whether it is a value that had to be fixed.
    fixed: bool,
}

struct Parent {
    conditions: Vec<Condition>,
    model: Model,
}

/// An exploration of one relation.
pub struct Explorer {
    /// Runs the relation.
    pub engine: Engine,
    /// Finds inputs.
    pub solver: Solver,
    config: Config,
    first: Option<Source>,
    queue: VecDeque<Item>,
    later: VecDeque<Item>,
    fixed: VecDeque<Item>,
    chance: Rng,
    covered: FxHashSet<(u32, u32)>,
    coverage: Coverage,
    reasons: BTreeSet<String>,
}

impl Explorer {
    /// An exploration that starts with these inputs.
    pub fn new(engine: Engine, mut solver: Solver, config: Config, first: Source) -> Self {
        if config.deadline.is_some() {
            solver.config_mut().deadline = config.deadline;
        }
        Explorer {
            engine,
            solver,
            config,
            first: Some(first),
            queue: VecDeque::new(),
            later: VecDeque::new(),
            fixed: VecDeque::new(),
            chance: Rng::new(1),
            covered: FxHashSet::default(),
            coverage: Coverage::default(),
            reasons: BTreeSet::new(),
        }
    }

    /// What was covered so far.
    pub fn coverage(&self) -> Coverage {
        let open =
            (self.queue.len() + self.later.len() + self.fixed.len()) as u64 + u64::from(self.first.is_some());
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
            self.expand(&path, 0, Vec::new());
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
            let followed = path.conditions.len() > item.index
                && path.conditions[..item.index]
                    .iter()
                    .zip(&item.parent.conditions)
                    .all(|(new, old)| new.term == old.term)
                && path.conditions[item.index].term != item.parent.conditions[item.index].term
                && !item.excluded.contains(&path.conditions[item.index].term);
            if !followed {
                self.coverage.diverged += 1;
                continue;
            }
            let mut excluded = item.excluded;
            excluded.push(item.parent.conditions[item.index].term);
            self.expand(&path, item.index, excluded);
            return Ok(Some(path));
        }
    }

    fn stopped(&self) -> bool {
        self.config.max_paths.is_some_and(|most| self.coverage.paths >= most)
            || self.config.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn took(&mut self, path: &Path) {
        self.coverage.paths += 1;
        self.coverage.discarded += u64::from(path.verdict == twinrun_base::Verdict::Discarded);
        self.covered.extend(path.decided.iter().map(|decided| (decided.site, decided.outcome)));
    }

    /// Opens the conditions of a new path from `from` on; what was `excluded` there was taken before.
    fn expand(&mut self, path: &Path, from: usize, excluded: Vec<Term>) {
        let parent = Rc::new(Parent { conditions: path.conditions.clone(), model: path.model.clone() });
        let is_first = excluded.is_empty();
        let mut excluded = Some(excluded);
        for (index, condition) in path.conditions.iter().enumerate().skip(from) {
            let taken = if index == from { excluded.take().unwrap_or_default() } else { Vec::new() };
            // Of two outcomes, both are taken now.
            if index == from && !is_first && !condition.kind.is_many() {
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
            let item = Item { parent: parent.clone(), index, excluded: taken, site, fixed };
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
                    if item.fixed && self.config.strategy == Strategy::Diverse {
                        self.fixed.push_back(item);
                    } else {
                        self.later.push_back(item);
                    }
                }
                if self.config.strategy == Strategy::Uncovered {
                    return self.later.pop_front();
                }
                let next_value = self.later.is_empty() || self.chance.one_in(2);
                if next_value && let Some(item) = self.fixed.pop_front() {
                    return Some(item);
                }
                let any = self.chance.below(self.later.len().max(1) as u64) as usize;
                self.later.swap_remove_back(any)
            }
        }
    }

    /// Inputs that keep the conditions before the item's and leave its own.
    fn inputs(&mut self, item: &Item) -> Option<Model> {
        let terms = &mut self.engine.domain.terms;
        let Parent { conditions, model } = &*item.parent;
        match flip(terms, &mut self.solver, conditions, item.index, &item.excluded, model) {
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
