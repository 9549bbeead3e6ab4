//! Judges all groups of an array, and finds for each violation the smallest combination of values that suffices for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value as Json, json};
use twinrun_base::finding::Finding;
use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::{Hash, Report, Verdict};
use twinrun_combine::groups::{Group, Test, fresh_groups};
use twinrun_combine::{Model, failing_combinations, writers};

use super::runner::{Judged, Runner};
use crate::error::Error;

/// What running an array gave.
pub(crate) struct Outcome {
    /// How the groups of each relation ended.
    pub(crate) counts: Vec<Counts>,
    /// Groups that ended badly, the first of each relation and verdict with its combination.
    pub(crate) failures: Vec<Failure>,
    /// Groups whose runs were given something else than the rows say, or do not tell.
    pub(crate) unconfirmed: usize,
    /// Seconds that the runs took.
    pub(crate) seconds: f64,
}

/// Groups of one relation that ended alike.
pub(crate) struct Failure {
    relation: usize,
    tests: Vec<usize>,
    judged: Judged,
    /// How many groups ended so.
    seen: u64,
    combinations: Vec<Sufficient>,
}

/// A combination of values of one run that no passing test has.
pub(crate) struct Sufficient {
    run: usize,
    values: Vec<(usize, usize)>,
    /// Fresh groups with it that ended the same way, of how many.
    repeated: (usize, usize),
}

impl Sufficient {
    /// Every fresh group ended the same way.
    fn always(&self) -> bool {
        self.repeated.1 > 0 && self.repeated.0 == self.repeated.1
    }
}

/// Fresh groups that confirm one combination, and combinations that are tried for one failure.
const FRESH: usize = 8;
const TRIED: usize = 6;
/// How often what fresh groups showed is used to look for smaller or other combinations.
const ROUNDS: u64 = 6;

/// Runs all groups.
pub(crate) fn judge(
    model: &Model,
    tests: &[Test],
    groups: &[Group],
    runner: &mut Runner<'_>,
    seed: u64,
) -> Result<Outcome, Error> {
    let began = std::time::Instant::now();
    let mut outcome = Outcome {
        counts: vec![Counts::default(); model.relations.len()],
        failures: Vec::new(),
        unconfirmed: 0,
        seconds: 0.0,
    };
    // For each relation and run, the rows of groups that hold.
    let mut passed: BTreeMap<(usize, usize), Vec<Vec<usize>>> = BTreeMap::new();
    for group in groups {
        let members: Vec<&Test> = group.tests.iter().map(|&test| &tests[test]).collect();
        let judged = runner.run(model, group.relation, &members)?;
        let verdict = judged.group.verdict;
        outcome.counts[group.relation].add(verdict);
        outcome.unconfirmed += usize::from(judged.confirmed != Some(true));
        if verdict == Verdict::Holds {
            for (run, test) in members.iter().enumerate() {
                passed.entry((group.relation, run)).or_default().push(test.row.clone());
            }
        }
        if matches!(verdict, Verdict::Violated | Verdict::Crashed | Verdict::Timeout) {
            let known = outcome
                .failures
                .iter_mut()
                .find(|own| own.relation == group.relation && own.judged.group.verdict == verdict);
            match known {
                Some(own) => own.seen += 1,
                None => outcome.failures.push(Failure {
                    relation: group.relation,
                    tests: group.tests.clone(),
                    judged,
                    seen: 1,
                    combinations: Vec::new(),
                }),
            }
        }
    }
    let failures = std::mem::take(&mut outcome.failures);
    for mut failure in failures {
        failure.combinations = sufficient(model, &failure, tests, &passed, runner, seed)?;
        outcome.failures.push(failure);
    }
    outcome.seconds = began.elapsed().as_secs_f64();
    Ok(outcome)
}

/// The smallest combinations of a run's values that suffice for a failure, as far as can be told. Groups that hold leave
/// many combinations; fresh groups with each of them tell which of them suffices, and those that hold leave fewer.
fn sufficient(
    model: &Model,
    failure: &Failure,
    tests: &[Test],
    passed: &BTreeMap<(usize, usize), Vec<Vec<usize>>>,
    runner: &mut Runner<'_>,
    seed: u64,
) -> Result<Vec<Sufficient>, Error> {
    let wrong = |error: twinrun_combine::Error| Error::Usage(error.to_string());
    let mut found: Vec<Sufficient> = Vec::new();
    for (run, &test) in failure.tests.iter().enumerate().take(2) {
        let mut passed = passed.get(&(failure.relation, run)).cloned().unwrap_or_default();
        for round in 0..ROUNDS {
            // Combinations of values that vary at all.
            let varies = |&(parameter, _): &(usize, usize)| model.parameters[parameter].values.len() > 1;
            let mut combinations = failing_combinations(&tests[test].row, &passed);
            combinations.retain(|values| values.iter().all(varies));
            let mut tried: Vec<Sufficient> = Vec::new();
            for values in combinations.into_iter().take(TRIED) {
                let fresh = fresh_groups(model, failure.relation, run, &values, FRESH, seed + 1 + round);
                let mut repeated = (0, 0);
                for members in fresh.map_err(wrong)? {
                    let members: Vec<&Test> = members.iter().collect();
                    let judged = runner.run(model, failure.relation, &members)?;
                    repeated.0 += usize::from(judged.group.verdict == failure.judged.group.verdict);
                    repeated.1 += 1;
                    if judged.group.verdict == Verdict::Holds {
                        passed.push(members[run].row.clone());
                    }
                }
                tried.push(Sufficient { run, values, repeated });
            }
            let done = tried.is_empty() || tried.iter().any(Sufficient::always);
            found.extend(tried);
            if done {
                break;
            }
        }
    }
    let share = |it: &Sufficient| it.repeated.0 * 1000 / it.repeated.1.max(1);
    found.sort_by_key(|it| (std::cmp::Reverse(share(it)), it.values.len(), it.run, it.values.clone()));
    // What always fails makes what sometimes fails superfluous.
    if found.iter().any(Sufficient::always) {
        found.retain(Sufficient::always);
        let least = found.iter().map(|it| it.values.len()).min().unwrap_or(0);
        found.retain(|it| it.values.len() == least);
    }
    found.truncate(3);
    Ok(found)
}

