//! Sets of small numbers: the blocks that a run touched.

/// A set of block indices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Whether `index` is in the set.
    pub fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Adds an index.
    pub fn insert(&mut self, index: usize) {
        if self.0.len() <= index / 64 {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Adds all of another set, and says whether any was new.
    pub fn union_with(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = 0;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            new |= theirs & !*mine;
            *mine |= theirs;
        }
        new != 0
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit)
        })
    }

    /// The set as words of 64 bits, lowest first; trailing words may be zero.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Forgets all, keeping the space.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes over a map with one byte (0 or 1) for each index, filled up with zeros to a multiple of 64.
    pub(crate) fn read(&mut self, map: &[u8]) {
        self.0.clear();
        for chunk in map.as_chunks::<64>().0 {
            let mut word = 0;
            for (index, eight) in chunk.as_chunks::<8>().0.iter().enumerate() {
                // Gathers the lowest bit of each byte, byte 0 first.
                let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                word |= bits << (8 * index);
            }
            self.0.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_map_becomes_a_set() {
        let map: Vec<u8> =
            (0..192).map(|index| u8::from(index < 150 && (index % 7 == 3 || index == 149))).collect();
        let mut bits = Bits::default();
        bits.read(&map);
        let expected: Vec<usize> = (0..150).filter(|index| map[*index] == 1).collect();
        assert_eq!(bits.iter().collect::<Vec<_>>(), expected);
        assert_eq!(bits.count(), expected.len());
        let mut union = Bits::default();
        assert!(union.union_with(&bits) && !union.union_with(&bits));
        assert!(union.contains(149) && !union.contains(148));
    }
}
