//! Translation of stack code to register code, one pass a function.
//!
//! Parameters and locals are registers, and so is each height of the operand stack. `local.get` and constants emit nothing: the stack of the
//! translator remembers them, and the instruction that consumes them names the local or holds the constant. A comparison and the branch on it
//! become one instruction.

mod control;
mod frame;
mod optimise;
mod stack;

use std::sync::OnceLock;

use wasmparser::{BinaryReader, FunctionBody, Operator};

use crate::code::Code;
use crate::instr::Instr;
use crate::module::{LoadError, Module, value_type};
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp, with_ops};
use crate::translate::frame::StackFrame;
use crate::translate::stack::{Entry, Translator};

/// The most registers of a frame, with room for a call's results.
const MOST_REGISTERS: usize = 60_000;

/// Refuses a function whose frame may not fit the instructions' registers.
pub(crate) fn check_size(module: &Module, function: u32) -> Result<(), LoadError> {
    let (bytes, offset) = module.body(function);
    let mut locals = module.function_type(function).params.len();
    for group in FunctionBody::new(BinaryReader::new(bytes, offset)).get_locals_reader()? {
        locals += group?.0 as usize;
    }
    let pushed =
        module.types.iter().map(|ty| ty.results.len().max(ty.params.len())).max().unwrap_or(0).max(1);
    // Every operator takes at least one byte and pushes at most what some type has.
    if locals + bytes.len().saturating_mul(pushed) <= MOST_REGISTERS {
        return Ok(());
    }
    if locals <= MOST_REGISTERS / 2 && (translate(module, function)?.registers as usize) <= MOST_REGISTERS {
        return Ok(());
    }
    Err(LoadError::TooLarge("a function has too many locals and stack slots"))
}

/// Translates a function of a validated module.
pub(crate) fn function(module: &Module, function: u32) -> Code {
    translate(module, function).expect("the module is valid and its functions fit")
}

fn translate(module: &Module, function: u32) -> Result<Code, LoadError> {
    let ty = module.function_type(function);
    let (bytes, offset) = module.body(function);
    let body = FunctionBody::new(BinaryReader::new(bytes, offset));
    let mut locals = ty.params.clone();
    for group in body.get_locals_reader()? {
        let (count, ty) = group?;
        locals.resize(locals.len() + count as usize, value_type(ty));
    }
    let mut translator = Translator::new(module, locals.len(), ty.results.len());
    let mut reader = body.get_operators_reader()?;
    let mut operators: Vec<(Operator<'_>, u32)> = Vec::new();
    while !reader.eof() {
        let (operator, offset) = reader.read_with_offset()?;
        operators.push((operator, offset as u32));
    }
    let frame = match module.stack {
        Some((pointer, _)) => StackFrame::new(&operators, ty.params.len() as u32, u32::from(pointer)),
        None => StackFrame::default(),
    };
    if let Some((global, end)) = module.stack.filter(|_| frame.size > 0) {
        translator.emit(Instr::StackCheck { global, size: frame.size, end: end.cast_signed() });
    }
    if let Some((global, _)) = module.stack.filter(|_| module.options.unwritten && frame.reach > 0) {
        translator.emit(Instr::Frame { ended: false, global, size: frame.reach });
        translator.frame = Some((global, frame.reach));
    }
    let heap_checks = module.options.heap_checks && module.touches_for_user(function);
    for (index, (operator, offset)) in operators.iter().enumerate() {
        translator.offset = *offset;
        if heap_checks && translator.reachable && frame.stores.binary_search(&index).is_err() {
            translator.heap_check(operator);
        }
        translator.operator(operator);
    }
    let registers = (locals.len() + translator.highest).max(ty.results.len()).max(1) as u32;
    let mut code = Code {
        index: function,
        params: ty.params.len() as u16,
        results: ty.results.len() as u16,
        locals,
        registers,
        instrs: translator.instrs,
        offsets: translator.offsets,
        sites: translator.sites,
        pool: translator.pool,
        indirect: translator.indirect,
        loops: translator.loops,
        zeroed: Vec::new(),
        flow: OnceLock::new(),
    };
    optimise::optimise(&mut code);
    Ok(code)
}

macro_rules! define_operator {
    (compare { $(($c:ident $ci:ident $cb:ident $cbi:ident $ct:ident))* } integer { $(($i:ident $ii:ident $it:ident))* } float { $($f:ident)* }
     unary { $($u:ident)* } load { $(($l:ident $lt:ident $lb:literal $ls:literal))* } store { $(($s:ident $st:ident $sb:literal))* }) => {
        impl Translator<'_> {
            /// Translates the operators of the table; false for all others.
            fn table_operator(&mut self, operator: &Operator<'_>) -> bool {
                match operator {
                    $(Operator::$c => self.binary(BinaryOp::$c),)*
                    $(Operator::$i => self.binary(BinaryOp::$i),)*
                    $(Operator::$f => self.binary(BinaryOp::$f),)*
                    $(Operator::$u => self.unary(UnaryOp::$u),)*
                    $(Operator::$l { memarg } => self.load(LoadOp::$l, memarg.offset as u32),)*
                    $(Operator::$s { memarg } => self.store(StoreOp::$s, memarg.offset as u32),)*
                    _ => return false,
                }
                true
            }
        }
    };
}
with_ops!(define_operator);

