/* Lines of a text that a program names by their number: "line 12: syntax error", "in.conf:12:3: ...".
 *
 * A message that is the same for every text, "bad config line 91", is about one line all the same, and
 * that line tells one failure from another.  Any thread. */
#ifndef PARE_RUN_NAMED_LINE_H
#define PARE_RUN_NAMED_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "run/printed.h"
#include "run/signature.h"

enum { PARE_NAMED_LINES = 16 }; /* different ones of an output; more are not looked at */

/* Numbers of lines, from 1, in the order in which they were printed; all-zero: none. */
typedef struct pare_named_lines {
    size_t n;
    size_t number[PARE_NAMED_LINES];
} pare_named_lines;

/* The lines that are named on standard error, then on standard output.  Only the first 16 KiB of each are
 * looked at. */
pare_named_lines pare_named_line_find(const pare_observation *seen);

/* Writes line `number` of `text` to `line`, blanks squeezed, without those around it, and "?" for each byte
 * that is not ASCII.  False: there is no such line, it is too long to be kept, or it has less than three
 * letters and digits, as the bracket at the end of a block. */
bool pare_named_line_read(const pare_printed *text, size_t number,
                          char line[PARE_SIGNATURE_LINE_BYTES]);

/* Whether one of `lines` of `text` is `wanted`, a pattern (pare_signature_like) of what is read. */
bool pare_named_line_is(const pare_named_lines *lines, const pare_printed *text,
                        const char *wanted);

#endif
