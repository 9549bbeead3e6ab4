//! Draws that depend on others: in one branch only, with a range from another input, after a run, in a loop; long permutations, matrices, bytes.

use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var};
use crate::{faults, pairs};

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let hi = dice.range(9, 17);
    // Each gives the scalars `x`, `y` and `z`.
    let draws: &[&str] = match dice.range(0, 9) {
        0 => &[
            "int x = tw_i32(\"x\", 0, HI);",
            "int y = x > 3 ? tw_i32(\"y\", 0, HI) : 5;",
            "int z = x > 3 ? 1 : tw_i32(\"z\", 0, HI);",
        ],
        1 => &[
            "int x = tw_i32(\"x\", 1, HI);",
            "int y = tw_i32(\"y\", 0, x);",
            "int z = tw_i32(\"z\", -x, y);",
        ],
        2 => &[
            "int n = tw_len(\"n\", 0, 3), a[4] = {0};",
            "for (int i = 0; i < n; i++) a[i] = tw_i32(\"a\", 0, 5);",
            "int x = a[0], y = a[1], z = a[2];",
        ],
        3 => &[
            "int x = tw_i32(\"x\", 0, HI), y = 0, z = 2;",
            "if (x & 1) y = tw_i32(\"same\", 0, HI); else z = tw_i32(\"same\", 0, HI);",
        ],
        4 => &["int32_t p[6]; tw_permutation(\"p\", p, 6);", "int x = p[0], y = p[3], z = p[5] - p[1];"],
        5 => &["int32_t p[7]; tw_permutation(\"p\", p, 7);", "int x = p[6], y = p[0] - p[2], z = p[4];"],
        6 => &[
            "int m[2][3]; tw_i32_matrix(\"m\", &m[0][0], 3, 2, 3, 0, 3);",
            "int x = m[0][2], y = m[1][0] - m[0][1], z = m[1][2];",
        ],
        7 => &[
            "uint8_t b[1]; tw_bytes(\"b\", b, 1);",
            "int x = b[0] & 15, y = b[0] >> 4, z = tw_i32(\"z\", 0, 5);",
        ],
        8 => &[
            "int64_t a[2]; tw_i64s(\"a\", a, 2, -12, 12);",
            "int x = (int)a[0], y = (int)a[1], z = (int)(a[0] - a[1]);",
        ],
        _ => &[
            "int k = tw_choice(\"k\", 3), n = tw_len(\"n\", 1, 3), a[3] = {1, 2, 3};",
            "tw_i32s(k == 0 ? \"a\" : k == 1 ? \"b\" : \"n\", a, n, 0, 5);",
            "int x = a[0], y = a[n - 1], z = k;",
        ],
    };
    for line in draws {
        draft.line(line.replace("HI", &hi.to_string()));
    }
    let vars: Vec<Var> = ["x", "y", "z"].iter().map(|name| Var::i32(name, -20, 20)).collect();
    let pair = pairs::int(dice, &vars, 1);
    let fault = match aim {
        Aim::True => String::new(),
        Aim::Rare => {
            let (a, b, c) = (dice.range(0, 5), dice.range(0, 3), dice.range(1, 2));
            format!("if (x == {a} && y == {b} && z == {c}) r++;")
        }
        Aim::Common => format!("if ({}) r++;", faults::condition(dice, aim, &vars)),
    };
    draft.function(format!("static int f$(int x, int y, int z) {{ return {}; }}", pair.left));
    draft.function(format!(
        "static int g$(int x, int y, int z) {{ int r = {}; {fault} return r; }}",
        pair.right
    ));
    match dice.range(0, 2) {
        0 => draft.line("CHECK_EQ(RUN(f$(x, y, z)), RUN(g$(x, y, z)));"),
        1 => {
            // One more input after the first run, and a check that depends on it.
            draft.line("int p_ = RUN(f$(x, y, z)); int t = tw_i32(\"t\", 0, 1); int q_ = RUN(g$(x, y, z));");
            draft.line("if (t) CHECK_EQ(p_, q_); else CHECK(p_ <= q_ && q_ <= p_);");
        }
        _ => {
            draft.line("int q_ = RUN(g$(x, y, z));");
            draft.line("CHECK_EQ(RUN(f$(x, y, z)), q_);");
        }
    }
    draft
}
