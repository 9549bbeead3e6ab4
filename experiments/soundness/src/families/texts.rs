//! Texts: counting, reversing, comparing, changing letters, trimming.

use crate::dice::Dice;
use crate::draft::{Aim, Draft};

/// A function `int f(const char *s)` in two ways.
const WAYS: [(&str, &str); 7] = [
    (
        "int r = 0; for (; *s; s++) if (*s == 'a') r++; return r;",
        "int r = 0, n = (int)strlen(s); while (n-- > 0) r += s[n] == 'a'; FAULT return r;",
    ),
    (
        "int i = 0, j = (int)strlen(s) - 1; while (i < j) if (s[i++] != s[j--]) return 0; return 1;",
        "int n = (int)strlen(s), r = 1; for (int i = 0; i < n; i++) if (s[i] != s[n - 1 - i]) r = 0; FAULT return r;",
    ),
    (
        "unsigned h = 5; while (*s) h = h * 33u + (unsigned)*s++; return (int)(h & 0xffffu);",
        "unsigned h = 5; for (int i = 0; s[i]; i++) h = (h << 5) + h + (unsigned)s[i]; int r = (int)(h % 65536u); FAULT return r;",
    ),
    (
        "int words = 0, in = 0; for (; *s; s++) { if (*s == ' ') in = 0; else if (!in) { in = 1; words++; } } return words;",
        "int r = 0; for (int i = 0; s[i]; i++) if (s[i] != ' ' && (i == 0 || s[i - 1] == ' ')) r++; FAULT return r;",
    ),
    (
        "char t[8]; int n = (int)strlen(s); for (int i = 0; i < n; i++) t[i] = s[n - 1 - i]; t[n] = 0; return strcmp(s, t) < 0 ? -1 : strcmp(s, t) > 0;",
        "int n = (int)strlen(s), r = 0; for (int i = 0; i < n && !r; i++) r = (s[i] > s[n - 1 - i]) - (s[i] < s[n - 1 - i]); FAULT return r;",
    ),
    (
        "int r = 0; while (*s == ' ') s++; while (s[r]) r++; while (r > 0 && s[r - 1] == ' ') r--; return r;",
        "int n = (int)strlen(s), i = 0; while (n > 0 && s[n - 1] == ' ') n--; while (i < n && s[i] == ' ') i++; int r = n - i; FAULT return r;",
    ),
    (
        "int best = 0, run = 0; char last = 0; for (; *s; s++) { run = *s == last ? run + 1 : 1; last = *s; if (run > best) best = run; } return best;",
        "int r = 0; for (int i = 0; s[i]; i++) { int j = i; while (s[j] && s[j] == s[i]) j++; if (j - i > r) r = j - i; } FAULT return r;",
    ),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let alphabet = dice.pick(&["ab ", "ab", "a b9", "xa ", "aZ.\\n"]);
    let letters: i64 = if alphabet.contains('\\') { 4 } else { alphabet.len() as i64 };
    let most = match letters {
        2 => dice.range(5, 7),
        3 => dice.range(4, 6),
        _ => dice.range(4, 5),
    };
    let (left, right) = WAYS[dice.index(WAYS.len())];
    let letter = |dice: &mut Dice| char::from(alphabet.as_bytes()[dice.index(2)]);
    let word: String = (0..most).map(|_| letter(dice)).collect();
    let fault = match aim {
        Aim::True if dice.percent(50) => format!("if (strlen(s) > {most}) r++;"),
        Aim::True => String::new(),
        Aim::Rare => match dice.range(0, 2) {
            0 => format!("if (!strcmp(s, \"{word}\")) r++;"),
            1 => format!("if (!strncmp(s, \"{word}\", {most})) r ^= 1;"),
            _ => format!("if (strlen(s) == {most} && !memcmp(s, \"{word}\", {most})) r--;"),
        },
        Aim::Common => match dice.range(0, 2) {
            0 => format!("if (s[0] == '{}') r++;", letter(dice)),
            1 => format!("if (strlen(s) == {most}) r++;"),
            _ => format!("if (strchr(s, '{}')) r ^= 1;", letter(dice)),
        },
    };
    draft.function(format!("static int f$(const char *s) {{ {left} }}"));
    draft.function(format!("static int g$(const char *s) {{ {} }}", right.replace("FAULT", &fault)));
    let least = if dice.percent(30) { 1 } else { 0 };
    draft.line(format!("char s[{}], t[{}];", most + 1, most + 2));
    draft.line(format!("int n = tw_text_between(\"s\", s, {least}, {most}, \"{alphabet}\");"));
    match dice.range(0, 2) {
        0 => draft.line("memcpy(t, s, (size_t)n + 1);"),
        1 => draft.line("strcpy(t, s);"),
        _ => draft.line("for (int i = 0; i <= n; i++) t[i] = s[i];"),
    }
    draft.line("int p = RUN(f$(s)), q = RUN(g$(t));");
    draft.line("CHECK_EQ(p, q);");
    draft
}
