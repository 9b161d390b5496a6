/* Tryouts: patches of a list, each alone, one after the other, until one fails.
 *
 * For steps that are not wanted for themselves, such as those that grow the text: what
 * follows from the one that fails is for the caller to find out, who then may go on after
 * it. */
#ifndef PARE_ENGINE_FIRST_SUCCESS_H
#define PARE_ENGINE_FIRST_SUCCESS_H

#include "engine/strategy.h"
#include "text/patch.h"

/* A strategy that tests the `n` patches `picked` of `patches` (copied, and a reference taken), in that
 * order, from the one at place `first` on.  On PARE_OK the caller owns *out.
 * Cost in tests: at most n - first.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_first_success_new(pare_patches *patches, const uint32_t *picked,
                                              size_t n, size_t first, pare_strategy **out,
                                              pare_error *err);

/* The place in `picked` of the patch that failed; n when none did, or not yet. */
size_t pare_first_success_place(const pare_strategy *strategy);

#endif
