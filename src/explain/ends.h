/* Whether the ends of ranges are the same each time: the texts at an end and next to it are run again. */
#ifndef PARE_EXPLAIN_ENDS_H
#define PARE_EXPLAIN_ENDS_H

#include <stdint.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/others.h"
#include "explain/parts.h"
#include "session/session.h"
#include "text/text.h"

enum {
    PARE_ENDS_RUNS = 3, /* of each of the two texts */
    PARE_ENDS_MOST = 3, /* ends that are looked at */
    PARE_ENDS_MOST_RUNS = 2 * PARE_ENDS_RUNS * PARE_ENDS_MOST
};

/* All borrowed. */
typedef struct pare_ends_task {
    pare_session *session;
    const pare_text *text;
    const pare_parts *parts;
    const pare_strategy *vary; /* that found the ranges */
    pare_others *others;       /* whose answers are told what came of it */
} pare_ends_task;

/* How many runs may be wanted: none without a part that has a size. */
uint32_t pare_ends_wanted(const pare_parts *parts);

/* Runs them, past the cache, and sets is_low_vague and is_high_vague of the answers; adds to *runs how many
 * there were, PARE_ENDS_MOST_RUNS at most.  Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_ends_measure(const pare_ends_task *task, uint32_t *runs,
                                         pare_error *err);

#endif
