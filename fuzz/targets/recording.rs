//! Fuzzes the oracle `recording`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::recording(data));
