//! Where instrumentation keeps its records: memories of their own, which the subject cannot address.
//!
//! The *control memory* holds the counters, the initial values of globals, then the coverage map (a byte for each block), the edge counts, the trace
//! buffer and copies of the coverage map. The *dirty map* is a memory apart with one byte for each granule of the subject's memory, twice: first for
//! ordinary stores, then for stores of the allocator. A mark for an address that no memory can have falls outside the map and
//! traps as the store itself would. The *heap shadow* (checked build) has one byte for each byte of the subject's memory.

use twinrun_base::Limits;

use crate::analysis::Analysis;
use crate::config::Config;

/// Bytes of a page of linear memory.
pub(crate) const PAGE: u64 = 65_536;

/// i64: work done.
pub(crate) const WORK: u64 = 0;
/// i32: open calls.
pub(crate) const DEPTH: u64 = 8;
/// i32: the lowest stack pointer seen.
pub(crate) const LOW: u64 = 12;
/// i32: bytes in the trace buffer.
pub(crate) const NEXT: u64 = 16;
/// i32: set when the shadow stack ran over its end.
pub(crate) const OVERRUN: u64 = 20;
/// i32: set when a function of the allocator has run.
pub(crate) const ALLOCATED: u64 = 24;
/// i64: when work exceeds it, the host is called: at the limit, and now and then before ([`crate::passes::work`]).
pub(crate) const PAUSE: u64 = 32;
/// i32: how many `run_begin` are open ([`crate::direct`]).
pub(crate) const OPEN: u64 = 40;
/// i32: slots in use.
pub(crate) const RUNS: u64 = 44;
/// i32: set while runs are recorded in slots.
pub(crate) const DIRECT: u64 = 48;
/// i32: checks that held and were answered in the module ([`crate::direct`]).
pub(crate) const CHECKS: u64 = 52;
/// i32: how many `invoke_…` are open ([`crate::unwind`]).
pub(crate) const CATCHERS: u64 = 56;
/// i32: set while calls are left from the inside.
pub(crate) const UNWINDING: u64 = 60;
/// How many runs have a slot.
pub(crate) const SLOTS: u64 = 8;
/// i32: the number of the active patch, counted from 1; 0: none.
pub(crate) const ACTIVE: u64 = 28;
/// Where the values of the mutable globals after initialisation are kept, [`SLOT`] bytes each.
pub(crate) const GLOBALS: u64 = 64;
/// Bytes for one global.
pub(crate) const SLOT: u64 = 16;

/// Bytes of the trace buffer.
const BUFFER: u64 = 1 << 16;

/// The addresses in the added memories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The index of the control memory; the dirty map and the heap shadow follow it.
    pub(crate) control: u32,
    pub(crate) coverage: u64,
    pub(crate) blocks: u64,
    pub(crate) counts: u64,
    pub(crate) edges: u64,
    pub(crate) trace: u64,
    pub(crate) trace_end: u64,
    /// Copies of the coverage map, one for each of the first runs.
    pub(crate) slots: u64,
    end: u64,
    /// log2 of the bytes of a granule.
    pub(crate) shift: u32,
    /// Granules in one half of the dirty map.
    pub(crate) granules: u64,
    /// Bytes of the heap shadow.
    pub(crate) shadow: u64,
}

impl Layout {
    pub(crate) fn new(config: &Config, analysis: &Analysis, blocks: usize, edges: usize) -> Layout {
        let align = |offset: u64| offset.next_multiple_of(64);
        let blocks = if config.coverage { blocks as u64 } else { 0 };
        let edges = if config.counts { edges as u64 } else { 0 };
        let initial = analysis.memory.unwrap_or(0);
        let coverage = align(GLOBALS + SLOT * analysis.mutable_globals.len() as u64);
        let counts = align(coverage + blocks);
        let trace = align(counts + 4 * edges);
        let trace_end = trace + if config.trace { BUFFER } else { 0 };
        let slots = align(trace_end);
        let shift = if config.isolate { 2 } else { granule(initial) };
        let most = memory_limit(&config.limits).max(initial);
        Layout {
            control: analysis.memories,
            coverage,
            blocks,
            counts,
            edges,
            trace,
            trace_end,
            slots,
            end: slots + SLOTS * (counts - coverage),
            shift,
            granules: most >> shift,
            shadow: if config.heap_checks { most } else { 0 },
        }
    }

    pub(crate) fn dirty(&self) -> u32 {
        self.control + 1
    }

    pub(crate) fn heap(&self) -> u32 {
        self.control + 2
    }

    /// The sizes of the added memories in pages.
    pub(crate) fn pages(&self) -> Vec<u64> {
        let mut pages = vec![self.end.div_ceil(PAGE).max(1), (2 * self.granules).div_ceil(PAGE)];
        if self.shadow > 0 {
            pages.push(self.shadow.div_ceil(PAGE));
        }
        pages
    }
}

/// The memory limit in whole pages, as bytes.
pub(crate) fn memory_limit(limits: &Limits) -> u64 {
    (limits.memory / PAGE * PAGE).min(1 << 32)
}

/// Small granules make restoring exact; large memories get larger ones, so that the map stays quick to scan.
fn granule(initial: u64) -> u32 {
    (8..16).find(|shift| initial >> shift <= if *shift < 10 { 512 } else { 2048 }).unwrap_or(16)
}
