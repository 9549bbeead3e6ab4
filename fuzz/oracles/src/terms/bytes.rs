//! Choices from bytes; behind the end all of them are the first.

pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes(data)
    }

    /// The choices from here on once more.
    pub(super) fn again(&self) -> Bytes<'a> {
        Bytes(self.0)
    }

    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub(super) fn below(&mut self, limit: u8) -> u8 {
        self.next() % limit
    }

    pub(super) fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.next()))
    }

    pub(super) fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.next()) % from.len()]
    }
}
