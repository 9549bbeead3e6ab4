//! The module rewriter: a rewritten module behaves as the original.

use twinrun_jit::oracle::rewriting_keeps_behaviour;

use crate::smith::terminating_module;

/// The bytes make a valid module that always ends.
pub fn rewriter(data: &[u8]) {
    if let Some(bytes) = terminating_module(data)
        && let Err(difference) = rewriting_keeps_behaviour(&bytes)
    {
        panic!("{difference}");
    }
}
