//! Fuzzes the oracle `terms`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::terms(data));
