//! One budget for all techniques: testing has its share first, what it leaves is divided among the explanations.

use std::time::Duration;

/// The share of the whole that testing may use.
const TESTING: f64 = 0.4;
/// The most that one explanation gets, however large the budget: beyond it they hardly find more.
const MOST: Duration = Duration::from_secs(120);
/// The least that one explanation is worth starting with.
const LEAST: Duration = Duration::from_millis(500);

/// What testing of one relation may use.
pub(crate) fn testing(whole: Duration, relations: usize) -> Duration {
    whole.mul_f64(TESTING) / relations.max(1) as u32
}

/// What one explanation may use when `jobs` of them share what is left on `workers` threads; those of violations weigh three times as
/// much as proofs of relations that hold.
pub(crate) fn explanation(
    left: Duration,
    workers: usize,
    of_violations: usize,
    of_others: usize,
    violation: bool,
) -> Duration {
    let weight = (3 * of_violations + of_others).max(1) as f64;
    let mine = if violation { 3.0 } else { 1.0 };
    left.mul_f64((mine * workers.max(1) as f64 / weight).min(0.9)).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_stay_within_the_whole() {
        let whole = Duration::from_secs(60);
        assert_eq!(testing(whole, 3) * 3, whole.mul_f64(TESTING));
        let left = Duration::from_secs(30);
        let (violation, other) = (explanation(left, 2, 3, 4, true), explanation(left, 2, 3, 4, false));
        assert!((violation * 3 + other * 4).as_secs_f64() <= 2.0 * 30.0 + 1e-6);
        assert_eq!(violation.as_secs(), 13);
        assert_eq!(explanation(Duration::from_secs(9000), 2, 1, 0, true), MOST);
        assert_eq!(explanation(Duration::ZERO, 2, 1, 0, true), LEAST);
    }
}
