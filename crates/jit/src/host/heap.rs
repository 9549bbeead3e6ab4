//! Notices of our allocator, and heap errors.

use twinrun_base::CrashKind;
use twinrun_base::abi::{HEAP_ERRORS, MODULE};
use wasmtime::{Caller, Linker, Result};

use crate::shadow::{self, Misuse, Notice};
use crate::state::State;

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "heap_alloc", |caller: Caller<'_, State>, block: i32, size: i32| {
        notice(caller, Notice::Alloc, block, size);
    })?;
    linker.func_wrap(MODULE, "heap_free", |caller: Caller<'_, State>, block: i32, size: i32| {
        notice(caller, Notice::Free, block, size);
    })?;
    linker.func_wrap(MODULE, "heap_error", error)?;
    Ok(())
}

fn notice(mut caller: Caller<'_, State>, notice: Notice, block: i32, size: i32) {
    if !caller.data().compiled.config().heap_checks {
        return;
    }
    let shadow = match caller.data().shadow {
        Some(shadow) => Some(shadow),
        None => caller.get_export("twinrun:heap").and_then(wasmtime::Extern::into_memory),
    };
    if let Some(memory) = shadow {
        caller.data_mut().shadow = shadow;
        let (shadow, state) = memory.data_and_store_mut(&mut caller);
        shadow::enter(shadow, notice, block as u32, size as u32);
        state.notices.push((notice, block as u32, size as u32));
    }
}

fn error(mut caller: Caller<'_, State>, kind: i32, block: i32, size: i32) -> Result<()> {
    let words = HEAP_ERRORS.get(kind as u32 as usize).copied().unwrap_or("heap error");
    let kind = match kind {
        0 => CrashKind::HeapOverrun,
        1 => CrashKind::UseAfterFree,
        _ => CrashKind::BadFree,
    };
    let message = format!("{words}: block at {:#x} of {} bytes", block as u32, size as u32);
    Err(caller.data_mut().crash(kind, message))
}

/// The rewritten code found a forbidden byte ([`crate::passes`]).
pub(super) fn fault(mut caller: Caller<'_, State>, address: i32, width: i32) -> Result<()> {
    let misuse = caller
        .data()
        .shadow
        .and_then(|shadow| shadow::misuse(shadow.data(&caller), address as u32, width as u32));
    let (kind, words) = match misuse {
        Some(Misuse::AfterFree) => (CrashKind::UseAfterFree, "use after free"),
        Some(Misuse::Overrun) => (CrashKind::HeapOverrun, "heap overrun"),
        None => return Ok(()),
    };
    let message = format!("{words}: access of {width} bytes at {:#x}", address as u32);
    Err(caller.data_mut().crash(kind, message))
}
