use std::sync::Arc;

use twinrun_base::{Inputs, IntKind, Limits, Op, OpSpec, Shape, Verdict};
use twinrun_interp::{Concrete, LoadOptions, Module};

use super::*;

/// A relation of hand-written code: `f` keeps its variables in memory as unoptimised C does. Each store writes a constant that names it.
fn prepared(body: &str) -> Prepared<Concrete> {
    let text = format!(
        r#"(module
            (import "twinrun" "run_begin" (func $begin)) (import "twinrun" "run_end" (func $end))
            (import "twinrun" "int" (func $int (param i32 i32 i32 i64 i64) (result i64)))
            (import "twinrun" "check" (func $check (param i32 i32 i32 i32)))
            (memory 1)
            (func $f (param $x i32) (result i32) (local $fp i32)
                (local.set $fp (i32.const 1024))
                {body}
                (i32.load offset=4 (local.get $fp)))
            (func (export "relation:r") (local $out i32)
                (call $begin)
                (local.set $out (call $f (i32.wrap_i64 (call $int (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 9)))))
                (call $end)
                (call $check (i32.eq (local.get $out) (i32.const 77)) (i32.const 0) (i32.const 0) (i32.const 1))))"#
    );
    let module = Module::new(&wat::parse_str(text).unwrap(), LoadOptions::default()).unwrap();
    Prepared::new(&Arc::new(module), Limits::default(), &mut Concrete).unwrap()
}

/// The constants stored by the stores in the slice of the only run.
fn check(body: &str, x: i64, kind: SliceKind, expect: &[i32]) {
    let prepared = prepared(body);
    let relation = prepared.relation("r").unwrap();
    let slices = slice_group(&prepared, relation, &mut Fixed(x), kind, &Criterion::Checks).unwrap();
    assert_eq!(slices.observation.verdict, Verdict::Violated);
    let code = prepared.module.code(4);
    let mut found = Vec::new();
    let mut constant = 0;
    for (pc, instr) in code.instrs.iter().enumerate() {
        if let twinrun_interp::instr::Instr::I32Const { imm, .. } = instr {
            constant = *imm;
        }
        if matches!(instr, twinrun_interp::instr::Instr::I32Store { .. })
            && slices.runs[0].contains(&code.offsets[pc])
        {
            found.push(constant);
        }
    }
    assert_eq!(found, expect, "{:#?}", code.instrs);
}

const LAST_OF_TWO: &str = "
    (i32.store offset=8 (local.get $fp) (i32.const 11))
    (i32.store offset=4 (local.get $fp) (i32.const 12))
    (i32.store offset=4 (local.get $fp) (i32.const 13))";

const OMITTED: &str = "
    (i32.store offset=4 (local.get $fp) (i32.const 21))
    (i32.store offset=8 (local.get $fp) (i32.const 22))
    (if (i32.gt_s (i32.load offset=8 (local.get $fp)) (i32.const 100))
        (then (i32.store offset=4 (local.get $fp) (i32.const 23))))";

#[test]
fn only_the_store_that_is_read_is_in_the_slice() {
    check(LAST_OF_TWO, 0, SliceKind::Dynamic, &[13]);
}

#[test]
fn what_decides_an_executed_store_is_in_the_slice() {
    let body = "(i32.store offset=8 (local.get $fp) (i32.const 31))
        (i32.store offset=12 (local.get $fp) (i32.const 32))
        (if (i32.lt_s (i32.load offset=8 (local.get $fp)) (i32.const 100)) (then (i32.store offset=4 (local.get $fp) (i32.const 33))))";
    check(body, 0, SliceKind::Dynamic, &[31, 33]);
}

#[test]
fn an_omitted_assignment_is_lost_to_a_dynamic_slice_and_kept_by_a_relevant_one() {
    check(OMITTED, 0, SliceKind::Dynamic, &[21]);
    check(OMITTED, 0, SliceKind::Relevant, &[21, 22]);
}

struct Fixed(i64);

impl Inputs for Fixed {
    fn int(&mut self, _: &str, _: IntKind, _: i64, _: i64) -> i64 {
        self.0
    }
    fn float(&mut self, _: &str, lo: f64, _: f64) -> f64 {
        lo
    }
    fn ints(&mut self, _: &str, _: IntKind, shape: Shape, lo: i64, _: i64, out: &mut Vec<i64>) {
        out.resize(shape.count(), lo);
    }
    fn floats(&mut self, _: &str, shape: Shape, lo: f64, _: f64, out: &mut Vec<f64>) {
        out.resize(shape.count(), lo);
    }
    fn text(&mut self, _: &str, _: u32, _: u32, _: &[u8], _: &mut Vec<u8>) {}
    fn permutation(&mut self, _: &str, n: u32, out: &mut Vec<i64>) {
        out.extend(0..i64::from(n));
    }
    fn ops(&mut self, _: &str, _: u32, _: &[OpSpec], _: &mut Vec<Op>) {}
}
