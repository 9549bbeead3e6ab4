//! Runs all methods on a subject and sums up.

use twinrun_combine::groups::{Group, Test, matches};
use twinrun_results::Results;

use crate::Options;
use crate::features::{Feature, correlations, features};
use crate::methods::{CONCRETISED, METHODS, OURS, PLAIN, PUBLISHED, make, plain};
use crate::subject::{Subject, numeric, run};

/// Means over the repetitions of one method on one subject at one strength.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub tests: f64,
    pub groups: f64,
    /// Mutants with a violated group.
    pub faults: f64,
    /// Mutants whose output differs on some test.
    pub oracle: f64,
    /// Tests in no group.
    pub lonely: f64,
    /// CPU seconds of generation.
    pub seconds: f64,
    pub solved: f64,
    pub given_up: f64,
}

/// Sums over subjects and strengths.
#[derive(Default)]
pub(crate) struct Study {
    subjects: usize,
    mutants: usize,
    sums: Vec<Vec<Cell>>,
    slowest: f64,
    slowest_published: f64,
    false_alarms: Vec<String>,
    features: Vec<Feature>,
}

impl Study {
    pub(crate) fn run(&mut self, subject: &Subject, options: &Options, results: &mut Results) {
        self.subjects += 1;
        self.mutants += subject.mutants.len();
        self.sums.resize(options.strengths.len(), vec![Cell::default(); METHODS.len()]);
        let mut own = features(subject);
        for (at, &strength) in options.strengths.iter().enumerate() {
            if strength > subject.model.parameters.len() {
                continue;
            }
            let mut cells = vec![Cell::default(); METHODS.len()];
            for seed in 1..=options.repetitions {
                self.repeat(subject, strength, seed, &mut cells, &mut own);
            }
            for (sum, cell) in self.sums[at].iter_mut().zip(&mut cells) {
                scale(cell, 1.0 / options.repetitions as f64);
                add(sum, cell);
            }
            let row = crate::row(&subject.name, strength, subject.mutants.len(), &cells);
            println!("{row}");
            results.row(&row);
        }
        self.features.extend(own);
    }

    fn repeat(
        &mut self,
        subject: &Subject,
        strength: usize,
        seed: u64,
        cells: &mut [Cell],
        own: &mut [Feature],
    ) {
        let model = &subject.model;
        let rows = plain(model, strength, seed);
        // All methods' tests go through one process a mutant.
        let mut tests: Vec<Test> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut parts: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> = Vec::new();
        for (method, cell) in cells.iter_mut().enumerate() {
            let made = make(method, model, strength, seed, &rows);
            let found = matches(model, &made.stage.tests);
            let mut grouped = vec![false; made.stage.tests.len()];
            found.iter().for_each(|group| group.tests.iter().for_each(|&test| grouped[test] = true));
            cell.tests += made.stage.tests.len() as f64;
            cell.groups += found.len() as f64;
            cell.lonely += grouped.iter().filter(|grouped| !**grouped).count() as f64;
            cell.seconds += made.seconds.0 + made.seconds.1;
            cell.solved += made.stage.solved as f64;
            cell.given_up += made.stage.given_up as f64;
            if method == OURS {
                self.slowest = self.slowest.max(made.seconds.0 + made.seconds.1);
                found.iter().for_each(|group| own[group.relation].groups += 1.0);
            } else if method == PUBLISHED {
                self.slowest_published = self.slowest_published.max(made.seconds.0 + made.seconds.1);
            }
            let (first_test, first_group) = (tests.len(), groups.len());
            groups.extend(found.into_iter().filter(|group| group.tests.len() == 2).map(|mut group| {
                group.tests.iter_mut().for_each(|test| *test += first_test);
                group
            }));
            tests.extend(made.stage.tests);
            parts.push((first_test..tests.len(), first_group..groups.len()));
        }
        assert!(numeric(&tests), "{}: every value is a number", subject.name);
        let Some(expected) = run(&subject.original, &tests, &groups) else { return };
        if let Some(at) = expected.verdicts.iter().position(|verdict| *verdict == 1) {
            let name = &model.relations[groups[at].relation].name;
            let show =
                |test: usize| tests[test].values().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let alarm = format!(
                "{} / {name}: {} -> {}",
                subject.name,
                show(groups[at].tests[0]),
                show(groups[at].tests[1])
            );
            eprintln!("the original violates {alarm}");
            self.false_alarms.push(alarm);
        }
        for mutant in &subject.mutants {
            let Some(outcome) = run(mutant, &tests, &groups) else { continue };
            for ((own_tests, own_groups), cell) in parts.iter().zip(cells.iter_mut()) {
                let differs = own_tests
                    .clone()
                    .any(|at| outcome.digests[at] != 0 && outcome.digests[at] != expected.digests[at]);
                cell.oracle += f64::from(u8::from(differs));
                cell.faults += f64::from(u8::from(outcome.verdicts[own_groups.clone()].contains(&1)));
            }
            let ours = parts[OURS].1.clone();
            for (relation, feature) in own.iter_mut().enumerate() {
                let violated =
                    ours.clone().any(|at| groups[at].relation == relation && outcome.verdicts[at] == 1);
                feature.faults += f64::from(u8::from(violated));
            }
        }
    }

