/* What a run of a program did not reach, as patches: bodies become empty, statements go. */
#ifndef PARE_REDUCE_BINDING_UNREACHED_H
#define PARE_REDUCE_BINDING_UNREACHED_H

#include "base/fail.h"
#include "reduce/binding/unreached_ranges.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

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
