/* Recognisers: from what a program printed to the signature of its failure.
 *
 * One for each family: messages (assertions, internal errors, the C library's last
 * words), sanitizers, tracebacks.  Each is shown the line of a marker and may read on
 * from there.  The first finding of a kind counts, of chained exceptions the last, which
 * is the root.  Any thread. */
#ifndef PARE_RUN_RECOGNIZE_H
#define PARE_RUN_RECOGNIZE_H

#include "run/markers.h"
#include "run/observation.h"
#include "run/signature.h"

/* A line of an output, and how to come to the next. */
typedef struct pare_line {
    const char *start, *end; /* end: the line end, or the end of the text */
    const char *limit;       /* end of the text */
} pare_line;

struct pare_diagnostics;

/* What is in `seen`, as a signature; its `despite` are the signs of rejection shown.  The
 * problems that the program reports in words are added to *diagnostics, unless that is NULL.
 * Cost: below 50 us for 64 KiB (bench/bench_signature.c). */
pare_signature pare_recognize(const pare_markers *markers, const pare_observation *seen,
                              struct pare_diagnostics *diagnostics);

/* ---- for recognisers -------------------------------------------------------------- */

/* The line around the byte `at` of `text`, which is not empty. */
pare_line pare_line_at(const pare_printed *text, size_t at);

/* Goes on to the next line; false at the end. */
bool pare_line_next(pare_line *line);

/* Whether `part` is in the line, regardless of case when `part` is in lower case;
 * *at is set behind it.  `at` may be NULL. */
bool pare_line_has(const pare_line *line, const char *part, const char **at);

/* Whether the line begins with `part`. */
bool pare_line_begins(const pare_line *line, const char *part);

/* Reads the lines behind a marker into *signature.  `at` is where the marker begins. */
void pare_recognize_message(const pare_line *line, const char *at, pare_signature *signature);
void pare_recognize_sanitizer(const pare_line *line, const char *at, pare_signature *signature);
void pare_recognize_runtime(const pare_line *line, const char *at, pare_signature *signature);
/* Gives whether the line with what was thrown was found, in *thrown. */
bool pare_recognize_traceback(const pare_line *line, pare_signature *signature, pare_line *thrown);
void pare_recognize_exception(const pare_line *line, const char *at, pare_signature *signature);
void pare_recognize_panicked(const pare_line *line, const char *at, pare_signature *signature);
void pare_recognize_panic(const pare_line *line, const char *at, pare_signature *signature);

#endif
