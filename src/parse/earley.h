/* Earley's recogniser over the productions of a grammar, and how it goes on after an error.
 *
 * It leaves a chart (chart.h).  An item is added only when the next letter may follow its
 * dot, and the symbols that can derive nothing are stepped over when they are predicted.
 * Long chains of completed right recursions are skipped, and made again where a tree needs
 * them: see leo.h.
 *
 * Sources: Earley, CACM 13(2), 1970; Aycock and Horspool, Computer Journal 45(6), 2002
 * (nullable symbols). */
#ifndef PARE_PARSE_EARLEY_H
#define PARE_PARSE_EARLEY_H

#include <pare/export.h>
#include <pare/status.h>

#include "parse/chart.h"
#include "parse/productions.h"

/* What may stand after the start rule. */
typedef enum pare_earley_extent {
    PARE_EARLEY_WHOLE, /* the end of the file */
    PARE_EARLEY_PREFIX /* anything; needs pare_production_sets_open */
} pare_earley_extent;

/* The recogniser for one grammar; keeps what it finds out about it, and its arrays, from
 * run to run.  One thread. */
typedef struct pare_earley_state pare_earley;

/* `p` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_earley_new(const pare_productions *p, pare_earley_extent extent,
                                       pare_earley **out, pare_error *err);
void pare_earley_free(pare_earley *earley); /* NULL is a no-op */

/* The input: letters[0 .. n-1]; after them the end of file, as often as wanted.  Stops
 * at the letter that nothing can take: chart->failed_at.  `letters` and `chart` are
 * borrowed until the next run when pare_earley_mend is called.
 * Errors: PARE_E_NOMEM; *chart is all-zero then. */
PARE_CHECK pare_status pare_earley_run(pare_earley *earley, const uint32_t *letters, uint32_t n,
                                       pare_chart *chart, pare_error *err);

/* Goes on with the last run, which has failed: leaves out some letters, see earley.c.
 * Its chart then has a finish, unless nothing can be kept.  Errors: as above. */
PARE_CHECK pare_status pare_earley_mend(pare_earley *earley, pare_error *err);

/* Lets chains of right recursion be skipped in sets with more than `n` completions of
 * them, PARE_LEO_SHORT unless told; UINT32_MAX: never.  The trees are the same, but an
 * ambiguous text that pare_earley_mend went on with may have another tree. */
void pare_earley_skip_after(pare_earley *earley, uint32_t n);

#endif
