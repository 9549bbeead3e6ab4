//! Pairs of C expressions that are equal by construction: each is put together in two ways from parts that are pairs themselves.
//!
//! Expressions of `int` carry their interval, so that they never overflow unless that is wanted; words are `uint32_t` and wrap around.

use crate::dice::Dice;
use crate::draft::{Var, constant};

/// Two equal expressions of type `int`.
#[derive(Clone, Debug)]
pub struct Pair {
    /// One way to say it.
    pub left: String,
    /// Another.
    pub right: String,
    /// The smallest value that it may have.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
}

const LEAST: i64 = i32::MIN as i64 + 1;
const MOST: i64 = i32::MAX as i64;

fn fits(lo: i64, hi: i64) -> bool {
    lo >= LEAST && hi <= MOST
}

/// A leaf: a variable cut to `int`, or a constant.
fn leaf(dice: &mut Dice, vars: &[Var]) -> Pair {
    if vars.is_empty() || dice.percent(15) {
        let value = dice.range(-9, 40);
        return Pair { left: constant(value), right: constant(value), lo: value, hi: value };
    }
    let var = &vars[dice.index(vars.len())];
    if fits(var.lo, var.hi) {
        let text = if var.of == "int32_t" { var.name.clone() } else { format!("(int){}", var.name) };
        return Pair { left: text.clone(), right: text, lo: var.lo, hi: var.hi };
    }
    let bits = [127, 1023, 65535][dice.index(3)];
    Pair {
        left: format!("(int)({} & {bits})", var.name),
        right: format!("(int)((uint32_t){} % {}u)", var.name, bits + 1),
        lo: 0,
        hi: bits,
    }
}

/// Two equal expressions of type `int`.
pub fn int(dice: &mut Dice, vars: &[Var], depth: u32) -> Pair {
    if depth == 0 {
        return leaf(dice, vars);
    }
    for _ in 0..8 {
        if let Some(pair) = inner(dice, vars, depth) {
            return pair;
        }
    }
    leaf(dice, vars)
}

