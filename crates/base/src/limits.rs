//! Limits on what a run may do, the same in both engines.

use serde::{Deserialize, Serialize};

/// Limits of one group. Reaching one is a verdict, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Work in one group, counted in all code: one unit when the body of a function begins (calls of imports count nothing),
    /// and one when the body of a `loop` begins, on entering it and on every back-edge. The unit that exceeds the limit makes
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
