/* An algorithm of the user's (<pare/strategy.h>) as a strategy of the engine. */
#ifndef PARE_REDUCE_LIST_OWN_STRATEGY_H
#define PARE_REDUCE_LIST_OWN_STRATEGY_H

#include <stddef.h>

#include <pare/strategy.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/list/config.h"
#include "text/text.h"

/* The file that it works on: `text` from `begin` to `end`, and the units that were cut from that. */
typedef struct pare_own_start {
    const pare_text *text; /* a reference is taken */
    size_t begin, end;
    pare_unit_list *units; /* a reference is taken */
} pare_own_start;

/* Starts `algorithm` (borrowed; with start, next and tell).  Memory: 16 bytes a unit.  On PARE_OK the
 * caller owns *out.  A proposal that makes no sense (units that do not ascend, or are not there) is
 * PARE_E_SYNTAX when the engine asks.  Errors: those of the algorithm's `start`, PARE_E_ARG (a function
 * is missing), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_own_strategy_new(const pare_own_strategy *algorithm,
                                             const pare_own_start *start, pare_strategy **out,
                                             pare_error *err);

#endif
