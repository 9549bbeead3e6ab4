//! Random choices of the generator.

use twinrun_base::Rng;

/// A seeded source of choices.
#[derive(Clone, Debug)]
pub struct Dice(Rng);

impl Dice {
    /// The choices of the `index`-th relation under a seed.
    pub fn new(seed: u64, index: u64) -> Dice {
        Dice(Rng::fork(seed, index))
    }

    /// A number in `lo..=hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        self.0.range(lo, hi)
    }

    /// An index below `count`.
    pub fn index(&mut self, count: usize) -> usize {
        self.0.below(count as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.index(of.len())]
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    /// Puts items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}
