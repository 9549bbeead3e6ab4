//! Features of relations (how hard their sources, follow-ups and output rules are to satisfy) and their rank
//! correlation with the groups and faults that a relation brings.

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
    pub groups: f64,
    pub faults: f64,
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
                ..Feature::default()
            }
        })
        .collect()
}

/// A sentence with the rank correlations.
pub(crate) fn correlations(features: &[Feature]) -> String {
    let column = |value: fn(&Feature) -> f64| features.iter().map(value).collect::<Vec<f64>>();
    let (groups, faults) = (column(|f| f.groups), column(|f| f.faults));
    type Named = (&'static str, fn(&Feature) -> f64);
    let named: [Named; 3] =
        [("sources", |f| f.source), ("follow-ups", |f| f.follow), ("output rules", |f| f.output)];
    let parts: Vec<String> = named
        .into_iter()
        .map(|(name, value)| {
            let own = column(value);
            format!(
                "{name} with groups {:.2}, with faults {:.2}",
                spearman(&own, &groups),
                spearman(&own, &faults)
            )
        })
        .collect();
    format!(
        "Spearman's rank correlation over {} relations of how easily {} (easy output rules hold for unrelated tests too).",
        features.len(),
        parts.join("; ")
    )
}

fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (ma, mb) = (mean(&a), mean(&b));
    let product: f64 = a.iter().zip(&b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let spread =
        |values: &[f64], mean: f64| values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>().sqrt();
    product / (spread(&a, ma) * spread(&b, mb)).max(1e-12)
}

/// Ranks, ties sharing their mean.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    while at < order.len() {
        let mut end = at;
        while end + 1 < order.len() && values[order[end + 1]] == values[order[at]] {
            end += 1;
        }
        order[at..=end].iter().for_each(|&index| ranks[index] = (at + end) as f64 / 2.0);
        at = end + 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_ignores_scale_and_shares_ties() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 100.0, 1000.0]) - 1.0).abs() < 1e-9);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-9);
        assert_eq!(ranks(&[5.0, 5.0, 1.0]), [1.5, 1.5, 0.0]);
    }
}
