/* When to update a target's program: its option `update_when`.
 *
 *   always                    whenever it is asked
 *   age PATH TIME             when PATH is older than TIME, or is not there
 *   git FOLDER [REVISION]     when the remote has another commit there than FOLDER (default HEAD)
 *   package NAME              when the package manager knows a newer version than is installed
 *
 * Nothing: only when the user asks.  One thread. */
#ifndef PARE_CAMPAIGN_UPDATE_WHEN_H
#define PARE_CAMPAIGN_UPDATE_WHEN_H

#include <stdbool.h>

#include <pare/campaign.h>
#include <pare/stop.h>

#include "base/fail.h"

/* Whether target `name` is due for an update.  git and package ask programs, which takes time: not
 * more often than every few minutes.
 * Programs are killed when `stop` (NULL: none) is requested.
 * Errors: PARE_E_ARG (what is written there is none of the above), PARE_E_STATE (the programs
 * cannot tell), PARE_E_INTERRUPTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_update_when_is_due(const pare_campaign *campaign, const char *name,
                                               const pare_stop *stop, bool *due, pare_error *err);

#endif
