//! Translation of structured control: blocks, loops, branches, calls and returns.

use wasmparser::{BlockType, Operator};

use crate::instr::{IndirectCall, Instr, Reg, Target};
use crate::module::FunctionType;
use crate::natives::Native;
use crate::translate::stack::{Entry, Translator};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    Loop { pc: u32 },
    If { jump: usize },
    Else,
}

/// An open block.
#[derive(Debug)]
pub(crate) struct Label {
    kind: Kind,
    /// The height of the stack below the block's parameters.
    height: usize,
    params: usize,
    results: usize,
    /// Instructions that jump to its end.
    fixups: Vec<usize>,
}

impl Label {
    pub(crate) fn function(results: usize) -> Label {
        Label { kind: Kind::Function, height: 0, params: 0, results, fixups: Vec::new() }
    }

    /// How many values a branch to it carries.
    fn arity(&self) -> usize {
        if matches!(self.kind, Kind::Loop { .. }) { self.params } else { self.results }
    }
}

impl Translator<'_> {
    /// Keeps count of blocks in unreachable code; true when the operator makes code reachable again and must be translated.
    pub(crate) fn skip_unreachable(&mut self, operator: &Operator<'_>) -> bool {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => self.skipped += 1,
            Operator::End if self.skipped > 0 => self.skipped -= 1,
            Operator::Else if self.skipped > 0 => {}
            Operator::End | Operator::Else => return true,
            _ => {}
        }
        false
    }

    /// Translates control operators; false for all others.
    pub(crate) fn control(&mut self, operator: &Operator<'_>) -> bool {
        match *operator {
            Operator::Block { blockty } => self.open(blockty, Kind::Block),
            Operator::Loop { blockty } => {
                self.open(blockty, Kind::Loop { pc: 0 });
                self.emit(Instr::Loop);
                let pc = self.instrs.len() as u32;
                if let Some(label) = self.labels.last_mut() {
                    label.kind = Kind::Loop { pc };
                }
                self.loops.push((pc, self.offset));
                self.barrier = self.instrs.len();
            }
            Operator::If { blockty } => {
                let condition = self.condition();
                self.open(blockty, Kind::If { jump: 0 });
                let jump = self.instrs.len();
                self.emit_branch(condition.branch(Target::new(0, false)));
                if let Some(label) = self.labels.last_mut() {
                    label.kind = Kind::If { jump };
                }
                self.barrier = self.instrs.len();
            }
            Operator::Else => self.else_(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => {
                self.branch_to(relative_depth);
                self.reachable = false;
            }
            Operator::BrIf { relative_depth } => self.branch_if(relative_depth),
            Operator::BrTable { ref targets } => {
                let depths: Vec<u32> =
                    targets.targets().filter_map(Result::ok).chain([targets.default()]).collect();
                self.branch_table(&depths);
                self.reachable = false;
            }
            Operator::Return => {
                self.emit_return();
                self.reachable = false;
            }
            Operator::Unreachable => {
                self.emit(Instr::Unreachable);
                self.reachable = false;
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(),
            Operator::Call { function_index } => {
                if let Some(native) = self.module.native(function_index) {
                    self.native(native, function_index);
                    return true;
                }
                let ty = self.module.function_type(function_index);
                let (params, results) = (ty.params.len(), ty.results.len());
                let at = self.arguments(params);
                self.emit(Instr::Call {
                    at,
                    params: params as u16,
                    results: results as u16,
                    function: function_index,
                });
                self.push_slots(results);
            }
            Operator::CallIndirect { type_index, table_index } => {
                let ty = &self.module.types[type_index as usize];
                let (params, results) = (ty.params.len(), ty.results.len());
                let a = self.pop_reg();
                // The index may stand in the slot just above the arguments, which settling them does not touch.
                let at = self.arguments(params);
                let call = self.indirect.len() as u32;
                self.indirect.push(IndirectCall {
                    table: table_index,
                    ty: type_index,
                    params: params as u16,
                    results: results as u16,
                });
                self.emit(Instr::CallIndirect { a, at, call });
                self.push_slots(results);
            }
            _ => return false,
        }
        true
    }

    /// What the interpreter does itself.
    fn native(&mut self, native: Native, function: u32) {
        match native {
            Native::Unwind => {
                self.emit(Instr::Unwind);
                self.reachable = false;
            }
            Native::Thrown => self.emit(Instr::Thrown),
            Native::Caught => self.push_result(|dst| Instr::Caught { dst }),
            Native::Invoke => {
                let ty = self.module.function_type(function);
                let (params, results) = (ty.params.len(), ty.results.len());
                let wanted = FunctionType { params: ty.params[1..].to_vec(), results: ty.results.clone() };
                let found = self.module.types.iter().position(|ty| *ty == wanted);
                let at = self.arguments(params);
                let Some(found) = found.filter(|_| !self.module.tables.is_empty()) else {
                    // No function of the module has this type: such a call could only fail.
                    self.emit(Instr::Unreachable);
                    self.reachable = false;
                    return;
                };
                let call = self.indirect.len() as u32;
                self.indirect.push(IndirectCall {
                    table: 0,
                    ty: found as u32,
                    params: params as u16 - 1,
                    results: results as u16,
                });
                // The results of the call stand one slot higher than those of the import.
                self.highest = self.highest.max(self.stack.len() + 1 + results);
                self.emit(Instr::Invoke { at, call });
                if results == 1 {
                    self.emit(Instr::Copy { dst: at, a: at + 1 });
                }
                self.push_slots(results);
            }
        }
    }

    /// Puts arguments into their slots and pops them; their first register.
    fn arguments(&mut self, params: usize) -> Reg {
        self.settle(params);
        let height = self.stack.len() - params;
        self.stack.truncate(height);
        self.slot(height)
    }

    fn push_slots(&mut self, count: usize) {
        for _ in 0..count {
            self.push(Entry::Slot);
        }
    }

    fn open(&mut self, ty: BlockType, kind: Kind) {
        let (params, results) = match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(ty) => {
                let ty = &self.module.types[ty as usize];
                (ty.params.len(), ty.results.len())
            }
        };
        self.settle_locals();
        self.settle(params);
        let height = self.stack.len() - params;
        self.labels.push(Label { kind, height, params, results, fixups: Vec::new() });
    }

    fn else_(&mut self) {
        let Some(mut label) = self.labels.pop() else { return };
        if self.reachable {
            self.settle_into(label.height, label.results);
            label.fixups.push(self.instrs.len());
            self.emit(Instr::Jump { pc: 0 });
        }
        if let Kind::If { jump } = label.kind {
            self.patch(&[jump]);
        }
        label.kind = Kind::Else;
        self.stack.truncate(label.height);
        self.push_slots(label.params);
        self.labels.push(label);
        self.reachable = true;
    }

    fn end(&mut self) {
        let Some(label) = self.labels.pop() else { return };
        if label.kind == Kind::Function {
            if self.reachable {
                self.emit_return();
            }
            return;
        }
        if self.reachable {
            self.settle_into(label.height, label.results);
        }
        // Without an else the parameters are the results, and stand where those belong.
        if let Kind::If { jump } = label.kind {
            self.patch(&[jump]);
            self.reachable = true;
        }
        if !label.fixups.is_empty() {
            self.patch(&label.fixups);
            self.reachable = true;
        }
        self.stack.truncate(label.height);
        self.push_slots(label.results);
    }

    /// Lets jumps arrive here.
    fn patch(&mut self, jumps: &[usize]) {
        let here = self.instrs.len() as u32;
        for &jump in jumps {
            self.instrs[jump].retarget(here);
        }
        self.barrier = self.instrs.len();
    }

    /// Moves the top `count` values to the slots from `height` on.
    fn settle_into(&mut self, height: usize, count: usize) {
        let first = self.stack.len() - count;
        for i in 0..count {
            self.emit_move(self.slot(height + i), first + i, self.stack[first + i]);
        }
    }

    /// Whether the values of a branch to this label already stand where it expects them.
    fn in_place(&self, label: &Label) -> bool {
        let arity = label.arity();
        let first = self.stack.len() - arity;
        arity == 0 || first == label.height && self.stack[first..].iter().all(|entry| *entry == Entry::Slot)
    }

    fn label(&self, depth: u32) -> usize {
        self.labels.len() - 1 - depth as usize
    }

    /// An unconditional branch; the translator's stack stays as it is.
    fn branch_to(&mut self, depth: u32) {
        let index = self.label(depth);
        let label = &self.labels[index];
        match label.kind {
            Kind::Function => self.emit_return(),
            _ => {
                let (height, arity) = (label.height, label.arity());
                self.settle_into(height, arity);
                self.jump_to(index);
            }
        }
    }

    fn jump_to(&mut self, index: usize) {
        let at = self.instrs.len();
        let pc = match self.labels[index].kind {
            Kind::Loop { pc } => pc,
            _ => {
                self.labels[index].fixups.push(at);
                0
            }
        };
        self.emit(Instr::Jump { pc });
    }

    fn branch_if(&mut self, depth: u32) {
        let condition = self.condition();
        let index = self.label(depth);
        let label = &self.labels[index];
        if label.kind != Kind::Function && self.in_place(label) {
            let at = self.instrs.len();
            let pc = match label.kind {
                Kind::Loop { pc } => pc,
                _ => {
                    self.labels[index].fixups.push(at);
                    0
                }
            };
            self.emit_branch(condition.branch(Target::new(pc, true)));
        } else {
            let skip = self.instrs.len();
            self.emit_branch(condition.branch(Target::new(0, false)));
            self.branch_to(depth);
            self.patch(&[skip]);
        }
        // What follows the branch may not be fused with what stands before it.
        self.barrier = self.instrs.len();
    }

    fn branch_table(&mut self, depths: &[u32]) {
        let a = self.pop_reg();
        self.emit_branch(Instr::BrTable { a, len: depths.len() as u32 });
        let first = self.instrs.len();
        let mut stubs = Vec::new();
        for (i, &depth) in depths.iter().enumerate() {
            let index = self.label(depth);
            if self.labels[index].kind != Kind::Function && self.in_place(&self.labels[index]) {
                self.jump_to(index);
            } else {
                stubs.push((first + i, depth));
                self.emit(Instr::Jump { pc: 0 });
            }
        }
        for (jump, depth) in stubs {
            self.patch(&[jump]);
            self.branch_to(depth);
        }
    }

    /// What was the frame holds nothing any more.
    fn end_frame(&mut self) {
        if let Some((global, size)) = self.frame {
            self.emit(Instr::Frame { ended: true, global, size });
        }
    }

    /// Returns the top values; the translator's stack stays as it is.
    fn emit_return(&mut self) {
        let count = self.results;
        match count {
            0 => {
                self.end_frame();
                self.emit(Instr::Return0);
            }
            1 => {
                let height = self.stack.len() - 1;
                let a = match self.stack[height] {
                    Entry::Slot => self.slot(height),
                    Entry::Local(local) => local,
                    Entry::Const(ty, bits) => {
                        self.emit_const(self.slot(height), ty, bits);
                        self.slot(height)
                    }
                };
                self.end_frame();
                self.emit(Instr::Return1 { a });
            }
            _ => {
                let first = self.stack.len() - count;
                self.settle_into(first, count);
                self.end_frame();
                self.emit(Instr::Return { first: self.slot(first), len: count as u16 });
            }
        }
    }

    fn select(&mut self) {
        let condition = self.pop_reg();
        let b = self.pop_reg();
        let a = self.pop_reg();
        let dst = self.slot(self.stack.len());
        if self.site().is_some() {
            self.emit_branch(Instr::SelectBranch { dst, condition, a, b });
        } else {
            self.emit(Instr::Select { dst, condition, a, b });
        }
        self.push(Entry::Slot);
    }

    /// Pops the condition of a branch, with the comparison that made it if that was the last instruction.
    fn condition(&mut self) -> Condition {
        let height = self.stack.len() - 1;
        if self.stack[height] == Entry::Slot
            && let Some(&mut instr) = self.last_into(height)
            && instr.fused_branch(Target::new(0, true)).is_some()
        {
            self.stack.pop();
            self.instrs.pop();
            self.offsets.pop();
            self.sites.pop();
            return Condition::Comparison(instr);
        }
        Condition::Register(self.pop_reg())
    }
}

/// What a branch tests.
enum Condition {
    Register(Reg),
    Comparison(Instr),
}

impl Condition {
    fn branch(&self, target: Target) -> Instr {
        match *self {
            Condition::Register(a) => Instr::BrIf { a, target },
            Condition::Comparison(instr) => instr.fused_branch(target).unwrap_or(Instr::Unreachable),
        }
    }
}
