//! Single numbers, biased to where faults hide: boundaries, zero, small values, powers of two, numbers of the code.

use twinrun_base::Rng;

/// The value of `lo..=hi` nearest to zero.
#[inline]
pub(crate) fn origin(lo: i64, hi: i64) -> i64 {
    bring(0, lo, hi)
}

/// Brings a number back into a range. A range that a relation draws from may be empty; it then has its lower end.
#[inline]
pub(crate) fn bring(value: i64, lo: i64, hi: i64) -> i64 {
    value.clamp(lo, hi.max(lo))
}

/// A biased integer.
#[inline]
pub(super) fn int(rng: &mut Rng, lo: i64, hi: i64, dictionary: &[i64]) -> i64 {
    let bits = rng.bits();
    let choice = bits >> 60;
    match choice {
        0..=5 => rng.range(lo, hi),
        6..=10 => {
            // Small: within 1, 3 or 15 of the origin.
            let reach = [1, 3, 3, 15][(bits & 3) as usize];
            let offset = (((bits >> 8) & 0xffff) as i64 * (2 * reach + 1)) >> 16;
            origin(lo, hi).saturating_add(offset - reach).clamp(lo, hi)
        }
        11 => lo.saturating_add((bits & 1) as i64).min(hi),
        12 => hi.saturating_sub((bits & 1) as i64).max(lo),
        13 => {
            let power =
                1i64.checked_shl((bits & 63) as u32).unwrap_or(0).wrapping_sub(((bits >> 8) % 3) as i64 - 1);
            if bits >> 10 & 1 == 1 { power.wrapping_neg().clamp(lo, hi) } else { power.clamp(lo, hi) }
        }
        14 => match near(bits, lo, hi, dictionary) {
            Some(known) => known,
            None => origin(lo, hi),
        },
        _ => origin(lo, hi),
    }
}

/// A number of the code that lies in a range or beside it, or a neighbour of one; none where there is none. The dictionary is in order.
#[inline]
pub(super) fn near(bits: u64, lo: i64, hi: i64, dictionary: &[i64]) -> Option<i64> {
    let from = dictionary.partition_point(|known| *known < lo.saturating_sub(1));
    let to = dictionary.partition_point(|known| *known <= hi.saturating_add(1));
    let count = to.saturating_sub(from) as u64;
    let known = *dictionary.get(from..to)?.get((((bits & 0xffff_ffff) * count) >> 32) as usize)?;
    Some(known.saturating_add((bits >> 32 & 3) as i64 % 3 - 1).clamp(lo, hi))
}

/// A length: short ones, the two ends and sizes that the code speaks of more often.
#[inline]
pub(super) fn length(rng: &mut Rng, lo: i64, hi: i64, dictionary: &[i64]) -> i64 {
    match rng.below(8) {
        0 => lo + rng.below((hi - lo).clamp(0, 2) as u64 + 1) as i64,
        1 => hi,
        5 if hi - lo > 16 => match near(rng.bits(), lo, hi, dictionary) {
            Some(known) => known,
            None => rng.range(lo, hi),
        },
        2..=4 if hi - lo > 16 => lo + rng.below(16) as i64,
        _ => rng.range(lo, hi),
    }
}

/// Brings a double back into a range.
pub(crate) fn clamp(value: f64, lo: f64, hi: f64) -> f64 {
    if value.is_nan() { lo } else { value.max(lo).min(hi) }
}

/// A biased double.
pub(super) fn float(rng: &mut Rng, lo: f64, hi: f64, dictionary: &[i64]) -> f64 {
    let value = match rng.below(16) {
        0 => 0.0,
        1 => lo,
        2 => hi,
        3..=5 => rng.range(-10, 10) as f64,
        6 => rng.range(-20, 20) as f64 / 4.0,
        7 => {
            // Any magnitude.
            let magnitude = 10f64.powf(rng.unit() * 24.0 - 12.0);
            if rng.one_in(2) { magnitude } else { -magnitude }
        }
        8 if !dictionary.is_empty() => {
            // A range of doubles is one of whole numbers too, as far as these go.
            let known = near(rng.bits(), lo as i64, hi as i64, dictionary);
            known.map_or(hi, |known| known as f64)
        }
        // Halves first: `hi - lo` may overflow.
        _ => lo + (hi / 2.0 - lo / 2.0) * 2.0 * rng.unit(),
    };
    clamp(if value.is_finite() { value } else { 0.0 }, lo, hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_range_has_its_lower_end() {
        assert_eq!((origin(5, 2), bring(9, 5, 2), bring(i64::MIN, 5, 2)), (5, 5, 5));
        assert_eq!((origin(-9, -3), bring(7, -9, -3)), (-3, -3));
    }

    #[test]
    fn numbers_of_the_code_are_drawn_where_they_fit() {
        let mut rng = Rng::new(4);
        let dictionary = [-70_000, 480, 777, 90_000];
        let drawn: Vec<i64> = (0..4000).map(|_| int(&mut rng, 0, 1000, &dictionary)).collect();
        assert!([479, 480, 481, 776, 777, 778].iter().all(|known| drawn.contains(known)), "{drawn:?}");
        assert!((0..400).any(|_| length(&mut rng, 0, 600, &dictionary) == 480));
    }

    #[test]
    fn extreme_ranges_stay_in_range() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            int(&mut rng, i64::MIN, i64::MAX, &[5]);
            assert_eq!(int(&mut rng, 7, 7, &[]), 7);
            let small = int(&mut rng, -3, 9, &[i64::MAX]);
            assert!((-3..=9).contains(&small));
            assert!(float(&mut rng, f64::MIN, f64::MAX, &[5]).is_finite());
            assert!((2.0..=3.0).contains(&float(&mut rng, 2.0, 3.0, &[])));
            assert!((0..=1000).contains(&length(&mut rng, 0, 1000, &[64])));
        }
    }
}
