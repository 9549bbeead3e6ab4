//! The translator's view of the operand stack, and how instructions are emitted.

use crate::code::NO_SITE;
use crate::instr::{Constant, IndirectCall, Instr, Reg};
use crate::module::Module;
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp};
use crate::translate::control::Label;

/// What stands at one height of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A value in the slot of this height.
    Slot,
    /// The present value of a local.
    Local(Reg),
    /// A constant.
    Const(Type, u64),
}

/// The state of a translation.
pub(crate) struct Translator<'a> {
    pub(crate) module: &'a Module,
    /// The frame in linear memory, where the domain hears of it: the stack pointer and the size.
    pub(crate) frame: Option<(u16, u32)>,
    pub(crate) locals: usize,
    pub(crate) results: usize,
    pub(crate) stack: Vec<Entry>,
    /// The greatest height so far.
    pub(crate) highest: usize,
    pub(crate) labels: Vec<Label>,
    pub(crate) reachable: bool,
    /// How many blocks were opened inside unreachable code.
    pub(crate) skipped: usize,
    /// Control may arrive here: nothing before it may be changed or fused any more.
    pub(crate) barrier: usize,
    /// Where the current operator stands.
    pub(crate) offset: u32,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) sites: Vec<u32>,
    pub(crate) pool: Vec<Constant>,
    pub(crate) indirect: Vec<IndirectCall>,
    pub(crate) loops: Vec<(u32, u32)>,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(module: &'a Module, locals: usize, results: usize) -> Translator<'a> {
        Translator {
            module,
            frame: None,
            locals,
            results,
            stack: Vec::new(),
            highest: 0,
            labels: vec![Label::function(results)],
            reachable: true,
            skipped: 0,
            barrier: 0,
            offset: 0,
            instrs: Vec::new(),
            offsets: Vec::new(),
            sites: Vec::new(),
            pool: Vec::new(),
            indirect: Vec::new(),
            loops: Vec::new(),
        }
    }

    pub(crate) fn emit(&mut self, instr: Instr) {
        self.instrs.push(instr);
        self.offsets.push(self.offset);
        self.sites.push(NO_SITE);
    }

    /// Emits an instruction that decides the branch at the current operator.
    pub(crate) fn emit_branch(&mut self, instr: Instr) {
        self.emit(instr);
        if let Some(site) = self.site()
            && let Some(last) = self.sites.last_mut()
        {
            *last = site;
        }
    }

    /// The branch of the site table at the current operator.
    pub(crate) fn site(&self) -> Option<u32> {
        let sites = self.module.options.sites.as_ref()?;
        sites.branch_at(self.offset).map(|site| site as u32)
    }

    /// Marks the start of a block of the site table.
    pub(crate) fn block_mark(&mut self) {
        if !self.module.options.blocks {
            return;
        }
        let Some(sites) = &self.module.options.sites else { return };
        if let Ok(site) = sites.blocks.binary_search_by_key(&self.offset, |block| block.offset) {
            self.emit(Instr::Block { site: site as u32 });
        }
    }

    pub(crate) fn slot(&self, height: usize) -> Reg {
        (self.locals + height) as Reg
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.stack.push(entry);
        self.highest = self.highest.max(self.stack.len());
    }

    /// Pops a value into a register: constants are put into their slot.
    pub(crate) fn pop_reg(&mut self) -> Reg {
        let entry = self.stack.pop().unwrap_or(Entry::Slot);
        let slot = self.slot(self.stack.len());
        match entry {
            Entry::Slot => slot,
            Entry::Local(local) => local,
            Entry::Const(ty, bits) => {
                self.emit_const(slot, ty, bits);
                slot
            }
        }
    }

    pub(crate) fn pop_three(&mut self) -> [Reg; 3] {
        let c = self.pop_reg();
        let b = self.pop_reg();
        let a = self.pop_reg();
        [a, b, c]
    }

    /// Emits an instruction whose result goes to the next slot.
    pub(crate) fn push_result(&mut self, instr: impl FnOnce(Reg) -> Instr) {
        let dst = self.slot(self.stack.len());
        self.emit(instr(dst));
        self.push(Entry::Slot);
    }

    pub(crate) fn emit_const(&mut self, dst: Reg, ty: Type, bits: u64) {
        let instr = match (ty, small(ty, bits)) {
            (Type::I32, Some(imm)) => Instr::I32Const { dst, imm },
            (Type::I64, Some(imm)) => Instr::I64Const { dst, imm },
            _ => {
                self.pool.push(Constant { ty, bits });
                Instr::Const { dst, pool: self.pool.len() as u32 - 1 }
            }
        };
        self.emit(instr);
    }

    pub(crate) fn emit_move(&mut self, dst: Reg, height: usize, entry: Entry) {
        match entry {
            Entry::Slot => {
                let a = self.slot(height);
                if a != dst {
                    self.emit(Instr::Copy { dst, a });
                }
            }
            Entry::Local(a) => self.emit(Instr::Copy { dst, a }),
            Entry::Const(ty, bits) => self.emit_const(dst, ty, bits),
        }
    }

    /// Puts the top `count` values into their slots.
    pub(crate) fn settle(&mut self, count: usize) {
        for height in self.stack.len() - count..self.stack.len() {
            self.emit_move(self.slot(height), height, self.stack[height]);
            self.stack[height] = Entry::Slot;
        }
    }

    /// Puts one value into its slot.
    pub(crate) fn settle_one(&mut self, height: usize) {
        self.emit_move(self.slot(height), height, self.stack[height]);
        self.stack[height] = Entry::Slot;
    }

    /// Puts every value that names a local into its slot: the local may change on one path only.
    pub(crate) fn settle_locals(&mut self) {
        for height in 0..self.stack.len() {
            if let Entry::Local(a) = self.stack[height] {
                self.emit(Instr::Copy { dst: self.slot(height), a });
                self.stack[height] = Entry::Slot;
            }
        }
    }

    /// The last instruction, when it wrote the slot of this height and nothing may arrive after it.
    pub(crate) fn last_into(&mut self, height: usize) -> Option<&mut Instr> {
        let slot = self.slot(height);
        if self.instrs.len() <= self.barrier {
            return None;
        }
        self.instrs.last_mut().filter(|instr| instr.def() == Some(slot))
    }

    pub(crate) fn local_set(&mut self, local: Reg) {
        let Some(entry) = self.stack.pop() else { return };
        let height = self.stack.len();
        if entry == Entry::Local(local) {
            return;
        }
        let named = self.stack.contains(&Entry::Local(local));
        if named {
            for below in 0..height {
                if self.stack[below] == Entry::Local(local) {
                    self.emit(Instr::Copy { dst: self.slot(below), a: local });
                    self.stack[below] = Entry::Slot;
                }
            }
        } else if entry == Entry::Slot
            && let Some(dst) = self.last_into(height).and_then(Instr::def_mut)
        {
            *dst = local;
            return;
        }
        self.emit_move(local, height, entry);
    }

    pub(crate) fn binary(&mut self, op: BinaryOp) {
        let len = self.stack.len();
        // A constant on the left of a commutative operator goes to the right, where there are immediates.
        if op.commutes()
            && matches!(self.stack[len - 2], Entry::Const(..))
            && matches!(self.stack[len - 1], Entry::Local(_))
        {
            self.stack.swap(len - 2, len - 1);
        }
        if let Entry::Const(ty, bits) = self.stack[len - 1]
            && let Some(imm) = small(ty, bits)
            && Instr::binary_imm(op, 0, 0, imm).is_some()
        {
            self.stack.pop();
            let a = self.pop_reg();
            let dst = self.slot(self.stack.len());
            if let Some(instr) = Instr::binary_imm(op, dst, a, imm) {
                self.emit(instr);
            }
            self.push(Entry::Slot);
            return;
        }
        let b = self.pop_reg();
        let a = self.pop_reg();
        self.push_result(|dst| Instr::binary(op, dst, a, b));
    }

    pub(crate) fn unary(&mut self, op: UnaryOp) {
        let a = self.pop_reg();
        self.push_result(|dst| Instr::unary(op, dst, a));
    }

    pub(crate) fn load(&mut self, op: LoadOp, offset: u32) {
        let a = self.pop_reg();
        self.push_result(|dst| Instr::load(op, dst, a, offset));
    }

    pub(crate) fn store(&mut self, op: StoreOp, offset: u32) {
        let b = self.pop_reg();
        let a = self.pop_reg();
        self.emit(Instr::store(op, a, b, offset));
    }
}

/// The immediate that stands for an integer constant, if one does.
fn small(ty: Type, bits: u64) -> Option<i32> {
    match ty {
        Type::I32 => Some(bits as u32 as i32),
        Type::I64 => i32::try_from(bits as i64).ok(),
        _ => None,
    }
}
