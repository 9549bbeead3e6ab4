//! Which stores stay in their own function's stack frame, proved from the code that unoptimised compilers emit.
//!
//! A *frame local* is set exactly once, outside all blocks, to the stack pointer at entry minus a constant. A store whose
//! address is such a local, with offset and width inside the constant, writes between that address and the stack pointer at
//! entry: the low-water mark covers it. The stack pointer is known by its name, `__stack_pointer`; that calls leave it as
//! they found it is the C ABI's promise.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{MemArg, Operator, ValType};

/// What is known about a function's stack frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    /// Bytes below the stack pointer at entry that proved stores may write.
    pub(crate) size: u32,
    /// The proved stores, by the number of the instruction.
    pub(crate) stores: BTreeSet<u32>,
}

#[derive(Clone, Copy)]
enum Known {
    Constant(i32),
    /// The stack pointer at entry plus this.
    Frame(i32),
}

impl Frames {
    /// Looks through the instructions of a function with so many parameters.
    pub(crate) fn new(operators: &[Operator<'_>], parameters: u32, pointer: u32) -> Frames {
        let mut sets: BTreeMap<u32, u32> = BTreeMap::new();
        for operator in operators {
            if let Operator::LocalSet { local_index } | Operator::LocalTee { local_index } = operator {
                *sets.entry(*local_index).or_default() += 1;
            }
        }
        let mut frames = Frames::default();
        let mut known: BTreeMap<u32, Known> = BTreeMap::new();
        let (mut nesting, mut at_entry) = (0u32, true);
        for (index, operator) in operators.iter().enumerate() {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => nesting += 1,
                Operator::End => nesting = nesting.saturating_sub(1),
                Operator::GlobalSet { global_index } if *global_index == pointer => at_entry = false,
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    let once = *local_index >= parameters && sets[local_index] == 1;
                    if nesting == 0 && once {
                        let value = value(&operators[..index], &known, pointer, at_entry);
                        value.map(|value| known.insert(*local_index, value));
                    }
                }
                operator => {
                    let Some((arg, _, width)) = store(operator) else { continue };
                    let [.., Operator::LocalGet { local_index }, pushed] = &operators[..index] else {
                        continue;
                    };
                    if !pushes(pushed) {
                        continue;
                    }
                    if let Some(Known::Frame(below)) = known.get(local_index)
                        && *below < 0
                        && arg.memory == 0
                        && arg.offset + u64::from(width) <= u64::from(below.unsigned_abs())
                    {
                        frames.stores.insert(index as u32);
                        frames.size = frames.size.max(below.unsigned_abs());
                    }
                }
            }
        }
        frames
    }
}

/// The value that the instructions before a `local.set` leave on the stack.
fn value(
    before: &[Operator<'_>],
    known: &BTreeMap<u32, Known>,
    pointer: u32,
    at_entry: bool,
) -> Option<Known> {
    let operand = |operator: &Operator<'_>| match operator {
        Operator::I32Const { value } => Some(Known::Constant(*value)),
        Operator::LocalGet { local_index } => known.get(local_index).copied(),
        Operator::GlobalGet { global_index } if *global_index == pointer && at_entry => Some(Known::Frame(0)),
        _ => None,
    };
    match before {
        [.., left, right, sum @ (Operator::I32Add | Operator::I32Sub)] => {
            let subtract = matches!(sum, Operator::I32Sub);
            match (operand(left)?, operand(right)?) {
                (Known::Frame(base), Known::Constant(change)) if subtract => {
                    base.checked_sub(change).map(Known::Frame)
                }
                (Known::Frame(base), Known::Constant(change)) => base.checked_add(change).map(Known::Frame),
                _ => None,
            }
        }
        [.., last] => operand(last),
        [] => None,
    }
}

/// Whether an instruction pushes one value and takes none.
fn pushes(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::LocalGet { .. }
            | Operator::GlobalGet { .. }
            | Operator::I32Const { .. }
            | Operator::I64Const { .. }
            | Operator::F32Const { .. }
            | Operator::F64Const { .. }
    )
}

