//! Generated modules for tests.
#![allow(dead_code, reason = "each test binary uses a part")]

use twinrun_base::Rng;
use twinrun_interp::{LoadOptions, Module};
use wasm_encoder::{ExportKind, ExportSection, RawSection};
use wasmparser::Parser;

/// A module without imports that always ends, or nothing when the bytes of this seed make none.
pub(crate) fn generated(seed: u64) -> Option<Vec<u8>> {
    let mut rng = Rng::new(seed);
    let bytes: Vec<u8> = (0..4096).map(|_| rng.bits() as u8).collect();
    let mut input = arbitrary::Unstructured::new(&bytes);
    let config = wasm_smith::Config {
        max_imports: 0,
        min_funcs: 3,
        max_funcs: 12,
        min_memories: 1,
        max_memory32_bytes: 1 << 18,
        max_tables: 3,
        max_table_elements: 100,
        max_instructions: 400,
        export_everything: true,
        gc_enabled: false,
        exceptions_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        simd_enabled: false,
        // The peer is built without garbage collection and so refuses external references.
        reference_types_enabled: seed.is_multiple_of(4),
        tail_call_enabled: false,
        threads_enabled: false,
        extended_const_enabled: false,
        shared_everything_threads_enabled: false,
        allow_start_export: false,
        ..wasm_smith::Config::default()
    };
    let mut module = wasm_smith::Module::new(config, &mut input).ok()?;
    module.ensure_termination(2000).ok()?;
    Some(module.to_bytes())
}

/// A program without imports that always ends: exports `_start`.
pub(crate) fn generated_program(seed: u64) -> Option<Vec<u8>> {
    let bytes = generated(seed)?;
    let module = Module::new(&bytes, LoadOptions::default()).ok()?;
    let fits = |index: &u32| {
        let ty = module.function_type(*index);
        ty.params.is_empty() && ty.results.is_empty()
    };
    let start = (0..module.functions.len() as u32).find(fits)?;
    let mut exports = ExportSection::new();
    exports.export("_start", ExportKind::Func, start);
    let mut program = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(&bytes) {
        let payload = payload.ok()?;
        match payload.as_section() {
            Some((id, _)) if id == wasm_encoder::SectionId::Export as u8 => {
                program.section(&exports);
            }
            Some((id, range)) => {
                program.section(&RawSection { id, data: &bytes[range] });
            }
            None => {}
        }
    }
    Some(program.finish())
}

/// Interesting bits for arguments.
pub(crate) fn bits(rng: &mut Rng) -> u64 {
    match rng.bits() % 5 {
        0 => rng.bits() % 10,
        1 => (rng.bits() % 10).wrapping_neg(),
        2 => 1 << (rng.bits() % 64),
        3 => f64::to_bits((rng.bits() % 1000) as f64 / 8.0 - 50.0),
        _ => rng.bits(),
    }
}
