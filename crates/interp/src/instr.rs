//! The register instructions: three-address code over a frame of registers (parameters, locals, then stack slots).

use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp, with_ops};

/// A register of a frame.
pub type Reg = u16;

/// Where a conditional branch goes, and on which outcome. The outcome is always that of the instruction in the module: the condition is not zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(u32);

impl Target {
    /// Jumps to `pc` when the outcome equals `on`.
    pub fn new(pc: u32, on: bool) -> Target {
        Target(pc | u32::from(on) << 31)
    }

    /// The position jumped to.
    #[inline(always)]
    pub fn pc(self) -> u32 {
        self.0 & 0x7fff_ffff
    }

    /// The outcome on which it jumps.
    #[inline(always)]
    pub fn on(self) -> bool {
        self.0 >> 31 == 1
    }
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on {}", self.pc(), u8::from(self.on()))
    }
}

/// A call through a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndirectCall {
    /// The table's index in the module.
    pub table: u32,
    /// The expected type's index in the module.
    pub ty: u32,
    /// How many arguments.
    pub params: u16,
    /// How many results.
    pub results: u16,
}

/// The right operand of a binary instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// An immediate, extended with its sign.
    Imm(i32),
}

/// What an instruction does, with operators as values: for analyses, which need no speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `dst = op(a, b)`.
    Binary(BinaryOp),
    /// `dst = op(a)`.
    Unary(UnaryOp),
    /// `dst = memory[a + offset]`.
    Load(LoadOp),
    /// `memory[a + offset] = b`.
    Store(StoreOp),
    /// A conditional branch on a comparison or on a value.
    Branch(Target),
    /// Anything else.
    Other,
}

