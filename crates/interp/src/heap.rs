//! The heap shadow of the checked build: what each byte of memory may be used for, as the allocator's notices say. User code that touches a forbidden
//! byte ends as in AddressSanitizer (Serebryany et al., 2012); the rules are the other engine's, to the byte.

use crate::memory::Pages;
use crate::trap::Trap;

/// Just before or behind a block.
const RED: u8 = 1;
/// In a freed block.
const FREED: u8 = 2;
/// In a live block.
const LIVE: u8 = 4;

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

    /// Refuses an access to a forbidden byte.
    pub fn check(&self, address: u64, width: u64) -> Result<(), Trap> {
        let end = (address + width).min(self.0.len());
        let forbidden = |at: u64| at < self.0.len() && self.0.get(at) & (RED | FREED) != 0;
        if !forbidden(address) && !forbidden(address + width - 1) {
            return Ok(());
        }
        for at in address..end {
            match self.0.get(at) {
                RED => return Err(Trap::HeapOverrun),
                FREED => return Err(Trap::UseAfterFree),
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
