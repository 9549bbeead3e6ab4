//! Rewrites a module: runs the passes over every function, adds the memories, imports and exports that they need, and keeps
//! the way back from new instruction positions to old ones.

use std::collections::BTreeMap;
use std::convert::Infallible;

use twinrun_base::Sites;
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    BlockType, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection,
    Instruction, MemArg, MemorySection, MemoryType, SectionId, TypeSection, ValType,
};
use wasmparser::{FunctionBody, Operator, Parser, Payload};

use crate::analysis::Analysis;
use crate::config::Config;
use crate::direct;
use crate::edges::Edges;
use crate::error::Error;
use crate::layout::{
    ALLOCATED, CATCHERS, CHECKS, DEPTH, GLOBALS, LOW, Layout, NEXT, OPEN, OVERRUN, PAUSE, RUNS, SLOT,
    UNWINDING, WORK,
};
use crate::passes::{Emit, Frames, Kept, Pass, Position, Scratch, passes};
use crate::unwind;

/// The module name of the imports that the rewriter adds.
pub(crate) const MODULE: &str = "twinrun:instrument";
/// The added import that empties the trace buffer.
pub(crate) const FLUSH: &str = "flush";
/// The added import that reports a bad heap access: (address, width).
pub(crate) const HEAP_FAULT: &str = "heap_fault";

/// The added import that empties the slots of runs ([`crate::direct`]).
pub(crate) const DRAIN: &str = "drain";

/// The added import that looks for the limit of work and for cuts.
pub(crate) const PAUSED: &str = "pause";

/// What the added export that starts a relation begins with.
pub(crate) const START: &str = "twinrun:start:";

/// How many imports are added.
pub(crate) const ADDED: u32 = 4;

/// A rewritten module.
#[derive(Clone)]
pub(crate) struct Rewritten {
    pub(crate) bytes: Vec<u8>,
    pub(crate) layout: Layout,
    /// (offset in the rewritten module, offset in the original code section), ascending.
    positions: Vec<(u32, u32)>,
}

impl Rewritten {
    /// The original position of an instruction of the rewritten module.
    pub(crate) fn original(&self, offset: usize) -> Option<u32> {
        let after = self.positions.partition_point(|(new, _)| *new as usize <= offset);
        self.positions[..after].last().map(|(_, old)| *old)
    }
}

/// Rewrites a module for a configuration.
pub(crate) fn rewrite(
    bytes: &[u8],
    analysis: &Analysis,
    sites: &Sites,
    edges: &Edges,
    config: &Config,
) -> Result<Rewritten, Error> {
    let layout = Layout::new(config, analysis, sites.blocks.len(), edges.count());
    let answers = direct::answers(analysis, &layout, config, analysis.imports.len() as u32 + 2);
    let mut rewriter = Rewriter {
        analysis,
        answers,
        sites,
        config,
        layout,
        passes: passes(config, analysis, sites, edges, unwind::may_leave(bytes, analysis)?),
        results: BTreeMap::new(),
        written: [false; 4],
        next: 0,
        positions: Vec::new(),
    };
    let mut module = wasm_encoder::Module::new();
    rewriter
        .parse_core_module(&mut module, Parser::new(0), bytes)
        .map_err(|error| Error::Invalid(error.to_string()))?;
    let bytes = module.finish();
    let mut starts = Vec::new();
    for payload in Parser::new(0).parse_all(&bytes) {
        if let Ok(Payload::CodeSectionEntry(body)) = payload {
            starts.push(body.range().start as u32);
        }
    }
    let mut positions = Vec::new();
    for (start, function) in starts.iter().zip(&rewriter.positions) {
        positions.extend(function.iter().map(|(new, old)| (start + new, *old)));
    }
    Ok(Rewritten { bytes, layout, positions })
}

struct Rewriter<'a> {
    analysis: &'a Analysis,
    /// Imports that functions of ours answer, which follow those that start relations.
    answers: Vec<(u32, Function)>,
    sites: &'a Sites,
    config: &'a Config,
    layout: Layout,
    passes: Vec<Box<dyn Pass + 'a>>,
    /// Added types for several results, by the type index that has them.
    results: BTreeMap<u32, u32>,
    /// Whether the type, import, memory and export sections are written.
    written: [bool; 4],
    /// The number of the next function body.
    next: usize,
    /// For each body: (offset in the new body, offset in the original code section).
    positions: Vec<Vec<(u32, u32)>>,
}

