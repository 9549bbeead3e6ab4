//! Leaving calls from the inside: longjmp and C++ exceptions, which the compiler lowers to calls through `invoke_…` (`sdk/c/unwind.c`).
//!
//! `unwind` only sets a flag. Behind every call that may have been left a pass looks at it and leaves the caller too ([`crate::passes`]), up to the innermost
//! `invoke_…`, which clears the flag, puts the stack pointer back and returns. So nothing here needs the host, an unwinder or exceptions of WebAssembly: the
//! rejected alternative, wasmtime's own exceptions, would bring a garbage-collected heap into every store.

use std::collections::BTreeSet;

use twinrun_base::abi;
use wasm_encoder::{BlockType, Function, Instruction, MemArg};
use wasmparser::{FuncType, Operator, Parser, Payload, ValType};

use crate::analysis::{Analysis, Import};
use crate::error::Error;
use crate::layout::{CATCHERS, DIRECT, Layout, OPEN, UNWINDING};

/// Whether the import calls a function of the table and stops what leaves it.
pub(crate) fn is_invoke(import: &Import) -> bool {
    import.module == abi::ENV
        && import.name.starts_with(abi::INVOKE)
        && matches!(import.ty.params(), [ValType::I32, ..])
        && import.ty.results().len() <= 1
        && import.ty.params().iter().chain(import.ty.results()).all(|ty| !matches!(ty, ValType::Ref(_)))
}

fn is_unwind(import: &Import) -> bool {
    import.module == abi::MODULE && import.name == "unwind"
}

/// The functions that may be left from the inside, by index; a call through the table may be one of any.
pub(crate) fn may_leave(bytes: &[u8], analysis: &Analysis) -> Result<BTreeSet<u32>, Error> {
    let mut leaving: BTreeSet<u32> = (0..)
        .zip(&analysis.imports)
        .filter(|(_, import)| is_unwind(import))
        .map(|(index, _)| index)
        .collect();
    if leaving.is_empty() {
        return Ok(leaving);
    }
    let invalid = |error: wasmparser::BinaryReaderError| Error::Invalid(error.to_string());
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); analysis.imports.len() + analysis.bodies.len()];
    let mut open: Vec<u32> = leaving.iter().copied().collect();
    let mut index = analysis.imports.len() as u32;
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::CodeSectionEntry(body) = payload.map_err(invalid)? else { continue };
        for operator in body.get_operators_reader().map_err(invalid)? {
            match operator.map_err(invalid)? {
                Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                    if let Some(callers) = callers.get_mut(function_index as usize) {
                        callers.push(index);
                    }
                }
                Operator::CallIndirect { .. } | Operator::ReturnCallIndirect { .. }
                    if leaving.insert(index) =>
                {
                    open.push(index);
                }
                _ => {}
            }
        }
        index += 1;
    }
    while let Some(callee) = open.pop() {
        for caller in std::mem::take(&mut callers[callee as usize]) {
            if leaving.insert(caller) {
                open.push(caller);
            }
        }
    }
    Ok(leaving)
}

/// The function of ours that answers an import, if this is one of these.
pub(crate) fn answer(
    analysis: &Analysis,
    layout: &Layout,
    import: &Import,
    host: u32,
    runs_are_direct: bool,
) -> Option<Function> {
    if is_invoke(import) {
        return Some(invoke(analysis, layout, import));
    }
    if import.module != abi::MODULE {
        return None;
    }
    use Instruction::{Call, Else, End, I32Const, I32Eqz, I32Load, I32Store, If};
    let control = |offset: u64| MemArg { offset, align: 0, memory_index: layout.control };
    let instructions = match (&import.name[..], import.ty.params(), import.ty.results()) {
        ("unwind", [], []) => vec![I32Const(0), I32Const(1), I32Store(control(UNWINDING))],
        ("caught", [], [ValType::I32]) => {
            vec![I32Const(0), I32Load(control(CATCHERS)), I32Eqz, I32Eqz]
        }
        ("open_runs", [], [ValType::I32]) if runs_are_direct => vec![
            I32Const(0),
            I32Load(control(DIRECT)),
            If(BlockType::Result(wasm_encoder::ValType::I32)),
            I32Const(0),
            I32Load(control(OPEN)),
            Else,
            Call(host),
            End,
        ],
        _ => return None,
    };
    let mut function = Function::new([]);
    instructions.iter().for_each(|instruction| {
        function.instruction(instruction);
    });
    function.instruction(&End);
    Some(function)
}

/// Calls a function of the table; when it was left, the stack pointer is as before and the result is 0.
fn invoke(analysis: &Analysis, layout: &Layout, import: &Import) -> Function {
    use Instruction::{
        CallIndirect, End, GlobalGet, GlobalSet, I32Add, I32Const, I32Load, I32Store, If, LocalGet, LocalSet,
        Unreachable,
    };
    let params = import.ty.params();
    let saved = params.len() as u32;
    let mut function = Function::new([(1, wasm_encoder::ValType::I32)]);
    let wanted = FuncType::new(params[1..].iter().copied(), import.ty.results().iter().copied());
    let Some(ty) = analysis.function_types.iter().position(|ty| ty.as_ref() == Some(&wanted)) else {
        // No function of the module has this type: such a call could only fail.
        function.instruction(&Unreachable);
        function.instruction(&End);
        return function;
    };
    let control = |offset: u64| MemArg { offset, align: 0, memory_index: layout.control };
    let count = |change: i32| {
        let catchers = control(CATCHERS);
        [I32Const(0), I32Const(0), I32Load(catchers), I32Const(change), I32Add, I32Store(catchers)]
    };
    let mut write = |instructions: &[Instruction<'_>]| {
        instructions.iter().for_each(|instruction| {
            function.instruction(instruction);
        });
    };
    if let Some(stack) = &analysis.stack {
        write(&[GlobalGet(stack.global), LocalSet(saved)]);
    }
    write(&count(1));
    (1..params.len() as u32).for_each(|param| write(&[LocalGet(param)]));
    write(&[LocalGet(0), CallIndirect { type_index: ty as u32, table_index: 0 }]);
    write(&count(-1));
    write(&[I32Const(0), I32Load(control(UNWINDING)), If(BlockType::Empty)]);
    write(&[I32Const(0), I32Const(0), I32Store(control(UNWINDING))]);
    if let Some(stack) = &analysis.stack {
        write(&[LocalGet(saved), GlobalSet(stack.global)]);
    }
    // The result, if there is one, has stayed on the operand stack.
    write(&[End, End]);
    function
}
