//! Mutants of a compiled module: for Rust and for ready `.wasm`, where there is no source to change.
//!
//! A change keeps the length of the instruction that it replaces, so that every other instruction stays where it was, and the
//! line table of the original holds for the mutant.

use serde::{Deserialize, Serialize};
use wasmparser::{FunctionBody, Operator, Parser, Payload, Validator, WasmFeatures};

/// One change of one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleMutant {
    /// Stable for one module: operator, place, and what stands there now.
    pub id: String,
    /// The operator's name; those of source mutants that do the same.
    pub operator: String,
    /// The instruction, as an offset from the code section's payload.
    pub offset: u32,
    /// What stood there.
    pub original: String,
    /// What stands there now.
    pub replacement: String,
    /// The first changed byte of the module.
    at: usize,
    bytes: Vec<u8>,
}

impl ModuleMutant {
    /// The module with the mutant in it.
    pub fn apply(&self, module: &[u8]) -> Vec<u8> {
        let mut mutated = module.to_vec();
        mutated[self.at..self.at + self.bytes.len()].copy_from_slice(&self.bytes);
        mutated
    }

    /// What changed, on one line.
    pub fn describe(&self) -> String {
        match self.replacement.is_empty() {
            true => format!("`{}` deleted", self.original),
            false => format!("`{}` → `{}`", self.original, self.replacement),
        }
    }
}

/// The module cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the module cannot be mutated: {0}")]
pub struct ModuleError(String);

impl From<wasmparser::BinaryReaderError> for ModuleError {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        ModuleError(error.to_string())
    }
}

/// All mutants at instructions that are `wanted`, by their offset from the code section's payload; each is a valid module.
///
/// # Errors
/// When the module cannot be read.
pub fn module_mutants(module: &[u8], wanted: &dyn Fn(u32) -> bool) -> Result<Vec<ModuleMutant>, ModuleError> {
    let mut found = Vec::new();
    let mut code = 0;
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::CodeSectionStart { range, .. } => code = range.start,
            Payload::CodeSectionEntry(body) => function(&body, module, code, wanted, &mut found)?,
            _ => {}
        }
    }
    // Dropping and branching differently may break the types of what follows.
    found.retain(|mutant| {
        matches!(mutant.operator.as_str(), "arithmetic" | "relational" | "constant")
            || Validator::new_with_features(WasmFeatures::all()).validate_all(&mutant.apply(module)).is_ok()
    });
    Ok(found)
}

/// Instructions before a write of the stack pointer that compute it: frames are the compiler's work, not the programmer's.
const FRAME: usize = 9;

