//! Small changes of behaviour at one instruction: the kinds of faults that are tried in reverse.
//!
//! Changing a program and looking which tests change their verdict is how mutation-based fault localisation ranks places
//! (Papadakis and Le Traon: *Metallaxis-FL*; Moon, Kim, Kim, Yoo: *Ask the Mutants*). Here the oracle is the relation, and the
//! program is changed inside the interpreter, so that nothing has to be compiled.

use twinrun_interp::code::Code;
use twinrun_interp::instr::{Form, Instr, Operand};
use twinrun_interp::{BinaryOp, Position};

use crate::frame::{Frame, Role};

/// A change of what one instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Change {
    /// None.
    Nothing,
    /// A branch goes the other way.
    Negate,
    /// A branch always goes this way.
    Always(u32),
    /// One decision of a branch, counted from 1 over the whole group, goes the other way (Zhang, Gupta, Gupta: *Locating Faults
    /// through Automated Predicate Switching*).
    Switch(u32),
    /// Another operator of the same family, by number.
    Operator(u8),
    /// The right operand is this much more.
    Right(i32),
    /// What is computed, read or written is this much more.
    Result(i32),
    /// Another variable of the frame is read or written.
    Offset(u32),
    /// The right operand is this number, or it is written.
    Number(i32),
    /// Another variable of the frame is written to this place.
    From(u32),
    /// A variable that is read and written back is another one in both places.
    Both {
        /// The instruction that reads it.
        load: u32,
        /// The other variable, by its offset in the frame.
        to: u32,
    },
    /// Nothing is written.
    Skip,
    /// After this outcome of a branch, a variable of the frame is assigned.
    Assign {
        /// The outcome.
        on: u32,
        /// The variable, by its offset in the frame.
        to: u32,
        /// What it is assigned.
        from: Source,
        /// The instruction whose address is the frame's.
        probe: u32,
    },
}

/// What an inserted assignment assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A number.
    Number(i32),
    /// The variable itself, this much more.
    More(i32),
}

impl Change {
    /// The change in words.
    pub(crate) fn describe(self) -> String {
        match self {
            Change::Nothing => "no change".to_owned(),
            Change::Negate => "the branch taken the other way".to_owned(),
            Change::Always(outcome) => format!("the branch always taken with outcome {outcome}"),
            Change::Switch(time) => format!("the branch taken the other way at time {time}"),
            Change::Operator(_) => "another operator".to_owned(),
            Change::Right(step) => format!("the right side {step:+}"),
            Change::Result(step) => format!("the value {step:+}"),
            Change::Offset(_) | Change::Both { .. } => "another variable in this place".to_owned(),
            Change::Number(number) => format!("the number {number} in this place"),
            Change::From(_) => "another variable assigned".to_owned(),
            Change::Skip => "the assignment left out".to_owned(),
            Change::Assign { .. } => "an assignment after this branch".to_owned(),
        }
    }

    /// Its kind, by name.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Change::Nothing => "nothing",
            Change::Negate => "negate",
            Change::Always(_) => "always",
            Change::Switch(_) => "switch",
            Change::Operator(_) => "operator",
            Change::Right(_) => "right",
            Change::Result(_) => "result",
            Change::Offset(_) | Change::Both { .. } => "variable",
            Change::Number(_) => "number",
            Change::From(_) => "source",
            Change::Skip => "skip",
            Change::Assign { .. } => "assign",
        }
    }

    /// Whether it looks at other accesses to memory than the one of its place.
    pub(crate) fn watches(self) -> bool {
        matches!(self, Change::Assign { .. } | Change::Both { .. })
    }
}

/// Operators that are mistaken for each other.
const FAMILIES: &[&[BinaryOp]] = {
    use BinaryOp::*;
    &[
        &[I32LtS, I32LeS, I32GtS, I32GeS, I32Eq, I32Ne],
        &[I32LtU, I32LeU, I32GtU, I32GeU, I32Eq, I32Ne],
        &[I64LtS, I64LeS, I64GtS, I64GeS, I64Eq, I64Ne],
        &[I64LtU, I64LeU, I64GtU, I64GeU, I64Eq, I64Ne],
        &[F64Lt, F64Le, F64Gt, F64Ge, F64Eq, F64Ne],
        &[F32Lt, F32Le, F32Gt, F32Ge, F32Eq, F32Ne],
        &[I32Add, I32Sub, I32Mul, I32DivS, I32RemS],
        &[I32DivU, I32RemU, I32Mul],
        &[I64Add, I64Sub, I64Mul, I64DivS, I64RemS],
        &[F64Add, F64Sub, F64Mul, F64Div],
        &[F32Add, F32Sub, F32Mul, F32Div],
        &[I32And, I32Or, I32Xor],
        &[I64And, I64Or, I64Xor],
        &[I32Shl, I32ShrS],
        &[I32ShrU, I32Shl],
        &[I64Shl, I64ShrS],
    ]
};

