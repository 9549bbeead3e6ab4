//! Assumptions: before, between and after the runs; a relation that holds only under them.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(500, 5000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let fault = fault(dice, aim, &vars, "r");
    let (left, right) = (&pair.left, &pair.right);
    draws(&mut draft, &vars);
    let (one, two) = (vars[0].value(dice), vars[1].value(dice));
    let way = dice.range(0, 7);
    match way {
        0 => {
            draft.function("static int f$(int x, int y) { return x / y; }");
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = (x - x % y) / y; {fault} return r; }}"
            ));
            draft.line("ASSUME(y != 0);");
        }
        1 => {
            draft.function("static int f$(int x, int y) { return x < y ? y - x : x - y; }");
            draft.function(format!("static int g$(int x, int y) {{ int r = y - x; {fault} return r; }}"));
            draft.line("ASSUME(x <= y);");
        }
        2 => {
            draft.function(format!("static int f$(int x, int y) {{ return {left}; }}"));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = {right}; if (x == {one}) r++; {fault} return r; }}"
            ));
            draft.line(format!("ASSUME(x != {one});"));
        }
        3 => {
            // The assumption comes after a run.
            draft.function(format!("static int f$(int x, int y) {{ return {left}; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = {right}; {fault} return r; }}"));
            draft.line(
                "int p = RUN(f$(x, y)); ASSUME(p % 2 == 0); CHECK_EQ(p, RUN(g$(x, y))); CHECK_EQ(p & 1, 0);",
            );
        }
        4 => {
            // A check before the assumption is judged without it.
            draft.function(format!("static int f$(int x, int y) {{ return {left}; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = {right}; {fault} return r; }}"));
            draft.line(format!("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y))); ASSUME(x < {one} || y > {two}); CHECK(x < {one} || y > {two});"));
        }
        5 => {
            draft.function(format!(
                "static int f$(int x, int y) {{ if (x == y) return 1 / (x - y); return {left}; }}"
            ));
            draft.function(format!("static int g$(int x, int y) {{ int r = {right}; {fault} return r; }}"));
            draft.line("ASSUME(x != y);");
        }
        6 => {
            draft.function("static int f$(int x, int y) { return (x + y) * (x - y); }");
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = x * x - y * y; {fault} return r; }}"
            ));
            draft.line(format!("ASSUME(x > {}); ASSUME(y < {});", vars[0].lo, vars[1].hi));
        }
        _ => {
            draft.function(format!("static int f$(int x, int y) {{ return {left}; }}"));
            draft.function(format!("static int g$(int x, int y) {{ int r = {right}; {fault} return r; }}"));
            draft.line(format!("if (x > {one}) ASSUME(y > {two}); else ASSUME(y <= {two});"));
        }
    }
    if !(3..=4).contains(&way) {
        draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    }
    draft
}
