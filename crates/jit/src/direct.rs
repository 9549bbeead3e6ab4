//! Answers that need no call to the host: where runs begin and end while only coverage is recorded, and checks and
//! assumptions that hold. A call out of the module costs more than a short run.
//!
//! While the word [`DIRECT`] is set, the coverage of each run is copied to a slot of its own in the control memory; the host
//! reads the slots when the group has ended ([`drain`]), or when all are used.

use twinrun_base::{Operator, abi};
use wasm_encoder::{BlockType, Function, Instruction, MemArg};
use wasmparser::ValType;

use crate::analysis::Analysis;
use crate::config::Config;
use crate::layout::{ACTIVE, CHECKS, DIRECT, Layout, OPEN, RUNS, SLOTS};
use crate::observe::Observation;
use crate::unwind;

/// Maps of more bytes than this are cleared and copied by one instruction instead of word by word.
const UNROLLED: u64 = 512;

/// Whether runs may begin and end without the host: nothing but coverage is recorded, and no whole program runs.
pub(crate) fn runs_are_direct(analysis: &Analysis, config: &Config) -> bool {
    let programs =
        analysis.imports.iter().any(|import| import.module == abi::MODULE && import.name == "program");
    !(programs || config.counts || config.trace || config.isolate)
}

/// The imports that are answered in the module, each with the function that answers; `drain` is the import that empties the slots.
pub(crate) fn answers(
    analysis: &Analysis,
    layout: &Layout,
    config: &Config,
    drain: u32,
) -> Vec<(u32, Function)> {
    let runs = runs_are_direct(analysis, config);
    let mut answers = Vec::new();
    // Without functions of its own the module has no place for ours, and calls nothing.
    if analysis.bodies.is_empty() {
        return answers;
    }
    for (index, import) in (0..).zip(&analysis.imports) {
        if let Some(function) = unwind::answer(analysis, layout, import, index, runs) {
            answers.push((index, function));
            continue;
        }
        if import.module != abi::MODULE {
            continue;
        }
        if (&import.name[..], import.ty.params(), import.ty.results()) == (EDIT, &[], &[ValType::I32]) {
            answers.push((index, edit(layout)));
        }
        if !import.ty.results().is_empty() {
            continue;
        }
        let function = match (&import.name[..], import.ty.params()) {
            ("run_begin", []) if runs => run_begin(layout, index, drain),
            ("run_end", []) if runs => run_end(layout, index),
            ("assume", [ValType::I32]) => holds(import.ty.params(), index, &[]),
            // Somebody wants to know what was compared.
            ("check" | "check_int", _) if config.operands => continue,
            ("check", [ValType::I32, ..]) => holds(import.ty.params(), index, &count(layout)),
            ("check_int", [ValType::I32, ValType::I32, ValType::I64, ValType::I64, ..]) => {
                equal(import.ty.params(), index, &count(layout))
            }
            _ => continue,
        };
        answers.push((index, function));
    }
    answers
}

/// The import that tells which edit is switched on.
pub(crate) const EDIT: &str = "edit";

/// Whether the module was built with edits.
pub(crate) fn is_switched(analysis: &Analysis) -> bool {
    analysis.imports.iter().any(|import| import.module == abi::MODULE && import.name == EDIT)
}

/// The number of the edit that is switched on; 0: none.
fn edit(layout: &Layout) -> Function {
    let mut function = Function::new([]);
    let active = Instruction::I32Load(control(layout, ACTIVE));
    write(&mut function, &[Instruction::I32Const(0), active, Instruction::End]);
    function
}

/// Moves what the slots hold to the records of runs.
pub(crate) fn drain(control: &mut [u8], layout: &Layout, observation: &mut Observation) {
    let runs = word(control, RUNS) as usize;
    let size = (layout.counts - layout.coverage) as usize;
    for slot in 0..runs.min(SLOTS as usize) {
        let record = observation.start();
        record.covered.read(&control[layout.slots as usize + slot * size..][..size]);
    }
    control[RUNS as usize..][..4].fill(0);
}

/// A word of the control memory.
pub(crate) fn word(control: &[u8], at: u64) -> u32 {
    u32::from_le_bytes(control[at as usize..][..4].try_into().unwrap_or_default())
}

fn control(layout: &Layout, offset: u64) -> MemArg {
    MemArg { offset, align: 0, memory_index: layout.control }
}

