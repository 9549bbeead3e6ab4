//! Ranking the branches of a failing trace by what speaks against them.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_explore::Decided;
use twinrun_interp::Position;

use crate::central::{Suspect, central};
use crate::changes::Change;
use crate::named::named;
use crate::repairs::Repair;
use crate::report::{Critical, Evidence, Repaired};
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
    /// How many violated cases were given.
    pub(crate) cases: usize,
    pub(crate) repairs: &'a [Repair],
    /// How many changes were tried at each place.
    pub(crate) tried: &'a BTreeMap<Position, u32>,
    /// The statements at which pairs part, one for each pair.
    pub(crate) partings: &'a [Key],
    /// For each statement the share of the violated cases that one switch of it makes hold.
    pub(crate) switched: &'a BTreeMap<Key, f64>,
    /// Branch outcomes of each violated case.
    pub(crate) violated: &'a [BTreeSet<(Position, u32)>],
    /// Branch outcomes of each passing case.
    pub(crate) passing: &'a [BTreeSet<(Position, u32)>],
}

/// So many changes of each statement are reported.
const SHOWN: usize = 8;

/// The branches of the trace, the most suspicious first, each statement once; and the best changes.
pub(crate) fn rank(ground: &Ground<'_>, known: &Known<'_>) -> (Vec<Critical>, Vec<Repaired>) {
    let mut found: BTreeMap<Key, (Evidence, usize, Option<&Repair>)> = BTreeMap::new();
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
        evidence.switched = known.switched.get(key).copied().unwrap_or(0.0);
    }
    if ground.pair.is_some()
        && let Some(decided) = ground.trace.get(ground.parting)
        && let Some((evidence, index, _)) = found.get_mut(&ground.subject.statement_key(decided))
    {
        evidence.parting = true;
        *index = ground.parting;
    }
    for (at, owners) in ground.owners {
        let own = owners.iter().filter(|index| **index < ground.trace.len());
        let keys: BTreeSet<Key> =
            own.map(|index| ground.subject.statement_key(&ground.trace[*index])).collect();
        for key in keys {
            let Some((evidence, ..)) = found.get_mut(&key) else { continue };
            evidence.places += 1;
            evidence.tried += known.tried.get(at).copied().unwrap_or(0);
        }
    }
    let alike = alike(ground, known.repairs);
    let mut best: BTreeMap<Key, Vec<(f64, usize, &Repair)>> = BTreeMap::new();
    for repair in known.repairs {
        let statements = alike.get(&repair.answers).copied().unwrap_or(1);
        let Some(owners) = ground.owners.get(&repair.at) else { continue };
        let mut nearest: BTreeMap<Key, usize> = BTreeMap::new();
        for &index in owners.iter().filter(|index| **index < ground.trace.len()) {
            let at = nearest.entry(ground.subject.statement_key(&ground.trace[index])).or_insert(index);
            if index.abs_diff(ground.parting) < at.abs_diff(ground.parting) {
                *at = index;
            }
        }
        for (key, index) in nearest {
            best.entry(key).or_default().push((score_of(repair, statements), index, repair));
        }
    }
    let mut repaired: Vec<Repaired> = Vec::new();
    for (key, changes) in &mut best {
        changes.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then(a.1.abs_diff(ground.parting).cmp(&b.1.abs_diff(ground.parting)))
        });
        let Some((evidence, at, shown)) = found.get_mut(key) else { continue };
        evidence.fixing = changes.iter().filter(|(.., repair)| repair.worth.fixed == 1.0).count() as u32;
        (evidence.repair, *at, *shown) = (together(changes), changes[0].1, Some(changes[0].2));
        repaired.extend(changes.iter().take(SHOWN).map(|(score, index, repair)| Repaired {
            index: *index,
            statement: ground.subject.statement(&ground.trace[*index]),
            change: repair.change.describe(),
            kind: repair.change.kind().to_owned(),
            worth: repair.worth,
            alike: alike.get(&repair.answers).copied().unwrap_or(1) as u32,
            score: *score,
        }));
    }
    repaired.sort_by(|a, b| b.score.total_cmp(&a.score));
    let scores: Vec<f64> = found.values().map(|(evidence, ..)| score(evidence, known.cases)).collect();
    let greatest = scores.iter().copied().fold(f64::MIN, f64::max);
    let weight = |score: &f64| (SHARP * (score - greatest)).exp();
    let sum: f64 = scores.iter().map(weight).sum();
    let likely: Vec<f64> = scores.iter().map(|score| weight(score) / sum).collect();
    let suspects: Vec<Suspect> = found
        .keys()
        .zip(&likely)
        .flat_map(|(key, &likely)| suspects(ground, *key, best.get(key).map_or(&[], |it| &it[..]), likely))
        .collect();
    let numbers: BTreeMap<Key, usize> =
        found.keys().enumerate().map(|(number, key)| (*key, number)).collect();
    let statements: Vec<usize> =
        ground.trace.iter().map(|decided| numbers[&ground.subject.statement_key(decided)]).collect();
    let mut ranked: Vec<Critical> = found
        .into_values()
        .zip(&likely)
        .map(|((evidence, index, repair), likely)| Critical {
            branch: named(ground.subject, ground.trace, index),
            pair: ground.pair,
            score: *likely,
            reasons: reasons(&evidence, repair),
            evidence,
        })
        .collect();
    // Among equals the one nearest to where the neighbours part, the later one first.
    let near = |critical: &Critical| {
        (critical.branch.index.abs_diff(ground.parting), std::cmp::Reverse(critical.branch.index))
    };
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| near(a).cmp(&near(b))));
    // The named places, and all others where one of the likely statements may hold the fault.
    let mut places: Vec<usize> = ranked.iter().map(|critical| critical.branch.index).collect();
    let mut others: Vec<&Suspect> = suspects.iter().collect();
    others.sort_by(|a, b| b.likely.total_cmp(&a.likely));
    for suspect in others.into_iter().take(LIKELY) {
        places.extend(suspect.places.iter().step_by(suspect.places.len().div_ceil(LIKELY).max(1)));
    }
    if let Some(place) = central(&statements, &suspects, &places) {
        let statement = statements[place];
        if let Some(at) = ranked.iter().position(|critical| statements[critical.branch.index] == statement) {
            let mut first = ranked.remove(at);
            if at > 0 {
                first.reasons.push("the suspected branches lie around it".to_owned());
            }
            first.branch = named(ground.subject, ground.trace, place);
            ranked.insert(0, first);
        }
    }
    (ranked, repaired)
}

