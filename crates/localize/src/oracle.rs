//! With a reference version at hand: which runs fail, and how an oracle would have ranked.
//!
//! The three oracle scenarios are those of the published study: every source run, every follow-up run, or every run is one
//! test, failed where the reference answers differently.

use twinrun_base::{Case, Group, Run};
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::target::{Build, Target};

use crate::evidence::{Evidence, GroupRecord};
use crate::method::{Method, Unit, scores};
use crate::ranking::{Ranking, Ties};
use crate::report::{Against, Scenario};

/// Which runs of some groups fail: for each group and run, whether the reference answers differently; `None` where the two
/// were asked different things, because a follow-up depends on the answer of the source, or where nothing is recorded.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// By group of the evidence, then by run.
    pub failed: Vec<Vec<Option<bool>>>,
}

/// Runs groups of one relation on both versions.
///
/// # Errors
/// When an engine cannot answer.
pub fn compare(
    subject: &dyn Target,
    reference: &dyn Target,
    cases: &[&Case],
) -> Result<Vec<Vec<Option<bool>>>, ExecuteError> {
    let (Some(mut subject), Some(mut reference)) =
        (subject.executor(Build::Plain)?, reference.executor(Build::Plain)?)
    else {
        return Ok(Vec::new());
    };
    let mut failed = Vec::new();
    for case in cases {
        let (mine, theirs) = (subject.explain(case)?.group, reference.explain(case)?.group);
        failed.push(runs(&mine, &theirs));
    }
    Ok(failed)
}

fn runs(mine: &Group, theirs: &Group) -> Vec<Option<bool>> {
    mine.runs.iter().enumerate().map(|(index, run)| differs(run, theirs.runs.get(index)?)).collect()
}

fn differs(mine: &Run, theirs: &Run) -> Option<bool> {
    match (&mine.program, &theirs.program) {
        (Some(mine), Some(theirs)) => (mine.arguments == theirs.arguments && mine.stdin == theirs.stdin)
            .then(|| (mine.exit, &mine.stdout) != (theirs.exit, &theirs.stdout)),
        _ if mine.outputs.is_empty() && theirs.outputs.is_empty() => None,
        _ => (mine.given == theirs.given).then(|| mine.outputs != theirs.outputs),
    }
}

/// The tests of one scenario as evidence: each run by itself, from the groups that were compared.
pub fn tests(evidence: &Evidence, compared: &Compared, wanted: impl Fn(usize) -> bool) -> Evidence {
    let mut tests = Evidence::new(evidence.lines.clone(), evidence.relations.clone());
    tests.slices.clone_from(&evidence.slices);
    for (group, failed) in evidence.groups.iter().zip(&compared.failed) {
        for (index, (run, failed)) in group.runs.iter().zip(failed).enumerate() {
            if let (true, Some(failed)) = (wanted(index), failed) {
                let runs = vec![*run];
                let record = GroupRecord { relation: group.relation, violated: *failed, near: false, runs };
                tests.groups.push(record);
            }
        }
    }
    tests
}

/// What the reference says of a ranking. `faults` are the faulty lines, where they are known.
pub fn against(
    reference: &str,
    evidence: &Evidence,
    compared: &Compared,
    ours: &Ranking,
    (method, ties): (&Method, Ties),
    faults: &[usize],
) -> Against {
    let judged: Vec<&Option<bool>> = compared.failed.iter().flatten().collect();
    let coincidental = evidence.groups.iter().zip(&compared.failed);
    let coincidental =
        coincidental.filter(|(group, failed)| !group.violated && failed.contains(&Some(true))).count();
    let plain = Method { unit: Unit::Line, ..Method::published(method.formula) };
    let mut scenarios = vec![Scenario::of("relations, without an oracle", ours, faults, ties)];
    type Kind = (&'static str, fn(usize) -> bool);
    let kinds: [Kind; 3] = [
        ("oracle on source runs", |run| run == 0),
        ("oracle on follow-up runs", |run| run > 0),
        ("oracle on all runs", |_| true),
    ];
    for (name, wanted) in kinds {
        let tests = tests(evidence, compared, wanted);
        let ranking = Ranking::of(scores(&tests, &[], &plain));
        let mut scenario = Scenario::of(name, &ranking, faults, ties);
        if tests.violations() == 0 {
            (scenario.rank, scenario.exam) = (None, None);
        }
        scenarios.push(scenario);
    }
    Against {
        reference: reference.to_owned(),
        runs: judged.iter().filter(|it| it.is_some()).count(),
        failed: judged.iter().filter(|it| ***it == Some(true)).count(),
        coincidental,
        faults: faults.iter().map(|line| evidence.lines.lines[*line].location.clone()).collect(),
        scenarios,
    }
}

/// The lines of `mine` that are not in `theirs`, from 1: what lies between the common beginning and the common end. Where
/// something is only missing, the lines on both sides of the gap.
pub fn changed_lines(mine: &str, theirs: &str) -> Vec<u32> {
    let (mine, theirs): (Vec<&str>, Vec<&str>) = (mine.lines().collect(), theirs.lines().collect());
    let begin = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    if begin == mine.len() && begin == theirs.len() {
        return Vec::new();
    }
    let most = mine.len().min(theirs.len()) - begin;
    let end = mine.iter().rev().zip(theirs.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (first, last) = (begin as u32 + 1, (mine.len() - end) as u32);
    if first <= last { (first..=last).collect() } else { vec![last.max(1), first] }
}

#[cfg(test)]
mod tests_of_lines {
    use super::changed_lines;

    #[test]
    fn changed_lines_lie_between_the_common_ends() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nb\nc\n"), [0u32; 0]);
        assert_eq!(changed_lines("a\nX\nc\n", "a\nb\nc\n"), [2]);
        assert_eq!(changed_lines("a\nc\n", "a\nb\nc\n"), [1, 2]);
        assert_eq!(changed_lines("a\nb\nb\nc\n", "a\nb\nc\n"), [3]);
    }
}
