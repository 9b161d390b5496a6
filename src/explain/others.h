/* More others of each part, one after the other: a strategy that asks about samples and edges (sampler.h) which
 * vary.h has not asked about, because they decide nothing; a reader learns from them what was tried. */
#ifndef PARE_EXPLAIN_OTHERS_H
#define PARE_EXPLAIN_OTHERS_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "explain/vary.h"
#include "text/text.h"

typedef enum pare_others_round {
    /* What passes nearest to each token that is needed, and all edges of each value that may vary: what is
     * claimed of numbers without a sign is not to be read as if it were claimed of those with one. */
    PARE_OTHERS_EDGES,
    /* Whatever was not tried of what is needed, the part with the fewest first, until each was tried with some
     * eight, a piece of program with some four.  "Needed" rests on one that passed before. */
    PARE_OTHERS_REST
} pare_others_round;

/* The answers of `vary`, whose verdicts stay, about each of `parts`, with what is found out here.  All-zero:
 * none. */
typedef struct pare_others {
    pare_answer *answers; /* owned; one for each part */
    bool *is_covered;     /* owned; nothing is asked about the part */
} pare_others;

/* Takes the answers over.  On PARE_OK the caller ends *out (all-zero before).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_others_begin(const pare_parts *parts, const pare_strategy *vary,
                                         pare_others *out, pare_error *err);
void pare_others_done(pare_others *others);

/* Makes the strategy of a round over `text` (flat).  Everything is borrowed and must outlive it, but that
 * answers are copied.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_others_new(const pare_text *text, const pare_parts *parts,
                                       const pare_others *others, pare_others_round round,
                                       pare_strategy **out, pare_error *err);

/* Puts the answers of the strategy, which it was made from, into *others. */
void pare_others_take(const pare_strategy *strategy, pare_others *others);

/* How many tests the first round asks for at least: what the claims leave of the limit should be more. */
uint32_t pare_others_wanted(const pare_parts *parts);

#endif
