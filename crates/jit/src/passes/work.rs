//! The work limit. Work is counted in all code, the C library included, and in the same way by both engines:
//!
//! - one unit when the body of a function begins (calls of imports count nothing), before its first instruction;
//! - one unit when the body of a `loop` begins, on entering it and on every back-edge, before its first instruction.
//!
//! The unit that exceeds the limit ends the group with the verdict `timeout`: exactly `limit` units are allowed.

use wasm_encoder::{BlockType, Instruction};
use wasmparser::Operator;

use super::{Emit, Pass, Position};
use crate::layout::WORK;

pub(super) struct Work;

impl Pass for Work {
    fn enter(&mut self, emit: &mut Emit<'_>) {
        count(emit);
    }

    fn after(&mut self, operator: &Operator<'_>, _: Position, emit: &mut Emit<'_>) {
        if matches!(operator, Operator::Loop { .. }) {
            count(emit);
        }
    }
}

fn count(emit: &mut Emit<'_>) {
    use Instruction::{
        End, I32Const, I64Add, I64Const, I64GtS, I64Load, I64Store, If, LocalGet, LocalTee, Unreachable,
    };
    let (work, done, limit) =
        (emit.control(WORK), emit.scratch.i64, emit.limits.work.min(i64::MAX as u64) as i64);
    emit.add(&[
        I32Const(0),
        I32Const(0),
        I64Load(work),
        I64Const(1),
        I64Add,
        LocalTee(done),
        I64Store(work),
        LocalGet(done),
        I64Const(limit),
        I64GtS,
        If(BlockType::Empty),
        Unreachable,
        End,
    ]);
}
