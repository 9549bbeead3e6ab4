#include <string.h>

#include <twinrun.h>

#include "http.h"

enum { ROOM = 160, PLACES = 4, MOST_SPACE = 3 };

static Request run(const char *line) {
    GIVEN_TEXT("line", line);
    Request request = RUN(read_request_line(line));
    OUTPUT("status", request.status);
    OUTPUT_TEXT("method", request.method);
    OUTPUT_TEXT("target", request.target);
    return request;
}

static char *append(char *to, const char *text) {
    while (*text) *to++ = *text++;
    *to = 0;
    return to;
}

static void check_same(const Request *a, const Request *b) {
    CHECK_EQ(a->status, b->status);
    CHECK_TEXT(a->method, b->method);
    CHECK_TEXT(a->target, b->target);
    CHECK_EQ(a->major, b->major);
    CHECK_EQ(a->minor, b->minor);
}

/* Redundant white space does not change the answer. */
RELATION(white_space) {
    static const char *const methods[] = {"GET", "PUT", "M-SEARCH", "get"};
    static const char *const versions[] = {"HTTP/1.0", "HTTP/1.1", "HTTP/x"};
    char plain[ROOM], spaced[ROOM], target[4], more[PLACES][MOST_SPACE + 1];
    const char *method = methods[tw_choice("method", 4)], *version = versions[tw_choice("version", 3)];
    tw_text_between("target", target, 1, 3, "/a?*");
    tw_text("before", more[0], MOST_SPACE, " \t");
    tw_text("after_method", more[1], MOST_SPACE, " \t");
    tw_text("after_target", more[2], MOST_SPACE, " \t");
    tw_text("after_version", more[3], MOST_SPACE, " \t");
    char *p = append(append(append(append(append(plain, method), " "), target), " "), version);
    append(p, "\r\n");
    p = append(append(append(append(spaced, more[0]), method), " "), more[1]);
    p = append(append(append(append(append(p, target), " "), more[2]), version), more[3]);
    append(p, "\r\n");
    Request source = run(plain);
    Request follow_up = run(spaced);
    check_same(&source, &follow_up);
}

/* How the line ends does not matter. */
RELATION(line_end) {
    char line[ROOM], words[3][9];
    tw_text("method", words[0], 8, "GETP-x");
    tw_text("target", words[1], 8, "/a?* ");
    tw_text("version", words[2], 8, "HTP/.1");
    char *end = append(append(append(append(append(line, words[0]), " "), words[1]), " "), words[2]);
    Request source = run(line);
    static const char *const ends[] = {"\n", "\r\n", " \t\n"};
    append(end, ends[tw_choice("end", 3)]);
    Request follow_up = run(line);
    check_same(&source, &follow_up);
}
