/* What a request to `pare fuzz web` changes in the store. */
#ifndef PARE_UI_FUZZ_WEB_CHANGE_H
#define PARE_UI_FUZZ_WEB_CHANGE_H

#include <jansson.h>

#include <pare/findings.h>

#include "base/fail.h"

enum { PARE_FUZZ_WEB_MOST_IDS = 1000 };

/* Changes one finding as `wanted` says, an object with the member `action`: "edit" (with some of
 * state, title, note, url), "merge" (with into), "split", "delete", or the kind of a job that is
 * asked for: "reduce", "validate", "bisect", "report" (the latter two with detail).
 * *job is the job's number, 0 without one.
 * Errors: PARE_E_ARG (there is no such action, a member is missing, unknown, or not what it has to
 * be), and those of the store. */
PARE_CHECK pare_status pare_fuzz_web_change_finding(pare_store *store, int64_t id,
                                                    const json_t *wanted, int64_t *job,
                                                    pare_error *err);

/* The same with each of the member `ids`, one after the other; what cannot be done with one of them
 * does not keep the others from it.  *result: {"done": N, "failed": [{"id", "error"}]}.
 * Errors: PARE_E_ARG (of `ids`, or no action), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_web_change_many(pare_store *store, const json_t *wanted,
                                                 json_t **result, pare_error *err);

/* Asks for a job: `wanted` has kind and, where one is meant, finding and detail. */
PARE_CHECK pare_status pare_fuzz_web_change_request(pare_store *store, const json_t *wanted,
                                                    int64_t *job, pare_error *err);

#endif
