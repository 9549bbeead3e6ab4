//! Shorter register code for what unoptimised compilers emit: constants and copies are used where they are read, comparisons meet their branches, and
//! instructions whose result nobody reads disappear. What can be observed stays: branches with their outcomes, traps, memory, calls, work.

use crate::code::Code;
use crate::flow::{Set, at_starts, call_defs, call_uses, starts, successors};
use crate::instr::{Form, Instr, Operand, Reg, Target};
use crate::ops::{BinaryOp, Type};

/// What is known about a register inside a basic block.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Const(Type, i32),
    Copy(Reg),
    /// The result of a comparison of integers.
    Compare(BinaryOp, Reg, Operand),
}

/// Rewrites the code of a function.
pub(super) fn optimise(code: &mut Code) {
    let starts = starts(code);
    let ends: Vec<usize> =
        starts.iter().skip(1).map(|start| *start as usize).chain([code.instrs.len()]).collect();
    let mut facts = Facts { known: vec![None; code.registers as usize], active: Vec::new() };
    for (start, end) in starts.iter().zip(&ends) {
        facts.forget_all();
        for pc in *start as usize..*end {
            forward(code, &mut facts, pc);
        }
    }
    let successors = successors(code, &starts);
    let live = at_starts(code, &starts, &successors);
    let mut keep = vec![true; code.instrs.len()];
    for (block, (start, end)) in starts.iter().zip(&ends).enumerate() {
        let mut set = Set::new(code.registers);
        successors[block].iter().for_each(|next| set.union(&live[*next]));
        for pc in (*start as usize..*end).rev() {
            let instr = code.instrs[pc];
            let dead = instr.def().is_some_and(|dst| !set.contains(dst)) && is_pure(instr);
            let idle = matches!(instr, Instr::Copy { dst, a } if dst == a);
            if dead || idle {
                keep[pc] = false;
                continue;
            }
            if let Some(dst) = instr.def() {
                set.remove(dst);
            }
            call_defs(code, instr).for_each(|reg| set.remove(reg));
            call_uses(code, instr).for_each(|reg| set.insert(reg));
            instr.each_use(|reg| set.insert(reg));
        }
    }
    if let Some(entry) = live.first() {
        let locals = code.locals.iter().enumerate().skip(usize::from(code.params));
        code.zeroed = locals
            .filter(|(local, _)| entry.contains(*local as Reg))
            .map(|(local, ty)| (local as Reg, *ty))
            .collect();
    }
    compact(code, &keep);
}

struct Facts {
    known: Vec<Option<Known>>,
    /// The registers about which something is known.
    active: Vec<Reg>,
}

impl Facts {
    fn forget_all(&mut self) {
        for reg in self.active.drain(..) {
            self.known[usize::from(reg)] = None;
        }
    }

    fn get(&self, reg: Reg) -> Option<Known> {
        self.known[usize::from(reg)]
    }

    /// Registers for which `changed` is true have other values now.
    fn forget(&mut self, changed: impl Fn(Reg) -> bool) {
        let known = &mut self.known;
        self.active.retain(|reg| {
            let stale = changed(*reg)
                || match known[usize::from(*reg)] {
                    Some(Known::Copy(of)) => changed(of),
                    Some(Known::Compare(_, a, b)) => changed(a) || matches!(b, Operand::Reg(b) if changed(b)),
                    _ => false,
                };
            if stale {
                known[usize::from(*reg)] = None;
            }
            !stale
        });
    }

    fn learn(&mut self, reg: Reg, fact: Known) {
        self.known[usize::from(reg)] = Some(fact);
        self.active.push(reg);
    }
}

