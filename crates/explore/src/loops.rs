//! Runs that stop at loop heads: what a loop changes becomes a symbol there, so that one turn of the loop tells what any turn does.
//!
//! A first run finds the numbers in memory that change between arrivals at a loop head. A second one puts symbols in their place at every arrival, and
//! notes what they were before: at the first arrival the values that the loop starts from, later the values that a turn makes of the symbols. Functions
//! that stand for any function keep their concrete result, with the application of an uninterpreted function as its term.
//!
//! The loops that a run enters one after the other are told apart by a [`Slot`]; a loop inside another is refused.

use rustc_hash::FxHashMap;
use twinrun_interp::{Domain as _, LoadOp, Mark, Memory, Outcome, Position, State, StoreOp, Type, run};
use twinrun_term::{Function, Identity, Sort, Term, Terms};

use crate::domain::{Concolic, Shadow, Value};
use crate::engine::{Engine, Error, Watch};
use crate::host::Source;
use crate::path::{Condition, Path};

/// More open calls than this are not looked into.
const MOST_FRAMES: u32 = 6;
/// How many arrivals a run may have.
const MOST_ARRIVALS: usize = 100;

/// A number in memory that a loop changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Where it stands.
    pub address: u64,
    /// Whether it is a double; otherwise a 32-bit integer.
    pub double: bool,
}

/// A loop of a run: the first, the second, and so on, in the order in which the run enters them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// The run.
    pub run: u32,
    /// Which of its loops.
    pub phase: u32,
}

/// The numbers that each loop of each run changes.
pub type Cells = FxHashMap<Slot, Vec<Cell>>;

/// An arrival at a loop head.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The loop of a run.
    pub slot: Slot,
    /// How many conditions the path had before its loop began.
    pub before: usize,
    /// The loop.
    pub head: Position,
    /// What the cells held, in the order of the cells of this run.
    pub values: Vec<Term>,
    /// The same as concrete numbers.
    pub numbers: Vec<f64>,
    /// The conditions since the last arrival of this run; of the first arrival none.
    pub turn: Vec<Condition>,
}

/// What to stop at.
#[derive(Clone, Debug, Default)]
pub struct Watching {
    /// Functions of user code whose loops are looked at, by their index in the module.
    pub functions: Vec<u32>,
    /// Functions that stand for any function, with their names.
    pub any: Vec<(u32, String)>,
    /// Variables of the source.
    pub variables: Vec<(String, Place)>,
}

impl Watching {
    /// The uninterpreted functions that functions stand for: over the sorts of their own parameters and result. A function without a result
    /// stands for none.
    pub(crate) fn functions_of_any(
        &self,
        state: &State<Concolic>,
        terms: &mut Terms,
    ) -> Vec<(u32, Function)> {
        let mut functions = Vec::new();
        for (index, name) in &self.any {
            let ty = state.function_type(*index);
            let arguments: Option<Vec<Sort>> = ty.params.iter().map(|&ty| sort_of(ty)).collect();
            let result = if let [result] = ty.results[..] { sort_of(result) } else { None };
            if let Some((arguments, result)) = arguments.zip(result) {
                functions.push((*index, terms.function(name, &arguments, result)));
            }
        }
        functions
    }
}

fn sort_of(ty: Type) -> Option<Sort> {
    match ty {
        Type::I32 => Some(Sort::Bv(32)),
        Type::I64 => Some(Sort::Bv(64)),
        Type::F32 => Some(Sort::F32),
        Type::F64 => Some(Sort::F64),
        _ => None,
    }
}

impl Concolic {
    /// The application that stands for the result of a call, over all that the function is given.
    pub(crate) fn applied(&mut self, function: Function, arguments: &[Value]) -> Term {
        let arguments: Vec<Term> = arguments.iter().map(|&value| self.term(value)).collect();
        self.terms.apply(function, &arguments)
    }
}

/// Where a variable of the source lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the frame of a function, at an offset from the address that one of its locals holds.
    Frame {
        /// The function, by its index in the module.
        function: u32,
        /// The local.
        local: u32,
        /// The offset.
        offset: i64,
    },
    /// At a fixed address.
    Static(u32),
}

