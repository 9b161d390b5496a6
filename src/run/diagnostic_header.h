/* The header of a diagnostic: the part of a line that says how serious the problem is, such as "error",
 * "warning[unused]", "TypeError" or "Error-PINNOTFOUND".  Lines are plain (run/plain_line.h).  Any thread. */
#ifndef PARE_RUN_DIAGNOSTIC_HEADER_H
#define PARE_RUN_DIAGNOSTIC_HEADER_H

#include <ctype.h>
#include <stdbool.h>

typedef enum pare_severity { PARE_SEVERITY_WARNING, PARE_SEVERITY_ERROR } pare_severity;

/* Where a header begins and ends in a line, and where the message begins. */
typedef struct pare_diagnostic_header {
    const char *start, *end; /* the same: the line has only a sign that it is an error */
    const char *message;     /* end: what follows is a part of the header's own sentence */
    pare_severity severity;
    bool is_exception;
} pare_diagnostic_header;

/* A dot is a part of a word: "java.io.IOException". */
static inline bool pare_diagnostic_in_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_' || c == '.';
}

/* Finds the first header in a line; false: there is none.  The first counts: "error: warnings are treated as
 * errors" is an error. */
bool pare_diagnostic_header_find(const char *line, pare_diagnostic_header *header);

/* Skips a place, with blanks around it, at the beginning of `text`; without one, returns `text`.  A
 * place may begin with the name of the program: "lua: in.lua:3: ...". */
const char *pare_diagnostic_skip_place(const char *text);

#endif
