/* A line that a program printed, made plain for being searched. */
#ifndef PARE_RUN_PLAIN_LINE_H
#define PARE_RUN_PLAIN_LINE_H

#include <stddef.h>

#include "run/printed.h"

enum { PARE_PLAIN_LINE_BYTES = 1024 /* with the NUL; what does not fit is cut */ };

typedef struct pare_plain_line {
    char text[PARE_PLAIN_LINE_BYTES];
    size_t n;
} pare_plain_line;

/* Makes the line plain: no escape sequences, no folders, ASCII quotes, single blanks and none at the ends, "?" for
 * each byte of what cannot be seen.  Any thread. */
void pare_plain_line_make(const pare_printed_line *line, pare_plain_line *plain);

#endif