type Outcome<T = ()> = Result<T, reencode::Error<Infallible>>;

impl Rewriter<'_> {
    fn add_types(&mut self, types: &mut TypeSection) {
        self.written[0] = true;
        types.ty().function([], []);
        types.ty().function([ValType::I32, ValType::I32], []);
        let mut next = self.analysis.types + 2;
        for (index, ty) in self.analysis.function_types.iter().enumerate() {
            if let Some(ty) = ty
                && ty.results().len() > 1
            {
                let results: Vec<ValType> =
                    ty.results().iter().filter_map(|result| (*result).try_into().ok()).collect();
                types.ty().function([], results);
                self.results.insert(index as u32, next);
                next += 1;
            }
        }
    }

    fn add_imports(&mut self, imports: &mut ImportSection) {
        self.written[1] = true;
        imports.import(MODULE, FLUSH, EntityType::Function(self.analysis.types));
        imports.import(MODULE, HEAP_FAULT, EntityType::Function(self.analysis.types + 1));
        imports.import(MODULE, DRAIN, EntityType::Function(self.analysis.types));
        imports.import(MODULE, PAUSED, EntityType::Function(self.analysis.types));
    }

    fn add_memories(&mut self, memories: &mut MemorySection) {
        self.written[2] = true;
        for pages in self.layout.pages() {
            memories.memory(MemoryType {
                minimum: pages,
                maximum: Some(pages),
                memory64: false,
                shared: false,
                page_size_log2: None,
            });
        }
    }

    fn add_exports(&mut self, exports: &mut ExportSection) {
        self.written[3] = true;
        if self.analysis.memories > 0 {
            exports.export("twinrun:memory", ExportKind::Memory, 0);
        }
        for (index, name) in
            (self.layout.control..).zip(["control", "dirty", "heap"]).take(self.layout.pages().len())
        {
            exports.export(&format!("twinrun:{name}"), ExportKind::Memory, index);
        }
        for (global, _) in &self.analysis.mutable_globals {
            exports.export(&format!("twinrun:global:{global}"), ExportKind::Global, *global);
        }
        let first = ADDED + (self.analysis.imports.len() + self.analysis.bodies.len()) as u32;
        for (index, (name, _)) in (first..).zip(self.analysis.relations()) {
            exports.export(&format!("{START}{name}"), ExportKind::Func, index);
        }
    }
}

