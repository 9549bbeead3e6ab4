//! The low-water mark of the stack in linear memory: which of its bytes a restore must copy, and whether it ran over its end.
//!
//! WebAssembly does not notice when this stack runs into the data below it. Where the end is known, running over it ends the
//! group as a stack overflow.

use wasm_encoder::{BlockType, Instruction};

use super::{Emit, Pass};
use crate::analysis::Analysis;
use crate::layout::{LOW, OVERRUN};

pub(super) struct Stack<'a> {
    pub(super) analysis: &'a Analysis,
}

impl Pass for Stack<'_> {
    fn enter(&mut self, emit: &mut Emit<'_>) {
        use Instruction::{
            End, GlobalGet, I32Const, I32Load, I32LtS, I32Store, I32Sub, If, LocalGet, LocalTee, Unreachable,
        };
        let (Some(stack), frame) = (&self.analysis.stack, emit.frames.size) else { return };
        if frame == 0 {
            return;
        }
        let (low, overrun, pointer) = (emit.control(LOW), emit.control(OVERRUN), emit.scratch.i32s[0]);
        emit.add(&[
            GlobalGet(stack.global),
            I32Const(frame as i32),
            I32Sub,
            LocalTee(pointer),
            I32Const(0),
            I32Load(low),
            I32LtS,
            If(BlockType::Empty),
            I32Const(0),
            LocalGet(pointer),
            I32Store(low),
            LocalGet(pointer),
            I32Const(stack.end as i32),
            I32LtS,
            If(BlockType::Empty),
            I32Const(0),
            I32Const(1),
            I32Store(overrun),
            Unreachable,
            End,
            End,
        ]);
    }
}
