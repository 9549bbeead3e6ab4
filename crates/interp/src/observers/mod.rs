//! Observers: what is watched while a subject runs, one file each. What an observer does not ask for costs nothing.

pub mod blocks;
pub mod branches;
pub mod dependence;
pub mod memory;
mod potential;

use crate::code::Code;
use crate::domain::Position;
use crate::imports::{Segment, Touched};
use crate::instr::Instr;

/// A call of a host function that has just returned.
#[derive(Clone, Copy, Debug)]
pub struct HostCall<'a> {
    /// The calling instruction.
    pub at: Position,
    /// The host function's address.
    pub function: u32,
    /// Where its arguments stood in the stack, and its results stand now.
    pub base: usize,
    /// How many arguments.
    pub params: usize,
    /// How many results.
    pub results: usize,
    /// What it read and wrote.
    pub touched: &'a [Touched],
}

/// Watches a run. All methods do nothing unless overridden.
pub trait Observer {
    /// Whether [`Observer::instruction`] is called.
    const INSTRUCTIONS: bool = false;
    /// Whether [`Observer::access`] and [`Observer::host`] are called.
    const MEMORY: bool = false;

    /// Before each instruction; `frame` counts the open calls.
    fn instruction(&mut self, _at: Position, _frame: usize, _code: &Code, _instr: Instr) {}
    /// A branch was decided.
    fn branch(&mut self, _at: Position, _code: &Code, _outcome: u32) {}
    /// A block of the site table starts.
    fn block(&mut self, _site: u32) {}
    /// The instruction just announced reads or writes memory.
    fn access(&mut self, _at: Position, _touched: Touched) {}
    /// A function with code was entered; `frame` counts the open calls, this one included; its registers start at `base` in the stack.
    fn enter(&mut self, _function: u32, _frame: usize, _code: &Code, _base: u32, _instance: u32) {}
    /// The innermost call returns so many results, which stand from its base on.
    fn leave(&mut self, _frame: usize, _results: u16) {}
    /// A host function was called.
    fn host(&mut self, _call: &HostCall<'_>) {}
    /// A run begins or ends.
    fn segment(&mut self, _segment: Segment) {}
}

/// Watches nothing.
impl Observer for () {}

/// Two observers at once.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const INSTRUCTIONS: bool = A::INSTRUCTIONS || B::INSTRUCTIONS;
    const MEMORY: bool = A::MEMORY || B::MEMORY;

    fn instruction(&mut self, at: Position, frame: usize, code: &Code, instr: Instr) {
        self.0.instruction(at, frame, code, instr);
        self.1.instruction(at, frame, code, instr);
    }

    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        self.0.branch(at, code, outcome);
        self.1.branch(at, code, outcome);
    }

    fn block(&mut self, site: u32) {
        self.0.block(site);
        self.1.block(site);
    }

    fn access(&mut self, at: Position, touched: Touched) {
        self.0.access(at, touched);
        self.1.access(at, touched);
    }

    fn enter(&mut self, function: u32, frame: usize, code: &Code, base: u32, instance: u32) {
        self.0.enter(function, frame, code, base, instance);
        self.1.enter(function, frame, code, base, instance);
    }

    fn leave(&mut self, frame: usize, results: u16) {
        self.0.leave(frame, results);
        self.1.leave(frame, results);
    }

    fn host(&mut self, call: &HostCall<'_>) {
        self.0.host(call);
        self.1.host(call);
    }

    fn segment(&mut self, segment: Segment) {
        self.0.segment(segment);
        self.1.segment(segment);
    }
}
