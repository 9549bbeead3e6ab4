//! Aligning two traces: equal stretches stand in the same rows.
//!
//! After a difference, the nearest place is looked for where both traces agree for a few branches again. That is not the longest common
//! subsequence, but it needs time in proportion to the traces, and loops that turn once more on one side are found.

/// How far ahead a common stretch is looked for, both sides together.
const AHEAD: usize = 96;
/// Branches that must agree before the traces count as together again.
const AGREE: usize = 3;

/// Rows of (left, right); one side is `None` where only the other has something.
pub(crate) fn align<T: PartialEq + Copy>(left: &[T], right: &[T]) -> Vec<(Option<T>, Option<T>)> {
    let mut rows = Vec::with_capacity(left.len().max(right.len()));
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            rows.push((Some(left[i]), Some(right[j])));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let (skip, over) = together(&left[i..], &right[j..]).unwrap_or((1, 1));
        // What both sides have for themselves stands side by side.
        for step in 0..skip.max(over) {
            let one = (step < skip).then(|| left[i + step]);
            let two = (step < over).then(|| right[j + step]);
            rows.push((one, two));
        }
        (i, j) = (i + skip, j + over);
    }
    rows.extend(left[i..].iter().map(|it| (Some(*it), None)));
    rows.extend(right[j..].iter().map(|it| (None, Some(*it))));
    rows
}

/// How much to skip on each side until both agree, the least first.
fn together<T: PartialEq>(left: &[T], right: &[T]) -> Option<(usize, usize)> {
    let agree = |i: usize, j: usize| {
        let rest = (left.len() - i).min(right.len() - j);
        rest > 0 && (0..AGREE.min(rest)).all(|at| left[i + at] == right[j + at])
    };
    (1..=AHEAD).find_map(|sum| {
        (0..=sum).map(|i| (i, sum - i)).find(|(i, j)| *i < left.len() && *j < right.len() && agree(*i, *j))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, expect: &str) {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        let rows = align(&left, &right);
        let side = |char: Option<char>| char.unwrap_or('.');
        let shown: Vec<String> = rows.iter().map(|(a, b)| format!("{}{}", side(*a), side(*b))).collect();
        assert_eq!(shown.join(" "), expect);
        assert_eq!(rows.iter().filter_map(|row| row.0).collect::<Vec<_>>(), left);
        assert_eq!(rows.iter().filter_map(|row| row.1).collect::<Vec<_>>(), right);
    }

    #[test]
    fn equal_stretches_stand_in_the_same_rows() {
        check("abcdef", "abcdef", "aa bb cc dd ee ff");
        check("abcxdef", "abcdef", "aa bb cc x. dd ee ff");
        check("abcdef", "abcyydef", "aa bb cc .y .y dd ee ff");
        check("abcxdef", "abcydef", "aa bb cc xy dd ee ff");
        check("ab", "abcd", "aa bb .c .d");
        check("", "a", ".a");
    }

    #[test]
    fn long_traces_need_time_in_proportion() {
        let left: Vec<u32> = (0..100_000).map(|n| n % 7).collect();
        let right: Vec<u32> = (0..100_000).map(|n| if n == 50_000 { 9 } else { n % 7 }).collect();
        assert_eq!(align(&left, &right).len(), 100_000);
    }
}
