/* What stands between the parts: whether it is needed, sign by sign. */
#ifndef PARE_EXPLAIN_BETWEEN_H
#define PARE_EXPLAIN_BETWEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "text/text.h"

enum { PARE_BETWEEN_MOST = 32 /* signs; of more none is tried, for 300 tests are for all */ };

/* A sign: a character that is no blank, and of no part that was varied; or a line end between others, which is
 * replaced by a blank instead of left out. */
typedef struct pare_sign {
    uint32_t from, to; /* bytes of the text */
    bool is_needed;    /* it was left out, and the failure was gone */
} pare_sign;

typedef struct pare_between {
    pare_sign signs[PARE_BETWEEN_MOST];
    uint32_t n; /* signs that there are; above PARE_BETWEEN_MOST not all of them are in `signs` */
    uint32_t n_tried;  /* the first ones */
    uint32_t n_needed; /* of these: without one of them the failure was gone */
} pare_between;

/* Finds the signs of `text` (flat).  `is_varied` tells of each part whether it was varied as a whole, so that
 * what is in it is not between. */
void pare_between_find(const pare_text *text, const pare_parts *parts,
                       bool (*is_varied)(const void *context, size_t part), const void *context,
                       pare_between *out);

/* A strategy that leaves out each sign in turn, one test each; its best is always the text.  It borrows
 * `text`.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_between_new(const pare_text *text, const pare_between *between,
                                        pare_strategy **out, pare_error *err);

/* Takes from the strategy what it has found out, however its run ended. */
void pare_between_take(const pare_strategy *strategy, pare_between *between);

#endif