/// The `number`-th operator that an operator may be mistaken for.
pub(crate) fn alternative(op: BinaryOp, number: u8) -> Option<BinaryOp> {
    let family = FAMILIES.iter().find(|family| family.contains(&op))?;
    family.iter().copied().filter(|other| *other != op).nth(usize::from(number))
}

/// The changes that are tried at an instruction.
pub(crate) fn changes(code: &Code, frame: &Frame, at: Position) -> Vec<Change> {
    let instr = code.instrs[at.pc as usize];
    let mut changes = Vec::new();
    let is_branch = code.site(at.pc).is_some();
    match instr.form() {
        Form::Binary(op) => match frame.role(instr) {
            Role::Value => {
                let others = (0..5).filter(|number| alternative(op, *number).is_some());
                changes.extend(others.map(Change::Operator));
                changes.extend([1, -1].map(Change::Right));
                if matches!(instr.binary_parts(), Some((_, _, _, Operand::Imm(_)))) {
                    changes.extend(frame.numbers().map(Change::Number));
                }
            }
            // Of pointers only the direction may be mistaken, or the first element meant.
            Role::Address => {
                changes.push(Change::Operator(0));
                if matches!(instr.binary_parts(), Some((_, _, _, Operand::Imm(_)))) {
                    changes.push(Change::Number(0));
                }
            }
            Role::Variable => changes.extend(frame.other_arrays(instr).map(Change::Offset)),
            Role::Scale => {}
        },
        Form::Unary(_) => {}
        Form::Load(_) => {
            if !frame.is_address(instr) {
                changes.extend([1, -1].map(Change::Result));
            }
            changes.extend(frame.others(instr).map(Change::Offset));
        }
        // What a caller gives is changed where it is given.
        Form::Store(_) if frame.keeps_parameter(code, at.pc) => {}
        Form::Store(_) => {
            changes.push(Change::Skip);
            if !frame.is_address(instr) {
                changes.extend([1, -1].map(Change::Result));
                changes.extend(frame.numbers().map(Change::Number));
            }
            changes.extend(frame.others(instr).flat_map(|word| [Change::From(word), Change::Offset(word)]));
            if let Some(load) = frame.updated(code, at.pc) {
                changes.extend(frame.others(instr).map(|to| Change::Both { load, to }));
            }
        }
        Form::Branch(_) if is_branch => {
            // A comparison that is fused with its branch: its operator is known when it runs.
            changes.extend((0..5).map(Change::Operator));
            changes.extend([1, -1].map(Change::Right));
            changes.extend(frame.numbers().map(Change::Number));
        }
        Form::Other if matches!(instr, Instr::I32Const { .. }) => {
            changes.extend([1, -1].map(Change::Result));
            changes.extend(frame.numbers().map(Change::Number));
        }
        Form::Branch(_) | Form::Other => {}
    }
    if is_branch {
        let outcomes = if let Instr::BrTable { len, .. } = instr { len } else { 2 };
        changes.extend((0..outcomes).map(Change::Always));
        if outcomes == 2 {
            changes.push(Change::Negate);
            changes.extend(assignments(frame, at.pc));
        }
    }
    changes
}

/// Assignments that may be missing after a branch.
fn assignments(frame: &Frame, pc: u32) -> Vec<Change> {
    let Some(probe) = frame.probe_before(pc) else { return Vec::new() };
    let mut changes = Vec::new();
    for on in 0..2 {
        for to in frame.assigned() {
            let mut add = |from: Source| changes.push(Change::Assign { on, to, from, probe });
            [0, 1].into_iter().for_each(|number| add(Source::Number(number)));
            [1, -1].into_iter().for_each(|step| add(Source::More(step)));
        }
    }
    changes
}
