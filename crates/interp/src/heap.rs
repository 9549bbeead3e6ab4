//! The heap shadow of the checked build: what each byte of memory may be used for, as the allocator's notices say. User code that touches a forbidden
//! byte ends as in AddressSanitizer (Serebryany et al., 2012); the rules are the other engine's, to the byte.

use crate::memory::{PAGE, Pages};
use crate::trap::Trap;

/// Just before or behind a block.
const RED: u8 = 1;
/// In a freed block.
const FREED: u8 = 2;
/// In a live block.
const LIVE: u8 = 4;
/// Forbidden on one of two paths that were joined.
const UNSURE: u8 = 8;

/// How far around a block the bytes are forbidden, as long as no other block lies there.
const ZONE: u64 = 16;

/// A notice of the allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A block is now valid.
    Alloc,
    /// A block is now freed.
    Free,
}

/// The shadow of one memory.
#[derive(Clone, Debug)]
pub struct Heap(Pages<u8>);

impl Default for Heap {
    fn default() -> Heap {
        Heap(Pages::new(0))
    }
}

impl Heap {
    /// Enters a notice.
    pub fn enter(&mut self, notice: Notice, block: u32, size: u32) {
        let (start, end) = (u64::from(block), u64::from(block) + u64::from(size));
        self.0.grow(end + ZONE);
        match notice {
            Notice::Free => {
                self.0.fill(start, end - start, FREED);
            }
            Notice::Alloc => {
                self.0.fill(start, end - start, LIVE);
                for at in (start.saturating_sub(ZONE)..start).chain(end..end + ZONE) {
                    if self.0.get(at) != LIVE {
                        self.0.set(at, RED);
                    }
                }
            }
        }
    }

    /// Joins it with the heap of another path: what only one of them forbids is not known any more.
    pub fn join(&mut self, other: &Heap) {
        self.0.grow(other.0.len());
        let pages: Vec<usize> = self.0.changed_pages(&other.0).collect();
        for at in pages.into_iter().flat_map(|page| page * PAGE..(page + 1) * PAGE) {
            let at = at as u64;
            let (mine, theirs) = (self.0.get(at), if at < other.0.len() { other.0.get(at) } else { 0 });
            let forbids = |byte: u8| byte & (RED | FREED) != 0;
            if mine == theirs || (forbids(mine) && forbids(theirs)) {
                continue;
            }
            let unsure = forbids(mine) || forbids(theirs) || (mine | theirs) & UNSURE != 0;
            self.0.set(at, if unsure { UNSURE } else { LIVE });
        }
    }

    /// Refuses an access to a forbidden byte.
    pub fn check(&self, address: u64, width: u64) -> Result<(), Trap> {
        let end = (address + width).min(self.0.len());
        let forbidden = |at: u64| at < self.0.len() && self.0.get(at) & (RED | FREED | UNSURE) != 0;
        if !forbidden(address) && !forbidden(address + width - 1) {
            return Ok(());
        }
        for at in address..end {
            match self.0.get(at) {
                RED => return Err(Trap::HeapOverrun),
                FREED => return Err(Trap::UseAfterFree),
                UNSURE => return Err(Trap::Domain),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_zones_never_cover_a_live_neighbour() {
        let mut heap = Heap::default();
        heap.enter(Notice::Alloc, 64, 8);
        heap.enter(Notice::Alloc, 80, 8);
        assert_eq!(heap.check(64, 8), Ok(()));
        assert_eq!(heap.check(68, 8), Err(Trap::HeapOverrun));
        assert_eq!(heap.check(80, 8), Ok(()));
        heap.enter(Notice::Free, 64, 8);
        assert_eq!(heap.check(71, 1), Err(Trap::UseAfterFree));
    }
}
