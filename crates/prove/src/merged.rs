//! The proof with paths merged: an exploration whose paths each stand for many.

use std::time::Instant;

use twinrun_base::{Verdict, case::Case};
use twinrun_explore::{Config as Limits, Coverage, Explorer, Path, Source};
use twinrun_solve::Counters;
use twinrun_term::Model;

use crate::certificate::Covered;
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::report::MergedProof;

/// What the merged paths showed.
pub(crate) struct Outcome {
    pub(crate) summary: MergedProof,
    /// Inputs that violate the relation.
    pub(crate) violated: Option<Case>,
    /// Paths that crashed, with the inputs of each.
    pub(crate) crashed: Vec<(Path, Case)>,
    /// Paths that ran out of work.
    pub(crate) timeouts: u64,
    pub(crate) coverage: Coverage,
    pub(crate) reasons: Vec<String>,
    /// The inputs that were drawn, one line each.
    pub(crate) inputs: Vec<String>,
    /// The paths that held or were discarded.
    pub(crate) covered: Vec<Covered>,
    pub(crate) explorer: Explorer,
}

/// Explores with paths merged (unless the configuration says no) until a violation is found (if `stop_at_violation`), all is covered, or the time is over.
pub(crate) fn explore(
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    until: Instant,
    stop_at_violation: bool,
    tell: &mut dyn FnMut(Progress),
) -> Result<Outcome, Error> {
    let engine = if config.no_merging {
        loaded.engine(relation, config.limits)?
    } else {
        loaded.merging_engine(relation, config, until)?
    };
    let exact = stop_at_violation && !config.no_merging;
    let limits = Limits { deadline: Some(until), max_depth: config.depth, exact, ..Limits::default() };
    let mut solver = solver(&config.solver, until);
    if !config.no_merging {
        // What takes longer is better left to single paths.
        solver.config_mut().query_limit = config.patience;
    }
    let mut explorer = Explorer::new(engine, solver, limits, Source::Model(Model::new()));
    let mut violated = None;
    let mut crashed: Vec<(Path, Case)> = Vec::new();
    let mut timeouts = 0;
    let mut covered: Vec<Covered> = Vec::new();
    let mut inputs = Vec::new();
    while let Some(path) = explorer.next_path()? {
        if path.drawn.len() > inputs.len() {
            inputs = crate::whole::describe(&path.drawn);
        }
        let coverage = explorer.coverage();
        tell(Progress {
            phase: if config.no_merging { "paths" } else { "merged paths" },
            done: coverage.paths,
            left: coverage.open,
        });
        match path.verdict {
            Verdict::Violated => {
                violated = Some(path.case(&explorer.engine.domain.terms, &path.model));
                if stop_at_violation {
                    break;
                }
            }
            Verdict::Crashed => {
                let case = path.case(&explorer.engine.domain.terms, &path.model);
                crashed.push((path, case));
            }
            Verdict::Timeout => timeouts += 1,
            _ => covered.push(Covered::of(&path)),
        }
    }
    let coverage = explorer.coverage();
    let counters: Counters = explorer.counters();
    let summary = MergedProof {
        paths: coverage.paths,
        merges: explorer.engine.merging().map_or(0, |merging| merging.merges),
        queries: counters.queries,
        complete: coverage.is_complete(),
        integers: counters.by_bits == 0,
    };
    let reasons = explorer.reasons().iter().cloned().collect();
    Ok(Outcome { summary, violated, crashed, timeouts, coverage, reasons, inputs, covered, explorer })
}
