//! Violated cases made smaller: on a short trace less lies between a branch and the fault.

use twinrun_base::{Case, Inputs, cut};
use twinrun_testing::executor::{Ending, ExecuteError, Executor, Explained};
use twinrun_testing::shrink::shrink;

use crate::error::Error;
use crate::groups::Groups;
use crate::perturbed::Perturbed;

/// Groups that may be run to shrink one case.
const GROUPS: u64 = 250;

/// The smallest case that shrinking finds and that fails at the same check.
pub(crate) fn shrunk(groups: &Groups, relation: u32, case: &Case) -> Result<Case, Error> {
    let mut executor = OnInterpreter { groups, relation };
    let mut replay = twinrun_testing::replay::Replay::default();
    replay.begin(case);
    let ended = executor.run(&mut replay);
    let found = ended.and_then(|ending| shrink(&mut executor, case, ending, GROUPS, &cut::is_requested));
    // What cannot be shrunk stays as it is.
    Ok(found.map_or_else(|_| case.clone(), |found| found.case))
}

struct OnInterpreter<'a> {
    groups: &'a Groups,
    relation: u32,
}

impl Executor for OnInterpreter<'_> {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let ran = self.groups.run(self.relation, inputs, Perturbed::nothing(), u64::MAX, &mut ());
        Ok(Ending { verdict: ran.verdict, place: ran.compared.len() as u32 })
    }

    fn touched(&self) -> &[u64] {
        &[]
    }

    fn explain(&mut self, _case: &Case) -> Result<Explained, ExecuteError> {
        unreachable!("shrinking only runs cases")
    }
}
