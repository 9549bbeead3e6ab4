//! Undefined behaviour in a corner: overflow, shifts, division, indices, null, pointers beyond their array. Whether the relation holds there is another
//! question, which enumeration answers.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::faults;
use crate::pairs;

/// What is undefined, where `x`, `y`, the array `a` of four and the result `r` are at hand.
const MISUSES: [&str; 12] = [
    "r += (2147483647 + (x & 1) + 1) & 0;",
    "r += (x << 31 << 1) & 0;",
    "r += (1 << (32 + (y & 1))) & 0;",
    "r += (x * 65536 * 65536) & 0;",
    "r -= a[4 + (x & 1)] & 0;",
    "a[-1 - (y & 1)] = 0;",
    "int *p = 0; r += *(p + (x & 0)) & 0;",
    "r += (7 / (y & 0)) & 0;",
    "r += (-2147483647 - 1 - (x & 1) - 1) & 0;",
    "int m[2][3] = {{0}}; r += m[(x & 1) + 2][y & 1] & 0;",
    "int *p = a + 3; p += 2; r += *p & 0;",
    "r += (-(-2147483647 - 1)) & 0;",
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(300, 3000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let (left, right) = (&pair.left, &pair.right);
    let misused = [Aim::True, Aim::Rare, Aim::Common][dice.index(3)];
    let when = faults::condition(dice, misused, &vars);
    let misuse =
        if misused == Aim::True && dice.percent(50) { "" } else { MISUSES[dice.index(MISUSES.len())] };
    let fault = fault(dice, aim, &vars, "r");
    draws(&mut draft, &vars);
    draft.function(format!(
        "static int f$(int x, int y) {{ int a[4] = {{1, 2, 3, 4}}; int r = {left} + a[x & 3]; if ({when}) {{ {misuse} }} return r; }}"
    ));
    draft.function(format!(
        "static int g$(int x, int y) {{ int r = 1 + (x & 3) + {right}; {fault} return r; }}"
    ));
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
