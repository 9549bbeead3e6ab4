//! The concrete domain: a value is its 64 bits.

use crate::arith;
use crate::domain::{Decision, Domain, Position};
use crate::memory::Memory;
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp};
use crate::trap::Trap;

/// The concrete domain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

/// Reads the bytes of a load and extends them; for domains that keep a concrete half.
#[inline(always)]
pub fn load<S>(memory: &Memory<S>, op: LoadOp, at: u64) -> Result<u64, Trap> {
    Ok(match (op.bytes(), op.signed()) {
        (1, false) => u64::from(memory.load::<1>(at)?[0]),
        (2, false) => u64::from(u16::from_le_bytes(memory.load(at)?)),
        (4, false) => u64::from(u32::from_le_bytes(memory.load(at)?)),
        (1, true) => extend(op, i64::from(i8::from_le_bytes(memory.load(at)?))),
        (2, true) => extend(op, i64::from(i16::from_le_bytes(memory.load(at)?))),
        (4, true) => extend(op, i64::from(i32::from_le_bytes(memory.load(at)?))),
        _ => u64::from_le_bytes(memory.load(at)?),
    })
}

#[inline(always)]
fn extend(op: LoadOp, value: i64) -> u64 {
    if op.ty() == Type::I32 { u64::from(value as u32) } else { value as u64 }
}

/// Writes the low bytes of a value; for domains that keep a concrete half.
#[inline(always)]
pub fn store<S>(memory: &mut Memory<S>, op: StoreOp, at: u64, value: u64) -> Result<(), Trap> {
    match op.bytes() {
        1 => memory.store(at, [value as u8]),
        2 => memory.store(at, (value as u16).to_le_bytes()),
        4 => memory.store(at, (value as u32).to_le_bytes()),
        _ => memory.store(at, value.to_le_bytes()),
    }
}

impl Domain for Concrete {
    type Value = u64;
    type Shadow = ();
    const PAUSES: bool = false;

    #[inline(always)]
    fn constant(&mut self, _ty: Type, bits: u64) -> u64 {
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
    fn unary(&mut self, _at: Position, op: UnaryOp, a: u64) -> Result<u64, Trap> {
        arith::unary(op, a)
    }

    #[inline(always)]
    fn binary(&mut self, _at: Position, op: BinaryOp, a: u64, b: u64) -> Result<u64, Trap> {
        arith::binary(op, a, b)
    }

    #[inline(always)]
    fn branch(&mut self, _at: Position, condition: u64) -> Decision {
        Decision::Take(u32::from(condition as u32 != 0))
    }

    #[inline(always)]
    fn switch(&mut self, _at: Position, index: u64, outcomes: u32) -> Decision {
        Decision::Take((index as u32).min(outcomes - 1))
    }

    #[inline(always)]
    fn select(&mut self, _at: Position, condition: u64, a: u64, b: u64) -> u64 {
        if condition as u32 != 0 { a } else { b }
    }

    #[inline(always)]
    fn load(
        &mut self,
        _at: Position,
        memory: &Memory<()>,
        op: LoadOp,
        address: u64,
        offset: u32,
    ) -> Result<u64, Trap> {
        load(memory, op, address + u64::from(offset))
    }

    #[inline(always)]
    fn store(
        &mut self,
        _at: Position,
        memory: &mut Memory<()>,
        op: StoreOp,
        address: u64,
        offset: u32,
        value: u64,
    ) -> Result<(), Trap> {
        store(memory, op, address + u64::from(offset), value)
    }

    fn copy(&mut self, memory: &mut Memory<()>, to: u64, from: u64, len: u64) -> Result<(), Trap> {
        if to.max(from).checked_add(len).is_none_or(|end| end > memory.len()) {
            return Err(Trap::MemoryOutOfBounds);
        }
        let bytes = memory.read(from, len)?;
        memory.write(to, &bytes)
    }

    fn fill(&mut self, memory: &mut Memory<()>, to: u64, value: u64, len: u64) -> Result<(), Trap> {
        memory.fill(to, len, value as u8)
    }

    fn write(&mut self, memory: &mut Memory<()>, to: u64, bytes: &[u8]) -> Result<(), Trap> {
        memory.write(to, bytes)
    }
}
