/* Merges findings that are one, because of equal results or by hand; splits them again; revives
 * them. */
#ifndef PARE_CAMPAIGN_FINDING_MERGE_H
#define PARE_CAMPAIGN_FINDING_MERGE_H

#include "campaign/store.h"

#include <pare/findings.h>

/* Merges all findings of the target whose result has the same bytes as that of `id`, the younger
 * into the oldest, but pinned ones; *merged_into is what `id` has become a part of, or 0.  Part of
 * the caller's transaction. */
PARE_CHECK pare_status pare_finding_merge_same(pare_store *store, int64_t id, int64_t *merged_into,
                                               pare_error *err);

/* An invalid finding was seen again with another input: it is new, with that. */
PARE_CHECK pare_status pare_finding_merge_revive(pare_store *store, int64_t id, const char *digest,
                                                 size_t size, pare_error *err);

#endif
