/* What a program runs at its outermost level, as patches: the few statements and texts because of
 * which everything else runs. */
#ifndef PARE_REDUCE_BINDING_DRIVERS_H
#define PARE_REDUCE_BINDING_DRIVERS_H

#include "base/fail.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Which part of a driver is offered. */
typedef enum pare_drivers_part {
    PARE_DRIVERS_STATEMENTS, /* each statement */
    PARE_DRIVERS_DATA        /* what they work on: elements of lists, lines of texts */
} pare_drivers_part;

/* Adds to `out`, a list about view->text, one patch without any of the parts, its halves, and so on
 * down to single parts.  Nothing, where the language has no table, or where the statements that
 * could be drivers make up more than a quarter of the text.  Nothing is run.
 * O(nodes).  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_drivers_offer(const pare_pass_view *view, pare_drivers_part part,
                                          pare_patches *out, pare_error *err);

#endif