/// The names of the variables that live at addresses now; those of inner calls hide none of outer ones.
fn names(state: &State<Concolic>, variables: &[(String, Place)]) -> FxHashMap<u64, String> {
    let mut names = FxHashMap::default();
    for (name, place) in variables {
        match *place {
            Place::Static(address) => {
                names.insert(u64::from(address), name.clone());
            }
            Place::Frame { function, local, offset } => {
                for frame in state.frames.iter().filter(|frame| frame.function == function) {
                    let Some(value) = state.stack.get((frame.base + local) as usize) else { continue };
                    let address = i64::from(value.bits as u32) + offset;
                    names.insert(address as u64, name.clone());
                }
            }
        }
    }
    names
}

/// A run of a relation with symbols for what its loops change.
#[derive(Clone, Debug)]
pub struct Looped {
    /// The path; its conditions are those outside of loops, and those under which the loops end.
    pub path: Path,
    /// All arrivals in order.
    pub arrivals: Vec<Arrival>,
    /// For each loop of each run the cells and their symbols.
    pub cells: FxHashMap<Slot, Vec<(Cell, Term)>>,
}

/// Why loops cannot be treated this way.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The relation cannot be run.
    #[error(transparent)]
    Engine(#[from] Error),
    /// The loops have another form than is understood.
    #[error("{0}")]
    Form(&'static str),
}

impl Engine {
    /// Finds the numbers in memory that the loops of each run change on some of these inputs.
    ///
    /// # Errors
    /// When the relation cannot be run, or a loop stands inside another or has too many turns.
    pub fn loop_cells(&mut self, sources: &[Source], watching: &Watching) -> Result<Cells, Refused> {
        let mut found = Cells::default();
        for source in sources {
            let mut stops =
                Stops { found: &mut found, known: None, arrivals: Vec::new(), cells: FxHashMap::default() };
            self.run_stopping(source.clone(), watching, &mut stops)?;
        }
        Ok(found)
    }

    /// Runs a case with symbols for these numbers at loop heads.
    ///
    /// # Errors
    /// When the relation cannot be run, or a loop stands inside another or has too many turns.
    pub fn run_loops(
        &mut self,
        source: &Source,
        watching: &Watching,
        cells: &Cells,
    ) -> Result<Looped, Refused> {
        let mut found = Cells::default();
        let known = Some(cells.clone());
        let mut stops = Stops { found: &mut found, known, arrivals: Vec::new(), cells: FxHashMap::default() };
        let path = self.run_stopping(source.clone(), watching, &mut stops)?;
        Ok(Looped { path, arrivals: stops.arrivals, cells: stops.cells })
    }

    fn run_stopping(
        &mut self,
        source: Source,
        watching: &Watching,
        stops: &mut Stops<'_>,
    ) -> Result<Path, Refused> {
        self.domain.begin();
        self.host.begin(source);
        let mut state = self.ready.clone();
        let mut watch = Watch::default();
        state.marks = self.marks(watching);
        state.enter(&mut self.domain, self.function, &[]);
        let any = watching.functions_of_any(&state, &mut self.domain.terms);
        let mut pending: Vec<(u32, u32, Term)> = Vec::new();
        let mut looping: Option<Looping> = None;
        loop {
            let outcome = run(&mut state, &mut self.domain, &mut self.host, &mut watch);
            if outcome != Outcome::Paused {
                return Ok(self.conclude(outcome, state.work, watch)?);
            }
            let open = state.frames.len() as u32;
            if let Some(&(frames, base, term)) = pending.last()
                && open < frames
            {
                pending.pop();
                state.marks.retain(|mark| *mark != Mark::Return(frames));
                state.stack[base as usize].term = Some(term);
                continue;
            }
            let (Some(at), Some(frame)) = (state.position(), state.frames.last().copied()) else { continue };
            if let Some((_, function)) = any.iter().find(|(index, _)| *index == at.function)
                && at.pc == 0
            {
                let base = frame.base as usize;
                let count = self.domain.terms.function_info(*function).arguments.len();
                let term = self.domain.applied(*function, &state.stack[base..base + count]);
                pending.push((open, frame.base, term));
                state.marks.push(Mark::Return(open));
                continue;
            }
            if let Some(run) = self.domain.run {
                let names = names(&state, &watching.variables);
                self.arrive(&mut state, run, at, stops, &mut looping, &names)?;
            }
        }
    }

    /// Where to pause: at the heads of loops, and where functions that stand for any function begin.
    fn marks(&self, watching: &Watching) -> Vec<Mark> {
        let mut marks = Vec::new();
        for frames in 1..=MOST_FRAMES {
            for &function in &watching.functions {
                let Some(code) = self.ready.linked.code(function) else { continue };
                for &(pc, _) in &code.loops {
                    marks.push(Mark::At(frames, Position { function, pc }));
                }
            }
            for &(function, _) in &watching.any {
                marks.push(Mark::At(frames, Position { function, pc: 0 }));
            }
        }
        marks
    }

    fn arrive(
        &mut self,
        state: &mut State<Concolic>,
        run: u32,
        at: Position,
        stops: &mut Stops<'_>,
        looping: &mut Option<Looping>,
        names: &FxHashMap<u64, String>,
    ) -> Result<(), Refused> {
        let beside = Beside::of(state, &self.host);
        let Some(memory) = state.memories.first_mut() else { return Ok(()) };
        let same_run = looping.as_ref().filter(|known| known.slot.run == run);
        let is_first = same_run.is_none_or(|known| known.head != at);
        if is_first && same_run.is_some_and(|known| known.left.contains(&at)) {
            return Err(Refused::Form("a loop stands inside another, or is entered again"));
        }
        let slot = match same_run {
            Some(known) => Slot { run, phase: known.slot.phase + u32::from(is_first) },
            None => Slot { run, phase: 0 },
        };
        let mut left = same_run.map(|known| known.left.clone()).unwrap_or_default();
        if is_first {
            left.extend(same_run.map(|known| known.head));
        }
        // Only what lies in memory becomes a symbol: anything else would stand for one turn, not for every one.
        if let Some(known) = looping.as_ref().filter(|_| !is_first)
            && known.beside != beside
        {
            return Err(Refused::Form("a loop changes what is not in memory, or draws or checks inside"));
        }
        if stops.arrivals.len() > MOST_ARRIVALS {
            return Err(Refused::Form("a loop has too many turns for a sample"));
        }
        let Some(known) = &stops.known else {
            // Finding: compare with the last arrival.
            let cells = stops.found.entry(slot).or_default();
            if let Some(before) = looping.as_ref().filter(|_| !is_first) {
                changed(&self.domain, &before.memory, memory, cells);
            }
            let knowledge = self.domain.save();
            *looping = Some(Looping { slot, head: at, left, memory: memory.clone(), beside, knowledge });
            return Ok(());
        };
        let mut cells = known.get(&slot).cloned().unwrap_or_default();
        cells.sort_unstable();
        cells.dedup();
        let mut values = Vec::new();
        let mut numbers = Vec::new();
        let mut symbols = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let (load, store, sort) = if cell.double {
                (LoadOp::F64Load, StoreOp::F64Store, Sort::F64)
            } else {
                (LoadOp::I32Load, StoreOp::I32Store, Sort::Bv(32))
            };
            let address = Value::i32(cell.address as i32);
            let refused = |_| Refused::Form("a loop changes what cannot be read");
            let value = self.domain.load(at, memory, load, address, 0).map_err(refused)?;
            values.push(self.domain.term(value));
            numbers.push(if cell.double {
                f64::from_bits(value.bits)
            } else {
                f64::from(value.bits as u32 as i32)
            });
            let kind = if cell.double { 'x' } else { 'i' };
            let own = names.get(&cell.address);
            let shared =
                |name: &String| cells.iter().filter(|it| names.get(&it.address) == Some(name)).count() > 1;
            let name = own.filter(|name| !shared(name)).cloned().unwrap_or_else(|| format!("{kind}{index}"));
            // Loops of one run have identities of their own.
            let identity = Identity::Cell { run: slot.phase << 16 | run, address: cell.address };
            let label = match slot.phase {
                0 => format!("{name}@{}", run + 1),
                phase => format!("{name}@{}.{}", run + 1, phase + 1),
            };
            let symbol = self.domain.terms.declared(identity, &label, sort, None);
            symbols.push((*cell, symbol));
            let value = Value { term: Some(symbol), ..value };
            self.domain.store(at, memory, store, address, 0, value).map_err(refused)?;
        }
        stops.cells.insert(slot, symbols);
        let mut turn = Vec::new();
        if is_first {
            let knowledge = self.domain.save();
            *looping = Some(Looping { slot, head: at, left, memory: memory.clone(), beside, knowledge });
        } else if let Some(known) = looping {
            turn = self.domain.path[known.knowledge.path..].to_vec();
            self.domain.restore(&known.knowledge);
        }
        let before = looping.as_ref().map_or(0, |known| known.knowledge.path);
        stops.arrivals.push(Arrival { slot, before, head: at, values, numbers, turn });
        Ok(())
    }
}