macro_rules! define_instr {
    (compare { $(($c:ident $ci:ident $cb:ident $cbi:ident $ct:ident))* } integer { $(($i:ident $ii:ident $it:ident))* } float { $($f:ident)* }
     unary { $($u:ident)* } load { $(($l:ident $lt:ident $lb:literal $ls:literal))* } store { $(($s:ident $st:ident $sb:literal))* }) => {
        /// One instruction.
        #[expect(missing_docs, reason = "operands: dst is written, a and b are read; the rest is said at the variants")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instr {
            $($c { dst: Reg, a: Reg, b: Reg },)*
            $($ci { dst: Reg, a: Reg, imm: i32 },)*
            $($cb { a: Reg, b: Reg, target: Target },)*
            $($cbi { a: Reg, imm: i32, target: Target },)*
            $($i { dst: Reg, a: Reg, b: Reg },)*
            $($ii { dst: Reg, a: Reg, imm: i32 },)*
            $($f { dst: Reg, a: Reg, b: Reg },)*
            $($u { dst: Reg, a: Reg },)*
            $($l { dst: Reg, a: Reg, offset: u32 },)*
            $($s { a: Reg, b: Reg, offset: u32 },)*
            Copy { dst: Reg, a: Reg },
            I32Const { dst: Reg, imm: i32 },
            I64Const { dst: Reg, imm: i32 },
            /// A constant of the pool.
            Const { dst: Reg, pool: u32 },
            Jump { pc: u32 },
            /// The outcome is `a != 0` (i32).
            BrIf { a: Reg, target: Target },
            /// The outcome is `a == 0` (i32).
            BrI32Eqz { a: Reg, target: Target },
            /// The outcome is `a == 0` (i64).
            BrI64Eqz { a: Reg, target: Target },
            /// Continues at one of the `len` jumps that follow, the last one for an index beyond them.
            BrTable { a: Reg, len: u32 },
            Select { dst: Reg, condition: Reg, a: Reg, b: Reg },
            /// A `select` of user code: a branch.
            SelectBranch { dst: Reg, condition: Reg, a: Reg, b: Reg },
            /// Arguments and results stand from `at` on.
            Call { at: Reg, params: u16, results: u16, function: u32 },
            /// Index into [`crate::code::Code::indirect`].
            CallIndirect { a: Reg, at: Reg, call: u32 },
            /// Calls through the table what the register at `at` says, with the arguments behind it; the stack pointer is kept in its place. What leaves the
            /// callee from the inside arrives behind this instruction.
            Invoke { at: Reg, call: u32 },
            /// Leaves calls up to the innermost `Invoke`.
            Unwind,
            /// Whether there is one.
            Caught { dst: Reg },
            /// Something is thrown here.
            Thrown,
            Return0,
            Return1 { a: Reg },
            /// Returns `len` values from `first` on.
            Return { first: Reg, len: u16 },
            GlobalGet { dst: Reg, global: u32 },
            GlobalSet { a: Reg, global: u32 },
            MemorySize { dst: Reg },
            MemoryGrow { dst: Reg, a: Reg },
            MemoryCopy { to: Reg, from: Reg, len: Reg },
            MemoryFill { to: Reg, a: Reg, len: Reg },
            MemoryInit { to: Reg, from: Reg, len: Reg, segment: u32 },
            DataDrop { segment: u32 },
            TableGet { dst: Reg, a: Reg, table: u32 },
            TableSet { a: Reg, b: Reg, table: u32 },
            TableSize { dst: Reg, table: u32 },
            /// Grows by `len` entries of value `a`; `dst` is also where `a` stood.
            TableGrow { dst: Reg, a: Reg, len: Reg, table: u32 },
            TableFill { to: Reg, a: Reg, len: Reg, table: u32 },
            /// `tables`: target table in the high half, source in the low.
            TableCopy { to: Reg, from: Reg, len: Reg, tables: u32 },
            /// `segment`: table in the high half, segment in the low.
            TableInit { to: Reg, from: Reg, len: Reg, segment: u32 },
            ElementDrop { segment: u32 },
            /// Refuses bytes of the heap that user code must not touch (checked build).
            HeapCheck { a: Reg, width: u16, offset: u32 },
            /// Refuses a stack pointer that leaves less than `size` bytes above `end`.
            StackCheck { global: u16, size: u32, end: i32 },
            /// So many bytes below the stack pointer become the frame of this function, or were its frame until now: they hold nothing.
            Frame { ended: bool, global: u16, size: u32 },
            /// Sets the stack pointer: what lies between a lower one and the old one was not written yet.
            StackSet { a: Reg, global: u32 },
            RefIsNull { dst: Reg, a: Reg },
            RefFunc { dst: Reg, function: u32 },
            Unreachable,
            /// A loop is entered from outside: one unit of work, as each of its back-edges.
            Loop,
            /// A block of the site table starts here.
            Block { site: u32 },
        }

        impl Instr {
            /// A binary instruction.
            pub fn binary(op: BinaryOp, dst: Reg, a: Reg, b: Reg) -> Instr {
                match op {
                    $(BinaryOp::$c => Instr::$c { dst, a, b },)*
                    $(BinaryOp::$i => Instr::$i { dst, a, b },)*
                    $(BinaryOp::$f => Instr::$f { dst, a, b },)*
                }
            }

            /// A binary instruction with an immediate, where the operator has one.
            pub fn binary_imm(op: BinaryOp, dst: Reg, a: Reg, imm: i32) -> Option<Instr> {
                match op {
                    $(BinaryOp::$c => Some(Instr::$ci { dst, a, imm }),)*
                    $(BinaryOp::$i => Some(Instr::$ii { dst, a, imm }),)*
                    $(BinaryOp::$f)|* => None,
                }
            }

            /// A unary instruction.
            pub fn unary(op: UnaryOp, dst: Reg, a: Reg) -> Instr {
                match op { $(UnaryOp::$u => Instr::$u { dst, a },)* }
            }

            /// A load.
            pub fn load(op: LoadOp, dst: Reg, a: Reg, offset: u32) -> Instr {
                match op { $(LoadOp::$l => Instr::$l { dst, a, offset },)* }
            }

            /// A store.
            pub fn store(op: StoreOp, a: Reg, b: Reg, offset: u32) -> Instr {
                match op { $(StoreOp::$s => Instr::$s { a, b, offset },)* }
            }

            /// The comparison fused with a branch on its result.
            pub fn fused_branch(self, target: Target) -> Option<Instr> {
                match self {
                    $(Instr::$c { a, b, .. } => Some(Instr::$cb { a, b, target }),)*
                    $(Instr::$ci { a, imm, .. } => Some(Instr::$cbi { a, imm, target }),)*
                    Instr::I32Eqz { a, .. } => Some(Instr::BrI32Eqz { a, target }),
                    Instr::I64Eqz { a, .. } => Some(Instr::BrI64Eqz { a, target }),
                    _ => None,
                }
            }

            /// What it does, with the operator as a value.
            pub fn form(self) -> Form {
                match self {
                    $(Instr::$c { .. } | Instr::$ci { .. } => Form::Binary(BinaryOp::$c),)*
                    $(Instr::$i { .. } | Instr::$ii { .. } => Form::Binary(BinaryOp::$i),)*
                    $(Instr::$f { .. } => Form::Binary(BinaryOp::$f),)*
                    $(Instr::$u { .. } => Form::Unary(UnaryOp::$u),)*
                    $(Instr::$l { .. } => Form::Load(LoadOp::$l),)*
                    $(Instr::$s { .. } => Form::Store(StoreOp::$s),)*
                    $(Instr::$cb { target, .. } | Instr::$cbi { target, .. } => Form::Branch(target),)*
                    Instr::BrIf { target, .. } | Instr::BrI32Eqz { target, .. } | Instr::BrI64Eqz { target, .. } => Form::Branch(target),
                    _ => Form::Other,
                }
            }

            /// The parts of a binary instruction: operator, target, left and right operand.
            pub fn binary_parts(self) -> Option<(BinaryOp, Reg, Reg, Operand)> {
                match self {
                    $(Instr::$c { dst, a, b } => Some((BinaryOp::$c, dst, a, Operand::Reg(b))),)*
                    $(Instr::$ci { dst, a, imm } => Some((BinaryOp::$c, dst, a, Operand::Imm(imm))),)*
                    $(Instr::$i { dst, a, b } => Some((BinaryOp::$i, dst, a, Operand::Reg(b))),)*
                    $(Instr::$ii { dst, a, imm } => Some((BinaryOp::$i, dst, a, Operand::Imm(imm))),)*
                    $(Instr::$f { dst, a, b } => Some((BinaryOp::$f, dst, a, Operand::Reg(b))),)*
                    _ => None,
                }
            }

            /// The address register and the offset of a load or store.
            pub fn memory_operand(self) -> Option<(Reg, u32)> {
                match self {
                    $(Instr::$l { a, offset, .. })|* => Some((a, offset)),
                    $(Instr::$s { a, offset, .. })|* => Some((a, offset)),
                    _ => None,
                }
            }

            /// The single register that it writes; calls write theirs through their site.
            pub fn def_mut(&mut self) -> Option<&mut Reg> {
                match self {
                    $(Instr::$c { dst, .. } | Instr::$ci { dst, .. })|* => Some(dst),
                    $(Instr::$i { dst, .. } | Instr::$ii { dst, .. })|* => Some(dst),
                    $(Instr::$f { dst, .. })|* => Some(dst),
                    $(Instr::$u { dst, .. })|* => Some(dst),
                    $(Instr::$l { dst, .. })|* => Some(dst),
                    Instr::Copy { dst, .. } | Instr::I32Const { dst, .. } | Instr::I64Const { dst, .. } | Instr::Const { dst, .. }
                    | Instr::Select { dst, .. } | Instr::SelectBranch { dst, .. } | Instr::GlobalGet { dst, .. }
                    | Instr::MemorySize { dst } | Instr::Caught { dst } | Instr::MemoryGrow { dst, .. } | Instr::TableGet { dst, .. }
                    | Instr::TableSize { dst, .. } | Instr::TableGrow { dst, .. } | Instr::RefIsNull { dst, .. }
                    | Instr::RefFunc { dst, .. } => Some(dst),
                    _ => None,
                }
            }

            /// Visits the registers that it reads, one by one; the arguments of calls and many results through their first register.
            pub fn each_use_mut(&mut self, mut visit: impl FnMut(&mut Reg)) {
                match self {
                    $(Instr::$c { a, b, .. } | Instr::$cb { a, b, .. })|* => { visit(a); visit(b); }
                    $(Instr::$ci { a, .. } | Instr::$cbi { a, .. })|* => visit(a),
                    $(Instr::$i { a, b, .. })|* => { visit(a); visit(b); }
                    $(Instr::$ii { a, .. })|* => visit(a),
                    $(Instr::$f { a, b, .. })|* => { visit(a); visit(b); }
                    $(Instr::$u { a, .. })|* => visit(a),
                    $(Instr::$l { a, .. })|* => visit(a),
                    $(Instr::$s { a, b, .. })|* => { visit(a); visit(b); }
                    Instr::Copy { a, .. } | Instr::BrIf { a, .. } | Instr::BrI32Eqz { a, .. } | Instr::BrI64Eqz { a, .. }
                    | Instr::BrTable { a, .. } | Instr::CallIndirect { a, .. } | Instr::Return1 { a } | Instr::GlobalSet { a, .. } | Instr::StackSet { a, .. }
                    | Instr::MemoryGrow { a, .. } | Instr::TableGet { a, .. } | Instr::RefIsNull { a, .. } | Instr::HeapCheck { a, .. } => visit(a),
                    Instr::Select { condition, a, b, .. } | Instr::SelectBranch { condition, a, b, .. } => {
                        visit(condition);
                        visit(a);
                        visit(b);
                    }
                    Instr::MemoryCopy { to, from, len } | Instr::MemoryInit { to, from, len, .. }
                    | Instr::TableCopy { to, from, len, .. } | Instr::TableInit { to, from, len, .. } => {
                        visit(to);
                        visit(from);
                        visit(len);
                    }
                    Instr::MemoryFill { to, a, len } | Instr::TableFill { to, a, len, .. } => {
                        visit(to);
                        visit(a);
                        visit(len);
                    }
                    Instr::TableSet { a, b, .. } => { visit(a); visit(b); }
                    Instr::TableGrow { a, len, .. } => { visit(a); visit(len); }
                    _ => {}
                }
            }
        }
    };
}
with_ops!(define_instr);

