/* The jobs that a campaign starts by itself: new findings are reduced and validated.
 *
 * They are derived from the store, not from what happened in this run, so it does not matter when
 * the campaign was killed.  One thread. */
#ifndef PARE_CAMPAIGN_FOLLOW_UP_H
#define PARE_CAMPAIGN_FOLLOW_UP_H

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"

/* Queues a reduction of each new finding that has had none since it was new, or a validation where
 * its target is not reduced. */
PARE_CHECK pare_status pare_follow_up_new(pare_store *store, const pare_campaign *campaign,
                                          pare_error *err);

/* Queues a report of each finding that is reduced, or validated where its target is not reduced, and
 * has not been reported, to every [report] with auto = yes. */
PARE_CHECK pare_status pare_follow_up_reduced(pare_store *store, const pare_campaign *campaign,
                                              pare_error *err);

/* Queues an update of each target for which one is due, with a cost of `slots` where it names none.
 * Runs programs, which takes time (update_when.h), and is given up when `stop` (NULL: none) is requested.
 * A condition that cannot be told is an event. */
PARE_CHECK pare_status pare_follow_up_updates(pare_store *store, const pare_campaign *campaign,
                                              unsigned slots, const pare_stop *stop,
                                              pare_error *err);

#endif
