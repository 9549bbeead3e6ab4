//! A function's frame on the stack that C code keeps in linear memory, as the other engine proves it: how many bytes below the stack pointer at entry its
//! own stores may write, and which stores those are.
//!
//! A *frame local* is set exactly once, outside all blocks, to the stack pointer at entry minus a constant; a store through it stays in the frame when
//! its bytes end within that constant.

use std::collections::BTreeMap;

use wasmparser::{MemArg, Operator};

use crate::ops::{LoadOp, StoreOp, with_ops};

/// What is known about a function's frame.
#[derive(Debug, Default)]
pub(super) struct StackFrame {
    /// Bytes below the stack pointer at entry.
    pub(super) size: u32,
    /// Bytes below the stack pointer at entry that some local points to.
    pub(super) reach: u32,
    /// The proved stores, by the number of the operator, ascending.
    pub(super) stores: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Known {
    Constant(i32),
    /// The stack pointer at entry plus this.
    Pointer(i32),
}

impl StackFrame {
    pub(super) fn new(operators: &[(Operator<'_>, u32)], params: u32, pointer: u32) -> StackFrame {
        let mut sets: BTreeMap<u32, u32> = BTreeMap::new();
        for (operator, _) in operators {
            if let Operator::LocalSet { local_index } | Operator::LocalTee { local_index } = operator {
                *sets.entry(*local_index).or_default() += 1;
            }
        }
        let mut frame = StackFrame::default();
        let mut known: BTreeMap<u32, Known> = BTreeMap::new();
        let (mut nesting, mut at_entry) = (0u32, true);
        for (index, (operator, _)) in operators.iter().enumerate() {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => nesting += 1,
                Operator::End => nesting = nesting.saturating_sub(1),
                Operator::GlobalSet { global_index } if *global_index == pointer => at_entry = false,
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    let once = *local_index >= params && sets[local_index] == 1;
                    if nesting == 0
                        && once
                        && let Some(value) = value(&operators[..index], &known, pointer, at_entry)
                    {
                        if let Known::Pointer(below) = value {
                            frame.reach = frame.reach.max(below.min(0).unsigned_abs());
                        }
                        known.insert(*local_index, value);
                    }
                }
                operator => {
                    let Some((arg, op)) = store(operator) else { continue };
                    let [.., (Operator::LocalGet { local_index }, _), (pushed, _)] = &operators[..index]
                    else {
                        continue;
                    };
                    if let Some(Known::Pointer(below)) = known.get(local_index)
                        && *below < 0
                        && pushes(pushed)
                        && arg.offset + u64::from(op.bytes()) <= u64::from(below.unsigned_abs())
                    {
                        frame.stores.push(index);
                        frame.size = frame.size.max(below.unsigned_abs());
                    }
                }
            }
        }
        frame
    }
}

/// The value that the operators before a `local.set` leave on the stack.
fn value(
    before: &[(Operator<'_>, u32)],
    known: &BTreeMap<u32, Known>,
    pointer: u32,
    at_entry: bool,
) -> Option<Known> {
    let operand = |operator: &Operator<'_>| match operator {
        Operator::I32Const { value } => Some(Known::Constant(*value)),
        Operator::LocalGet { local_index } => known.get(local_index).copied(),
        Operator::GlobalGet { global_index } if *global_index == pointer && at_entry => {
            Some(Known::Pointer(0))
        }
        _ => None,
    };
    match before {
        [.., (left, _), (right, _), (sum @ (Operator::I32Add | Operator::I32Sub), _)] => {
            match (operand(left)?, operand(right)?) {
                (Known::Pointer(base), Known::Constant(change)) if matches!(sum, Operator::I32Sub) => {
                    base.checked_sub(change).map(Known::Pointer)
                }
                (Known::Pointer(base), Known::Constant(change)) => {
                    base.checked_add(change).map(Known::Pointer)
                }
                _ => None,
            }
        }
        [.., (last, _)] => operand(last),
        [] => None,
    }
}

/// Whether an operator pushes one value and takes none.
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

macro_rules! define_accesses {
    (compare { $($c:tt)* } integer { $($i:tt)* } float { $($f:tt)* } unary { $($u:tt)* }
     load { $(($l:ident $lt:ident $lb:literal $ls:literal))* } store { $(($s:ident $st:ident $sb:literal))* }) => {
        /// The store that an operator is.
        pub(super) fn store(operator: &Operator<'_>) -> Option<(MemArg, StoreOp)> {
            match operator {
                $(Operator::$s { memarg } => Some((*memarg, StoreOp::$s)),)*
                _ => None,
            }
        }

        /// The load that an operator is.
        pub(super) fn load(operator: &Operator<'_>) -> Option<(MemArg, LoadOp)> {
            match operator {
                $(Operator::$l { memarg } => Some((*memarg, LoadOp::$l)),)*
                _ => None,
            }
        }
    };
}
with_ops!(define_accesses);
