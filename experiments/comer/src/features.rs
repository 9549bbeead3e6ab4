//! Features of relations: how easily their sources, follow-ups and output rules are satisfied, estimated from random tests.

use serde::{Deserialize, Serialize};
use twinrun_combine::Random;
use twinrun_combine::groups::{Group, Test, concretise, matches};
use twinrun_combine::random_rows;

use crate::subject::{Subject, run};

/// One relation of one subject.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Feature {
    /// Share of random tests that have a follow-up among many.
    pub source: f64,
    /// Share of pairs that match among those whose source matches anything.
    pub follow: f64,
    /// Share of random pairs whose outputs satisfy the output rule although nothing relates them.
    pub output: f64,
}

/// Estimates from random tests.
pub(crate) fn features(subject: &Subject) -> Vec<Feature> {
    let rows = random_rows(&subject.model, 300, 7).unwrap_or_default();
    let planned = twinrun_combine::groups::plan(&subject.model, &rows).unwrap_or_default();
    let tests: Vec<Test> = concretise(&subject.model, &rows, &planned, &mut Random::new(7)).tests;
    let found = matches(&subject.model, &tests);
    let mut random = Random::new(8);
    (0..subject.model.relations.len())
        .map(|relation| {
            let own: Vec<&Group> = found.iter().filter(|group| group.relation == relation).collect();
            let mut sources: Vec<usize> = own.iter().map(|group| group.tests[0]).collect();
            sources.sort_unstable();
            sources.dedup();
            let pairs: Vec<Group> = (0..500)
                .map(|_| Group {
                    relation,
                    tests: vec![random.below(tests.len()), random.below(tests.len())],
                })
                .collect();
            let outcome = run(subject.reference(), &tests, &pairs);
            let held =
                outcome.map_or(0, |outcome| outcome.verdicts.iter().filter(|verdict| **verdict == 0).count());
            Feature {
                source: sources.len() as f64 / tests.len().max(1) as f64,
                follow: own.len() as f64 / (sources.len() * tests.len()).max(1) as f64,
                output: held as f64 / 500.0,
            }
        })
        .collect()
}
