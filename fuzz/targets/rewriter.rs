//! Fuzzes the oracle `rewriter`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::rewriter(data));
