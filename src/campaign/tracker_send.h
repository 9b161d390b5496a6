/* Sends requests to trackers: the one file that opens connections. */
#ifndef PARE_CAMPAIGN_TRACKER_SEND_H
#define PARE_CAMPAIGN_TRACKER_SEND_H

#include "campaign/tracker.h"

enum { PARE_TRACKER_SEND_SECONDS = 30, PARE_TRACKER_SEND_BYTES = 8 << 20 };

/* How; the zero value of each member is the default. */
typedef struct pare_tracker_send_options {
    const char *token;   /* NULL: without one */
    unsigned timeout_ms; /* of all of it; 0: PARE_TRACKER_SEND_SECONDS */
} pare_tracker_send_options;

/* Sends the request and waits for the answer, whatever its code; no redirection is followed.  A
 * token goes over TLS only, or to this machine.
 * Errors: PARE_E_IO (nobody answers, not in time, not the one we trust, or too much), PARE_E_STATE (a
 * token over an open connection), PARE_E_ARG (a token that is no line), PARE_E_UNSUPPORTED
 * (without libcurl), PARE_E_NOMEM.  *answer is to be done in any case. */
PARE_CHECK pare_status pare_tracker_send(const pare_tracker_request *request,
                                         const pare_tracker_send_options *options,
                                         pare_tracker_answer *answer, pare_error *err);

#endif
