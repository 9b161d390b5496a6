/* Edits in vain: what was changed, between which neighbours, in candidates that did not fail.
 *
 * An outcome is cached for a text as a whole, so after any gain all candidates are new, also where
 * nothing around them has changed.  Most of them do not fail this time either. */
#ifndef PARE_ENGINE_VAIN_EDITS_H
#define PARE_ENGINE_VAIN_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "base/fail.h"
#include "engine/tried_digests.h"
#include "text/candidate.h"

/* All-zero is empty; one thread. */
typedef struct pare_vain_edits {
    pare_tried_digests known;
    pare_digest *fresh; /* owned; not known yet */
    size_t n_fresh, fresh_capacity;
} pare_vain_edits;

void pare_vain_edits_done(pare_vain_edits *edits); /* it is empty then */

/* Adds the edit that makes the candidate out of its base, which is known from the next
 * pare_vain_edits_settle on.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vain_edits_add(pare_vain_edits *edits, const pare_candidate *candidate,
                                           pare_error *err);

/* Makes all that was added known.  Errors: PARE_E_NOMEM; some of it is then. */
PARE_CHECK pare_status pare_vain_edits_settle(pare_vain_edits *edits, pare_error *err);

/* Whether this edit is known: the same bytes go, the same come, and up to 24 bytes on either side of
 * each place are the same. */
bool pare_vain_edits_has(const pare_vain_edits *edits, const pare_candidate *candidate);

#endif
