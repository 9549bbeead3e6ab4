//! From the evidence of one fault to the EXAM of every method, and to what each cause of a shortfall costs.

use twinrun_localize::evidence::{Evidence, GroupRecord};
use twinrun_localize::formulas::{Counts, formula};
use twinrun_localize::measures::exam;
use twinrun_localize::method::{Method, Runs, Unit, counts, scores, scores_of};
use twinrun_localize::ranking::{Ranking, Ties};

use crate::judge::{Outcome, State, Trial};
use crate::methods::{Judge, all};
use crate::program::Fault;

/// One fault with its figures.
pub(crate) struct Judged {
    pub(crate) fault: Fault,
    pub(crate) hand: bool,
    pub(crate) state: State,
    /// Some group is violated.
    pub(crate) detected: bool,
    /// For each method of [`all`] the rank of the first faulty line and the EXAM.
    pub(crate) ranks: Vec<(f64, f64)>,
    pub(crate) causes: Causes,
}

/// EXAM of the published method (Ochiai) as one cause after another is taken away by an oracle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Causes {
    /// As it is.
    pub(crate) plain: f64,
    /// Groups that hold although a run fails are left out: no coincidental satisfaction.
    pub(crate) without_coincidence: f64,
    /// Also, only failing runs count in violated groups: no blurring by the union.
    pub(crate) without_blur: f64,
    /// As it is, with the faulty line first among its equals: no ties.
    pub(crate) without_ties: f64,
}

impl Judged {
    pub(crate) fn new(trial: &Trial, outcome: &Outcome) -> Judged {
        let killed = outcome.state == State::Killed;
        let detected = killed && outcome.evidence.violations() > 0;
        let ranks = if killed { ranks(outcome, detected) } else { Vec::new() };
        Judged {
            fault: trial.fault.clone(),
            hand: trial.fault.hand,
            state: outcome.state,
            detected,
            ranks,
            causes: if detected { causes(outcome) } else { Causes::default() },
        }
    }
}

fn rank_of(evidence: &Evidence, outcome: &Outcome, method: &Method, ties: Ties) -> (f64, f64) {
    let ranking = Ranking { order: Vec::new(), scores: scores(evidence, &outcome.mended, method) };
    let lines = ranking.scores.len();
    let rank = ranking.rank(&outcome.wanted, ties).unwrap_or(lines as f64);
    (rank, exam(rank, lines))
}

fn ranks(outcome: &Outcome, detected: bool) -> Vec<(f64, f64)> {
    let tests: Vec<(Judge, Evidence)> = [Judge::SourceTests, Judge::FollowUpTests, Judge::AllTests]
        .into_iter()
        .map(|judge| (judge, oracle(outcome, judge)))
        .collect();
    let all_lines = outcome.evidence.lines.lines.len() as f64;
    // Most methods share their counts.
    let mut known: Vec<(Key, Vec<Counts>)> = Vec::new();
    all()
        .iter()
        .map(|named| {
            let oracle = tests.iter().find(|(judge, _)| *judge == named.judge).map(|(_, evidence)| evidence);
            let evidence = oracle.unwrap_or(&outcome.evidence);
            // Where no test of this kind fails, an oracle is as helpless as a relation that holds.
            if evidence.violations() == 0 || (oracle.is_none() && !detected) {
                return (all_lines, 1.0);
            }
            let Method { unit, near, demanding, runs, .. } = named.method;
            let formula = (runs == Runs::Likely).then_some(named.method.formula.name);
            let key = (named.judge, unit, near, demanding, formula);
            let place = known.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
                known.push((key, counts(evidence, &named.method)));
                known.len() - 1
            });
            let scores = scores_of(evidence, &known[place].1, &outcome.mended, &named.method);
            let ranking = Ranking { order: Vec::new(), scores };
            let rank = ranking.rank(&outcome.wanted, Ties::Average).unwrap_or(all_lines);
            (rank, exam(rank, all_lines as usize))
        })
        .collect()
}

/// What counts depend on.
type Key = (Judge, Unit, bool, bool, Option<&'static str>);

/// Every run as a test of its own, judged by the correct version.
fn oracle(outcome: &Outcome, judge: Judge) -> Evidence {
    let mut evidence = outcome.evidence.clone();
    evidence.groups.clear();
    let drawn = outcome.evidence.groups.iter().filter(|group| !group.near);
    for (group, failed) in drawn.zip(&outcome.failed) {
        for (index, (run, failed)) in group.runs.iter().zip(failed).enumerate() {
            let wanted = match judge {
                Judge::SourceTests => index == 0,
                Judge::FollowUpTests => index > 0,
                _ => true,
            };
            if wanted {
                let runs = vec![*run];
                evidence.groups.push(GroupRecord {
                    relation: group.relation,
                    violated: *failed,
                    near: false,
                    runs,
                });
            }
        }
    }
    evidence
}

fn causes(outcome: &Outcome) -> Causes {
    let Some(formula) = formula("ochiai") else { return Causes::default() };
    let method = Method::published(formula);
    let mut evidence = outcome.evidence.clone();
    let groups: Vec<GroupRecord> = evidence.groups.iter().filter(|group| !group.near).cloned().collect();
    let plain = rank_of(&evidence, outcome, &method, Ties::Average).1;
    let without_ties = rank_of(&evidence, outcome, &method, Ties::Best).1;
    let honest = groups.iter().zip(&outcome.failed);
    let honest: Vec<(GroupRecord, &Vec<bool>)> = honest
        .filter(|(group, failed)| group.violated || !failed.contains(&true))
        .map(|(group, failed)| (group.clone(), failed))
        .collect();
    evidence.groups = honest.iter().map(|(group, _)| group.clone()).collect();
    let without_coincidence = rank_of(&evidence, outcome, &method, Ties::Average).1;
    evidence.groups = honest
        .into_iter()
        .map(|(mut group, failed)| {
            if group.violated && failed.contains(&true) {
                let runs = group.runs.iter().zip(failed).filter(|(_, failed)| **failed).map(|(run, _)| *run);
                group.runs = runs.collect();
            }
            group
        })
        .collect();
    let without_blur = rank_of(&evidence, outcome, &method, Ties::Average).1;
    Causes { plain, without_coincidence, without_blur, without_ties }
}
