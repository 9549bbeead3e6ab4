//! Names of inputs that look like others: elements, lengths, repetitions, odd characters.

use crate::dice::Dice;
use crate::draft::{Aim, Draft};
use crate::pairs;
use crate::{draft::Var, faults};

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let hi = dice.range(5, 11);
    let lo = -dice.range(0, 2);
    // Scalars `p`, `q` and `s` under names that collide.
    let ways: [&[&str]; 9] = [
        &[
            "int a[2]; tw_i32s(\"a\", a, 2, LO, HI); int p = a[0], q = a[1];",
            "int s = tw_i32(\"a[0]\", LO, HI);",
        ],
        &[
            "int a[2]; tw_i32s(\"a\", a, 2, LO, HI); int p = a[0], q = a[1];",
            "int s = tw_i32(\"a\", LO, HI);",
        ],
        &[
            "int p = tw_i32(\"x\", LO, HI);",
            "int q = tw_i32(\"x\", LO, HI);",
            "int s = tw_i32(\"x#2\", LO, HI);",
        ],
        &[
            "int p = tw_i32(\"x\", LO, HI);",
            "int q = tw_i32(\"x\", LO, HI);",
            "int s = tw_i32(\"x\", LO, HI);",
        ],
        &[
            "char t[3]; int p = tw_text(\"t\", t, 2, \"ab\");",
            "int q = tw_i32(\"len(t)\", LO, HI);",
            "int s = t[0] == 'b' ? 1 + tw_i32(\"t[0]\", LO, HI) : 0;",
        ],
        &[
            "int m[2][2]; tw_i32_matrix(\"m\", &m[0][0], 2, 2, 2, 0, 2); int p = m[0][1], q = m[1][0];",
            "int s = tw_i32(\"m[1]\", LO, HI) + m[1][1];",
        ],
        &[
            "int p = tw_i32(\"a b\", LO, HI);",
            "int q = tw_i32(\"a\", LO, HI);",
            "int s = tw_i32(\"b\", LO, HI);",
        ],
        &[
            "int p = tw_i32(\"x:int\", LO, HI);",
            "int q = tw_i32(\"x\", LO, HI);",
            "int s = tw_i32(\"|x|\", LO, HI);",
        ],
        &[
            "int p = tw_i32(\"\", LO, HI);",
            "int q = tw_i32(\"0\", LO, HI);",
            "int s = tw_i32(\"true\", LO, HI);",
        ],
    ];
    let mut lines: Vec<&str> = ways[dice.index(ways.len())].to_vec();
    // The order decides which is the repetition; a text must be there before its letters are looked at.
    if dice.percent(50) && !lines[0].contains("char") && !lines[0].contains("m[2]") {
        lines.reverse();
    }
    for line in lines {
        draft.line(line.replace("LO", &lo.to_string()).replace("HI", &hi.to_string()));
    }
    let vars: Vec<Var> = ["p", "q", "s"].iter().map(|name| Var::i32(name, lo, hi)).collect();
    let pair = pairs::int(dice, &vars, 1);
    draft.function(format!("static int f$(int p, int q, int s) {{ return {}; }}", pair.left));
    let fault = match aim {
        Aim::True => String::new(),
        // What is false only where two inputs differ that share a name.
        Aim::Common => dice.pick(&["if (p != q) r++;", "if (p != s) r++;", "if (q < s) r--;"]).to_owned(),
        Aim::Rare if dice.percent(50) => {
            format!("if (p == {hi} && q == {} && s == {}) r++;", dice.range(0, 1), hi - 1)
        }
        Aim::Rare => format!("if ({}) r++;", faults::condition(dice, aim, &vars)),
    };
    draft.function(format!(
        "static int g$(int p, int q, int s) {{ int r = {}; {fault} return r; }}",
        pair.right
    ));
    draft.line("CHECK_EQ(RUN(f$(p, q, s)), RUN(g$(p, q, s)));");
    draft
}
