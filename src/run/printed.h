/* What was seen of one run of a program: how it ended and what it printed, with its lines,
 * and a line without what changes from run to run.  Values; texts are borrowed.  Any thread. */
#ifndef PARE_RUN_PRINTED_H
#define PARE_RUN_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "run/signature.h"

/* What was kept of a stream: all of it, or its head, a line that says so, its tail. */
typedef struct pare_printed {
    const char *text; /* any bytes; NULL when there are none */
    size_t size;
} pare_printed;

/* One run, as far as it can be told from outside. */
typedef struct pare_observation {
    pare_ended ended;
    int code; /* exit code or signal */
    pare_printed out, err;
    pare_digest out_digest;  /* of all that was printed on standard output */
    uint64_t peak_rss_bytes; /* 0: not known */
    pare_printed candidate;  /* where the judge reads it and it is one file; else none */
} pare_observation;

/* A line of an output, from which the next one can be found. */
typedef struct pare_printed_line {
    const char *start, *end; /* end: the line end, or the end of the text */
    const char *limit;       /* end of the text */
} pare_printed_line;

/* The line around the byte `at` of `text`, which is not empty. */
pare_printed_line pare_printed_line_at(const pare_printed *text, size_t at);

/* Goes on to the next line; false at the end. */
bool pare_printed_line_next(pare_printed_line *line);

/* How many bytes at `at`, before `end`, are a pointer as printf prints it, which differs from run to run:
 * 0x and six hexadecimal digits or more; 0: none begins there. */
size_t pare_printed_pointer(const char *at, const char *end);

/* Writes `line` (`size` bytes) masked to `to`, NUL-terminated, cut at `capacity` - 1 bytes;
 * `capacity` is at least 1.  Addresses become "0x#", numbers (with a sign and an exponent, and the
 * times, dates and versions that are made of them) "#", a path its last component, blanks one space; each
 * byte of what cannot be seen, or is no UTF-8, "?".  Digits inside a word stay: names of functions
 * are told apart by them.  Cost: O(size), of which 4 KiB are looked at. */
void pare_printed_mask(const char *line, size_t size, char *to, size_t capacity);

#endif
