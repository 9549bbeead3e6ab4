//! Patches: at each patched instruction the number of the active patch is compared with those that stand there.

use std::collections::BTreeMap;

use wasm_encoder::{BlockType, Instruction, MemArg};
use wasmparser::Operator;

use super::{Emit, Pass, Position};
use crate::layout::ACTIVE;
use crate::patch::{Change, Number, Patch, Sign, binary, stores};

pub(super) struct Patches {
    /// By instruction: the number of the first patch, and the changes.
    places: BTreeMap<u32, (i32, Vec<Change>)>,
}

impl Patches {
    /// `patches` are sorted by offset; a patch's number is its place in the list, counted from 1.
    pub(super) fn new(patches: &[Patch]) -> Patches {
        let mut places: BTreeMap<u32, (i32, Vec<Change>)> = BTreeMap::new();
        for (number, patch) in (1..).zip(patches) {
            places.entry(patch.offset).or_insert((number, Vec::new())).1.push(patch.change);
        }
        Patches { places }
    }
}

impl Pass for Patches {
    fn before(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        let Some((first, changes)) = self.places.get(&at.offset) else { return };
        let kept = emit.kept;
        if let Some((number, ..)) = binary(operator) {
            let [left, right] = kept.pair(number);
            emit.add(&[
                Instruction::LocalSet(right),
                Instruction::LocalTee(left),
                Instruction::LocalGet(right),
            ]);
        } else if stores(operator) {
            let (number, load) = old_value(operator);
            let [value, _] = kept.pair(number);
            emit.add(&[Instruction::LocalSet(value), Instruction::LocalTee(kept.address)]);
            when(emit, *first, 1, |emit, _| {
                emit.add(&[Instruction::LocalGet(kept.address), load.clone(), Instruction::LocalSet(value)]);
            });
            emit.add(&[Instruction::LocalGet(value)]);
        } else if load_at(operator, 0).is_some() {
            emit.add(&[Instruction::LocalTee(kept.address)]);
        } else if matches!(operator, Operator::If { .. } | Operator::BrIf { .. } | Operator::Select) {
            condition(emit, *first, changes);
        }
    }

    fn after(&mut self, operator: &Operator<'_>, at: Position, emit: &mut Emit<'_>) {
        let Some((first, changes)) = self.places.get(&at.offset) else { return };
        let kept = emit.kept;
        if let Some((number, sign, signed)) = binary(operator) {
            let [left, right] = kept.pair(number);
            let compares = sign >= Sign::Eq && sign <= Sign::Ge;
            let result = if compares { kept.results[0] } else { kept.results[number as usize] };
            emit.add(&[Instruction::LocalSet(result)]);
            when(emit, *first, changes.len(), |emit, which| {
                let Change::Sign(other) = changes[which] else { return };
                match other {
                    Sign::Left => emit.add(&[Instruction::LocalGet(left)]),
                    Sign::Right => emit.add(&[Instruction::LocalGet(right)]),
                    other => emit.add(&[
                        Instruction::LocalGet(left),
                        Instruction::LocalGet(right),
                        join(number, other, signed),
                    ]),
                }
                emit.add(&[Instruction::LocalSet(result)]);
            });
            emit.add(&[Instruction::LocalGet(result)]);
        } else if matches!(operator, Operator::I32Eqz) {
            condition(emit, *first, changes);
        } else if let Some(number) = produces(operator) {
            let result = kept.results[number as usize];
            emit.add(&[Instruction::LocalSet(result)]);
            when(emit, *first, changes.len(), |emit, which| {
                match changes[which] {
                    Change::Plus(change) => plus(emit, number, result, change),
                    Change::Value(value) => emit.add(&[Instruction::I32Const(value)]),
                    Change::Variable(offset) => match load_at(operator, u64::from(offset)) {
                        Some(load) => emit.add(&[Instruction::LocalGet(kept.address), load]),
                        None => emit.add(&[Instruction::LocalGet(result)]),
                    },
                    _ => emit.add(&[Instruction::LocalGet(result)]),
                }
                emit.add(&[Instruction::LocalSet(result)]);
            });
            emit.add(&[Instruction::LocalGet(result)]);
        }
    }
}

