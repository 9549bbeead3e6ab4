#include <cstdio>
struct G { const char *n; ~G() { printf("%s\n", n); } };
int f(int k) { G g{"f"}; try { G h{"t"}; if (k) throw k; return 1; } catch (int e) { G h{"c"}; return e * 10; } }
int main() { printf("%d\n", f(0)); printf("%d\n", f(4)); }
