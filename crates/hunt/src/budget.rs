//! One budget of counted work for all explanations, divided in a way that knows neither threads nor clocks.

use twinrun_base::work::SECOND;

/// The work that the explanations of a project share at effort 1.
pub(crate) const WHOLE: u64 = 72 * SECOND;
/// What trying edits may cost for one subject.
pub(crate) const REPAIR: u64 = 20 * SECOND;
/// No explanation gets more than this part: one that is hard should not make every hunt slow.
const LARGEST: u64 = 18;
/// The most that one explanation gets, however large the budget: beyond it they hardly find more.
const MOST: u64 = 120 * SECOND;
/// The least that one explanation is worth starting with.
const LEAST: u64 = SECOND / 2;

/// What one explanation may use when all of them share `whole`; those of violations weigh three times as much as proofs of relations that hold.
pub(crate) fn explanation(whole: u64, of_violations: usize, of_others: usize, violation: bool) -> u64 {
    let weight = (3 * of_violations + of_others).max(2) as u64;
    let mine = if violation { 3 } else { 1 };
    (whole / weight).saturating_mul(mine).min(whole / LARGEST).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_stay_within_the_whole() {
        let (violation, other) = (explanation(WHOLE, 30, 40, true), explanation(WHOLE, 30, 40, false));
        assert!(violation * 30 + other * 40 <= WHOLE);
        assert_eq!(violation, 3 * other);
        assert_eq!(explanation(WHOLE, 1, 0, true), WHOLE / LARGEST);
        assert_eq!(explanation(u64::MAX, 2, 1, true), MOST);
        assert_eq!(explanation(0, 1, 0, true), LEAST);
    }
}