fn write(function: &mut Function, instructions: &[Instruction<'_>]) {
    for instruction in instructions {
        function.instruction(instruction);
    }
}

/// Leaves the call to the host where runs are not recorded here.
fn unless_direct(function: &mut Function, layout: &Layout, host: u32) {
    use Instruction::{Call, End, I32Const, I32Eqz, I32Load, If, Return};
    let direct = I32Load(control(layout, DIRECT));
    write(function, &[I32Const(0), direct, I32Eqz, If(BlockType::Empty), Call(host), Return, End]);
}

/// A run inside a run belongs to the outer one.
fn run_begin(layout: &Layout, host: u32, drain: u32) -> Function {
    use Instruction::{
        Call, End, I32Add, I32Const, I32GeU, I32Load, I32Store, I64Const, I64Store, If, LocalGet, LocalTee,
        MemoryFill, Return,
    };
    let mut function = Function::new([(1, wasm_encoder::ValType::I32)]);
    unless_direct(&mut function, layout, host);
    let (open, runs) = (control(layout, OPEN), control(layout, RUNS));
    write(
        &mut function,
        &[
            I32Const(0),
            I32Const(0),
            I32Load(open),
            LocalTee(0),
            I32Const(1),
            I32Add,
            I32Store(open),
            LocalGet(0),
            If(BlockType::Empty),
            Return,
            End,
            I32Const(0),
            I32Load(runs),
            I32Const(SLOTS as i32),
            I32GeU,
            If(BlockType::Empty),
            Call(drain),
            End,
        ],
    );
    let size = layout.counts - layout.coverage;
    if size <= UNROLLED {
        for offset in (0..size).step_by(8) {
            let place = control(layout, layout.coverage + offset);
            write(&mut function, &[I32Const(0), I64Const(0), I64Store(place)]);
        }
    } else {
        let begin = I32Const(layout.coverage as i32);
        write(&mut function, &[begin, I32Const(0), I32Const(size as i32), MemoryFill(layout.control)]);
    }
    write(&mut function, &[End]);
    function
}

fn run_end(layout: &Layout, host: u32) -> Function {
    use Instruction::{
        End, I32Add, I32Const, I32Eqz, I32Load, I32Mul, I32Ne, I32Store, I32Sub, I64Load, I64Store, If,
        LocalGet, LocalSet, LocalTee, MemoryCopy, Return,
    };
    let mut function = Function::new([(1, wasm_encoder::ValType::I32)]);
    unless_direct(&mut function, layout, host);
    let (open, runs) = (control(layout, OPEN), control(layout, RUNS));
    let size = layout.counts - layout.coverage;
    write(
        &mut function,
        &[
            I32Const(0),
            I32Load(open),
            LocalTee(0),
            I32Eqz,
            If(BlockType::Empty),
            Return,
            End,
            I32Const(0),
            LocalGet(0),
            I32Const(1),
            I32Sub,
            I32Store(open),
            LocalGet(0),
            I32Const(1),
            I32Ne,
            If(BlockType::Empty),
            Return,
            End,
            // The slot's offset.
            I32Const(0),
            I32Load(runs),
            I32Const(size as i32),
            I32Mul,
            LocalSet(0),
        ],
    );
    if size <= UNROLLED {
        for offset in (0..size).step_by(8) {
            let (from, to) = (layout.coverage + offset, layout.slots + offset);
            let load = I64Load(control(layout, from));
            write(&mut function, &[LocalGet(0), I32Const(0), load, I64Store(control(layout, to))]);
        }
    } else {
        let memory = layout.control;
        write(
            &mut function,
            &[
                LocalGet(0),
                I32Const(layout.slots as i32),
                I32Add,
                I32Const(layout.coverage as i32),
                I32Const(size as i32),
                MemoryCopy { src_mem: memory, dst_mem: memory },
            ],
        );
    }
    write(
        &mut function,
        &[I32Const(0), I32Const(0), I32Load(runs), I32Const(1), I32Add, I32Store(runs), End],
    );
    function
}

/// Counts a check that held: a group that checks nothing must not look like one that holds.
fn count(layout: &Layout) -> [Instruction<'static>; 6] {
    use Instruction::{I32Add, I32Const, I32Load, I32Store};
    let checks = control(layout, CHECKS);
    [I32Const(0), I32Const(0), I32Load(checks), I32Const(1), I32Add, I32Store(checks)]
}

/// Asks the host only when the first argument is zero.
fn holds(parameters: &[ValType], host: u32, first: &[Instruction<'_>]) -> Function {
    use Instruction::{End, If, LocalGet, Return};
    let mut function = Function::new([]);
    write(&mut function, &[LocalGet(0), If(BlockType::Empty)]);
    write(&mut function, first);
    write(&mut function, &[Return, End]);
    ask(&mut function, parameters, host);
    function
}

/// Asks the host unless equal numbers are checked for equality.
fn equal(parameters: &[ValType], host: u32, first: &[Instruction<'_>]) -> Function {
    use Instruction::{End, I32And, I32Const, I32Eq, I64Eq, If, LocalGet, Return};
    let mut function = Function::new([]);
    write(
        &mut function,
        &[
            LocalGet(0),
            I32Const(Operator::Eq as i32),
            I32Eq,
            LocalGet(2),
            LocalGet(3),
            I64Eq,
            I32And,
            If(BlockType::Empty),
        ],
    );
    write(&mut function, first);
    write(&mut function, &[Return, End]);
    ask(&mut function, parameters, host);
    function
}

fn ask(function: &mut Function, parameters: &[ValType], host: u32) {
    for parameter in 0..parameters.len() as u32 {
        function.instruction(&Instruction::LocalGet(parameter));
    }
    write(function, &[Instruction::Call(host), Instruction::End]);
}
