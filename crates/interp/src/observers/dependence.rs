//! Dynamic dependence: for every executed instruction, which earlier ones made what it reads (registers, globals, memory bytes) and which branch decided
//! that it is executed (Korel and Laski 1988; Agrawal and Horgan 1990).

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::domain::Position;
use crate::flow::call_uses;
use crate::imports::{Segment, Touched};
use crate::instr::{Form, Instr};
use crate::observers::potential::Potential;
use crate::observers::{HostCall, Observer};

/// The number of an executed instruction; 0 stands for what was there before.
pub type Event = u32;

/// One executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Which one.
    pub at: Position,
    /// The branch, or the call, that decided that it is executed.
    pub control: Event,
    data: u32,
}

/// A decided branch: its event and its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The event.
    pub event: Event,
    /// The outcome.
    pub outcome: u32,
}

#[derive(Clone, Debug)]
struct FrameShadow {
    base: u32,
    instance: u32,
    /// The event of the call.
    call: Event,
    /// The last execution of each branch of this call.
    branches: FxHashMap<u32, Event>,
    /// The block that is being executed, and what decided it.
    block: (u32, Event),
}

const PAGE: u64 = 1024;

/// Records dependence.
#[derive(Debug, Default)]
pub struct Dependence {
    executed: Vec<Executed>,
    data: Vec<Event>,
    /// Branches in order.
    pub decided: Vec<Decided>,
    /// The events of each run.
    pub runs: Vec<Range<Event>>,
    /// Host calls: the event and the function's address.
    pub host_calls: Vec<(Event, u32)>,
    registers: Vec<Event>,
    globals: FxHashMap<(u32, u32), Event>,
    memory: FxHashMap<(u32, u64), Box<[Event; PAGE as usize]>>,
    frames: Vec<FrameShadow>,
    open: bool,
    potential: Option<Potential>,
    /// The instruction that is being executed.
    instr: Option<Instr>,
}

impl Dependence {
    /// Nothing executed yet.
    pub fn new() -> Dependence {
        let nothing = Executed { at: Position { function: u32::MAX, pc: 0 }, control: 0, data: 0 };
        Dependence { executed: vec![nothing], ..Dependence::default() }
    }

    /// The same, with potential dependence ([`Dependence::potential`]).
    pub fn with_potential() -> Dependence {
        Dependence { potential: Some(Potential::default()), ..Dependence::new() }
    }

    /// The branches that could have changed what this event read, and left it as it was.
    pub fn potential(&self, event: Event) -> impl Iterator<Item = Event> + '_ {
        self.potential.iter().flat_map(move |potential| potential.of(event)).map(|(_, branch)| *branch)
    }

    /// How many events there are, event 0 included.
    pub fn len(&self) -> usize {
        self.executed.len()
    }

    /// Whether nothing was executed.
    pub fn is_empty(&self) -> bool {
        self.executed.len() <= 1
    }

    /// An executed instruction.
    pub fn event(&self, event: Event) -> Executed {
        self.executed[event as usize]
    }

    /// The events that made what this one reads.
    pub fn data(&self, event: Event) -> &[Event] {
        let start = self.executed[event as usize].data as usize;
        let end = self.executed.get(event as usize + 1).map_or(self.data.len(), |next| next.data as usize);
        &self.data[start..end]
    }

    /// The event that last wrote a byte.
    pub fn writer(&self, memory: u32, at: u64) -> Event {
        self.memory.get(&(memory, at / PAGE)).map_or(0, |page| page[(at % PAGE) as usize])
    }

    fn now(&self) -> Event {
        self.executed.len() as Event - 1
    }

    fn depend(&mut self, on: Event) {
        let start = self.executed.last().map_or(0, |event| event.data as usize);
        // The same definition is often read twice in a row (bytes of one word).
        if on != 0 && !self.data[start..].contains(&on) {
            self.data.push(on);
        }
    }

    fn define(&mut self, at: usize, event: Event) {
        if self.registers.len() <= at {
            self.registers.resize(at + 64, 0);
        }
        self.registers[at] = event;
    }

    fn register(&self, at: usize) -> Event {
        self.registers.get(at).copied().unwrap_or(0)
    }

    fn touch(&mut self, touched: &Touched) {
        let now = self.now();
        for at in touched.at..touched.at + touched.len {
            if touched.written {
                let page = self
                    .memory
                    .entry((touched.memory, at / PAGE))
                    .or_insert_with(|| Box::new([0; PAGE as usize]));
                page[(at % PAGE) as usize] = now;
            } else {
                let writer = self.writer(touched.memory, at);
                self.depend(writer);
            }
        }
    }
}