impl Reencode for Rewriter<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Outcome<u32> {
        let imported = self.analysis.imports.len() as u32;
        if let Some(answer) = self.answers.iter().position(|(import, _)| *import == function) {
            let relations = self.analysis.relations().count();
            let before = self.analysis.imports.len() + self.analysis.bodies.len() + relations;
            return Ok(ADDED + (before + answer) as u32);
        }
        Ok(if function < imported { function } else { function + ADDED })
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_type_section(self, types, section)?;
        self.add_types(types);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_import_section(self, imports, section)?;
        self.add_imports(imports);
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_function_section(self, functions, section)?;
        for _ in self.analysis.relations() {
            functions.function(self.analysis.types);
        }
        for (import, _) in &self.answers {
            functions.function(self.analysis.imports[*import as usize].type_index);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_code_section(self, code, section)?;
        for (_, function) in self.analysis.relations() {
            let function = self.function_index(function)?;
            let limits = (self.analysis.slice(), self.config.limits.work);
            code.function(&start(self.analysis, &self.layout, function, limits));
        }
        for (_, answer) in &self.answers {
            code.function(answer);
        }
        Ok(())
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: wasmparser::MemorySectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_memory_section(self, memories, section)?;
        self.add_memories(memories);
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Outcome {
        reencode::utils::parse_export_section(self, exports, section)?;
        self.add_exports(exports);
        Ok(())
    }

    /// Writes the sections that the original does not have.
    fn intersperse_section_hook(
        &mut self,
        module: &mut wasm_encoder::Module,
        _: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Outcome {
        let order = before.map_or(usize::MAX, position);
        if !self.written[0] && order > position(SectionId::Type) {
            let mut types = TypeSection::new();
            self.add_types(&mut types);
            module.section(&types);
        }
        if !self.written[1] && order > position(SectionId::Import) {
            let mut imports = ImportSection::new();
            self.add_imports(&mut imports);
            module.section(&imports);
        }
        if !self.written[2] && order > position(SectionId::Memory) {
            let mut memories = MemorySection::new();
            self.add_memories(&mut memories);
            module.section(&memories);
        }
        if !self.written[3] && order > position(SectionId::Export) {
            let mut exports = ExportSection::new();
            self.add_exports(&mut exports);
            module.section(&exports);
        }
        Ok(())
    }

    /// Names and debug information describe the original, not what is written here.
    fn parse_custom_section(
        &mut self,
        _: &mut wasm_encoder::Module,
        _: wasmparser::CustomSectionReader<'_>,
    ) -> Outcome {
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Outcome {
        let number = self.next;
        self.next += 1;
        let imported = self.analysis.imports.len();
        let index = (number + imported) as u32;
        let type_index = self.analysis.bodies[number];
        let ty = self.analysis.function_types[type_index as usize].clone();
        let (parameters, results) = ty.as_ref().map_or((&[][..], &[][..]), |ty| (ty.params(), ty.results()));

        let mut locals = Vec::new();
        let mut count = parameters.len() as u32;
        for local in body.get_locals_reader()? {
            let (repeat, ty) = local?;
            count += repeat;
            locals.push((repeat, self.val_type(ty)?));
        }
        let mut operators = Vec::new();
        let mut offsets = Vec::new();
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            offsets.push((reader.original_position() - self.analysis.code_start) as u32);
            operators.push(reader.read()?);
        }
        locals.extend([(4, ValType::I32), (1, ValType::I64), (1, ValType::F32), (1, ValType::F64)]);
        if operators.iter().any(|operator| matches!(operator, Operator::V128Store { .. }) || lane(operator)) {
            locals.push((1, ValType::V128));
        }
        let added: u32 = locals.iter().map(|(repeat, _)| *repeat).sum();
        if !self.config.patches.is_empty() {
            locals.extend(Kept::types());
        }
        let kept = Kept::new(parameters.len() as u32 + added);
        let scratch = Scratch {
            i32s: [count, count + 1, count + 2],
            length: count + 3,
            i64: count + 4,
            f32: count + 5,
            f64: count + 6,
            v128: count + 7,
        };
        let frames = match &self.analysis.stack {
            Some(stack) => Frames::new(&operators, parameters.len() as u32, stack.global),
            None => Frames::default(),
        };
        let site = self.sites.functions.binary_search_by_key(&index, |function| function.index).ok();
        let site = site.map(|site| &self.sites.functions[site]);
        let name = self.analysis.function_name(index).or(site.map(|site| &site.name[..])).unwrap_or_default();
        let layout = self.layout;
        let mut emit = Emit {
            function: Function::new(locals),
            layout: &layout,
            limits: self.config.limits,
            checked: site.is_some_and(twinrun_base::sites::Function::touches_for_user),
            allocator: site.is_none_or(|site| !site.user) && is_allocator(name),
            frames: &frames,
            scratch,
            kept,
            flush: imported as u32,
            heap_fault: imported as u32 + 1,
            pause: imported as u32 + 3,
            nesting: 0,
            results: results.to_vec(),
        };
        let result = match results {
            [] => BlockType::Empty,
            [result] => BlockType::Result(self.val_type(*result)?),
            _ => BlockType::FunctionType(self.results[&type_index]),
        };
        let mut positions = Vec::with_capacity(operators.len());
        for pass in &mut self.passes {
            pass.enter(&mut emit);
        }
        // All ways out lead to the end of this block, so that `leave` is written once.
        emit.add(&[Instruction::Block(result)]);
        let mut nesting = 0;
        for (index, (operator, offset)) in operators.iter().zip(offsets).enumerate() {
            let at = Position { offset, index: index as u32 };
            for pass in &mut self.passes {
                pass.before(operator, at, &mut emit);
            }
            positions.push((emit.function.byte_len() as u32, offset));
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => nesting += 1,
                Operator::End => nesting -= 1,
                Operator::ReturnCall { .. }
                | Operator::ReturnCallIndirect { .. }
                | Operator::ReturnCallRef { .. } => {
                    for pass in &mut self.passes {
                        pass.leave(&mut emit);
                    }
                }
                _ => {}
            }
            match operator {
                Operator::Return => emit.add(&[Instruction::Br(nesting as u32)]),
                operator => {
                    let instruction = self.instruction(operator.clone())?;
                    emit.add(&[instruction]);
                }
            }
            emit.nesting = nesting.max(0) as u32;
            for pass in &mut self.passes {
                pass.after(operator, at, &mut emit);
            }
        }
        for pass in &mut self.passes {
            pass.leave(&mut emit);
        }
        emit.add(&[Instruction::End]);
        code.function(&emit.function);
        self.positions.push(positions);
        Ok(())
    }
}

/// A function that sets globals and counters to their start and calls a relation: cheaper than doing it from outside.
fn start(analysis: &Analysis, layout: &Layout, relation: u32, (slice, limit): (u64, u64)) -> Function {
    use Instruction::{
        Call, End, F32Load, F64Load, GlobalGet, GlobalSet, I32Const, I32Load, I32Store, I64Const, I64Load,
        I64Store, V128Load,
    };
    let control = |offset: u64| MemArg { offset, align: 0, memory_index: layout.control };
    let mut function = Function::new([]);
    for ((global, ty), slot) in analysis.mutable_globals.iter().zip(0..) {
        let kept = control(GLOBALS + SLOT * slot);
        let load = match ty {
            wasmparser::ValType::I64 => I64Load(kept),
            wasmparser::ValType::F32 => F32Load(kept),
            wasmparser::ValType::F64 => F64Load(kept),
            wasmparser::ValType::V128 => V128Load(kept),
            _ => I32Load(kept),
        };
        for instruction in [I32Const(0), load, GlobalSet(*global)] {
            function.instruction(&instruction);
        }
    }
    for instruction in [I32Const(0), I64Const(0), I64Store(control(WORK))] {
        function.instruction(&instruction);
    }
    let first = slice.min(limit).cast_signed();
    for instruction in [I32Const(0), I64Const(first), I64Store(control(PAUSE))] {
        function.instruction(&instruction);
    }
    for counter in [DEPTH, NEXT, OVERRUN, ALLOCATED, OPEN, RUNS, CHECKS, CATCHERS, UNWINDING] {
        for instruction in [I32Const(0), I32Const(0), I32Store(control(counter))] {
            function.instruction(&instruction);
        }
    }
    if let Some(stack) = &analysis.stack {
        for instruction in [I32Const(0), GlobalGet(stack.global), I32Store(control(LOW))] {
            function.instruction(&instruction);
        }
    }
    for instruction in [Call(relation), End] {
        function.instruction(&instruction);
    }
    function
}

fn lane(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::V128Store8Lane { .. }
            | Operator::V128Store16Lane { .. }
            | Operator::V128Store32Lane { .. }
            | Operator::V128Store64Lane { .. }
    )
}

