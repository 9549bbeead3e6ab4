//! Floating point: NaN with sign and payload, infinities, signed zero, subnormal numbers, both widths, rounding, and what is said of bits.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var};

/// Special doubles, as bits.
const DOUBLES: [&str; 18] = [
    "0x0000000000000000",
    "0x8000000000000000",
    "0x3ff0000000000000",
    "0xbff0000000000000",
    "0x7ff0000000000000",
    "0xfff0000000000000",
    "0x7ff8000000000000",
    "0xfff8000000000000",
    "0x7ff8000000000123",
    "0x0000000000000001",
    "0x8000000000000001",
    "0x7fefffffffffffff",
    "0x4000000000000000",
    "0x3fe0000000000000",
    "0x41dfffffffc00000",
    "0xc1e0000000000000",
    "0x3fb999999999999a",
    "0x4340000000000001",
];
/// Special singles, as bits.
const SINGLES: [&str; 16] = [
    "0x00000000",
    "0x80000000",
    "0x3f800000",
    "0xbf800000",
    "0x7f800000",
    "0xff800000",
    "0x7fc00000",
    "0xffc00000",
    "0x7fc00123",
    "0x00000001",
    "0x80000001",
    "0x7f7fffff",
    "0x40000000",
    "0x3f000000",
    "0x4f000000",
    "0x3dcccccd",
];

