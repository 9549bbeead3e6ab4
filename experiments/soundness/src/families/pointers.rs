//! Pointers: aliases that depend on inputs, arithmetic, pointers to pointers, lists on the stack.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 5000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let (left, right) = (&pair.left, &pair.right);
    let fault = fault(dice, aim, &vars, "r");
    draws(&mut draft, &vars);
    match dice.range(0, 6) {
        0 => {
            draft.function("static void add$(int *p, const int *q) { *p += *q; *p += *q; }");
            draft.function(format!("static int f$(int x, int y) {{ int a = x, b = {left}; add$(&a, x == y ? &a : &b); return a * 2 + b; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int b = {right}, r = (x == y ? x * 4 : x + 2 * b) * 2 + b; {fault} return r; }}"));
        }
        1 => {
            draft.function(format!("static int f$(int x, int y) {{ int a[4] = {{x, y, {left}, 9}}, *p = a + 1; p += x & 1; return *p * 2 + p[-1]; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = (x & 1) ? ({right}) * 2 + y : y * 2 + x; {fault} return r; }}"));
        }
        2 => {
            draft.function("typedef struct node$ { int value; struct node$ *next; } node$;");
            draft.function("static int sum$(const node$ *p) { int r = 0, k = 1; while (p) { r += k * p->value; k += 2; p = p->next; } return r; }");
            draft.function(format!("static int f$(int x, int y) {{ node$ c = {{{left}, 0}}, b = {{y, &c}}, a = {{x, x < y ? &b : &c}}; return sum$(&a); }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = x < y ? x + 3 * y + 5 * ({right}) : x + 3 * ({right}); {fault} return r; }}"));
        }
        3 => {
            draft.function("static void swap$(int **p, int **q) { int *t = *p; *p = *q; *q = t; }");
            draft.function(format!("static int f$(int x, int y) {{ int a = x, b = {left}; int *p = &a, *q = &b; if (y > 0) swap$(&p, &q); *p += 1; return a * 3 - b; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int b = {right}, r = y > 0 ? x * 3 - b - 1 : x * 3 + 3 - b; {fault} return r; }}"));
        }
        4 => {
            draft.function("static int *larger$(int *p, int *q) { return *p < *q ? q : p; }");
            draft.function(format!("static int f$(int x, int y) {{ int a = x, b = y; *larger$(&a, &b) = {left}; return a * 7 + b; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = x < y ? x * 7 + ({right}) : ({right}) * 7 + y; {fault} return r; }}"));
        }
        5 => {
            draft.function(format!("static int f$(int x, int y) {{ uint8_t c[8]; int32_t a = x, b = {left}; memcpy(c, &a, 4); memcpy(c + 4, &b, 4); int32_t r; memcpy(&r, c + ((y & 1) ? 4 : 0), 4); return r; }}"));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = (y & 1) ? {right} : x; {fault} return r; }}"
            ));
        }
        _ => {
            draft.function(format!("static int f$(int x, int y) {{ int m[3][2] = {{{{x, y}}, {{{left}, 1}}, {{2, x}}}}; int (*row)[2] = m; row += ((x % 3) + 3) % 3; return (*row)[0] - (*row)[1]; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int k = ((x % 3) + 3) % 3, r = k == 0 ? x - y : k == 1 ? ({right}) - 1 : 2 - x; {fault} return r; }}"));
        }
    }
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
