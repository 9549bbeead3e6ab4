//! Block coverage: a byte for each block of user code, set when the block begins.

use twinrun_base::Sites;
use wasm_encoder::{Instruction, MemArg};
use wasmparser::Operator;

use super::{Emit, Pass, Position};

pub(super) struct Coverage<'a> {
    pub(super) sites: &'a Sites,
}

impl Pass for Coverage<'_> {
    fn before(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        if !opens(operator) {
            self.mark(at, emit);
        }
    }

    fn after(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        if opens(operator) {
            self.mark(at, emit);
        }
    }
}

impl Coverage<'_> {
    fn mark(&self, at: Position, emit: &mut Emit<'_>) {
        use Instruction::{I32Const, I32Store8};
        if let Ok(block) = self.sites.blocks.binary_search_by_key(&at.offset, |block| block.offset) {
            let offset = emit.layout.coverage + block as u64;
            let map = MemArg { offset, align: 0, memory_index: emit.layout.control };
            emit.add(&[I32Const(0), I32Const(1), I32Store8(map)]);
        }
    }
}

/// A block that begins with one of these begins behind it: before it, another way is still being executed.
fn opens(operator: &Operator<'_>) -> bool {
    matches!(operator, Operator::Else | Operator::End | Operator::Loop { .. })
}
