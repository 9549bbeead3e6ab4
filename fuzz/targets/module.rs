//! Fuzzes the oracle `module`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::module(data));
