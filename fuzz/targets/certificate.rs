//! Fuzzes the oracle `certificate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::certificate(data));
