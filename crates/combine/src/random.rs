//! The random numbers of this crate: small, fast, and the same on every machine for one seed.

/// Xorshift64* seeded through SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator for one seed; any seed will do.
    pub fn new(seed: u64) -> Random {
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Random((mixed ^ (mixed >> 31)) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number in `0..bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = (i128::from(high) - i128::from(low) + 1).max(1) as u128;
        (i128::from(low) + ((u128::from(self.bits()) * width) >> 64) as i128) as i64
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_bounds_and_repeat_for_a_seed() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.between(-3, 4)).collect::<Vec<_>>()
        };
        assert!(draw(7).iter().all(|n| (-3..=4).contains(n)));
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
