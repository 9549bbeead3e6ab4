//! What each run is given: the arguments of the function that it calls, as terms of the inputs, and what the functions are that it is passed.

use twinrun_interp::{Mark, Memory, Outcome, Position, State, Type, run};
use twinrun_term::{Sort, Term};

use crate::domain::{Concolic, Shadow, Value};
use crate::engine::{Engine, Error, Watch};
use crate::host::Source;
use crate::loops::Watching;
use crate::path::Path;

/// More open calls than this are not looked into.
const MOST_FRAMES: u32 = 4;

/// The call that a run consists of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Called {
    /// The function, by its index in the module.
    pub function: u32,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// A symbol that stands for whatever it answered; none where it answers nothing.
    pub result: Option<Term>,
    /// What it did answer, over the inputs.
    pub answer: Option<Term>,
    /// Functions of one double that it called, each with the argument and the result of one call.
    pub bodies: Vec<(u32, Term, Term)>,
}

/// An argument of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Number(Term),
    /// The elements of an array.
    Array(Vec<Term>),
    /// A number or an address that does not depend on inputs.
    Fixed(u32),
    /// The same, where it is also the place of a function of one double in the table.
    Function(u32, u32),
}

/// A function that is open.
struct Open {
    frames: u32,
    base: u32,
    function: u32,
    /// Its argument, where it has one and that is a double.
    argument: Option<Term>,
    /// The application that stands for its result, if it is any function.
    applied: Option<Term>,
    /// Whether the run's own function called it.
    direct: bool,
    /// The run whose own function it is.
    own: Option<u32>,
}

impl Engine {
    /// Runs the relation on inputs and tells what each run was given.
    ///
    /// # Errors
    /// When the relation itself is wrong.
    pub fn run_called(
        &mut self,
        source: Source,
        watching: &Watching,
    ) -> Result<(Path, Vec<Option<Called>>), Error> {
        self.domain.begin();
        self.host.begin(source);
        let mut state = self.ready.clone();
        let mut watch = Watch::default();
        let users = watching.functions.iter().chain(watching.any.iter().map(|(function, _)| function));
        let starts: Vec<u32> = users.copied().collect();
        state.marks = (1..=MOST_FRAMES)
            .flat_map(|frames| starts.iter().map(move |&function| (frames, function)))
            .map(|(frames, function)| Mark::At(frames, Position { function, pc: 0 }))
            .collect();
        state.enter(&mut self.domain, self.function, &[]);
        let any = watching.functions_of_any(&state, &mut self.domain.terms);
        let mut calls: Vec<Option<Called>> = Vec::new();
        // The places of arrays among the arguments: how many elements, of what sort.
        let mut arrays: Vec<Option<(usize, Sort)>> = Vec::new();
        let mut top = 0;
        let mut open: Vec<Open> = Vec::new();
        loop {
            let outcome = run(&mut state, &mut self.domain, &mut self.host, &mut watch);
            if outcome != Outcome::Paused {
                return Ok((self.conclude(outcome, state.work, watch)?, calls));
            }
            let frames = state.frames.len() as u32;
            if let Some(last) = open.pop_if(|last| frames < last.frames) {
                state.marks.retain(|mark| *mark != Mark::Return(last.frames));
                if let Some(applied) = last.applied {
                    state.stack[last.base as usize].term = Some(applied);
                }
                if let Some(run) = last.own {
                    // What the relation decides afterwards must not rest on the path of this run.
                    self.domain.forget();
                    // Whatever the relation makes of the answer, it makes of a symbol: that holds for every answer.
                    let value = &mut state.stack[last.base as usize];
                    let sort = match value.ty {
                        Type::I32 => Sort::Bv(32),
                        Type::I64 => Sort::Bv(64),
                        Type::F64 => Sort::F64,
                        _ => continue,
                    };
                    let answers = state.linked.code(last.function).is_some_and(|code| code.results == 1);
                    if let (true, Some(Some(called))) = (answers, calls.get_mut(run as usize)) {
                        called.answer = Some(self.domain.term(*value));
                        let symbol =
                            self.domain.terms.symbol(&format!("answer of run {}", run + 1), sort, None);
                        value.term = Some(symbol);
                        called.result = Some(symbol);
                    }
                    continue;
                }
                let result = self.domain.term(state.stack[last.base as usize]);
                if let (true, Some(argument), Some(Some(called))) =
                    (last.direct, last.argument, calls.last_mut())
                {
                    called.bodies.push((last.function, argument, result));
                }
                continue;
            }
            let (Some(at), Some(frame)) = (state.position(), state.frames.last().copied()) else { continue };
            let (Some(number), Some(code)) = (self.domain.run, state.linked.code(at.function)) else {
                continue;
            };
            let base = frame.base as usize;
            let values: Vec<Value> = state.stack[base..base + usize::from(code.params)].to_vec();
            if calls.len() <= number as usize {
                calls.resize(number as usize + 1, None);
            }
            let Some(memory) = state.memories.first() else { continue };
            if calls[number as usize].is_none() {
                top = frames;
                let is_first = arrays.is_empty();
                let mut arguments = Vec::new();
                for (position, &value) in values.iter().enumerate() {
                    if is_first {
                        arrays.push(self.array_at(memory, value));
                    }
                    let array = arrays.get(position).copied().flatten();
                    let mut argument = self.argument(memory, value, array);
                    if let Argument::Fixed(bits) = argument
                        && let Some(function) = function_at(&state, bits)
                    {
                        argument = Argument::Function(bits, function);
                    }
                    arguments.push(argument);
                }
                let called = Called { function: at.function, arguments, ..Called::default() };
                calls[number as usize] = Some(called);
                open.push(Open {
                    frames,
                    base: frame.base,
                    function: at.function,
                    argument: None,
                    applied: None,
                    direct: false,
                    own: Some(number),
                });
                state.marks.push(Mark::Return(frames));
                continue;
            }
            let argument = match values[..] {
                [value @ Value { ty: Type::F64, .. }] => Some(self.domain.term(value)),
                _ => None,
            };
            let function = any.iter().find(|(index, _)| *index == at.function);
            let applied = function.map(|(_, function)| self.domain.applied(*function, &values));
            let direct = frames == top + 1;
            if (direct && argument.is_some()) || applied.is_some() {
                open.push(Open {
                    frames,
                    base: frame.base,
                    function: at.function,
                    argument,
                    applied,
                    direct,
                    own: None,
                });
                state.marks.push(Mark::Return(frames));
            }
        }
    }

