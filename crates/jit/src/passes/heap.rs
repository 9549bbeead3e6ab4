//! Heap checks of the checked build: every load and store of user code asks the heap shadow whether its bytes may be
//! touched, in the manner of AddressSanitizer (Serebryany et al., USENIX ATC 2012) with one shadow byte for each byte.
//! The shadow follows the allocator's notices ([`crate::shadow`]).

use wasm_encoder::{BlockType, Instruction, MemArg};
use wasmparser::{Operator, ValType};

use super::frames::{load, store};
use super::{Emit, Pass, Position};
use crate::shadow::FORBIDDEN;

pub(super) struct Heap;

impl Pass for Heap {
    fn before(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        if !emit.checked || emit.frames.stores.contains(&at.index) {
            return;
        }
        let (arg, value, width) = match (store(operator), load(operator)) {
            (Some((arg, value, width)), _) => (arg, Some(value), width),
            (_, Some((arg, width))) => (arg, None, width),
            _ => return,
        };
        // An offset beyond the last byte of a 32-bit memory traps in the instruction itself.
        if arg.memory == 0 && arg.offset + u64::from(width) <= 1 << 32 {
            check(emit, arg.offset, value, width);
        }
    }
}

fn check(emit: &mut Emit<'_>, offset: u64, value: Option<ValType>, width: u32) {
    use Instruction::{
        Call, End, I32Add, I32And, I32Const, I32Load8U, I32Or, If, LocalGet, LocalSet, LocalTee,
    };
    let scratch = emit.scratch;
    let address = scratch.i32s[0];
    let value = value.map(|value| match value {
        ValType::I64 => scratch.i64,
        ValType::F32 => scratch.f32,
        ValType::F64 => scratch.f64,
        ValType::V128 => scratch.v128,
        _ => scratch.i32s[1],
    });
    if let Some(value) = value {
        emit.add(&[LocalSet(value)]);
    }
    let byte = |offset: u64| MemArg { offset, align: 0, memory_index: emit.layout.heap() };
    let (first, last, fault) = (byte(offset), byte(offset + u64::from(width) - 1), emit.heap_fault);
    emit.add(&[
        LocalTee(address),
        LocalGet(address),
        I32Load8U(first),
        LocalGet(address),
        I32Load8U(last),
        I32Or,
        I32Const(i32::from(FORBIDDEN)),
        I32And,
        If(BlockType::Empty),
        LocalGet(address),
        I32Const(offset as u32 as i32),
        I32Add,
        I32Const(width as i32),
        Call(fault),
        End,
    ]);
    if let Some(value) = value {
        emit.add(&[LocalGet(value)]);
    }
}
