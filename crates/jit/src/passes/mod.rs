//! Rewriting passes, one file each. A pass adds code to every function; it leaves the operand stack as it found it, so passes
//! compose in any order.

mod counts;
mod coverage;
mod depth;
mod dirty;
mod frames;
mod heap;
mod patches;
mod stack;
mod trace;
mod unwind;
mod work;

use std::collections::BTreeSet;

use twinrun_base::{Limits, Sites};
use wasm_encoder::{Function, Instruction, MemArg, ValType};
use wasmparser::Operator;

use crate::analysis::Analysis;
use crate::config::Config;
use crate::edges::Edges;
use crate::layout::Layout;
pub(crate) use frames::Frames;

/// A pass over the functions of a module.
pub(crate) trait Pass {
    /// Code at the start of a function.
    fn enter(&mut self, _emit: &mut Emit<'_>) {}
    /// Code just before an instruction.
    fn before(&mut self, _operator: &Operator<'_>, _at: Position, _emit: &mut Emit<'_>) {}
    /// Code just after an instruction; not called for those that never fall through, nor for the function's last `end`.
    fn after(&mut self, _operator: &Operator<'_>, _at: Position, _emit: &mut Emit<'_>) {}
    /// Code where the function returns, on every way out.
    fn leave(&mut self, _emit: &mut Emit<'_>) {}
}

/// Where an instruction stands in the original module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Its byte offset from the start of the code section's payload.
    pub(crate) offset: u32,
    /// Its number in its function.
    pub(crate) index: u32,
}

/// The function that is being written.
pub(crate) struct Emit<'a> {
    pub(crate) function: Function,
    pub(crate) layout: &'a Layout,
    pub(crate) limits: Limits,
    /// Whether its accesses are checked against the heap: user code, and library code that works for it.
    pub(crate) checked: bool,
    /// Whether it belongs to the memory allocator.
    pub(crate) allocator: bool,
    /// What is known about its stack frame.
    pub(crate) frames: &'a Frames,
    pub(crate) scratch: Scratch,
    /// Locals of the patches.
    pub(crate) kept: Kept,
    /// The added import that empties the trace buffer.
    pub(crate) flush: u32,
    /// The added import that reports a bad heap access.
    pub(crate) heap_fault: u32,
    /// The added import that looks for the limit and for cuts.
    pub(crate) pause: u32,
    /// How many blocks of the function are open, for code behind an instruction.
    pub(crate) nesting: u32,
    /// What the function returns.
    pub(crate) results: Vec<wasmparser::ValType>,
}

/// Locals for the passes; none of them lives longer than the code for one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scratch {
    pub(crate) i32s: [u32; 3],
    pub(crate) i64: u32,
    pub(crate) f32: u32,
    pub(crate) f64: u32,
    pub(crate) v128: u32,
    /// The length of an instruction on a range, from before it to behind it.
    pub(crate) length: u32,
}

/// Locals that keep the operands of a patched instruction while it is executed; there are none without patches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The first of the locals: two i32, two i64, two f64, then an address and the number of the change.
    first: u32,
    pub(crate) address: u32,
    pub(crate) which: u32,
    /// Where the result of each kind of number is kept.
    pub(crate) results: [u32; 3],
}

impl Kept {
    /// The locals from this number on.
    pub(crate) fn new(first: u32) -> Kept {
        Kept { first, address: first + 6, which: first + 7, results: [first + 8, first + 9, first + 10] }
    }

    /// The types of the locals, in their order.
    pub(crate) fn types() -> Vec<(u32, ValType)> {
        use ValType::{F64, I32, I64};
        vec![(2, I32), (2, I64), (2, F64), (2, I32), (1, I32), (1, I64), (1, F64)]
    }

    /// The locals for two operands.
    pub(crate) fn pair(&self, number: crate::patch::Number) -> [u32; 2] {
        let first = self.first + 2 * number as u32;
        [first, first + 1]
    }
}

impl Emit<'_> {
    /// Adds instructions.
    pub(crate) fn add(&mut self, instructions: &[Instruction<'_>]) {
        for instruction in instructions {
            self.function.instruction(instruction);
        }
    }

    /// An address in the control memory.
    pub(crate) fn control(&self, offset: u64) -> MemArg {
        MemArg { offset, align: 0, memory_index: self.layout.control }
    }
}

/// The passes that a configuration asks for, in the order in which their code appears.
pub(crate) fn passes<'a>(
    config: &Config,
    analysis: &'a Analysis,
    sites: &'a Sites,
    edges: &'a Edges,
    leaving: BTreeSet<u32>,
) -> Vec<Box<dyn Pass + 'a>> {
    let mut passes: Vec<Box<dyn Pass + 'a>> = Vec::new();
    if !leaving.is_empty() {
        // First, so that nothing else is recorded behind a call that was left.
        passes.push(Box::new(unwind::Unwind { leaving }));
    }
    passes.push(Box::new(work::Work));
    passes.push(Box::new(depth::Depth));
    passes.push(Box::new(stack::Stack { analysis }));
    if config.coverage {
        passes.push(Box::new(coverage::Coverage { sites }));
    }
    if config.counts {
        passes.push(Box::new(counts::Counts { sites, edges }));
    }
    if config.trace {
        passes.push(Box::new(trace::Trace { sites, edges }));
    }
    if !config.patches.is_empty() {
        passes.push(Box::new(patches::Patches::new(&config.patches)));
    }
    if config.heap_checks {
        passes.push(Box::new(heap::Heap));
    }
    if analysis.memory.is_some() {
        passes.push(Box::new(dirty::Dirty));
    }
    passes
}

/// Leaves the outcome of a branch in the second scratch local; the condition stays on the stack (and in the first).
fn outcome(branch: &twinrun_base::sites::Branch, emit: &mut Emit<'_>) {
    use Instruction::{I32Const, I32Eqz, I32LtU, LocalGet, LocalSet, LocalTee, Select};
    let [condition, result, _] = emit.scratch.i32s;
    emit.add(&[LocalTee(condition)]);
    if branch.kind == twinrun_base::sites::BranchKind::BrTable {
        let last = branch.outcomes as i32 - 1;
        emit.add(&[
            LocalGet(condition),
            I32Const(last),
            LocalGet(condition),
            I32Const(last),
            I32LtU,
            Select,
            LocalSet(result),
        ]);
    } else {
        emit.add(&[LocalGet(condition), I32Eqz, I32Eqz, LocalSet(result)]);
    }
}
