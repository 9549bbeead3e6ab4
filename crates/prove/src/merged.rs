//! The proof with paths merged: an exploration whose paths each stand for many.

use twinrun_base::{Budget, Verdict, case::Case};
use twinrun_explore::{Config as Limits, Explorer, Path, Source};
use twinrun_interp::Position;
use twinrun_solve::Counters;
use twinrun_term::Model;

use crate::certificate::Covered;
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::report::MergedProof;
use crate::verdict::{By, Evidence};

/// What the merged paths showed.
pub(crate) struct Outcome {
    pub(crate) summary: MergedProof,
    /// Inputs that violate the relation.
    pub(crate) violated: Option<Case>,
    /// Paths that crashed, with the inputs of each.
    pub(crate) crashed: Vec<(Path, Case)>,
    pub(crate) evidence: Evidence,
    pub(crate) reasons: Vec<String>,
    /// The inputs that were drawn, one line each.
    pub(crate) inputs: Vec<String>,
    /// The paths that held or were discarded.
    pub(crate) covered: Vec<Covered>,
    pub(crate) explorer: Explorer,
}

/// How merged paths are explored.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Way {
    /// Whether one violation is enough.
    pub(crate) stop_at_violation: bool,
    /// Whether each permutation is looked at by itself.
    pub(crate) split_permutations: bool,
    /// Whether terms stand as they are built: for a certificate.
    pub(crate) plain: bool,
}

/// More paths than this are not tried where each permutation is looked at by itself.
const MOST_PERMUTATIONS: u64 = 5_040;
/// So often it is gone through again.
const MOST_AGAIN: u32 = 3;

/// Explores with paths merged (unless the configuration says no) until a violation is found (if `stop_at_violation`), all is covered, or the time is over.
///
/// Where paths did not follow their prediction because a branch could not be merged on later paths, it is gone through once more with that branch split from the
/// beginning.
pub(crate) fn explore(
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    until: Budget,
    way: Way,
    tell: &mut dyn FnMut(Progress),
) -> Result<Outcome, Error> {
    let mut split: Vec<Position> = Vec::new();
    for _ in 0..MOST_AGAIN {
        let outcome = explore_once(loaded, relation, config, until, way, &split, tell)?;
        let known: Vec<Position> =
            outcome.explorer.engine.merging().map_or_else(Vec::new, |merging| merging.split().collect());
        let again = outcome.evidence.coverage.diverged > 0
            && outcome.violated.is_none()
            && known.len() > split.len()
            && !until.is_over();
        if !again {
            return Ok(outcome);
        }
        split = known;
    }
    explore_once(loaded, relation, config, until, way, &split, tell)
}

fn explore_once(
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    until: Budget,
    Way { stop_at_violation, split_permutations, plain }: Way,
    split: &[Position],
    tell: &mut dyn FnMut(Progress),
) -> Result<Outcome, Error> {
    let mut engine = if config.no_merging {
        loaded.engine(relation, config.limits)?
    } else {
        loaded.merging_engine(relation, config, until, split)?
    };
    if plain {
        engine.keep_terms_plain();
    }
    let exact = stop_at_violation && !config.no_merging;
    engine.split_permutations(split_permutations);
    let max_paths = split_permutations.then_some(MOST_PERMUTATIONS);
    let limits =
        Limits { budget: Some(until), max_depth: config.depth, max_paths, exact, ..Limits::default() };
    let mut solver = solver(&config.solver, until);
    if !config.no_merging {
        // What takes longer is better left to single paths.
        solver.config_mut().query_limit = config.patience;
    }
    let mut explorer = Explorer::new(engine, solver, limits, Source::Model(Model::new()));
    let mut violated = None;
    let mut crashed: Vec<(Path, Case)> = Vec::new();
    let mut evidence = Evidence::new(match (config.no_merging, split_permutations) {
        (true, _) => By::Paths,
        (false, true) => By::Permutations,
        (false, false) => By::MergedPaths,
    });
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
        evidence.take(&path);
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
            Verdict::Timeout => {}
            _ => covered.push(Covered::of(&path)),
        }
    }
    evidence.coverage = explorer.coverage();
    let coverage = evidence.coverage;
    let counters: Counters = explorer.counters();
    let summary = MergedProof {
        paths: coverage.paths,
        merges: explorer.engine.merging().map_or(0, |merging| merging.merges),
        queries: counters.queries,
        complete: coverage.is_complete(),
        integers: counters.by_bits == 0,
    };
    let reasons = explorer.reasons().iter().cloned().collect();
    Ok(Outcome { summary, violated, crashed, evidence, reasons, inputs, covered, explorer })
}
