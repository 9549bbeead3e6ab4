//! Patches: changes of single instructions that are compiled in beside the original and switched on one at a time, so that
//! thousands of mutants of a module cost one compilation (mutant schemata: Untch, Offutt and Harrold, 1993).

use serde::{Deserialize, Serialize};
use twinrun_base::Sites;
use wasmparser::{Operator, Parser, Payload};

use crate::error::Error;

/// A change of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Patch {
    /// The instruction, by its offset from the code section's payload.
    pub offset: u32,
    /// What it does instead.
    pub change: Change,
}

/// What an instruction does instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Change {
    /// A condition (of `if`, `br_if`, `select`, or the result of `eqz`) is negated.
    Negate,
    /// A condition is true.
    Always,
    /// A condition is false.
    Never,
    /// Two operands are joined by another sign.
    Sign(Sign),
    /// The value that was loaded or is constant becomes greater by this.
    Plus(i32),
    /// The constant becomes this.
    Value(i32),
    /// Another variable of the same kind is loaded: this offset from the same base.
    Variable(u32),
    /// The assignment is left out.
    Omit,
}

/// How two operands are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Sign {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Only the left operand.
    Left,
    /// Only the right operand.
    Right,
}

impl Sign {
    /// The sign in words.
    pub fn words(self) -> &'static str {
        match self {
            Sign::Add => "`+`",
            Sign::Sub => "`-`",
            Sign::Mul => "`*`",
            Sign::Div => "`/`",
            Sign::Rem => "`%`",
            Sign::And => "`&`",
            Sign::Or => "`|`",
            Sign::Xor => "`^`",
            Sign::Shl => "`<<`",
            Sign::Shr => "`>>`",
            Sign::Eq => "`==`",
            Sign::Ne => "`!=`",
            Sign::Lt => "`<`",
            Sign::Le => "`<=`",
            Sign::Gt => "`>`",
            Sign::Ge => "`>=`",
            Sign::Left => "the left operand alone",
            Sign::Right => "the right operand alone",
        }
    }
}

/// The signs of comparisons.
const COMPARISONS: [Sign; 6] = [Sign::Eq, Sign::Ne, Sign::Lt, Sign::Le, Sign::Gt, Sign::Ge];
/// Other variables that are tried in the place of one.
const MOST_VARIABLES: usize = 8;

/// What two operands are: the type that an operator joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    I32,
    I64,
    F64,
}

/// The operands, the sign and the signedness of an operator that joins two numbers.
pub(crate) fn binary(operator: &Operator<'_>) -> Option<(Number, Sign, bool)> {
    use Number::{F64, I32, I64};
    use Operator as O;
    use Sign as S;
    Some(match operator {
        O::I32Add => (I32, S::Add, true),
        O::I32Sub => (I32, S::Sub, true),
        O::I32Mul => (I32, S::Mul, true),
        O::I32DivS => (I32, S::Div, true),
        O::I32DivU => (I32, S::Div, false),
        O::I32RemS => (I32, S::Rem, true),
        O::I32RemU => (I32, S::Rem, false),
        O::I32And => (I32, S::And, true),
        O::I32Or => (I32, S::Or, true),
        O::I32Xor => (I32, S::Xor, true),
        O::I32Shl => (I32, S::Shl, true),
        O::I32ShrS => (I32, S::Shr, true),
        O::I32ShrU => (I32, S::Shr, false),
        O::I32Eq => (I32, S::Eq, true),
        O::I32Ne => (I32, S::Ne, true),
        O::I32LtS => (I32, S::Lt, true),
        O::I32LtU => (I32, S::Lt, false),
        O::I32LeS => (I32, S::Le, true),
        O::I32LeU => (I32, S::Le, false),
        O::I32GtS => (I32, S::Gt, true),
        O::I32GtU => (I32, S::Gt, false),
        O::I32GeS => (I32, S::Ge, true),
        O::I32GeU => (I32, S::Ge, false),
        O::I64Add => (I64, S::Add, true),
        O::I64Sub => (I64, S::Sub, true),
        O::I64Mul => (I64, S::Mul, true),
        O::I64Eq => (I64, S::Eq, true),
        O::I64Ne => (I64, S::Ne, true),
        O::I64LtS => (I64, S::Lt, true),
        O::I64LtU => (I64, S::Lt, false),
        O::I64LeS => (I64, S::Le, true),
        O::I64LeU => (I64, S::Le, false),
        O::I64GtS => (I64, S::Gt, true),
        O::I64GtU => (I64, S::Gt, false),
        O::I64GeS => (I64, S::Ge, true),
        O::I64GeU => (I64, S::Ge, false),
        O::F64Add => (F64, S::Add, true),
        O::F64Sub => (F64, S::Sub, true),
        O::F64Mul => (F64, S::Mul, true),
        O::F64Div => (F64, S::Div, true),
        O::F64Eq => (F64, S::Eq, true),
        O::F64Ne => (F64, S::Ne, true),
        O::F64Lt => (F64, S::Lt, true),
        O::F64Le => (F64, S::Le, true),
        O::F64Gt => (F64, S::Gt, true),
        O::F64Ge => (F64, S::Ge, true),
        _ => return None,
    })
}

