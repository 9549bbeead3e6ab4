//! Fuzzes the oracle `relation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| twinrun_oracles::relation(data));
