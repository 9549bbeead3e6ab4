//! Measures of rankings: EXAM, top-N, and the paired Wilcoxon signed-rank test that compares two methods.

/// The share of sites that must be looked at to reach the fault.
pub fn exam(rank: f64, sites: usize) -> f64 {
    if sites == 0 { 1.0 } else { (rank / sites as f64).min(1.0) }
}

/// The share of faults that are found when the given share of sites is looked at, for each step of `steps`.
pub fn cumulative(exams: &[f64], steps: usize) -> Vec<(f64, f64)> {
    (0..=steps)
        .map(|step| {
            let looked = step as f64 / steps.max(1) as f64;
            let found = exams.iter().filter(|exam| **exam <= looked + 1e-12).count();
            (looked, found as f64 / exams.len().max(1) as f64)
        })
        .collect()
}

/// What the signed-rank test says of paired values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Pairs that differ.
    pub pairs: usize,
    /// The sum of ranks of pairs in which the first is larger.
    pub positive: f64,
    /// The sum of ranks of pairs in which the first is smaller.
    pub negative: f64,
    /// Two-tailed: how likely so large a difference is by chance.
    pub two_tailed: f64,
    /// One-tailed: how likely it is by chance that the first is so much larger.
    pub first_larger: f64,
    /// One-tailed: how likely it is by chance that the first is so much smaller.
    pub first_smaller: f64,
}

/// The paired Wilcoxon signed-rank test: zero differences are left out, ties get mean ranks; exact up to 25 pairs without
/// ties, otherwise by the normal approximation with corrections for ties and continuity.
pub fn wilcoxon(first: &[f64], second: &[f64]) -> Wilcoxon {
    let mut differences: Vec<f64> =
        first.iter().zip(second).map(|(a, b)| a - b).filter(|d| d.abs() > 1e-12).collect();
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = differences.len();
    let mut ranks = vec![0.0; n];
    let mut tie_term = 0.0;
    let mut start = 0;
    while start < n {
        let mut end = start + 1;
        while end < n && (differences[end].abs() - differences[start].abs()).abs() <= 1e-12 {
            end += 1;
        }
        let count = (end - start) as f64;
        ranks[start..end].fill((start + 1 + end) as f64 / 2.0);
        tie_term += count * count * count - count;
        start = end;
    }
    let sum = |wanted: fn(f64) -> bool| {
        ranks.iter().zip(&differences).filter(|(_, d)| wanted(**d)).map(|(rank, _)| rank).sum::<f64>()
    };
    let (positive, negative) = (sum(|d| d > 0.0), sum(|d| d < 0.0));
    let (first_larger, first_smaller) = if n == 0 {
        (1.0, 1.0)
    } else if n <= 25 && tie_term == 0.0 {
        (exact(n, negative), exact(n, positive))
    } else {
        (normal(n, negative, tie_term), normal(n, positive, tie_term))
    };
    let two_tailed = (2.0 * first_larger.min(first_smaller)).min(1.0);
    Wilcoxon { pairs: n, positive, negative, two_tailed, first_larger, first_smaller }
}

/// P(W ≤ w) under the null hypothesis, by counting the subsets of 1 … n with each sum.
fn exact(n: usize, w: f64) -> f64 {
    let most = n * (n + 1) / 2;
    let mut ways = vec![0.0f64; most + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways.iter().take(w as usize + 1).sum::<f64>() / 2f64.powi(n as i32)
}

/// P(W ≤ w) by the normal distribution.
fn normal(n: usize, w: f64, tie_term: f64) -> f64 {
    let n = n as f64;
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_term / 48.0;
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (w + 0.5 - mean) / variance.sqrt();
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// The complementary error function (Numerical Recipes' Chebyshev fit, relative error below 1.2e-7).
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let polynomial = -1.265_512_23
        + t * (1.000_023_68
            + t * (0.374_091_96
                + t * (0.096_784_18
                    + t * (-0.186_288_06
                        + t * (0.278_868_07
                            + t * (-1.135_203_98
                                + t * (1.488_515_87 + t * (-0.822_152_23 + t * 0.170_872_77))))))));
    let tail = t * (-x * x + polynomial).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_agrees_with_published_tables() {
        // Ten pairs, all differences positive: P = 2 / 2^10.
        let first: Vec<f64> = (1..=10).map(f64::from).collect();
        let result = wilcoxon(&first, &[0.0; 10]);
        assert!((result.two_tailed - 2.0 / 1024.0).abs() < 1e-12);
        // The critical value for n = 10, two-tailed 0.05 is W = 8: P(W ≤ 8) ≤ 0.025 < P(W ≤ 9).
        assert!(exact(10, 8.0) <= 0.025 && exact(10, 9.0) > 0.025);
    }

    #[test]
    fn the_normal_approximation_is_near_the_exact_value() {
        for w in [60.0, 100.0, 162.0] {
            assert!((exact(25, w) - normal(25, w, 0.0)).abs() < 0.005, "{w}");
        }
    }

    #[test]
    fn equal_methods_do_not_differ() {
        assert_eq!(wilcoxon(&[0.3; 5], &[0.3; 5]).two_tailed, 1.0);
    }

    #[test]
    fn exam_is_the_share_that_is_looked_at() {
        assert_eq!(exam(5.0, 50), 0.1);
        assert_eq!(cumulative(&[0.1, 0.5], 2), [(0.0, 0.0), (0.5, 1.0), (1.0, 1.0)]);
    }
}
