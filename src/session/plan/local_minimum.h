/* Ways out of a local minimum: a text in which the phases of the default find nothing, or hardly
 * anything, though a smaller one fails.  Deterministic, the same for any number of slots; nothing larger
 * is ever the best.  One thread. */
#ifndef PARE_SESSION_PLAN_LOCAL_MINIMUM_H
#define PARE_SESSION_PLAN_LOCAL_MINIMUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "session/plan/work.h"

/* Runs the phases over the engine's current text, each with early stop, until none finds anything. */
typedef pare_status (*pare_local_minimum_phases)(pare_work *work, pare_error *err);

/* Over the best text so far, in which every phase finds nothing: takes steps that grow it, those
 * that grow it least first, and looks by `phases` from each that still fails whether they
 * lead to something smaller than the best, which is then the best.  With PARE_EFFORT_MAX it then
 * leaves out sets of tokens and of characters that are no neighbours.  Sets *found and ends with
 * the first success.
 * Cost: uphill at most 32 offers of each pass and three searches of 800 tests (--effort max: 256,
 * 32 and 4,000); each restart about as many tests as there are tokens or characters.
 * Errors: those of the engine's runs; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_local_minimum_leave(pare_work *work, pare_local_minimum_phases phases,
                                                bool *found, pare_error *err);

/* What is known of candidates that hang; all-zero at first. */
typedef struct pare_local_minimum_hangs {
    bool is_watched;           /* the text has become small */
    uint64_t n_fails, n_hangs; /* retired until then */
    size_t from_bytes;         /* the text that was searched from last; 0: none was */
} pare_local_minimum_hangs;

/* Whether so many candidates of a small text hang, compared with those that fail, that the failure
 * seems to have two faces; and the best has become smaller since the last search.  Only of tests that
 * are commands, for of others UNRESOLVED does not only mean a hang; and not in folders. */
bool pare_local_minimum_hangs_seem_alike(const pare_work *work, pare_local_minimum_hangs *hangs);

/* Goes on from the best as if candidates that hang failed, too, so that the current text becomes
 * smaller than the best; those on the way that fail become the best.
 * Cost: at most 800 tests; the search is given up after 24 steps of which none failed.
 * Errors: those of the engine's runs; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_local_minimum_search_hangs(pare_work *work,
                                                       pare_local_minimum_hangs *hangs,
                                                       pare_local_minimum_phases phases,
                                                       pare_error *err);

#endif
