//! The host's side in WebAssembly: imports of the module `twinrun`.

#![allow(unsafe_code)]

unsafe extern "C" {
    fn __wasm_call_ctors();
}

/// What the engine calls first. Because it is here, the linker does not wrap every relation in a start and an end of the
/// program.
#[unsafe(no_mangle)]
pub extern "C" fn _initialize() {
    // SAFETY: the linker makes this function, without parameters and results.
    unsafe { __wasm_call_ctors() }
}

/// A pointer and a length.
#[repr(C)]
pub struct Argument {
    data: *const u8,
    length: i32,
}

mod imports {
    #[link(wasm_import_module = "twinrun")]
    unsafe extern "C" {
        pub fn int(name: *const u8, length: i32, kind: i32, lo: i64, hi: i64) -> i64;
        pub fn float(name: *const u8, length: i32, lo: f64, hi: f64) -> f64;
        pub fn ints(name: *const u8, length: i32, kind: i32, out: *mut u8, rows: i32, columns: i32, lo: i64, hi: i64);
        pub fn floats(name: *const u8, length: i32, out: *mut f64, rows: i32, columns: i32, lo: f64, hi: f64);
        pub fn text(name: *const u8, length: i32, out: *mut u8, min: i32, max: i32, alphabet: *const u8, alphabet_length: i32) -> i32;
        pub fn permutation(name: *const u8, length: i32, out: *mut i32, n: i32);
        pub fn ops(name: *const u8, length: i32, out: *mut i32, max: i32, spec: *const u8, spec_length: i32) -> i32;
        pub fn run_begin();
        pub fn run_end();
        pub fn assume(condition: i32);
        pub fn check(condition: i32, text: *const u8, length: i32, line: i32);
        pub fn check_int(op: i32, unsigned: i32, left: i64, right: i64, text: *const u8, length: i32, line: i32);
        pub fn check_float(op: i32, left: f64, right: f64, tolerance: f64, text: *const u8, length: i32, line: i32);
        pub fn check_bytes(left: *const u8, left_length: i32, right: *const u8, right_length: i32, text: *const u8, length: i32, line: i32);
        pub fn given_int(name: *const u8, length: i32, value: i64);
        pub fn given_float(name: *const u8, length: i32, value: f64);
        pub fn given_ints(name: *const u8, length: i32, kind: i32, values: *const u8, count: i32);
        pub fn given_floats(name: *const u8, length: i32, values: *const f64, count: i32);
        pub fn given_bytes(name: *const u8, length: i32, bytes: *const u8, count: i32);
        pub fn output_int(name: *const u8, length: i32, value: i64);
        pub fn output_float(name: *const u8, length: i32, value: f64);
        pub fn output_ints(name: *const u8, length: i32, kind: i32, values: *const u8, count: i32);
        pub fn output_floats(name: *const u8, length: i32, values: *const f64, count: i32);
        pub fn output_bytes(name: *const u8, length: i32, bytes: *const u8, count: i32);
        pub fn program_file(path: *const u8, length: i32, data: *const u8, data_length: i32);
        pub fn program(name: *const u8, length: i32, arguments: *const super::Argument, count: i32, stdin: *const u8, stdin_length: i32) -> i32;
        pub fn program_output(stream: i32, offset: i32, out: *mut u8, capacity: i32) -> i32;
        pub fn program_written(path: *const u8, length: i32, out: *mut u8, capacity: i32) -> i32;
    }
}

macro_rules! text {
    ($text:expr) => {
        ($text.as_ptr(), $text.len() as i32)
    };
}

pub(crate) fn int(name: &str, kind: i32, lo: i64, hi: i64) -> i64 {
    let (name, length) = text!(name);
    // SAFETY: the host reads the name only.
    unsafe { imports::int(name, length, kind, lo, hi) }
}

pub(crate) fn float(name: &str, lo: f64, hi: f64) -> f64 {
    let (name, length) = text!(name);
    // SAFETY: the host reads the name only.
    unsafe { imports::float(name, length, lo, hi) }
}

/// Fills `out`, whose elements have the size that `kind` says.
pub(crate) fn ints<T: Copy>(name: &str, kind: i32, out: &mut [T], rows: i32, columns: i32, lo: i64, hi: i64) {
    let (name, length) = text!(name);
    // SAFETY: the callers in `input` pair every kind with its element type and give exactly as many elements as they ask for.
    unsafe { imports::ints(name, length, kind, out.as_mut_ptr().cast(), rows, columns, lo, hi) }
}

pub(crate) fn floats(name: &str, out: &mut [f64], rows: i32, columns: i32, lo: f64, hi: f64) {
    let (name, length) = text!(name);
    // SAFETY: the callers in `input` give exactly as many elements as they ask for.
    unsafe { imports::floats(name, length, out.as_mut_ptr(), rows, columns, lo, hi) }
}

pub(crate) fn text(name: &str, min: i32, max: i32, alphabet: &[u8]) -> Vec<u8> {
    let mut out = vec![0; max as usize];
    let ((name, length), (alphabet, count)) = (text!(name), text!(alphabet));
    // SAFETY: the host writes at most `max` bytes.
    let written = unsafe { imports::text(name, length, out.as_mut_ptr(), min, max, alphabet, count) };
    out.truncate(written as usize);
    out
}

