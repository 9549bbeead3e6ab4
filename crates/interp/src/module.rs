//! Decoding: a validated module, its functions translated to register code when first called.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use twinrun_base::{Sites, abi, limits};
use wasmparser::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, KnownCustom, Name, NameSectionReader,
    Operator, Parser, Payload, RefType, TableInit, TypeRef, ValType, Validator, WasmFeatures,
};

use crate::code::Code;
use crate::instr::Instr;
use crate::ops::Type;
use crate::translate;

/// What kept a module from being loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is malformed, invalid, or uses a feature beyond WebAssembly 2.0 without SIMD.
    #[error("not a WebAssembly 2.0 module (without SIMD): {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// It is valid, but beyond what we can hold.
    #[error("the module is beyond our limits: {0}")]
    TooLarge(&'static str),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionType {
    /// Parameters.
    pub params: Vec<Type>,
    /// Results.
    pub results: Vec<Type>,
}

/// Size limits of a table or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// At the start.
    pub initial: u64,
    /// At most.
    pub maximum: Option<u64>,
}

/// What is imported or exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A function, by index.
    Function(u32),
    /// A table.
    Table(u32),
    /// A memory.
    Memory(u32),
    /// A global.
    Global(u32),
}

/// An import; the item's index is its index in the module.
#[derive(Clone, Debug)]
pub struct Import {
    /// The module that it comes from.
    pub module: String,
    /// Its name there.
    pub name: String,
    /// What it is.
    pub item: Item,
}

/// A constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// These bits.
    Bits(Type, u64),
    /// The value of a global.
    Global(u32),
    /// A reference to a function.
    Function(u32),
}

/// How a segment is used.
#[derive(Clone, Debug)]
pub enum SegmentMode {
    /// Copied to the table or memory when the module is instantiated.
    Active(u32, Init),
    /// Used by instructions.
    Passive,
    /// Only declares references.
    Declared,
}

/// A data segment.
#[derive(Debug)]
pub struct Data {
    /// How it is used.
    pub mode: SegmentMode,
    /// Its bytes.
    pub bytes: Range<usize>,
}

/// An element segment.
#[derive(Debug)]
pub struct Elements {
    /// How it is used.
    pub mode: SegmentMode,
    /// Its references.
    pub items: Vec<Init>,
}

/// A global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its type.
    pub ty: Type,
    /// Whether it may change.
    pub mutable: bool,
    /// Its first value; imported ones have none.
    pub init: Option<Init>,
}

/// How to load a module.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The site table, for traces; its user selects become branches.
    pub sites: Option<Arc<Sites>>,
    /// Whether to mark where the blocks of the site table start, for coverage.
    pub blocks: bool,
    /// Whether user code is checked against the allocator's notices (checked build).
    pub heap_checks: bool,
    /// Whether the domain is told which bytes of the stack nobody has written yet ([`crate::Domain::forget`]).
    pub unwritten: bool,
}

/// A decoded module.
#[derive(Debug)]
pub struct Module {
    bytes: Vec<u8>,
    /// Function types.
    pub types: Vec<FunctionType>,
    /// Imports in order.
    pub imports: Vec<Import>,
    /// The type of each function, imported ones first.
    pub functions: Vec<u32>,
    /// How many functions are imported.
    pub imported_functions: u32,
    /// Tables, imported ones first.
    pub tables: Vec<(Type, Size)>,
    /// Memories, imported ones first.
    pub memories: Vec<Size>,
    /// Globals, imported ones first.
    pub globals: Vec<Global>,
    /// Exports by name.
    pub exports: BTreeMap<String, Item>,
    /// The start function.
    pub start: Option<u32>,
    /// Element segments.
    pub elements: Vec<Elements>,
    /// Data segments.
    pub data: Vec<Data>,
    /// How it was loaded.
    pub options: LoadOptions,
    names: Vec<(u32, String)>,
    /// The stack in linear memory, if the module tells: its pointer and where it ends.
    pub(crate) stack: Option<(u16, u32)>,
    bodies: Vec<Range<usize>>,
    /// Work between two looks for a cut.
    slice: u64,
    code_start: usize,
    codes: Vec<OnceLock<Code>>,
}

