//! The state of an execution: everything that a fork must copy, and nothing else.
//!
//! Cloning costs little: code is shared, and memories share their pages until one side writes.

use std::sync::Arc;

use twinrun_base::Limits;

use crate::code::Code;
use crate::domain::{Domain, Position};
use crate::memory::Memory;
use crate::module::{FunctionType, Item, Module};
use crate::ops::Type;

/// A function of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its type in [`Linked::types`].
    pub ty: u32,
    /// What runs when it is called.
    pub body: Body,
}

/// What runs when a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Code of an instance: the instance and the function's index in its module.
    Code(u32, u32),
    /// The host, by the number that [`crate::Imports::resolve`] gave.
    Host(u32),
}

/// An instance of a module: where in the state its things are.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The module.
    pub module: Arc<Module>,
    /// Addresses of functions, by index.
    pub functions: Vec<u32>,
    /// Addresses of tables.
    pub tables: Vec<u32>,
    /// Addresses of memories.
    pub memories: Vec<u32>,
    /// Addresses of globals.
    pub globals: Vec<u32>,
    /// The module's types in [`Linked::types`].
    pub types: Vec<u32>,
    /// Where its data segments start in [`State::dropped_data`].
    pub data: u32,
    /// Where its element segments start in [`State::dropped_elements`].
    pub elements: u32,
    /// How many functions, tables, memories and globals the state had before it.
    pub starts: [usize; 4],
}

/// The part of the state that only instantiation changes.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// Function types, each once.
    pub types: Vec<FunctionType>,
    /// All functions.
    pub functions: Vec<Function>,
    /// All instances.
    pub instances: Vec<Instance>,
    /// Types of all globals, and whether they may change.
    pub globals: Vec<(Type, bool)>,
}

impl Linked {
    /// The number of a function type.
    pub fn intern(&mut self, ty: &FunctionType) -> u32 {
        let found = self.types.iter().position(|known| known == ty);
        found.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        }) as u32
    }

    /// The code of a function, unless the host runs it.
    #[inline(always)]
    pub fn code(&self, function: u32) -> Option<&Code> {
        match self.functions[function as usize].body {
            Body::Code(instance, index) => Some(self.instances[instance as usize].module.code(index)),
            Body::Host(_) => None,
        }
    }
}

/// A table: references as in [`Type::FuncRef`].
#[derive(Clone, Debug)]
pub struct Table {
    /// The type of its entries.
    pub ty: Type,
    /// The entries.
    pub entries: Vec<u64>,
    /// The most entries that the module allows.
    pub maximum: Option<u64>,
}

/// An open call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function's address.
    pub function: u32,
    /// Where it goes on; for a frame of the host, its step.
    pub pc: u32,
    /// Its first register in the stack.
    pub base: u32,
}

/// Where a run pauses, in domains that can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Before this instruction, with so many calls open.
    At(u32, Position),
    /// As soon as fewer calls than this are open.
    Return(u32),
}

/// The state of an execution.
#[derive(Debug)]
pub struct State<D: Domain> {
    /// Functions and instances.
    pub linked: Arc<Linked>,
    /// Memories.
    pub memories: Vec<Memory<D::Shadow>>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Globals.
    pub globals: Vec<D::Value>,
    /// Which data segments were dropped.
    pub dropped_data: Vec<bool>,
    /// Which element segments were dropped.
    pub dropped_elements: Vec<bool>,
    /// The registers of all open calls.
    pub stack: Vec<D::Value>,
    /// The open calls, the outermost first.
    pub frames: Vec<Frame>,
    /// What the outermost call returned, or the last one that a host function entered.
    pub results: Vec<D::Value>,
    /// The exit code, when a function that the host entered ended by [`crate::Trap::Exit`].
    pub exit: Option<i32>,
    /// Work so far, counted in all code and in the same way by both engines: one unit when the body of a function begins (calls of host
    /// functions count nothing), one when the body of a loop begins, on entering it and on every back-edge. Exactly as many units as the limit are allowed.
    pub work: u64,
    /// Limits.
    pub limits: Limits,
    /// What a failed heap check touched (address, width), or how much memory was asked for in vain.
    pub fault: (u64, u64),
    /// The calls that were open where something was thrown last.
    pub thrown: Option<Arc<[Frame]>>,
    /// Where to pause.
    pub marks: Vec<Mark>,
    pub(crate) forced: Option<u32>,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        let used = self.used();
        State {
            linked: self.linked.clone(),
            memories: self.memories.clone(),
            tables: self.tables.clone(),
            globals: self.globals.clone(),
            dropped_data: self.dropped_data.clone(),
            dropped_elements: self.dropped_elements.clone(),
            stack: self.stack[..used].to_vec(),
            frames: self.frames.clone(),
            results: self.results.clone(),
            exit: self.exit,
            work: self.work,
            limits: self.limits,
            fault: self.fault,
            thrown: self.thrown.clone(),
            marks: self.marks.clone(),
            forced: self.forced,
        }
    }
}

