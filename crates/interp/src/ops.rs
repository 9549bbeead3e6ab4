//! The one table of instructions: operators, loads and stores, and the register instructions made of them.
//!
//! `with_ops!(m)` hands the table to the macro `m`; the instruction set ([`crate::instr`]) and the execution loop are made from it, so
//! an operator is one row here and its meaning in [`crate::arith`].

/// Hands the table to a macro. Compare rows: plain, with an immediate, fused with a branch, both; integer rows: plain, with an immediate;
/// load and store rows: name, type, bytes of memory, sign extension.
macro_rules! with_ops {
    ($m:ident) => {
        $m! {
            compare {
                (I32Eq I32EqImm BrI32Eq BrI32EqImm I32) (I32Ne I32NeImm BrI32Ne BrI32NeImm I32)
                (I32LtS I32LtSImm BrI32LtS BrI32LtSImm I32) (I32LtU I32LtUImm BrI32LtU BrI32LtUImm I32)
                (I32GtS I32GtSImm BrI32GtS BrI32GtSImm I32) (I32GtU I32GtUImm BrI32GtU BrI32GtUImm I32)
                (I32LeS I32LeSImm BrI32LeS BrI32LeSImm I32) (I32LeU I32LeUImm BrI32LeU BrI32LeUImm I32)
                (I32GeS I32GeSImm BrI32GeS BrI32GeSImm I32) (I32GeU I32GeUImm BrI32GeU BrI32GeUImm I32)
                (I64Eq I64EqImm BrI64Eq BrI64EqImm I64) (I64Ne I64NeImm BrI64Ne BrI64NeImm I64)
                (I64LtS I64LtSImm BrI64LtS BrI64LtSImm I64) (I64LtU I64LtUImm BrI64LtU BrI64LtUImm I64)
                (I64GtS I64GtSImm BrI64GtS BrI64GtSImm I64) (I64GtU I64GtUImm BrI64GtU BrI64GtUImm I64)
                (I64LeS I64LeSImm BrI64LeS BrI64LeSImm I64) (I64LeU I64LeUImm BrI64LeU BrI64LeUImm I64)
                (I64GeS I64GeSImm BrI64GeS BrI64GeSImm I64) (I64GeU I64GeUImm BrI64GeU BrI64GeUImm I64)
            }
            integer {
                (I32Add I32AddImm I32) (I32Sub I32SubImm I32) (I32Mul I32MulImm I32) (I32DivS I32DivSImm I32) (I32DivU I32DivUImm I32)
                (I32RemS I32RemSImm I32) (I32RemU I32RemUImm I32) (I32And I32AndImm I32) (I32Or I32OrImm I32) (I32Xor I32XorImm I32)
                (I32Shl I32ShlImm I32) (I32ShrS I32ShrSImm I32) (I32ShrU I32ShrUImm I32) (I32Rotl I32RotlImm I32) (I32Rotr I32RotrImm I32)
                (I64Add I64AddImm I64) (I64Sub I64SubImm I64) (I64Mul I64MulImm I64) (I64DivS I64DivSImm I64) (I64DivU I64DivUImm I64)
                (I64RemS I64RemSImm I64) (I64RemU I64RemUImm I64) (I64And I64AndImm I64) (I64Or I64OrImm I64) (I64Xor I64XorImm I64)
                (I64Shl I64ShlImm I64) (I64ShrS I64ShrSImm I64) (I64ShrU I64ShrUImm I64) (I64Rotl I64RotlImm I64) (I64Rotr I64RotrImm I64)
            }
            float {
                F32Eq F32Ne F32Lt F32Gt F32Le F32Ge F64Eq F64Ne F64Lt F64Gt F64Le F64Ge
                F32Add F32Sub F32Mul F32Div F32Min F32Max F32Copysign
                F64Add F64Sub F64Mul F64Div F64Min F64Max F64Copysign
            }
            unary {
                I32Eqz I64Eqz I32Clz I32Ctz I32Popcnt I64Clz I64Ctz I64Popcnt
                F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt F64Abs F64Neg F64Ceil F64Floor F64Trunc F64Nearest F64Sqrt
                I32WrapI64 I32TruncF32S I32TruncF32U I32TruncF64S I32TruncF64U
                I64ExtendI32S I64ExtendI32U I64TruncF32S I64TruncF32U I64TruncF64S I64TruncF64U
                F32ConvertI32S F32ConvertI32U F32ConvertI64S F32ConvertI64U F32DemoteF64
                F64ConvertI32S F64ConvertI32U F64ConvertI64S F64ConvertI64U F64PromoteF32
                I32ReinterpretF32 I64ReinterpretF64 F32ReinterpretI32 F64ReinterpretI64
                I32Extend8S I32Extend16S I64Extend8S I64Extend16S I64Extend32S
                I32TruncSatF32S I32TruncSatF32U I32TruncSatF64S I32TruncSatF64U
                I64TruncSatF32S I64TruncSatF32U I64TruncSatF64S I64TruncSatF64U
            }
            load {
                (I32Load I32 4 false) (I64Load I64 8 false) (F32Load F32 4 false) (F64Load F64 8 false)
                (I32Load8S I32 1 true) (I32Load8U I32 1 false) (I32Load16S I32 2 true) (I32Load16U I32 2 false)
                (I64Load8S I64 1 true) (I64Load8U I64 1 false) (I64Load16S I64 2 true) (I64Load16U I64 2 false)
                (I64Load32S I64 4 true) (I64Load32U I64 4 false)
            }
            store {
                (I32Store I32 4) (I64Store I64 8) (F32Store F32 4) (F64Store F64 8)
                (I32Store8 I32 1) (I32Store16 I32 2) (I64Store8 I64 1) (I64Store16 I64 2) (I64Store32 I64 4)
            }
        }
    };
}
pub(crate) use with_ops;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// Single precision float.
    F32,
    /// Double precision float.
    F64,
    /// Reference to a function: 0 is null, otherwise the function's address in the state plus 1.
    FuncRef,
    /// Reference to something of the host: 0 is null.
    ExternRef,
}

