//! What the rewriter and the runner must know about a module before they touch it.

use std::collections::BTreeMap;

use twinrun_base::abi::RELATION_PREFIX;
use twinrun_base::limits;
use wasmparser::{
    CompositeInnerType, DataKind, ExternalKind, FuncType, KnownCustom, Name, Operator, Parser, Payload,
    TypeRef, ValType,
};

use crate::error::Error;
use crate::layout::PAGE;

/// A function that the module imports.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) ty: FuncType,
    pub(crate) type_index: u32,
}

/// The stack in linear memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stack {
    /// The global that holds its pointer.
    pub(crate) global: u32,
    /// The address where it ends (it grows down).
    pub(crate) end: u32,
}

/// Facts about a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    /// How many types it has.
    pub(crate) types: u32,
    /// The function types by type index (`None`: another kind of type).
    pub(crate) function_types: Vec<Option<FuncType>>,
    pub(crate) imports: Vec<Import>,
    /// The type index of each function with a body.
    pub(crate) bodies: Vec<u32>,
    /// How many memories it has.
    pub(crate) memories: u32,
    /// The initial bytes of memory 0.
    pub(crate) memory: Option<u64>,
    /// Mutable globals of numbers: index and type.
    pub(crate) mutable_globals: Vec<(u32, ValType)>,
    pub(crate) stack: Option<Stack>,
    /// Where static data end and the heap begins, if the module tells.
    pub(crate) heap_base: Option<u32>,
    /// The names of functions from the name section.
    pub(crate) function_names: BTreeMap<u32, String>,
    /// Exported functions without parameters or results: name and index.
    pub(crate) actions: Vec<(String, u32)>,
    /// It changes state that a restore does not cover (tables, segments, globals with references): every group needs a fresh instance.
    pub(crate) volatile: bool,
    /// Where the code section's payload begins in the module.
    pub(crate) code_start: usize,
    /// Bytes of the longest function.
    longest: usize,
}

