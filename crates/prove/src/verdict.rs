//! What is known of a relation, and the only place that may call it proved.
//!
//! [`Proof`] has no public fields and one constructor, which takes the evidence: what the paths were, what was left open, and what the other engine said.
//! What it does not find in the evidence it does not say.

use serde::{Deserialize, Serialize};
use twinrun_base::{Location, Verdict as Ending};
use twinrun_explore::{Coverage, Path};

use crate::loops::LoopProof;
use crate::net::Tested;

/// What is known of a relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Verdict {
    /// It holds for all inputs of the declared ranges.
    Proved(Proof),
    /// It holds over the reals and over integers without overflow, for every number of turns of its loops; the machine's numbers were only tested.
    ProvedOverReals(Proof),
    /// It holds for all inputs whose runs stay within a bound.
    ProvedUpTo {
        /// The bound, in words.
        bound: String,
        /// The loops or branches where it was reached.
        places: Vec<Location>,
        /// Which inputs remain.
        remaining: String,
    },
    /// It holds on the paths that were selected, which are not all: symbolic testing, no proof.
    Tested {
        /// Paths that were run, each for all of its inputs.
        paths: u64,
        /// Branch outcomes that they took, and how many there are.
        outcomes: (usize, usize),
        /// Branches that were left open.
        open: u64,
    },
    /// It fails for some inputs.
    Violated,
    /// Some inputs crash; no other failure is known.
    Crashed,
    /// Neither was found out.
    Unknown {
        /// Why.
        reasons: Vec<String>,
    },
}

impl Verdict {
    /// Whether it holds for all inputs of the declared ranges, as the machine computes.
    pub fn is_proved(&self) -> bool {
        matches!(self, Verdict::Proved(_))
    }

    /// Whether some inputs fail.
    pub fn is_failing(&self) -> bool {
        matches!(self, Verdict::Violated | Verdict::Crashed)
    }

    pub(crate) fn unknown(reason: impl Into<String>) -> Verdict {
        Verdict::Unknown { reasons: vec![reason.into()] }
    }
}

/// How a proof was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Paths merged where they could be.
    MergedPaths,
    /// The same, for each permutation by itself.
    Permutations,
    /// All paths one by one.
    Paths,
    /// Every case was run in the other engine.
    AllCases,
    /// Inductive invariants, over the reals.
    Invariants,
}

/// That a relation was proved: only [`Proof::of`], [`Proof::of_all_cases`] and [`Proof::over_reals`] make one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    by: By,
    paths: u64,
    tested: Option<Tested>,
}

impl Proof {
    /// How it was found.
    pub fn by(&self) -> By {
        self.by
    }

    /// How many paths, ways outside of loops or cases it consists of.
    pub fn paths(&self) -> u64 {
        self.paths
    }

    /// What was run in the other engine before; none where that was switched off.
    pub fn tested(&self) -> Option<&Tested> {
        self.tested.as_ref()
    }

    /// The proof that this evidence is, or what is missing.
    pub(crate) fn of(evidence: &Evidence, tested: Option<&Tested>) -> Result<Proof, Vec<String>> {
        let mut gaps = evidence.gaps();
        gaps.extend(tested.and_then(untested));
        if gaps.is_empty() {
            Ok(Proof { by: evidence.by, paths: evidence.coverage.paths, tested: tested.copied() })
        } else {
            Err(gaps)
        }
    }

    /// The proof that running every case is.
    pub(crate) fn of_all_cases(cases: &AllCases) -> Result<Proof, Vec<String>> {
        let mut gaps = Vec::new();
        let missing = [
            (!cases.complete, "not all cases were run"),
            (cases.holds == 0, "no case passes the assumptions"),
            (cases.holds + cases.discarded != cases.run, "some cases do not hold"),
            (!cases.ran, "nothing is run"),
            (!cases.checked, "nothing is checked"),
        ];
        gaps.extend(missing.into_iter().filter(|(is, _)| *is).map(|(_, what)| what.to_owned()));
        if gaps.is_empty() {
            Ok(Proof { by: By::AllCases, paths: cases.run, tested: None })
        } else {
            Err(gaps)
        }
    }

