#include <cstdio>
#include <cstdlib>
#include <exception>
static void last() { try { std::rethrow_exception(std::current_exception()); } catch (int e) { printf("last %d\n", e); } catch (...) { printf("other\n"); } fflush(stdout); _Exit(3); }
static void f() noexcept { throw 8; }
int main() { std::set_terminate(last); f(); }
