/* Reduces a text by its structure: the heaviest blocks and lists of lines first. */
#ifndef PARE_REDUCE_STRUCTURE_STRUCTURE_REDUCTION_H
#define PARE_REDUCE_STRUCTURE_STRUCTURE_REDUCTION_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/structure/structure.h"

/* How long to go on. */
typedef enum pare_structure_effort {
    PARE_STRUCTURE_TO_THE_END,
    PARE_STRUCTURE_WHILE_IT_PAYS,     /* as long as each few tests leave out a good part */
    PARE_STRUCTURE_IF_IT_PAYS_AT_ONCE /* the same, but not if the first few tests leave out nothing */
} pare_structure_effort;

/* Makes the strategy; it takes a reference to the structure.  A list loses halves of itself; a
 * block goes, or its largest inner block or its body takes its place, moved to its margin, or its
 * body goes.  It ends when what is left to be tried is light, or nothing has gone for long.
 * On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Cost: about 2 log2(bytes / needed bytes) tests to a needed place, at most some hundreds.
 * Guarantee: none; deterministic. */
PARE_CHECK pare_status pare_structure_reduction_new(pare_structure *structure,
                                                    pare_structure_effort effort,
                                                    pare_strategy **out, pare_error *err);

#endif
