//! Small changes to an earlier value: its neighbours.

use twinrun_base::{Op, OpSpec, Rng};

use super::{numbers, sequences};

/// A neighbour of an integer.
pub(super) fn int(rng: &mut Rng, old: i64, lo: i64, hi: i64, dictionary: &[i64]) -> i64 {
    match rng.below(6) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old.saturating_add(rng.range(-8, 8)),
        3 => old.saturating_neg(),
        _ => numbers::int(rng, lo, hi, dictionary),
    }
    .clamp(lo, hi)
}

/// A neighbour of a double.
pub(super) fn float(rng: &mut Rng, old: f64, lo: f64, hi: f64) -> f64 {
    let value = match rng.below(6) {
        0 => old + 1.0,
        1 => old - 1.0,
        2 => old * (1.0 + (rng.unit() - 0.5) / 64.0),
        3 => -old,
        _ => numbers::float(rng, lo, hi),
    };
    numbers::clamp(value, lo, hi)
}

/// A neighbour of an array: one element changed, copied or moved.
pub(super) fn ints(rng: &mut Rng, items: &mut [i64], lo: i64, hi: i64, dictionary: &[i64]) {
    if items.is_empty() {
        return;
    }
    let (i, j) = (rng.below(items.len() as u64) as usize, rng.below(items.len() as u64) as usize);
    match rng.below(6) {
        0 => items[i] = items[j],
        1 => items.swap(i, j),
        2 => items[i.min(j)..=i.max(j)].reverse(),
        3 => items[i.min(j)..=i.max(j)].rotate_left(1),
        _ => items[i] = int(rng, items[i], lo, hi, dictionary),
    }
}

/// A neighbour of a text: a letter changed, inserted, removed, or a piece repeated.
pub(super) fn text(rng: &mut Rng, items: &mut Vec<u8>, alphabet: &[u8]) {
    let i = rng.below(items.len() as u64 + 1) as usize;
    match rng.below(4) {
        0 if i < items.len() => items[i] = sequences::letter(rng, alphabet),
        1 if i < items.len() => {
            items.remove(i);
        }
        2 if i < items.len() => {
            let piece = items[i..(i + 1 + rng.below(4) as usize).min(items.len())].to_vec();
            items.splice(i..i, piece);
        }
        _ => items.insert(i, sequences::letter(rng, alphabet)),
    }
}

/// A neighbour of an operation sequence.
pub(super) fn ops(rng: &mut Rng, items: &mut Vec<Op>, max: u32, specs: &[OpSpec]) {
    let i = rng.below(items.len() as u64 + 1) as usize;
    match rng.below(4) {
        0 if i < items.len() => items[i] = sequences::op(rng, specs),
        1 if i < items.len() => {
            items.remove(i);
        }
        2 if i + 1 < items.len() => items.swap(i, i + 1),
        _ if items.len() < max as usize => items.insert(i, sequences::op(rng, specs)),
        _ => {}
    }
}