/// The outcome in words.
pub(crate) fn human(model: &Model, outcome: &Outcome) -> String {
    let mut all = Counts::default();
    outcome.counts.iter().for_each(|counts| all.merge(counts));
    let mut text = format!(
        "ran {} groups: {} hold, {} violated, {} crashed, {} timed out, {} discarded\n",
        all.total(),
        all.holds,
        all.violated,
        all.crashed,
        all.timeout,
        all.discarded
    );
    if outcome.unconfirmed > 0 {
        let _ = writeln!(
            text,
            "{} groups ran on inputs that differ from their rows, or whose relation does not name the inputs of its runs (GIVEN)",
            outcome.unconfirmed
        );
    }
    for failure in &outcome.failures {
        let name = &model.relations[failure.relation].name;
        let numbers: Vec<String> = failure.tests.iter().map(|test| (test + 1).to_string()).collect();
        let group = &failure.judged.group;
        let _ = writeln!(
            text,
            "\n{}: {name}, {} group(s), first with tests {}",
            group.verdict,
            failure.seen,
            numbers.join(" and ")
        );
        for (number, run) in group.runs.iter().enumerate() {
            let shown = |(name, value): &(String, twinrun_base::Value)| format!("{name} = {value}");
            let given: Vec<String> = run.given.iter().map(shown).collect();
            let outputs: Vec<String> = run.outputs.iter().map(shown).collect();
            let program = run.program.as_ref().map(|program| {
                format!("{:?}", String::from_utf8_lossy(&program.stdout).trim_end().to_owned())
            });
            let gave = outputs.into_iter().chain(program).collect::<Vec<_>>().join(", ");
            let arrow = if gave.is_empty() { "" } else { " gave " };
            let _ = writeln!(text, "  run {}: {}{arrow}{gave}", number + 1, given.join(", "));
        }
        if let Some(check) = &group.check {
            let _ = writeln!(text, "  failed: {} ({} and {})", check.text, check.left, check.right);
        }
        for it in &failure.combinations {
            let run = &model.relations[failure.relation].runs[it.run];
            let _ = writeln!(
                text,
                "  suffices in the {run}: {} ({} of {} further groups with it end the same way)",
                combination(model, &it.values),
                it.repeated.0,
                it.repeated.1
            );
        }
    }
    text
}

fn combination(model: &Model, values: &[(usize, usize)]) -> String {
    let part = |&(parameter, value): &(usize, usize)| writers::dead_text(model, parameter, value);
    values.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The outcome as JSON.
pub(crate) fn to_json(model: &Model, outcome: &Outcome) -> Json {
    let failure = |failure: &Failure| {
        json!({
            "relation": model.relations[failure.relation].name,
            "verdict": failure.judged.group.verdict,
            "groups": failure.seen,
            "tests": failure.tests,
            "group": failure.judged.group,
            "suffices": failure.combinations.iter().map(|it| json!({
                "run": model.relations[failure.relation].runs[it.run],
                "values": it.values.iter().map(|&(p, v)| json!({
                    "parameter": model.parameters[p].name, "value": model.parameters[p].values[v].label
                })).collect::<Json>(),
                "further_groups": it.repeated.1,
                "ended_alike": it.repeated.0,
            })).collect::<Json>(),
        })
    };
    json!({
        "relations": model.relations.iter().zip(&outcome.counts).map(|(relation, counts)| json!({
            "relation": relation.name, "counts": counts
        })).collect::<Json>(),
        "unconfirmed": outcome.unconfirmed,
        "seconds": outcome.seconds,
        "failures": outcome.failures.iter().map(failure).collect::<Json>(),
    })
}

/// The outcome as a report, for the formats of other tools.
pub(crate) fn report(model: &Model, subject: &str, outcome: &Outcome, seed: u64) -> Report {
    let summary = |(relation, counts): (&twinrun_combine::groups::Relation, &Counts)| RelationSummary {
        subject: subject.to_owned(),
        relation: relation.name.clone(),
        counts: *counts,
        ..RelationSummary::default()
    };
    let finding = |failure: &Failure| {
        let relation = &model.relations[failure.relation].name;
        let group = &failure.judged.group;
        Finding {
            fingerprint: Hash::of([subject, relation, &group.verdict.to_string(), "combine"]),
            subject: subject.to_owned(),
            relation: relation.clone(),
            verdict: group.verdict,
            group: group.clone(),
            found: group.case.clone(),
            seen: failure.seen,
            shrinks: 0,
            dependent_runs: false,
            checked_build: false,
            saved: None,
            suspects: Vec::new(),
            critical: None,
            fails_when: None,
            repairs: Vec::new(),
            unsaid: Vec::new(),
            relation_location: None,
        }
    };
    Report {
        command: "combine".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        // A relation without groups has nothing to say here.
        relations: model
            .relations
            .iter()
            .zip(&outcome.counts)
            .filter(|(_, counts)| counts.total() > 0)
            .map(summary)
            .collect(),
        findings: outcome.failures.iter().map(finding).collect(),
        notices: Vec::new(),
        cut: None,
    }
}