fn forward(code: &mut Code, facts: &mut Facts, pc: usize) {
    let mut instr = code.instrs[pc];
    instr.each_use_mut(|reg| {
        if let Some(Known::Copy(of)) = facts.get(*reg) {
            *reg = of;
        }
    });
    instr = simplify(instr, facts);
    code.instrs[pc] = instr;
    match instr {
        // A callee's frame lies over everything from its arguments on.
        Instr::Call { at, .. } | Instr::CallIndirect { at, .. } | Instr::Invoke { at, .. } => {
            facts.forget(|reg| reg >= at);
        }
        _ => {
            let Some(dst) = instr.def() else { return };
            facts.forget(|reg| reg == dst);
            match instr {
                Instr::I32Const { imm, .. } => facts.learn(dst, Known::Const(Type::I32, imm)),
                Instr::I64Const { imm, .. } => facts.learn(dst, Known::Const(Type::I64, imm)),
                Instr::Copy { a, .. } if a != dst => match facts.get(a) {
                    Some(fact @ (Known::Const(..) | Known::Compare(..))) if !mentions(fact, dst) => {
                        facts.learn(dst, fact);
                    }
                    _ => facts.learn(dst, Known::Copy(a)),
                },
                _ => {
                    if let Some((op, _, a, b)) = instr.binary_parts()
                        && op.compares_integers()
                        && !mentions(Known::Compare(op, a, b), dst)
                    {
                        facts.learn(dst, Known::Compare(op, a, b));
                    }
                }
            }
        }
    }
}

fn mentions(fact: Known, reg: Reg) -> bool {
    match fact {
        Known::Const(..) => false,
        Known::Copy(of) => of == reg,
        Known::Compare(_, a, b) => a == reg || b == Operand::Reg(reg),
    }
}

/// The same instruction with constants as immediates and comparisons seen through.
fn simplify(instr: Instr, facts: &Facts) -> Instr {
    let compare = |reg: Reg| match facts.get(reg) {
        Some(Known::Compare(op, a, b)) => Some((op, a, b)),
        _ => None,
    };
    if let Instr::Copy { dst, a } = instr {
        return match facts.get(a) {
            Some(Known::Const(Type::I32, imm)) => Instr::I32Const { dst, imm },
            Some(Known::Const(_, imm)) => Instr::I64Const { dst, imm },
            _ => instr,
        };
    }
    if let Instr::I32Eqz { dst, a } = instr
        && let Some((op, a, b)) = compare(a)
        && let Some(op) = op.inverse()
    {
        return binary(op, dst, a, b);
    }
    if let Instr::BrIf { a, target } | Instr::BrI32Eqz { a, target } = instr
        && let Some((op, left, right)) = compare(a)
    {
        let op = if matches!(instr, Instr::BrIf { .. }) { Some(op) } else { op.inverse() };
        if let Some(fused) = op.and_then(|op| fused(op, left, right, target)) {
            return fused;
        }
    }
    let Some((op, dst, mut a, mut b)) = instr.binary_parts() else { return instr };
    let constant = |reg: Reg| match facts.get(reg) {
        Some(Known::Const(_, imm)) => Some(imm),
        _ => None,
    };
    if let Operand::Reg(right) = b {
        if let Some(imm) = constant(right) {
            b = Operand::Imm(imm);
        } else if op.commutes()
            && let Some(imm) = constant(a)
        {
            (a, b) = (right, Operand::Imm(imm));
        }
    }
    // Comparisons are 0 or 1.
    match (op, b, compare(a)) {
        (BinaryOp::I32And, Operand::Imm(1), Some((op, a, b)))
        | (BinaryOp::I32Ne, Operand::Imm(0), Some((op, a, b))) => {
            return binary(op, dst, a, b);
        }
        (BinaryOp::I32Eq, Operand::Imm(0), Some((op, a, b))) if op.inverse().is_some() => {
            return op.inverse().map_or(instr, |op| binary(op, dst, a, b));
        }
        _ => {}
    }
    match b {
        Operand::Imm(imm) => Instr::binary_imm(op, dst, a, imm).unwrap_or(instr),
        Operand::Reg(_) => instr,
    }
}

