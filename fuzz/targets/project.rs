//! Fuzzes the oracle `project`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::project(data));
