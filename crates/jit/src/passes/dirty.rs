//! Which granules of memory were written: a mark for every store, in all code, that cannot be proved to stay in its own
//! function's stack frame. A restore copies the marked granules (and the first bytes behind each, for a store that crosses
//! its end) and the part of the stack that was used ([`super::stack`]).

use wasm_encoder::{BlockType, Instruction, MemArg};
use wasmparser::Operator;

use super::frames::store;
use super::{Emit, Pass, Position};
use crate::layout::ALLOCATED;

pub(super) struct Dirty;

impl Pass for Dirty {
    fn enter(&mut self, emit: &mut Emit<'_>) {
        if emit.allocator {
            let allocated = emit.control(ALLOCATED);
            emit.add(&[Instruction::I32Const(0), Instruction::I32Const(1), Instruction::I32Store(allocated)]);
        }
    }

    fn before(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        match operator {
            Operator::MemoryFill { mem: 0 }
            | Operator::MemoryCopy { dst_mem: 0, .. }
            | Operator::MemoryInit { mem: 0, .. } => mark_range(emit),
            _ => {
                let Some((arg, value, _)) = store(operator) else { return };
                if arg.memory != 0 || emit.frames.stores.contains(&at.index) {
                    return;
                }
                mark(emit, arg.offset, value);
            }
        }
    }
}

/// The mark of the half that this function's stores go to.
fn map(emit: &Emit<'_>) -> MemArg {
    let offset = if emit.allocator { emit.layout.granules } else { 0 };
    MemArg { offset, align: 0, memory_index: emit.layout.dirty() }
}

fn mark(emit: &mut Emit<'_>, offset: u64, value: wasmparser::ValType) {
    use Instruction::{I32Add, I32Const, I32ShrU, I32Store8, LocalGet, LocalSet, LocalTee};
    let scratch = emit.scratch;
    let address = scratch.i32s[0];
    let value = match value {
        wasmparser::ValType::I64 => scratch.i64,
        wasmparser::ValType::F32 => scratch.f32,
        wasmparser::ValType::F64 => scratch.f64,
        wasmparser::ValType::V128 => scratch.v128,
        _ => scratch.i32s[1],
    };
    emit.add(&[LocalSet(value), LocalTee(address), LocalGet(address)]);
    if offset != 0 {
        emit.add(&[I32Const(offset as u32 as i32), I32Add]);
    }
    let (shift, map) = (emit.layout.shift as i32, map(emit));
    emit.add(&[I32Const(shift), I32ShrU, I32Const(1), I32Store8(map), LocalGet(value)]);
}

/// For (destination, …, length) on the stack. A range that ends outside memory traps here instead of in the instruction.
fn mark_range(emit: &mut Emit<'_>) {
    use Instruction::{
        Else, End, I32Add, I32Const, I32ShrU, I32Sub, If, LocalGet, LocalSet, LocalTee, MemoryFill,
    };
    let [length, source, destination] = emit.scratch.i32s;
    let (shift, map) = (emit.layout.shift as i32, map(emit));
    emit.add(&[
        LocalSet(length),
        LocalSet(source),
        LocalTee(destination),
        LocalGet(source),
        LocalGet(length),
        LocalGet(length),
        If(BlockType::Empty),
        // The first granule, in the right half of the map.
        LocalGet(destination),
        I32Const(shift),
        I32ShrU,
        I32Const(map.offset as i32),
        I32Add,
        I32Const(1),
        // How many granules.
        LocalGet(destination),
        LocalGet(length),
        I32Add,
        I32Const(1),
        I32Sub,
        I32Const(shift),
        I32ShrU,
        LocalGet(destination),
        I32Const(shift),
        I32ShrU,
        I32Sub,
        I32Const(1),
        I32Add,
        MemoryFill(map.memory_index),
        Else,
        End,
    ]);
}
