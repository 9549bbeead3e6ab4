//! The host's side: what a subject imports, answered by [`Imports`].

use crate::domain::{Domain, Origin, Position};
use crate::heap::Notice;
use crate::memory::Memory;
use crate::module::FunctionType;
use crate::state::{Body, State};
use crate::trap::Trap;

/// What a host function answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<V> {
    /// It is done; the results are in [`Host::results`].
    Return,
    /// Call this function first, then call the host function again with this step.
    Enter {
        /// The function's address.
        function: u32,
        /// Its arguments.
        arguments: Vec<V>,
        /// The step to go on with, above 0.
        step: u32,
    },
}

/// The begin or end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A run begins.
    Begin,
    /// A whole program begins: a run by itself, or all that counts of the run that is open.
    Program,
    /// A run ends.
    End,
}

/// A range of memory that the host read or wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Whether it was written.
    pub written: bool,
    /// The memory's address in the state.
    pub memory: u32,
    /// The first byte.
    pub at: u64,
    /// How many bytes.
    pub len: u64,
}

/// What a host function works with.
pub struct Host<'a, D: Domain> {
    /// The value domain.
    pub domain: &'a mut D,
    /// The state; the caller's frame is the last one.
    pub state: &'a mut State<D>,
    /// The instance that called.
    pub instance: u32,
    /// Where the arguments stand in the stack.
    pub base: usize,
    /// How many there are.
    pub params: usize,
    /// The results, to be pushed here.
    pub results: &'a mut Vec<D::Value>,
    /// Set when a run begins or ends, for observers.
    pub segment: Option<Segment>,
    /// Ranges of memory that were read or written, for observers.
    pub touched: &'a mut Vec<Touched>,
}

impl<D: Domain> Host<'_, D> {
    /// An argument.
    pub fn argument(&self, index: usize) -> D::Value {
        self.state.stack[self.base + index]
    }

    /// The concrete value of an argument, without effect on the domain.
    pub fn peek(&self, index: usize) -> u64 {
        self.domain.peek(self.argument(index))
    }

    /// The caller's memory.
    pub fn memory(&self) -> Result<&Memory<D::Shadow>, Trap> {
        self.state.memory(self.instance).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Notes that a range of the caller's memory is read or written.
    pub fn touch(&mut self, written: bool, at: u32, len: u32) {
        let memory = self
            .state
            .linked
            .instances
            .get(self.instance as usize)
            .and_then(|instance| instance.memories.first());
        if let Some(&memory) = memory {
            self.touched.push(Touched { written, memory, at: u64::from(at), len: u64::from(len) });
        }
    }

    /// The innermost place.
    pub fn position(&self) -> Position {
        self.state.position().unwrap_or(Position { function: 0, pc: 0 })
    }

    /// Uses an argument: something is decided by it, or people get to see it.
    pub fn uses(&mut self, index: usize) -> Result<(), Trap> {
        let (at, value) = (self.position(), self.argument(index));
        self.domain.uses(at, value)
    }

    /// Uses bytes of the caller's memory.
    pub fn uses_bytes(&mut self, from: u32, len: u32) -> Result<(), Trap> {
        let at = self.position();
        let memory = self.state.memory(self.instance).ok_or(Trap::MemoryOutOfBounds)?;
        self.domain.uses_bytes(at, memory, u64::from(from), u64::from(len))
    }

    /// Enters a notice of the allocator: a new block holds nothing yet.
    pub fn notice(&mut self, notice: Notice, block: u32, size: u32) {
        let at = self.user_position();
        let Some(memory) = self.state.memory_mut(self.instance) else { return };
        // What a module of others says need not be so.
        let end = (u64::from(block) + u64::from(size)).min(memory.len());
        let start = u64::from(block).min(end);
        if let Some(heap) = &mut memory.heap {
            heap.enter(notice, start as u32, (end - start) as u32);
        }
        if notice == Notice::Alloc {
            self.domain.forget(memory, start, end - start, Origin::Heap { block, size, at });
        }
    }

    /// The innermost place in user code.
    fn user_position(&self) -> Option<Position> {
        let linked = &self.state.linked;
        self.state.frames.iter().rev().find_map(|frame| {
            match linked.functions[frame.function as usize].body {
                Body::Code(instance, index) if linked.instances[instance as usize].module.is_user(index) => {
                    Some(Position { function: frame.function, pc: frame.pc.saturating_sub(1) })
                }
                _ => None,
            }
        })
    }

    /// Concrete bytes of the caller's memory, which the host uses.
    pub fn read(&mut self, at: u32, len: u32) -> Result<Vec<u8>, Trap> {
        self.touch(false, at, len);
        self.uses_bytes(at, len)?;
        self.memory()?.read(u64::from(at), u64::from(len))
    }

    /// Writes concrete bytes to the caller's memory.
    pub fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), Trap> {
        self.touch(true, at, bytes.len() as u32);
        let memory = self.state.memory_mut(self.instance).ok_or(Trap::MemoryOutOfBounds)?;
        self.domain.write(memory, u64::from(at), bytes)
    }
}

/// Who answers a subject's imports. An explorer brings its own, or wraps another.
pub trait Imports<D: Domain> {
    /// The number of the host function for an import, or nothing when there is none of this name and type.
    fn resolve(&mut self, module: &str, name: &str, ty: &FunctionType) -> Option<u32>;
    /// Calls a host function. The step is 0 at first, later that of [`Answer::Enter`].
    fn call(&mut self, function: u32, step: u32, host: &mut Host<'_, D>) -> Result<Answer<D::Value>, Trap>;
}

/// No imports at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoImports;

impl<D: Domain> Imports<D> for NoImports {
    fn resolve(&mut self, _module: &str, _name: &str, _ty: &FunctionType) -> Option<u32> {
        None
    }

    fn call(
        &mut self,
        _function: u32,
        _step: u32,
        _host: &mut Host<'_, D>,
    ) -> Result<Answer<D::Value>, Trap> {
        Err(Trap::Host)
    }
}
