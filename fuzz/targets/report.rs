//! Fuzzes the oracle `report`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::report(data));
