//! Permutations: what does not depend on the order, and what does in a corner: through a position, a branch on the permutation, another
//! argument or state.

use crate::dice::Dice;
use crate::draft::{Aim, Draft};

const SYMMETRIC: [&str; 6] = [
    "int r = 0; for (int i = 0; i < n; i++) r += a[i];",
    "int r = a[0]; for (int i = 1; i < n; i++) if (a[i] > r) r = a[i];",
    "int r = 1; for (int i = 0; i < n; i++) r = r * (a[i] + 2);",
    "int r = 0; for (int i = 0; i < n; i++) if (a[i] & 1) r++;",
    "int r = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) r += a[i] > a[j] ? 1 : 0;",
    "int b[8], r = 0; for (int i = 0; i < n; i++) b[i] = a[i]; for (int i = 0; i + 1 < n; i++) for (int j = 0; j + 1 < n - i; j++) if (b[j] > b[j + 1]) { int t = b[j]; b[j] = b[j + 1]; b[j + 1] = t; } for (int i = 0; i < n; i++) r = r * 7 + b[i];",
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let n = 3 + dice.index(2);
    let values = if n == 3 { dice.range(7, 10) } else { dice.range(3, 4) };
    let lo = dice.range(-1, 1);
    let hi = lo + values - 1;
    let function = SYMMETRIC[dice.index(6)];
    let way = dice.range(0, 9);
    let (extra, more) = if way == 5 { (", int k", true) } else { ("", false) };
    let last = n - 1;
    // One value at one place, or one order.
    let point = match aim {
        Aim::Common => format!("a[0] == {hi}"),
        _ => {
            let values: Vec<String> =
                (0..n).map(|index| format!("a[{index}] == {}", dice.range(lo, hi))).collect();
            values.join(" && ")
        }
    };
    let order = match aim {
        Aim::Common => "p[0] == 1".to_owned(),
        _ => format!("p[0] == {last} && p[1] == 0 && a[0] == {hi} && a[1] == {lo}"),
    };
    let (tail, on_permutation, state) = match (aim, way) {
        (Aim::True, _) => (String::new(), String::new(), false),
        (_, 0..=2) => (format!("if ({point}) r++;"), String::new(), false),
        (_, 3 | 4) => (String::new(), format!("if ({order}) q++;"), false),
        (_, 5) => (format!("if (k && {point}) r += k;"), String::new(), false),
        (_, 6) => (format!("if (calls$ > 1 && ({point})) r ^= 1;"), String::new(), true),
        (_, 7) => (String::new(), format!("if ({order}) CHECK(p[0] != p[0]);"), false),
        _ => (format!("if (a[{last}] < a[0] && ({point})) r -= 1;"), String::new(), false),
    };
    if state || way == 6 {
        draft.global("int", "calls$", "0");
    }
    let count = if state || way == 6 { "calls$++; " } else { "" };
    draft.function(format!(
        "static int f$(const int *a, int n{extra}) {{ {count}{function} {tail} return r; }}"
    ));
    draft.line(format!("int a[{n}], b[{n}]; int32_t p[{n}];"));
    draft.line(format!("tw_i32s(\"a\", a, {n}, {lo}, {hi});"));
    draft.line(format!("tw_permutation(\"p\", p, {n});"));
    draft.line(format!("TW_PERMUTE(b, a, p, {n});"));
    let (first, second) = if more {
        let other = if aim == Aim::True { "1" } else { "0" };
        (format!("f$(a, {n}, 1)"), format!("f$(b, {n}, {other})"))
    } else {
        (format!("f$(a, {n})"), format!("f$(b, {n})"))
    };
    draft.line(format!("int s = RUN({first});"));
    draft.line(format!("int q = RUN({second});"));
    if !on_permutation.is_empty() {
        draft.line(on_permutation);
    }
    draft.line("CHECK_EQ(s, q);");
    draft
}
