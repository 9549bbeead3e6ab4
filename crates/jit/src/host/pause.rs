//! Where counted work is looked at: is the limit reached, did a cut come?

use twinrun_base::cut;
use wasmtime::{Caller, Result, Trap};

use crate::layout::{PAUSE, WORK};
use crate::state::{End, State, split_control};

pub(super) fn pause(mut caller: Caller<'_, State>) -> Result<()> {
    let (limit, slice) = {
        let compiled = &caller.data().compiled;
        (compiled.config().limits.work, compiled.0.analysis.slice())
    };
    let Some((control, state)) = split_control(&mut caller) else { return Ok(()) };
    let work = u64::from_le_bytes(control[WORK as usize..][..8].try_into().unwrap_or_default());
    if work > limit {
        // What the instrumentation itself would do; the counter tells why.
        return Err(Trap::UnreachableCodeReached.into());
    }
    if cut::is_requested() {
        return Err(state.stop(End::Cut));
    }
    let next = work.saturating_add(slice).min(limit);
    control[PAUSE as usize..][..8].copy_from_slice(&next.to_le_bytes());
    Ok(())
}
