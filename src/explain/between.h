/* What stands between the parts: whether it is needed, sign by sign. */
#ifndef PARE_EXPLAIN_BETWEEN_H
#define PARE_EXPLAIN_BETWEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "text/text.h"

enum {
    PARE_BETWEEN_MOST = 32,  /* tests: 300 are for all that is asked */
    PARE_BETWEEN_KEPT = 160, /* signs that are looked at */
    PARE_BETWEEN_ALONE = 255 /* the sign has no mate */
};

/* A sign: a character that is no blank, and of no part that was varied; or a line end between others, which is
 * replaced by a blank instead of left out. */
typedef struct pare_sign {
    uint32_t from, to; /* bytes of the text */
    uint8_t mate; /* of a bracket the sign that closes or opens it: both are left out by one test */
    bool is_chosen; /* it is tried; of too many signs only some are */
    bool is_tried;
    bool is_needed; /* it was left out, and the failure was gone */
} pare_sign;

typedef struct pare_between {
    pare_sign signs[PARE_BETWEEN_KEPT];
    uint32_t n;  /* signs that there are; above PARE_BETWEEN_KEPT not all of them are in `signs` */
    uint32_t at; /* the next one to be tried, if it is chosen */
    uint32_t n_tried;
    uint32_t n_needed; /* of those that were tried: without one of them the failure was gone */
} pare_between;

/* Finds the signs of `text` (flat), and chooses those that are to be tried: if they are too many, pairs of
 * brackets before others.  `is_varied` tells of each part whether it was varied as a whole, so that
 * what is in it is not between. */
void pare_between_find(const pare_text *text, const pare_parts *parts,
                       bool (*is_varied)(const void *context, size_t part), const void *context,
                       pare_between *out);

/* A strategy that leaves out each chosen sign in turn, one test for it or for a pair of brackets; its best is always the text.  It borrows
 * `text`.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_between_new(const pare_text *text, const pare_between *between,
                                        pare_strategy **out, pare_error *err);

/* Takes from the strategy what it has found out, however its run ended. */
void pare_between_take(const pare_strategy *strategy, pare_between *between);

#endif
