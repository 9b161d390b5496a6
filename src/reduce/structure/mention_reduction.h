/* Reduces a text by what its parts mention: units go together with the places that name them. */
#ifndef PARE_REDUCE_STRUCTURE_MENTION_REDUCTION_H
#define PARE_REDUCE_STRUCTURE_MENTION_REDUCTION_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/structure/mentions.h"

/* Makes the strategy; it takes a reference to the mentions.  Runs of units are left out by halves, and
 * with them the lines that mention them, or these words, or the units that do; in the way that has worked
 * most.  It ends when what is left to be tried is light, or nothing has gone for a few tests.
 * On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Guarantee: none; deterministic. */
PARE_CHECK pare_status pare_mention_reduction_new(pare_mentions *mentions, pare_strategy **out,
                                                  pare_error *err);

#endif