    /// The proof over the reals that these invariants are.
    pub(crate) fn over_reals(proof: &LoopProof, tested: Option<&Tested>) -> Result<Proof, Vec<String>> {
        let mut gaps = proof.reasons.clone();
        if !proof.proved && gaps.is_empty() {
            gaps.push("no proof for any number of turns was found".to_owned());
        }
        if proof.tested.1 > 0 {
            gaps.push("doubles violate it".to_owned());
        }
        gaps.extend(tested.and_then(untested));
        if gaps.is_empty() {
            Ok(Proof { by: By::Invariants, paths: proof.ways.len() as u64, tested: tested.copied() })
        } else {
            Err(gaps)
        }
    }
}

/// What is missing in the test before a proof.
fn untested(tested: &Tested) -> Option<String> {
    if tested.timeouts > 0 {
        return Some(format!("{} tested groups ran into the limit of work", tested.timeouts));
    }
    tested.cut.then(|| "the test before a proof was cut".to_owned())
}

/// What paths say of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub(crate) by: By,
    pub(crate) coverage: Coverage,
    /// Paths by how they ended.
    violated: u64,
    crashed: u64,
    timeouts: u64,
    held: u64,
    /// Of the paths that held, those that reached a check, and those that began a run.
    checked: u64,
    ran: u64,
}

impl Evidence {
    pub(crate) fn new(by: By) -> Evidence {
        let coverage = Coverage::default();
        Evidence { by, coverage, violated: 0, crashed: 0, timeouts: 0, held: 0, checked: 0, ran: 0 }
    }

    /// The same, where this was covered.
    pub(crate) fn covering(self, coverage: Coverage) -> Evidence {
        Evidence { coverage, ..self }
    }

    /// Takes in a path.
    pub(crate) fn take(&mut self, path: &Path) {
        match path.verdict {
            Ending::Violated => self.violated += 1,
            Ending::Crashed => self.crashed += 1,
            Ending::Timeout => self.timeouts += 1,
            Ending::Discarded => {}
            Ending::Holds => {
                self.held += 1;
                self.checked += u64::from(!path.checks.is_empty());
                self.ran += u64::from(path.runs > 0);
            }
        }
    }

    /// Whether every input lies on one of the paths, and all of them ended.
    pub(crate) fn is_complete(&self) -> bool {
        self.coverage.is_complete() && self.timeouts == 0
    }

    /// Why a relation says nothing, where all its paths are known.
    pub(crate) fn vacuous(&self) -> Option<&'static str> {
        let judged = self.held + self.violated + self.crashed;
        match () {
            () if judged == 0 => Some("no input passes the assumptions"),
            () if self.held > 0 && self.ran == 0 => Some("nothing is run: no RUN is reached"),
            () if self.held > 0 && self.checked == 0 => Some("nothing is checked: no CHECK is reached"),
            () => None,
        }
    }

    /// Why this is no proof.
    pub(crate) fn gaps(&self) -> Vec<String> {
        if self.is_complete()
            && let Some(why) = self.vacuous()
        {
            return vec![why.to_owned()];
        }
        let failing = [(self.violated, "paths violate it"), (self.crashed, "paths crash")];
        let failing = failing.into_iter().filter(|(count, _)| *count > 0);
        failing.map(|(count, what)| format!("{count} {what}")).chain(self.open()).collect()
    }

    /// Why not all inputs lie on one of the paths.
    pub(crate) fn open(&self) -> Vec<String> {
        let coverage = &self.coverage;
        let told = [
            (coverage.open, "branches were still open at the end"),
            (coverage.unknown, "branches could not be decided by the solver"),
            (coverage.approximated, "paths were found only by fixing inputs"),
            (coverage.diverged, "paths did not follow their prediction"),
            (coverage.beyond_depth, "branches lie beyond the depth"),
            (self.timeouts.max(coverage.unfinished), "paths ran into the limit of work"),
        ];
        let told = told.into_iter().filter(|(count, _)| *count > 0);
        told.map(|(count, what)| format!("{count} {what}")).collect()
    }

    /// Whether all paths ended, none of them badly, and some of them checked something.
    pub(crate) fn holds_where_it_ended(&self) -> bool {
        self.violated + self.crashed + self.timeouts == 0 && self.checked > 0 && self.ran > 0
    }

    /// Whether a path began a run.
    pub(crate) fn runs(&self) -> bool {
        self.ran > 0
    }

    /// The bounded answer, where a depth is all that keeps this from being a proof.
    pub(crate) fn up_to_a_bound(&self, tested: Option<&Tested>) -> Option<Verdict> {
        let coverage = Coverage { beyond_depth: 0, ..self.coverage };
        let rest = Evidence { coverage, ..self.clone() };
        let bounded = self.coverage.beyond_depth > 0 && Proof::of(&rest, tested).is_ok();
        bounded.then(|| Verdict::ProvedUpTo {
            bound: "paths within the given number of branches".to_owned(),
            places: Vec::new(),
            remaining: self.gaps().join("; "),
        })
    }
}

