//! Inputs: each has a name and a range, both ends included.

use crate::host;

const I32: i32 = 0;
const I64: i32 = 1;
const U32: i32 = 2;
const BOOL: i32 = 3;
const CHOICE: i32 = 4;
const LENGTH: i32 = 5;
const U8: i32 = 6;
const I16: i32 = 7;

/// A signed 32-bit number.
pub fn i32(name: &str, lo: i32, hi: i32) -> i32 {
    host::int(name, I32, lo.into(), hi.into()) as i32
}

/// A signed 64-bit number.
pub fn i64(name: &str, lo: i64, hi: i64) -> i64 {
    host::int(name, I64, lo, hi)
}

/// An unsigned 32-bit number.
pub fn u32(name: &str, lo: u32, hi: u32) -> u32 {
    host::int(name, U32, lo.into(), hi.into()) as u32
}

/// A byte.
pub fn u8(name: &str, lo: u8, hi: u8) -> u8 {
    host::int(name, U8, lo.into(), hi.into()) as u8
}

/// A truth value.
pub fn boolean(name: &str) -> bool {
    host::int(name, BOOL, 0, 1) != 0
}

/// A finite double.
pub fn f64(name: &str, lo: f64, hi: f64) -> f64 {
    host::float(name, lo, hi)
}

/// One of `count` alternatives, counted from 0.
pub fn choice(name: &str, count: usize) -> usize {
    host::int(name, CHOICE, 0, count as i64 - 1) as usize
}

/// A length: it shrinks first, and what is drawn after it follows.
pub fn len(name: &str, lo: usize, hi: usize) -> usize {
    host::int(name, LENGTH, lo as i64, hi as i64) as usize
}

/// `n` signed 32-bit numbers.
pub fn i32s(name: &str, n: usize, lo: i32, hi: i32) -> Vec<i32> {
    let mut out = vec![0; n];
    host::ints(name, I32, &mut out, -1, n as i32, lo.into(), hi.into());
    out
}

/// `n` signed 64-bit numbers.
pub fn i64s(name: &str, n: usize, lo: i64, hi: i64) -> Vec<i64> {
    let mut out = vec![0; n];
    host::ints(name, I64, &mut out, -1, n as i32, lo, hi);
    out
}

/// `n` unsigned 32-bit numbers.
pub fn u32s(name: &str, n: usize, lo: u32, hi: u32) -> Vec<u32> {
    let mut out = vec![0; n];
    host::ints(name, U32, &mut out, -1, n as i32, lo.into(), hi.into());
    out
}

/// `n` signed 16-bit numbers.
pub fn i16s(name: &str, n: usize, lo: i16, hi: i16) -> Vec<i16> {
    let mut out = vec![0; n];
    host::ints(name, I16, &mut out, -1, n as i32, lo.into(), hi.into());
    out
}

/// Exactly `n` bytes of any value.
pub fn bytes(name: &str, n: usize) -> Vec<u8> {
    let mut out = vec![0; n];
    host::ints(name, U8, &mut out, -1, n as i32, 0, 255);
    out
}

/// `n` finite doubles.
pub fn f64s(name: &str, n: usize, lo: f64, hi: f64) -> Vec<f64> {
    let mut out = vec![0.0; n];
    host::floats(name, &mut out, -1, n as i32, lo, hi);
    out
}

/// A matrix of signed 32-bit numbers, row by row.
pub fn i32_matrix(name: &str, rows: usize, columns: usize, lo: i32, hi: i32) -> Vec<Vec<i32>> {
    let mut out = vec![0; rows * columns];
    host::ints(name, I32, &mut out, rows as i32, columns as i32, lo.into(), hi.into());
    (0..rows).map(|row| out[row * columns..(row + 1) * columns].to_vec()).collect()
}

/// A matrix of doubles, row by row.
pub fn f64_matrix(name: &str, rows: usize, columns: usize, lo: f64, hi: f64) -> Vec<Vec<f64>> {
    let mut out = vec![0.0; rows * columns];
    host::floats(name, &mut out, rows as i32, columns as i32, lo, hi);
    (0..rows).map(|row| out[row * columns..(row + 1) * columns].to_vec()).collect()
}

/// Text of at most `max` characters of an ASCII alphabet.
pub fn text(name: &str, max: usize, alphabet: &str) -> String {
    text_between(name, 0, max, alphabet)
}

/// Text of `min` to `max` characters of an ASCII alphabet.
pub fn text_between(name: &str, min: usize, max: usize, alphabet: &str) -> String {
    assert!(alphabet.is_ascii(), "the alphabet of `{name}` must be ASCII; draw bytes for other text");
    host::text(name, min as i32, max as i32, alphabet.as_bytes()).into_iter().map(char::from).collect()
}

/// A permutation of 0 … n-1.
pub fn permutation(name: &str, n: usize) -> Vec<usize> {
    let mut out = vec![0; n];
    host::permutation(name, &mut out);
    out.into_iter().map(|index| index as usize).collect()
}

/// One operation of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Which, counted from 0 in the order of the specification.
    pub op: i32,
    /// Its arguments; unused ones are 0.
    pub arguments: [i32; 3],
}

/// At most `max` operations for a stateful subject; the specification lists them: `push 0..99; pop; move 0..3 0..3`.
pub fn ops(name: &str, max: usize, spec: &str) -> Vec<Op> {
    let drawn = host::ops(name, max as i32, spec).into_iter();
    drawn.map(|[op, a, b, c]| Op { op, arguments: [a, b, c] }).collect()
}
