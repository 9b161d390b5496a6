/* Texts of diagnostics: what of the printed lines belongs to one, and what does not.
 *
 * A diagnostic is kept as one line (run/diagnostic.h), while programs print sentences over several, with hints and
 * places in them that come and go with what else is in the input.  Any thread. */
#ifndef PARE_RUN_DIAGNOSTIC_TEXT_H
#define PARE_RUN_DIAGNOSTIC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "run/plain_line.h"
#include "run/printed.h"
#include "run/signature.h"

enum { PARE_DIAGNOSTIC_BYTES = PARE_SIGNATURE_LINE_BYTES }; /* of a text, with the NUL */

/* Appends `size` bytes, or a string, to the text of a diagnostic, as far as there is room; trimmed to whole
 * characters. */
void pare_diagnostic_text_append(char text[static PARE_DIAGNOSTIC_BYTES], const char *more,
                                 size_t size);
void pare_diagnostic_text_add(char text[static PARE_DIAGNOSTIC_BYTES], const char *more);

/* Cuts hints at names that are like another ("did you mean 'rows'?"), with the blanks and signs before them. */
void pare_diagnostic_text_cut_hint(char *text);

/* Cuts the place that a message names at its end (" in FILE on line N", " (at 5:4)"), and what a linker says of
 * other places. */
void pare_diagnostic_text_cut_places(char *text);

/* Whether the line only sums up: it says that others were reported, or that a program which was started has
 * failed. */
bool pare_diagnostic_text_is_summary(const char *text);

/* Where `text` names the file `name` (no path) next, at `from`, which is in `text`, or after it: as the end of a path
 * or alone, and not as a part of a longer name ("in.c" in "main.c" or "in.cpp"); a dot may end the sentence.  NULL:
 * nowhere. */
const char *pare_diagnostic_text_find_file(const char *text, const char *from, const char *name);

/* The message of a header that has none, from the lines below; *line is moved to it, `plain` holds it.  "": there
 * is none. */
const char *pare_diagnostic_text_after(pare_printed_line *line, pare_plain_line *plain);

/* The next line if it is indented by more than `line`, which ends with a colon, and is no frame of a stack; in
 * `plain`.  "": there is none. */
const char *pare_diagnostic_text_indented_after(pare_printed_line line, pare_plain_line *plain);

/* Appends what finishes a sentence that goes on in the lines after `line`. */
void pare_diagnostic_text_finish(pare_printed_line line, char text[static PARE_DIAGNOSTIC_BYTES]);

#endif
