//! Sequences of operations on a stateful subject, against another implementation of the same.

use crate::dice::Dice;
use crate::draft::{Aim, Draft};

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let most = dice.range(3, 4);
    let top = if most == 3 { dice.range(3, 5) } else { dice.range(2, 3) };
    let fault = match aim {
        Aim::True => String::new(),
        Aim::Rare => {
            // One sequence of the longest.
            let steps: Vec<String> = (0..most)
                .map(|index| match dice.range(0, 3) {
                    0 => format!("ops[{index}].op == 1"),
                    1 => format!("ops[{index}].op == 2"),
                    _ => format!("ops[{index}].op == 0 && ops[{index}].arg[0] == {}", dice.range(0, top)),
                })
                .collect();
            format!("if (n == {most} && {}) r {};", steps.join(" && "), dice.pick(&["+= 1", "^= 1", "-= 2"]))
        }
        Aim::Common => dice
            .pick(&[
                "if (n > 0 && ops[n - 1].op == 1) r++;",
                "if (n == 2) r++;",
                "if (n > 1 && ops[0].arg[0] > 0) r--;",
            ])
            .to_owned(),
    };
    let (left, right) = match dice.range(0, 2) {
        // A stack, from the bottom and from the top.
        0 => (
            "int a[8], k = 0, r = 0; for (int i = 0; i < n; i++) { if (ops[i].op == 0) a[k++] = ops[i].arg[0]; else if (ops[i].op == 1) { if (k) r += a[--k]; } else r += k; } return r * 8 + k;",
            "int a[8], k = 8, r = 0; for (int i = 0; i < n; i++) switch (ops[i].op) { case 0: a[--k] = ops[i].arg[0]; break; case 1: if (k < 8) r += a[k++]; break; default: r += 8 - k; } r = r * 8 + (8 - k); FAULT return r;",
        ),
        // A counter.
        1 => (
            "int v = 0; for (int i = 0; i < n; i++) { if (ops[i].op == 0) v += ops[i].arg[0]; else if (ops[i].op == 1) v = -v; else v *= 2; } return v;",
            "int r = 0, sign = 1; for (int i = 0; i < n; i++) { if (ops[i].op == 0) r += sign * ops[i].arg[0]; else if (ops[i].op == 1) sign = -sign; else r += r; } r *= sign; FAULT return r;",
        ),
        // A set of small numbers: flags and a list.
        _ => (
            "unsigned s = 0; for (int i = 0; i < n; i++) { if (ops[i].op == 0) s |= 1u << ops[i].arg[0]; else if (ops[i].op == 1) s &= s - 1u; else s = 0; } return (int)s;",
            "int in[8] = {0}; for (int i = 0; i < n; i++) { if (ops[i].op == 0) in[ops[i].arg[0]] = 1; else if (ops[i].op == 1) { for (int j = 0; j < 8; j++) if (in[j]) { in[j] = 0; break; } } else for (int j = 0; j < 8; j++) in[j] = 0; } int r = 0; for (int j = 7; j >= 0; j--) r = r * 2 + in[j]; FAULT return r;",
        ),
    };
    draft.function(format!("static int f$(const tw_op *ops, int n) {{ {left} }}"));
    draft
        .function(format!("static int g$(const tw_op *ops, int n) {{ {} }}", right.replace("FAULT", &fault)));
    draft.line(format!(
        "tw_op ops[{most}]; int n = tw_ops(\"ops\", ops, {most}, \"push 0..{top}; pop; twice\");"
    ));
    draft.line("int p = RUN(f$(ops, n)), q = RUN(g$(ops, n));");
    draft.line("CHECK_EQ(p, q);");
    draft
}
