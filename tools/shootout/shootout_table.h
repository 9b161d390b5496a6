/* A shoot-out as tables of text, 80 columns wide. */
#ifndef PARE_SHOOTOUT_SHOOTOUT_TABLE_H
#define PARE_SHOOTOUT_SHOOTOUT_TABLE_H

#include <stdio.h>

#include "shootout/shootout.h"

#include "ui/format.h"

/* Prints the algorithms with their geometric means, then size and tests by group, the
 * speed-up where there are several numbers of jobs, targets where cases have some, and at last
 * every run that has no result or one that does not fail.  With `each_case`, also size and
 * tests of each case, and what each phase of the judged one earned. */
void pare_shootout_table_print(FILE *out, const pare_shootout *shootout, bool each_case,
                               pare_paint paint);

/* The contender whose targets are told: auto where it takes part, else the last. */
size_t pare_shootout_judged(const pare_shootout *shootout);

/* Size and tests in a few characters: "12.3" below 100, "1,234" above. */
enum { PARE_SHOOTOUT_FIGURE_BYTES = 32 };
const char *pare_shootout_figure(char text[static PARE_SHOOTOUT_FIGURE_BYTES], double value);

/* "0.35 ms", "12.3 s"; the same room. */
const char *pare_shootout_seconds(char text[static PARE_SHOOTOUT_FIGURE_BYTES], double seconds);

/* Target as a sentence without a full stop, such as "9 bytes at the end, 18 wanted". */
enum { PARE_SHOOTOUT_TARGET_BYTES = 160 };
const char *pare_shootout_target_text(char text[static PARE_SHOOTOUT_TARGET_BYTES],
                                      const pare_target *target);

/* A line for each run, as CSV (RFC 4180).  What cannot be written is seen when the file is flushed. */
void pare_shootout_csv_print(FILE *out, const pare_shootout *shootout);

/* Summaries and comparisons as tables in LaTeX (booktabs).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shootout_latex_print(FILE *out, const pare_shootout *shootout,
                                                 pare_error *err);

#endif
