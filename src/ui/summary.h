/* What is said when a reduction is over. */
#ifndef PARE_UI_SUMMARY_H
#define PARE_UI_SUMMARY_H

#include <stdio.h>

#include <pare/result.h>

#include "ui/format.h"

typedef struct pare_summary {
    const char *input_name; /* all borrowed */
    const char *output_path;
    size_t n_places;         /* above 1: the result is in the places of as many inputs */
    const char *backup_path; /* where the input itself is kept; NULL: untouched */
    const char *journal_dir; /* to continue from; NULL: none */
    const char *script_path; /* runs what is left of the command; NULL: none */
    const char *history;     /* the command that lists its bests; NULL: there is none, or nobody
                                looks */
    const char *proof;       /* what a minimal result means; NULL: told by its unit */
    const char *lacks;       /* what this build cannot do; NULL: nothing */
    pare_paint paint;
} pare_summary;

/* Prints a handful of lines, none wider than 80 columns but for long names:
 * the sizes, the tests, why it stopped, where the result is. */
void pare_summary_print(FILE *out, const pare_summary *summary, const pare_stats *stats);

/* Why it stopped, as a sentence without a full stop; `proof` as above.  Writes into `text`
 * and returns it. */
enum { PARE_SUMMARY_ENDING_BYTES = 240 };
const char *pare_summary_ending(char text[static PARE_SUMMARY_ENDING_BYTES], const char *proof,
                                const pare_stats *stats);

/* Tells what is left of a command that was reduced, which failure was kept, and lists the
 * other failures that were met on the way, the
 * first PARE_SUMMARY_OTHERS of them with their files.  Nothing when there are none. */
enum { PARE_SUMMARY_OTHERS = 8 };
void pare_summary_print_failures(FILE *out, const pare_result *result);

/* Tells what the test did with the input that does not fail: the command, how it
 * ended, its last lines, and what to do about it.  Nothing when no test was run. */
void pare_summary_print_check(FILE *out, const pare_result *result);

#endif
