//! The heap shadow of the checked build: what each byte of memory may be used for, as the allocator's notices say.

/// Nothing is known about the byte: not on the heap, or between blocks.
const UNKNOWN: u8 = 0;
/// Just before or behind a block.
const RED: u8 = 1;
/// In a freed block.
const FREED: u8 = 2;
/// In a live block.
const LIVE: u8 = 4;

/// A byte with one of these bits must not be touched by user code.
pub(crate) const FORBIDDEN: u8 = RED | FREED;

/// How far around a block the bytes are forbidden, as long as no other block lies there.
const ZONE: usize = 16;

/// A notice of the allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    Alloc,
    Free,
}

/// What is wrong with touching a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    Overrun,
    AfterFree,
}

/// Enters a notice into the shadow.
pub(crate) fn enter(shadow: &mut [u8], notice: Notice, block: u32, size: u32) {
    let start = (block as usize).min(shadow.len());
    let end = start.saturating_add(size as usize).min(shadow.len());
    match notice {
        Notice::Free => shadow[start..end].fill(FREED),
        Notice::Alloc => {
            shadow[start..end].fill(LIVE);
            let (before, behind) = (start.saturating_sub(ZONE)..start, end..(end + ZONE).min(shadow.len()));
            for range in [before, behind] {
                for byte in &mut shadow[range] {
                    if *byte != LIVE {
                        *byte = RED;
                    }
                }
            }
        }
    }
}

/// Forgets everything that notices for this block may have entered.
pub(crate) fn forget(shadow: &mut [u8], block: u32, size: u32) {
    let start = (block as usize).saturating_sub(ZONE).min(shadow.len());
    let end = (block as usize).saturating_add(size as usize + ZONE).min(shadow.len());
    shadow[start..end.max(start)].fill(UNKNOWN);
}

/// What is wrong with an access, if anything.
pub(crate) fn misuse(shadow: &[u8], address: u32, width: u32) -> Option<Misuse> {
    let start = (address as usize).min(shadow.len());
    let end = start.saturating_add(width as usize).min(shadow.len());
    shadow[start..end].iter().find_map(|byte| match *byte {
        RED => Some(Misuse::Overrun),
        FREED => Some(Misuse::AfterFree),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_zones_never_cover_a_live_neighbour() {
        let mut shadow = vec![0; 256];
        enter(&mut shadow, Notice::Alloc, 64, 8);
        enter(&mut shadow, Notice::Alloc, 80, 8);
        assert_eq!(misuse(&shadow, 64, 8), None);
        assert_eq!(misuse(&shadow, 68, 8), Some(Misuse::Overrun));
        assert_eq!(misuse(&shadow, 80, 8), None);
        enter(&mut shadow, Notice::Free, 64, 8);
        assert_eq!(misuse(&shadow, 71, 1), Some(Misuse::AfterFree));
        forget(&mut shadow, 64, 8);
        forget(&mut shadow, 80, 8);
        assert!(shadow.iter().all(|byte| *byte == UNKNOWN));
    }
}
