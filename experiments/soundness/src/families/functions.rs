//! Functions as values: tables, callbacks, choices by inputs, recursion.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 5000);
    let vars = small(dice, &["x", "y"], budget);
    let parts: Vec<pairs::Pair> = (0..3).map(|_| pairs::int(dice, &vars, 1)).collect();
    let fault = fault(dice, aim, &vars, "r");
    for (index, part) in parts.iter().enumerate() {
        draft.function(format!("static int f{index}$(int x, int y) {{ return {}; }}", part.left));
        draft.function(format!("static int g{index}$(int x, int y) {{ return {}; }}", part.right));
    }
    draft.function("typedef int (*call$)(int, int);");
    draws(&mut draft, &vars);
    match dice.range(0, 4) {
        0 => {
            draft.function("static const call$ fs$[3] = {f0$, f1$, f2$};");
            draft.function("static int f$(int x, int y) { return fs$[(unsigned)x % 3u](x, y); }");
            draft.function(format!("static int g$(int x, int y) {{ int r; switch ((unsigned)x % 3u) {{ case 0: r = g0$(x, y); break; case 1: r = g1$(x, y); break; default: r = g2$(x, y); }} {fault} return r; }}"));
        }
        1 => {
            draft.function("static int apply$(call$ f, call$ g, int x, int y) { return x < y ? f(x, y) - g(x, y) : g(x, y); }");
            draft.function("static int f$(int x, int y) { return apply$(f0$, f1$, x, y); }");
            draft.function(format!("static int g$(int x, int y) {{ int r = x >= y ? g1$(x, y) : -(g1$(x, y) - g0$(x, y)); {fault} return r; }}"));
        }
        2 => {
            draft.function("typedef struct { call$ f; int scale; } method$;");
            draft.function("static int f$(int x, int y) { method$ m = {y > 0 ? f0$ : f1$, 3}; if (x > 0) m.f = f2$; return m.f(x, y) * m.scale; }");
            draft.function(format!("static int g$(int x, int y) {{ call$ f = x > 0 ? g2$ : y > 0 ? g0$ : g1$; int v = f(x, y), r = v + v + v; {fault} return r; }}"));
        }
        3 => {
            draft.function("static int fold$(call$ f, int n, int x, int y) { return n == 0 ? x : fold$(f, n - 1, f(x, y) % 100, y); }");
            draft.function("static int f$(int x, int y) { return fold$(f0$, y & 3, x % 100, y); }");
            draft.function(format!("static int g$(int x, int y) {{ int r = x % 100; for (int i = y & 3; i > 0; i--) r = g0$(r, y) % 100; {fault} return r; }}"));
        }
        _ => {
            draft.function("static int odd$(int n); static int even$(int n) { return n == 0 ? 1 : odd$(n - 1); } static int odd$(int n) { return n == 0 ? 0 : even$(n - 1); }");
            draft.function("static int f$(int x, int y) { int (*test)(int) = y > 0 ? even$ : odd$; return test(x & 7) ? f0$(x, y) : f1$(x, y); }");
            draft.function(format!("static int g$(int x, int y) {{ int r = ((x & 1) == 0) == (y > 0) ? g0$(x, y) : g1$(x, y); {fault} return r; }}"));
        }
    }
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
