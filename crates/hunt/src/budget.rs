//! One budget of counted work for all explanations, divided in a way that knows neither threads nor clocks.

use twinrun_base::work::SECOND;

/// The work that the explanations of a project share at effort 1.
pub(crate) const WHOLE: u64 = 24 * SECOND;
/// What trying edits may cost for one subject.
pub(crate) const REPAIR: u64 = 20 * SECOND;
/// The most that one explanation gets, however large the budget: beyond it they hardly find more.
const MOST: u64 = 120 * SECOND;
/// The least that one explanation is worth starting with.
const LEAST: u64 = SECOND / 2;

/// What one explanation may use when all of them share `whole`; those of violations weigh three times as much as proofs of relations that hold.
pub(crate) fn explanation(whole: u64, of_violations: usize, of_others: usize, violation: bool) -> u64 {
    let weight = (3 * of_violations + of_others).max(2) as u64;
    let mine = if violation { 3 } else { 1 };
    (whole / weight).saturating_mul(mine).min(whole / 2).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_stay_within_the_whole() {
        let (violation, other) = (explanation(WHOLE, 3, 4, true), explanation(WHOLE, 3, 4, false));
        assert!(violation * 3 + other * 4 <= WHOLE);
        assert_eq!(violation, 3 * other);
        assert_eq!(explanation(WHOLE, 1, 0, true), WHOLE / 2);
        assert_eq!(explanation(u64::MAX, 2, 1, true), MOST);
        assert_eq!(explanation(0, 1, 0, true), LEAST);
    }
}
