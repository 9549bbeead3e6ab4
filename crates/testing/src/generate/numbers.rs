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
        14 if !dictionary.is_empty() => {
            let known = dictionary[(((bits & 0xffff_ffff) * dictionary.len() as u64) >> 32) as usize];
            known.saturating_add((bits >> 32 & 3) as i64 % 3 - 1).clamp(lo, hi)
        }
        _ => origin(lo, hi),
    }
}

/// A length: short ones and the two ends more often.
#[inline]
pub(super) fn length(rng: &mut Rng, lo: i64, hi: i64) -> i64 {
    match rng.below(8) {
        0 => lo + rng.below((hi - lo).clamp(0, 2) as u64 + 1) as i64,
        1 => hi,
        2..=4 if hi - lo > 16 => lo + rng.below(16) as i64,
        _ => rng.range(lo, hi),
    }
}

/// Brings a double back into a range.
pub(crate) fn clamp(value: f64, lo: f64, hi: f64) -> f64 {
    if value.is_nan() { lo } else { value.max(lo).min(hi) }
}

/// A biased double.
pub(super) fn float(rng: &mut Rng, lo: f64, hi: f64) -> f64 {
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
    fn extreme_ranges_stay_in_range() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            int(&mut rng, i64::MIN, i64::MAX, &[5]);
            assert_eq!(int(&mut rng, 7, 7, &[]), 7);
            let small = int(&mut rng, -3, 9, &[i64::MAX]);
            assert!((-3..=9).contains(&small));
            assert!(float(&mut rng, f64::MIN, f64::MAX).is_finite());
            assert!((2.0..=3.0).contains(&float(&mut rng, 2.0, 3.0)));
            assert!((0..=1000).contains(&length(&mut rng, 0, 1000)));
        }
    }
}
