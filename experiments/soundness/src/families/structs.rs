//! Structures: by value and by pointer, nested, in arrays, with bit-fields, and unions.

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
            draft.function("typedef struct { int8_t c; int32_t a; int16_t b; } pair$;");
            draft.function(format!("static pair$ make$(int x, int y) {{ pair$ p; p.a = {left}; p.b = (int16_t)y; p.c = (int8_t)x; return p; }}"));
            draft.function("static pair$ turn$(pair$ p) { pair$ q = {p.c, p.b, (int16_t)p.a}; return q; }");
            draft.function(
                "static int f$(int x, int y) { pair$ p = make$(x, y); return p.a * 3 + p.b - p.c; }",
            );
            draft.function(format!("static int g$(int x, int y) {{ pair$ p = turn$(turn$(make$(x, y))); int r = -p.c + p.b + 3 * ({right}); {fault} return r; }}"));
        }
        1 => {
            draft.function("typedef struct { unsigned a : 5; signed b : 6; unsigned c : 9; } bits$;");
            draft.function(format!("static int f$(int x, int y) {{ bits$ p; p.a = (unsigned)x; p.b = y; p.c = (unsigned)({left}); return (int)p.a + p.b * 3 + (int)p.c; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = (x & 31) + 3 * (((y & 63) ^ 32) - 32) + (({right}) & 511); {fault} return r; }}"));
        }
        2 => {
            draft.function("typedef union { uint32_t w; uint8_t c[4]; int16_t h[2]; } word$;");
            draft.function(format!("static int f$(int x, int y) {{ word$ u; u.w = (uint32_t)({left}) + ((uint32_t)y << 16); return u.c[0] + u.c[2] * 2 + u.h[1]; }}"));
            draft.function(format!("static int g$(int x, int y) {{ uint32_t w = (uint32_t)({right}) + (uint32_t)y * 65536u; int r = (int)(w & 255u) + (int)((w >> 16) & 255u) * 2 + (int16_t)(w / 65536u); {fault} return r; }}"));
        }
        3 => {
            draft.function("typedef struct { int a; struct { int16_t b[3]; int c; } in; } deep$;");
            draft.function("static int sum$(const deep$ *p) { int r = p->a + p->in.c; for (int i = 0; i < 3; i++) r += p->in.b[i]; return r; }");
            draft.function(format!("static int f$(int x, int y) {{ deep$ p = {{x, {{{{(int16_t)y, 1, 2}}, {left}}}}}; return sum$(&p); }}"));
            draft.function(format!("static int g$(int x, int y) {{ deep$ p; p.in.c = x; p.in.b[2] = (int16_t)y; p.in.b[0] = 2; p.in.b[1] = 1; p.a = {right}; int r = sum$(&p); {fault} return r; }}"));
        }
        4 => {
            draft.function("typedef struct { int key, value; } item$;");
            draft.function("static int find$(const item$ *p, int n, int key) { for (int i = 0; i < n; i++) if (p[i].key == key) return p[i].value; return -1; }");
            draft.function(format!("static int f$(int x, int y) {{ item$ p[3] = {{{{x, 5}}, {{y, {left}}}, {{y + 1, 7}}}}; return find$(p, 3, y); }}"));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = x == y ? 5 : {right}; {fault} return r; }}"
            ));
        }
        5 => {
            draft.function("typedef struct { int a, b; } two$;");
            draft.function("static void swap$(two$ *p) { int t = p->a; p->a = p->b; p->b = t; }");
            draft.function(format!("static int f$(int x, int y) {{ two$ p = {{x, y}}, q = p; swap$(&p); return p.a * 5 + q.a * 2 + p.b + ({left}); }}"));
            draft.function(format!("static int g$(int x, int y) {{ two$ p = {{y, x}}; two$ q; memcpy(&q, &p, sizeof q); swap$(&q); int r = q.b * 5 + q.a * 2 + q.a + ({right}); {fault} return r; }}"));
        }
        _ => {
            draft.function("typedef struct { int64_t big; uint8_t small[3]; } mixed$;");
            draft.function(format!("static mixed$ make$(int x, int y) {{ mixed$ m = {{0}}; m.big = (int64_t)x * 1000003 + y; m.small[1] = (uint8_t)({left}); return m; }}"));
            draft.function("static int f$(int x, int y) { mixed$ m = make$(x, y); return (int)(m.big % 1000) + m.small[1] + m.small[2]; }");
            draft.function(format!("static int g$(int x, int y) {{ int64_t big = (int64_t)y + 1000003ll * x; int r = (int)(big - big / 1000 * 1000) + (({right}) & 255); {fault} return r; }}"));
        }
    }
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
