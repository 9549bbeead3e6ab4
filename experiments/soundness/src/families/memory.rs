//! Memory through addresses that depend on inputs: writes, copies that overlap, parts of numbers, tables.

use super::{draws, fault};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, small};
use crate::pairs;

const WAYS: [(&str, &str); 11] = [
    (
        "int v[5] = {1, 2, 3, 4, 5}; v[x & 3] = A; v[y & 3] += 10; return v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3] + v[4];",
        "int i = x & 3, j = y & 3, r = 5; for (int k = 0; k < 4; k++) r += (k + 1) * ((k == i ? B : k + 1) + (k == j ? 10 : 0)); FAULT return r;",
    ),
    (
        "uint8_t c[8] = {1, 2, 3, 4, 5, 6, 7, 8}; memmove(c + (x & 3), c + (y & 3), 4); int s = 0; for (int i = 0; i < 8; i++) s = s * 3 + c[i]; return s + A;",
        "uint8_t c[8]; int to = x & 3, from = y & 3; for (int i = 0; i < 8; i++) c[i] = (uint8_t)(i >= to && i < to + 4 ? i - to + from + 1 : i + 1); int r = 0; for (int i = 0; i < 8; i++) r = r * 3 + c[i]; r += B; FAULT return r;",
    ),
    (
        "uint8_t c[8]; memset(c, 7, 8); memset(c + 1, x & 255, (size_t)(y & 3)); uint32_t w; memcpy(&w, c, 4); return (int)(w & 0xffffffu) + A;",
        "int n = y & 3, v = x & 255, r = 7 + ((n > 0 ? v : 7) << 8) + ((n > 1 ? v : 7) << 16) + B; FAULT return r;",
    ),
    (
        "uint32_t w = 0x01020304u; uint8_t *c = (uint8_t *)&w; c[x & 3] = (uint8_t)y; return (int)(w % 100003u) + A;",
        "uint32_t s = 8u * (uint32_t)(x & 3), w = (0x01020304u & ~(255u << s)) | (uint32_t)(y & 255) << s; int r = (int)(w % 100003u) + B; FAULT return r;",
    ),
    (
        "static const int8_t table[8] = {3, -1, 4, -1, 5, -9, 2, -6}; return table[x & 7] * table[y & 7] + A;",
        "int t[8] = {3, -1, 4, -1, 5, -9, 2, -6}, r = t[(unsigned)y % 8u] * t[(unsigned)x % 8u] + B; FAULT return r;",
    ),
    (
        "int v[4] = {0}; for (int i = 0; i < 4; i++) v[(i + x) & 3] = v[(i + y) & 3] + i; return v[0] * 27 + v[1] * 9 + v[2] * 3 + v[3] + A;",
        "int a = 0, b = 0, c = 0, d = 0; for (int i = 0; i < 4; i++) { int j = (i + y) & 3, k = (i + x) & 3, t = (j == 0 ? a : j == 1 ? b : j == 2 ? c : d) + i; if (k == 0) a = t; else if (k == 1) b = t; else if (k == 2) c = t; else d = t; } int r = a * 27 + b * 9 + c * 3 + d + B; FAULT return r;",
    ),
    (
        "uint8_t c[12] = {0}; uint32_t w = 0xdeadbeefu; memcpy(c + (x & 7), &w, 4); uint16_t h; memcpy(&h, c + (y & 7), 2); return h + A;",
        "int k = (y & 7) - (x & 7), lo = k >= 0 && k < 4 ? (int)(0xdeadbeefu >> 8 * k & 255u) : 0, hi = k >= -1 && k < 3 ? (int)(0xdeadbeefu >> 8 * (k + 1) & 255u) : 0; int r = lo + 256 * hi + B; FAULT return r;",
    ),
    (
        "int a = x, b = y; int *p[2] = {&a, &b}; *p[x & 1] = A; *p[y & 1] -= 2; return a * 5 + b;",
        "int a = x, b = y; if (x & 1) b = B; else a = B; if (y & 1) b -= 2; else a -= 2; int r = a * 5 + b; FAULT return r;",
    ),
    (
        "int m[3][3]; for (int i = 0; i < 9; i++) m[i / 3][i % 3] = i; int t = m[x & 1][y & 1]; m[x & 1][y & 1] = m[(x >> 1) & 1][2]; m[(x >> 1) & 1][2] = t; return m[0][0] + 2 * m[0][2] + 4 * m[1][1] + 8 * m[1][2] + A;",
        "int f[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}; int i = (x & 1) * 3 + (y & 1), j = ((x >> 1) & 1) * 3 + 2; f[i] ^= f[j]; f[j] ^= f[i]; f[i] ^= f[j]; int r = f[0] + 2 * f[2] + 4 * f[4] + 8 * f[5] + B; FAULT return r;",
    ),
    (
        "char s[8] = \"abcdefg\"; s[x & 3] = (char)('a' + (y & 3)); return strcmp(s, \"abcdefg\") * 0 + (int)strlen(s) + (strchr(s, 'a') ? 1 : 0) + A;",
        "int a = ((x & 3) != 0) || ((y & 3) == 0), r = 7 + a + B; FAULT return r;",
    ),
    (
        "int16_t h[4] = {1, -2, 3, -4}; int32_t *w = (int32_t *)(void *)h; w[x & 1] += 65536; h[y & 3] = (int16_t)(h[y & 3] * 3); return h[0] + h[1] * 2 + h[2] * 3 + h[3] * 4 + A;",
        "int h[4] = {1, -2, 3, -4}; h[(x & 1) * 2 + 1] += 1; h[y & 3] *= 3; int r = h[0] + h[1] * 2 + h[2] * 3 + h[3] * 4 + B; FAULT return r;",
    ),
];

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let budget = dice.range(400, 3000);
    let vars = small(dice, &["x", "y"], budget);
    let pair = pairs::int(dice, &vars, 1);
    let fault = fault(dice, aim, &vars, "r");
    let (left, right) = WAYS[dice.index(WAYS.len())];
    draft.function(format!(
        "static int f$(int x, int y) {{ {} }}",
        left.replace('A', &format!("({})", pair.left))
    ));
    let right = right.replace("FAULT", "@").replace('B', &format!("({})", pair.right)).replace('@', &fault);
    draft.function(format!("static int g$(int x, int y) {{ {right} }}"));
    draws(&mut draft, &vars);
    draft.line("CHECK_EQ(RUN(f$(x, y)), RUN(g$(x, y)));");
    draft
}