fn inner(dice: &mut Dice, vars: &[Var], depth: u32) -> Option<Pair> {
    let kind = dice.range(0, 17);
    let a = int(dice, vars, depth - 1);
    let (al, ar) = (&a.left, &a.right);
    let way = dice.range(0, 2);
    let of = |left: String, right: String, lo: i64, hi: i64| {
        fits(lo, hi).then_some(Pair { left: format!("({left})"), right: format!("({right})"), lo, hi })
    };
    match kind {
        0..=2 => {
            let b = int(dice, vars, depth - 1);
            let (bl, br) = (&b.left, &b.right);
            let (lo, hi) = (a.lo + b.lo, a.hi + b.hi);
            let other = match way {
                0 => format!("{br} + {ar}"),
                1 => format!("{ar} - (-{br})"),
                _ => format!("-(-{ar} - {br})"),
            };
            of(format!("{al} + {bl}"), other, lo, hi)
        }
        3 | 4 => {
            let b = int(dice, vars, depth - 1);
            let (bl, br) = (&b.left, &b.right);
            let (lo, hi) = (a.lo - b.hi, a.hi - b.lo);
            let other = match way {
                0 => format!("-({br} - {ar})"),
                1 => format!("{ar} + (-{br})"),
                _ => format!("-{br} + {ar}"),
            };
            of(format!("{al} - {bl}"), other, lo, hi)
        }
        5 => {
            let factor = dice.range(2, 9);
            let (lo, hi) = (a.lo.checked_mul(factor)?, a.hi.checked_mul(factor)?);
            let other = match way {
                0 => format!("{} * {ar} + {ar}", factor - 1),
                1 => format!("{ar} * {}  - {ar}", factor + 1),
                _ => format!("-({ar} * {})", constant(-factor)),
            };
            if way == 1 && !fits(a.lo * (factor + 1), a.hi * (factor + 1)) {
                return None;
            }
            of(format!("{al} * {factor}"), other, lo, hi)
        }
        6 => {
            let b = leaf(dice, vars);
            let (bl, br) = (&b.left, &b.right);
            let products = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
            of(
                format!("{al} * {bl}"),
                format!("{br} * {ar}"),
                products.into_iter().min()?,
                products.into_iter().max()?,
            )
        }
        7 => {
            let b = int(dice, vars, depth - 1);
            let (bl, br) = (&b.left, &b.right);
            let other = match way {
                0 => format!("{br} <= {ar} ? {br} : {ar}"),
                1 => format!("!({ar} >= {br}) ? {ar} : {br}"),
                _ => format!("{br} > {ar} ? {ar} : {br}"),
            };
            of(format!("{al} < {bl} ? {al} : {bl}"), other, a.lo.min(b.lo), a.hi.min(b.hi))
        }
        8 => {
            let other = match way {
                0 => format!("{ar} < -{ar} ? -{ar} : {ar}"),
                1 => format!("({ar} ^ ({ar} >> 31)) - ({ar} >> 31)"),
                _ => format!("{ar} > 0 ? {ar} : -{ar}"),
            };
            of(format!("{al} < 0 ? -{al} : {al}"), other, 0, a.hi.abs().max(a.lo.abs()))
        }
        9 => {
            let by = dice.range(2, 13);
            of(format!("{al} / {by}"), format!("({ar} - {ar} % {by}) / {by}"), a.lo.min(0), a.hi.max(0))
        }
        10 => {
            let by = dice.range(2, 13);
            let other = match way {
                0 => format!("{ar} - {ar} / {by} * {by}"),
                _ => format!("{ar} < 0 ? -(-{ar} % {by}) : {ar} % {by}"),
            };
            of(format!("{al} % {by}"), other, if a.lo < 0 { 1 - by } else { 0 }, by - 1)
        }
        11 => {
            let by = dice.range(1, 4);
            let (lo, hi) = (a.lo >> by, a.hi >> by);
            let step = 1 << by;
            let other = match way {
                0 => format!("{ar} >= 0 ? {ar} / {step} : -((-{ar} + {}) / {step})", step - 1),
                _ => format!("({ar} - ({ar} & {})) / {step}", step - 1),
            };
            of(format!("{al} >> {by}"), other, lo, hi)
        }
        12 => {
            let mask = (1 << dice.range(1, 8)) - 1;
            let size = mask + 1;
            of(format!("{al} & {mask}"), format!("({ar} % {size} + {size}) % {size}"), 0, mask)
        }
        13 => of(
            format!("(int8_t)({al})"),
            match way {
                0 => format!("(({ar} & 255) ^ 128) - 128"),
                1 => format!("({ar} & 255) > 127 ? ({ar} & 255) - 256 : ({ar} & 255)"),
                _ => format!("(int)((uint32_t){ar} << 24) >> 24"),
            },
            -128,
            127,
        ),
        14 => of(
            format!("(int16_t)({al})"),
            match way {
                0 => format!("(({ar} & 65535) ^ 32768) - 32768"),
                1 => format!("({ar} & 65535) >= 32768 ? ({ar} & 65535) - 65536 : ({ar} & 65535)"),
                _ => format!("(int)((uint32_t){ar} << 16) >> 16"),
            },
            -32768,
            32767,
        ),
        15 => of(
            format!("(uint8_t)({al})"),
            match way {
                0 => format!("{ar} & 255"),
                1 => format!("(int)((uint32_t){ar} % 256u)"),
                _ => format!("(int)(((uint32_t){ar} << 24) >> 24)"),
            },
            0,
            255,
        ),
        16 => {
            let (holds, other) = condition(dice, vars, depth - 1);
            of(
                format!("{holds} ? {al} : -{al}"),
                format!("!({other}) ? -{ar} : {ar}"),
                a.lo.min(-a.hi),
                a.hi.max(-a.lo),
            )
        }
        _ => {
            let (holds, other) = condition(dice, vars, depth - 1);
            of(holds, format!("({other}) ? 1 : 0"), 0, 1)
        }
    }
}

/// Two equal truth values.
pub fn condition(dice: &mut Dice, vars: &[Var], depth: u32) -> (String, String) {
    let a = int(dice, vars, depth.min(1));
    let b = int(dice, vars, depth.min(1));
    let (al, ar, bl, br) = (&a.left, &a.right, &b.left, &b.right);
    let (left, right) = match dice.range(0, 6) {
        0 => (format!("({al} < {bl})"), format!("!({ar} >= {br})")),
        1 => (format!("({al} <= {bl})"), format!("({br} >= {ar})")),
        2 => (format!("({al} == {bl})"), format!("!({ar} != {br})")),
        3 => (format!("({al} == {bl})"), format!("({ar} <= {br} && {br} <= {ar})")),
        4 => (format!("(({al} & 1) == 1)"), format!("(({ar} & 1) != 0)")),
        5 => (format!("(({al} ^ {bl}) < 0)"), format!("(({ar} < 0) != ({br} < 0))")),
        _ => (format!("({al} > {bl})"), format!("({br} < {ar})")),
    };
    if depth > 1 && dice.percent(30) {
        let (more, other) = condition(dice, vars, depth - 1);
        return (format!("({left} && {more})"), format!("(!(!({right}) || !({other})))"));
    }
    (left, right)
}