    /// The input whose elements begin at an address: how many there are, and their sort.
    fn array_at(&mut self, memory: &Memory<Shadow>, value: Value) -> Option<(usize, Sort)> {
        if value.ty != Type::I32 || value.term.is_some() {
            return None;
        }
        let at = u64::from(value.bits as u32);
        let first = memory.shadow.get(at);
        let terms = &mut self.domain.terms;
        let found = self.host.drawn.iter().find_map(|drawn| {
            let symbol = *drawn.symbols.first()?;
            let term = terms.symbol_term(symbol);
            (first.index == 0 && first.term == Some(term)).then_some((drawn, term))
        });
        let (drawn, term) = found?;
        Some((drawn.symbols.len(), terms.sort(term)))
    }

    fn argument(&mut self, memory: &Memory<Shadow>, value: Value, array: Option<(usize, Sort)>) -> Argument {
        let Some((count, sort)) = array else {
            return if value.ty == Type::I32 && value.term.is_none() {
                Argument::Fixed(value.bits as u32)
            } else {
                Argument::Number(self.domain.term(value))
            };
        };
        let size = if sort == Sort::F64 { 8 } else { usize::from(sort.width()) / 8 };
        let start = u64::from(value.bits as u32);
        let mut elements = Vec::new();
        for index in 0..count {
            let at = start + (index * size) as u64;
            let Ok(raw) = memory.read(at, size as u64) else { return Argument::Fixed(start as u32) };
            let shadow = memory.shadow.read(at, size as u64);
            let term = self.domain.joined(&shadow, &raw);
            elements.push(if sort == Sort::F64 { self.domain.terms.float_from_bits(term) } else { term });
        }
        Argument::Array(elements)
    }
}

/// The function of one double that stands at this place of the first table.
fn function_at(state: &State<Concolic>, place: u32) -> Option<u32> {
    let entry = *state.tables.first()?.entries.get(place as usize)?;
    let function = u32::try_from(entry.checked_sub(1)?).ok()?;
    let ty = state.function_type(function);
    (ty.params == [Type::F64] && ty.results == [Type::F64]).then_some(function)
}
