/* What was seen of one run of a program: how it ended, what it printed, what it took.
 * Borrowed texts; a value. */
#ifndef PARE_RUN_OBSERVATION_H
#define PARE_RUN_OBSERVATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "run/signature.h"

/* What was kept of a stream: all of it, or its head, a line that says so, its tail. */
typedef struct pare_printed {
    const char *text; /* any bytes; NULL when there are none */
    size_t size;
} pare_printed;

typedef struct pare_observation {
    pare_ended ended;
    int code; /* exit code or signal */
    pare_printed out, err;
    pare_digest out_digest;  /* of all that was printed on standard output */
    uint64_t peak_rss_bytes; /* 0: not known */
} pare_observation;

#endif
