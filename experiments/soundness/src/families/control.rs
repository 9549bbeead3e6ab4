//! Control flow: switches, jumps, short circuits with effects, nested loops that are left early, static locals, early returns.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

/// The same in two ways; `A` and `B` stand for an expression, `FAULT` for the fault.
const WAYS: [(&str, &str); 11] = [
    (
        "switch (x & 7) { case 0: return A; case 1: case 2: return y; case 3: x += y; case 4: return x - 1; case 6: break; default: return -y; } return 9;",
        "int k = x & 7, r = k == 0 ? B : k <= 2 ? y : k == 3 ? x + y - 1 : k == 4 ? x - 1 : k == 6 ? 9 : -y; FAULT return r;",
    ),
    (
        "int n = 0; again: if (n < (x & 7)) { n++; if (n == 5) goto done; goto again; } done: return n + A;",
        "int n = (x & 7) < 5 ? x & 7 : 5; int r = n + B; FAULT return r;",
    ),
    (
        "int c = 0; if (x > 0 && ++c && y > 0 && ++c) c += 10; if (x < 0 || ++c > 100) c += 3; return c + A;",
        "int c = x > 0 ? (y > 0 ? 12 : 1) : 0; if (x < 0) c += 3; else c++; int r = c + B; FAULT return r;",
    ),
    (
        "int r = 0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (i * j == (x & 3) && i > 0) goto out; r++; } } out: return r + A;",
        "int r = 0, stop = 0; for (int i = 0; i < 4 && !stop; i++) for (int j = 0; j < 4 && !stop; j++) if (i * j == (x & 3) && i > 0) stop = 1; else r++; r += B; FAULT return r;",
    ),
    (
        "int v[3] = {x, y, A}; int *p = v; *p++ += 1; *p = *p * 2; p[1] -= v[0]; return v[0] + v[1] * 3 + v[2];",
        "int r = x + 1 + y * 6 + (B) - (x + 1); FAULT return r;",
    ),
    (
        "int r = A; while (1) { if (r > 50) r -= 37; else if (r < -50) r += 41; else break; } return r;",
        "int r = B; for (;;) { if (r > 50) { r -= 37; continue; } if (r < -50) { r += 41; continue; } break; } FAULT return r;",
    ),
    (
        "int i = x & 3, r = 0; switch (i) { do { case 0: r += 1; case 1: r += 10; case 2: r += 100; case 3: r += 1000; } while (--i > 1); } return r + A;",
        "static const int known[4] = {1111, 1110, 1100, 2111}; int r = known[x & 3] + B; FAULT return r;",
    ),
    (
        "int r = (x > y, x < 0 ? (y ? 1 : 2) : y > 3 ? 3 : (x, 4)); return r * (A);",
        "int r; if (x < 0) r = y != 0 ? 1 : 2; else if (y > 3) r = 3; else r = 4; r = r * (B); FAULT return r;",
    ),
    ("volatile int v = x; v += y; v ^= 3; return v + A;", "int r = ((x + y) ^ 3) + B; FAULT return r;"),
    (
        "int n = (x & 3) + 1; int v[n]; for (int i = 0; i < n; i++) v[i] = y * i; return v[n - 1] + A;",
        "int r = y * (x & 3) + B; FAULT return r;",
    ),
    (
        "if (x == y) return A; if (x > y) { if (y > 0) return 1; return x; } for (int i = 0; ; i++) if (i * i > (y & 31)) return i;",
        "int r; if (x < y) { r = 0; while (r * r <= (y & 31)) r++; } else if (x == y) r = B; else r = y > 0 ? 1 : x; FAULT return r;",
    ),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 4000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let fault = fault(dice, aim, &vars, "r");
    let (left, right) = WAYS[dice.index(WAYS.len())];
    draft.function(format!(
        "static int f$(int x, int y) {{ {} }}",
        left.replace('A', &format!("({})", pair.left))
    ));
    let right = right.replace("FAULT", "@").replace('B', &format!("({})", pair.right)).replace('@', &fault);
    draft.function(format!("static int g$(int x, int y) {{ {right} }}"));
    draws(&mut draft, &vars);
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
