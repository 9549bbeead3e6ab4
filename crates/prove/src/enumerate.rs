//! The feasible combinations of the runs' paths, and what they say of a relation.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use twinrun_base::Verdict as Ending;
use twinrun_explore::{Config as Limits, Coverage, Explorer, Pairs, Path, RunPath, Source, Strategy};
use twinrun_term::Model;
use twinrun_testing::engine::WasmSubject;

use crate::apart;
use crate::certificate::{Covered, obligations};
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::report::{Report, Verdict};
use crate::whole::{certify, open_reasons};

/// What an enumeration does, for its progress.
pub(crate) const PHASE: &str = "pairs of paths";

/// All pairs that were found, with their paths.
pub(crate) struct Enumeration {
    pub(crate) explorer: Explorer,
    pub(crate) pairs: Pairs,
    /// The paths of each pair, in the order of the pairs.
    pub(crate) found: BTreeMap<Vec<RunPath>, Vec<Path>>,
    covered: Vec<Covered>,
    timeouts: u64,
    crashed: u64,
    /// What parts that were explored apart covered, and why branches stayed undecided in them.
    apart: (Coverage, BTreeSet<String>),
}

impl Enumeration {
    pub(crate) fn run(
        loaded: &Loaded,
        relation: &str,
        config: &Config,
        until: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Enumeration, Error> {
        let engine = loaded.engine(relation, config.limits)?;
        // Where not all pairs are wanted, those that reach new branches come first.
        let some = config.enough.is_some() || config.paths.is_some();
        let strategy = if some { Strategy::Diverse } else { Strategy::DepthFirst };
        let limits = Limits {
            deadline: Some(until),
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
            covered: Vec::new(),
            timeouts: 0,
            crashed: 0,
            apart: (Coverage::default(), BTreeSet::new()),
        };
        if config.jobs > 1 && !some {
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
        match path.verdict {
            Ending::Timeout => self.timeouts += 1,
            Ending::Crashed => self.crashed += 1,
            _ => self.covered.push(Covered::of(&path)),
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

    /// The verdict, where merging has not told it.
    pub(crate) fn conclude(
        &mut self,
        subject: &WasmSubject,
        config: &Config,
        report: &mut Report,
        violated: bool,
    ) {
        let coverage = self.coverage();
        if self.pairs.failing() > 0 || violated {
            report.verdict = Verdict::Violated;
            report.obligations.clear();
            return;
        }
        if report.verdict == Verdict::Proved {
            return;
        }
        let bounded = Coverage { beyond_depth: 0, ..coverage };
        if self.crashed > 0 {
            report.verdict = Verdict::Unknown {
                reasons: vec![format!("{} paths crash before the relation can be judged", self.crashed)],
            };
        } else if coverage.is_complete() && self.timeouts == 0 {
            report.verdict = Verdict::Proved;
            let certificate = obligations(&mut self.explorer.engine.domain.terms, &self.covered);
            certify(report, certificate);
        } else if config.paths.is_some() && self.timeouts == 0 {
            let modules = subject.modules();
            let sites = modules.programs.first().map_or(&modules.relations, |(_, program)| program);
            report.verdict = Verdict::Tested {
                paths: coverage.paths,
                outcomes: (self.explorer.covered().len(), 2 * sites.sites.branches.len()),
                open: coverage.open + coverage.unknown,
            };
        } else if bounded.is_complete() {
            report.verdict = Verdict::ProvedUpTo {
                bound: match coverage.beyond_depth {
                    0 => "runs within the limit of work".to_owned(),
                    _ => "paths within the given number of branches".to_owned(),
                },
                places: Vec::new(),
                remaining: open_reasons(&coverage, self.timeouts).join("; "),
            };
        } else {
            let mut reasons: Vec<String> = self.explorer.reasons().union(&self.apart.1).cloned().collect();
            reasons.extend(open_reasons(&coverage, self.timeouts));
            report.verdict = Verdict::Unknown { reasons };
        }
    }
}
