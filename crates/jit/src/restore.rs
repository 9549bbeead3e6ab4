//! The snapshot after `_initialize`, and bringing an instance back to it.
//!
//! Restored are: the part of the stack below its low-water mark, every granule that a store outside its own frame was marked
//! for, what the host wrote, and mutable globals. A memory that has grown cannot shrink, and tables and dropped segments are
//! not recorded: then a fresh instance takes over ([`crate::instance`]).

use std::ops::Range;

use wasmtime::{AsContextMut, Global, Memory, Mutability, Val};

use crate::analysis::Analysis;
use crate::layout::{LOW, Layout};
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
            let position = analysis.mutable_globals.iter().position(|global| *global == stack.global)?;
            Some((stack.end as usize, values[position].i32()? as u32 as usize))
        });
        let (end, top) = stack.unwrap_or((0, 0));
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

/// Brings memory and globals back to the snapshot, and says whether static data had changed. The memory has not grown.
pub(crate) fn restore(
    store: &mut impl AsContextMut<Data = State>,
    places: &mut Places,
    snapshot: &Snapshot,
    layout: &Layout,
) -> bool {
    let mut changed = false;
    if let (Some(memory), Some(dirty)) = (places.memory, places.dirty) {
        let granules = snapshot.memory.len() >> layout.shift;
        let map = dirty.data_mut(&mut *store);
        places.marked.clear();
        sweep(&mut map[..granules], &mut places.marked);
        let ordinary = places.marked.len();
        sweep(&mut map[layout.granules as usize..][..granules], &mut places.marked);

        let control = places.control.data(&*store);
        let low = i32::from_le_bytes(control[LOW as usize..][..4].try_into().unwrap_or_default());
        let (memory, state) = memory.data_and_store_mut(&mut *store);
        let top = snapshot.top as usize;
        let low = (low.max(0) as usize).min(top);
        memory[low..top].copy_from_slice(&snapshot.memory[low..top]);
        for (index, granule) in places.marked.iter().enumerate() {
            let start = (*granule as usize) << layout.shift;
            let end = (start + (1 << layout.shift) + CROSSING).min(memory.len());
            changed |= put_back(memory, snapshot, start..end) && index < ordinary;
        }
        for (start, length) in state.touched.drain(..) {
            let start = (start as usize).min(memory.len());
            let end = start.saturating_add(length as usize).min(memory.len());
            changed |= put_back(memory, snapshot, start..end);
        }
    } else {
        store.as_context_mut().data_mut().touched.clear();
    }
    for (global, value) in places.globals.iter().zip(&snapshot.globals) {
        put_back_global(store, global, value);
    }
    changed
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

fn put_back_global(store: &mut impl AsContextMut<Data = State>, global: &Global, value: &Val) {
    let now = global.get(&mut *store);
    let same = match (&now, value) {
        (Val::I32(now), Val::I32(then)) => now == then,
        (Val::I64(now), Val::I64(then)) => now == then,
        (Val::F32(now), Val::F32(then)) => now == then,
        (Val::F64(now), Val::F64(then)) => now == then,
        _ => false,
    };
    if !same && global.ty(&mut *store).mutability() == Mutability::Var {
        // The type is that of the snapshot, so setting cannot fail.
        let _ = global.set(store, *value);
    }
}

/// Clears marks and collects their indices.
fn sweep(map: &mut [u8], marked: &mut Vec<u32>) {
    const STEP: usize = 64;
    for (step, marks) in map.chunks_mut(STEP).enumerate() {
        if marks.iter().fold(0, |any, mark| any | mark) != 0 {
            for (index, mark) in marks.iter_mut().enumerate() {
                if std::mem::take(mark) != 0 {
                    marked.push((step * STEP + index) as u32);
                }
            }
        }
    }
}
