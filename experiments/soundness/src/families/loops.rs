//! Loops whose number of turns depends on inputs, against closed forms and other loops.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var};
use crate::pairs;

const WAYS: [(&str, &str); 12] = [
    (
        "int r = 0; for (int i = 0; i < x; i++) r += i; return r + y;",
        "int r = x * (x - 1) / 2 + y; FAULT return r;",
    ),
    (
        "int r = 0; for (int i = 1; i <= x; i++) r += i * i; return r - y;",
        "int r = x * (x + 1) * (2 * x + 1) / 6 - y; FAULT return r;",
    ),
    (
        "int a = x + 1, b = y + 1; while (b) { int t = a % b; a = b; b = t; } return a;",
        "int a = y + 1, b = x + 1; while (a != b) if (a > b) a -= b; else b -= a; int r = a; FAULT return r;",
    ),
    (
        "int r = 0; for (int n = x * 10 + y; n; n /= 10) r += n % 10; return r % 9;",
        "int r = (x * 10 + y) % 9; FAULT return r;",
    ),
    (
        "unsigned r = 1; for (int i = 0; i < x; i++) r *= (unsigned)y; return (int)(r & 0xffffu);",
        "unsigned r_ = 1, b = (unsigned)y; for (int e = x; e; e >>= 1) { if (e & 1) r_ *= b; b *= b; } int r = (int)(r_ & 0xffffu); FAULT return r;",
    ),
    (
        "int r = 0; for (int i = 0; i < x; i++) { if (i == y) continue; r += i; } return r;",
        "int r = 0; for (int i = 0; i < x; i++) r += i; if (y >= 0 && y < x) r -= y; FAULT return r;",
    ),
    (
        "int r = 0; for (int i = 0; i < x; i++) { if (i > y) break; r++; } return r;",
        "int r = x < y + 1 ? x : y + 1; if (r < 0) r = 0; FAULT return r;",
    ),
    (
        "int r = 0, n = x; do { r++; n -= 3; } while (n > 0); return r + y;",
        "int r = (x <= 0 ? 1 : (x + 2) / 3) + y; FAULT return r;",
    ),
    (
        "int r = 0; for (int i = 0; i < x; i++) for (int j = 0; j <= i; j++) r += j < y; return r;",
        "int r = 0; for (int i = 0; i < x; i++) r += i + 1 < y ? i + 1 : y < 0 ? 0 : y; FAULT return r;",
    ),
    (
        "int a = 0, b = 1; for (int i = 0; i < x; i++) { int t = a + b; a = b; b = t; } return a * 2 + y;",
        "int m[16] = {0, 1}; for (int i = 2; i <= x; i++) m[i] = m[i - 1] + m[i - 2]; int r = m[x] + m[x] + y; FAULT return r;",
    ),
    (
        "int r = 0; while (r * r <= x * 10 + y) r++; return r - 1;",
        "int v = x * 10 + y, r = 0; for (int b = 32; b; b >>= 1) if ((r + b) * (r + b) <= v) r += b; FAULT return r;",
    ),
    (
        "int r = y; for (int i = 0; i < x; i++) r = LEFT; return r;",
        "int r = y, i = 0; while (i < x) { r = RIGHT; i += 1; } FAULT return r;",
    ),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let vars = vec![Var::i32("x", 0, dice.range(9, 13)), Var::i32("y", 0, dice.range(9, 40))];
    let (left, right) = WAYS[dice.index(WAYS.len())];
    let fault = fault(dice, aim, &vars, "r");
    // A step over `r` and the counter that stays small.
    let inside = [Var::i32("r", -50, 100), Var::i32("i", 0, 12)];
    let step = pairs::int(dice, &inside, 1);
    let fill = |text: &str| {
        text.replace("LEFT", &format!("({}) % 50", step.left))
            .replace("RIGHT", &format!("({}) % 50", step.right))
            .replace("FAULT", &fault)
    };
    draft.function(format!("static int f$(int x, int y) {{ {} }}", fill(left)));
    draft.function(format!("static int g$(int x, int y) {{ {} }}", fill(right)));
    draws(&mut draft, &vars);
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
