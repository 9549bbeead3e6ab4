//! Shadow bytes: which bits of each byte of memory nobody has written, and where such a byte came from.

use crate::memory::{PAGE, Pages};

/// Beside each byte of memory: its undefined bits and the number of their source (see [`super::Shadowed`]).
#[derive(Clone, Debug)]
pub struct Shadow {
    undefined: Pages<u8>,
    sources: Pages<u32>,
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow { undefined: Pages::new(0), sources: Pages::new(0) }
    }
}

impl Shadow {
    /// The undefined bits of one byte and their source.
    pub fn get(&self, at: u64) -> (u8, u32) {
        if at < self.undefined.len() { (self.undefined.get(at), self.sources.get(at)) } else { (0, 0) }
    }

    /// The first byte of a range that is not fully defined.
    pub fn first_undefined(&self, at: u64, len: u64) -> Option<u64> {
        let end = (at + len).min(self.undefined.len());
        (at..end).find(|at| self.undefined.get(*at) != 0)
    }

    /// The undefined bits of a word, lowest byte first.
    #[inline(always)]
    pub(super) fn word<const N: usize>(&self, at: u64) -> u64 {
        let mut word = [0; 8];
        match self.undefined.read::<N>(at) {
            Some(bytes) => word[..N].copy_from_slice(&bytes),
            None => (0..N).for_each(|index| word[index] = self.get(at + index as u64).0),
        }
        u64::from_le_bytes(word)
    }

    /// Sets the undefined bits of a word.
    #[inline(always)]
    pub(super) fn set_word<const N: usize>(&mut self, at: u64, undefined: u64, source: u32) {
        if undefined == 0 && at >= self.undefined.len() {
            return;
        }
        let end = at + N as u64;
        if end > self.undefined.len() {
            self.grow(end);
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(&undefined.to_le_bytes()[..N]);
        self.undefined.write(at, bytes);
        if undefined != 0 {
            self.sources.write(at, [source; N]);
        }
    }

    /// Fills a range.
    pub(super) fn fill(&mut self, at: u64, len: u64, undefined: u8, source: u32) {
        if undefined == 0 {
            let end = (at + len).min(self.undefined.len());
            self.undefined.fill(at, end.saturating_sub(at), 0);
            return;
        }
        self.grow(at + len);
        self.undefined.fill(at, len, undefined);
        self.sources.fill(at, len, source);
    }

    /// Copies a range; the ranges may overlap.
    pub(super) fn copy(&mut self, to: u64, from: u64, len: u64) {
        if self.first_undefined(from, len).is_none() {
            self.fill(to, len, 0, 0);
            return;
        }
        let bytes: Vec<(u8, u32)> = (from..from + len).map(|at| self.get(at)).collect();
        self.grow(to + len);
        for (at, (undefined, source)) in (to..).zip(bytes) {
            self.undefined.set(at, undefined);
            self.sources.set(at, source);
        }
    }

    fn grow(&mut self, len: u64) {
        let len = len.next_multiple_of(PAGE as u64);
        self.undefined.grow(len);
        self.sources.grow(len);
    }
}
