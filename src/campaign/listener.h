/* Listeners: run commands and send mails when something happens in a campaign.
 *
 * Each listener gets the events of the store in their order, one process for each, one at a time.
 * Its position is in the store, so events between two runs reach it in the next run, and after a
 * kill the event that was being delivered is delivered again: at least once, with its number in the
 * message.  If a listener fails or exceeds its time limit, the event still counts as delivered; a
 * "log" event says why.  Nothing here waits except pare_listeners_finish.  One thread. */
#ifndef PARE_CAMPAIGN_LISTENER_H
#define PARE_CAMPAIGN_LISTENER_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"

enum { PARE_LISTENERS_MOST = 64 };

typedef struct pare_listeners pare_listeners;

/* The listeners of the campaign's sections; without any all functions below do nothing.  A listener
 * that the store does not know yet gets what happens from now on.  On PARE_OK the caller owns *out;
 * store and campaign are borrowed.
 * Errors: PARE_E_ARG (a section makes no sense), PARE_E_LIMIT (too many), PARE_E_IO, those of the store, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_listeners_open(pare_store *store, const pare_campaign *campaign,
                                           pare_listeners **out, pare_error *err);

/* Ends the processes that still run, whose events will be delivered again.  NULL is a no-op. */
void pare_listeners_close(pare_listeners *listeners);

/* To be called when the store has changed, when one of the descriptors below can be read, and after
 * *timeout_ms (-1: never): takes notice of processes that have ended, ends those that take too long, and
 * starts those that are due.  Errors: those of the store, PARE_E_NOMEM; what a listener does wrong
 * is none. */
PARE_CHECK pare_status pare_listeners_turn(pare_listeners *listeners, int *timeout_ms,
                                           pare_error *err);

/* Descriptors to poll for reading, at most `most`; returns how many. */
size_t pare_listeners_descriptors(const pare_listeners *listeners, int *fds, size_t most);

/* Delivers what there is, until all has been delivered, `most_ms` have passed, or a stop is
 * requested (`stop` may be NULL). */
PARE_CHECK pare_status pare_listeners_finish(pare_listeners *listeners, unsigned most_ms,
                                             const pare_stop *stop, pare_error *err);

#endif
