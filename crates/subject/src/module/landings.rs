//! Branches that the compiler adds where a call may be left from the inside, by an exception or by longjmp: nobody wrote them, so they are no sites.
//!
//! Behind a call through `invoke_…` comes a branch on whether the callee was left; behind a look for the setjmp that a jump leads to, and behind the value that it
//! brings, come others. Each is the first branch behind its call, without another call in between. Where a unit has jumps and exceptions, two stand behind an
//! `invoke_…`: the first lets a jump go on, the second is the exception's. Which `catch` an exception goes to is a decision of the source, and stays one.

use std::collections::BTreeSet;

use twinrun_base::abi;
use wasmparser::{FunctionBody, Operator};

use super::decode::Decoded;

/// Functions by whose calls such branches are known.
pub(super) struct Landings {
    /// Behind a call of one stands such a branch.
    calls: BTreeSet<u32>,
    /// What lets a jump go on.
    jump: Option<u32>,
}

/// The functions by whose calls such branches are known; none in modules where no call is left.
pub(super) fn landings(decoded: &Decoded<'_>) -> Option<Landings> {
    let functions = decoded.imports.iter().filter(|import| import.function).zip(0u32..);
    let mut calls: BTreeSet<u32> = functions
        .filter(|(import, _)| import.module == abi::ENV && import.name.starts_with(abi::INVOKE))
        .map(|(_, index)| index)
        .collect();
    if calls.is_empty() {
        return None;
    }
    let runtime = ["__wasm_setjmp_test", "getTempRet0"];
    calls.extend(decoded.names.iter().filter(|(_, name)| runtime.contains(name)).map(|(index, _)| *index));
    let jump = decoded.names.iter().find(|(_, name)| **name == "emscripten_longjmp");
    Some(Landings { calls, jump: jump.map(|(index, _)| *index) })
}

/// What the next branch is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// One of the source.
    Written,
    /// One of these.
    Added,
    /// One of the source, unless a jump is let go on before it: then the exception's.
    BehindAdded,
}

/// The offsets of these branches in one body.
pub(super) fn find(
    body: &FunctionBody<'_>,
    code: usize,
    landings: &Landings,
) -> Result<BTreeSet<u32>, wasmparser::BinaryReaderError> {
    let mut branches = BTreeSet::new();
    let mut next = Next::Written;
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, position) = operators.read_with_offset()?;
        match operator {
            Operator::Call { function_index } => {
                let goes_on = next == Next::BehindAdded && landings.jump == Some(function_index);
                let added = goes_on || landings.calls.contains(&function_index);
                next = if added { Next::Added } else { Next::Written };
            }
            Operator::CallIndirect { .. } => next = Next::Written,
            Operator::If { .. } | Operator::BrIf { .. } | Operator::BrTable { .. } => {
                if next == Next::Added {
                    branches.insert((position - code) as u32);
                    next = Next::BehindAdded;
                } else {
                    next = Next::Written;
                }
            }
            _ => {}
        }
    }
    Ok(branches)
}
