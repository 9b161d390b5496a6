/* Whether a file is a store of ours, and bringing it to the current schema. */
#ifndef PARE_CAMPAIGN_STORE_SCHEMA_H
#define PARE_CAMPAIGN_STORE_SCHEMA_H

#include <stdbool.h>

#include <pare/findings.h>

#include "campaign/store.h"

/* Looks without writing: the file is ours, or with `create` empty.  Errors: PARE_E_CORRUPT,
 * PARE_E_UNSUPPORTED (of a later version), PARE_E_BUSY, PARE_E_IO. */
PARE_CHECK pare_status pare_store_schema_look(pare_store *store, bool create, pare_error *err);

/* Runs the steps that it lacks; fine when there are none. */
PARE_CHECK pare_status pare_store_schema_migrate(pare_store *store, pare_error *err);

#endif
