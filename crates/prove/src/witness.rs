//! Witnesses: small inputs of a failure, run again in the other engine before they are reported.

use twinrun_base::{Case, Location, Verdict};
use twinrun_explore::{Engine, Path};
use twinrun_solve::{Answer, Solver};
use twinrun_term::{Model, Term};
use twinrun_testing::executor::Executor;

use crate::error::Error;
use crate::report::Witness;

/// The smallest inputs of a path that the solver finds; those of the path itself when it finds none.
pub(crate) fn small(engine: &mut Engine, solver: &mut Solver, path: &Path) -> Case {
    let conditions: Vec<Term> = path.condition_terms();
    let mut model: Model = path.model.clone();
    if let Answer::Sat(small) = solver.small_witness(&mut engine.domain.terms, &conditions) {
        model.extend(&small);
    }
    path.case(&engine.domain.terms, &model)
}

/// Runs a case in the other engine, which should end like this.
pub(crate) fn replay(
    executor: &mut dyn Executor,
    case: Case,
    verdict: Verdict,
    wraps: Vec<Location>,
) -> Result<Witness, Error> {
    let explained = executor.explain(&case)?;
    let confirmed = explained.group.verdict == verdict;
    Ok(Witness { case, confirmed, replayed: explained.group, wraps })
}
