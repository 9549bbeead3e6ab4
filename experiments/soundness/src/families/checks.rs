//! All kinds of checks: orders signed and unsigned, over 64 bits, bytes, texts, doubles with a tolerance, several in a row.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, scalars, small};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 5000);
    let way = dice.range(0, 7);
    let vars = if way < 3 { scalars(dice, 2, budget) } else { small(dice, &["x", "y"], budget) };
    let pair = pairs::int(dice, &vars, 1);
    let fault = fault(dice, aim, &vars, "r");
    let parameters = super::parameters(&vars);
    let arguments = super::arguments(&vars);
    draws(&mut draft, &vars);
    match way {
        0 => {
            // Unsigned and signed orders of 64 bits.
            draft.function(format!("static uint64_t f$({parameters}) {{ return (uint64_t)(int64_t)x; }}"));
            draft.function(format!(
                "static uint64_t g$({parameters}) {{ uint64_t r = (uint64_t)(int64_t)x; {fault} return r; }}"
            ));
            let check = dice.pick(&[
                "CHECK_LE(p, q); CHECK_LE(q, p);",
                "CHECK_GE(p, q); CHECK(p <= q);",
                "CHECK_EQ((int64_t)p, (int64_t)q);",
                "CHECK_LT(p, q + 1); CHECK_GE(p, q);",
            ]);
            draft.line(format!("uint64_t p = RUN(f$({arguments})), q = RUN(g$({arguments})); {check}"));
        }
        1 => {
            draft.function(format!("static uint32_t f$({parameters}) {{ return (uint32_t)y; }}"));
            draft.function(format!(
                "static uint32_t g$({parameters}) {{ uint32_t r = (uint32_t)y; {fault} return r; }}"
            ));
            let check = dice.pick(&[
                "CHECK_NE(p, q + 1u);  CHECK_EQ(p, q);",
                "CHECK_EQ((int32_t)p, (int32_t)q);",
                "CHECK_EQ((int64_t)p, (int64_t)q);",
                "CHECK_GE(p, q); CHECK_LE(p, q);",
            ]);
            draft.line(format!("uint32_t p = RUN(f$({arguments})), q = RUN(g$({arguments})); {check}"));
        }
        2 => {
            draft.function(format!("static int f$({parameters}) {{ return {}; }}", pair.left));
            draft.function(format!(
                "static int g$({parameters}) {{ int r = {}; {fault} return r; }}",
                pair.right
            ));
            draft.line(format!("int p = RUN(f$({arguments})), q = RUN(g$({arguments}));"));
            draft.line(dice.pick(&[
                "CHECK(!(p < q)); CHECK(!(q < p));",
                "if (p != q) CHECK(0);",
                "CHECK_LT(p, q + 1); CHECK_GT(p, q - 1);",
                "CHECK_NE(p ^ q, 1); CHECK_EQ(p - q, 0);",
            ]));
        }
        3 => {
            draft.function(format!("static void f$(int x, int y, uint8_t *out) {{ int v = {}; memcpy(out, &v, 4); out[4] = (uint8_t)y; }}", pair.left));
            draft.function(format!("static void g$(int x, int y, uint8_t *out) {{ int r = {}; {fault} for (int i = 0; i < 4; i++) out[i] = (uint8_t)((uint32_t)r >> (8 * i)); out[4] = (uint8_t)(y & 255); }}", pair.right));
            draft.line("uint8_t p[5], q[5]; RUN(f$(x, y, p)); RUN(g$(x, y, q)); CHECK_BYTES(p, 5, q, 5);");
        }
        4 => {
            draft.function("static int digits$(int v, char *out) { int n = 0; if (v < 0) { out[n++] = '-'; v = -v; } char d[12]; int k = 0; do { d[k++] = (char)('0' + v % 10); v /= 10; } while (v); while (k) out[n++] = d[--k]; out[n] = 0; return n; }");
            draft.function(format!(
                "static void f$(int x, int y, char *out) {{ digits$(({}) % 100, out); }}",
                pair.left
            ));
            draft.function(format!(
                "static void g$(int x, int y, char *out) {{ int r = ({}) % 100; {fault} digits$(r, out); }}",
                pair.right
            ));
            draft.line("char p[16], q[16]; RUN(f$(x, y, p)); RUN(g$(x, y, q)); CHECK_TEXT(p, q);");
        }
        5 => {
            draft.function(format!("static double f$(int x, int y) {{ return ({}) / 4.0; }}", pair.left));
            draft.function(format!(
                "static double g$(int x, int y) {{ int r = {}; {fault} return r * 0.25; }}",
                pair.right
            ));
            draft.line(dice.pick(&[
                "CHECK_NEAR(RUN(f$(x, y)), RUN(g$(x, y)), 0.2);",
                "CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));",
                "CHECK_NEAR(RUN(f$(x, y)), RUN(g$(x, y)), 0);",
                "CHECK_LE(RUN(f$(x, y)), RUN(g$(x, y))); CHECK_GE(RUN(f$(x, y)), RUN(g$(x, y)));",
            ]));
        }
        6 => {
            draft.function(format!(
                "static void f$(int x, int y, int *out) {{ out[0] = {}; out[1] = x; out[2] = y; }}",
                pair.left
            ));
            draft.function(format!("static void g$(int x, int y, int *out) {{ int r = {}; {fault} out[2] = y; out[1] = x; out[0] = r; }}", pair.right));
            draft.line("int p[3], q[3]; RUN(f$(x, y, p)); RUN(g$(x, y, q)); CHECK_I32S(p, q, 3);");
        }
        _ => {
            // An early return from the relation.
            draft.function(format!("static int f$(int x, int y) {{ return {}; }}", pair.left));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = {}; {fault} return r; }}",
                pair.right
            ));
            draft.line("int p = RUN(f$(x, y)); if (p < 0 && x == y) { CHECK(p < 0); return; } int q = RUN(g$(x, y)); CHECK_EQ(p, q);");
        }
    }
    draft
}
