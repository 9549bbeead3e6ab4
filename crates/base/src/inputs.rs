//! Where the inputs of a running relation come from: a generator, a saved case, a shrinker.
//!
//! The engines call these methods when the relation draws; the provider answers within the domain. An engine never checks
//! the answer, so a provider that replays an old case must bring it back into the domain ([`crate::case`]).

use crate::case::{IntKind, Op, OpSpec, Shape};

/// A provider of inputs. Array answers are appended to an empty `out`.
pub trait Inputs {
    /// A number of the domain `lo..=hi`.
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64;
    /// A finite double in `lo..=hi`.
    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64;
    /// `shape.count()` integers in `lo..=hi`.
    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>);
    /// `shape.count()` doubles in `lo..=hi`.
    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>);
    /// `min` to `max` bytes of the alphabet (empty: all bytes).
    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>);
    /// A permutation of `0..n`.
    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>);
    /// Up to `max` operations.
    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>);
}
