//! A small seeded generator (SplitMix64 seeding xoshiro256++), so that every case can be made again from its seed.

/// A deterministic source of random numbers; not for cryptography.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Rng {
        let mut splitmix = seed;
        let mut next = || {
            splitmix = splitmix.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = splitmix;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Rng { state: [next(), next(), next(), next()] }
    }

    /// An independent generator for the `index`-th piece of work under this seed.
    pub fn fork(seed: u64, index: u64) -> Rng {
        Rng::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(17))
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `bound` (0 for a bound of 0), nearly uniform (multiply-shift).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A number in `lo..=hi`, uniform.
    #[inline]
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        let span = (hi as u64).wrapping_sub(lo as u64);
        let offset = if span == u64::MAX { self.bits() } else { self.below(span + 1) };
        (lo as u64).wrapping_add(offset) as i64
    }

    /// A double in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True in one of `n` cases.
    #[inline]
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_nothing_else() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[(rng.range(-2, 2) + 2) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
        assert_eq!(rng.range(i64::MIN, i64::MIN), i64::MIN);
        rng.range(i64::MIN, i64::MAX);
    }

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let draw =
            |seed| (0..4).map(|_| 0).scan(Rng::new(seed), |rng, _: i32| Some(rng.bits())).collect::<Vec<_>>();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