/// The signs that are tried in the place of one.
fn others(number: Number, sign: Sign) -> Vec<Sign> {
    use Sign as S;
    let all: &[Sign] = match (number, sign) {
        (_, S::Eq | S::Ne | S::Lt | S::Le | S::Gt | S::Ge) => &COMPARISONS,
        (Number::F64, _) => &[S::Add, S::Sub, S::Mul, S::Div, S::Left, S::Right],
        (_, S::Add | S::Sub) => &[S::Add, S::Sub, S::Left, S::Right],
        (Number::I32, S::Mul | S::Div | S::Rem) => &[S::Add, S::Mul, S::Div, S::Rem, S::Left, S::Right],
        (Number::I32, S::And | S::Or | S::Xor) => &[S::And, S::Or, S::Xor, S::Left, S::Right],
        (Number::I32, S::Shl | S::Shr) => &[S::Shl, S::Shr, S::Left],
        _ => &[S::Add, S::Sub, S::Left, S::Right],
    };
    all.iter().copied().filter(|other| *other != sign).collect()
}

/// The offset of a load of a whole number that may be a variable.
fn loaded(operator: &Operator<'_>) -> Option<u64> {
    use Operator as O;
    match operator {
        O::I32Load { memarg }
        | O::I32Load8U { memarg }
        | O::I32Load8S { memarg }
        | O::I32Load16S { memarg }
        | O::I32Load16U { memarg }
        | O::I64Load { memarg }
        | O::F64Load { memarg } => Some(memarg.offset),
        _ => None,
    }
}

/// Whether it is a store whose assignment can be left out.
pub(crate) fn stores(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32Store { .. }
            | O::I32Store8 { .. }
            | O::I32Store16 { .. }
            | O::I64Store { .. }
            | O::F64Store { .. }
    )
}

/// All patches of the instructions in some blocks of a module, in the order of the code.
///
/// # Errors
/// When the module is not valid.
pub fn patches(
    bytes: &[u8],
    sites: &Sites,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<Vec<(usize, Patch)>, Error> {
    let invalid = |error: wasmparser::BinaryReaderError| Error::Invalid(error.to_string());
    let mut code = 0;
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(invalid)? {
            Payload::CodeSectionStart { range, .. } => code = range.start,
            Payload::CodeSectionEntry(body) => {
                let mut reader = body.get_operators_reader().map_err(invalid)?;
                let mut operators = Vec::new();
                while !reader.eof() {
                    let offset = (reader.original_position() - code) as u32;
                    operators.push((offset, reader.read().map_err(invalid)?));
                }
                in_function(&operators, sites, wanted, &mut found);
            }
            _ => {}
        }
    }
    Ok(found)
}

fn in_function(
    operators: &[(u32, Operator<'_>)],
    sites: &Sites,
    wanted: &dyn Fn(usize) -> bool,
    found: &mut Vec<(usize, Patch)>,
) {
    let variables = variables(operators);
    for (index, (offset, operator)) in operators.iter().enumerate() {
        let after = sites.blocks.partition_point(|block| block.offset <= *offset);
        let Some(block) = after.checked_sub(1).filter(|block| *offset < sites.blocks[*block].end) else {
            continue;
        };
        if !wanted(block) {
            continue;
        }
        let mut add = |change| found.push((block, Patch { offset: *offset, change }));
        match operator {
            Operator::If { .. } | Operator::BrIf { .. } | Operator::Select => {
                [Change::Negate, Change::Always, Change::Never].into_iter().for_each(&mut add);
            }
            Operator::I32Eqz => add(Change::Negate),
            Operator::I32Const { value } => constant(*value).into_iter().for_each(&mut add),
            Operator::F64Const { .. } => [Change::Plus(1), Change::Plus(-1)].into_iter().for_each(&mut add),
            operator if stores(operator) => add(Change::Omit),
            operator => {
                if let Some((number, sign, _)) = binary(operator) {
                    others(number, sign).into_iter().map(Change::Sign).for_each(&mut add);
                }
                if let Some(own) = loaded(operator) {
                    [Change::Plus(1), Change::Plus(-1)].into_iter().for_each(&mut add);
                    let key = base(operators, index).map(|base| (base, std::mem::discriminant(operator)));
                    let same =
                        variables.iter().filter(|(other, offset)| Some(*other) == key && *offset != own);
                    same.take(MOST_VARIABLES).for_each(|(_, offset)| add(Change::Variable(*offset as u32)));
                }
            }
        }
    }
}

fn constant(value: i32) -> Vec<Change> {
    let mut changes = vec![Change::Plus(1), Change::Plus(-1)];
    if !(-1..=1).contains(&value) {
        changes.push(Change::Value(0));
    }
    changes
}

type Variable<'a> = ((u32, std::mem::Discriminant<Operator<'a>>), u64);

/// The distinct variables that a function loads: the local that holds the base, the kind of load, the offset.
fn variables<'a>(operators: &[(u32, Operator<'a>)]) -> Vec<Variable<'a>> {
    let mut found: Vec<Variable<'a>> = Vec::new();
    for (index, (_, operator)) in operators.iter().enumerate() {
        if let (Some(offset), Some(base)) = (loaded(operator), base(operators, index)) {
            let variable = ((base, std::mem::discriminant(operator)), offset);
            if !found.contains(&variable) {
                found.push(variable);
            }
        }
    }
    found
}

/// The local that holds the base address of a load.
fn base(operators: &[(u32, Operator<'_>)], index: usize) -> Option<u32> {
    match operators.get(index.checked_sub(1)?)?.1 {
        Operator::LocalGet { local_index } => Some(local_index),
        _ => None,
    }
}
