//! The feasible combinations of the runs' paths, and what they say of a relation.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_base::{Budget, Case, Verdict as Ending};
use twinrun_explore::{Config as Limits, Coverage, Explorer, Pairs, Path, RunPath, Source, Strategy};
use twinrun_term::Model;
use twinrun_testing::engine::WasmSubject;

use crate::apart;
use crate::error::Error;
use crate::net::Tested;
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::verdict::{By, Evidence, Verdict};
use crate::whole::is_doubtful;

/// What an enumeration does, for its progress.
pub(crate) const PHASE: &str = "pairs of paths";

/// So many failing cases of each kind are kept for the other engine.
const MOST_CRASHING: usize = 8;

/// All pairs that were found, with their paths.
pub(crate) struct Enumeration {
    pub(crate) explorer: Explorer,
    pub(crate) pairs: Pairs,
    /// The paths of each pair, in the order of the pairs.
    pub(crate) found: BTreeMap<Vec<RunPath>, Vec<Path>>,
    evidence: Evidence,
    /// The pairs of failing cases that were known before: what is told of them comes first.
    pub(crate) known: BTreeSet<Vec<RunPath>>,
    /// Cases that crash, of the first paths that do.
    crashing: Vec<(Case, bool)>,
    /// What parts that were explored apart covered, and why branches stayed undecided in them.
    apart: (Coverage, BTreeSet<String>),
}

impl Enumeration {
    pub(crate) fn run(
        loaded: &Loaded,
        relation: &str,
        config: &Config,
        until: Budget,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Enumeration, Error> {
        let engine = loaded.engine(relation, config.limits)?;
        // Where not all pairs are wanted, those that reach new branches come first.
        let some = config.enough.is_some() || config.paths.is_some();
        let strategy = if some { Strategy::Diverse } else { Strategy::DepthFirst };
        let limits = Limits {
            budget: Some(until),
            max_depth: config.depth,
            max_paths: config.paths,
            strategy,
            ..Limits::default()
        };
        let explorer =
            Explorer::new(engine, solver(&config.solver, until), limits, Source::Model(Model::new()));
        let mut all = Enumeration {
            explorer,
            pairs: Pairs::default(),
            found: BTreeMap::new(),
            evidence: Evidence::new(By::Paths),
            known: BTreeSet::new(),
            crashing: Vec::new(),
            apart: (Coverage::default(), BTreeSet::new()),
        };
        if !some {
            let found = apart::explore(&mut all.explorer, loaded, relation, config, until, tell)?;
            for case in found.cases {
                let path = all.explorer.engine.run(Source::Case(case))?;
                all.take(path);
            }
            all.apart = (found.coverage, found.reasons);
            return Ok(all);
        }
        while let Some(path) = all.explorer.next_path()? {
            let coverage = all.explorer.coverage();
            tell(Progress { phase: PHASE, done: coverage.paths, left: coverage.open });
            all.take(path);
            let broken = || all.pairs.outcomes.values().filter(|outcomes| outcomes.broken).count();
            if config.enough.is_some_and(|enough| all.pairs.failing() + broken() >= enough) {
                break;
            }
        }
        Ok(all)
    }

    /// Takes in a path.
    fn take(&mut self, path: Path) {
        self.pairs.add(&path);
        self.evidence.take(&path);
        match path.verdict {
            Ending::Crashed if self.crashing.len() < MOST_CRASHING => {
                let case = path.case(&self.explorer.engine.domain.terms, &path.model);
                self.crashing.push((case, is_doubtful(&path)));
            }
            _ => {}
        }
        if path.verdict != Ending::Discarded {
            self.found.entry(path.run_paths()).or_default().push(path);
        }
    }

    pub(crate) fn coverage(&self) -> Coverage {
        self.explorer.coverage().plus(self.apart.0)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.coverage().is_complete()
    }

    /// Takes in a case that is known to fail, if its path was not found.
    pub(crate) fn add(&mut self, case: &Case) -> Result<(), Error> {
        let path = self.explorer.engine.run(Source::Case(case.clone()))?;
        let same = |known: &Path| known.condition_terms() == path.condition_terms();
        let fails = matches!(path.verdict, Ending::Violated | Ending::Crashed);
        if fails {
            self.known.insert(path.run_paths());
        }
        if fails && !self.found.get(&path.run_paths()).is_some_and(|paths| paths.iter().any(same)) {
            self.take(path);
        }
        Ok(())
    }

    /// Cases that fail or crash, a few of each.
    pub(crate) fn failing_cases(&self) -> Vec<(Case, Ending, bool)> {
        let terms = &self.explorer.engine.domain.terms;
        let violated = self.found.values().flatten().filter(|path| path.verdict == Ending::Violated);
        let violated = violated.take(MOST_CRASHING).map(|path| path.case(terms, &path.model));
        let crashing =
            self.crashing.iter().cloned().map(|(case, doubtful)| (case, Ending::Crashed, doubtful));
        violated.map(|case| (case, Ending::Violated, false)).chain(crashing).collect()
    }

    /// What the paths say.
    pub(crate) fn evidence(&self) -> Evidence {
        self.evidence.clone().covering(self.coverage())
    }

    /// What is said where neither a failure nor a proof is known.
    pub(crate) fn bounded(&self, subject: &WasmSubject, config: &Config, tested: Option<&Tested>) -> Verdict {
        let evidence = self.evidence();
        if let Some(bounded) = evidence.up_to_a_bound(tested) {
            return bounded;
        }
        if config.paths.is_some() && !evidence.is_complete() && evidence.holds_where_it_ended() {
            let modules = subject.modules();
            let sites = modules.programs.first().map_or(&modules.relations, |(_, program)| program);
            return Verdict::Tested {
                paths: evidence.coverage.paths,
                outcomes: (self.explorer.covered().len(), 2 * sites.sites.branches.len()),
                open: evidence.coverage.open + evidence.coverage.unknown,
            };
        }
        Verdict::Unknown { reasons: self.explorer.reasons().union(&self.apart.1).cloned().collect() }
    }
}
