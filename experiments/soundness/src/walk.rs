//! Every case of a relation, one after the other: a provider of inputs that counts through all values of all draws.
//!
//! What is drawn may depend on what was drawn before; the walk follows, because it only remembers digits.

use twinrun_base::{Case, Domain, Input, Inputs, IntKind, Op, OpSpec, Shape, Value};

/// Counts through all cases, the last draw fastest.
#[derive(Debug, Default)]
pub struct Walk {
    /// Of each digit, its value and how many values it has.
    digits: Vec<(u64, u64)>,
    next: usize,
    /// What was drawn, where that is wanted.
    case: Option<Case>,
    too_many: bool,
}

/// A digit with more values than this cannot be counted through.
const MOST: u64 = 1 << 20;

impl Walk {
    /// A walk that also keeps the case.
    pub fn keeping() -> Walk {
        Walk { case: Some(Case::default()), ..Walk::default() }
    }

    /// Begins the case at which the walk stands.
    pub fn begin(&mut self) {
        self.next = 0;
        if let Some(case) = &mut self.case {
            case.inputs.clear();
        }
    }

    /// Goes on to the next case; false after the last.
    pub fn advance(&mut self) -> bool {
        self.digits.truncate(self.next);
        while let Some((value, size)) = self.digits.pop() {
            if value + 1 < size {
                self.digits.push((value + 1, size));
                return true;
            }
        }
        false
    }

    /// Whether some draw has more values than can be counted through.
    pub fn too_many(&self) -> bool {
        self.too_many
    }

    /// The case drawn last, if it is kept.
    pub fn case(&self) -> Option<&Case> {
        self.case.as_ref()
    }

    fn digit(&mut self, size: u64) -> u64 {
        self.too_many |= size > MOST;
        if self.next == self.digits.len() {
            self.digits.push((0, size));
        }
        self.next += 1;
        self.digits[self.next - 1].0
    }

    fn number(&mut self, lo: i64, hi: i64) -> i64 {
        let size = (hi as u64).wrapping_sub(lo as u64).saturating_add(1);
        lo.wrapping_add(self.digit(size) as i64)
    }

    fn double(&mut self, lo: f64, hi: f64) -> f64 {
        // Both zeros lie in a range that has one of them at its end.
        let first = order(if lo == 0.0 { -0.0 } else { lo });
        let last = order(if hi == 0.0 { 0.0 } else { hi });
        of_order(self.number(first, last))
    }

    fn keep(&mut self, name: &str, domain: impl FnOnce() -> Domain, value: impl FnOnce() -> Value) {
        if let Some(case) = &mut self.case {
            case.inputs.push(Input { name: name.to_owned(), domain: domain(), value: value() });
        }
    }
}

/// Doubles numbered in their order, -0.0 before 0.0.
fn order(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN - bits - 1 } else { bits }
}

fn of_order(number: i64) -> f64 {
    f64::from_bits(if number < 0 { (i64::MIN - number - 1) as u64 } else { number as u64 })
}

impl Inputs for Walk {
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64 {
        let value = self.number(lo, hi);
        self.keep(name, || Domain::Int { kind, lo, hi }, || Value::Int(value));
        value
    }

    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64 {
        let value = self.double(lo, hi);
        self.keep(name, || Domain::Float { lo, hi }, || Value::Float(value));
        value
    }

    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        for _ in 0..shape.count() {
            let value = self.number(lo, hi);
            out.push(value);
        }
        self.keep(name, || Domain::Ints { kind, shape, lo, hi }, || Value::Ints(out.clone()));
    }

    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        for _ in 0..shape.count() {
            let value = self.double(lo, hi);
            out.push(value);
        }
        self.keep(name, || Domain::Floats { shape, lo, hi }, || Value::Floats(out.clone()));
    }

    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        let length = self.number(i64::from(min), i64::from(max));
        for _ in 0..length {
            let size = if alphabet.is_empty() { 256 } else { alphabet.len() as u64 };
            let digit = self.digit(size);
            out.push(alphabet.get(digit as usize).copied().unwrap_or(digit as u8));
        }
        self.keep(
            name,
            || Domain::Text { min, max, alphabet: alphabet.to_vec() },
            || Value::Bytes(out.clone()),
        );
    }

    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>) {
        let mut left: Vec<i64> = (0..i64::from(n)).collect();
        while !left.is_empty() {
            let digit = self.digit(left.len() as u64);
            out.push(left.remove(digit as usize));
        }
        self.keep(name, || Domain::Permutation { n }, || Value::Ints(out.clone()));
    }

    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        let length = self.digit(u64::from(max) + 1);
        for _ in 0..length {
            let op = self.digit(specs.len() as u64);
            let mut arguments = [0; 3];
            for (argument, (lo, hi)) in arguments.iter_mut().zip(&specs[op as usize].arguments) {
                *argument = self.number(i64::from(*lo), i64::from(*hi)) as i32;
            }
            out.push(Op { op: op as i32, arguments });
        }
        self.keep(name, || Domain::Ops { max, specs: specs.to_vec() }, || Value::Ops(out.clone()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_case_comes_once_also_where_draws_depend_on_others() {
        let mut walk = Walk::default();
        let mut seen = BTreeSet::new();
        loop {
            walk.begin();
            let n = walk.int("n", IntKind::Length, 0, 2);
            let mut out = Vec::new();
            walk.ints("a", IntKind::I32, Shape::Array(n as u32), -1, 1, &mut out);
            let mut order = Vec::new();
            if n == 1 {
                walk.permutation("p", 3, &mut order);
            }
            assert!(seen.insert((n, out, order)));
            if !walk.advance() {
                break;
            }
        }
        assert_eq!(seen.len(), 1 + 3 * 6 + 9);
    }

    #[test]
    fn doubles_come_in_order_with_both_zeros() {
        let mut walk = Walk::default();
        let mut seen = Vec::new();
        loop {
            walk.begin();
            seen.push(walk.float("x", -f64::from_bits(1), 0.0).to_bits());
            if !walk.advance() {
                break;
            }
        }
        assert_eq!(seen, [0x8000_0000_0000_0001, 0x8000_0000_0000_0000, 0]);
    }
}
