//! Arrays: transformations under which sums, extremes, counts and searches stay as they are or change in a known way.

use super::fault;
use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var};

/// Functions of `const int32_t *a, int n`; those of the first group do not depend on the order.
const SYMMETRIC: [&str; 7] = [
    "int r = 0; for (int i = 0; i < n; i++) r += a[i];",
    "int r = a[0]; for (int i = 1; i < n; i++) if (a[i] > r) r = a[i];",
    "int r = a[0]; for (int i = 1; i < n; i++) r = a[i] < r ? a[i] : r;",
    "int r = 0; for (int i = 0; i < n; i++) r += a[i] * a[i];",
    "int r = 0; for (int i = 0; i < n; i++) if (a[i] > 1) r++;",
    "int r = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (a[i] < a[j]) r++;",
    "int r = 0; for (int i = 0; i < n; i++) r ^= a[i];",
];
const REVERSIBLE: [&str; 3] = [
    "int r = a[0], s = 0; for (int i = 0; i < n; i++) { s = s > 0 ? s + a[i] : a[i]; if (s > r) r = s; }",
    "int r = 0; for (int i = 0; i + 1 < n; i++) r += a[i] * a[i + 1];",
    "int r = 0; for (int i = 0; i < n; i++) r |= a[i] != a[n - 1 - i];",
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let most = 3 + dice.index(2) as i64;
    let values = if most == 3 { dice.range(6, 12) } else { dice.range(4, 6) };
    let kind = dice.pick(&["i32", "i32", "i16", "u32"]);
    let lo = if kind == "u32" { 0 } else { dice.range(-values, 1) };
    let hi = lo + values - 1;
    let of = match kind {
        "i16" => "int16_t",
        "u32" => "uint32_t",
        _ => "int32_t",
    };
    let drawn = dice.percent(40);
    let symmetric = dice.percent(60);
    let function = if symmetric { SYMMETRIC[dice.index(7)] } else { REVERSIBLE[dice.index(3)] };
    let elements: Vec<Var> =
        (0..if drawn { 1 } else { most }).map(|index| Var::i32(&format!("a[{index}]"), lo, hi)).collect();
    let planted = fault(dice, aim, &elements, "r");
    let tail = if drawn && aim == Aim::Rare {
        // One array of the longest.
        let elements: Vec<String> =
            (0..most).map(|index| format!("a[{index}] == {}", dice.range(lo, hi))).collect();
        format!("if (n == {most} && {}) r++;", elements.join(" && "))
    } else {
        planted
    };
    // The fault shows in the second run: the first element is another one there, or the function is.
    draft.function(format!("static int f$(const {of} *a, int n) {{ {function} return r; }}"));
    draft.function(format!("static int g$(const {of} *a, int n) {{ {function} {tail} return r; }}"));
    if drawn {
        draft.line(format!("int n = tw_len(\"n\", 1, {most});"));
    } else {
        draft.line(format!("int n = {most};"));
    }
    draft.line(format!("{of} a[{most}], b[{}];", most + 1));
    draft.line(format!("tw_{kind}s(\"a\", a, n, {lo}, {hi});"));
    match (symmetric, dice.range(0, 5)) {
        (true, 0) => draft.line("for (int i = 0; i < n; i++) b[i] = a[(i + 1) % n];"),
        (true, 1) => {
            draft.line("for (int i = 0; i < n; i++) b[i] = a[i];");
            draft.line(format!("for (int i = 0; i + 1 < n; i++) for (int j = 0; j + 1 < n; j++) if (b[j] > b[j + 1]) {{ {of} t = b[j]; b[j] = b[j + 1]; b[j + 1] = t; }}"));
        }
        (true, 2) => {
            draft.line("TW_COPY(b, a, n);");
            draft.line("TW_SWAP(b, 0, n - 1);");
        }
        (_, 3) => draft.line("TW_COPY(b, a, n);"),
        _ => draft.line("for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];"),
    }
    if dice.percent(50) {
        draft.line("int p = RUN(f$(a, n));");
        draft.line("int q = RUN(g$(b, n));");
        draft.line("CHECK_EQ(p, q);");
    } else {
        draft.line("CHECK_EQ(RUN(g$(b, n)), RUN(f$(a, n)));");
    }
    draft
}
