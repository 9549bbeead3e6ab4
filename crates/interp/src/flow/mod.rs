//! Control flow of register code: basic blocks, where the ways of a branch join, what a block's execution depends on, live registers.

mod live;
mod postdom;

use crate::code::Code;
use crate::instr::{Form, Instr, Reg};

pub(crate) use live::{Set, at_starts, call_defs, call_uses};

/// The control flow of one function.
#[derive(Debug)]
pub struct Flow {
    /// The first instruction of each basic block, ascending.
    starts: Vec<u32>,
    /// For each instruction its block.
    block_of: Vec<u32>,
    /// For each block the blocks that may follow.
    successors: Vec<Vec<usize>>,
    /// For each block its immediate post-dominator; nothing is the function's exit.
    joins: Vec<Option<usize>>,
    /// For each block the branches that decide whether it is executed.
    controls: Vec<Vec<u32>>,
    /// For each block the registers that are live when it starts.
    live: Vec<Set>,
}

impl Flow {
    pub(crate) fn of(code: &Code) -> Flow {
        let starts = starts(code);
        let successors = successors(code, &starts);
        let returns: Vec<bool> = blocks(code, &starts).map(|last| returns(code.instrs[last])).collect();
        let joins = postdom::immediate(&successors, &returns);
        let last: Vec<u32> = blocks(code, &starts).map(|last| last as u32).collect();
        let controls = postdom::controls(&successors, &joins, &last);
        let live = at_starts(code, &starts, &successors);
        let block_of = (0..code.instrs.len() as u32)
            .map(|pc| starts.partition_point(|start| *start <= pc) as u32 - 1)
            .collect();
        Flow { starts, block_of, successors, joins, controls, live }
    }

    /// The basic block of an instruction.
    pub fn block(&self, pc: u32) -> usize {
        self.block_of[pc as usize] as usize
    }

    /// The first instruction of each basic block.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The blocks that may follow a block.
    pub fn successors(&self, block: usize) -> &[usize] {
        &self.successors[block]
    }

    /// Where all ways from a branch meet again: the first instruction of its immediate post-dominator. Nothing when they meet only where the function
    /// returns. Ways that end in a trap do not count.
    pub fn join(&self, pc: u32) -> Option<u32> {
        self.joins[self.block(pc)].map(|block| self.starts[block])
    }

    /// The blocks whose execution this outcome of a branch alone brings about, directly or through further branches among them.
    pub fn only_on(&self, code: &Code, pc: u32, outcome: u32) -> Vec<usize> {
        let branch = self.block(pc);
        let Some(taken) = self.after(code, pc, outcome) else { return Vec::new() };
        let mut found = self.until_join(taken, branch);
        let mut next = 0;
        // Branches among them bring about what depends on any of their outcomes.
        while let Some(&block) = found.get(next) {
            next += 1;
            for &successor in &self.successors[block] {
                if self.successors[block].len() > 1 {
                    for inner in self.until_join(successor, block) {
                        if !found.contains(&inner) {
                            found.push(inner);
                        }
                    }
                }
            }
        }
        found
    }

    /// The block that follows a branch on this outcome.
    fn after(&self, code: &Code, pc: u32, outcome: u32) -> Option<usize> {
        let instr = code.instrs[pc as usize];
        match (instr, instr.form()) {
            (Instr::BrTable { .. }, _) => Some(self.block(pc + 1 + outcome)),
            (_, Form::Branch(target)) if target.on() == (outcome != 0) => Some(self.block(target.pc())),
            (_, Form::Branch(_)) => Some(self.block(pc + 1)),
            _ => None,
        }
    }

    /// The blocks from here up the post-dominators until the join of a branch.
    fn until_join(&self, from: usize, branch: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = Some(from);
        while let Some(block) = at
            && Some(block) != self.joins[branch]
            && !found.contains(&block)
        {
            found.push(block);
            at = self.joins[block];
        }
        found
    }

    /// The instructions of a block.
    pub fn instructions(&self, code: &Code, block: usize) -> std::ops::Range<u32> {
        self.starts[block]..self.starts.get(block + 1).copied().unwrap_or(code.instrs.len() as u32)
    }

    /// The branches that decide whether this instruction is executed (control dependence after Ferrante, Ottenstein and Warren, 1987).
    pub fn controls(&self, pc: u32) -> &[u32] {
        &self.controls[self.block(pc)]
    }

    /// Whether a register's value may still be read after control arrives at the start of a basic block.
    pub fn is_live(&self, start: u32, reg: Reg) -> bool {
        self.live[self.block(start)].contains(reg)
    }
}

