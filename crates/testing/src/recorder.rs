//! Hands inputs through and keeps them as a case.

use twinrun_base::{Case, Domain, Input, Inputs, IntKind, Op, OpSpec, Shape, Value};

/// Inputs from another provider, kept.
pub struct Recorder<'a> {
    inner: &'a mut dyn Inputs,
    inputs: Vec<Input>,
}

impl<'a> Recorder<'a> {
    /// Nothing was drawn yet.
    pub fn new(inner: &'a mut dyn Inputs) -> Recorder<'a> {
        Recorder { inner, inputs: Vec::new() }
    }

    /// The case so far.
    pub fn case(self) -> Case {
        Case { inputs: self.inputs }
    }

    fn keep(&mut self, name: &str, domain: Domain, value: Value) {
        self.inputs.push(Input { name: name.to_owned(), domain, value });
    }
}

impl Inputs for Recorder<'_> {
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64 {
        let value = self.inner.int(name, kind, lo, hi);
        self.keep(name, Domain::Int { kind, lo, hi }, Value::Int(value));
        value
    }

    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64 {
        let value = self.inner.float(name, lo, hi);
        self.keep(name, Domain::Float { lo, hi }, Value::Float(value));
        value
    }

    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        self.inner.ints(name, kind, shape, lo, hi, out);
        self.keep(name, Domain::Ints { kind, shape, lo, hi }, Value::Ints(out.clone()));
    }

    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        self.inner.floats(name, shape, lo, hi, out);
        self.keep(name, Domain::Floats { shape, lo, hi }, Value::Floats(out.clone()));
    }

    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        self.inner.text(name, min, max, alphabet, out);
        self.keep(name, Domain::Text { min, max, alphabet: alphabet.to_vec() }, Value::Bytes(out.clone()));
    }

    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>) {
        self.inner.permutation(name, n, out);
        self.keep(name, Domain::Permutation { n }, Value::Ints(out.clone()));
    }

    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        self.inner.ops(name, max, specs, out);
        self.keep(name, Domain::Ops { max, specs: specs.to_vec() }, Value::Ops(out.clone()));
    }
}
