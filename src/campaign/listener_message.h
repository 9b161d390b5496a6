/* The messages of listeners: an event as JSON, and as a mail.  Any thread. */
#ifndef PARE_CAMPAIGN_LISTENER_MESSAGE_H
#define PARE_CAMPAIGN_LISTENER_MESSAGE_H

#include <pare/campaign.h>
#include <pare/findings.h>

#include "base/buffer.h"
#include "campaign/store.h"

/* What is told; borrowed. */
typedef struct pare_listener_message {
    pare_store *store;
    const pare_campaign *campaign;
    const pare_store_event *event;
    const pare_finding *finding; /* NULL: the event is about none */
} pare_listener_message;

/* {"format": "pare-event", "version": 1, "id", "time", "kind", "text", "store", "job", "finding"}; the
 * finding is as finding_json.h has it, or null.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_listener_message_json(const pare_listener_message *message,
                                                  pare_buffer *out, pare_error *err);

/* Whether mail can go to `address`: addresses separated by commas, on one line, without what would
 * begin another header. */
bool pare_listener_message_is_address(const char *address);

/* A mail for `sendmail -t`.  Headers hold no byte that was not checked or encoded; the Message-ID is
 * the same for the same event of the same store.  Errors: those of the store, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_listener_message_mail(const pare_listener_message *message,
                                                  const char *address, pare_buffer *out,
                                                  pare_error *err);

#endif
