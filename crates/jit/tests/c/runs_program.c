#include "abi.h"
#include <string.h>

struct text { const char *start; int length; };

static int call(const char *argument, const char *in) {
    struct text arguments[1] = {{argument, (int)strlen(argument)}};
    return tw_program(N("count"), arguments, 1, in, (int)strlen(in));
}

RELATION(lines) {
    char out[64], file[8];
    tw_program_file(N("in.txt"), N("xyz"));
    int exit_code = call("hello", "a\nb\n");
    CHECK_EQ(exit_code, 2);
    int length = tw_program_output(1, 0, out, sizeof out);
    tw_check_bytes(out, length, N("2 x hello"), N("stdout"), __LINE__);
    CHECK_EQ(tw_program_output(2, 0, out, sizeof out), 4);
    CHECK_EQ(tw_program_written(N("out.txt"), file, sizeof file), 1);
    CHECK_EQ(file[0], '2');
    CHECK_EQ(tw_program_written(N("none"), file, sizeof file), -1);
    int again = RUN(call("hello", "a\n"));
    CHECK_EQ(again, 2);
    length = tw_program_output(1, 0, out, sizeof out);
    tw_check_bytes(out, length, N("1 - hello"), N("stdout"), __LINE__);
}
RELATION(program_loops) { call("loop", ""); }
RELATION(program_aborts) { call("abort", "x"); }
