//! The minimal failing combination: which values of which parameters suffice for a failure.

use crate::check::for_each_choice;

/// The smallest combinations of a failing row's values that no passing row has: parameter and value pairs.
/// All of the smallest size are given; none when a passing row equals the failing one in everything.
pub fn failing_combinations(failing: &[usize], passing: &[Vec<usize>]) -> Vec<Vec<(usize, usize)>> {
    let parameters: Vec<usize> = (0..failing.len()).collect();
    for size in 1..=LARGEST.min(failing.len()) {
        let mut found = Vec::new();
        for_each_choice(&parameters, size, &mut |chosen| {
            let passes =
                |row: &Vec<usize>| chosen.iter().all(|&parameter| row[parameter] == failing[parameter]);
            if found.len() < SHOWN && !passing.iter().any(passes) {
                found.push(chosen.iter().map(|&parameter| (parameter, failing[parameter])).collect());
            }
        });
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Combinations of more values are not looked for.
const LARGEST: usize = 4;
/// At most this many are given.
const SHOWN: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_combination_that_no_passing_row_has_is_found() {
        let passing = [vec![0, 0, 1], vec![1, 0, 0], vec![0, 1, 0], vec![1, 0, 1]];
        assert_eq!(failing_combinations(&[1, 1, 0], &passing), [vec![(0, 1), (1, 1)]]);
        assert_eq!(failing_combinations(&[2, 1, 0], &passing), [vec![(0, 2)]]);
        assert!(failing_combinations(&[0, 0, 1], &passing).is_empty());
    }
}
