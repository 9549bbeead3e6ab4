//! The limit on open calls, counted in all code: a call that would make more than the limit open at once ends the group as a
//! stack overflow, at the same call in both engines.

use wasm_encoder::{BlockType, Instruction};

use super::{Emit, Pass};
use crate::layout::DEPTH;

pub(super) struct Depth;

impl Pass for Depth {
    fn enter(&mut self, emit: &mut Emit<'_>) {
        use Instruction::{End, I32Const, I32GtS, If, LocalGet, Unreachable};
        let (open, limit) = (emit.scratch.i32s[0], emit.limits.depth.min(i32::MAX as u32) as i32);
        add(emit, 1);
        emit.add(&[LocalGet(open), I32Const(limit), I32GtS, If(BlockType::Empty), Unreachable, End]);
    }

    fn leave(&mut self, emit: &mut Emit<'_>) {
        add(emit, -1);
    }
}

/// Changes the number of open calls, and leaves it in the first scratch local.
fn add(emit: &mut Emit<'_>, change: i32) {
    use Instruction::{I32Add, I32Const, I32Load, I32Store, LocalTee};
    let (depth, open) = (emit.control(DEPTH), emit.scratch.i32s[0]);
    emit.add(&[
        I32Const(0),
        I32Const(0),
        I32Load(depth),
        I32Const(change),
        I32Add,
        LocalTee(open),
        I32Store(depth),
    ]);
}