    pub(crate) fn totals(&self, results: &mut Results, options: &Options) {
        let sum = |method: usize, value: fn(&Cell) -> f64| {
            self.sums.iter().map(|cells| value(&cells[method])).sum::<f64>()
        };
        let ratio = |a: usize, b: usize, value: fn(&Cell) -> f64| sum(a, value) / sum(b, value).max(1e-9);
        results.total("subjects", self.subjects);
        results.total("mutants", self.mutants);
        results.total("repetitions", options.repetitions);
        results.total("tests_vs_plain", ratio(OURS, PLAIN, |cell| cell.tests));
        results.total("tests_vs_published", ratio(OURS, PUBLISHED, |cell| cell.tests));
        results.total("groups_vs_plain_concretised", ratio(OURS, CONCRETISED, |cell| cell.groups));
        results.total("groups_vs_published", ratio(OURS, PUBLISHED, |cell| cell.groups));
        results.total("faults_vs_published", ratio(OURS, PUBLISHED, |cell| cell.faults));
        results.total(
            "oracle_share_pct",
            100.0 * sum(OURS, |cell| cell.faults) / sum(OURS, |cell| cell.oracle).max(1e-9),
        );
        results.total("max_generation_seconds", self.slowest);
        results.total("max_generation_seconds_published_method", self.slowest_published);
        results.total("false_alarms", self.false_alarms.len());
        for (strength, cells) in options.strengths.iter().zip(&self.sums) {
            for (method, cell) in METHODS.iter().zip(cells) {
                results.notes.push(format!(
                    "Strength {strength}, {method}: {:.1} tests, {:.1} groups, {:.1} tests in no group, {:.1} faults, {:.1} with a perfect oracle, {:.2} s of CPU.",
                    cell.tests, cell.groups, cell.lonely, cell.faults, cell.oracle, cell.seconds
                ));
            }
        }
        results.notes.push(correlations(&self.features));
        results.notes.push(
            "Totals are ratios of sums over subjects and strengths, means over repetitions. Groups are found by one matcher among each \
             method's tests; a fault is detected when some group of it is violated; crashes and time-outs do not count, and mutants \
             that crash, hang or never differ on the reference tests are left out."
                .to_owned(),
        );
    }
}

fn scale(cell: &mut Cell, factor: f64) {
    for value in values(cell) {
        *value *= factor;
    }
}

fn add(sum: &mut Cell, cell: &mut Cell) {
    for (sum, value) in values(sum).into_iter().zip(values(cell)) {
        *sum += *value;
    }
}

fn values(cell: &mut Cell) -> [&mut f64; 8] {
    let Cell { tests, groups, faults, oracle, lonely, seconds, solved, given_up } = cell;
    [tests, groups, faults, oracle, lonely, seconds, solved, given_up]
}
