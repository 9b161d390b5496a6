/* Triage: what is done about a failing test, whoever met it: a member of a finding, and the job that
 * is due for a new one.  One thread. */
#ifndef PARE_CAMPAIGN_TRIAGE_H
#define PARE_CAMPAIGN_TRIAGE_H

#include <stdint.h>

#include <pare/findings.h>

#include "campaign/finding_table.h"
#include "campaign/store.h"
#include "campaign/target.h"

/* A failing test of `target`; texts borrowed. */
typedef struct pare_triage_failure {
    const char *source;    /* that made the input */
    const char *version;   /* of the target; "": not known */
    const char *signature; /* NULL: nothing was told */
    const char *output;    /* the last lines printed; NULL: not known */
    const void *bytes;
    size_t size;
    int64_t config, job;
} pare_triage_failure;

/* Takes it in, and orders a reduction, or where the target has none a validation, when it is new or
 * has come back.  One transaction.  Errors: of the store; PARE_E_SYNTAX (the signature). */
PARE_CHECK pare_status pare_triage_add(pare_store *store, const pare_target *target,
                                       const pare_triage_failure *failure,
                                       pare_failure_added *added, pare_error *err);

#endif
