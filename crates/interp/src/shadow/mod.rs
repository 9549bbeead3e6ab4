//! The shadow domain: concrete values that know which of their bits nobody has written.
//!
//! The bytes of a new stack frame and of a new heap block are undefined until they are written. Moving them is no use: copies, arguments, results, padding,
//! unions and the rest of a bit-field keep their undefined bits. Deciding by them is one: a branch, an address, a check, an assumption, an output. A
//! use ends the group as [`Trap::Uninitialised`].
//!
//! Code without debug information (the toolchain's own library) is optimised and may decide by a byte before it knows whether the byte matters, so uses in it are
//! not reported; what it computes from undefined bytes stays undefined and is reported where it gets out.

pub mod bits;
mod memory;
mod report;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith;
use crate::concrete;
use crate::domain::{Decision, Domain, Origin, Position};
use crate::memory::Memory;
use crate::module::Module;
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp};
use crate::trap::Trap;

pub use bits::Word;
pub use memory::Shadow;
pub use report::{Namer, run_shadowed};

/// A value with its undefined bits and the number of their source.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The value.
    pub word: Word,
    /// Where the undefined bits came from; 0 where there are none.
    pub source: u32,
}

/// Where undefined bytes came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// What they belonged to.
    pub origin: Origin,
    /// The address at which they were first read.
    pub address: Option<u32>,
    /// The last of them, read at once.
    pub last: Option<u32>,
}

/// The shadow domain.
#[derive(Clone, Debug, Default)]
pub struct Shadowed {
    /// Sources by number, from 1 on.
    sources: Vec<Source>,
    origins: FxHashMap<Origin, u32>,
    places: FxHashMap<(u32, u32, u32), u32>,
    opaque: FxHashSet<u32>,
    /// The source of the use that ended the group.
    pub fault: Option<Source>,
}

/// More places than this are not told apart: the rest is known by its frame or block.
const MOST_PLACES: usize = 1 << 18;

impl Shadowed {
    fn value(word: Word, source: u32) -> Value {
        Value { word, source: if word.undefined == 0 { 0 } else { source } }
    }

    fn number(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32
    }

    /// The source of undefined bytes that are read at once, the first and the last at these addresses.
    fn place(&mut self, source: u32, first: u64, last: u64) -> u32 {
        let Some(known) = self.sources.get((source as usize).wrapping_sub(1)).copied() else { return source };
        if known.address.is_some() {
            return source;
        }
        let key = (source, first as u32, last as u32);
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        if self.places.len() >= MOST_PLACES {
            return source;
        }
        let place = self.number(Source { address: Some(first as u32), last: Some(last as u32), ..known });
        self.places.insert(key, place);
        place
    }

    /// A use: an error where it is reported.
    #[cold]
    fn misuse(&mut self, at: Position, source: u32) -> Result<(), Trap> {
        if self.opaque.contains(&at.function) {
            return Ok(());
        }
        self.fault = self.sources.get((source as usize).wrapping_sub(1)).copied();
        Err(Trap::Uninitialised)
    }

    fn address(&mut self, at: Position, address: Value) -> Result<u64, Trap> {
        if address.word.undefined != 0 {
            self.misuse(at, address.source)?;
        }
        Ok(address.word.bits)
    }
}

impl Domain for Shadowed {
    type Value = Value;
    type Shadow = Shadow;
    const PAUSES: bool = false;

    #[inline(always)]
    fn constant(&mut self, _ty: Type, bits: u64) -> Value {
        Value { word: Word { bits, undefined: 0 }, source: 0 }
    }

    fn concretise(&mut self, at: Position, value: Value) -> Result<u64, Trap> {
        self.address(at, value)
    }

    #[inline(always)]
    fn peek(&self, value: Value) -> u64 {
        value.word.bits
    }

    #[inline(always)]
    fn unary(&mut self, _at: Position, op: UnaryOp, a: Value) -> Result<Value, Trap> {
        let bits = arith::unary(op, a.word.bits)?;
        Ok(Shadowed::value(Word { bits, undefined: bits::unary(op, a.word) }, a.source))
    }

    #[inline(always)]
    fn binary(&mut self, at: Position, op: BinaryOp, a: Value, b: Value) -> Result<Value, Trap> {
        // Whether a division traps is decided by its operands.
        if op.may_trap() && b.word.undefined != 0 {
            self.misuse(at, b.source)?;
        }
        let bits = arith::binary(op, a.word.bits, b.word.bits)?;
        let source = if a.word.undefined != 0 { a.source } else { b.source };
        Ok(Shadowed::value(Word { bits, undefined: bits::binary(op, a.word, b.word) }, source))
    }

    #[inline(always)]
    fn branch(&mut self, at: Position, condition: Value) -> Decision {
        if condition.word.may_be_zero_or_not()
            && let Err(trap) = self.misuse(at, condition.source)
        {
            return Decision::Fail(trap);
        }
        Decision::Take(u32::from(condition.word.bits as u32 != 0))
    }

    fn switch(&mut self, at: Position, index: Value, outcomes: u32) -> Decision {
        if index.word.undefined != 0
            && let Err(trap) = self.misuse(at, index.source)
        {
            return Decision::Fail(trap);
        }
        Decision::Take((index.word.bits as u32).min(outcomes - 1))
    }