/// The address, the type of the value and the width in bytes of a store.
pub(super) fn store(operator: &Operator<'_>) -> Option<(MemArg, ValType, u32)> {
    use Operator as O;
    Some(match operator {
        O::I32Store { memarg } => (*memarg, ValType::I32, 4),
        O::I64Store { memarg } => (*memarg, ValType::I64, 8),
        O::F32Store { memarg } => (*memarg, ValType::F32, 4),
        O::F64Store { memarg } => (*memarg, ValType::F64, 8),
        O::I32Store8 { memarg } => (*memarg, ValType::I32, 1),
        O::I32Store16 { memarg } => (*memarg, ValType::I32, 2),
        O::I64Store8 { memarg } => (*memarg, ValType::I64, 1),
        O::I64Store16 { memarg } => (*memarg, ValType::I64, 2),
        O::I64Store32 { memarg } => (*memarg, ValType::I64, 4),
        O::V128Store { memarg } => (*memarg, ValType::V128, 16),
        O::V128Store8Lane { memarg, .. } => (*memarg, ValType::V128, 1),
        O::V128Store16Lane { memarg, .. } => (*memarg, ValType::V128, 2),
        O::V128Store32Lane { memarg, .. } => (*memarg, ValType::V128, 4),
        O::V128Store64Lane { memarg, .. } => (*memarg, ValType::V128, 8),
        _ => return None,
    })
}

/// The address and the width in bytes of a load from an address that is on top of the stack.
pub(super) fn load(operator: &Operator<'_>) -> Option<(MemArg, u32)> {
    use Operator as O;
    Some(match operator {
        O::I32Load8S { memarg }
        | O::I32Load8U { memarg }
        | O::I64Load8S { memarg }
        | O::I64Load8U { memarg } => (*memarg, 1),
        O::I32Load16S { memarg }
        | O::I32Load16U { memarg }
        | O::I64Load16S { memarg }
        | O::I64Load16U { memarg } => (*memarg, 2),
        O::I32Load { memarg }
        | O::F32Load { memarg }
        | O::I64Load32S { memarg }
        | O::I64Load32U { memarg } => (*memarg, 4),
        O::I64Load { memarg } | O::F64Load { memarg } => (*memarg, 8),
        O::V128Load { memarg } => (*memarg, 16),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proved stores of the first function of a module whose stack pointer is global 0, and the size of its frame.
    fn check(body: &str, expected: (&[u32], u32)) {
        let text = format!(
            "(module (memory 1) (global (mut i32) (i32.const 1024)) (func (param i32) (local i32 i32 i32) {body}))"
        );
        let bytes = wat::parse_str(text).unwrap();
        let operators: Vec<Operator<'_>> = wasmparser::Parser::new(0)
            .parse_all(&bytes)
            .find_map(|payload| match payload.unwrap() {
                wasmparser::Payload::CodeSectionEntry(body) => Some(body),
                _ => None,
            })
            .map(|body| body.get_operators_reader().unwrap().into_iter().collect::<Result<_, _>>().unwrap())
            .unwrap();
        let frames = Frames::new(&operators, 1, 0);
        assert_eq!(
            (frames.stores.into_iter().collect::<Vec<_>>().as_slice(), frames.size),
            expected,
            "{body}"
        );
    }

    #[test]
    fn stores_of_unoptimised_code_are_proved() {
        let frame =
            "global.get 0 local.set 1 i32.const 32 local.set 2 local.get 1 local.get 2 i32.sub local.set 3";
        check(&format!("{frame} local.get 3 local.get 0 i32.store offset=28"), (&[10], 32));
        check(&format!("{frame} local.get 3 i64.const 1 i64.store offset=24"), (&[10], 32));
        // Beyond the frame, through another address, or at an address that is computed.
        check(&format!("{frame} local.get 3 local.get 0 i32.store offset=30"), (&[], 0));
        check(&format!("{frame} local.get 0 local.get 3 i32.store"), (&[], 0));
        check(&format!("{frame} local.get 3 local.get 0 i32.add local.get 0 i32.store"), (&[], 0));
    }

    #[test]
    fn a_local_that_may_hold_something_else_proves_nothing() {
        let set = "global.get 0 i32.const 16 i32.sub local.set 3";
        check(&format!("{set} local.get 3 local.get 0 i32.store"), (&[6], 16));
        check(&format!("block {set} end local.get 3 local.get 0 i32.store"), (&[], 0));
        check(&format!("{set} local.get 0 local.set 3 local.get 3 local.get 0 i32.store"), (&[], 0));
        check(&format!("local.get 0 global.set 0 {set} local.get 3 local.get 0 i32.store"), (&[], 0));
    }
}
