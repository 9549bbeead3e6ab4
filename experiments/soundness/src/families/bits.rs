//! Bit tricks against their plain meaning.

use super::{arguments, draws, fault, parameters, slip};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, scalar, scalars};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let size = dice.range(200, 3000);
    let vars = if dice.percent(50) { vec![scalar(dice, "x", size)] } else { scalars(dice, 2, size) };
    let (a, b) = (format!("(uint32_t){}", vars[0].name), format!("(uint32_t){}", vars[vars.len() - 1].name));
    let (mix, mixed) = pairs::word(dice, &vars, 1);
    let (left, mut right) = match dice.range(0, 13) {
        0 => (
            "uint32_t v = A, n = 0; while (v) { v &= v - 1u; n++; } return n;",
            "uint32_t v = A; v = v - ((v >> 1) & 0x55555555u); v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u); uint32_t r = (((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24; FAULT return r;",
        ),
        1 => (
            "uint32_t v = A & 0xffffu, r = 0; for (int i = 0; i < 16; i++) { r = r << 1 | (v & 1u); v >>= 1; } return r;",
            "uint32_t r = A & 0xffffu; r = (r >> 8 | r << 8) & 0xffffu; r = ((r >> 4) & 0x0f0fu) | ((r & 0x0f0fu) << 4); r = ((r >> 2) & 0x3333u) | ((r & 0x3333u) << 2); r = ((r >> 1) & 0x5555u) | ((r & 0x5555u) << 1); FAULT return r;",
        ),
        2 => (
            "uint32_t v = A; return v & (0u - v);",
            "uint32_t v = A, r = v ^ (v & (v - 1u)); FAULT return r;",
        ),
        3 => (
            "uint32_t v = A; return v != 0u && (v & (v - 1u)) == 0u;",
            "uint32_t v = A, r = (uint32_t)(__builtin_popcount(v) == 1); FAULT return r;",
        ),
        4 => (
            "return A < B ? A : B;",
            "uint32_t r = B ^ ((A ^ B) & (0u - (uint32_t)(A < B))); FAULT return r;",
        ),
        5 => (
            "uint32_t v = A; return v ? (uint32_t)__builtin_clz(v) : 32u;",
            "uint32_t v = A, r = 32u; while (v) { v >>= 1; r--; } FAULT return r;",
        ),
        6 => (
            "uint32_t v = A; return v ? (uint32_t)__builtin_ctz(v) : 32u;",
            "uint32_t v = A, r = v ? (uint32_t)__builtin_popcount((v & (0u - v)) - 1u) : 32u; FAULT return r;",
        ),
        7 => (
            "return (uint32_t)(((uint64_t)A + (uint64_t)B) / 2u);",
            "uint32_t r = (A & B) + ((A ^ B) >> 1); FAULT return r;",
        ),
        8 => (
            "uint32_t v = A; v ^= v >> 16; v ^= v >> 8; v ^= v >> 4; v ^= v >> 2; v ^= v >> 1; return v & 1u;",
            "uint32_t r = (uint32_t)__builtin_popcount(A) % 2u; FAULT return r;",
        ),
        9 => (
            "int32_t v = (int32_t)A; return (uint32_t)(v < 0 ? -1 : v > 0 ? 1 : 0);",
            "int32_t v = (int32_t)A; uint32_t r = (uint32_t)(v >> 31) | (uint32_t)((0u - (uint32_t)v) >> 31); FAULT return r;",
        ),
        10 => (
            "uint32_t a = A, b = B; uint32_t t = a; a = b; b = t; return a * 3u - b;",
            "uint32_t a = A, b = B; a ^= b; b ^= a; a ^= b; uint32_t r = a * 3u - b; FAULT return r;",
        ),
        11 => (
            "uint32_t v = A; return (v & 0xff00ff00u) >> 8 | (v & 0x00ff00ffu) << 8;",
            "uint32_t v = A; uint8_t c[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)}; uint32_t r = (uint32_t)c[1] | (uint32_t)c[0] << 8 | (uint32_t)c[3] << 16 | (uint32_t)c[2] << 24; FAULT return r;",
        ),
        12 => (
            "uint32_t v = A, g = v ^ v >> 1; return g;",
            "uint32_t v = A, r = 0; for (int i = 0; i < 32; i++) if (((v >> i) & 1u) != (i < 31 ? (v >> (i + 1)) & 1u : 0u)) r |= 1u << i; FAULT return r;",
        ),
        _ => ("return MIX;", "uint32_t r = MIXED; FAULT return r;"),
    };
    let fill =
        |text: &str| text.replace("MIXED", &mixed).replace("MIX", &mix).replace('A', &a).replace('B', &b);
    let left = fill(left);
    let slipped = aim == Aim::Common && dice.percent(60) || aim == Aim::Rare && dice.percent(15);
    let slip_text;
    if slipped {
        slip_text = slip(dice, right);
        right = &slip_text;
    }
    let fault = if slipped { String::new() } else { fault(dice, aim, &vars, "r") };
    let right = fill(&right.replace("FAULT", "@")).replace('@', &fault);
    let parameters = parameters(&vars);
    draft.function(format!("static uint32_t f$({parameters}) {{ {left} }}"));
    draft.function(format!("static uint32_t g$({parameters}) {{ {right} }}"));
    draws(&mut draft, &vars);
    let arguments = arguments(&vars);
    let check = dice.pick(&[
        "CHECK_EQ(RUN(f$(ARGS)), RUN(g$(ARGS)));",
        "uint32_t p = RUN(f$(ARGS)), q = RUN(g$(ARGS)); CHECK(p == q);",
    ]);
    draft.line(check.replace("ARGS", &arguments));
    draft
}