/// The loop that is being run.
struct Looping {
    slot: Slot,
    head: Position,
    /// The heads of the loops that the run has left.
    left: Vec<Position>,
    memory: Memory<Shadow>,
    beside: Beside,
    knowledge: crate::domain::Knowledge,
}

/// What a loop may not change: registers that are read again, globals, sizes, and what the relation has drawn and checked.
#[derive(PartialEq)]
struct Beside {
    values: Vec<Value>,
    sizes: Vec<u64>,
    told: [usize; 2],
}

impl Beside {
    fn of(state: &State<Concolic>, host: &crate::host::Primitives) -> Beside {
        let mut values = state.globals.clone();
        for (number, frame) in state.frames.iter().enumerate() {
            let Some(code) = state.linked.code(frame.function) else { continue };
            let innermost = number + 1 == state.frames.len();
            let flow = code.flow();
            let at_start = innermost && flow.starts().binary_search(&frame.pc).is_ok();
            for register in 0..code.registers {
                // At the head of a loop, a block begins; further out, all registers count.
                if at_start && !flow.is_live(frame.pc, register as u16) {
                    continue;
                }
                values.extend(state.stack.get((frame.base + register) as usize));
            }
        }
        let memories = state.memories.iter().map(Memory::len);
        let tables = state.tables.iter().map(|table| table.entries.len() as u64);
        let sizes = memories.chain(tables).collect();
        Beside { values, sizes, told: [host.drawn.len(), host.checks.len()] }
    }
}

