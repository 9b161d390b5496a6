/* Findings and their members in the store: what jobs add and change.
 *
 * A finding is (target, identity).  The states and who changes them:
 *
 *     new --reduce--> reduced --report--> reported
 *     any of them --validate: not there, another version--> fixed --seen again--> regressed
 *     any of them --validate: not there, the same version--> invalid --seen again--> new
 *     any of them --same canonical text as another one of the target--> merged
 *
 * Reading them is in pare/findings.h.  One thread. */
#ifndef PARE_CAMPAIGN_FINDING_H
#define PARE_CAMPAIGN_FINDING_H

#include "campaign/store.h"

#include <pare/findings.h>

/* One failing test. */
typedef struct pare_failure {
    const char *target, *source;
    const char *version; /* of the target; "": not known */
    int64_t config;
    const char *signature; /* as it was seen */
    const char *identity;  /* identity.h */
    const char *title;     /* one line for people; NULL: the identity */
    const char *output;    /* the last lines printed; may be "" */
    const void *bytes;
    size_t size;
    int64_t from_job; /* the job that met it */
} pare_failure;

typedef struct pare_failure_added {
    int64_t finding; /* that it belongs to, after merges */
    bool is_new;     /* first of this finding: a reduction is due */
    bool regressed;  /* it was fixed, or invalid */
    bool is_member;  /* its bytes had not been seen for this finding */
} pare_failure_added;

/* Takes a failing test in: events "new" and "regressed" are added too.  The same bytes count once
 * for a finding, but as an occurrence (`count`). */
PARE_CHECK pare_status pare_finding_add(pare_store *store, const pare_failure *failure,
                                        pare_failure_added *added, pare_error *err);

/* The reduction's result: state, event "reduced"; when another finding of the target has the same
 * reduced bytes and neither is pinned, the younger is merged into the older: *merged_into, else 0.
 * Also replaces the reduced input when this is a better one. */
PARE_CHECK pare_status pare_finding_set_reduced(pare_store *store, int64_t id, const void *bytes,
                                                size_t size, int64_t *merged_into, pare_error *err);

/* The best so far of a reduction that goes on: shown as the result until its end, without an event,
 * and only while the finding is new.  Does nothing when the one that is there is as good. */
PARE_CHECK pare_status pare_finding_set_reducing(pare_store *store, int64_t id, const void *bytes,
                                                 size_t size, pare_error *err);

typedef enum pare_validity {
    PARE_STILL_THERE,
    PARE_NOT_THERE, /* its input does not fail, or fails as another finding */
    PARE_NOT_RUN    /* the target could not be run: nothing changes but the event */
} pare_validity;

/* What a validation has shown with this version of the target, `fails` of `runs`: the
 * states change
 * as above, with an event "validated", "fixed", "regressed" or "invalid". */
typedef struct pare_finding_seen {
    pare_validity validity;
    const char *version; /* borrowed; "": not known */
    uint64_t fails, runs;
} pare_finding_seen;
PARE_CHECK pare_status pare_finding_set_validity(pare_store *store, int64_t id,
                                                 const pare_finding_seen *seen, pare_error *err);

PARE_CHECK pare_status pare_finding_set_reported(pare_store *store, int64_t id, const char *url,
                                                 pare_error *err);
PARE_CHECK pare_status pare_finding_set_first_bad(pare_store *store, int64_t id,
                                                  const char *version, pare_error *err);
PARE_CHECK pare_status pare_finding_set_explanation(pare_store *store, int64_t id, const char *text,
                                                    pare_error *err);

#endif
