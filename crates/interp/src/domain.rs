//! The value domain: what a value is, how operators work on it, and who decides a branch.
//!
//! [`crate::Concrete`] computes; a concolic domain keeps a term beside each concrete value. A domain owns what all its values share (a term table, a path
//! condition); the machine's [`State`](crate::State) holds only values and shadows, so that a path forks by cloning the state.

use crate::memory::Memory;
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp};
use crate::trap::Trap;

/// Where an instruction stands: a function's address in the state and a position in its register code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The function's address in [`crate::State`].
    pub function: u32,
    /// The instruction.
    pub pc: u32,
}

/// The answer to a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on with this outcome.
    Take(u32),
    /// End the run: the branch cannot be decided, and this is why.
    Fail(Trap),
    /// Stop before the branch and hand the state to the explorer, who forks it and goes on with [`crate::State::force`].
    Suspend,
}

/// Why nobody has written some bytes yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// They belong to the frame of a call that has just begun or ended.
    Frame {
        /// Whether it has ended.
        ended: bool,
        /// The function's address.
        function: u32,
        /// The frame's lowest address.
        low: u32,
    },
    /// They belong to a block of the heap.
    Heap {
        /// The block.
        block: u32,
        /// Its bytes.
        size: u32,
        /// The innermost place in user code, of the call that allocated it.
        at: Option<Position>,
    },
}

/// A value domain.
pub trait Domain {
    /// A value.
    type Value: Copy + std::fmt::Debug;
    /// What memory keeps beside its bytes.
    type Shadow: Clone + Default;
    /// Whether runs may pause: at a [`Decision::Suspend`] or at a mark ([`crate::State::pause_at`]). Costs a test an instruction.
    const PAUSES: bool;
    /// What a unit of engine work costs with these values.
    const PRICE: u64 = twinrun_base::work::price::INTERPRETED;

    /// A constant; references are 0 for null.
    fn constant(&mut self, ty: Type, bits: u64) -> Self::Value;
    /// A constant that an instruction puts into a register.
    #[inline(always)]
    fn literal(&mut self, _at: Position, ty: Type, bits: u64) -> Self::Value {
        self.constant(ty, bits)
    }
    /// The one concrete value that execution goes on with, where only a concrete one will do: sizes, table indices, lengths.
    fn concretise(&mut self, at: Position, value: Self::Value) -> Result<u64, Trap>;
    /// The concrete value that a value has now, without effect: for observers.
    fn peek(&self, value: Self::Value) -> u64;
    /// An operator of one operand.
    fn unary(&mut self, at: Position, op: UnaryOp, a: Self::Value) -> Result<Self::Value, Trap>;
    /// An operator of two operands.
    fn binary(
        &mut self,
        at: Position,
        op: BinaryOp,
        a: Self::Value,
        b: Self::Value,
    ) -> Result<Self::Value, Trap>;
    /// Decides an `if`, `br_if` or user `select`: outcome 1 when the i32 is not zero.
    fn branch(&mut self, at: Position, condition: Self::Value) -> Decision;
    /// Decides a `br_table` of so many outcomes: the index, or the last outcome for one beyond them.
    fn switch(&mut self, at: Position, index: Self::Value, outcomes: u32) -> Decision;
    /// A `select` that is no branch of user code.
    fn select(&mut self, at: Position, condition: Self::Value, a: Self::Value, b: Self::Value)
    -> Self::Value;
    /// Reads memory at `address + offset`.
    fn load(
        &mut self,
        at: Position,
        memory: &Memory<Self::Shadow>,
        op: LoadOp,
        address: Self::Value,
        offset: u32,
    ) -> Result<Self::Value, Trap>;
    /// Writes memory at `address + offset`.
    fn store(
        &mut self,
        at: Position,
        memory: &mut Memory<Self::Shadow>,
        op: StoreOp,
        address: Self::Value,
        offset: u32,
        value: Self::Value,
    ) -> Result<(), Trap>;
    /// Copies `len` bytes inside a memory; the ranges may overlap.
    fn copy(&mut self, memory: &mut Memory<Self::Shadow>, to: u64, from: u64, len: u64) -> Result<(), Trap>;
    /// Fills `len` bytes with the low byte of a value.
    fn fill(
        &mut self,
        memory: &mut Memory<Self::Shadow>,
        to: u64,
        value: Self::Value,
        len: u64,
    ) -> Result<(), Trap>;
    /// Refuses an access of user code to bytes of the heap that it must not touch, where the allocator's notices are kept.
    fn touch(
        &mut self,
        _at: Position,
        memory: &Memory<Self::Shadow>,
        address: Self::Value,
        offset: u32,
        width: u32,
    ) -> Result<(), Trap> {
        let Some(heap) = &memory.heap else { return Ok(()) };
        heap.check((self.peek(address) & 0xffff_ffff) + u64::from(offset), u64::from(width))
    }
    /// A module was instantiated; its functions have these addresses.
    fn linked(&mut self, _module: &crate::module::Module, _functions: &[u32]) {}
    /// A range of memory comes into being, or back into use, and holds nothing yet.
    fn forget(&mut self, _memory: &mut Memory<Self::Shadow>, _at: u64, _len: u64, _origin: Origin) {}
    /// The host uses a value: it decides something, or people get to see it.
    fn uses(&mut self, _at: Position, _value: Self::Value) -> Result<(), Trap> {
        Ok(())
    }
    /// The host uses bytes of memory.
    fn uses_bytes(
        &mut self,
        _at: Position,
        _memory: &Memory<Self::Shadow>,
        _from: u64,
        _len: u64,
    ) -> Result<(), Trap> {
        Ok(())
    }
    /// Writes concrete bytes: data segments and answers of the host.
    fn write(&mut self, memory: &mut Memory<Self::Shadow>, to: u64, bytes: &[u8]) -> Result<(), Trap>;
}

/// A domain that can join the two sides of a branch into one value.
pub trait Merge: Domain {
    /// `if condition then a else b`, where the condition is the i32 that the branch tested.
    fn merge(&mut self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The same for memories; an error when they cannot be joined (of different sizes, for one).
    fn merge_memory(
        &mut self,
        condition: Self::Value,
        a: &Memory<Self::Shadow>,
        b: &Memory<Self::Shadow>,
    ) -> Result<Memory<Self::Shadow>, Trap>;
}
