/* The first line of an HTTP request: method, target, version. */
#include <stdbool.h>

enum { MOST_METHOD = 15, MOST_TARGET = 63 };

typedef enum { REQUEST_OK, NO_METHOD, NO_TARGET, NO_VERSION, BAD_VERSION, TOO_LONG, TRAILING_TEXT } RequestStatus;

typedef struct {
    RequestStatus status;
    char method[MOST_METHOD + 1];
    char target[MOST_TARGET + 1];
    int major, minor;
} Request;

/* Reads a request line. White space between the parts, before the first and after the last one may be any number of blanks and
 * tabs; the line ends with a zero byte, "\n" or "\r\n". */
Request read_request_line(const char *line);
