/* A list algorithm over the units of a text, as a strategy for the engine. */
#ifndef PARE_REDUCE_LIST_LIST_STRATEGY_H
#define PARE_REDUCE_LIST_LIST_STRATEGY_H

#include "engine/strategy.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"

#include <pare/algorithm.h>

/* Runs `algorithm` over the units of `config` (a reference is taken), to a fixpoint when
 * the knobs or the algorithm say so.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_list_strategy_new(const pare_list_algorithm *algorithm,
                                              const pare_list_knobs *knobs, pare_config *config,
                                              pare_strategy **out, pare_error *err);

#endif
