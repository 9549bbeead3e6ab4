//! Fuzzes the oracle `coverage`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::coverage(data));
