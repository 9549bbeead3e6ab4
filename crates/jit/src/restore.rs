//! The snapshot after `_initialize`, and bringing an instance back to it.
//!
//! Restored are: the part of the stack below its low-water mark, every granule that a store outside its own frame was marked
//! for, and what the host wrote; mutable globals are set when the next group starts. A memory that has grown cannot shrink, and tables and dropped segments are
//! not recorded: then a fresh instance takes over ([`crate::instance`]).

use std::ops::Range;

use wasmtime::{AsContextMut, Global, Memory, Val};

use crate::analysis::Analysis;
use crate::direct::word;
use crate::layout::{ALLOCATED, GLOBALS, LOW, Layout, SLOT};
use crate::state::State;

/// A range of addresses.
pub(crate) type Region = Range<usize>;

/// Memory and globals of a module after `_initialize`.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) memory: Vec<u8>,
    pub(crate) globals: Vec<Val>,
    /// Where the stack begins (it grows down).
    pub(crate) top: u32,
    /// Static data: below the heap and outside the stack.
    pub(crate) statics: Vec<Region>,
}

/// A store may write up to so many bytes behind the granule of its address.
const CROSSING: usize = 15;

impl Snapshot {
    pub(crate) fn take(
        store: &mut impl AsContextMut<Data = State>,
        memory: Option<Memory>,
        globals: &[Global],
        analysis: &Analysis,
    ) -> Snapshot {
        let values: Vec<Val> = globals.iter().map(|global| global.get(&mut *store)).collect();
        let memory = memory.map(|memory| memory.data(&*store).to_vec()).unwrap_or_default();
        let stack = analysis.stack.and_then(|stack| {
            let position = analysis.mutable_globals.iter().position(|(global, _)| *global == stack.global)?;
            Some((stack.end as usize, values[position].i32()? as u32 as usize))
        });
        // A hostile module may say that its stack begins beyond its memory.
        let (end, top) = stack.map_or((0, 0), |(end, top)| (end.min(memory.len()), top.min(memory.len())));
        // Without a heap base, the stack's top is where clang puts the heap, unless data lie above it.
        let last = analysis.heap_base.map_or(memory.len(), |base| (base as usize).min(memory.len()));
        let statics = [0..end.min(last), top.min(last)..last];
        Snapshot {
            memory,
            globals: values,
            top: top as u32,
            statics: statics.into_iter().filter(|region| !region.is_empty()).collect(),
        }
    }
}

/// What a restore needs to reach.
pub(crate) struct Places {
    pub(crate) memory: Option<Memory>,
    pub(crate) control: Memory,
    pub(crate) dirty: Option<Memory>,
    /// Mutable globals.
    pub(crate) globals: Vec<Global>,
    /// Marked granules, ordinary ones first; reused space.
    pub(crate) marked: Vec<u32>,
}

/// What the control memory says about the memory that was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The lowest stack pointer.
    low: i32,
    /// Whether a function of the allocator has run.
    allocated: bool,
}

impl Extent {
    pub(crate) fn read(control: &[u8]) -> Extent {
        Extent { low: word(control, LOW) as i32, allocated: word(control, ALLOCATED) != 0 }
    }
}

/// Brings memory back to the snapshot (globals are set when the next group starts: [`crate::rewrite`]), and says whether
/// static data had changed; `None` where the memory has grown and cannot be brought back.
pub(crate) fn restore(
    store: &mut impl AsContextMut<Data = State>,
    places: &mut Places,
    snapshot: &Snapshot,
    layout: &Layout,
    Extent { low, allocated }: Extent,
) -> Option<bool> {
    let mut changed = false;
    if let (Some(memory), Some(dirty)) = (places.memory, places.dirty) {
        let granules = snapshot.memory.len() >> layout.shift;
        let map = dirty.data_mut(&mut *store);
        places.marked.clear();
        sweep(&mut map[..granules], &mut places.marked);
        let ordinary = places.marked.len();
        if allocated {
            sweep(&mut map[layout.granules as usize..][..granules], &mut places.marked);
        }

        let (memory, state) = memory.data_and_store_mut(&mut *store);
        if memory.len() != snapshot.memory.len() {
            return None;
        }
        let top = snapshot.top as usize;
        let low = (low.max(0) as usize).min(top);
        memory[low..top].copy_from_slice(&snapshot.memory[low..top]);
        for (index, granule) in places.marked.iter().enumerate() {
            let start = (*granule as usize) << layout.shift;
            let end = (start + (1 << layout.shift) + CROSSING).min(memory.len());
            // What lies in the used part of the stack is back already.
            for region in [start..end.min(low), start.max(top)..end] {
                changed |= !region.is_empty() && put_back(memory, snapshot, region) && index < ordinary;
            }
        }
        for (start, length) in state.touched.drain(..) {
            let start = (start as usize).min(memory.len());
            let end = start.saturating_add(length as usize).min(memory.len());
            if start < low || end > top {
                changed |= put_back(memory, snapshot, start..end);
            }
        }
    } else {
        store.as_context_mut().data_mut().touched.clear();
    }
    Some(changed)
}

/// Where the functions that start relations find the values of globals.
pub(crate) fn keep_globals(control: &mut [u8], snapshot: &Snapshot) {
    for (value, slot) in
        snapshot.globals.iter().zip(control[GLOBALS as usize..].chunks_exact_mut(SLOT as usize))
    {
        match value {
            Val::I32(value) => slot[..4].copy_from_slice(&value.to_le_bytes()),
            Val::I64(value) => slot[..8].copy_from_slice(&value.to_le_bytes()),
            Val::F32(value) => slot[..4].copy_from_slice(&value.to_le_bytes()),
            Val::F64(value) => slot[..8].copy_from_slice(&value.to_le_bytes()),
            Val::V128(value) => slot.copy_from_slice(&value.as_u128().to_le_bytes()),
            _ => {}
        }
    }
}

/// Copies a region back, and says whether static data in it differed.
fn put_back(memory: &mut [u8], snapshot: &Snapshot, region: Region) -> bool {
    let changed = snapshot.statics.iter().any(|statics| {
        let (start, end) = (region.start.max(statics.start), region.end.min(statics.end));
        start < end && memory[start..end] != snapshot.memory[start..end]
    });
    memory[region.clone()].copy_from_slice(&snapshot.memory[region]);
    changed
}

/// Clears marks and collects their indices.
fn sweep(map: &mut [u8], marked: &mut Vec<u32>) {
    const STEP: usize = 64;
    let (steps, rest) = map.as_chunks_mut::<STEP>();
    let first = steps.len() * STEP;
    for (step, marks) in steps.iter_mut().enumerate() {
        let (words, _) = marks.as_chunks_mut::<8>();
        if words.iter().fold(0, |any, word| any | u64::from_ne_bytes(*word)) == 0 {
            continue;
        }
        for (index, word) in words.iter_mut().enumerate() {
            // A mark is 1; the lowest byte is the first granule.
            let mut left = u64::from_le_bytes(*word);
            *word = [0; 8];
            while left != 0 {
                let byte = left.trailing_zeros() / 8;
                marked.push((step * STEP + index * 8) as u32 + byte);
                left &= !(0xff << (8 * byte));
            }
        }
    }
    for (index, mark) in rest.iter_mut().enumerate() {
        if std::mem::take(mark) != 0 {
            marked.push((first + index) as u32);
        }
    }
}