fn returns(instr: Instr) -> bool {
    matches!(instr, Instr::Return0 | Instr::Return1 { .. } | Instr::Return { .. })
}

pub(crate) fn starts(code: &Code) -> Vec<u32> {
    let mut leader = vec![false; code.instrs.len()];
    if let Some(first) = leader.first_mut() {
        *first = true;
    }
    for (pc, instr) in code.instrs.iter().enumerate() {
        if let Some(target) = instr.target() {
            leader[target as usize] = true;
        }
        if let Instr::BrTable { len, .. } = instr {
            leader[pc + 1..=pc + *len as usize].fill(true);
        }
        if (instr.target().is_some() || instr.ends_block()) && pc + 1 < leader.len() {
            leader[pc + 1] = true;
        }
    }
    (0..leader.len() as u32).filter(|pc| leader[*pc as usize]).collect()
}

/// The last instruction of each block.
fn blocks<'a>(code: &'a Code, starts: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let ends = starts.iter().skip(1).map(|start| *start as usize).chain([code.instrs.len()]);
    ends.map(|end| end - 1)
}

pub(crate) fn successors(code: &Code, starts: &[u32]) -> Vec<Vec<usize>> {
    let block = |pc: u32| starts.partition_point(|start| *start <= pc) - 1;
    blocks(code, starts)
        .map(|last| {
            let instr = code.instrs[last];
            let mut next: Vec<usize> = instr.target().map(block).into_iter().collect();
            match instr {
                Instr::BrTable { len, .. } => next.extend((1..=len).map(|i| block(last as u32 + i))),
                _ if !instr.ends_block() && last + 1 < code.instrs.len() => next.push(block(last as u32 + 1)),
                _ => {}
            }
            next.dedup();
            next
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::module::{LoadOptions, Module};

    /// For each branch of the only function: the position after which its ways join, by the offset order of instructions.
    fn check(body: &str, expect: &[Option<&str>]) {
        let text = format!("(module (func (param i32) (result i32) (local i32) {body}))");
        let module = Module::new(&wat::parse_str(text).unwrap(), LoadOptions::default()).unwrap();
        let code = module.code(0);
        let joins: Vec<Option<String>> = (0..code.instrs.len() as u32)
            .filter(|pc| {
                code.instrs[*pc as usize].target().is_some() && !code.instrs[*pc as usize].ends_block()
            })
            .map(|pc| code.flow().join(pc).map(|join| format!("{:?}", code.instrs[join as usize])))
            .collect();
        let starts = |(found, expect): (&Option<String>, &Option<&str>)| match (found, expect) {
            (Some(found), Some(expect)) => found.starts_with(expect),
            (None, None) => true,
            _ => false,
        };
        assert!(
            joins.len() == expect.len() && joins.iter().zip(expect).all(starts),
            "{joins:?} in {:#?}",
            code.instrs
        );
    }

    #[test]
    fn both_sides_of_an_if_join_behind_it() {
        check(
            "(if (local.get 0) (then (local.set 1 (i32.const 1))) (else (local.set 1 (i32.const 2)))) (i32.clz (local.get 1))",
            &[Some("I32Clz")],
        );
    }

    #[test]
    fn an_early_return_joins_at_the_exit() {
        check("(if (local.get 0) (then (return (i32.const 1)))) (i32.clz (local.get 1))", &[None]);
    }

    #[test]
    fn a_way_that_traps_does_not_move_the_join() {
        check("(if (local.get 0) (then (unreachable))) (i32.clz (local.get 0))", &[Some("I32Clz")]);
    }

    #[test]
    fn the_ways_of_a_loop_join_behind_it() {
        check(
            "(block (loop (br_if 1 (i32.eqz (local.get 0))) (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 0)))
             (i32.clz (local.get 0))",
            &[Some("I32Clz")],
        );
    }

    #[test]
    fn what_stands_in_an_if_is_controlled_by_it_and_what_follows_is_not() {
        let text = "(module (memory 1) (func (param i32)
            (if (local.get 0) (then (i32.store (i32.const 0) (i32.const 1)))) (i32.store8 (i32.const 0) (i32.const 1))))";
        let module = Module::new(&wat::parse_str(text).unwrap(), LoadOptions::default()).unwrap();
        let code = module.code(0);
        let find = |name: &str| {
            code.instrs.iter().position(|instr| format!("{instr:?}").starts_with(name)).unwrap() as u32
        };
        assert_eq!(code.flow().controls(find("I32Store ")), [find("BrIf")]);
        assert!(code.flow().controls(find("I32Store8")).is_empty());
    }
}
