/* Finds out which parts of a reduced input matter, by running variants of it.
 *
 * A reduction shows that nothing more can be left out; it does not say which of the remaining parts
 * could be different.  Numbers, strings, operators and names are replaced, one at a time, lines are
 * left out, and the target is run on each variant.  A part is arbitrary if the finding stays with
 * all of its replacements; the others matter, and the smallest change that makes the finding
 * disappear is named.  One thread. */
#ifndef PARE_CAMPAIGN_EXPLANATION_H
#define PARE_CAMPAIGN_EXPLANATION_H

#include <stddef.h>

#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/target.h"

enum {
    PARE_EXPLANATION_TESTS = 48,   /* at most, one run each */
    PARE_EXPLANATION_BYTES = 2048, /* of an input; larger ones are not looked at */
    PARE_EXPLANATION_MS = 20000    /* after which no other test is begun */
};

typedef struct pare_explanation_options {
    const pare_target *target;
    const char *identity; /* of the finding */
    const char *bytes;    /* its reduced input, which shows it */
    size_t size;
    pare_stop *stop;
} pare_explanation_options;

/* Appends sentences, each after a blank: where it fails, which values are arbitrary, which matter, whether
 * each line does, the nearest variant without the finding.  Nothing, where nothing was found out; also for workers, and
 * where the target cannot be run.
 * Errors: PARE_E_INTERRUPTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_explanation_add(const pare_explanation_options *options,
                                            pare_buffer *text, pare_error *err);

#endif
