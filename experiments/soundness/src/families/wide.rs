//! Numbers of 64 bits, products that nearly overflow, and conversions between integers and floats.

use super::{arguments, draws, fault, parameters};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var, scalars};

/// The same in two ways over `a` and `b`, which are `int64_t` of any size.
const WAYS: [(&str, &str); 16] = [
    (
        "return (uint64_t)a * (uint64_t)b;",
        "uint64_t r = (uint64_t)(uint32_t)a * (uint64_t)b + (((uint64_t)a >> 32) * (uint64_t)b << 32); FAULT return r;",
    ),
    (
        "return (uint64_t)(a < b ? a : b);",
        "uint64_t r = (uint64_t)b ^ (((uint64_t)a ^ (uint64_t)b) & (0ull - (uint64_t)(a < b))); FAULT return r;",
    ),
    (
        "return (uint64_t)((uint64_t)a < (uint64_t)b);",
        "uint64_t r = (a < 0) == (b < 0) ? a < b : b < 0; FAULT return r;",
    ),
    (
        "uint64_t v = (uint64_t)a; return v ? (uint64_t)__builtin_clzll(v) : 64;",
        "uint64_t v = (uint64_t)a, r = v >> 32 ? (uint64_t)__builtin_clz((uint32_t)(v >> 32)) : (uint32_t)v ? 32 + (uint64_t)__builtin_clz((uint32_t)v) : 64; FAULT return r;",
    ),
    (
        "return (uint64_t)__builtin_popcountll((uint64_t)a);",
        "uint64_t r = (uint64_t)__builtin_popcount((uint32_t)a) + (uint64_t)__builtin_popcount((uint32_t)((uint64_t)a >> 32)); FAULT return r;",
    ),
    (
        "return (uint64_t)(a >> 7);",
        "uint64_t r = a < 0 ? ~(~(uint64_t)a >> 7) : (uint64_t)a >> 7; FAULT return r;",
    ),
    (
        "return (uint64_t)(a / 10) + (uint64_t)(a % 10);",
        "int64_t q = a / 10; uint64_t r = (uint64_t)q + (uint64_t)(a - q * 10); FAULT return r;",
    ),
    ("return (uint64_t)a / 7u;", "uint64_t v = (uint64_t)a, r = (v - v % 7u) / 7u; FAULT return r;"),
    (
        "return (uint64_t)(int64_t)(int32_t)a;",
        "uint64_t r = (uint64_t)((int64_t)((uint64_t)a << 32) >> 32); FAULT return r;",
    ),
    (
        "return (uint64_t)(double)(int32_t)a == (uint64_t)(int64_t)(int32_t)a || (int32_t)a < 0;",
        "uint64_t r = 1; FAULT return r;",
    ),
    (
        "return (uint64_t)(int64_t)(double)(int32_t)a;",
        "uint64_t r = (uint64_t)(int64_t)(int32_t)a; FAULT return r;",
    ),
    ("return (uint64_t)((float)(int32_t)a == (float)(double)(int32_t)a);", "uint64_t r = 1; FAULT return r;"),
    (
        "return (uint64_t)((double)(float)(int16_t)a == (double)(int16_t)a);",
        "uint64_t r = 1; FAULT return r;",
    ),
    (
        "uint64_t v = (uint64_t)a; return v << (b & 63) | v >> (-b & 63);",
        "unsigned n = (unsigned)b % 64u; uint64_t v = (uint64_t)a, r = n ? v << n | v >> (64u - n) : v; FAULT return r;",
    ),
    (
        "return (uint64_t)((int32_t)(uint32_t)a * (int64_t)(int32_t)(uint32_t)b);",
        "int64_t x_ = (int32_t)a, y_ = (int32_t)b; uint64_t r = (uint64_t)(y_ * x_); FAULT return r;",
    ),
    (
        "return ((uint64_t)(uint32_t)a + (uint32_t)b) >> 32;",
        "uint32_t s = (uint32_t)a + (uint32_t)b; uint64_t r = s < (uint32_t)a; FAULT return r;",
    ),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let count = 1 + dice.index(2);
    let budget = dice.range(300, 3000);
    let vars: Vec<Var> = scalars(dice, count, budget);
    let fault = fault(dice, aim, &vars, "r");
    let (left, right) = WAYS[dice.index(WAYS.len())];
    let parameters = parameters(&vars);
    let arguments = arguments(&vars);
    // Small drawn numbers moved to where the width matters.
    let offsets = [
        "0",
        "2147483600ll",
        "4294967200ll",
        "-2147483700ll",
        "9223372036854770000ll",
        "-9223372036854770000ll",
        "1099511627776ll",
    ];
    let moved = |name: &str, by: &str| format!("(int64_t)((uint64_t){name} + (uint64_t){by})");
    let first = moved(&vars[0].name, dice.pick(&offsets));
    let second = moved(&vars[vars.len() - 1].name, dice.pick(&offsets));
    let begin = format!("int64_t a = {first}, b = {second}; (void)b;");
    draft.function(format!("static uint64_t f$({parameters}) {{ {begin} {left} }}"));
    draft.function(format!(
        "static uint64_t g$({parameters}) {{ {begin} {} }}",
        right.replace("FAULT", &fault)
    ));
    draws(&mut draft, &vars);
    draft.line(format!("CHECK_EQ(RUN(f$({arguments})), RUN(g$({arguments})));"));
    draft
}
