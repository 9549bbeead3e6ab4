//! Arrays that turn: a few rows with all their rotations, and some constant rows. Two columns then meet as any two of the same
//! distance do, so that an array of so many columns is as hard to find as its first row or two (in the way of Colbourn, Kéri,
//! Rivas Soriano and Schlage-Puchta 2010, who search arrays with a group of automorphisms). The rows are sought by annealing
//! whose length is counted, so that they are the same everywhere.

use crate::random::Random;

/// Uniform models up to so many values and columns are worth it.
const MOST_VALUES: usize = 8;
const MOST_COLUMNS: usize = 24;
/// How much wider an array may be than is asked for, searches that may fail, and changes tried in each.
const WIDER: usize = 2;
const FAILURES: usize = 3;
const CHANGES: usize = 1_000_000;
/// How likely a change for the worse is kept at first: once in this to the power of what it loses.
const BOLD: f64 = 3.0;
/// Changes after which it becomes a little less likely, and by what.
const STEP: usize = 1000;
const COOLER: f64 = 1.004;

/// A circulant array with fewer rows than are known, if one is found.
pub(super) fn circulant(values: usize, columns: usize, fewest: usize) -> Option<Vec<Vec<usize>>> {
    if values > MOST_VALUES || !(3..=MOST_COLUMNS).contains(&columns) {
        return None;
    }
    let pairs = values * values;
    // Each distance of two columns has as many pairs as there are turned rows.
    let mut shapes: Vec<(usize, usize, usize)> = (columns..=columns + WIDER)
        .flat_map(|length| (0..=values).map(move |constant| (length, constant)))
        .filter_map(|(length, constant)| {
            let heads = (fewest - 1).checked_sub(constant)? / length;
            (heads * length + constant >= pairs).then_some((heads * length + constant, length, constant))
        })
        .collect();
    // The easiest first: the most rows, and of these the fewest constant ones.
    shapes.sort_by_key(|&(rows, length, constant)| (usize::MAX - rows, constant, length));
    let (mut best, mut failures) = (None, 0);
    for (rows, length, constant) in shapes {
        // What is wider is harder: where that was found, narrower ones of its size need not be looked for.
        let known = best.as_ref().is_some_and(|best: &Vec<Vec<usize>>| best.len() <= rows);
        if known {
            continue;
        }
        match seek(values, length, (rows - constant) / length, constant) {
            Some(array) => best = Some(array),
            None => failures += 1,
        }
        if failures == FAILURES {
            break;
        }
    }
    best
}

/// The rows that are turned, and how often each two values meet at each distance.
struct Heads {
    values: usize,
    rows: Vec<Vec<usize>>,
    counts: Vec<Vec<u32>>,
    missing: i64,
}

impl Heads {
    /// Puts a value in, or takes it out.
    fn set(&mut self, row: usize, at: usize, value: usize, add: bool) {
        let row = &self.rows[row];
        let (mut first, mut last) = (at, at);
        for counts in &mut self.counts {
            first = if first == 0 { row.len() - 1 } else { first - 1 };
            last = if last + 1 == row.len() { 0 } else { last + 1 };
            let (before, behind) = (row[first], row[last]);
            for pair in [before * self.values + value, value * self.values + behind] {
                if add {
                    self.missing -= i64::from(counts[pair] == 0);
                    counts[pair] += 1;
                } else {
                    counts[pair] -= 1;
                    self.missing += i64::from(counts[pair] == 0);
                }
            }
        }
    }

    fn change(&mut self, row: usize, at: usize, value: usize) {
        let old = self.rows[row][at];
        self.set(row, at, old, false);
        self.rows[row][at] = value;
        self.set(row, at, value, true);
    }
}

fn seek(values: usize, length: usize, heads: usize, constant: usize) -> Option<Vec<Vec<usize>>> {
    let mut random = Random::new(((values * 100 + length) * 100 + heads) as u64 * 100 + constant as u64);
    let rows: Vec<Vec<usize>> =
        (0..heads).map(|_| (0..length).map(|_| random.below(values)).collect()).collect();
    // At half of an even length the same two columns meet twice, which does no harm.
    let mut counts = vec![vec![0u32; values * values]; length / 2];
    for (distance, counts) in counts.iter_mut().enumerate() {
        (0..constant).for_each(|value| counts[value * values + value] += 1);
        for row in &rows {
            for at in 0..length {
                counts[row[at] * values + row[(at + distance + 1) % length]] += 1;
            }
        }
    }
    let missing = counts.iter().flatten().filter(|count| **count == 0).count() as i64;
    let mut heads = Heads { values, rows, counts, missing };
    let mut bold = BOLD;
    for change in 0..CHANGES {
        if heads.missing == 0 {
            break;
        }
        if change % STEP == 0 {
            bold *= COOLER;
        }
        let (row, at) = (random.below(heads.rows.len()), random.below(length));
        let (old, before) = (heads.rows[row][at], heads.missing);
        let value = (old + 1 + random.below(values - 1)) % values;
        heads.change(row, at, value);
        let kept = (before..heads.missing).fold(1.0, |kept, _| kept / bold);
        if kept < 1.0 && random.unit() >= kept {
            heads.change(row, at, old);
        }
    }
    let Heads { rows, missing, .. } = heads;
    let turned = rows.iter().flat_map(|row| {
        (0..length).map(move |turn| (0..length).map(|column| row[(column + turn) % length]).collect())
    });
    let array: Vec<Vec<usize>> = turned.chain((0..constant).map(|value| vec![value; length])).collect();
    (missing == 0).then_some(array)
}
