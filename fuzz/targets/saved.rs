//! Fuzzes the oracle `saved`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::saved(data));
