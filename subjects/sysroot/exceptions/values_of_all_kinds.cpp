#include <cstdio>
struct Big { double d[8]; long long l; };
double d(int k) { if (k) throw 2.5; return 1; } float f(int k) { if (k) throw 'q'; return 2; } long long l(int k) { if (k) { Big b{}; b.l = 77; b.d[7] = 3.5; throw b; } return 3; }
struct N { ~N() {} };
int main() {
    for (int k = 0; k < 2; k++) { N n;
        try { printf("%g\n", d(k)); } catch (double e) { printf("%g\n", e); }
        try { printf("%g\n", f(k)); } catch (char e) { printf("%c\n", e); }
        try { printf("%lld\n", l(k)); } catch (const Big &b) { printf("%lld %g\n", b.l, b.d[7]); }
    }
}
