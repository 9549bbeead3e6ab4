//! Which registers are live where a basic block starts.

use crate::code::Code;
use crate::instr::{Instr, Reg};

/// A set of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub(crate) fn new(registers: u32) -> Set {
        Set(vec![0; registers.div_ceil(64) as usize])
    }

    pub(crate) fn contains(&self, reg: Reg) -> bool {
        self.0.get(usize::from(reg) / 64).is_some_and(|word| word >> (reg % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, reg: Reg) {
        if let Some(word) = self.0.get_mut(usize::from(reg) / 64) {
            *word |= 1 << (reg % 64);
        }
    }

    pub(crate) fn remove(&mut self, reg: Reg) {
        if let Some(word) = self.0.get_mut(usize::from(reg) / 64) {
            *word &= !(1 << (reg % 64));
        }
    }

    pub(crate) fn union(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

/// The arguments of a call, or the values of a long return.
pub(crate) fn call_uses(code: &Code, instr: Instr) -> std::ops::Range<Reg> {
    match instr {
        Instr::Call { at, params, .. } => at..at + params,
        Instr::CallIndirect { at, call, .. } => at..at + code.indirect[call as usize].params,
        Instr::Invoke { at, call } => at..at + 1 + code.indirect[call as usize].params,
        Instr::Return { first, len } => first..first + len,
        _ => 0..0,
    }
}

/// The results of a call.
pub(crate) fn call_defs(code: &Code, instr: Instr) -> std::ops::Range<Reg> {
    match instr {
        Instr::Call { at, results, .. } => at..at + results,
        Instr::CallIndirect { at, call, .. } => at..at + code.indirect[call as usize].results,
        Instr::Invoke { at, call } => at..at + 1 + code.indirect[call as usize].results,
        _ => 0..0,
    }
}

pub(crate) fn at_starts(code: &Code, starts: &[u32], successors: &[Vec<usize>]) -> Vec<Set> {
    let mut live = vec![Set::new(code.registers); starts.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..starts.len()).rev() {
            let mut set = Set::new(code.registers);
            for &next in &successors[block] {
                set.union(&live[next]);
            }
            let end = starts.get(block + 1).map_or(code.instrs.len(), |start| *start as usize);
            for &instr in code.instrs[starts[block] as usize..end].iter().rev() {
                if let Some(dst) = instr.def() {
                    set.remove(dst);
                }
                call_defs(code, instr).for_each(|reg| set.remove(reg));
                call_uses(code, instr).for_each(|reg| set.insert(reg));
                instr.each_use(|reg| set.insert(reg));
            }
            if set != live[block] {
                live[block] = set;
                changed = true;
            }
        }
    }
    live
}
