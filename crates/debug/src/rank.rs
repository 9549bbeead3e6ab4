//! Ranking the branches of a failing trace by what speaks against them.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_explore::Decided;
use twinrun_interp::Position;

use crate::named::named;
use crate::repairs::Repair;
use crate::report::{Critical, Evidence};
use crate::subject::Subject;

/// A branch statement: [`Subject::statement_key`].
pub(crate) type Key = (u32, u32);

/// A failing trace that branches are named on.
pub(crate) struct Ground<'a> {
    pub(crate) subject: &'a Subject,
    /// The branches of its runs.
    pub(crate) trace: &'a [Decided],
    /// Where its passing neighbour parts from it; without one the last branch.
    pub(crate) parting: usize,
    /// Its pair.
    pub(crate) pair: Option<usize>,
    /// For each executed place the branches that it goes with.
    pub(crate) owners: &'a BTreeMap<Position, Vec<usize>>,
}

/// What is known beside the trace.
pub(crate) struct Known<'a> {
    pub(crate) repairs: &'a [Repair],
    /// The statements at which pairs part, one for each pair.
    pub(crate) partings: &'a [Key],
    /// Branch outcomes of each violated case.
    pub(crate) violated: &'a [BTreeSet<(Position, u32)>],
    /// Branch outcomes of each passing case.
    pub(crate) passing: &'a [BTreeSet<(Position, u32)>],
}

/// The branches of the trace, the most suspicious first; each statement once.
pub(crate) fn rank(ground: &Ground<'_>, known: &Known<'_>) -> Vec<Critical> {
    let mut found: BTreeMap<Key, (Evidence, usize, Option<Repair>)> = BTreeMap::new();
    for (index, decided) in ground.trace.iter().enumerate() {
        let key = ground.subject.statement_key(decided);
        let entry = found.entry(key).or_insert_with(|| (Evidence::default(), index, None));
        // The occurrence nearest to where the neighbours part.
        if index.abs_diff(ground.parting) < entry.1.abs_diff(ground.parting) {
            entry.1 = index;
        }
        let evidence = &mut entry.0;
        evidence.spectrum = evidence.spectrum.max(spectrum(known, (decided.at, decided.outcome)));
        evidence.only_failing |= is_only_failing(known, (decided.at, decided.outcome));
    }
    for (key, (evidence, ..)) in &mut found {
        let votes = known.partings.iter().filter(|parting| *parting == key).count();
        evidence.partings = votes as f64 / known.partings.len().max(1) as f64;
    }
    if ground.pair.is_some()
        && let Some(decided) = ground.trace.get(ground.parting)
        && let Some((evidence, index, _)) = found.get_mut(&ground.subject.statement_key(decided))
    {
        evidence.parting = true;
        *index = ground.parting;
    }
    let mut best: BTreeMap<Key, f64> = BTreeMap::new();
    for repair in known.repairs {
        let Some(owners) = ground.owners.get(&repair.at) else { continue };
        let worth = worth(repair);
        for &index in owners {
            let Some(decided) = ground.trace.get(index) else { continue };
            let key = ground.subject.statement_key(decided);
            let Some((evidence, at, shown)) = found.get_mut(&key) else { continue };
            let known = best.entry(key).or_insert(0.0);
            if worth > *known {
                *known = worth;
                evidence.repair = worth;
                *shown = Some(*repair);
                *at = index;
            } else if worth == *known && index.abs_diff(ground.parting) < at.abs_diff(ground.parting) {
                *at = index;
            }
        }
    }
    let mut ranked: Vec<Critical> = found
        .into_values()
        .map(|(evidence, index, repair)| Critical {
            branch: named(ground.subject, ground.trace, index),
            pair: ground.pair,
            score: score(&evidence, known.violated.len()),
            reasons: reasons(&evidence, repair.as_ref()),
            evidence,
        })
        .collect();
    // Among equals the one nearest to where the neighbours part, the later one first.
    let near = |critical: &Critical| {
        (critical.branch.index.abs_diff(ground.parting), std::cmp::Reverse(critical.branch.index))
    };
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| near(a).cmp(&near(b))));
    ranked
}

/// How good a repair is: it should make every violated case hold, harm no passing one, and change little.
fn worth(repair: &Repair) -> f64 {
    let insertion = if repair.change.inserts() { 0.9 } else { 1.0 };
    repair.fixed * repair.fixed * repair.harmless * repair.harmless * (0.5 + 0.5 * repair.kept) * insertion
}

/// What a change repairs speaks the louder, the more violated cases it had to repair; with one case, many changes do, and where the
/// neighbours part says more.
fn score(evidence: &Evidence, violated: usize) -> f64 {
    let trust = violated as f64 / (violated as f64 + 2.0);
    trust * evidence.repair
        + (1.0 - trust) * 0.6 * evidence.partings
        + 0.03 * evidence.spectrum
        + if evidence.parting { 0.01 } else { 0.0 }
}

/// Ochiai's coefficient of a branch outcome over violated and passing cases.
fn spectrum(known: &Known<'_>, outcome: (Position, u32)) -> f64 {
    let count = |cases: &[BTreeSet<(Position, u32)>]| {
        cases.iter().filter(|case| case.contains(&outcome)).count() as f64
    };
    let (failing, passing) = (count(known.violated), count(known.passing));
    let all = known.violated.len() as f64 * (failing + passing);
    if all == 0.0 { 0.0 } else { failing / all.sqrt() }
}

fn is_only_failing(known: &Known<'_>, outcome: (Position, u32)) -> bool {
    known.violated.iter().all(|case| case.contains(&outcome))
        && !known.passing.is_empty()
        && !known.passing.iter().any(|case| case.contains(&outcome))
}

fn reasons(evidence: &Evidence, repair: Option<&Repair>) -> Vec<String> {
    let mut reasons = Vec::new();
    if evidence.parting {
        reasons.push("here the violating and the passing runs part".to_owned());
    } else if evidence.partings > 0.0 {
        reasons.push(format!("here {:.0} % of the pairs of neighbours part", 100.0 * evidence.partings));
    }
    if let Some(repair) = repair {
        let fixed = if repair.fixed == 1.0 {
            "every violated case hold".to_owned()
        } else {
            format!("{:.0} % of the violated cases hold", 100.0 * repair.fixed)
        };
        let harm = if repair.harmless == 1.0 {
            "harms no passing one".to_owned()
        } else {
            format!("leaves {:.0} % of the passing ones", 100.0 * repair.harmless)
        };
        reasons.push(format!("{} makes {fixed} and {harm}", repair.change.describe()));
    }
    if evidence.only_failing {
        reasons.push("every violated case takes it this way and no passing one".to_owned());
    }
    reasons
}