fn binary(op: BinaryOp, dst: Reg, a: Reg, b: Operand) -> Instr {
    match b {
        Operand::Reg(b) => Instr::binary(op, dst, a, b),
        Operand::Imm(imm) => Instr::binary_imm(op, dst, a, imm).unwrap_or(Instr::Unreachable),
    }
}

fn fused(op: BinaryOp, a: Reg, b: Operand, target: Target) -> Option<Instr> {
    binary(op, 0, a, b).fused_branch(target)
}

/// Whether an instruction does nothing but compute its result.
fn is_pure(instr: Instr) -> bool {
    match instr.form() {
        Form::Binary(op) => !op.may_trap(),
        Form::Unary(op) => !op.may_trap(),
        Form::Load(_) | Form::Store(_) | Form::Branch(_) => false,
        Form::Other => matches!(
            instr,
            Instr::Copy { .. }
                | Instr::I32Const { .. }
                | Instr::I64Const { .. }
                | Instr::Const { .. }
                | Instr::Select { .. }
                | Instr::GlobalGet { .. }
                | Instr::MemorySize { .. }
                | Instr::TableSize { .. }
                | Instr::RefFunc { .. }
                | Instr::RefIsNull { .. }
        ),
    }
}

/// Leaves out instructions; jumps to one of them go to what follows it.
fn compact(code: &mut Code, keep: &[bool]) {
    let mut place = Vec::with_capacity(keep.len() + 1);
    let mut next = 0;
    for keep in keep {
        place.push(next);
        next += u32::from(*keep);
    }
    place.push(next);
    for instr in &mut code.instrs {
        if let Some(target) = instr.target() {
            instr.retarget(place[target as usize]);
        }
    }
    for (pc, _) in &mut code.loops {
        *pc = place[*pc as usize];
    }
    let mut kept = keep.iter();
    code.instrs.retain(|_| kept.next().is_some_and(|keep| *keep));
    let mut kept = keep.iter();
    code.offsets.retain(|_| kept.next().is_some_and(|keep| *keep));
    let mut kept = keep.iter();
    code.sites.retain(|_| kept.next().is_some_and(|keep| *keep));
}

#[cfg(test)]
mod tests {
    use crate::instr::Instr;
    use crate::module::{LoadOptions, Module};

    /// The instructions of the only function, by name.
    fn check(body: &str, expect: &[&str]) {
        let text =
            format!("(module (memory 1) (func (param i32 i32) (result i32) (local i32 i32 i32 i32) {body}))");
        let module = Module::new(&wat::parse_str(text).unwrap(), LoadOptions::default()).unwrap();
        let name = |instr: &Instr| format!("{instr:?}").split(' ').next().unwrap_or_default().to_owned();
        let found: Vec<String> = module.code(0).instrs.iter().map(name).collect();
        assert_eq!(found, expect, "{:#?}", module.code(0).instrs);
    }

    #[test]
    fn the_condition_of_unoptimised_code_becomes_one_branch() {
        check(
            "(local.set 2 (i32.lt_s (local.get 0) (local.get 1)))
             (local.set 3 (i32.const 1))
             (local.set 4 (i32.and (local.get 2) (local.get 3)))
             (block (br_if 0 (i32.eqz (local.get 4))) (return (i32.const 7)))
             (i32.const 8)",
            &["BrI32GeS", "I32Const", "Return1", "I32Const", "Return1"],
        );
    }

    #[test]
    fn a_trap_whose_result_nobody_reads_stays() {
        check(
            "(local.set 2 (i32.div_u (local.get 0) (local.get 1))) (drop (i32.load (local.get 0)))
             (local.set 3 (i32.add (local.get 0) (local.get 1))) (i32.const 8)",
            &["I32DivU", "I32Load", "I32Const", "Return1"],
        );
    }

    #[test]
    fn a_copy_is_not_used_after_its_source_has_changed() {
        check(
            "(local.set 2 (local.get 0)) (local.set 0 (i32.const 5)) (i32.add (local.get 2) (local.get 0))",
            &["Copy", "I32AddImm", "Return1"],
        );
    }
}