macro_rules! define_ops {
    (compare { $(($c:ident $ci:ident $cb:ident $cbi:ident $ct:ident))* } integer { $(($i:ident $ii:ident $it:ident))* } float { $($f:ident)* }
     unary { $($u:ident)* } load { $(($l:ident $lt:ident $lb:literal $ls:literal))* } store { $(($s:ident $st:ident $sb:literal))* }) => {
        /// Operators of two operands; comparisons give an i32 of 0 or 1.
        #[expect(missing_docs, reason = "the names are those of WebAssembly")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum BinaryOp { $($c,)* $($i,)* $($f,)* }

        /// Operators of one operand.
        #[expect(missing_docs, reason = "the names are those of WebAssembly")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum UnaryOp { $($u,)* }

        /// Loads from memory.
        #[expect(missing_docs, reason = "the names are those of WebAssembly")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum LoadOp { $($l,)* }

        /// Stores to memory.
        #[expect(missing_docs, reason = "the names are those of WebAssembly")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StoreOp { $($s,)* }

        impl BinaryOp {
            /// All of them.
            pub const ALL: &[BinaryOp] = &[$(BinaryOp::$c,)* $(BinaryOp::$i,)* $(BinaryOp::$f,)*];

            /// Whether it compares integers.
            pub fn compares_integers(self) -> bool {
                matches!(self, $(BinaryOp::$c)|*)
            }
        }

        impl UnaryOp {
            /// All of them.
            pub const ALL: &[UnaryOp] = &[$(UnaryOp::$u,)*];
        }

        impl LoadOp {
            /// The type of what is loaded.
            #[inline(always)]
            pub fn ty(self) -> Type {
                match self { $(LoadOp::$l => Type::$lt,)* }
            }

            /// How many bytes are read.
            #[inline(always)]
            pub fn bytes(self) -> u32 {
                match self { $(LoadOp::$l => $lb,)* }
            }

            /// Whether the bytes are extended with their sign.
            #[inline(always)]
            pub fn signed(self) -> bool {
                match self { $(LoadOp::$l => $ls,)* }
            }
        }

        impl StoreOp {
            /// The type of what is stored.
            #[inline(always)]
            pub fn ty(self) -> Type {
                match self { $(StoreOp::$s => Type::$st,)* }
            }

            /// How many bytes are written.
            #[inline(always)]
            pub fn bytes(self) -> u32 {
                match self { $(StoreOp::$s => $sb,)* }
            }
        }
    };
}
with_ops!(define_ops);