fn function(
    body: &FunctionBody<'_>,
    module: &[u8],
    code: usize,
    wanted: &dyn Fn(u32) -> bool,
    found: &mut Vec<ModuleMutant>,
) -> Result<(), ModuleError> {
    let mut reader = body.get_operators_reader()?;
    let mut steps: Vec<(Operator<'_>, usize)> = Vec::new();
    while !reader.eof() {
        steps.push(reader.read_with_offset()?);
    }
    let end = body.range().end;
    let frames: Vec<usize> = steps
        .iter()
        .enumerate()
        .filter(|(_, (step, _))| matches!(step, Operator::GlobalSet { .. }))
        .map(|(index, _)| index)
        .collect();
    for (index, (step, at)) in steps.iter().enumerate() {
        let offset = (at - code) as u32;
        if !wanted(offset) || frames.iter().any(|set| (index..=index + FRAME).contains(set)) {
            continue;
        }
        let next = steps.get(index + 1).map_or(end, |(_, next)| *next);
        let original = &module[*at..next];
        for (operator, text, bytes) in proposals(step, original) {
            found.push(ModuleMutant {
                id: format!("{operator}-{offset:x}-{}", text.replace([' ', '.'], "-")),
                operator: operator.to_owned(),
                offset,
                original: shown(step, original),
                replacement: text,
                at: *at,
                bytes,
            });
        }
    }
    Ok(())
}

/// Operators that are mistaken for each other: the first opcode of each family's run, and the names in order.
const FAMILIES: &[(&str, &[(u8, &str)])] = &[
    (
        "relational",
        &[
            (0x46, "i32.eq"),
            (0x47, "i32.ne"),
            (0x48, "i32.lt_s"),
            (0x4a, "i32.gt_s"),
            (0x4c, "i32.le_s"),
            (0x4e, "i32.ge_s"),
        ],
    ),
    ("relational", &[(0x49, "i32.lt_u"), (0x4b, "i32.gt_u"), (0x4d, "i32.le_u"), (0x4f, "i32.ge_u")]),
    (
        "relational",
        &[
            (0x51, "i64.eq"),
            (0x52, "i64.ne"),
            (0x53, "i64.lt_s"),
            (0x55, "i64.gt_s"),
            (0x57, "i64.le_s"),
            (0x59, "i64.ge_s"),
        ],
    ),
    ("relational", &[(0x54, "i64.lt_u"), (0x56, "i64.gt_u"), (0x58, "i64.le_u"), (0x5a, "i64.ge_u")]),
    (
        "relational",
        &[
            (0x5b, "f32.eq"),
            (0x5c, "f32.ne"),
            (0x5d, "f32.lt"),
            (0x5e, "f32.gt"),
            (0x5f, "f32.le"),
            (0x60, "f32.ge"),
        ],
    ),
    (
        "relational",
        &[
            (0x61, "f64.eq"),
            (0x62, "f64.ne"),
            (0x63, "f64.lt"),
            (0x64, "f64.gt"),
            (0x65, "f64.le"),
            (0x66, "f64.ge"),
        ],
    ),
    ("arithmetic", &[(0x6a, "i32.add"), (0x6b, "i32.sub"), (0x6c, "i32.mul")]),
    ("arithmetic", &[(0x6d, "i32.div_s"), (0x6f, "i32.rem_s"), (0x6c, "i32.mul")]),
    ("arithmetic", &[(0x6e, "i32.div_u"), (0x70, "i32.rem_u"), (0x6c, "i32.mul")]),
    ("arithmetic", &[(0x71, "i32.and"), (0x72, "i32.or"), (0x73, "i32.xor")]),
    ("arithmetic", &[(0x74, "i32.shl"), (0x75, "i32.shr_s"), (0x76, "i32.shr_u")]),
    ("arithmetic", &[(0x7c, "i64.add"), (0x7d, "i64.sub"), (0x7e, "i64.mul")]),
    ("arithmetic", &[(0x7f, "i64.div_s"), (0x81, "i64.rem_s"), (0x7e, "i64.mul")]),
    ("arithmetic", &[(0x80, "i64.div_u"), (0x82, "i64.rem_u"), (0x7e, "i64.mul")]),
    ("arithmetic", &[(0x83, "i64.and"), (0x84, "i64.or"), (0x85, "i64.xor")]),
    ("arithmetic", &[(0x86, "i64.shl"), (0x87, "i64.shr_s"), (0x88, "i64.shr_u")]),
    ("arithmetic", &[(0x92, "f32.add"), (0x93, "f32.sub"), (0x94, "f32.mul"), (0x95, "f32.div")]),
    ("arithmetic", &[(0xa0, "f64.add"), (0xa1, "f64.sub"), (0xa2, "f64.mul"), (0xa3, "f64.div")]),
];

const NOP: u8 = 0x01;
const DROP: u8 = 0x1a;

/// What may stand instead of an instruction: operator, text, bytes of the same length.
fn proposals(step: &Operator<'_>, original: &[u8]) -> Vec<(&'static str, String, Vec<u8>)> {
    let mut all = Vec::new();
    let opcode = original[0];
    if original.len() == 1
        && let Some((operator, family)) =
            FAMILIES.iter().find(|(_, family)| family.iter().any(|(known, _)| *known == opcode))
    {
        let others = family.iter().filter(|(other, _)| *other != opcode);
        all.extend(others.map(|(other, name)| (*operator, (*name).to_owned(), vec![*other])));
    }
    match step {
        Operator::I32Const { value } => constants(i64::from(*value), 0x41, "i32.const", original, &mut all),
        Operator::I64Const { value } => constants(*value, 0x42, "i64.const", original, &mut all),
        // The value itself instead of whether it is zero: the condition is turned round.
        Operator::I32Eqz => all.push(("negated-condition", String::new(), vec![NOP])),
        Operator::LocalSet { .. } => {
            all.push(("deleted-assignment", String::new(), filled(&[DROP], original.len())));
        }
        step if is_store(step) => {
            all.push(("deleted-assignment", String::new(), filled(&[DROP, DROP], original.len())));
        }
        Operator::Call { .. } => all.push(("deleted-statement", String::new(), filled(&[], original.len()))),
        Operator::Br { relative_depth } => {
            for depth in [relative_depth.wrapping_sub(1), relative_depth + 1] {
                if depth < 128 && original.len() == 2 {
                    all.push(("jump", format!("br {depth}"), vec![opcode, depth as u8]));
                }
            }
        }
        _ => {}
    }
    all
}

fn filled(first: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = first.to_vec();
    bytes.resize(len, NOP);
    bytes
}

fn is_store(step: &Operator<'_>) -> bool {
    matches!(
        step,
        Operator::I32Store { .. }
            | Operator::I64Store { .. }
            | Operator::F32Store { .. }
            | Operator::F64Store { .. }
            | Operator::I32Store8 { .. }
            | Operator::I32Store16 { .. }
            | Operator::I64Store8 { .. }
            | Operator::I64Store16 { .. }
            | Operator::I64Store32 { .. }
    )
}

fn constants(
    value: i64,
    opcode: u8,
    name: &str,
    original: &[u8],
    all: &mut Vec<(&'static str, String, Vec<u8>)>,
) {
    let mut seen = vec![value];
    for other in [value.wrapping_add(1), value.wrapping_sub(1), 0] {
        if seen.contains(&other) {
            continue;
        }
        seen.push(other);
        if let Some(number) = signed_leb(other, original.len() - 1) {
            all.push(("constant", format!("{name} {other}"), [&[opcode], &number[..]].concat()));
        }
    }
}

/// A number in exactly so many bytes (a longer form than the shortest is allowed), if it fits.
fn signed_leb(value: i64, len: usize) -> Option<Vec<u8>> {
    let bits = 7 * len as u32;
    if bits < 64 && (value << (64 - bits)) >> (64 - bits) != value {
        return None;
    }
    let byte = |index: usize| ((value >> (7 * index as u32).min(63)) & 0x7f) as u8;
    Some((0..len).map(|index| byte(index) | if index + 1 < len { 0x80 } else { 0 }).collect())
}

/// An instruction as text.
fn shown(step: &Operator<'_>, original: &[u8]) -> String {
    let known =
        FAMILIES.iter().flat_map(|(_, family)| family.iter()).find(|(opcode, _)| *opcode == original[0]);
    match (step, known) {
        (Operator::I32Const { value }, _) => format!("i32.const {value}"),
        (Operator::I64Const { value }, _) => format!("i64.const {value}"),
        (Operator::I32Eqz, _) => "i32.eqz".to_owned(),
        (Operator::LocalSet { local_index }, _) => format!("local.set {local_index}"),
        (Operator::Call { function_index }, _) => format!("call {function_index}"),
        (Operator::Br { relative_depth }, _) => format!("br {relative_depth}"),
        (step, _) if is_store(step) => "store".to_owned(),
        (_, Some((_, name))) => (*name).to_owned(),
        _ => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(func (param i32) (result i32) (local.get 0) (i32.const 64) (i32.add) (local.set 0) (local.get 0) (i32.eqz))`
    const MODULE: &[u8] = &[
        0, 97, 115, 109, 1, 0, 0, 0, // header
        1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, // type
        3, 2, 1, 0, // function
        10, 15, 1, 13, 0, 0x20, 0, 0x41, 0xc0, 0, 0x6a, 0x21, 0, 0x20, 0, 0x45, 0x0b, // code
    ];

    #[test]
    fn every_mutant_is_valid_and_as_long_as_the_original() {
        let all = module_mutants(MODULE, &|_| true).expect("a module");
        for mutant in &all {
            let bytes = mutant.apply(MODULE);
            assert_eq!(bytes.len(), MODULE.len(), "{mutant:?}");
            assert_ne!(bytes, MODULE, "{mutant:?}");
            Validator::new().validate_all(&bytes).unwrap_or_else(|error| panic!("{mutant:?}: {error}"));
        }
        let texts: Vec<String> = all.iter().map(ModuleMutant::describe).collect();
        assert_eq!(
            texts,
            [
                "`i32.const 64` → `i32.const 65`",
                "`i32.const 64` → `i32.const 63`",
                "`i32.const 64` → `i32.const 0`",
                "`i32.add` → `i32.sub`",
                "`i32.add` → `i32.mul`",
                "`local.set 0` deleted",
                "`i32.eqz` deleted",
            ]
        );
    }

    #[test]
    fn only_wanted_instructions_are_changed() {
        let all = module_mutants(MODULE, &|offset| offset == 8).expect("a module");
        assert!(!all.is_empty() && all.iter().all(|mutant| mutant.offset == 8), "{all:?}");
        assert!(module_mutants(&MODULE[..30], &|_| true).is_err());
    }

    #[test]
    fn numbers_keep_their_length() {
        assert_eq!(signed_leb(63, 1), Some(vec![63]));
        assert_eq!(signed_leb(64, 1), None);
        assert_eq!(signed_leb(0, 2), Some(vec![0x80, 0]));
        assert_eq!(signed_leb(-1, 2), Some(vec![0xff, 0x7f]));
        assert_eq!(signed_leb(-1, 10), Some([vec![0xff; 9], vec![0x7f]].concat()));
    }
}
