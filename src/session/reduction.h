/* A reduction by a plan: what pare_reduce and pare_reduce_list have in common. */
#ifndef PARE_SESSION_REDUCTION_H
#define PARE_SESSION_REDUCTION_H

#include <pare/reduce.h>
#include <pare/result.h>

#include "session/plan/plan.h"
#include "session/test/recording.h"
#include "text/layout.h"
#include "text/text.h"

/* Fills *own with what was given in `given_bytes` bytes (base/sized.h); what the structs
 * inside reserve for later versions must be zero.  Errors: PARE_E_ARG. */
PARE_CHECK pare_status pare_reduction_take_options(const pare_reduce_options *given,
                                                   size_t given_bytes, pare_reduce_options *own,
                                                   pare_error *err);

/* Reduces *input, which must not be empty, by the phases of `plan`; of `options` all but
 * the input, the algorithms and the units is used.  `layout` is that of several files, or
 * NULL; `recording` the one that made the input, or NULL.  *result is initialised.  The reference
 * to *input is given up, and NULL left there, once it is not needed.
 * Errors: as pare_reduce. */
PARE_CHECK pare_status pare_reduction_run(const pare_reduce_options *options, const pare_plan *plan,
                                          const pare_layout *layout, pare_recording *recording,
                                          pare_text **input, pare_result *result, pare_error *err);

#endif
