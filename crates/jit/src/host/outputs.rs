//! Labelled values: what a run is given and what it gave. Written down only on request.

use twinrun_base::abi::MODULE;
use twinrun_base::{IntKind, Value};
use wasmtime::{Caller, Linker, Result};

use super::inputs::text_of;
use crate::observe::Detail;
use crate::state::{State, slice, split};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    for (prefix, given) in [("given", true), ("output", false)] {
        linker.func_wrap(
            MODULE,
            &format!("{prefix}_int"),
            move |mut caller: Caller<'_, State>, name: i32, length: i32, value: i64| {
                note(&mut caller, given, (name, length), |_| Ok(Value::Int(value)))
            },
        )?;
        linker.func_wrap(
            MODULE,
            &format!("{prefix}_float"),
            move |mut caller: Caller<'_, State>, name: i32, length: i32, value: f64| {
                note(&mut caller, given, (name, length), |_| Ok(Value::Float(value)))
            },
        )?;
        linker.func_wrap(
            MODULE,
            &format!("{prefix}_ints"),
            move |mut caller: Caller<'_, State>,
                  name: i32,
                  length: i32,
                  kind: i32,
                  pointer: i32,
                  count: i32| {
                note(&mut caller, given, (name, length), |memory| ints(memory, kind, pointer, count))
            },
        )?;
        linker.func_wrap(
            MODULE,
            &format!("{prefix}_floats"),
            move |mut caller: Caller<'_, State>, name: i32, length: i32, pointer: i32, count: i32| {
                note(&mut caller, given, (name, length), |memory| floats(memory, pointer, count))
            },
        )?;
        linker.func_wrap(
            MODULE,
            &format!("{prefix}_bytes"),
            move |mut caller: Caller<'_, State>, name: i32, length: i32, pointer: i32, count: i32| {
                note(&mut caller, given, (name, length), |memory| {
                    Ok(Value::Bytes(slice(memory, pointer, count)?.to_vec()))
                })
            },
        )?;
    }
    Ok(())
}

fn note(
    caller: &mut Caller<'_, State>,
    given: bool,
    (name, length): (i32, i32),
    value: impl FnOnce(&[u8]) -> Result<Value>,
) -> Result<()> {
    if caller.data().detail != Detail::Full {
        return Ok(());
    }
    let (memory, state) = split(caller);
    let entry = (text_of(slice(memory, name, length)?).to_owned(), value(memory)?);
    match state.observation.last() {
        _ if given => state.given.push(entry),
        Some(record) => record.run.outputs.push(entry),
        // An output before any run has nobody to belong to.
        None => {}
    }
    Ok(())
}

fn ints(memory: &[u8], kind: i32, pointer: i32, count: i32) -> Result<Value> {
    let kind = IntKind::from_code(kind as u32).unwrap_or(IntKind::I32);
    let width = kind.bytes();
    let length = i32::try_from(u64::from(count as u32) * width as u64).map_err(|_| out_of_bounds())?;
    let number = |bytes: &[u8]| match kind {
        IntKind::U8 => i64::from(bytes[0]),
        IntKind::I16 => i64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
        IntKind::I64 => i64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        IntKind::U32 | IntKind::Length => i64::from(u32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        _ => i64::from(i32::from_le_bytes(bytes.try_into().unwrap_or_default())),
    };
    Ok(Value::Ints(slice(memory, pointer, length)?.chunks_exact(width).map(number).collect()))
}

fn floats(memory: &[u8], pointer: i32, count: i32) -> Result<Value> {
    let length = i32::try_from(u64::from(count as u32) * 8).map_err(|_| out_of_bounds())?;
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
    Ok(Value::Floats(slice(memory, pointer, length)?.chunks_exact(8).map(number).collect()))
}

fn out_of_bounds() -> wasmtime::Error {
    wasmtime::Trap::MemoryOutOfBounds.into()
}