/// What is true of doubles `a` and `b`, as two results that are compared, and the least that makes it false: in a third place, what looks alike.
const LAWS: [(&str, &str, &str); 24] = [
    ("a + b == b + a", "!(a + b != b + a)", "a - b == b - a"),
    ("a * b == b * a", "!(a * b != b * a)", "a / b == b / a"),
    ("a < b", "b > a", "!(a >= b)"),
    ("a <= b", "b >= a", "!(a > b)"),
    ("a == b", "b == a", "bits$(a) == bits$(b)"),
    ("a != a", "isnan$(a)", "bits$(a) == 0x7ff8000000000000ull"),
    ("-(a - b) == b - a || isnan$(a - b)", "1", "-(a - b) == b - a"),
    ("bits$(-a)", "bits$(a) ^ 0x8000000000000000ull", "bits$(0.0 - a)"),
    ("bits$(__builtin_fabs(a))", "bits$(a) & 0x7fffffffffffffffull", "bits$(a < 0 ? -a : a)"),
    (
        "bits$(__builtin_copysign(a, b))",
        "(bits$(a) & 0x7fffffffffffffffull) | (bits$(b) & 0x8000000000000000ull)",
        "bits$(b < 0 ? -__builtin_fabs(a) : __builtin_fabs(a))",
    ),
    ("a + 0.0 == a", "a == a", "bits$(a + 0.0) == bits$(a)"),
    ("a * 1.0 == a", "a == a", "a * 1.0 == a * 1.0 + 0.5"),
    ("a - a == 0.0", "a - a == a - a", "1"),
    ("a * 2.0 == a + a", "a == a", "a * 2.0 == a * 3.0 - a"),
    ("a / 2.0 == a * 0.5", "a == a", "a / 10.0 == a * 0.1"),
    ("__builtin_sqrt(a * a) >= 0.0", "a == a", "__builtin_sqrt(a) >= 0.0"),
    ("(double)(float)(double)(float)a == (double)(float)a", "a == a", "(double)(float)a == a"),
    ("__builtin_floor(a) <= a", "a == a", "__builtin_floor(a) < a"),
    (
        "__builtin_trunc(a) == a || __builtin_fabs(__builtin_trunc(a)) < __builtin_fabs(a)",
        "a == a",
        "__builtin_trunc(a) <= a",
    ),
    ("isnan$(a + b)", "isnan$(b + a)", "isnan$(a) || isnan$(b)"),
    ("bits$(of$(bits$(a)))", "bits$(a)", "bits$(a + 0.0)"),
    ("(a < b) + (a == b) + (a > b)", "1 - (isnan$(a) || isnan$(b))", "1"),
    ("1.0 / a == 1.0 / b", "1.0 / b == 1.0 / a", "a == b"),
    ("signed$(a)", "(int)(bits$(a) >> 63)", "a < 0.0"),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let double = dice.percent(70);
    let table: &[&str] = if double { &DOUBLES } else { &SINGLES };
    let size = table.len() as i64;
    let mut vars = vec![Var::i32("i", 0, size - 1), Var::i32("j", 0, size - 1)];
    // A third scalar makes rare faults possible.
    vars.push(Var::i32("k", 0, dice.range(1, 7)));
    let (of, word) = if double { ("double", "uint64_t") } else { ("float", "uint32_t") };
    let mut order: Vec<&str> = table.to_vec();
    dice.shuffle(&mut order);
    draft.function(format!("static const {word} table$[{size}] = {{{}}};", order.join(", ")));
    draft
        .function(format!("static {word} bits$({of} a) {{ {word} w; memcpy(&w, &a, sizeof w); return w; }}"));
    draft.function(format!("static {of} of$({word} w) {{ {of} a; memcpy(&a, &w, sizeof a); return a; }}"));
    draft.function(format!("static int isnan$({of} a) {{ return a != a; }}"));
    draft.function(format!("static int signed$({of} a) {{ return __builtin_signbit(a) ? 1 : 0; }}"));
    let (mut left, mut right, wrong) = LAWS[dice.index(LAWS.len())];
    if dice.percent(50) {
        (left, right) = (right, left);
    }
    let slipped = aim == Aim::Common || (aim == Aim::Rare && dice.percent(15));
    let right = if slipped { wrong } else { right };
    let fix = |text: &str| {
        if double {
            return text.to_owned();
        }
        text.replace("0x8000000000000000ull", "0x80000000u")
            .replace("0x7fffffffffffffffull", "0x7fffffffu")
            .replace("0x7ff8000000000000ull", "0x7fc00000u")
            .replace(">> 63", ">> 31")
            .replace("fabs(", "fabsf(")
            .replace("copysign(", "copysignf(")
            .replace("sqrt(", "sqrtf(")
            .replace("floor(", "floorf(")
            .replace("trunc(", "truncf(")
            .replace("0.0", "0.0f")
            .replace("0.5", "0.5f")
            .replace("1.0", "1.0f")
            .replace("2.0", "2.0f")
    };
    let guard = if dice.percent(25) { "if (k == 0) return 0; " } else { "" };
    let fault = if slipped { String::new() } else { fault(dice, aim, &vars, "r") };
    let (left, right) = (fix(left), fix(right));
    draft.function(format!("static {word} f$({of} a, {of} b, int k) {{ {guard}return ({word})({left}); }}"));
    draft.function(format!(
        "static {word} g$({of} a, {of} b, int i, int j, int k) {{ {guard}{word} r = ({word})({right}); {fault} return r; }}"
    ));
    draws(&mut draft, &vars);
    if double && dice.percent(15) {
        // A drawn double with few values around a special one.
        let around = dice.pick(&["0.0", "1.0", "-1.0", "0x1p-1022", "0x1.fffffffffffffp+1023"]);
        let (lo, hi) = match around {
            "0.0" => ("-0x0.0000000000002p-1022", "0x0.0000000000003p-1022"),
            "1.0" => ("0x1.ffffffffffffep-1", "0x1.0000000000002p+0"),
            "-1.0" => ("-0x1.0000000000002p+0", "-0x1.ffffffffffffep-1"),
            "0x1p-1022" => ("0x0.ffffffffffffep-1022", "0x1.0000000000002p-1022"),
            _ => ("0x1.ffffffffffffcp+1023", "0x1.fffffffffffffp+1023"),
        };
        draft.line(format!("double a = tw_f64(\"a\", {lo}, {hi}), b = of$(table$[j]);"));
    } else {
        draft.line(format!("{of} a = of$(table$[i]), b = of$(table$[j]);"));
    }
    draft.line("CHECK_EQ(RUN(f$(a, b, k)), RUN(g$(a, b, i, j, k)));");
    draft
}
