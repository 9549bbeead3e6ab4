//! A concrete domain that behaves differently at one place: what a small change of the subject there would do.

use twinrun_interp::concrete;
use twinrun_interp::{
    BinaryOp, Concrete, Decision, Domain, LoadOp, Memory, Position, StoreOp, Trap, Type, UnaryOp,
};

use crate::changes::{Change, Source, alternative};

/// The domain: the change, and what it has to remember.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perturbed {
    at: Position,
    change: Change,
    /// Where the frame of the changed function lies, as its last access through the frame pointer told.
    frame: u64,
    /// The change looks at every access to memory.
    watches: bool,
    /// A word of memory that has another value than is written there: the effect of an inserted assignment.
    overlay: Option<(u64, u64)>,
    /// How often the changed branch was decided.
    decided: u32,
    /// The type of the changed operator's operands, once it is known.
    operands: Option<Type>,
}

impl Perturbed {
    /// The subject as it is.
    pub(crate) fn nothing() -> Perturbed {
        Perturbed::new(Position { function: u32::MAX, pc: u32::MAX }, Change::Nothing)
    }

    /// The subject changed at one place.
    pub(crate) fn new(at: Position, change: Change) -> Perturbed {
        Perturbed {
            at,
            change,
            frame: 0,
            watches: change.watches(),
            overlay: None,
            decided: 0,
            operands: None,
        }
    }

    fn is_here(&self, at: Position) -> bool {
        self.at.pc == at.pc && self.at.function == at.function
    }

    /// An inserted assignment follows this outcome.
    #[cold]
    fn assign(&mut self, outcome: u32) {
        if let Change::Assign { on, to, from, .. } = self.change
            && on == outcome
            && self.frame != 0
        {
            let value = match from {
                Source::Number(number) => u64::from(number as u32),
                Source::More(step) => u64::from(step as u32) | MORE,
            };
            self.overlay = Some((self.frame + u64::from(to), value));
        }
    }

    /// The changed behaviour stands apart, so that the interpreter's loop stays small.
    #[cold]
    #[inline(never)]
    fn changed_binary(&mut self, at: Position, op: BinaryOp, a: u64, b: u64) -> Result<u64, Trap> {
        let mut operands = || *self.operands.get_or_insert_with(|| op.types().0);
        let (op, b) = match self.change {
            Change::Operator(number) => (alternative(op, number).unwrap_or(op), b),
            Change::Right(step) => (op, moved(operands(), b, step)),
            Change::Number(number) => (op, in_type(operands(), number)),
            Change::Offset(other) => (op, u64::from(other)),
            _ => (op, b),
        };
        Concrete.binary(at, op, a, b)
    }

    #[cold]
    #[inline(never)]
    fn changed_branch(&mut self, outcome: u32) -> u32 {
        match self.change {
            Change::Negate => 1 - outcome,
            Change::Always(forced) => forced,
            Change::Switch(time) => {
                self.decided += 1;
                if self.decided == time { 1 - outcome } else { outcome }
            }
            Change::Assign { .. } => {
                self.assign(outcome);
                outcome
            }
            _ => outcome,
        }
    }

    #[cold]
    #[inline(never)]
    fn changed_load(
        &mut self,
        at: Position,
        memory: &Memory<()>,
        op: LoadOp,
        address: u64,
        offset: u32,
    ) -> Result<u64, Trap> {
        if let Change::Assign { probe, .. } = self.change {
            if at.function == self.at.function && at.pc == probe {
                self.frame = address;
            }
            if let Some((word, value)) = self.overlay
                && word == address + u64::from(offset)
                && op.bytes() == 4
            {
                if value & MORE != 0 {
                    return concrete::load(memory, op, word)
                        .map(|old| moved(Type::I32, old, value as u32 as i32));
                }
                return Ok(value);
            }
        } else if let Change::Both { load, to } = self.change {
            if at.function == self.at.function && at.pc == load {
                return concrete::load(memory, op, address + u64::from(to));
            }
        } else if self.is_here(at) {
            match self.change {
                Change::Result(step) => {
                    let value = concrete::load(memory, op, address + u64::from(offset))?;
                    return Ok(moved(op.ty(), value, step));
                }
                Change::Offset(other) => return concrete::load(memory, op, address + u64::from(other)),
                _ => {}
            }
        }
        concrete::load(memory, op, address + u64::from(offset))
    }

