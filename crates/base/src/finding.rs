//! Findings: what is reported.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::group::{Group, Verdict};
use crate::hash::Hash;
use crate::sites::Location;

/// A place that a technique suspects, with its reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// Where.
    pub location: Location,
    /// How suspicious, greatest first; comparable within one ranking only.
    pub score: f64,
    /// One sentence for people.
    pub reason: String,
}

/// A change of the source after which every relation held on everything that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    /// Where.
    pub location: Location,
    /// What it does, on one line: ``i < n` → `i <= n``, `insert `cnt = 0;``.
    pub change: String,
    /// A unified diff.
    pub diff: String,
    /// What speaks for it, each in one sentence.
    pub support: Vec<String>,
}

/// A violation (or crash, or timeout) with its minimal case and what the techniques say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable over runs: subject, relation, verdict and the places that the failing runs share.
    pub fingerprint: Hash,
    /// The subject's name in `twinrun.toml`.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// `violated`, `crashed` or `timeout`.
    pub verdict: Verdict,
    /// The minimal group, replayed before it is reported.
    pub group: Group,
    /// The case as it was first found.
    pub found: Case,
    /// How many violating cases were put down to the same likely fault.
    pub seen: u64,
    /// How many steps the shrinking took.
    pub shrinks: u64,
    /// The runs depend on each other through static data: with statics restored before every run the outcome differs.
    pub dependent_runs: bool,
    /// Only the checked build shows it.
    pub checked_build: bool,
    /// Where the saved case lies, relative to the project.
    pub saved: Option<String>,
    /// Places to look at first; empty where no technique has spoken.
    pub suspects: Vec<Suspect>,
    /// The branch where a violating and a passing neighbour part, where concolic debugging has named one.
    pub critical: Option<Suspect>,
    /// For which inputs it fails, where proving has told.
    pub fails_when: Option<String>,
    /// What to write instead, the likeliest first; a relation is a weak oracle, so these are candidates.
    pub repairs: Vec<Repair>,
    /// What a technique could not say, and why.
    pub unsaid: Vec<String>,
    /// Where the relation is defined.
    pub relation_location: Option<Location>,
}

impl Finding {
    /// The place that a viewer should jump to: the crash, the first suspect, or the check.
    pub fn location(&self) -> Option<&Location> {
        let crash = self.group.crash.as_ref().and_then(|crash| crash.location());
        crash
            .or_else(|| self.suspects.first().map(|suspect| &suspect.location))
            .or_else(|| self.group.check.as_ref().and_then(|check| check.location.as_ref()))
            .or(self.relation_location.as_ref())
    }
}