impl Observer for Dependence {
    const INSTRUCTIONS: bool = true;
    const MEMORY: bool = true;

    fn instruction(&mut self, at: Position, _frame: usize, code: &Code, instr: Instr) {
        let flow = code.flow();
        let block = flow.block(at.pc) as u32;
        let (base, instance, control) = match self.frames.last_mut() {
            None => (0, 0, 0),
            Some(frame) => {
                if frame.block.0 != block || flow.starts()[block as usize] == at.pc {
                    let latest =
                        flow.controls(at.pc).iter().filter_map(|branch| frame.branches.get(branch)).max();
                    frame.block = (block, latest.copied().unwrap_or(frame.call));
                }
                (frame.base as usize, frame.instance, frame.block.1)
            }
        };
        self.executed.push(Executed { at, control, data: self.data.len() as u32 });
        let now = self.now();
        if self.open
            && let Some(run) = self.runs.last_mut()
        {
            run.end = now + 1;
        }
        instr.each_use(|reg| {
            let definition = self.register(base + usize::from(reg));
            self.depend(definition);
        });
        match instr {
            // A callee takes over what made its arguments; what it returns, it makes.
            Instr::Return1 { .. } => self.define(base, now),
            Instr::Return { len, .. } => {
                for reg in call_uses(code, instr) {
                    let definition = self.register(base + usize::from(reg));
                    self.depend(definition);
                }
                for i in 0..usize::from(len) {
                    self.define(base + i, now);
                }
            }
            Instr::GlobalGet { global, .. } => {
                let definition = self.globals.get(&(instance, global)).copied().unwrap_or(0);
                self.depend(definition);
            }
            Instr::GlobalSet { global, .. } => {
                self.globals.insert((instance, global), now);
            }
            _ => {}
        }
        if let Some(dst) = instr.def() {
            self.define(base + usize::from(dst), now);
            if let Some(potential) = &mut self.potential {
                potential.define(dst);
            }
        }
        self.instr = Some(instr);
        if let (Form::Branch(_), Some(frame)) | (Form::Other, Some(frame)) =
            (instr.form(), self.frames.last_mut())
            && (instr.target().is_some() && !matches!(instr, Instr::Jump { .. })
                || matches!(instr, Instr::BrTable { .. }))
        {
            frame.branches.insert(at.pc, now);
        }
    }

    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        let event = self.now();
        self.decided.push(Decided { event, outcome });
        if let Some(potential) = &mut self.potential {
            potential.branch(at, code, outcome, event);
        }
    }

    fn access(&mut self, at: Position, touched: Touched) {
        let now = self.now();
        if let (Some(potential), Some(instr)) = (&mut self.potential, self.instr) {
            potential.access(at, instr, &touched, now);
        }
        self.touch(&touched);
    }

    fn enter(&mut self, _function: u32, _frame: usize, code: &Code, base: u32, instance: u32) {
        let call = self.now();
        for local in usize::from(code.params)..code.locals.len() {
            self.define(base as usize + local, 0);
        }
        if let Some(potential) = &mut self.potential {
            potential.enter();
        }
        self.frames.push(FrameShadow {
            base,
            instance,
            call,
            branches: FxHashMap::default(),
            block: (u32::MAX, call),
        });
    }

    fn leave(&mut self, _frame: usize, _results: u16) {
        if let Some(potential) = &mut self.potential {
            potential.leave();
        }
        self.frames.pop();
    }

    fn host(&mut self, call: &HostCall<'_>) {
        let now = self.now();
        self.host_calls.push((now, call.function));
        for at in call.base..call.base + call.params {
            let definition = self.register(at);
            self.depend(definition);
        }
        for at in call.base..call.base + call.results {
            self.define(at, now);
        }
        let touched = call.touched;
        if let Some(potential) = &mut self.potential {
            // What is read is read before anything is written.
            for touched in touched.iter().filter(|touched| !touched.written) {
                potential.touch(touched, now);
            }
            for touched in touched.iter().filter(|touched| touched.written) {
                potential.touch(touched, now);
            }
        }
        for touched in touched.iter().filter(|touched| !touched.written) {
            self.touch(touched);
        }
        for touched in touched.iter().filter(|touched| touched.written) {
            self.touch(touched);
        }
    }

    fn segment(&mut self, segment: Segment) {
        let next = self.executed.len() as Event;
        if segment == Segment::Begin || segment == Segment::Program && !self.open {
            self.runs.push(next..next);
        }
        self.open = segment != Segment::End;
    }
}
