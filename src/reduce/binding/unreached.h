/* What a run of a program did not reach, as patches: bodies become empty, statements go. */
#ifndef PARE_REDUCE_BINDING_UNREACHED_H
#define PARE_REDUCE_BINDING_UNREACHED_H

#include <stddef.h>

#include "base/fail.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* What is offered for what was not reached. */
typedef enum pare_unreached_depth {
    PARE_UNREACHED_INSIDE, /* it alone: the functions and branches around it stay, emptied */
    PARE_UNREACHED_AROUND  /* the statement around each function or branch of which nothing was
                              reached: its declaration, the assignment of it */
} pare_unreached_depth;

/* Whether a piece, `size` bytes with those around it by which its place is known again, was not offered
 * before; it counts as offered from then on.  Errors: PARE_E_NOMEM. */
typedef pare_status pare_unreached_note(void *context, const void *piece, size_t size, bool *is_new,
                                        pare_error *err);

/* The bytes that were not reached: they ascend and do not overlap; borrowed. */
typedef struct pare_unreached {
    const pare_extent *ranges;
    size_t n;
    bool by_line; /* known by lines: a range may begin and end beside what was meant */
    pare_unreached_note *is_new; /* asked for each piece before it is offered; NULL: all are new */
    void *context;               /* of is_new; borrowed */
} pare_unreached;

/* Adds to `out`, a list about view->text, what follows from `unreached`: all of it in one patch,
 * its halves, and so on down to single pieces.  Pieces are nodes of the program where the
 * language has a table, else (INSIDE only) nodes of a tree or, without one, stretches of text
 * whose brackets are balanced.  Nothing is run, and a wrong guess costs tests only.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_unreached_offer(const pare_pass_view *view,
                                            const pare_unreached *unreached,
                                            pare_unreached_depth depth, pare_patches *out,
                                            pare_error *err);

#endif
