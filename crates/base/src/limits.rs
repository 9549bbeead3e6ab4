//! Limits on what a run may do, the same in both engines.

use serde::{Deserialize, Serialize};

/// Limits of one group. Reaching one is a verdict, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Back-edges and calls in one group; beyond it the verdict is `timeout`.
    pub work: u64,
    /// Bytes of linear memory; beyond it the verdict is `crashed`.
    pub memory: u64,
    /// Bytes written to stdout, stderr and files together.
    pub output: u64,
    /// Calls that may be open at once.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 10_000_000, memory: 256 << 20, output: 16 << 20, depth: 10_000 }
    }
}