/// What running every case said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AllCases {
    pub(crate) run: u64,
    pub(crate) holds: u64,
    pub(crate) discarded: u64,
    /// Whether these were all.
    pub(crate) complete: bool,
    /// Whether some case that holds began a run, and reached a check.
    pub(crate) ran: bool,
    pub(crate) checked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        let coverage = Coverage { paths: 2, ..Coverage::default() };
        Evidence { held: 2, checked: 2, ran: 2, coverage, ..Evidence::new(By::Paths) }
    }

    #[test]
    fn whatever_is_left_open_is_no_proof() {
        assert!(Proof::of(&evidence(), None).is_ok());
        let open: [fn(&mut Evidence); 11] = [
            |it| it.violated = 1,
            |it| it.crashed = 1,
            |it| it.timeouts = 1,
            |it| (it.held, it.checked, it.ran) = (0, 0, 0),
            |it| it.checked = 0,
            |it| it.ran = 0,
            |it| it.coverage.open = 1,
            |it| it.coverage.unknown = 1,
            |it| it.coverage.approximated = 1,
            |it| it.coverage.diverged = 1,
            |it| it.coverage.unfinished = 1,
        ];
        for (number, change) in open.into_iter().enumerate() {
            let mut changed = evidence();
            change(&mut changed);
            let gaps = Proof::of(&changed, None).expect_err("it is no proof");
            assert!(!gaps.is_empty(), "{number}");
        }
    }

    #[test]
    fn a_test_that_was_cut_is_no_proof() {
        let tested = Tested { drawn: 10_000, boundary: 9, all_pairs: true, ..Tested::default() };
        assert!(Proof::of(&evidence(), Some(&tested)).is_ok());
        assert!(Proof::of(&evidence(), Some(&Tested { cut: true, ..tested })).is_err());
        assert!(Proof::of(&evidence(), Some(&Tested { timeouts: 1, ..tested })).is_err());
    }

    #[test]
    fn running_every_case_is_a_proof_only_where_all_ran_and_held() {
        let all = AllCases { run: 9, holds: 8, discarded: 1, complete: true, ran: true, checked: true };
        assert!(Proof::of_all_cases(&all).is_ok());
        for less in [
            AllCases { complete: false, ..all },
            AllCases { holds: 7, ..all },
            AllCases { holds: 0, discarded: 9, ..all },
            AllCases { ran: false, ..all },
            AllCases { checked: false, ..all },
        ] {
            assert!(Proof::of_all_cases(&less).is_err(), "{less:?}");
        }
    }

    #[test]
    fn a_depth_alone_makes_the_answer_bounded() {
        let mut bounded = evidence();
        bounded.coverage.beyond_depth = 3;
        assert!(Proof::of(&bounded, None).is_err());
        assert!(matches!(bounded.up_to_a_bound(None), Some(Verdict::ProvedUpTo { .. })));
        bounded.coverage.unknown = 1;
        assert_eq!(bounded.up_to_a_bound(None), None);
        assert_eq!(evidence().up_to_a_bound(None), None);
    }
}
