/* The phase of C and C++: what a program that knows types has to offer. */
#ifndef PARE_SESSION_PLAN_SEMANTIC_PHASE_H
#define PARE_SESSION_PLAN_SEMANTIC_PHASE_H

#include <stdbool.h>

#include "engine/limited.h"
#include "session/plan/work.h"

/* Asks pare-clang-edits about the best text, and runs a pool of what it answers; once, until something
 * else has changed the text.  Nothing is done for several files, another language than C and C++, a
 * large text, without libclang, in an uphill search, or where the user does not want it.
 * With `terms` that are not NULL it ends when it is not worth its tests any more, by terms of its own; *whole (may be NULL)
 * tells whether it came to its end.
 * Cost: one run of the program, which is no test; in tests, of n edits of which k can be made, about
 * 2k log(n).
 * Errors: those of the engine, PARE_E_NOMEM; PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_semantic_phase_run(pare_work *work, const pare_early_stop_terms *terms,
                                               bool *whole, pare_error *err);

#endif