    fn select(&mut self, _at: Position, condition: Value, a: Value, b: Value) -> Value {
        let chosen = if condition.word.bits as u32 != 0 { a } else { b };
        if !condition.word.may_be_zero_or_not() {
            return chosen;
        }
        let differs = a.word.bits ^ b.word.bits;
        let undefined = differs | a.word.undefined | b.word.undefined;
        Shadowed::value(Word { bits: chosen.word.bits, undefined }, condition.source)
    }

    #[inline(always)]
    fn load(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        op: LoadOp,
        address: Value,
        offset: u32,
    ) -> Result<Value, Trap> {
        let from = self.address(at, address)? + u64::from(offset);
        let bits = concrete::load(memory, op, from)?;
        let undefined = match op.bytes() {
            1 => memory.shadow.word::<1>(from),
            2 => memory.shadow.word::<2>(from),
            4 => memory.shadow.word::<4>(from),
            _ => memory.shadow.word::<8>(from),
        };
        if undefined == 0 {
            return Ok(Value { word: Word { bits, undefined }, source: 0 });
        }
        let first = from + u64::from(undefined.trailing_zeros() / 8);
        let last = from + u64::from(undefined.ilog2() / 8);
        let source = self.place(memory.shadow.get(first).1, first, last);
        let undefined = match (op.bytes(), op.signed()) {
            (1, true) => i64::from(undefined as i8).cast_unsigned(),
            (2, true) => i64::from(undefined as i16).cast_unsigned(),
            (4, true) => i64::from(undefined as i32).cast_unsigned(),
            _ => undefined,
        };
        let undefined = if op.ty() == Type::I32 { undefined & 0xffff_ffff } else { undefined };
        Ok(Value { word: Word { bits, undefined }, source })
    }

    #[inline(always)]
    fn store(
        &mut self,
        at: Position,
        memory: &mut Memory<Shadow>,
        op: StoreOp,
        address: Value,
        offset: u32,
        value: Value,
    ) -> Result<(), Trap> {
        let to = self.address(at, address)? + u64::from(offset);
        concrete::store(memory, op, to, value.word.bits)?;
        let Value { word, source } = value;
        match op.bytes() {
            1 => memory.shadow.set_word::<1>(to, word.undefined & 0xff, source),
            2 => memory.shadow.set_word::<2>(to, word.undefined & 0xffff, source),
            4 => memory.shadow.set_word::<4>(to, word.undefined & 0xffff_ffff, source),
            _ => memory.shadow.set_word::<8>(to, word.undefined, source),
        }
        Ok(())
    }

    fn copy(&mut self, memory: &mut Memory<Shadow>, to: u64, from: u64, len: u64) -> Result<(), Trap> {
        if to.max(from).checked_add(len).is_none_or(|end| end > memory.len()) {
            return Err(Trap::MemoryOutOfBounds);
        }
        let bytes = memory.read(from, len)?;
        memory.write(to, &bytes)?;
        memory.shadow.copy(to, from, len);
        Ok(())
    }

    fn fill(&mut self, memory: &mut Memory<Shadow>, to: u64, value: Value, len: u64) -> Result<(), Trap> {
        memory.fill(to, len, value.word.bits as u8)?;
        memory.shadow.fill(to, len, value.word.undefined as u8, value.source);
        Ok(())
    }

    fn touch(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        address: Value,
        offset: u32,
        width: u32,
    ) -> Result<(), Trap> {
        let first = self.address(at, address)? + u64::from(offset);
        memory.heap.as_ref().map_or(Ok(()), |heap| heap.check(first, u64::from(width)))
    }

    fn linked(&mut self, module: &Module, functions: &[u32]) {
        for (index, function) in functions.iter().enumerate() {
            self.opaque.remove(function);
            if index >= module.imported_functions as usize && module.is_opaque(index as u32) {
                self.opaque.insert(*function);
            }
        }
    }

    fn forget(&mut self, memory: &mut Memory<Shadow>, at: u64, len: u64, origin: Origin) {
        let known = self.origins.get(&origin).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.number(Source { origin, address: None, last: None });
            self.origins.insert(origin, number);
            number
        });
        memory.shadow.fill(at, len, 0xff, number);
    }

    fn uses(&mut self, _at: Position, value: Value) -> Result<(), Trap> {
        if value.word.undefined == 0 {
            return Ok(());
        }
        self.fault = self.sources.get((value.source as usize).wrapping_sub(1)).copied();
        Err(Trap::Uninitialised)
    }

    fn uses_bytes(
        &mut self,
        _at: Position,
        memory: &Memory<Shadow>,
        from: u64,
        len: u64,
    ) -> Result<(), Trap> {
        let Some(first) = memory.shadow.first_undefined(from, len) else { return Ok(()) };
        let source = self.place(memory.shadow.get(first).1, first, first);
        self.fault = self.sources.get((source as usize).wrapping_sub(1)).copied();
        Err(Trap::Uninitialised)
    }

    fn write(&mut self, memory: &mut Memory<Shadow>, to: u64, bytes: &[u8]) -> Result<(), Trap> {
        memory.write(to, bytes)?;
        memory.shadow.fill(to, bytes.len() as u64, 0, 0);
        Ok(())
    }
}
