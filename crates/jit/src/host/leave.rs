//! What the host has to do with leaving calls from the inside: remembering where something was thrown, and saying that nobody caught it. The rest is done in
//! the module ([`crate::unwind`]).

use twinrun_base::CrashKind;
use twinrun_base::abi::MODULE;
use wasmtime::{Caller, Linker, Result, WasmBacktrace};

use crate::state::{End, State, slice, split};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "thrown", |mut caller: Caller<'_, State>| {
        let stack = WasmBacktrace::force_capture(&caller);
        caller.data_mut().thrown = Some(stack);
    })?;
    linker.func_wrap(
        MODULE,
        "uncaught",
        |caller: Caller<'_, State>, text: i32, length: i32| -> Result<()> {
            end(caller, CrashKind::Exception, text, length)
        },
    )?;
    linker.func_wrap(
        MODULE,
        "unsupported",
        |caller: Caller<'_, State>, text: i32, length: i32| -> Result<()> {
            end(caller, CrashKind::Unsupported, text, length)
        },
    )?;
    linker.func_wrap(MODULE, "open_runs", |caller: Caller<'_, State>| caller.data().open as i32)?;
    // Answered in the module; a module without functions of its own calls nothing.
    linker.func_wrap(MODULE, "unwind", || {})?;
    linker.func_wrap(MODULE, "caught", || 0i32)?;
    Ok(())
}

fn end(mut caller: Caller<'_, State>, kind: CrashKind, text: i32, length: i32) -> Result<()> {
    let (memory, _) = split(&mut caller);
    let text = String::from_utf8_lossy(slice(memory, text, length)?).into_owned();
    Err(caller.data_mut().stop(End::Crash(kind, text, None)))
}