struct Stops<'a> {
    found: &'a mut Cells,
    known: Option<Cells>,
    arrivals: Vec<Arrival>,
    cells: FxHashMap<Slot, Vec<(Cell, Term)>>,
}

/// The numbers in which two memories differ.
fn changed(domain: &Concolic, before: &Memory<Shadow>, after: &Memory<Shadow>, cells: &mut Vec<Cell>) {
    const PAGE: u64 = twinrun_interp::memory::PAGE as u64;
    let pages: Vec<usize> = before.bytes().changed_pages(after.bytes()).collect();
    for page in pages {
        let mut at = page as u64 * PAGE;
        let end = at + PAGE;
        while at < end {
            let same = before.bytes().get(at) == after.bytes().get(at)
                && before.shadow.get(at) == after.shadow.get(at);
            // Frames of calls that have ended hold no number of the loop.
            if same || after.shadow.get(at).is_unwritten() {
                at += 1;
                continue;
            }
            let byte = after.shadow.get(at);
            let double = byte.term.is_some_and(|term| domain.terms.sort(term) == Sort::F64);
            let cell = if double {
                Cell { address: at - u64::from(byte.index), double }
            } else {
                Cell { address: at & !3, double }
            };
            if !cells.contains(&cell) {
                cells.push(cell);
            }
            at = cell.address + if double { 8 } else { 4 };
        }
    }
}
