//! The heap: blocks that grow, lists, trees; and, in some, a block that is used beyond its end or after it was freed.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::faults;
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(300, 3000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let (left, right) = (&pair.left, &pair.right);
    // One in five has a fault of memory instead of one of values; whether the relation still holds is told by enumeration.
    let unsafe_use = dice.percent(20);
    let condition = faults::condition(dice, aim, &vars);
    let fault = if unsafe_use { String::new() } else { fault(dice, aim, &vars, "r") };
    let misuse =
        |text: &str| if unsafe_use { format!("if ({condition}) {{ {text} }}") } else { String::new() };
    draws(&mut draft, &vars);
    match dice.range(0, 5) {
        0 => {
            draft.function(format!("static int f$(int x, int y) {{ int *p = malloc(2 * sizeof *p); p[0] = x; p[1] = {left}; {} int r = p[0] + 2 * p[1]; free(p); {} return r; }}", misuse("p[2] = y;"), ""));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = 2 * ({right}) + x; {fault} return r; }}"
            ));
        }
        1 => {
            draft.function(format!("static int f$(int x, int y) {{ int *p = malloc(sizeof *p); *p = x; p = realloc(p, 3 * sizeof *p); p[1] = y; p[2] = {left}; int r = p[0] + p[1] - p[2]; free(p); {} return r; }}", misuse("r += p[0] - p[0];")));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = x - ({right}) + y; {fault} return r; }}"
            ));
        }
        2 => {
            draft.function("typedef struct node$ { int value; struct node$ *next; } node$;");
            draft.function("static node$ *push$(node$ *p, int value) { node$ *q = malloc(sizeof *q); q->value = value; q->next = p; return q; }");
            draft.function("static int take$(node$ *p) { int r = 0, k = 1; while (p) { node$ *next = p->next; r += k++ * p->value; free(p); p = next; } return r; }");
            draft.function(format!("static int f$(int x, int y) {{ node$ *p = push$(push$(push$(0, x), y), {left}); {} return take$(p); }}", misuse("free(p->next);")));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = ({right}) + 2 * y + 3 * x; {fault} return r; }}"
            ));
        }
        3 => {
            draft.function("typedef struct tree$ { int key; struct tree$ *low, *high; } tree$;");
            draft.function("static tree$ *insert$(tree$ *t, int key) { if (!t) { t = calloc(1, sizeof *t); t->key = key; } else if (key < t->key) t->low = insert$(t->low, key); else t->high = insert$(t->high, key); return t; }");
            draft.function("static int walk$(tree$ *t, int *k) { if (!t) return 0; int r = walk$(t->low, k); r += (*k)++ * t->key; r += walk$(t->high, k); free(t); return r; }");
            draft.function(format!("static int f$(int x, int y) {{ int k = 1; tree$ *t = insert$(insert$(insert$(0, x), y), {left}); int r = walk$(t, &k); {} return r; }}", misuse("r += t->key & 0;")));
            draft.function(format!("static int g$(int x, int y) {{ int k = 1; int r = walk$(insert$(insert$(insert$(0, {right}), x), y), &k); {fault} return r; }}"));
        }
        4 => {
            draft.function(format!("static int f$(int x, int y) {{ int n = (x & 3) + 1; int *p = calloc((size_t)n, sizeof *p); for (int i = 0; i < n; i++) p[i] = y + i; {} int r = ({left}); for (int i = 0; i < n; i++) r += p[i]; free(p); return r; }}", misuse("p[n] = 1;")));
            draft.function(format!("static int g$(int x, int y) {{ int n = (x & 3) + 1; int r = ({right}) + n * y + n * (n - 1) / 2; {fault} return r; }}"));
        }
        _ => {
            draft.function(format!("static int f$(int x, int y) {{ int *p = malloc(8), *q = malloc(8); p[0] = x; q[0] = y; p[1] = {left}; q[1] = p[1]; {} int r = p[0] * q[1] - q[0]; free(q); {} free(p); return r; }}", misuse("p = q;"), ""));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = x * ({right}) - y; {fault} return r; }}"
            ));
        }
    }
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
