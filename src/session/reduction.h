/* A reduction by a plan: what pare_reduce and pare_reduce_list have in common. */
#ifndef PARE_SESSION_REDUCTION_H
#define PARE_SESSION_REDUCTION_H

#include <pare/reduce.h>
#include <pare/result.h>

#include "session/plan/plan.h"
#include "session/test/external_generator.h"
#include "text/layout.h"
#include "text/text.h"

/* Fills *own with what was given in `given_bytes` bytes (base/sized.h); what the structs
 * inside reserve for later versions must be zero.  Errors: PARE_E_ARG. */
PARE_CHECK pare_status pare_reduction_take_options(const pare_reduce_options *given,
                                                   size_t given_bytes, pare_reduce_options *own,
                                                   pare_error *err);

/* Makes the plan that the options name over `units` (NULL: the default's): algorithms, or one of the
 * user's own.  Errors: PARE_E_ARG (unknown names, or several ways at once). */
PARE_CHECK pare_status pare_reduction_make_plan(const pare_reduce_options *options,
                                                const char *units, pare_plan *plan,
                                                pare_error *err);

/* What is reduced, and how; all borrowed but the text. */
typedef struct pare_reduction_task {
    const pare_reduce_options *options; /* all but the input, the algorithms and the units */
    const pare_plan *plan;              /* by whose phases; has some */
    const pare_layout *layout;          /* of several files; NULL: it is one text */
    pare_recording *recording;          /* what made the text; NULL: it was read */
    pare_text *text;                    /* owned, not empty */
    bool wants_names; /* set by a run that is refused: with --keep exact it may not be */
    bool wants_line;  /* the same with --keep line */
} pare_reduction_task;

/* Reduces the text.  *result is initialised.  The reference to the text is given up, and NULL left
 * there, once it is not needed; the caller releases what is left.
 * Errors: as pare_reduce. */
PARE_CHECK pare_status pare_reduction_run(pare_reduction_task *reduction, pare_result *result,
                                          pare_error *err);

#endif
