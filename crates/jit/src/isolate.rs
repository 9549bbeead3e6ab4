//! Runs that see the static data that the first one saw, to find runs that depend on each other.
//!
//! Before a run, every static byte that earlier runs changed gets back the value that it had before them; after the run,
//! bytes that this run left alone get the earlier runs' values again, because the relation may read results there. The
//! stack, the heap and the allocator's books are left alone: the relation may hold memory that a run allocated.

use wasmtime::{AsContext, Caller};

use crate::restore::Region;
use crate::state::{State, split};

/// What is known about static data between the runs of a group.
#[derive(Default)]
pub(crate) struct Isolation {
    /// Where static data lie.
    pub(crate) regions: Vec<Region>,
    /// The allocator's half of the dirty map, by 4-byte granules.
    pub(crate) dirty: Option<wasmtime::Memory>,
    pub(crate) granules: usize,
    /// The static data when the open run began.
    before: Vec<u8>,
    /// (address, value before any run) of each byte that runs changed.
    undo: Vec<(u32, u8)>,
    /// (address, value) of what was put aside for the open run.
    aside: Vec<(u32, u8)>,
}

impl Isolation {
    pub(crate) fn clear(&mut self) {
        self.undo.clear();
        self.aside.clear();
    }
}

pub(crate) fn begin(caller: &mut Caller<'_, State>) {
    let (memory, state) = split(caller);
    let isolation = &mut state.isolation;
    isolation.aside.clear();
    for (address, value) in &isolation.undo {
        let byte = &mut memory[*address as usize];
        isolation.aside.push((*address, *byte));
        *byte = *value;
        state.touched.push((*address, 1));
    }
    isolation.before.clear();
    for region in &isolation.regions {
        isolation.before.extend_from_slice(&memory[region.clone()]);
    }
}

pub(crate) fn end(caller: &mut Caller<'_, State>) {
    let mut changed = Vec::new();
    {
        let context = caller.as_context();
        let state = context.data();
        let isolation = &state.isolation;
        let (Some(memory), Some(dirty)) = (state.memory, isolation.dirty) else { return };
        let (memory, books) = (memory.data(&context), &dirty.data(&context)[isolation.granules..]);
        let mut before = &isolation.before[..];
        for region in &isolation.regions {
            let (old, rest) = before.split_at(region.len());
            before = rest;
            for (address, (old, new)) in region.clone().zip(old.iter().zip(&memory[region.clone()])) {
                if old != new && books[address >> 2] == 0 {
                    changed.push((address as u32, *old));
                }
            }
        }
    }
    let (memory, state) = split(caller);
    let isolation = &mut state.isolation;
    for (address, value) in std::mem::take(&mut isolation.aside) {
        if changed.binary_search_by_key(&address, |(address, _)| *address).is_err() {
            memory[address as usize] = value;
        }
    }
    for (address, value) in changed {
        if let Err(place) = isolation.undo.binary_search_by_key(&address, |(address, _)| *address) {
            isolation.undo.insert(place, (address, value));
        }
    }
}
