//! Potential dependence: a value that a branch left as it was, and would have changed on another way, depends on that branch too. With it dynamic slices
//! become relevant slices, in which an omitted assignment is not lost (Agrawal, Horgan, Krauser and London 1993; Gyimóthy, Beszédes and Forgács 1999).
//!
//! When a branch is decided, the stores that only its other outcomes would have reached are looked at. Where a store would have gone is known when its
//! address register was already used in the same call (unoptimised code addresses all locals through one such register), or else from where the same store
//! went before; a store of unknown target counts for nothing.

use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::domain::Position;
use crate::imports::Touched;
use crate::instr::{Form, Instr, Reg};
use crate::observers::dependence::Event;

/// A store that an outcome would have reached.
#[derive(Clone, Copy, Debug)]
struct Omitted {
    pc: u32,
    a: Reg,
    offset: u32,
    width: u32,
}

/// Where earlier executions of one store went: the latest few.
const REMEMBERED: usize = 4;

/// For each byte, the branches since its last write that could have changed it.
#[derive(Debug, Default)]
pub(super) struct Potential {
    /// Stores by branch and outcome.
    stores: FxHashMap<(Position, u32), Vec<Omitted>>,
    /// For each open call what its address registers hold.
    bases: Vec<FxHashMap<Reg, u64>>,
    /// Where stores went.
    went: FxHashMap<Position, Vec<u64>>,
    /// The branches, each by its latest event, that could have changed a byte.
    bytes: FxHashMap<(u32, u64), Vec<(Position, Event)>>,
    /// For each event that read something, the branches that could have changed it.
    pub(super) found: Vec<(Event, Event)>,
    memory: u32,
}

impl Potential {
    pub(super) fn enter(&mut self) {
        self.bases.push(FxHashMap::default());
    }

    pub(super) fn leave(&mut self) {
        self.bases.pop();
    }

    /// An instruction changes a register: what it held is no address any more.
    pub(super) fn define(&mut self, reg: Reg) {
        if let Some(bases) = self.bases.last_mut() {
            bases.remove(&reg);
        }
    }

    /// The code reads or writes memory through a register.
    pub(super) fn access(&mut self, at: Position, instr: Instr, touched: &Touched, now: Event) {
        self.memory = touched.memory;
        if let Some((a, offset)) = address(instr) {
            if let Some(bases) = self.bases.last_mut() {
                bases.insert(a, touched.at.wrapping_sub(u64::from(offset)));
            }
            if touched.written {
                let went = self.went.entry(at).or_default();
                if !went.contains(&touched.at) {
                    if went.len() == REMEMBERED {
                        went.remove(0);
                    }
                    went.push(touched.at);
                }
            }
        }
        self.touch(touched, now);
    }

    /// A range is read or written, by the code or by the host.
    pub(super) fn touch(&mut self, touched: &Touched, now: Event) {
        for at in touched.at..touched.at + touched.len {
            if touched.written {
                self.bytes.remove(&(touched.memory, at));
            } else if let Some(branches) = self.bytes.get(&(touched.memory, at)) {
                for (_, branch) in branches {
                    if !self
                        .found
                        .iter()
                        .rev()
                        .take_while(|(event, _)| *event == now)
                        .any(|(_, known)| known == branch)
                    {
                        self.found.push((now, *branch));
                    }
                }
            }
        }
    }

    /// A branch was decided.
    pub(super) fn branch(&mut self, at: Position, code: &Code, outcome: u32, now: Event) {
        let stores = self.stores.entry((at, outcome)).or_insert_with(|| omitted(code, at.pc, outcome));
        if stores.is_empty() {
            return;
        }
        let bases = self.bases.last();
        for store in stores {
            let base = bases
                .and_then(|bases| bases.get(&store.a))
                .map(|base| base.wrapping_add(u64::from(store.offset)));
            let position = Position { pc: store.pc, ..at };
            let went = self.went.get(&position).map(|went| &went[..]).unwrap_or_default();
            let targets = base.as_slice().iter().chain(if base.is_none() { went } else { &[] });
            for &target in targets {
                for byte in target..target + u64::from(store.width) {
                    let branches = self.bytes.entry((self.memory, byte)).or_default();
                    branches.retain(|(branch, _)| *branch != at);
                    branches.push((at, now));
                }
            }
        }
    }

    /// The branches that could have changed what an event read.
    pub(super) fn of(&self, event: Event) -> &[(Event, Event)] {
        let start = self.found.partition_point(|(at, _)| *at < event);
        let end = self.found.partition_point(|(at, _)| *at <= event);
        &self.found[start..end]
    }
}

fn address(instr: Instr) -> Option<(Reg, u32)> {
    match instr.form() {
        Form::Load(_) | Form::Store(_) => instr.memory_operand(),
        _ => None,
    }
}

/// The stores that only other outcomes of a branch reach.
fn omitted(code: &Code, pc: u32, outcome: u32) -> Vec<Omitted> {
    let flow = code.flow();
    let outcomes = match code.instrs[pc as usize] {
        Instr::BrTable { len, .. } => len,
        _ => 2,
    };
    let taken = flow.only_on(code, pc, outcome);
    let mut stores: Vec<Omitted> = Vec::new();
    for other in (0..outcomes).filter(|other| *other != outcome) {
        for block in flow.only_on(code, pc, other) {
            if taken.contains(&block) {
                continue;
            }
            for pc in flow.instructions(code, block) {
                let instr = code.instrs[pc as usize];
                if let (Form::Store(op), Some((a, offset))) = (instr.form(), instr.memory_operand())
                    && !stores.iter().any(|store| store.pc == pc)
                {
                    stores.push(Omitted { pc, a, offset, width: op.bytes() });
                }
            }
        }
    }
    stores
}
