/* A configuration: which units of a list are still there, and the text they print.
 *
 * Held as runs of consecutive units, so that a configuration costs O(runs) and a
 * candidate O(log runs), however many units there are.  Immutable but for
 * pare_config_settle, reference-counted, one thread. */
#ifndef PARE_REDUCE_LIST_CONFIG_H
#define PARE_REDUCE_LIST_CONFIG_H

#include "reduce/list/algorithm.h"
#include "reduce/list/units.h"
#include "text/candidate.h"
#include "text/text.h"

typedef struct pare_config pare_config;

/* All units of `text`, which they must have been cut from.  Takes references to both.
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_config_new(pare_unit_list *units, const pare_text *text,
                                       pare_config **out, pare_error *err);
pare_config *pare_config_ref(pare_config *config);
void pare_config_unref(pare_config *config); /* NULL is a no-op */

size_t pare_config_count(const pare_config *config);          /* units left */
const pare_text *pare_config_text(const pare_config *config); /* borrowed */

/* Which unit stands at `position` (below the count). */
size_t pare_config_unit(const pare_config *config, size_t position);

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

#endif
