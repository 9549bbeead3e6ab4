//! Imports that the interpreter answers itself: leaving calls from the inside, for longjmp and C++ exceptions (`sdk/c/unwind.c`).
//!
//! They are instructions and not host functions, because they change the open calls, and because a side of a merge may do so where no host is asked.

use twinrun_base::abi;

use crate::instr::Instr;
use crate::module::{FunctionType, Item, Module};
use crate::ops::Type;
use crate::state::{Body, Frame, Linked};

/// An import that the interpreter answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    /// Calls a function of the table and stops what leaves it.
    Invoke,
    /// Leaves calls up to the innermost `Invoke`.
    Unwind,
    /// Whether there is one.
    Caught,
    /// Something is thrown here.
    Thrown,
}

/// The number of these as functions of the host: nobody calls them through a table.
pub(crate) const NATIVE: u32 = u32::MAX;

/// Which of them an import is.
pub(crate) fn find(module: &str, name: &str, ty: &FunctionType) -> Option<Native> {
    let is_number = |ty: &Type| matches!(ty, Type::I32 | Type::I64 | Type::F32 | Type::F64);
    match (module, name, &ty.params[..], &ty.results[..]) {
        (abi::MODULE, "unwind", [], []) => Some(Native::Unwind),
        (abi::MODULE, "caught", [], [Type::I32]) => Some(Native::Caught),
        (abi::MODULE, "thrown", [], []) => Some(Native::Thrown),
        (abi::ENV, name, [Type::I32, ..], [] | [_])
            if name.starts_with(abi::INVOKE) && ty.params.iter().chain(&ty.results).all(is_number) =>
        {
            Some(Native::Invoke)
        }
        _ => None,
    }
}

impl Module {
    /// Which of them a function of the module is.
    pub(crate) fn native(&self, function: u32) -> Option<Native> {
        if function >= self.imported_functions {
            return None;
        }
        let import = self.imports.iter().find(|import| import.item == Item::Function(function))?;
        find(&import.module, &import.name, self.function_type(function))
    }
}

/// The innermost open call that stops what leaves its callees: its place among the open calls. The host stops nothing, and nothing passes it.
pub(crate) fn catcher(linked: &Linked, frames: &[Frame]) -> Option<usize> {
    for (index, frame) in frames.iter().enumerate().rev().skip(1) {
        let Body::Code(instance, function) = linked.functions[frame.function as usize].body else {
            return None;
        };
        let code = linked.instances[instance as usize].module.code(function);
        if let Some(Instr::Invoke { .. }) = code.instrs.get((frame.pc as usize).wrapping_sub(1)) {
            return Some(index);
        }
    }
    None
}
