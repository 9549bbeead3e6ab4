//! Valid modules from any bytes.

use arbitrary::Unstructured;
use wasm_smith::{Config, Module};

/// A valid module of the features that subjects use, or nothing when the bytes do not suffice.
#[cfg(feature = "module")]
pub(crate) fn valid_module(data: &[u8]) -> Option<Vec<u8>> {
    let mut data = Unstructured::new(data);
    Module::new(config(), &mut data).ok().map(|module| module.to_bytes())
}

/// The same, made to trap after a number of loop rounds and calls.
#[cfg(feature = "rewriter")]
pub(crate) fn terminating_module(data: &[u8]) -> Option<Vec<u8>> {
    let mut data = Unstructured::new(data);
    let mut module = Module::new(config(), &mut data).ok()?;
    module.ensure_termination(1000).ok()?;
    Some(module.to_bytes())
}

fn config() -> Config {
    Config {
        max_imports: 0,
        min_funcs: 1,
        max_table_elements: 1000,
        table_max_size_required: true,
        max_memories: 1,
        max_memory32_bytes: 4 * 65_536,
        memory_max_size_required: true,
        export_everything: true,
        bulk_memory_enabled: true,
        reference_types_enabled: true,
        simd_enabled: false,
        relaxed_simd_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        custom_page_sizes_enabled: false,
        wide_arithmetic_enabled: false,
        shared_everything_threads_enabled: false,
        extended_const_enabled: false,
        allow_start_export: false,
        canonicalize_nans: true,
        ..Config::default()
    }
}

#[cfg(all(test, feature = "module"))]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_make_modules_with_code() {
        let mut rng = twinrun_base::Rng::new(1);
        let bytes = |rng: &mut twinrun_base::Rng| (0..1024).map(|_| rng.bits() as u8).collect::<Vec<u8>>();
        let sizes: Vec<usize> =
            (0..100).filter_map(|_| valid_module(&bytes(&mut rng))).map(|module| module.len()).collect();
        assert!(sizes.len() > 90 && sizes.iter().filter(|size| **size > 100).count() > 30, "{sizes:?}");
    }
}
