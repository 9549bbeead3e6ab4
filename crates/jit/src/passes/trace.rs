//! The full branch trace: the edge of every branch in user code, four bytes each, into a buffer that is handed to the host
//! only when it is full.

use twinrun_base::Sites;
use wasm_encoder::{BlockType, Instruction, MemArg};
use wasmparser::Operator;

use super::{Emit, Pass, Position, outcome};
use crate::edges::Edges;
use crate::layout::NEXT;

pub(super) struct Trace<'a> {
    pub(super) sites: &'a Sites,
    pub(super) edges: &'a Edges,
}

impl Pass for Trace<'_> {
    fn before(&mut self, _: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        use Instruction::{Call, End, I32Add, I32Const, I32GeU, I32Load, I32Store, If, LocalGet, LocalTee};
        let Some(branch) = self.sites.branch_at(at.offset) else { return };
        outcome(&self.sites.branches[branch], emit);
        let [_, result, address] = emit.scratch.i32s;
        let next = emit.control(NEXT);
        let event = MemArg { offset: emit.layout.trace, align: 0, memory_index: emit.layout.control };
        let size = (emit.layout.trace_end - emit.layout.trace) as i32;
        emit.add(&[
            I32Const(0),
            I32Load(next),
            LocalTee(address),
            LocalGet(result),
            I32Const(self.edges.first(branch) as i32),
            I32Add,
            I32Store(event),
            I32Const(0),
            LocalGet(address),
            I32Const(4),
            I32Add,
            LocalTee(address),
            I32Store(next),
            LocalGet(address),
            I32Const(size),
            I32GeU,
            If(BlockType::Empty),
            Call(emit.flush),
            End,
        ]);
    }
}
