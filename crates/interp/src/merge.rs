//! Joining the two sides of a branch into one state.
//!
//! The explorer suspends at a branch, clones the state, forces one outcome on each side, and lets both run to the branch's join
//! ([`crate::flow::Flow::join`]) with a [`Mark`](crate::Mark); what then differs becomes `if condition then a else b`.

use std::sync::Arc;

use crate::domain::Merge;
use crate::state::State;
use crate::trap::Trap;

/// Why two states cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// They are not at the same place, with the same calls open.
    #[error("the two sides are at different places")]
    Place,
    /// A table, a dropped segment or the set of instances differs.
    #[error("the two sides differ in tables, segments or instances")]
    Tables,
    /// The domain cannot join the memories.
    #[error("the memories cannot be joined: {0}")]
    Memory(Trap),
}

/// Joins two states that forked at a branch on `condition` and have arrived at its join: `a` is the side where the condition was not zero.
///
/// Frames below the innermost one have not run since the fork, so their registers are equal. Of the innermost frame, dead registers keep the value of `a`.
pub fn merge<D: Merge>(
    domain: &mut D,
    condition: D::Value,
    a: &State<D>,
    b: &State<D>,
) -> Result<State<D>, MergeError> {
    if a.frames != b.frames {
        return Err(MergeError::Place);
    }
    let same_tables = a.tables.len() == b.tables.len()
        && a.tables.iter().zip(&b.tables).all(|(a, b)| a.entries == b.entries);
    let same_segments = a.dropped_data == b.dropped_data && a.dropped_elements == b.dropped_elements;
    let same_links = Arc::ptr_eq(&a.linked, &b.linked) || a.linked.functions == b.linked.functions;
    if !same_tables
        || !same_segments
        || !same_links
        || a.memories.len() != b.memories.len()
        || a.globals.len() != b.globals.len()
    {
        return Err(MergeError::Tables);
    }
    let mut joined = a.clone();
    for (joined, b) in joined.globals.iter_mut().zip(&b.globals) {
        *joined = domain.merge(condition, *joined, *b);
    }
    for (joined, b) in joined.results.iter_mut().zip(&b.results) {
        *joined = domain.merge(condition, *joined, *b);
    }
    for (joined, (a, b)) in joined.memories.iter_mut().zip(a.memories.iter().zip(&b.memories)) {
        *joined = domain.merge_memory(condition, a, b).map_err(MergeError::Memory)?;
    }
    if let Some(frame) = a.frames.last()
        && let Some(code) = a.linked.clone().code(frame.function)
    {
        let flow = code.flow();
        let at_start = flow.starts().binary_search(&frame.pc).is_ok();
        for reg in 0..code.registers {
            if !at_start || flow.is_live(frame.pc, reg as u16) {
                let at = (frame.base + reg) as usize;
                joined.stack[at] = domain.merge(condition, a.stack[at], b.stack[at]);
            }
        }
    }
    joined.work = a.work.max(b.work);
    Ok(joined)
}