/// The order of sections in a module.
fn position(section: SectionId) -> usize {
    use SectionId as S;
    let order = [
        S::Custom,
        S::Type,
        S::Import,
        S::Function,
        S::Table,
        S::Memory,
        S::Tag,
        S::Global,
        S::Export,
        S::Start,
        S::Element,
        S::DataCount,
        S::Code,
        S::Data,
    ];
    order.iter().position(|other| *other == section).unwrap_or(0)
}

/// Functions that keep the allocator's own books, by the names that the C library, ours and Rust's have. What they write must
/// outlive a run: another run must not get memory that the relation still holds.
fn is_allocator(name: &str) -> bool {
    const EXACT: [&str; 29] = [
        "malloc",
        "free",
        "calloc",
        "realloc",
        "aligned_alloc",
        "posix_memalign",
        "memalign",
        "valloc",
        "reallocarray",
        "malloc_usable_size",
        "sbrk",
        // wasi-libc's dlmalloc
        "dlmalloc",
        "dlfree",
        "dlcalloc",
        "dlrealloc",
        "dlmemalign",
        "dlposix_memalign",
        "internal_memalign",
        "prepend_alloc",
        "dispose_chunk",
        "tmalloc_large",
        "sys_alloc",
        // sdk/c/plain_libc.c
        "allocate",
        "carve",
        "release_oldest",
        "set_red_zones",
        "red_zone_of",
        "fill",
        "class_of",
    ];
    EXACT.contains(&name)
        || name.starts_with("__rust_alloc")
        || name.starts_with("__rust_dealloc")
        || name.starts_with("__rust_realloc")
        || name.starts_with("__rdl_")
        || name.contains("dlmalloc")
}