impl BinaryOp {
    /// The types of the operands and of the result.
    pub fn types(self) -> (Type, Type) {
        let name = format!("{self:?}");
        let operand = prefix(&name);
        let tail = &name[3..];
        let compares =
            ["Eq", "Ne", "Lt", "Gt", "Le", "Ge", "LtS", "LtU", "GtS", "GtU", "LeS", "LeU", "GeS", "GeU"]
                .contains(&tail);
        (operand, if compares { Type::I32 } else { operand })
    }

    /// The comparison of integers that holds when this one does not.
    pub fn inverse(self) -> Option<BinaryOp> {
        use BinaryOp as B;
        let pairs = [
            (B::I32Eq, B::I32Ne),
            (B::I32LtS, B::I32GeS),
            (B::I32LtU, B::I32GeU),
            (B::I32GtS, B::I32LeS),
            (B::I32GtU, B::I32LeU),
            (B::I64Eq, B::I64Ne),
            (B::I64LtS, B::I64GeS),
            (B::I64LtU, B::I64GeU),
            (B::I64GtS, B::I64LeS),
            (B::I64GtU, B::I64LeU),
        ];
        pairs.into_iter().find_map(|(a, b)| match self {
            _ if self == a => Some(b),
            _ if self == b => Some(a),
            _ => None,
        })
    }

    /// Whether it may trap.
    pub fn may_trap(self) -> bool {
        use BinaryOp::{I32DivS, I32DivU, I32RemS, I32RemU, I64DivS, I64DivU, I64RemS, I64RemU};
        matches!(self, I32DivS | I32DivU | I32RemS | I32RemU | I64DivS | I64DivU | I64RemS | I64RemU)
    }

    /// Whether the operands may be exchanged.
    pub fn commutes(self) -> bool {
        use BinaryOp::{
            I32Add, I32And, I32Eq, I32Mul, I32Ne, I32Or, I32Xor, I64Add, I64And, I64Eq, I64Mul, I64Ne, I64Or,
            I64Xor,
        };
        matches!(
            self,
            I32Add
                | I32And
                | I32Eq
                | I32Mul
                | I32Ne
                | I32Or
                | I32Xor
                | I64Add
                | I64And
                | I64Eq
                | I64Mul
                | I64Ne
                | I64Or
                | I64Xor
        )
    }
}

impl UnaryOp {
    /// Whether it may trap.
    pub fn may_trap(self) -> bool {
        use UnaryOp as U;
        matches!(
            self,
            U::I32TruncF32S
                | U::I32TruncF32U
                | U::I32TruncF64S
                | U::I32TruncF64U
                | U::I64TruncF32S
                | U::I64TruncF32U
                | U::I64TruncF64S
                | U::I64TruncF64U
        )
    }

    /// The types of the operand and of the result.
    pub fn types(self) -> (Type, Type) {
        let name = format!("{self:?}");
        let result = prefix(&name);
        match self {
            UnaryOp::I32Eqz | UnaryOp::I64Eqz => (result, Type::I32),
            _ => {
                // Conversions name their operand after the result, e.g. `I32TruncSatF64S`.
                let from = ["I32", "I64", "F32", "F64"].into_iter().find(|ty| name[3..].contains(ty));
                (from.map_or(result, prefix), result)
            }
        }
    }
}

fn prefix(name: &str) -> Type {
    match &name[..3] {
        "I32" => Type::I32,
        "I64" => Type::I64,
        "F32" => Type::F32,
        _ => Type::F64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_know_their_types() {
        assert_eq!(UnaryOp::I32TruncSatF64S.types(), (Type::F64, Type::I32));
        assert_eq!(UnaryOp::I64ExtendI32U.types(), (Type::I32, Type::I64));
        assert_eq!(UnaryOp::I64Eqz.types(), (Type::I64, Type::I32));
        assert_eq!(UnaryOp::I64Extend32S.types(), (Type::I64, Type::I64));
        assert_eq!(UnaryOp::F32DemoteF64.types(), (Type::F64, Type::F32));
        assert_eq!(BinaryOp::F64Lt.types(), (Type::F64, Type::I32));
        assert_eq!(BinaryOp::I64Rotl.types(), (Type::I64, Type::I64));
    }
}
