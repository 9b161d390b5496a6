/* A configuration: which units of a list are still there, and the text they print; and the
 * strategy that reduces one by a list algorithm.
 *
 * Held as runs of consecutive units, so that a configuration costs O(runs) and a
 * candidate O(log runs), however many units there are.  Immutable but for
 * pare_config_settle, reference-counted, one thread. */
#ifndef PARE_REDUCE_LIST_CONFIG_H
#define PARE_REDUCE_LIST_CONFIG_H

#include <stdbool.h>

#include <pare/algorithm.h>

#include "engine/strategy.h"
#include "reduce/list/algorithms.h"
#include "text/candidate.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"

/* The units of a list: slices of a text, in order, shared by all configurations.
 *
 * Units need not touch: what lies between them belongs to no unit and always stays (the
 * text around the nodes of one level of a tree).  Immutable, reference-counted, one
 * thread.  Memory: nothing for bytes, 4 bytes a unit otherwise (8 with gaps). */

typedef struct pare_unit_list {
    size_t refs;
    size_t n;
    uint32_t *begin; /* owned; NULL: unit i is byte i */
    uint32_t *end;   /* in the block of `begin`; NULL: unit i ends at begin[i + 1], no gaps */
} pare_unit_list;

/* Takes over *bounds (all-zero afterwards).  On PARE_OK the caller owns *out, one
 * reference.  Errors: PARE_E_NOMEM; *bounds is then the caller's. */
PARE_CHECK pare_status pare_config_units_new(pare_bounds *bounds, pare_unit_list **out,
                                             pare_error *err);

/* The same for units with gaps: takes over *slices. */
PARE_CHECK pare_status pare_config_units_gapped(pare_slices *slices, pare_unit_list **out,
                                                pare_error *err);

void pare_config_units_unref(pare_unit_list *units); /* NULL is a no-op */

static inline size_t pare_config_unit_begin(const pare_unit_list *units, size_t i)
{
    return units->begin ? units->begin[i] : i;
}

static inline size_t pare_config_unit_end(const pare_unit_list *units, size_t i)
{
    if (units->end) return units->end[i];
    return units->begin ? units->begin[i + 1] : i + 1;
}

typedef struct pare_config pare_config;

/* All units of `text`, which they must have been cut from.  Takes references to both.
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_new(pare_unit_list *units, const pare_text *text,
                                       pare_config **out, pare_error *err);
void pare_config_unref(pare_config *config); /* NULL is a no-op */

size_t pare_config_count(const pare_config *config); /* units left */

/* Fills *candidate (initialised or all-zero) with the configuration less the positions
 * of `edit`.  O(ranges * log runs), or O(units removed) when the units have gaps.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_candidate(const pare_config *config, const pare_edit *edit,
                                             pare_candidate *candidate, pare_error *err);

/* The configuration less the positions of `edit`; O(runs + ranges).
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_less(const pare_config *config, const pare_edit *edit,
                                        pare_config **out, pare_error *err);

/* Copies the text to a store of its own once it is less than half of the store it shares,
 * so that the larger one can be let go.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_settle(pare_config *config, pare_error *err);

/* Checks the invariants, for tests. */
bool pare_config_check(const pare_config *config);

/* A list algorithm over the units of a text, as a strategy for the engine. */

/* Runs `algorithm` over the units of `config` (a reference is taken), to a fixpoint when
 * the knobs or the algorithm say so.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_strategy_new(const pare_list_algorithm *algorithm,
                                                const pare_list_knobs *knobs, pare_config *config,
                                                pare_strategy **out, pare_error *err);

#endif