pub(crate) fn permutation(name: &str, out: &mut [i32]) {
    let (name, length) = text!(name);
    // SAFETY: the host writes one number for each element.
    unsafe { imports::permutation(name, length, out.as_mut_ptr(), out.len() as i32) }
}

pub(crate) fn ops(name: &str, max: i32, spec: &str) -> Vec<[i32; 4]> {
    let mut out = vec![[0; 4]; max as usize];
    let ((name, length), (spec, count)) = (text!(name), text!(spec));
    // SAFETY: the host writes at most `max` operations of four numbers.
    let written = unsafe { imports::ops(name, length, out.as_mut_ptr().cast(), max, spec, count) };
    out.truncate(written as usize);
    out
}

macro_rules! plain {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        pub(crate) fn $name($($argument: $type),*) {
            // SAFETY: numbers only.
            unsafe { imports::$name($($argument),*) }
        }
    )*};
}
plain! {
    run_begin();
    run_end();
}

pub(crate) fn assume(condition: bool) {
    // SAFETY: numbers only.
    unsafe { imports::assume(condition.into()) }
}

pub(crate) fn check(condition: bool, text: &str, line: u32) {
    let (text, length) = text!(text);
    // SAFETY: the host reads the text only.
    unsafe { imports::check(condition.into(), text, length, line as i32) }
}

pub(crate) fn check_int(op: i32, unsigned: bool, left: i64, right: i64, text: &str, line: u32) {
    let (text, length) = text!(text);
    // SAFETY: the host reads the text only.
    unsafe { imports::check_int(op, unsigned.into(), left, right, text, length, line as i32) }
}

pub(crate) fn check_float(op: i32, left: f64, right: f64, tolerance: f64, text: &str, line: u32) {
    let (text, length) = text!(text);
    // SAFETY: the host reads the text only.
    unsafe { imports::check_float(op, left, right, tolerance, text, length, line as i32) }
}

pub(crate) fn check_bytes(left: &[u8], right: &[u8], text: &str, line: u32) {
    let ((left, left_length), (right, right_length), (text, length)) = (text!(left), text!(right), text!(text));
    // SAFETY: the host reads the three slices only.
    unsafe { imports::check_bytes(left, left_length, right, right_length, text, length, line as i32) }
}

macro_rules! shown {
    ($int:ident, $float:ident, $ints:ident, $floats:ident, $bytes:ident) => {
        pub(crate) fn $int(name: &str, value: i64) {
            let (name, length) = text!(name);
            // SAFETY: the host reads the name only.
            unsafe { imports::$int(name, length, value) }
        }

        pub(crate) fn $float(name: &str, value: f64) {
            let (name, length) = text!(name);
            // SAFETY: the host reads the name only.
            unsafe { imports::$float(name, length, value) }
        }

        pub(crate) fn $ints(name: &str, values: &[i64]) {
            let (name, length) = text!(name);
            // SAFETY: the host reads the name and 64-bit numbers (kind 1).
            unsafe { imports::$ints(name, length, 1, values.as_ptr().cast(), values.len() as i32) }
        }

        pub(crate) fn $floats(name: &str, values: &[f64]) {
            let (name, length) = text!(name);
            // SAFETY: the host reads the name and the doubles.
            unsafe { imports::$floats(name, length, values.as_ptr(), values.len() as i32) }
        }

        pub(crate) fn $bytes(name: &str, bytes: &[u8]) {
            let ((name, length), (bytes, count)) = (text!(name), text!(bytes));
            // SAFETY: the host reads both slices only.
            unsafe { imports::$bytes(name, length, bytes, count) }
        }
    };
}
shown!(given_int, given_float, given_ints, given_floats, given_bytes);
shown!(output_int, output_float, output_ints, output_floats, output_bytes);

pub(crate) fn program_file(path: &str, data: &[u8]) {
    let ((path, length), (data, count)) = (text!(path), text!(data));
    // SAFETY: the host reads both slices only.
    unsafe { imports::program_file(path, length, data, count) }
}

pub(crate) fn program(name: &str, arguments: &[Vec<u8>], stdin: &[u8]) -> i32 {
    let pairs: Vec<Argument> = arguments.iter().map(|it| Argument { data: it.as_ptr(), length: it.len() as i32 }).collect();
    let ((name, length), (stdin, count)) = (text!(name), text!(stdin));
    // SAFETY: the host reads the pairs and what they name.
    unsafe { imports::program(name, length, pairs.as_ptr(), pairs.len() as i32, stdin, count) }
}

pub(crate) fn program_output(stream: i32) -> Vec<u8> {
    // SAFETY: with capacity 0 nothing is written; then there is room for all that the host writes.
    unsafe {
        let total = imports::program_output(stream, 0, std::ptr::null_mut(), 0);
        let mut out = vec![0; total as usize];
        imports::program_output(stream, 0, out.as_mut_ptr(), total);
        out
    }
}

pub(crate) fn program_written(path: &str) -> Option<Vec<u8>> {
    let (path, length) = text!(path);
    // SAFETY: with capacity 0 nothing is written; then there is room for all that the host writes.
    unsafe {
        let total = imports::program_written(path, length, std::ptr::null_mut(), 0);
        let mut out = vec![0; usize::try_from(total).ok()?];
        imports::program_written(path, length, out.as_mut_ptr(), total);
        Some(out)
    }
}
