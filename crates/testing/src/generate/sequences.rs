//! Arrays, text and operation sequences: each is drawn in one of several styles, so that whole arrays are sorted, constant,
//! small or full of repeats far more often than chance would have it.

use twinrun_base::{Op, OpSpec, Rng};

use super::numbers;

/// An array of integers in a random style.
pub(super) fn ints(rng: &mut Rng, count: usize, lo: i64, hi: i64, dictionary: &[i64], out: &mut Vec<i64>) {
    match rng.below(16) {
        0..=5 => out.extend((0..count).map(|_| rng.range(lo, hi))),
        6..=9 => {
            // Small numbers: sums cancel, elements repeat.
            let origin = numbers::origin(lo, hi);
            let reach = 1 << rng.below(4);
            let (low, high) = (origin.saturating_sub(reach).max(lo), origin.saturating_add(reach).min(hi));
            out.extend((0..count).map(|_| rng.range(low, high)));
        }
        10 => {
            let value = numbers::int(rng, lo, hi, dictionary);
            out.resize(count, value);
        }
        11 | 12 => {
            // Few distinct values.
            let pool: [i64; 3] = std::array::from_fn(|_| numbers::int(rng, lo, hi, dictionary));
            out.extend((0..count).map(|_| pool[rng.below(3) as usize]));
        }
        13 => {
            out.extend((0..count).map(|_| rng.range(lo, hi)));
            out.sort_unstable();
            if rng.one_in(2) {
                out.reverse();
            }
        }
        _ => out.extend((0..count).map(|_| numbers::int(rng, lo, hi, dictionary))),
    }
}

/// An old array brought to a new length and range; missing elements are drawn.
pub(super) fn fit_ints(
    rng: &mut Rng,
    old: &[i64],
    count: usize,
    lo: i64,
    hi: i64,
    dictionary: &[i64],
    out: &mut Vec<i64>,
) {
    out.extend(old.iter().take(count).map(|value| numbers::bring(*value, lo, hi)));
    while out.len() < count {
        out.push(numbers::int(rng, lo, hi, dictionary));
    }
}

/// An array of doubles: fresh, or an old one fitted and perhaps changed.
pub(super) fn floats(
    rng: &mut Rng,
    old: Option<&[f64]>,
    changed: bool,
    count: usize,
    lo: f64,
    hi: f64,
    out: &mut Vec<f64>,
) {
    if let Some(old) = old {
        out.extend(old.iter().take(count).map(|value| numbers::clamp(*value, lo, hi)));
    }
    while out.len() < count {
        out.push(numbers::float(rng, lo, hi));
    }
    if changed && count > 0 {
        let index = rng.below(count as u64) as usize;
        out[index] =
            if rng.one_in(2) { out[rng.below(count as u64) as usize] } else { numbers::float(rng, lo, hi) };
    }
}

/// One letter of an alphabet; any byte for an empty one, printable ones more often.
pub(super) fn letter(rng: &mut Rng, alphabet: &[u8]) -> u8 {
    match alphabet {
        [] if rng.one_in(4) => rng.below(256) as u8,
        [] => rng.range(32, 126) as u8,
        _ => alphabet[rng.below(alphabet.len() as u64) as usize],
    }
}

/// A text; sometimes over a part of the alphabet only, so that letters repeat.
pub(super) fn text(rng: &mut Rng, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
    let length = numbers::length(rng, i64::from(min), i64::from(max.max(min)));
    let few: [u8; 2] = [letter(rng, alphabet), letter(rng, alphabet)];
    let repeats = rng.one_in(4);
    out.extend((0..length).map(|_| if repeats { few[rng.below(2) as usize] } else { letter(rng, alphabet) }));
}

/// Brings a text into its range of lengths.
pub(super) fn fit_text(rng: &mut Rng, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
    out.truncate(max as usize);
    while out.len() < min as usize {
        out.push(letter(rng, alphabet));
    }
}

/// One operation.
pub(super) fn op(rng: &mut Rng, specs: &[OpSpec]) -> Op {
    let index = rng.below(specs.len() as u64) as usize;
    let mut op = Op { op: index as i32, arguments: [0; 3] };
    for (argument, (lo, hi)) in op.arguments.iter_mut().zip(&specs[index].arguments) {
        *argument = rng.range(i64::from(*lo), i64::from(*hi)) as i32;
    }
    op
}

/// A sequence of operations.
pub(super) fn ops(rng: &mut Rng, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
    let length = numbers::length(rng, 0, i64::from(max));
    out.extend((0..length).map(|_| op(rng, specs)));
}