    #[cold]
    #[inline(never)]
    fn changed_store(
        &mut self,
        at: Position,
        memory: &mut Memory<()>,
        op: StoreOp,
        address: u64,
        offset: u32,
        value: u64,
    ) -> Result<(), Trap> {
        let mut value = value;
        if let Change::Assign { probe, .. } = self.change {
            if at.function == self.at.function && at.pc == probe {
                self.frame = address;
            }
            if self.overlay.is_some_and(|(word, _)| word == address + u64::from(offset)) {
                self.overlay = None;
            }
        } else if self.is_here(at) {
            match self.change {
                Change::Skip => return Ok(()),
                Change::Result(step) => value = moved(op.ty(), value, step),
                Change::Number(number) => value = in_type(op.ty(), number),
                Change::Offset(other) | Change::Both { to: other, .. } => {
                    return concrete::store(memory, op, address + u64::from(other), value);
                }
                Change::From(other) => {
                    let bytes = memory.read(address + u64::from(other), 4)?;
                    value = u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
                }
                _ => {}
            }
        }
        concrete::store(memory, op, address + u64::from(offset), value)
    }
}

/// Marks an overlay that is the word itself, more or less something.
const MORE: u64 = 1 << 41;

impl Domain for Perturbed {
    type Value = u64;
    type Shadow = ();
    const PAUSES: bool = false;

    #[inline(always)]
    fn constant(&mut self, _ty: Type, bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn literal(&mut self, at: Position, ty: Type, bits: u64) -> u64 {
        if self.is_here(at) {
            return match self.change {
                Change::Result(step) => moved(ty, bits, step),
                Change::Number(number) => in_type(ty, number),
                _ => bits,
            };
        }
        bits
    }

    #[inline(always)]
    fn concretise(&mut self, _at: Position, value: u64) -> Result<u64, Trap> {
        Ok(value)
    }

    #[inline(always)]
    fn peek(&self, value: u64) -> u64 {
        value
    }

    #[inline(always)]
    fn unary(&mut self, at: Position, op: UnaryOp, a: u64) -> Result<u64, Trap> {
        Concrete.unary(at, op, a)
    }

    #[inline(always)]
    fn binary(&mut self, at: Position, op: BinaryOp, a: u64, b: u64) -> Result<u64, Trap> {
        if self.is_here(at) {
            return self.changed_binary(at, op, a, b);
        }
        Concrete.binary(at, op, a, b)
    }

    #[inline(always)]
    fn branch(&mut self, at: Position, condition: u64) -> Decision {
        let outcome = u32::from(condition as u32 != 0);
        Decision::Take(if self.is_here(at) { self.changed_branch(outcome) } else { outcome })
    }

    #[inline(always)]
    fn switch(&mut self, at: Position, index: u64, outcomes: u32) -> Decision {
        let outcome = (index as u32).min(outcomes - 1);
        match self.change {
            Change::Always(forced) if self.is_here(at) => Decision::Take(forced.min(outcomes - 1)),
            _ => Decision::Take(outcome),
        }
    }

    #[inline(always)]
    fn select(&mut self, _at: Position, condition: u64, a: u64, b: u64) -> u64 {
        if condition as u32 != 0 { a } else { b }
    }

    #[inline(always)]
    fn load(
        &mut self,
        at: Position,
        memory: &Memory<()>,
        op: LoadOp,
        address: u64,
        offset: u32,
    ) -> Result<u64, Trap> {
        if self.watches || self.is_here(at) {
            return self.changed_load(at, memory, op, address, offset);
        }
        concrete::load(memory, op, address + u64::from(offset))
    }

    #[inline(always)]
    fn store(
        &mut self,
        at: Position,
        memory: &mut Memory<()>,
        op: StoreOp,
        address: u64,
        offset: u32,
        value: u64,
    ) -> Result<(), Trap> {
        if self.watches || self.is_here(at) {
            return self.changed_store(at, memory, op, address, offset, value);
        }
        concrete::store(memory, op, address + u64::from(offset), value)
    }

    fn copy(&mut self, memory: &mut Memory<()>, to: u64, from: u64, len: u64) -> Result<(), Trap> {
        Concrete.copy(memory, to, from, len)
    }

    fn fill(&mut self, memory: &mut Memory<()>, to: u64, value: u64, len: u64) -> Result<(), Trap> {
        Concrete.fill(memory, to, value, len)
    }

    fn write(&mut self, memory: &mut Memory<()>, to: u64, bytes: &[u8]) -> Result<(), Trap> {
        Concrete.write(memory, to, bytes)
    }
}

/// A value, more or less something in its type.
fn moved(ty: Type, value: u64, step: i32) -> u64 {
    match ty {
        Type::F64 => (f64::from_bits(value) + f64::from(step)).to_bits(),
        Type::F32 => u64::from((f32::from_bits(value as u32) + step as f32).to_bits()),
        Type::I64 => value.wrapping_add(i64::from(step) as u64),
        _ => u64::from((value as u32).wrapping_add(step as u32)),
    }
}

/// A number as a value of a type.
fn in_type(ty: Type, number: i32) -> u64 {
    match ty {
        Type::F64 => f64::from(number).to_bits(),
        Type::F32 => u64::from((number as f32).to_bits()),
        Type::I64 => i64::from(number) as u64,
        _ => u64::from(number as u32),
    }
}
