//! Drawing inputs.

use std::ptr::NonNull;

use twinrun_base::abi::MODULE;
use twinrun_base::{Inputs, IntKind, OpSpec, Shape};
use wasmtime::{Caller, Linker, Result};

use crate::state::{End, State, slice, slice_mut, split};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "int", int)?;
    linker.func_wrap(MODULE, "float", float)?;
    linker.func_wrap(MODULE, "ints", ints)?;
    linker.func_wrap(MODULE, "floats", floats)?;
    linker.func_wrap(MODULE, "text", text)?;
    linker.func_wrap(MODULE, "permutation", permutation)?;
    linker.func_wrap(MODULE, "ops", ops)?;
    Ok(())
}

fn int(mut caller: Caller<'_, State>, name: i32, length: i32, kind: i32, lo: i64, hi: i64) -> Result<i64> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    let (name, kind) = (text_of(slice(memory, name, length)?), kind_of(state, kind)?);
    // SAFETY: see `provider`.
    Ok(unsafe { provider.as_mut() }.int(name, kind, lo, hi))
}

fn float(mut caller: Caller<'_, State>, name: i32, length: i32, lo: f64, hi: f64) -> Result<f64> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    // SAFETY: see `provider`.
    Ok(unsafe { provider.as_mut() }.float(text_of(slice(memory, name, length)?), lo, hi))
}

#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn ints(
    mut caller: Caller<'_, State>,
    name: i32,
    length: i32,
    kind: i32,
    out: i32,
    rows: i32,
    columns: i32,
    lo: i64,
    hi: i64,
) -> Result<()> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    let kind = kind_of(state, kind)?;
    let shape = shape(rows, columns);
    check_size(memory, shape.count() as u64 * kind.bytes() as u64)?;
    let numbers = &mut state.scratch.ints;
    numbers.clear();
    // SAFETY: see `provider`.
    unsafe { provider.as_mut() }.ints(text_of(slice(memory, name, length)?), kind, shape, lo, hi, numbers);
    let place = slice_mut(memory, &mut state.touched, out, numbers.len() * kind.bytes())?;
    put_ints(place, kind, numbers);
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn floats(
    mut caller: Caller<'_, State>,
    name: i32,
    length: i32,
    out: i32,
    rows: i32,
    columns: i32,
    lo: f64,
    hi: f64,
) -> Result<()> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    let shape = shape(rows, columns);
    check_size(memory, shape.count() as u64 * 8)?;
    let numbers = &mut state.scratch.floats;
    numbers.clear();
    // SAFETY: see `provider`.
    unsafe { provider.as_mut() }.floats(text_of(slice(memory, name, length)?), shape, lo, hi, numbers);
    let place = slice_mut(memory, &mut state.touched, out, numbers.len() * 8)?;
    for (place, number) in place.chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn text(
    mut caller: Caller<'_, State>,
    name: i32,
    length: i32,
    out: i32,
    min: i32,
    max: i32,
    alphabet: i32,
    alphabet_length: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    check_size(memory, u64::from(max as u32))?;
    let bytes = &mut state.scratch.bytes;
    bytes.clear();
    let (name, alphabet) = (text_of(slice(memory, name, length)?), slice(memory, alphabet, alphabet_length)?);
    // SAFETY: see `provider`.
    unsafe { provider.as_mut() }.text(name, min as u32, max as u32, alphabet, bytes);
    slice_mut(memory, &mut state.touched, out, bytes.len())?.copy_from_slice(bytes);
    Ok(bytes.len() as i32)
}

fn permutation(mut caller: Caller<'_, State>, name: i32, length: i32, out: i32, n: i32) -> Result<()> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    check_size(memory, u64::from(n as u32) * 4)?;
    let numbers = &mut state.scratch.ints;
    numbers.clear();
    // SAFETY: see `provider`.
    unsafe { provider.as_mut() }.permutation(text_of(slice(memory, name, length)?), n as u32, numbers);
    let place = slice_mut(memory, &mut state.touched, out, numbers.len() * 4)?;
    put_ints(place, IntKind::I32, numbers);
    Ok(())
}

fn ops(
    mut caller: Caller<'_, State>,
    name: i32,
    length: i32,
    out: i32,
    max: i32,
    spec: i32,
    spec_length: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller);
    let mut provider = provider(state)?;
    check_size(memory, u64::from(max as u32) * 16)?;
    let specs = match OpSpec::parse(text_of(slice(memory, spec, spec_length)?)) {
        Ok(specs) => specs,
        Err(message) => return Err(state.stop(End::Failure(message))),
    };
    let ops = &mut state.scratch.ops;
    ops.clear();
    // SAFETY: see `provider`.
    unsafe { provider.as_mut() }.ops(text_of(slice(memory, name, length)?), max as u32, &specs, ops);
    let place = slice_mut(memory, &mut state.touched, out, ops.len() * 16)?;
    for (place, op) in place.chunks_exact_mut(16).zip(&*ops) {
        let numbers = [op.op, op.arguments[0], op.arguments[1], op.arguments[2]];
        for (place, number) in place.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
    }
    Ok(ops.len() as i32)
}

/// The provider of inputs.
///
/// Dereferencing it is sound: `run_group` holds the only reference to it, exclusively, from before the call that leads here
/// until after it, and sets the field back before it returns.
fn provider(state: &mut State) -> Result<NonNull<dyn Inputs>> {
    match state.inputs {
        Some(provider) => Ok(provider),
        None => Err(state.stop(End::Failure(
            "inputs can only be drawn by a relation, not by a whole program or while a subject is initialised".to_owned(),
        ))),
    }
}

fn kind_of(state: &mut State, code: i32) -> Result<IntKind> {
    match IntKind::from_code(code as u32) {
        Some(kind) => Ok(kind),
        None => Err(state.stop(End::Failure(format!("the kind {code} of an integer input is unknown")))),
    }
}

/// The longest part that is UTF-8; names are ASCII in practice.
pub(super) fn text_of(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

fn shape(rows: i32, columns: i32) -> Shape {
    if rows < 0 { Shape::Array(columns as u32) } else { Shape::Matrix(rows as u32, columns as u32) }
}

/// Asks for more bytes than memory has are refused before the provider makes them.
fn check_size(memory: &[u8], bytes: u64) -> Result<()> {
    if bytes <= memory.len() as u64 { Ok(()) } else { Err(wasmtime::Trap::MemoryOutOfBounds.into()) }
}

fn put_ints(place: &mut [u8], kind: IntKind, numbers: &[i64]) {
    match kind.bytes() {
        1 => place.iter_mut().zip(numbers).for_each(|(place, number)| *place = *number as u8),
        4 => {
            for (place, number) in place.chunks_exact_mut(4).zip(numbers) {
                place.copy_from_slice(&(*number as u32).to_le_bytes());
            }
        }
        width => {
            for (place, number) in place.chunks_exact_mut(width).zip(numbers) {
                place.copy_from_slice(&number.to_le_bytes()[..width]);
            }
        }
    }
}
