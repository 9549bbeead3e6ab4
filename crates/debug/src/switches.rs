//! Single decisions that decide the verdict: branches of which one occurrence, taken the other way, makes a violated case hold.
//!
//! Zhang, Gupta, Gupta: *Locating Faults through Automated Predicate Switching*. There the output that is wanted is known; here the
//! relation judges.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_base::{Budget, Verdict};
use twinrun_explore::Decided;
use twinrun_interp::Position;

use crate::changes::Change;
use crate::groups::Groups;
use crate::perturbed::Perturbed;
use crate::rank::Key;
use crate::repairs::Known;
use crate::subject::Subject;

/// For each branch statement the share of the violated cases that one switch of it makes hold.
pub(crate) fn switches<'a>(
    groups: &Groups,
    subject: &Subject,
    violated: impl Iterator<Item = (&'a Known, &'a [Decided])>,
    (budget, most, longest): (Budget, u64, u64),
) -> BTreeMap<Key, f64> {
    let mut found: BTreeMap<Key, u32> = BTreeMap::new();
    let (mut cases, mut tried) = (0u32, 0u64);
    for (known, trace) in violated {
        if tried >= most || budget.is_over() {
            break;
        }
        cases += 1;
        let mut times: BTreeMap<Position, u32> = BTreeMap::new();
        let occurrences: Vec<(&Decided, u32)> = trace
            .iter()
            .map(|decided| {
                let time = times.entry(decided.at).or_default();
                *time += 1;
                (decided, *time)
            })
            .collect();
        let mut switched: BTreeSet<Key> = BTreeSet::new();
        // From the end: the later a switch, the less it can change.
        for (decided, time) in occurrences.into_iter().rev() {
            let key = subject.statement_key(decided);
            if switched.contains(&key) {
                continue;
            }
            if tried >= most || budget.is_over() {
                break;
            }
            tried += 1;
            let domain = Perturbed::new(decided.at, Change::Switch(time));
            let ran = groups.replay(known.relation, &known.case, domain, known.ran.work * 2 + longest);
            if ran.verdict == Verdict::Holds {
                switched.insert(key);
            }
        }
        switched.into_iter().for_each(|key| *found.entry(key).or_default() += 1);
    }
    found.into_iter().map(|(key, count)| (key, f64::from(count) / f64::from(cases.max(1)))).collect()
}
