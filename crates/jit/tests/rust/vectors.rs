//! A relation in Rust with std: allocation, hashing (which asks for random numbers), printing, panics.
use std::collections::HashMap;

#[link(wasm_import_module = "twinrun")]
unsafe extern "C" {
    #[link_name = "int"]
    fn tw_int(name: *const u8, length: usize, kind: i32, lo: i64, hi: i64) -> i64;
    #[link_name = "run_begin"]
    fn run_begin();
    #[link_name = "run_end"]
    fn run_end();
    #[link_name = "check_int"]
    fn check_int(op: i32, unsigned: i32, left: i64, right: i64, text: *const u8, length: usize, line: u32);
}

fn int(name: &str, lo: i64, hi: i64) -> i64 {
    unsafe { tw_int(name.as_ptr(), name.len(), 1, lo, hi) }
}

fn run<T>(action: impl FnOnce() -> T) -> T {
    unsafe { run_begin() };
    let result = action();
    unsafe { run_end() };
    result
}

fn most_frequent(numbers: &[i64]) -> i64 {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_default() += 1);
    println!("{counts:?}");
    counts.into_iter().max_by_key(|(number, count)| (*count, *number)).map_or(0, |(number, _)| number)
}

#[unsafe(export_name = "relation:reverse")]
pub extern "C" fn reverse() {
    let n = int("n", 1, 40);
    let numbers: Vec<i64> = (0..n).map(|_| int("x", 0, 5)).collect();
    let reversed: Vec<i64> = numbers.iter().rev().copied().collect();
    let (source, follow_up) = (run(|| most_frequent(&numbers)), run(|| most_frequent(&reversed)));
    unsafe { check_int(1, 0, source, follow_up, "==".as_ptr(), 2, line!()) };
}

#[unsafe(export_name = "relation:panics")]
pub extern "C" fn panics() {
    let n = int("n", 1, 3) as usize;
    run(|| [1, 2, 3][std::hint::black_box(n + 3)]);
}