/// The fit keeps weights small, and with them what they say; this makes up for it.
const SHARP: f64 = 3.0;
/// Changes that are this much worse than the best one of their statement say nothing about where the fault is.
const NEARLY: f64 = 2.0;
/// So many suspects, and so many places of each, may be named first.
const LIKELY: usize = 16;

/// Where the fault may be if it is at a statement: what a change repairs is where the change is executed; without any change it may be
/// wherever the statement is.
fn suspects(ground: &Ground<'_>, key: Key, changes: &[(f64, usize, &Repair)], likely: f64) -> Vec<Suspect> {
    let is_here = |index: &usize| {
        ground.trace.get(*index).is_some_and(|decided| ground.subject.statement_key(decided) == key)
    };
    let Some((greatest, ..)) = changes.first() else {
        return vec![Suspect { places: (0..ground.trace.len()).filter(is_here).collect(), likely }];
    };
    let mut weights: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
    for (score, _, repair) in changes.iter().filter(|(score, ..)| *score > greatest - NEARLY) {
        let own = ground.owners.get(&repair.at).into_iter().flatten().copied();
        let weight = weights.entry(own.filter(is_here).collect()).or_default();
        *weight = weight.max((score - greatest).exp());
    }
    let sum: f64 = weights.values().sum();
    weights.into_iter().map(|(places, weight)| Suspect { places, likely: likely * weight / sum }).collect()
}

/// For the answers of each judged change the number of statements at which some change has the same: what can be had in many places
/// is less likely the repair.
fn alike(ground: &Ground<'_>, repairs: &[Repair]) -> BTreeMap<u64, usize> {
    let mut statements: BTreeMap<u64, BTreeSet<Key>> = BTreeMap::new();
    for repair in repairs.iter().filter(|repair| repair.worth.general > 0.0) {
        let owners = ground.owners.get(&repair.at).into_iter().flatten();
        let own = owners.filter(|index| **index < ground.trace.len());
        let keys = own.map(|index| ground.subject.statement_key(&ground.trace[*index]));
        statements.entry(repair.answers).or_default().extend(keys);
    }
    statements.into_iter().map(|(answers, keys)| (answers, keys.len())).collect()
}