const _: () = assert!(size_of::<Instr>() == 12, "instructions stay compact");

impl Instr {
    /// The single register that it writes.
    pub fn def(mut self) -> Option<Reg> {
        self.def_mut().copied()
    }

    /// The registers that it reads by name (not a call's arguments nor a long return's values).
    pub fn each_use(mut self, mut visit: impl FnMut(Reg)) {
        self.each_use_mut(|reg| visit(*reg));
    }

    /// Changes where a jump or branch goes.
    pub fn retarget(&mut self, pc: u32) {
        match self {
            Instr::Jump { pc: to } => *to = pc,
            _ => self.retarget_branch(pc),
        }
    }

    /// The position that a jump or branch may go to.
    pub fn target(self) -> Option<u32> {
        match self {
            Instr::Jump { pc } => Some(pc),
            _ => match self.form() {
                Form::Branch(target) => Some(target.pc()),
                _ => None,
            },
        }
    }

    /// Whether control never goes on to the next instruction.
    pub fn ends_block(self) -> bool {
        matches!(
            self,
            Instr::Jump { .. }
                | Instr::Return0
                | Instr::Return1 { .. }
                | Instr::Return { .. }
                | Instr::Unreachable
                | Instr::Unwind
                | Instr::BrTable { .. }
        )
    }
}

macro_rules! define_retarget {
    (compare { $(($c:ident $ci:ident $cb:ident $cbi:ident $ct:ident))* } $($rest:tt)*) => {
        impl Instr {
            fn retarget_branch(&mut self, pc: u32) {
                match self {
                    $(Instr::$cb { target, .. } | Instr::$cbi { target, .. })|* => *target = Target::new(pc, target.on()),
                    Instr::BrIf { target, .. } | Instr::BrI32Eqz { target, .. } | Instr::BrI64Eqz { target, .. } => {
                        *target = Target::new(pc, target.on());
                    }
                    _ => {}
                }
            }
        }
    };
}
with_ops!(define_retarget);

/// A constant of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type.
    pub ty: Type,
    /// Its bits.
    pub bits: u64,
}
