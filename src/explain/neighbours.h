/* The smallest changes that make a failure go: of each needed part what passes nearest to it. */
#ifndef PARE_EXPLAIN_NEIGHBOURS_H
#define PARE_EXPLAIN_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/explain.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/others.h"
#include "explain/parts.h"
#include "session/session.h"
#include "text/text.h"

/* A text that passes, as what differs from the one that fails: one stretch. */
struct pare_neighbour {
    bool is_known;
    size_t from, to;     /* bytes of the failing text */
    size_t offset, size; /* what stands there instead, in `texts` */
};

/* All-zero: nothing was looked for. */
typedef struct pare_neighbours {
    struct pare_neighbour *changes; /* owned; one for each part */
    pare_buffer texts;
} pare_neighbours;

/* What is looked at; borrowed. */
typedef struct pare_neighbours_task {
    pare_session *session;
    const pare_text *text; /* flat */
    const pare_parts *parts;
    const pare_strategy *vary; /* explain/vary.h: what is needed */
    const pare_others *others; /* what came of the edges of parts */
} pare_neighbours_task;

/* Looks for what passes nearest to each token that is needed, and to each range of numbers, which costs no test;
 * nor does a token whose nearest edge passes.  Cost: up to 12 tests for another token.
 * *nearest (all-zero before) has what was found however the run ends.
 * Errors: as pare_session_run; PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_neighbours_find(const pare_neighbours_task *task,
                                            pare_neighbours *nearest, pare_error *err);
void pare_neighbours_done(pare_neighbours *nearest);

/* Sets what `part` says about its nearest passing text; borrowed from `texts`. */
void pare_neighbours_give(const pare_neighbours *nearest, size_t index, pare_explained_part *part);

#endif
