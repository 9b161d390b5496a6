/* Validation: whether an input still shows its finding, and how often.
 *
 * It makes a few runs, and more only if the first ones differ, or if the finding is known to be
 * flaky.  One thread. */
#ifndef PARE_CAMPAIGN_VALIDATION_H
#define PARE_CAMPAIGN_VALIDATION_H

#include <stddef.h>
#include <stdint.h>

#include <pare/stop.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "campaign/finding.h"
#include "campaign/target.h"
#include "run/rate.h"

/* Another failure that a run has shown; borrowed during the call. */
typedef pare_status (*pare_validation_other)(void *context, const pare_target_seen *seen,
                                             pare_error *err);

typedef struct pare_validation_options {
    const pare_target *target;
    const pare_test_options *test; /* instead of the target's careful one; NULL: that */
    const char *identity;
    const void *bytes;
    size_t size;
    pare_rate earlier; /* how often it has failed before, where that was measured */
    pare_stop *stop;
    pare_validation_other other; /* NULL: nobody wants to know */
    void *context;
} pare_validation_options;

typedef struct pare_validation {
    pare_validity validity;
    pare_rate rate; /* of its runs */
    char why[256];  /* NOT_RUN: one sentence */
} pare_validation;

/* Runs the target; that it cannot be run is no error.
 * Errors: PARE_E_INTERRUPTED, PARE_E_NOMEM, those of `other`. */
PARE_CHECK pare_status pare_validation_run(const pare_validation_options *options,
                                           pare_validation *validation, pare_error *err);

/* Appends "fails in 7 of 20 runs (18 % to 57 %)", or "fails in each of 3 runs". */
PARE_CHECK pare_status pare_validation_describe(pare_rate rate, pare_buffer *text, pare_error *err);

#endif