/// Runs `then` with the number of the change that is active here, if one is.
fn when(emit: &mut Emit<'_>, first: i32, count: usize, mut then: impl FnMut(&mut Emit<'_>, usize)) {
    use Instruction::{End, I32Const, I32Eq, I32Load, I32LtU, I32Sub, If, LocalGet, LocalTee};
    let which = emit.kept.which;
    let active = emit.control(ACTIVE);
    emit.add(&[
        I32Const(0),
        I32Load(active),
        I32Const(first),
        I32Sub,
        LocalTee(which),
        I32Const(count as i32),
        I32LtU,
        If(BlockType::Empty),
    ]);
    for change in 0..count {
        if count > 1 {
            emit.add(&[LocalGet(which), I32Const(change as i32), I32Eq, If(BlockType::Empty)]);
        }
        then(emit, change);
        if count > 1 {
            emit.add(&[End]);
        }
    }
    emit.add(&[End]);
}

/// Changes the truth value on the stack.
fn condition(emit: &mut Emit<'_>, first: i32, changes: &[Change]) {
    use Instruction::{I32Const, I32Eqz, LocalGet, LocalSet};
    let truth = emit.kept.results[0];
    emit.add(&[LocalSet(truth)]);
    when(emit, first, changes.len(), |emit, which| {
        match changes[which] {
            Change::Always => emit.add(&[I32Const(1)]),
            Change::Never => emit.add(&[I32Const(0)]),
            _ => emit.add(&[LocalGet(truth), I32Eqz]),
        }
        emit.add(&[LocalSet(truth)]);
    });
    emit.add(&[LocalGet(truth)]);
}

fn plus(emit: &mut Emit<'_>, number: Number, result: u32, change: i32) {
    use Instruction::{F64Add, F64Const, I32Add, I32Const, I64Add, I64Const, LocalGet};
    emit.add(&[LocalGet(result)]);
    match number {
        Number::I32 => emit.add(&[I32Const(change), I32Add]),
        Number::I64 => emit.add(&[I64Const(change.into()), I64Add]),
        Number::F64 => emit.add(&[F64Const(f64::from(change).into()), F64Add]),
    }
}

/// What a constant or a load leaves on the stack.
fn produces(operator: &Operator<'_>) -> Option<Number> {
    use Operator as O;
    match operator {
        O::I32Const { .. }
        | O::I32Load { .. }
        | O::I32Load8U { .. }
        | O::I32Load8S { .. }
        | O::I32Load16S { .. }
        | O::I32Load16U { .. } => Some(Number::I32),
        O::I64Load { .. } => Some(Number::I64),
        O::F64Const { .. } | O::F64Load { .. } => Some(Number::F64),
        _ => None,
    }
}

