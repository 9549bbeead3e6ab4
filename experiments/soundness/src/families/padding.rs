//! Bytes that nobody wrote: in padding, unions, bit-fields and copied blocks, which is no fault; and, in some, a use of one, which is.

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
    // In one of four a variable keeps its first bytes where the fault shows.
    let forgets = aim != Aim::True && dice.percent(50);
    let when = faults::condition(dice, aim, &vars);
    let fault = if forgets { String::new() } else { fault(dice, aim, &vars, "r") };
    let set = |text: &str| if forgets { format!("if (!({when})) {text}") } else { text.to_owned() };
    draws(&mut draft, &vars);
    match dice.range(0, 7) {
        0 => {
            draft.function("typedef struct { int8_t c; int32_t a; int8_t d; } gap$;");
            draft.function(format!("static int f$(int x, int y) {{ gap$ p, q; p.c = (int8_t)x; {} p.d = 1; q = p; gap$ *h = malloc(sizeof *h); memcpy(h, &q, sizeof q); int r = h->c + h->a * 2 + h->d; free(h); return r; }}", set(&format!("p.a = {left};"))));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = (int8_t)x + 2 * ({right}) + 1; {fault} return r; }}"
            ));
        }
        1 => {
            draft.function("typedef union { int64_t all; int32_t half[2]; int8_t first; } any$;");
            draft.function(format!("static int f$(int x, int y) {{ any$ u, v; {} u.half[0] = x; v = u; return v.half[0] + (v.half[1] & 0) + (x > y ? 1 : 0) + ({left}) - v.half[0]; }}", set("u.half[1] = y;")));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = (x > y) + ({right}); {fault} return r; }}"
            ));
        }
        2 => {
            draft.function("typedef struct { unsigned a : 3; unsigned b : 7; int c : 5; } bits$;");
            draft.function(format!("static int f$(int x, int y) {{ bits$ p; p.a = (unsigned)x; p.b = (unsigned)({left}); {} bits$ q = p; return (int)q.a + (int)q.b * 2 + q.c; }}", set("p.c = y;")));
            draft.function(format!("static int g$(int x, int y) {{ int r = (x & 7) + 2 * (({right}) & 127) + (((y & 31) ^ 16) - 16); {fault} return r; }}"));
        }
        3 => {
            draft.function(format!("static int f$(int x, int y) {{ int a[6]; int n = (x & 3) + 1; for (int i = 0; i < n; i++) a[i] = y + i; {} int b[6]; memcpy(b, a, sizeof b); int r = {left}; for (int i = 0; i <= n; i++) r += b[i]; return r; }}", set("a[n] = 4;")));
            draft.function(format!("static int g$(int x, int y) {{ int n = (x & 3) + 1, r = ({right}) + n * y + n * (n - 1) / 2 + 4; {fault} return r; }}"));
        }
        4 => {
            draft.function(format!("static int f$(int x, int y) {{ uint8_t *p = malloc(16); p[3] = (uint8_t)x; {} uint8_t *q = malloc(16); memmove(q, p, 16); free(p); int r = q[3] + q[7] * 3 + ({left}); free(q); return r; }}", set("p[7] = (uint8_t)y;")));
            draft.function(format!("static int g$(int x, int y) {{ int r = (x & 255) + 3 * (y & 255) + ({right}); {fault} return r; }}"));
        }
        5 => {
            draft.function("typedef struct { int used; int a, b; } maybe$;");
            draft.function(format!("static maybe$ make$(int x, int y) {{ maybe$ m; m.used = x > 0; if (m.used) {{ m.a = {left}; {} }} return m; }}", set("m.b = y;")));
            draft.function("static int f$(int x, int y) { maybe$ m = make$(x, y), n = m; return n.used ? n.a - n.b : 7; }");
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = x > 0 ? ({right}) - y : 7; {fault} return r; }}"
            ));
        }
        6 => {
            draft.function(format!("static int f$(int x, int y) {{ int v, w = {left}; {} if (x > y) w += v; else w -= 1; return w; }}", set("v = 5;")));
            draft.function(format!(
                "static int g$(int x, int y) {{ int r = ({right}) + (x > y ? 5 : -1); {fault} return r; }}"
            ));
        }
        _ => {
            draft.function("static void fill$(int16_t *p, int n, int v) { for (int i = 0; i < n; i++) p[i] = (int16_t)(v + i); }");
            draft.function(format!("static int f$(int x, int y) {{ int16_t a[8]; fill$(a, 4, x); {} int16_t b[8]; for (int i = 0; i < 8; i++) b[i] = a[i]; return b[3] + b[4] + ({left}); }}", set("fill$(a + 4, 2, y);")));
            draft.function(format!("static int g$(int x, int y) {{ int r = (int16_t)(x + 3) + (int16_t)y + ({right}); {fault} return r; }}"));
        }
    }
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
