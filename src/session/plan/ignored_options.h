/* Options without effect: what was asked for, but none of the plan's algorithms looks at. */
#ifndef PARE_SESSION_PLAN_IGNORED_OPTIONS_H
#define PARE_SESSION_PLAN_IGNORED_OPTIONS_H

#include "base/buffer.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"

#include <pare/algorithm.h>

/* The options that may be without effect; borrowed. */
typedef struct pare_ignored_options_given {
    const char *units; /* NULL: not given */
    const pare_list_knobs *lists;
    const pare_tree_options *trees;
} pare_ignored_options_given;

/* Writes one sentence that names them to *sentence, or nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ignored_options_tell(const pare_ignored_options_given *given,
                                                 const pare_plan *plan,
                                                 const pare_tree_setup *setup,
                                                 pare_buffer *sentence, pare_error *err);

#endif
