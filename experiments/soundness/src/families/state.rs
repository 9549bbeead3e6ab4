//! Variables with static storage, and state that one run leaves to the next.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::faults;
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 5000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let (left, right) = (&pair.left, &pair.right);
    let when = faults::condition(dice, aim, &vars);
    let fault = fault(dice, aim, &vars, "r");
    draws(&mut draft, &vars);
    match dice.range(0, 6) {
        0 => {
            // A cache: the second run finds what the first left.
            draft.global("int", "known$", "0");
            draft.global("int", "key$", "-1000000");
            draft.global("int", "kept$", "0");
            draft.function(format!("static int f$(int x, int y) {{ if (known$ && key$ == x * 100 + y) return kept$; int r = {left}; known$ = 1; key$ = x * 100 + y; kept$ = r; return r; }}"));
            let spoil = if aim == Aim::True { String::new() } else { format!("if ({when}) kept$++;") };
            draft.line(format!("int p = RUN(f$(x, y)); {spoil} int q = RUN(f$(x, y));"));
        }
        1 => {
            draft.global("int", "count$", &dice.range(0, 3).to_string());
            draft.function(format!("static int f$(int x, int y) {{ count$++; int r = {left}; return r; }}"));
            draft.function(format!("static int g$(int x, int y) {{ count$++; int r = {right}; if (count$ > {} && ({when})) r++; return r; }}", if aim == Aim::True { 9 } else { 1 }));
            draft.line("int p = RUN(f$(x, y)), q = RUN(g$(x, y));");
        }
        2 => {
            draft.global("int", "a$[4]", "{1, 2, 3, 4}");
            draft.function("static int add$(int k, int by) { a$[k & 3] += by; return a$[k & 3]; }");
            draft.function(format!(
                "static int f$(int x, int y) {{ int r = add$(x, y) + ({left}); add$(x, -y); return r; }}"
            ));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = ({right}) + (x & 3) + 1 + y; {fault} return r; }}"
            ));
            draft.line("int p = RUN(f$(x, y)), q = RUN(g$(x, y));");
        }
        3 => {
            // The order of the runs matters where the fault is.
            draft.global("int", "last$", "0");
            draft.function(format!("static int f$(int x, int y) {{ int r = {left}; if (last$ == 7 && ({when})) r += 1; last$ = {}; return r; }}", if aim == Aim::True { "6" } else { "7" }));
            draft.line("int p = RUN(f$(x, y)), q = RUN(f$(x, y));");
        }
        4 => {
            draft.global("int", "seed$", "3");
            draft.function("static int next$(int by) { seed$ = seed$ * 5 + by; return seed$; }");
            draft.function(format!(
                "static int f$(int x, int y) {{ return next$(x) - next$(y) + ({left}); }}"
            ));
            // What the first run left is in the seed.
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = 15 + x - seed$ + ({right}); {fault} return r; }}"
            ));
            draft.line("int p = RUN(f$(x, y)), q = RUN(g$(x, y));");
        }
        5 => {
            draft.global("uint8_t", "used$[8]", "{0}");
            draft.function(format!("static int f$(int x, int y) {{ int r = used$[x & 7] ? ({right}) : ({left}); used$[x & 7] = 1; used$[y & 7] |= 2; return r; }}"));
            let spoil = if aim == Aim::True {
                String::new()
            } else {
                format!("if (used$[y & 7] == 3 && ({when})) q -= 2;")
            };
            draft.line(format!("int p = RUN(f$(x, y)), q = RUN(f$(x, y)); {spoil}"));
        }
        _ => {
            draft.global("int", "depth$", "0");
            draft.global("int", "most$", "0");
            draft.function("static int down$(int n) { depth$++; if (depth$ > most$) most$ = depth$; int r = n > 0 ? 1 + down$(n - 1) : 0; depth$--; return r; }");
            draft.function(format!(
                "static int f$(int x, int y) {{ most$ = 0; return down$(x & 3) + most$ + ({left}); }}"
            ));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = 2 * (x & 3) + 1 + ({right}); {fault} return r; }}"
            ));
            draft.line("int p = RUN(f$(x, y)), q = RUN(g$(x, y));");
        }
    }
    draft.line("CHECK_EQ(p, q);");
    draft
}
