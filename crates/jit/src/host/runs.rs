//! Where runs begin and end, and what was recorded in between.

use twinrun_base::abi::MODULE;
use wasmtime::{Caller, Linker, Result};

use crate::config::Config;
use crate::direct::{self, EDIT};
use crate::isolate;
use crate::layout::{Layout, NEXT};
use crate::observe::RunRecord;
use crate::state::{End, State, split_control};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "run_begin", run_begin)?;
    linker.func_wrap(MODULE, "run_end", run_end)?;
    linker.func_wrap(MODULE, "assume", assume)?;
    linker.func_wrap(MODULE, EDIT, |caller: Caller<'_, State>| {
        caller.data().compiled.0.active.load(std::sync::atomic::Ordering::Relaxed) as i32
    })?;
    Ok(())
}

/// A run inside a run belongs to the outer one.
fn run_begin(mut caller: Caller<'_, State>) {
    caller.data_mut().open += 1;
    if caller.data().open > 1 {
        return;
    }
    if caller.data().compiled.config().isolate {
        isolate::begin(&mut caller);
    }
    let Some((control, state)) = split_control(&mut caller) else { return };
    let record = state.observation.start();
    record.run.given.append(&mut state.given);
    let inner = &state.compiled.0;
    reset(control, &inner.rewritten.layout, &inner.config);
}

fn run_end(mut caller: Caller<'_, State>) {
    match caller.data().open {
        0 => return,
        1 => finish(&mut caller),
        _ => {}
    }
    caller.data_mut().open -= 1;
}

/// Takes over what the open run has recorded.
fn finish(caller: &mut Caller<'_, State>) {
    if let Some((control, state)) = split_control(caller) {
        let inner = &state.compiled.0;
        if let Some(record) = state.observation.last()
            && record.program.is_none()
        {
            collect(control, &inner.rewritten.layout, &inner.config, record);
        }
    }
    if caller.data().compiled.config().isolate {
        isolate::end(caller);
    }
}

fn assume(mut caller: Caller<'_, State>, condition: i32) -> Result<()> {
    if condition != 0 { Ok(()) } else { Err(caller.data_mut().stop(End::Discard)) }
}

/// Forgets what was recorded so far.
pub(crate) fn reset(control: &mut [u8], layout: &Layout, config: &Config) {
    if config.coverage {
        control[layout.coverage as usize..][..layout.blocks as usize].fill(0);
    }
    if config.counts {
        control[layout.counts as usize..][..4 * layout.edges as usize].fill(0);
    }
    if config.trace {
        control[NEXT as usize..][..4].fill(0);
    }
}

/// Adds what was recorded to the record of a run.
pub(crate) fn collect(control: &mut [u8], layout: &Layout, config: &Config, record: &mut RunRecord) {
    if config.coverage {
        record.covered.read(&control[layout.coverage as usize..layout.counts as usize]);
    }
    if config.counts {
        let counts = control[layout.counts as usize..][..4 * layout.edges as usize].chunks_exact(4);
        record.counts.clear();
        record
            .counts
            .extend(counts.map(|count| u32::from_le_bytes([count[0], count[1], count[2], count[3]])));
    }
    if config.trace {
        take_trace(control, layout, &mut record.trace);
    }
}

/// Moves the trace buffer to the end of a trace.
fn take_trace(control: &mut [u8], layout: &Layout, trace: &mut Vec<u32>) {
    let next = &mut control[NEXT as usize..][..4];
    let length = u32::from_le_bytes([next[0], next[1], next[2], next[3]]) as usize;
    next.fill(0);
    let events = control[layout.trace as usize..][..length].chunks_exact(4);
    trace.extend(events.map(|event| u32::from_le_bytes([event[0], event[1], event[2], event[3]])));
}

/// All slots for runs are used.
pub(super) fn drain(mut caller: Caller<'_, State>) {
    let Some((control, state)) = split_control(&mut caller) else { return };
    direct::drain(control, &state.compiled.0.rewritten.layout, &mut state.observation);
}

/// The trace buffer is full. Outside runs, its content is nobody's.
pub(super) fn flush(mut caller: Caller<'_, State>) {
    let Some((control, state)) = split_control(&mut caller) else { return };
    let layout = state.compiled.0.rewritten.layout;
    match state.observation.last() {
        Some(record) if state.open > 0 && record.program.is_none() => {
            take_trace(control, &layout, &mut record.trace);
        }
        _ => control[NEXT as usize..][..4].fill(0),
    }
}
