//! Rank correlation between features of relations and what the relations bring, with its significance, as the study tells it:
//! one coefficient for each repetition, the share of repetitions in which it is significant (p < 0.05), and the median of
//! those. The study used Pearson's coefficient over difficulty levels; ours is Spearman's, which depends on order alone, with
//! Pearson's beside it. The study's table of levels is a picture that its text does not hold: the levels here are our own.

use serde_json::{Value, json};
use twinrun_results::Results;

use crate::features::Feature;
use crate::study::Part;

/// Below this, a correlation counts as significant, as in the study.
const SIGNIFICANT: f64 = 0.05;

/// A named way to a number.
type Named<T> = (&'static str, fn(&T) -> f64);

const FEATURES: [Named<Feature>; 3] = [
    ("ease of sources", |feature| feature.source),
    ("ease of follow-ups", |feature| feature.follow),
    ("ease of output rules", |feature| feature.output),
];

/// One relation in one repetition: its features, its groups, and the share of the subject's mutants that it shows.
struct Point {
    feature: Feature,
    groups: f64,
    faults: Option<f64>,
}

type Metric = (&'static str, fn(&Point) -> Option<f64>);

const METRICS: [Metric; 2] = [("groups", |point| Some(point.groups)), ("faults", |point| point.faults)];

/// Adds the coefficients as a total and as sentences.
pub(crate) fn write(parts: &[(String, usize, Part)], strengths: &[usize], results: &mut Results) {
    let mut rows: Vec<Value> = Vec::new();
    for &strength in strengths {
        let runs = runs(parts, strength);
        for (feature, ease) in FEATURES {
            for (metric, value) in METRICS {
                let found: Vec<Coefficients> =
                    runs.iter().filter_map(|run| coefficients(run, ease, value)).collect();
                rows.extend(summary(&found).map(|mut row| {
                    row["t"] = json!(strength);
                    row["feature"] = json!(feature);
                    row["with"] = json!(metric);
                    row
                }));
            }
        }
        results.notes.extend(FEATURES.map(|(feature, ease)| levels(strength, feature, ease, &runs)));
    }
    results.notes.extend(rows.iter().map(sentence));
    results.total("correlations", rows);
}

/// The points of each repetition that all its subjects were judged in.
fn runs(parts: &[(String, usize, Part)], strength: usize) -> Vec<Vec<Point>> {
    let own: Vec<&Part> = parts.iter().filter(|(_, t, _)| *t == strength).map(|(.., part)| part).collect();
    let mut seeds: Vec<u64> = own.iter().flat_map(|part| part.runs.iter().map(|run| run.seed)).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let points = |seed: u64| -> Vec<Point> {
        let of = |part: &&Part| -> Vec<Point> {
            let Some(run) = part.runs.iter().find(|run| run.seed == seed) else { return Vec::new() };
            // Versions of SciPy are no seeded faults.
            let faults = |at: usize| {
                (run.judged && !part.scipy && part.mutants > 0).then(|| run.faults[at] / part.mutants as f64)
            };
            let point = |(at, feature): (usize, &Feature)| Point {
                feature: feature.clone(),
                groups: run.groups[at],
                faults: faults(at),
            };
            part.features.iter().enumerate().map(point).collect()
        };
        own.iter().flat_map(of).collect()
    };
    seeds.into_iter().map(points).collect()
}

/// One repetition.
struct Coefficients {
    relations: usize,
    spearman: f64,
    p: f64,
    pearson: f64,
    pearson_p: f64,
}

fn coefficients(
    run: &[Point],
    ease: fn(&Feature) -> f64,
    value: fn(&Point) -> Option<f64>,
) -> Option<Coefficients> {
    let pairs: Vec<(f64, f64)> =
        run.iter().filter_map(|point| value(point).map(|value| (ease(&point.feature), value))).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    if a.len() < 4 {
        return None;
    }
    let (pearson, spearman) = (correlation(&a, &b)?, correlation(&ranks(&a), &ranks(&b))?);
    let p = |coefficient| p_value(coefficient, a.len());
    Some(Coefficients { relations: a.len(), spearman, p: p(spearman), pearson, pearson_p: p(pearson) })
}

fn summary(found: &[Coefficients]) -> Option<Value> {
    let share = |p: fn(&Coefficients) -> f64| {
        100.0 * found.iter().filter(|one| p(one) < SIGNIFICANT).count() as f64 / found.len() as f64
    };
    let significant = |p: fn(&Coefficients) -> f64, value: fn(&Coefficients) -> f64| {
        median(found.iter().filter(|one| p(one) < SIGNIFICANT).map(value).collect())
    };
    let all = |value: fn(&Coefficients) -> f64| median(found.iter().map(value).collect());
    (!found.is_empty()).then(|| {
        json!({
            "repetitions": found.len(),
            "relations": found[0].relations,
            "spearman": all(|one| one.spearman),
            "p": all(|one| one.p),
            "significant_pct": share(|one| one.p),
            "spearman_where_significant": significant(|one| one.p, |one| one.spearman),
            "pearson": all(|one| one.pearson),
            "pearson_significant_pct": share(|one| one.pearson_p),
            "pearson_where_significant": significant(|one| one.pearson_p, |one| one.pearson),
        })
    })
}

fn sentence(row: &Value) -> String {
    let number =
        |key: &str| row[key].as_f64().map_or_else(|| "none".to_owned(), |number| format!("{number:.2}"));
    format!(
        "Strength {}, {} with {}: Spearman {} (median of {} repetitions over {} relations), median p {}, significant (p < {SIGNIFICANT}) \
         in {} % with median {} there; Pearson {}, significant in {} % with median {}.",
        row["t"],
        row["feature"].as_str().unwrap_or_default(),
        row["with"].as_str().unwrap_or_default(),
        number("spearman"),
        row["repetitions"],
        row["relations"],
        number("p"),
        number("significant_pct"),
        number("spearman_where_significant"),
        number("pearson"),
        number("pearson_significant_pct"),
        number("pearson_where_significant"),
    )
}

/// What easy and hard relations bring on average: level 1 is met by at least half of what was drawn at random, level 2 by a
/// tenth, level 3 by less.
fn levels(strength: usize, name: &str, ease: fn(&Feature) -> f64, runs: &[Vec<Point>]) -> String {
    let level = |point: &&Point| match ease(&point.feature) {
        share if share >= 0.5 => 1,
        share if share >= 0.1 => 2,
        _ => 3,
    };
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let parts = [1, 2, 3].map(|own| {
        let points: Vec<&Point> = runs.iter().flatten().filter(|point| level(point) == own).collect();
        format!(
            "level {own}: {} relations, {:.1} groups, {:.1} % of the mutants each",
            points.len() / runs.len().max(1),
            mean(points.iter().map(|point| point.groups).collect()),
            100.0 * mean(points.iter().filter_map(|point| point.faults).collect())
        )
    });
    format!("Strength {strength}, {name}, {}.", parts.join("; "))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let last = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { last } else { f64::midpoint(values[middle - 1], last) })
}

/// Pearson's coefficient; nothing where one side is constant.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (ma, mb) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let spread =
        |values: &[f64], mean: f64| values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>().sqrt();
    let scale = spread(a, ma) * spread(b, mb);
    (scale > 1e-12).then(|| product / scale)
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

/// The two-sided probability of a coefficient at least as far from 0 over unrelated values: by Student's distribution of
/// r √((n − 2) / (1 − r²)) with n − 2 degrees of freedom. That is exact for Pearson's over normal values, and the usual
/// approximation for Spearman's.
fn p_value(coefficient: f64, count: usize) -> f64 {
    let freedom = count as f64 - 2.0;
    let square = (coefficient * coefficient).min(1.0);
    // With t² = r² n / (1 − r²), the argument n / (n + t²) of the incomplete beta function is 1 − r².
    incomplete_beta(freedom / 2.0, 0.5, 1.0 - square)
}

/// The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8), evaluated from the front
/// (Lentz 1976).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut upper, mut lower) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = lower;
    for step in 1..500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for part in [even, odd] {
            lower = 1.0 / away(1.0 + part * lower);
            upper = away(1.0 + part / upper);
            fraction *= lower * upper;
        }
        if (fraction - before).abs() <= 1e-14 * fraction.abs() {
            break;
        }
    }
    front * fraction
}

/// The logarithm of the gamma function by Stirling's series, shifted to where it is precise.
fn log_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_ignores_scale_and_shares_ties() {
        let spearman = |a: &[f64], b: &[f64]| correlation(&ranks(a), &ranks(b)).unwrap();
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 100.0, 1000.0]) - 1.0).abs() < 1e-9);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-9);
        assert_eq!(ranks(&[5.0, 5.0, 1.0]), [1.5, 1.5, 0.0]);
        assert_eq!(correlation(&[1.0, 1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn p_values_are_those_of_the_tables_of_students_distribution() {
        // Critical values of r, two-sided: n = 10 at 5 % and 1 %, n = 90 at 5 %.
        for (r, count, p) in
            [(0.631_897, 10, 0.05), (0.764_592, 10, 0.01), (0.207_2, 90, 0.05), (0.0, 30, 1.0)]
        {
            assert!((p_value(r, count) - p).abs() < 2e-4, "{r} of {count}: {}", p_value(r, count));
        }
        assert!(p_value(-0.631_897, 10) < 0.0501);
        assert_eq!(p_value(1.0, 10), 0.0);
    }

    #[test]
    fn medians_of_even_numbers_are_between() {
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
