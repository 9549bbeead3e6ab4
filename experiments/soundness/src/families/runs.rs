//! Three and more runs, runs in loops, and checks between several of them.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 4000);
    let vars = small(dice, &["x", "y", "z"], budget);
    let pair = pairs::int(dice, &vars[..2], 1);
    let fault = fault(dice, aim, &vars, "r");
    draft.function(format!("static int f$(int x, int y) {{ return {}; }}", pair.left));
    draft.function(format!("static int g$(int x, int y) {{ return {}; }}", pair.right));
    draft.function(format!("static int spoil$(int r, int x, int y, int z) {{ {fault} return r; }}"));
    draws(&mut draft, &vars);
    match dice.range(0, 6) {
        0 => {
            draft.line("int p = RUN(f$(x, y)), q = RUN(f$(y, z)), s = RUN(f$(z, x));");
            draft.line("int r = p + q + s;");
            draft.line("CHECK_EQ(spoil$(r, x, y, z), RUN(g$(z, x)) + RUN(g$(x, y)) + RUN(g$(y, z)));");
        }
        1 => {
            draft.line("int sum = 0, other = 0;");
            draft.line("for (int i = 0; i < 3; i++) sum += RUN(f$(x + i, y));");
            draft.line("for (int i = 2; i >= 0; i--) other += RUN(g$(x + i, y));");
            draft.line("CHECK_EQ(sum, spoil$(other, x, y, z));");
        }
        2 => {
            draft.line("int a = RUN(f$(x, y)), b = RUN(g$(x, y)), c = RUN(f$(x, y));");
            draft.line("CHECK_EQ(a, b); CHECK_EQ(spoil$(b, x, y, z), c);");
        }
        3 => {
            draft.line("int a = RUN(f$(x, y)), b = RUN(f$(y, z)), c = RUN(f$(x, z));");
            draft.line("int least = a < b ? a : b; least = c < least ? c : least;");
            draft.line("CHECK_LE(spoil$(least, x, y, z), a); CHECK(least <= b && least <= c); CHECK_EQ(spoil$(a, x, y, z), RUN(g$(x, y)));");
        }
        4 => {
            draft.line("int n = z & 3, last = 0;");
            draft.line("for (int i = 0; i <= n; i++) last = RUN(f$(x, y + i));");
            draft.line("CHECK_EQ(spoil$(last, x, y, z), RUN(g$(x, y + n)));");
        }
        5 => {
            draft.line("int a = RUN(f$(x, y)); int b = z > 0 ? RUN(g$(x, y)) : a; int c = RUN(f$(x, y));");
            draft.line("CHECK_EQ(2 * a, b + spoil$(c, x, y, z));");
        }
        _ => {
            draft.line("int a = RUN(f$(x, y)), b = RUN(f$(z, y)), c = RUN(g$(x, y)), d = RUN(g$(z, y));");
            draft.line("CHECK_EQ(a - b, spoil$(c - d, x, y, z));");
            draft.line("CHECK_EQ(a < b, d > c);");
        }
    }
    draft
}