/// Two equal words.
pub fn word(dice: &mut Dice, vars: &[Var], depth: u32) -> (String, String) {
    if depth == 0 {
        if vars.is_empty() || dice.percent(12) {
            let value = [1u32, 7, 255, 256, 0x8000, 0xffff, 0x8000_0000, 0xffff_ffff][dice.index(8)];
            return (format!("{value}u"), format!("{value}u"));
        }
        let text = format!("(uint32_t){}", vars[dice.index(vars.len())].name);
        return (text.clone(), text);
    }
    let kind = dice.range(0, 14);
    let (a, b) = word(dice, vars, depth - 1);
    let way = dice.range(0, 2);
    let (left, right) = if kind < 9 {
        let (c, d) = word(dice, vars, depth - 1);
        match kind {
            0 | 1 => (
                format!("{a} + {c}"),
                match way {
                    0 => format!("({b} ^ {d}) + 2u * ({b} & {d})"),
                    1 => format!("({b} | {d}) + ({b} & {d})"),
                    _ => format!("{b} - ~({d}) - 1u"),
                },
            ),
            2 | 3 => (
                format!("{a} - {c}"),
                match way {
                    0 => format!("{b} + ~({d}) + 1u"),
                    1 => format!("~(~({b}) + {d})"),
                    _ => format!("0u - ({d} - {b})"),
                },
            ),
            4 => (
                format!("{a} ^ {c}"),
                match way {
                    0 => format!("({b} | {d}) - ({b} & {d})"),
                    1 => format!("({b} | {d}) & ~({b} & {d})"),
                    _ => format!("({b} & ~({d})) | (~({b}) & {d})"),
                },
            ),
            5 => (
                format!("{a} | {c}"),
                match way {
                    0 => format!("~(~({b}) & ~({d}))"),
                    1 => format!("({b} & ~({d})) + {d}"),
                    _ => format!("{b} + {d} - ({b} & {d})"),
                },
            ),
            6 => (
                format!("{a} & {c}"),
                match way {
                    0 => format!("~(~({b}) | ~({d}))"),
                    1 => format!("{b} + {d} - ({b} | {d})"),
                    _ => format!("{b} ^ ({b} & ~({d}))"),
                },
            ),
            7 => (format!("({a} < {c} ? {a} : {c})"), format!("({d} <= {b} ? {d} : {b})")),
            _ => (
                format!("({a} < {c} ? {a} - {c} : {c} - {a})"),
                format!("(0u - ({b} < {d} ? {d} - {b} : {b} - {d}))"),
            ),
        }
    } else {
        let shift = dice.range(1, 31);
        match kind {
            9 => (format!("~({a})"), format!("0u - {b} - 1u")),
            10 => (format!("{a} << {shift}"), format!("{b} * {}u", 1u32 << shift)),
            11 => (format!("{a} >> {shift}"), format!("{b} / {}u", 1u32 << shift)),
            12 => (
                format!("({a} << {shift}) | ({a} >> {})", 32 - shift),
                match way {
                    0 => format!("({b} >> {}) + ({b} << {shift})", 32 - shift),
                    _ => format!(
                        "(uint32_t)(((uint64_t)({b}) << {shift}) | ((uint64_t)({b}) << {shift} >> 32))"
                    ),
                },
            ),
            13 => {
                let factor = [3, 5, 7, 9, 15, 17, 31, 255][dice.index(8)];
                let other = match factor {
                    3 => format!("({b} << 1) + {b}"),
                    5 => format!("({b} << 2) + {b}"),
                    7 => format!("({b} << 3) - {b}"),
                    9 => format!("({b} << 3) + {b}"),
                    15 => format!("({b} << 4) - {b}"),
                    17 => format!("({b} << 4) + {b}"),
                    31 => format!("({b} << 5) - {b}"),
                    _ => format!("({b} << 8) - {b}"),
                };
                (format!("{a} * {factor}u"), other)
            }
            _ => match way {
                0 => (format!("(uint32_t)(uint8_t)({a})"), format!("({b}) & 255u")),
                1 => (format!("(uint32_t)(int32_t)(int8_t)({a})"), format!("((({b}) & 255u) ^ 128u) - 128u")),
                _ => (
                    format!("(uint32_t)(int32_t)(int16_t)({a})"),
                    format!("((({b}) & 65535u) ^ 32768u) - 32768u"),
                ),
            },
        }
    };
    (format!("({left})"), format!("({right})"))
}