impl Translator<'_> {
    fn operator(&mut self, operator: &Operator<'_>) {
        if !self.reachable && !self.skip_unreachable(operator) {
            return;
        }
        // A block that begins with one of these begins behind it: before it, another way is still being executed.
        let behind = matches!(operator, Operator::Else | Operator::End | Operator::Loop { .. });
        if !behind {
            self.block_mark();
        }
        if !self.table_operator(operator) && !self.control(operator) {
            self.other(operator);
        }
        if behind && self.reachable && !self.labels.is_empty() {
            self.block_mark();
        }
    }

    /// Checks the bytes that a load or store touches against the heap.
    fn heap_check(&mut self, operator: &Operator<'_>) {
        let (depth, offset, width) = match (frame::load(operator), frame::store(operator)) {
            (Some((arg, op)), _) => (1, arg.offset, op.bytes()),
            (_, Some((arg, op))) => (2, arg.offset, op.bytes()),
            _ => return,
        };
        // An offset beyond the last byte of a 32-bit memory traps in the instruction itself.
        if offset + u64::from(width) > 1 << 32 {
            return;
        }
        let height = self.stack.len() - depth;
        if let Entry::Const(..) = self.stack[height] {
            self.settle_one(height);
        }
        let a = match self.stack[height] {
            Entry::Local(local) => local,
            _ => self.slot(height),
        };
        self.emit(Instr::HeapCheck { a, width: width as u16, offset: offset as u32 });
    }

    fn other(&mut self, operator: &Operator<'_>) {
        match *operator {
            Operator::LocalGet { local_index } => self.push(Entry::Local(local_index as u16)),
            Operator::LocalSet { local_index } => self.local_set(local_index as u16),
            Operator::LocalTee { local_index } => {
                self.local_set(local_index as u16);
                self.push(Entry::Local(local_index as u16));
            }
            Operator::I32Const { value } => self.push(Entry::Const(Type::I32, u64::from(value as u32))),
            Operator::I64Const { value } => self.push(Entry::Const(Type::I64, value as u64)),
            Operator::F32Const { value } => self.push(Entry::Const(Type::F32, u64::from(value.bits()))),
            Operator::F64Const { value } => self.push(Entry::Const(Type::F64, value.bits())),
            Operator::RefNull { hty } => {
                let ty =
                    wasmparser::RefType::new(true, hty).map_or(Type::FuncRef, crate::module::reference_type);
                self.push(Entry::Const(ty, 0));
            }
            Operator::Drop => {
                self.stack.pop();
            }
            Operator::GlobalGet { global_index } => {
                self.push_result(|dst| Instr::GlobalGet { dst, global: global_index });
            }
            Operator::GlobalSet { global_index } => {
                let a = self.pop_reg();
                let stack = self.module.stack.filter(|_| self.module.options.unwritten);
                if stack.is_some_and(|(pointer, _)| u32::from(pointer) == global_index) {
                    self.emit(Instr::StackSet { a, global: global_index });
                } else {
                    self.emit(Instr::GlobalSet { a, global: global_index });
                }
            }
            Operator::MemorySize { .. } => self.push_result(|dst| Instr::MemorySize { dst }),
            Operator::MemoryGrow { .. } => {
                let a = self.pop_reg();
                self.push_result(|dst| Instr::MemoryGrow { dst, a });
            }
            Operator::MemoryCopy { .. } => {
                let [to, from, len] = self.pop_three();
                self.emit(Instr::MemoryCopy { to, from, len });
            }
            Operator::MemoryFill { .. } => {
                let [to, a, len] = self.pop_three();
                self.emit(Instr::MemoryFill { to, a, len });
            }
            Operator::MemoryInit { data_index, .. } => {
                let [to, from, len] = self.pop_three();
                self.emit(Instr::MemoryInit { to, from, len, segment: data_index });
            }
            Operator::DataDrop { data_index } => self.emit(Instr::DataDrop { segment: data_index }),
            Operator::TableGet { table } => {
                let a = self.pop_reg();
                self.push_result(|dst| Instr::TableGet { dst, a, table });
            }
            Operator::TableSet { table } => {
                let b = self.pop_reg();
                let a = self.pop_reg();
                self.emit(Instr::TableSet { a, b, table });
            }
            Operator::TableSize { table } => self.push_result(|dst| Instr::TableSize { dst, table }),
            Operator::TableGrow { table } => {
                let len = self.pop_reg();
                let a = self.pop_reg();
                self.push_result(|dst| Instr::TableGrow { dst, a, len, table });
            }
            Operator::TableFill { table } => {
                let [to, a, len] = self.pop_three();
                self.emit(Instr::TableFill { to, a, len, table });
            }
            Operator::TableCopy { dst_table, src_table } => {
                let [to, from, len] = self.pop_three();
                self.emit(Instr::TableCopy { to, from, len, tables: dst_table << 16 | src_table });
            }
            Operator::TableInit { elem_index, table } => {
                let [to, from, len] = self.pop_three();
                self.emit(Instr::TableInit { to, from, len, segment: table << 16 | elem_index });
            }
            Operator::ElemDrop { elem_index } => self.emit(Instr::ElementDrop { segment: elem_index }),
            Operator::RefIsNull => {
                let a = self.pop_reg();
                self.push_result(|dst| Instr::RefIsNull { dst, a });
            }
            Operator::RefFunc { function_index } => {
                self.push_result(|dst| Instr::RefFunc { dst, function: function_index });
            }
            Operator::Nop => {}
            _ => unreachable!("the validator admits no such operator"),
        }
    }
}
