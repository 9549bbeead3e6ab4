//! The heap with red zones, a quarantine, and notices to the host, as `plain_libc.c` has it for C.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;

#[link(wasm_import_module = "twinrun")]
unsafe extern "C" {
    fn heap_alloc(block: *const u8, size: i32);
    fn heap_free(block: *const u8, size: i32);
    fn heap_error(kind: i32, block: *const u8, size: i32);
}

const OVERRUN: i32 = 0;
const WRITE_AFTER_FREE: i32 = 1;
const RED: u8 = 0xfd;
const DEAD: u8 = 0xdd;
const ZONE: usize = 16;
const QUARANTINED: usize = 64;

struct Checking {
    /// Freed blocks that wait, as a ring: the block and its layout.
    quarantine: UnsafeCell<([Option<(*mut u8, Layout)>; QUARANTINED], usize)>,
}

// SAFETY: wasm32-wasip1 has one thread.
unsafe impl Sync for Checking {}

#[global_allocator]
static ALLOCATOR: Checking = Checking { quarantine: UnsafeCell::new(([None; QUARANTINED], 0)) };

/// How many bytes stand in front of a block, and the layout of everything.
fn around(layout: Layout) -> (usize, Layout) {
    let front = layout.align().max(ZONE);
    // A size that overflows is refused by the system's allocator below.
    let size = layout.size().saturating_add(front + ZONE).min(isize::MAX as usize - front);
    (front, Layout::from_size_align(size, layout.align().max(ZONE)).unwrap_or(layout))
}

fn all(bytes: *const u8, n: usize, value: u8) -> bool {
    // SAFETY: the callers pass zones or blocks that they own.
    (0..n).all(|index| unsafe { bytes.add(index).read() } == value)
}

// SAFETY: blocks come from the system's allocator with room for both red zones; a block is given back once, with the layout that
// it was asked with, after it left the quarantine.
unsafe impl GlobalAlloc for Checking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (front, whole) = around(layout);
        // SAFETY: see above.
        unsafe {
            let start = System.alloc(whole);
            if start.is_null() {
                return start;
            }
            let block = start.add(front);
            start.write_bytes(RED, front);
            block.add(layout.size()).write_bytes(RED, ZONE);
            heap_alloc(block, layout.size() as i32);
            block
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let (front, _) = around(layout);
        // SAFETY: see above.
        unsafe {
            if !all(block.sub(front), front, RED) || !all(block.add(layout.size()), ZONE, RED) {
                heap_error(OVERRUN, block, layout.size() as i32);
            }
            heap_free(block, layout.size() as i32);
            block.write_bytes(DEAD, layout.size());
            let (ring, next) = &mut *self.quarantine.get();
            let oldest = ring[*next].replace((block, layout));
            *next = (*next + 1) % QUARANTINED;
            if let Some((block, layout)) = oldest {
                if !all(block, layout.size(), DEAD) {
                    heap_error(WRITE_AFTER_FREE, block, layout.size() as i32);
                }
                let (front, whole) = around(layout);
                System.dealloc(block.sub(front), whole);
            }
        }
    }
}
