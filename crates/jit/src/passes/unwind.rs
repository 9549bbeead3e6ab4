//! Leaving calls from the inside ([`crate::unwind`]): behind every call that may have been left, a look at the flag. The caller then goes to its one way out,
//! where the other passes do what they do when a function returns.

use std::collections::BTreeSet;

use wasm_encoder::{BlockType, Instruction};
use wasmparser::{Operator, ValType};

use super::{Emit, Pass, Position};
use crate::layout::UNWINDING;

pub(super) struct Unwind {
    /// The functions that may be left.
    pub(super) leaving: BTreeSet<u32>,
}

impl Pass for Unwind {
    fn after(&mut self, operator: &Operator<'_>, _: Position, emit: &mut Emit<'_>) {
        use Instruction::{Br, End, F32Const, F64Const, I32Const, I32Load, I64Const, If, RefNull, V128Const};
        let may = match operator {
            Operator::Call { function_index } => self.leaving.contains(function_index),
            Operator::CallIndirect { .. } => true,
            _ => false,
        };
        if !may {
            return;
        }
        let flag = emit.control(UNWINDING);
        emit.add(&[I32Const(0), I32Load(flag), If(BlockType::Empty)]);
        for result in emit.results.clone() {
            let nothing = match result {
                ValType::I32 => I32Const(0),
                ValType::I64 => I64Const(0),
                ValType::F32 => F32Const(0.0.into()),
                ValType::F64 => F64Const(0.0.into()),
                ValType::V128 => V128Const(0),
                ValType::Ref(ty) if ty.is_func_ref() => RefNull(wasm_encoder::HeapType::FUNC),
                ValType::Ref(_) => RefNull(wasm_encoder::HeapType::EXTERN),
            };
            emit.add(&[nothing]);
        }
        // One more than the blocks of the function around this place: the `if` itself.
        emit.add(&[Br(emit.nesting + 1), End]);
    }
}
