//! Path pairs: which combinations of the runs' paths are possible, and on which the relation fails.

use std::collections::BTreeMap;

use twinrun_base::Verdict;

use crate::path::Path;

/// The outcomes seen on one combination of run paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// Some inputs satisfy the relation.
    pub holds: bool,
    /// Some inputs violate it.
    pub violated: bool,
    /// Some inputs crash or time out.
    pub broken: bool,
}

/// The branches of one run as (site, outcome).
pub type RunPath = Vec<(u32, u32)>;

/// All combinations of run paths that were seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// By the paths of all runs.
    pub outcomes: BTreeMap<Vec<RunPath>, Outcomes>,
}

impl Pairs {
    /// Takes in a path.
    pub fn add(&mut self, path: &Path) {
        if path.verdict == Verdict::Discarded {
            return;
        }
        let outcomes = self.outcomes.entry(path.run_paths()).or_default();
        match path.verdict {
            Verdict::Holds => outcomes.holds = true,
            Verdict::Violated => outcomes.violated = true,
            _ => outcomes.broken = true,
        }
    }

    /// How many combinations are possible.
    pub fn count(&self) -> usize {
        self.outcomes.len()
    }

    /// On how many the relation fails for some inputs.
    pub fn failing(&self) -> usize {
        self.outcomes.values().filter(|outcomes| outcomes.violated).count()
    }

    /// On how many it fails for some inputs and holds for others.
    pub fn mixed(&self) -> usize {
        self.outcomes.values().filter(|outcomes| outcomes.violated && outcomes.holds).count()
    }
}
