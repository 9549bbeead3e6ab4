//! Fuzzes the oracle `model`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::model(data));