/// WebAssembly 2.0 without SIMD.
pub fn features() -> WasmFeatures {
    WasmFeatures::WASM2.difference(WasmFeatures::SIMD)
}

impl Module {
    /// Decodes and validates.
    pub fn new(bytes: &[u8], options: LoadOptions) -> Result<Module, LoadError> {
        Module::with_features(bytes, options, features())
    }

    /// The same with other features, a subset of [`features`].
    pub fn with_features(
        bytes: &[u8],
        options: LoadOptions,
        features: WasmFeatures,
    ) -> Result<Module, LoadError> {
        Validator::new_with_features(features).validate_all(bytes)?;
        let mut module = Module {
            bytes: bytes.to_vec(),
            types: Vec::new(),
            imports: Vec::new(),
            functions: Vec::new(),
            imported_functions: 0,
            tables: Vec::new(),
            memories: Vec::new(),
            globals: Vec::new(),
            exports: BTreeMap::new(),
            start: None,
            elements: Vec::new(),
            data: Vec::new(),
            options,
            names: Vec::new(),
            stack: None,
            bodies: Vec::new(),
            slice: 0,
            code_start: 0,
            codes: Vec::new(),
        };
        let mut global_names = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let Payload::CustomSection(section) = &payload
                && let KnownCustom::Name(names) = section.as_known()
            {
                module.names(names, &mut global_names);
            }
            module.section(bytes, payload)?;
        }
        for (name, item) in &module.exports {
            if let Item::Global(index) = item {
                global_names.push((*index, name.clone()));
            }
        }
        module.stack = module.find_stack(&global_names);
        // Only C and C++ built with our library: other languages keep their own promises about memory, and compilers use them.
        module.options.unwritten &= module.exports.contains_key(abi::HEAP_CHECK);
        // With terms an instruction takes many times as long as compiled.
        let longest = module.bodies.iter().map(Range::len).max().unwrap_or(0);
        module.slice = limits::slice(longest * 64, 4096);
        module.codes.resize_with(module.bodies.len(), OnceLock::new);
        for index in 0..module.bodies.len() {
            translate::check_size(&module, index as u32 + module.imported_functions)?;
        }
        Ok(module)
    }

    fn section(&mut self, bytes: &[u8], payload: Payload<'_>) -> Result<(), LoadError> {
        match payload {
            Payload::TypeSection(types) => {
                for ty in types.into_iter_err_on_gc_types() {
                    let ty = ty?;
                    let list = |types: &[ValType]| types.iter().map(|ty| value_type(*ty)).collect();
                    self.types.push(FunctionType { params: list(ty.params()), results: list(ty.results()) });
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    let item = match import.ty {
                        TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                            self.functions.push(ty);
                            self.imported_functions += 1;
                            Item::Function(self.functions.len() as u32 - 1)
                        }
                        TypeRef::Table(ty) => {
                            let size = Size { initial: ty.initial, maximum: ty.maximum };
                            self.tables.push((reference_type(ty.element_type), size));
                            Item::Table(self.tables.len() as u32 - 1)
                        }
                        TypeRef::Memory(ty) => {
                            self.memories.push(Size { initial: ty.initial, maximum: ty.maximum });
                            Item::Memory(self.memories.len() as u32 - 1)
                        }
                        TypeRef::Global(ty) => {
                            self.globals.push(Global {
                                ty: value_type(ty.content_type),
                                mutable: ty.mutable,
                                init: None,
                            });
                            Item::Global(self.globals.len() as u32 - 1)
                        }
                        TypeRef::Tag(_) => return Err(LoadError::TooLarge("exceptions")),
                    };
                    self.imports.push(Import {
                        module: import.module.to_owned(),
                        name: import.name.to_owned(),
                        item,
                    });
                }
            }
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.functions.push(ty?);
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let table = table?;
                    if !matches!(table.init, TableInit::RefNull) {
                        return Err(LoadError::TooLarge("tables with an initial value"));
                    }
                    let size = Size { initial: table.ty.initial, maximum: table.ty.maximum };
                    self.tables.push((reference_type(table.ty.element_type), size));
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory?;
                    self.memories.push(Size { initial: memory.initial, maximum: memory.maximum });
                }
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    let global = global?;
                    let init = Some(constant(&global.init_expr)?);
                    self.globals.push(Global {
                        ty: value_type(global.ty.content_type),
                        mutable: global.ty.mutable,
                        init,
                    });
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    let item = match export.kind {
                        ExternalKind::Func | ExternalKind::FuncExact => Item::Function(export.index),
                        ExternalKind::Table => Item::Table(export.index),
                        ExternalKind::Memory => Item::Memory(export.index),
                        ExternalKind::Global => Item::Global(export.index),
                        ExternalKind::Tag => return Err(LoadError::TooLarge("exceptions")),
                    };
                    self.exports.insert(export.name.to_owned(), item);
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(elements) => {
                for element in elements {
                    let element = element?;
                    let mode = match element.kind {
                        ElementKind::Active { table_index, offset_expr } => {
                            SegmentMode::Active(table_index.unwrap_or(0), constant(&offset_expr)?)
                        }
                        ElementKind::Passive => SegmentMode::Passive,
                        ElementKind::Declared => SegmentMode::Declared,
                    };
                    let items = match element.items {
                        ElementItems::Functions(functions) => functions
                            .into_iter()
                            .map(|function| Ok(Init::Function(function?)))
                            .collect::<Result<_, LoadError>>()?,
                        ElementItems::Expressions(_, expressions) => expressions
                            .into_iter()
                            .map(|expression| constant(&expression?))
                            .collect::<Result<_, LoadError>>()?,
                    };
                    self.elements.push(Elements { mode, items });
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    let mode = match segment.kind {
                        DataKind::Active { memory_index, offset_expr } => {
                            SegmentMode::Active(memory_index, constant(&offset_expr)?)
                        }
                        DataKind::Passive => SegmentMode::Passive,
                    };
                    // The data lies inside the module's bytes: remember where.
                    let start = segment.data.as_ptr() as usize - bytes.as_ptr() as usize;
                    self.data.push(Data { mode, bytes: start..start + segment.data.len() });
                }
            }
            Payload::CodeSectionStart { range, .. } => self.code_start = range.start,
            Payload::CodeSectionEntry(body) => self.bodies.push(body.range()),
            _ => {}
        }
        Ok(())
    }

    fn names(&mut self, names: NameSectionReader<'_>, globals: &mut Vec<(u32, String)>) {
        // A broken name section only costs names.
        for names in names.into_iter().flatten() {
            let (list, names) = match names {
                Name::Function(names) => (&mut self.names, names),
                Name::Global(names) => (&mut *globals, names),
                _ => continue,
            };
            list.extend(names.into_iter().flatten().map(|naming| (naming.index, naming.name.to_owned())));
        }
    }

    /// Where the stack that C code keeps in linear memory ends: above the static data that lie below its top.
    fn find_stack(&self, names: &[(u32, String)]) -> Option<(u16, u32)> {
        let global = |name: &str| {
            let (index, _) = names.iter().find(|(_, global)| global == name)?;
            match self.globals.get(*index as usize)?.init {
                Some(Init::Bits(Type::I32, value)) => Some((*index, value as u32)),
                _ => None,
            }
        };
        let (pointer, top) = global("__stack_pointer")?;
        let data_end = global("__data_end").map(|(_, end)| end).filter(|end| *end <= top);
        let below = self.data.iter().filter_map(|data| match data.mode {
            SegmentMode::Active(0, Init::Bits(Type::I32, start)) if (start as u32) < top => {
                Some((start as u32).saturating_add(data.bytes.len() as u32))
            }
            _ => None,
        });
        let end = below.max().map_or(0, |below| data_end.unwrap_or(0).max(below));
        Some((u16::try_from(pointer).ok()?, end))
    }

    /// Whether an instruction of a function's code reads or sets the pointer of the stack in linear memory.
    pub fn moves_stack_pointer(&self, function: u32, pc: u32) -> bool {
        let Some((pointer, _)) = self.stack else { return false };
        if function < self.imported_functions || function as usize >= self.functions.len() {
            return false;
        }
        matches!(
            self.code(function).instrs.get(pc as usize),
            Some(
                Instr::GlobalGet { global, .. } | Instr::GlobalSet { global, .. } | Instr::StackSet { global, .. }
            ) if *global == u32::from(pointer)
        )
    }

    /// The name of a function, if the module tells.
    pub fn function_name(&self, function: u32) -> Option<&str> {
        self.names.iter().find(|(index, _)| *index == function).map(|(_, name)| &name[..])
    }

    /// Whether a function is user code, by the site table.
    pub fn is_user(&self, function: u32) -> bool {
        let Some(sites) = &self.options.sites else { return false };
        sites
            .functions
            .binary_search_by_key(&function, |function| function.index)
            .is_ok_and(|at| sites.functions[at].user)
    }

    /// Whether a function's accesses to the heap are the user's, by the site table.
    pub(crate) fn touches_for_user(&self, function: u32) -> bool {
        let Some(sites) = &self.options.sites else { return false };
        sites
            .functions
            .binary_search_by_key(&function, |function| function.index)
            .is_ok_and(|at| sites.functions[at].touches_for_user())
    }

    /// Whether a function is compiled code of others that no debug information tells of: optimised, so that it may read bytes and decide on them before it
    /// knows whether they matter.
    pub fn is_opaque(&self, function: u32) -> bool {
        let Some(sites) = &self.options.sites else { return false };
        sites
            .functions
            .binary_search_by_key(&function, |function| function.index)
            .is_ok_and(|at| !sites.functions[at].user && sites.functions[at].place.is_none())
    }

    /// Work between two looks for a cut.
    #[inline]
    pub(crate) fn slice(&self) -> u64 {
        self.slice
    }

    /// The register code of a function that has a body.
    #[inline]
    pub fn code(&self, function: u32) -> &Code {
        self.codes[(function - self.imported_functions) as usize]
            .get_or_init(|| translate::function(self, function))
    }

    /// The type of a function.
    pub fn function_type(&self, function: u32) -> &FunctionType {
        &self.types[self.functions[function as usize] as usize]
    }

    /// The bytes of a data segment.
    pub fn data_bytes(&self, segment: usize) -> &[u8] {
        &self.bytes[self.data[segment].bytes.clone()]
    }

    pub(crate) fn body(&self, function: u32) -> (&[u8], usize) {
        let range = self.bodies[(function - self.imported_functions) as usize].clone();
        let start = range.start - self.code_start;
        (&self.bytes[range], start)
    }
}