impl<D: Domain> State<D> {
    /// An empty state.
    pub fn new(limits: Limits) -> State<D> {
        State {
            linked: Arc::new(Linked::default()),
            memories: Vec::new(),
            tables: Vec::new(),
            globals: Vec::new(),
            dropped_data: Vec::new(),
            dropped_elements: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            results: Vec::new(),
            exit: None,
            work: 0,
            limits,
            fault: (0, 0),
            thrown: None,
            marks: Vec::new(),
            forced: None,
        }
    }

    /// What an instance exports under a name: a function's, table's, memory's or global's address.
    pub fn export(&self, instance: u32, name: &str) -> Option<Item> {
        let instance = &self.linked.instances[instance as usize];
        Some(match *instance.module.exports.get(name)? {
            Item::Function(index) => Item::Function(instance.functions[index as usize]),
            Item::Table(index) => Item::Table(instance.tables[index as usize]),
            Item::Memory(index) => Item::Memory(instance.memories[index as usize]),
            Item::Global(index) => Item::Global(instance.globals[index as usize]),
        })
    }

    /// The type of a function.
    pub fn function_type(&self, function: u32) -> &FunctionType {
        &self.linked.types[self.linked.functions[function as usize].ty as usize]
    }

    /// Opens a call: [`crate::run`] goes on in it. The arguments fit the function's type.
    pub fn enter(&mut self, domain: &mut D, function: u32, arguments: &[D::Value]) {
        let base = self.used();
        let linked = self.linked.clone();
        let zero = domain.constant(Type::I32, 0);
        self.stack.truncate(base);
        self.stack.extend_from_slice(arguments);
        if let Some(code) = linked.code(function) {
            self.work += 1;
            let locals = &code.locals[usize::from(code.params).min(code.locals.len())..];
            self.stack.extend(locals.iter().map(|ty| domain.constant(*ty, 0)));
            self.stack.resize(base + code.registers as usize, zero);
        }
        self.frames.push(Frame { function, pc: 0, base: base as u32 });
    }

    /// Opens a call in the middle of a function: at an instruction, with all its registers given.
    pub fn enter_at(&mut self, at: Position, registers: &[D::Value]) {
        let base = self.used();
        self.stack.truncate(base);
        self.stack.extend_from_slice(registers);
        self.frames.push(Frame { function: at.function, pc: at.pc, base: base as u32 });
    }

    /// How much of the stack the open calls use.
    pub(crate) fn used(&self) -> usize {
        let Some(frame) = self.frames.last() else { return 0 };
        let ty = self.linked.functions[frame.function as usize].ty;
        let size = match self.linked.code(frame.function) {
            Some(code) => code.registers as usize,
            None => self.linked.types[ty as usize].params.len(),
        };
        (frame.base as usize + size).min(self.stack.len())
    }

    /// Where execution goes on.
    pub fn position(&self) -> Option<Position> {
        self.frames.last().map(|frame| Position { function: frame.function, pc: frame.pc })
    }

    /// The registers of the innermost call.
    pub fn registers(&self) -> &[D::Value] {
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        &self.stack[base..self.used()]
    }

    /// Goes on from a suspended branch with this outcome.
    pub fn force(&mut self, outcome: u32) {
        self.forced = Some(outcome);
    }

    /// Pauses at a mark from now on.
    pub fn pause_at(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// The memory of an instance.
    pub fn memory(&self, instance: u32) -> Option<&Memory<D::Shadow>> {
        let memory = *self.linked.instances.get(instance as usize)?.memories.first()?;
        self.memories.get(memory as usize)
    }

    /// The memory of an instance, for writing.
    pub fn memory_mut(&mut self, instance: u32) -> Option<&mut Memory<D::Shadow>> {
        let memory = *self.linked.instances.get(instance as usize)?.memories.first()?;
        self.memories.get_mut(memory as usize)
    }

    /// The innermost instance whose code is running.
    pub fn instance(&self) -> Option<u32> {
        self.frames.iter().rev().find_map(|frame| match self.linked.functions[frame.function as usize].body {
            Body::Code(instance, _) => Some(instance),
            Body::Host(_) => None,
        })
    }

    /// Takes away the instances from this number on, with all that they brought; nothing may refer to them any more.
    pub fn remove_instances(&mut self, first: u32) {
        let linked = Arc::make_mut(&mut self.linked);
        let Some(instance) = linked.instances.get(first as usize).cloned() else { return };
        let [functions, tables, memories, globals] = instance.starts;
        linked.functions.truncate(functions);
        linked.globals.truncate(globals);
        self.tables.truncate(tables);
        self.memories.truncate(memories);
        self.globals.truncate(globals);
        self.dropped_data.truncate(instance.data as usize);
        self.dropped_elements.truncate(instance.elements as usize);
        linked.instances.truncate(first as usize);
    }
}