/// Looks through a module.
pub(crate) fn analyse(bytes: &[u8]) -> Result<Analysis, Error> {
    let mut analysis = Analysis::default();
    let mut globals: Vec<(bool, Option<i32>)> = Vec::new();
    let mut global_names: Vec<(u32, String)> = Vec::new();
    let mut exports: Vec<(String, u32)> = Vec::new();
    let mut segments: Vec<(u32, u32)> = Vec::new();
    let invalid = |error: wasmparser::BinaryReaderError| Error::Invalid(error.to_string());
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(invalid)? {
            Payload::TypeSection(section) => {
                for group in section {
                    for ty in group.map_err(invalid)?.into_types() {
                        analysis.types += 1;
                        analysis.function_types.push(match ty.composite_type.inner {
                            CompositeInnerType::Func(ty) => Some(ty),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(invalid)?;
                    let (module, name) = (import.module.to_owned(), import.name.to_owned());
                    match import.ty {
                        TypeRef::Func(type_index) => {
                            let ty = analysis.function_type(type_index)?;
                            analysis.imports.push(Import { module, name, ty, type_index });
                        }
                        _ => return Err(Error::UnknownImport { module, name }),
                    }
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    analysis.bodies.push(ty.map_err(invalid)?);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    let memory = memory.map_err(invalid)?;
                    if analysis.memories == 0 {
                        analysis.memory = Some(memory.initial.saturating_mul(PAGE));
                    }
                    if memory.memory64 || memory.shared {
                        return Err(Error::Unsupported(
                            "64-bit and shared memories are not supported".to_owned(),
                        ));
                    }
                    analysis.memories += 1;
                }
            }
            Payload::GlobalSection(section) => {
                for (index, global) in section.into_iter().enumerate() {
                    let global = global.map_err(invalid)?;
                    let mut reader = global.init_expr.get_operators_reader();
                    let value = match (global.ty.content_type, reader.read().map_err(invalid)?) {
                        (ValType::I32, Operator::I32Const { value }) => Some(value),
                        _ => None,
                    };
                    globals.push((global.ty.mutable, value));
                    match global.ty.content_type {
                        _ if !global.ty.mutable => {}
                        ValType::Ref(_) => analysis.volatile = true,
                        ty => analysis.mutable_globals.push((index as u32, ty)),
                    }
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export.map_err(invalid)?;
                    match export.kind {
                        ExternalKind::Global => global_names.push((export.index, export.name.to_owned())),
                        ExternalKind::Func => exports.push((export.name.to_owned(), export.index)),
                        _ => {}
                    }
                }
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data.map_err(invalid)?;
                    if let DataKind::Active { memory_index: 0, offset_expr } = data.kind
                        && let Ok(Operator::I32Const { value }) = offset_expr.get_operators_reader().read()
                    {
                        segments.push((value as u32, (value as u32).saturating_add(data.data.len() as u32)));
                    }
                }
            }
            Payload::CodeSectionStart { range, .. } => analysis.code_start = range.start,
            Payload::CodeSectionEntry(body) => {
                analysis.longest = analysis.longest.max(body.range().len());
                for operator in body.get_operators_reader().map_err(invalid)? {
                    analysis.look(&operator.map_err(invalid)?)?;
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for subsection in names.into_iter().flatten() {
                        match subsection {
                            Name::Function(names) => {
                                let names = names.into_iter().flatten();
                                analysis
                                    .function_names
                                    .extend(names.map(|naming| (naming.index, naming.name.to_owned())));
                            }
                            Name::Global(names) => {
                                let names = names.into_iter().flatten();
                                global_names
                                    .extend(names.map(|naming| (naming.index, naming.name.to_owned())));
                            }
                            _ => {}
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for (name, index) in exports {
        let body =
            (index as usize).checked_sub(analysis.imports.len()).and_then(|body| analysis.bodies.get(body));
        if let Some(ty) = body
            && let Ok(ty) = analysis.function_type(*ty)
            && ty.params().is_empty()
            && ty.results().is_empty()
        {
            analysis.actions.push((name, index));
        }
    }
    let constant = |name: &str| {
        let (index, _) = global_names.iter().find(|(_, global)| global == name)?;
        globals.get(*index as usize).map(|(_, value)| (*index, *value))
    };
    analysis.heap_base = constant("__heap_base").and_then(|(_, value)| value).map(|value| value as u32);
    let data_end = constant("__data_end").and_then(|(_, value)| value).map(|value| value as u32);
    analysis.stack = constant("__stack_pointer").and_then(|(global, top)| {
        let top = top? as u32;
        // Data below the top of the stack: the stack lies behind them and must not grow into them.
        let below = segments.iter().filter(|(start, _)| *start < top).map(|(_, end)| *end).max();
        let end = below.map_or(0, |below| data_end.filter(|end| *end <= top).unwrap_or(0).max(below));
        Some(Stack { global, end })
    });
    Ok(analysis)
}

impl Analysis {
    pub(crate) fn function_type(&self, index: u32) -> Result<FuncType, Error> {
        let ty = self.function_types.get(index as usize).cloned().flatten();
        ty.ok_or_else(|| Error::Invalid(format!("type {index} is not a function type")))
    }

    /// Work between two looks for a cut.
    pub(crate) fn slice(&self) -> u64 {
        limits::slice(self.longest, 10_000)
    }

    /// The name of a function, if the module tells.
    pub(crate) fn function_name(&self, index: u32) -> Option<&str> {
        self.function_names.get(&index).map(String::as_str)
    }

    /// The relations: name without prefix, and function.
    pub(crate) fn relations(&self) -> impl Iterator<Item = (&str, u32)> {
        self.actions.iter().filter_map(|(name, index)| Some((name.strip_prefix(RELATION_PREFIX)?, *index)))
    }

    fn look(&mut self, operator: &Operator<'_>) -> Result<(), Error> {
        match operator {
            Operator::Try { .. }
            | Operator::Catch { .. }
            | Operator::CatchAll
            | Operator::Rethrow { .. }
            | Operator::Delegate { .. }
            | Operator::Throw { .. }
            | Operator::ThrowRef
            | Operator::TryTable { .. } => Err(Error::Unsupported(
                "the module uses WebAssembly exceptions, which are not supported here: build C++ with \
                 `-fno-exceptions`, and C without setjmp/longjmp"
                    .to_owned(),
            )),
            Operator::TableSet { .. }
            | Operator::TableGrow { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
            | Operator::ElemDrop { .. }
            | Operator::DataDrop { .. } => {
                self.volatile = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
