//! Edge counts: how often each outcome of each branch in user code happened.

use twinrun_base::Sites;
use wasm_encoder::{Instruction, MemArg};
use wasmparser::Operator;

use super::{Emit, Pass, Position, outcome};
use crate::edges::Edges;

pub(super) struct Counts<'a> {
    pub(super) sites: &'a Sites,
    pub(super) edges: &'a Edges,
}

impl Pass for Counts<'_> {
    fn before(&mut self, _: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        use Instruction::{I32Add, I32Const, I32Load, I32Shl, I32Store, LocalGet, LocalTee};
        let Some(branch) = self.sites.branch_at(at.offset) else { return };
        outcome(&self.sites.branches[branch], emit);
        let [_, result, address] = emit.scratch.i32s;
        let offset = emit.layout.counts + 4 * u64::from(self.edges.first(branch));
        let count = MemArg { offset, align: 0, memory_index: emit.layout.control };
        emit.add(&[
            LocalGet(result),
            I32Const(2),
            I32Shl,
            LocalTee(address),
            LocalGet(address),
            I32Load(count),
            I32Const(1),
            I32Add,
            I32Store(count),
        ]);
    }
}
