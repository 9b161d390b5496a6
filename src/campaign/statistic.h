/* Statistics and positions in the store.  One thread. */
#ifndef PARE_CAMPAIGN_STATISTIC_H
#define PARE_CAMPAIGN_STATISTIC_H

#include "campaign/store.h"

#include <pare/findings.h>

/* What a fuzz job adds since its last call. */
typedef struct pare_statistic_delta {
    const char *source, *target;
    int64_t config;
    uint64_t tests, failures, findings, edges;
    double testing_s, making_s;
} pare_statistic_delta;

PARE_CHECK pare_status pare_statistic_add(pare_store *store, const pare_statistic_delta *delta,
                                          pare_error *err);

/* Rows of minutes that are older than a day become rows of hours. */
PARE_CHECK pare_status pare_statistic_compact(pare_store *store, pare_error *err);

/* How far a source has come on a target with this version of the configuration: a text that only
 * the source understands; "" at first.  The caller releases *position by pare_alloc_free. */
PARE_CHECK pare_status pare_statistic_get_position(pare_store *store, const char *source,
                                                   const char *target, int64_t config,
                                                   char **position, pare_error *err);
PARE_CHECK pare_status pare_statistic_set_position(pare_store *store, const char *source,
                                                   const char *target, int64_t config,
                                                   const char *position, pare_error *err);

#endif