pub(crate) fn value_type(ty: ValType) -> Type {
    match ty {
        ValType::I32 => Type::I32,
        ValType::I64 => Type::I64,
        ValType::F32 => Type::F32,
        ValType::F64 => Type::F64,
        ValType::Ref(ty) => reference_type(ty),
        ValType::V128 => unreachable!("the validator admits no SIMD"),
    }
}

pub(crate) fn reference_type(ty: RefType) -> Type {
    if ty.is_func_ref() { Type::FuncRef } else { Type::ExternRef }
}

fn constant(expression: &ConstExpr<'_>) -> Result<Init, LoadError> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(Init::Bits(Type::I32, u64::from(value as u32))),
        Operator::I64Const { value } => Ok(Init::Bits(Type::I64, value as u64)),
        Operator::F32Const { value } => Ok(Init::Bits(Type::F32, u64::from(value.bits()))),
        Operator::F64Const { value } => Ok(Init::Bits(Type::F64, value.bits())),
        Operator::GlobalGet { global_index } => Ok(Init::Global(global_index)),
        Operator::RefFunc { function_index } => Ok(Init::Function(function_index)),
        Operator::RefNull { hty } => {
            let ty = RefType::new(true, hty).map_or(Type::FuncRef, reference_type);
            Ok(Init::Bits(ty, 0))
        }
        _ => Err(LoadError::TooLarge("extended constant expressions")),
    }
}
