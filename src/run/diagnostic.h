/* Diagnostics: the problems that a program reports in words, such as
 *
 *     in.c:5:3: error: 'count' undeclared (first use in this function)
 *     in.c:7:9: warning: unused variable 'n' [-Wunused-variable]
 *     TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
 *     Parse error near line 3: no such table: teas
 *
 * A diagnostic is kept as one line, its text: the severity or the kind of exception, its
 * code, and the message, without the place in front of it.  Paths are cut to their last
 * part, blanks squeezed, typographic quotes made plain; hints at similar names ("did you
 * mean") are left out, for they come and go with what else is in the input.  What is only
 * a summary ("1 error generated", make's "Error 1", "ld returned 1 exit status") is none.
 *
 * Where no line names an error, there are guesses (run/diagnostic_guess.h).
 * Sources: the formats are those of the programs in tests/data/diagnostics.  Any thread. */
#ifndef PARE_RUN_DIAGNOSTIC_H
#define PARE_RUN_DIAGNOSTIC_H

#include <stdbool.h>

#include "run/diagnostic_header.h"
#include "run/diagnostic_text.h"
#include "run/printed.h"
#include "run/signature.h"

enum { PARE_DIAGNOSTICS_MAX = 32 }; /* different ones of a run; more are not looked at */

typedef struct pare_diagnostic {
    pare_severity severity;
    bool is_exception; /* "TypeError: ...": ended the program, so it is the failure */
    bool is_guess;     /* no severity was named */
    char text[PARE_DIAGNOSTIC_BYTES];
    char place[48]; /* file and line, as printed before it; "": none, or a long one */
} pare_diagnostic;

/* All-zero: none.  In the order in which they were printed, each text once. */
typedef struct pare_diagnostics {
    size_t n;
    pare_diagnostic item[PARE_DIAGNOSTICS_MAX];
} pare_diagnostics;

/* Reads `line`, which has the word of a severity in it, and those of the lines after it that
 * belong to the same problem; false: it is no diagnostic. */
bool pare_diagnostic_read(const pare_printed_line *line, pare_diagnostic *out);

/* Reads the last line of a traceback, which names what was thrown: a name of any form. */
void pare_diagnostic_read_thrown(const pare_printed_line *line, pare_diagnostic *out);

/* Makes words that somebody copied from a terminal as the text of a diagnostic is: paths cut,
 * quotes plain, blanks squeezed; cut at the room. */
void pare_diagnostic_plain(const char *words, char plain[static PARE_DIAGNOSTIC_BYTES]);

/* Adds `diagnostic` unless its text is there, or the list is full. */
void pare_diagnostics_add(pare_diagnostics *list, const pare_diagnostic *diagnostic);

/* Whether `list` has the diagnostic that `wanted` names and, if that is to be alone, no other
 * error.  If not, *missing says whether the named one is missing, and *extra is an error too many
 * (in `list`), or NULL. */
bool pare_diagnostics_hold(const pare_diagnostics *list, const pare_signature *wanted,
                           bool *missing, const pare_diagnostic **extra);

/* Keeps those whose text is in `other` too; words that differ become "*". */
void pare_diagnostics_intersect(pare_diagnostics *common, const pare_diagnostics *other);

#endif
