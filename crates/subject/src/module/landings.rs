//! Branches that the compiler adds where a call may be left from the inside, by an exception or by longjmp: nobody wrote them, so they are no sites.
//!
//! Behind a call through `invoke_…` comes a branch on whether the callee was left; behind a look for the setjmp that a jump leads to, and behind the value that it
//! brings, come others. Each is the first branch behind its call, without another call in between. Which `catch` an exception goes to is a decision of the source,
//! and stays one.

use std::collections::BTreeSet;

use twinrun_base::abi;
use wasmparser::{FunctionBody, Operator};

use super::decode::Decoded;

/// The functions behind whose calls such a branch stands; none in modules where no call is left.
pub(super) fn calls(decoded: &Decoded<'_>) -> Option<BTreeSet<u32>> {
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
    Some(calls)
}

/// The offsets of these branches in one body.
pub(super) fn find(
    body: &FunctionBody<'_>,
    code: usize,
    calls: &BTreeSet<u32>,
) -> Result<BTreeSet<u32>, wasmparser::BinaryReaderError> {
    let mut branches = BTreeSet::new();
    let mut behind = false;
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, position) = operators.read_with_offset()?;
        match operator {
            Operator::Call { function_index } => behind = calls.contains(&function_index),
            Operator::CallIndirect { .. } => behind = false,
            Operator::If { .. } | Operator::BrIf { .. } | Operator::BrTable { .. } => {
                if std::mem::take(&mut behind) {
                    branches.insert((position - code) as u32);
                }
            }
            _ => {}
        }
    }
    Ok(branches)
}