/// The same load at another offset.
fn load_at(operator: &Operator<'_>, offset: u64) -> Option<Instruction<'static>> {
    use Instruction as I;
    use Operator as O;
    let at = |memarg: &wasmparser::MemArg| MemArg { offset, align: 0, memory_index: memarg.memory };
    Some(match operator {
        O::I32Load { memarg } => I::I32Load(at(memarg)),
        O::I32Load8U { memarg } => I::I32Load8U(at(memarg)),
        O::I32Load8S { memarg } => I::I32Load8S(at(memarg)),
        O::I32Load16S { memarg } => I::I32Load16S(at(memarg)),
        O::I32Load16U { memarg } => I::I32Load16U(at(memarg)),
        O::I64Load { memarg } => I::I64Load(at(memarg)),
        O::F64Load { memarg } => I::F64Load(at(memarg)),
        _ => return None,
    })
}

/// The type of what is stored, and the load that reads what stands there.
fn old_value(operator: &Operator<'_>) -> (Number, Instruction<'static>) {
    use Instruction as I;
    use Operator as O;
    let at =
        |memarg: &wasmparser::MemArg| MemArg { offset: memarg.offset, align: 0, memory_index: memarg.memory };
    match operator {
        O::I32Store8 { memarg } => (Number::I32, I::I32Load8U(at(memarg))),
        O::I32Store16 { memarg } => (Number::I32, I::I32Load16U(at(memarg))),
        O::I64Store { memarg } => (Number::I64, I::I64Load(at(memarg))),
        O::F64Store { memarg } => (Number::F64, I::F64Load(at(memarg))),
        O::I32Store { memarg } => (Number::I32, I::I32Load(at(memarg))),
        _ => (Number::I32, I::Nop),
    }
}

/// The operator that joins two numbers so.
fn join(number: Number, sign: Sign, signed: bool) -> Instruction<'static> {
    use Instruction as I;
    use Sign as S;
    match (number, sign, signed) {
        (Number::I32, S::Add, _) => I::I32Add,
        (Number::I32, S::Sub, _) => I::I32Sub,
        (Number::I32, S::Mul, _) => I::I32Mul,
        (Number::I32, S::Div, true) => I::I32DivS,
        (Number::I32, S::Div, false) => I::I32DivU,
        (Number::I32, S::Rem, true) => I::I32RemS,
        (Number::I32, S::Rem, false) => I::I32RemU,
        (Number::I32, S::And, _) => I::I32And,
        (Number::I32, S::Or, _) => I::I32Or,
        (Number::I32, S::Xor, _) => I::I32Xor,
        (Number::I32, S::Shl, _) => I::I32Shl,
        (Number::I32, S::Shr, true) => I::I32ShrS,
        (Number::I32, S::Shr, false) => I::I32ShrU,
        (Number::I32, S::Eq, _) => I::I32Eq,
        (Number::I32, S::Ne, _) => I::I32Ne,
        (Number::I32, S::Lt, true) => I::I32LtS,
        (Number::I32, S::Lt, false) => I::I32LtU,
        (Number::I32, S::Le, true) => I::I32LeS,
        (Number::I32, S::Le, false) => I::I32LeU,
        (Number::I32, S::Gt, true) => I::I32GtS,
        (Number::I32, S::Gt, false) => I::I32GtU,
        (Number::I32, S::Ge, true) => I::I32GeS,
        (Number::I32, S::Ge, false) => I::I32GeU,
        (Number::I64, S::Sub, _) => I::I64Sub,
        (Number::I64, S::Mul, _) => I::I64Mul,
        (Number::I64, S::Eq, _) => I::I64Eq,
        (Number::I64, S::Ne, _) => I::I64Ne,
        (Number::I64, S::Lt, true) => I::I64LtS,
        (Number::I64, S::Lt, false) => I::I64LtU,
        (Number::I64, S::Le, true) => I::I64LeS,
        (Number::I64, S::Le, false) => I::I64LeU,
        (Number::I64, S::Gt, true) => I::I64GtS,
        (Number::I64, S::Gt, false) => I::I64GtU,
        (Number::I64, S::Ge, true) => I::I64GeS,
        (Number::I64, S::Ge, false) => I::I64GeU,
        (Number::I64, ..) => I::I64Add,
        (Number::F64, S::Sub, _) => I::F64Sub,
        (Number::F64, S::Mul, _) => I::F64Mul,
        (Number::F64, S::Div, _) => I::F64Div,
        (Number::F64, S::Eq, _) => I::F64Eq,
        (Number::F64, S::Ne, _) => I::F64Ne,
        (Number::F64, S::Lt, _) => I::F64Lt,
        (Number::F64, S::Le, _) => I::F64Le,
        (Number::F64, S::Gt, _) => I::F64Gt,
        (Number::F64, S::Ge, _) => I::F64Ge,
        (Number::F64, ..) => I::F64Add,
        (Number::I32, S::Left | S::Right, _) => I::I32Add,
    }
}
