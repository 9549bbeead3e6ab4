//! The work limit. Work is counted in all code, the C library included, and in the same way by both engines:
//!
//! - one unit when the body of a function begins (calls of imports count nothing), before its first instruction;
//! - one unit when the body of a `loop` begins, on entering it and on every back-edge, before its first instruction;
//! - instructions on ranges by their length, once they have succeeded: [`twinrun_base::limits::bytes`] and its like.
//!
//! The unit that exceeds the limit ends the group with the verdict `timeout`: exactly `limit` units are allowed.
//!
//! The module compares with the word [`PAUSE`] instead of the limit itself: there the host looks whether the limit is reached or a cut
//! came, and sets the next pause. Checking for cuts so costs nothing between two pauses, and needs no clock in the module.

use twinrun_base::limits::{BYTES_SHIFT, ENTRIES_SHIFT, PAGE_WORK};
use wasm_encoder::{BlockType, Instruction};
use wasmparser::Operator;

use super::{Emit, Pass, Position};
use crate::layout::{PAUSE, WORK};

pub(super) struct Work;

/// How the length of an instruction on a range becomes work.
enum Range {
    /// Its length on top of the stack, in units of 2^n.
    Length(u32),
    /// The same; the instruction tells by -1 that it failed.
    Growth(u32),
    /// Pages of memory.
    Pages,
}

impl Pass for Work {
    fn enter(&mut self, emit: &mut Emit<'_>) {
        count(emit, &[Instruction::I64Const(1)]);
    }

    fn before(&mut self, operator: &Operator<'_>, _: Position, emit: &mut Emit<'_>) {
        if range(operator).is_some() {
            emit.add(&[Instruction::LocalTee(emit.scratch.length)]);
        }
    }

    fn after(&mut self, operator: &Operator<'_>, _: Position, emit: &mut Emit<'_>) {
        use Instruction::{
            End, I32Const, I32Ne, I64Const, I64ExtendI32U, I64Mul, I64ShrU, If, LocalGet, LocalTee,
        };
        if matches!(operator, Operator::Loop { .. }) {
            return count(emit, &[I64Const(1)]);
        }
        let length = emit.scratch.length;
        let grown = emit.scratch.i32s[0];
        let units = |shift: u32| [LocalGet(length), I64ExtendI32U, I64Const(i64::from(shift)), I64ShrU];
        let if_grown = [LocalTee(grown), LocalGet(grown), I32Const(-1), I32Ne, If(BlockType::Empty)];
        match range(operator) {
            Some(Range::Length(shift)) => count(emit, &units(shift)),
            Some(Range::Growth(shift)) => {
                emit.add(&if_grown);
                count(emit, &units(shift));
                emit.add(&[End]);
            }
            Some(Range::Pages) => {
                emit.add(&if_grown);
                count(emit, &[LocalGet(length), I64ExtendI32U, I64Const(PAGE_WORK as i64), I64Mul]);
                emit.add(&[End]);
            }
            None => {}
        }
    }
}

fn range(operator: &Operator<'_>) -> Option<Range> {
    match operator {
        Operator::MemoryFill { .. } | Operator::MemoryCopy { .. } | Operator::MemoryInit { .. } => {
            Some(Range::Length(BYTES_SHIFT))
        }
        Operator::TableFill { .. } | Operator::TableCopy { .. } | Operator::TableInit { .. } => {
            Some(Range::Length(ENTRIES_SHIFT))
        }
        Operator::TableGrow { .. } => Some(Range::Growth(ENTRIES_SHIFT)),
        Operator::MemoryGrow { .. } => Some(Range::Pages),
        _ => None,
    }
}

/// Adds the units that the given instructions leave on the stack.
fn count(emit: &mut Emit<'_>, units: &[Instruction<'_>]) {
    use Instruction::{Call, End, I32Const, I64Add, I64GtU, I64Load, I64Store, If, LocalGet, LocalTee};
    let (work, pause, done) = (emit.control(WORK), emit.control(PAUSE), emit.scratch.i64);
    emit.add(&[I32Const(0), I32Const(0), I64Load(work)]);
    emit.add(units);
    let host = emit.pause;
    emit.add(&[
        I64Add,
        LocalTee(done),
        I64Store(work),
        LocalGet(done),
        I32Const(0),
        I64Load(pause),
        I64GtU,
        If(BlockType::Empty),
        Call(host),
        End,
    ]);
}
