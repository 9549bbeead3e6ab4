//! Limits on what a run may do, the same in both engines.

use serde::{Deserialize, Serialize};

/// Bytes that an instruction on a range of memory (fill, copy, init) moves for one unit of work: 2 to this power.
pub const BYTES_SHIFT: u32 = 6;
/// The same for entries of tables.
pub const ENTRIES_SHIFT: u32 = 3;
/// The work of a page by which a memory grows: less than filling it, because new pages cost only when they are used, and the limit of memory bounds
/// them.
pub const PAGE_WORK: u64 = 64;

/// Work between two looks at whether a cut came, where the longest function has so many instructions: a slice takes a fraction of a second
/// also where nearly all of it lies between two units.
pub fn slice(instructions: usize, most: u64) -> u64 {
    ((1 << 27) / instructions.max(1) as u64).clamp(16, most)
}

/// Limits of one group. Reaching one is a verdict, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Work in one group, counted in all code: one unit when the body of a function begins (calls of imports count nothing),
    /// and one when the body of a `loop` begins, on entering it and on every back-edge; instructions on ranges cost by their
    /// length, one unit for 64 bytes or 8 entries of a table, once they have succeeded. The unit that exceeds the limit makes
    /// the verdict `timeout`. What initialisation did does not count; a whole program counts in the group that runs it.
    pub work: u64,
    /// Bytes of linear memory; beyond it the verdict is `crashed`.
    pub memory: u64,
    /// Bytes written to stdout, stderr and files together.
    pub output: u64,
    /// Functions of the module that may be open at once, the relation's own included; one more is a stack overflow.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 10_000_000, memory: 256 << 20, output: 16 << 20, depth: 10_000 }
    }
}