/// How much a change speaks for a fault at its place, as a logarithm: it should make every violated case hold, harm no passing one and,
/// above all, suit fresh cases of all relations, without making their results alike or their runs longer or shorter.
///
/// The weights here and in [`score`] were fitted together (a logistic choice among the branch statements of a trace) on mutants of the
/// development half of the study's programs; the book tells how.
fn score_of(repair: &Repair, statements: usize) -> f64 {
    let worth = &repair.worth;
    let judged = worth.general > 0.0;
    let whole = worth.general == 1.0 && worth.fixed == 1.0 && worth.harmless == 1.0;
    let ln = |share: f64, least: f64| share.max(least).ln();
    let fresh = if judged {
        1.2 * ln(worth.distinct, 0.1)
            + 0.8 * worth.distinct
            + 0.2 * ln(worth.general, 0.05)
            + 0.4 * ln(worth.fresh_fixed, 0.05)
            + 0.2 * worth.fresh_kept
            + 0.5 * worth.covered
            + if worth.covered == 1.0 { 0.9 } else { 0.0 }
            - 0.55 * (statements.max(1) as f64).ln()
    } else {
        0.0
    };
    let kind = match repair.change {
        Change::Operator(_) => 0.95,
        Change::Offset(_) | Change::Both { .. } => 0.65,
        Change::From(_) => 0.25,
        Change::Always(_) => 0.2,
        Change::Right(_) => 0.1,
        Change::Nothing | Change::Negate | Change::Switch(_) | Change::Skip => 0.0,
        Change::Result(_) => -0.35,
        Change::Assign { .. } => -0.75,
        Change::Number(_) => -0.8,
    };
    let all =
        if whole { 0.95 + 1.2 * worth.covered + 0.85 * worth.kept + 0.75 * worth.one_sided } else { 0.0 };
    fresh
        + kind
        + all
        + 0.3 * ln(worth.fixed * worth.harmless, 0.01)
        + 0.3 * worth.same_work
        + 0.15 * worth.one_sided
        + 0.45 * worth.kept
        + if worth.kept == 1.0 { 0.25 } else { 0.0 }
}

/// Several good changes at one place say a little more than one.
fn together(changes: &[(f64, usize, &Repair)]) -> f64 {
    const WEIGHT: f64 = 10.0;
    let best = changes[0].0;
    best + changes.iter().map(|(score, ..)| (WEIGHT * (score - best)).exp()).sum::<f64>().ln() / WEIGHT
}

/// How likely the fault is at a branch, as a logarithm. What a change repairs speaks the louder, the more violated cases it had to
/// repair; with one case, many changes do, and where the neighbours part says more. A place where many changes repair
/// rather hides the fault than holds it.
fn score(evidence: &Evidence, violated: usize) -> f64 {
    // Ten violated cases leave the neighbours little to say; one leaves them everything.
    let trust = (violated as f64 / 10.0).min(1.0);
    let (tried, fixing) = (f64::from(evidence.tried), f64::from(evidence.fixing));
    let changes = evidence.repair + 0.35 * (1.0 + tried).ln()
        - 0.1 * (1.0 + fixing).ln()
        - 0.2 * fixing / tried.max(1.0);
    (0.3 + 0.7 * trust) * changes
        + 6.0 * (1.0 - trust) * evidence.partings
        + 0.55 * evidence.switched
        + 0.2 * evidence.spectrum
        - if evidence.only_failing { 0.15 } else { 0.0 }
        + if evidence.parting { 0.3 } else { 0.0 }
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
        reasons.push("here the violating and the passing runs diverge".to_owned());
    } else if evidence.partings > 0.0 {
        reasons.push(format!("{:.0} % of the pairs of neighbours diverge here", 100.0 * evidence.partings));
    }
    if let Some(repair) = repair {
        let fixed = if repair.worth.fixed == 1.0 {
            "every violated case hold".to_owned()
        } else {
            format!("{:.0} % of the violated cases hold", 100.0 * repair.worth.fixed)
        };
        let harm = if repair.worth.harmless == 1.0 {
            "harms no passing one".to_owned()
        } else {
            format!("leaves {:.0} % of the passing ones", 100.0 * repair.worth.harmless)
        };
        reasons.push(format!("{} makes {fixed} and {harm}", repair.change.describe()));
    }
    if evidence.switched > 0.0 {
        reasons.push(format!(
            "one decision the other way makes {:.0} % of the violated cases hold",
            100.0 * evidence.switched
        ));
    }
    if evidence.only_failing {
        reasons.push("every violated case takes it this way and no passing one".to_owned());
    }
    reasons
}
