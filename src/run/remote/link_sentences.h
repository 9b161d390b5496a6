/* What a URL says about a server, and sentences for the user about it.
 *
 * A host is what pare_link_host gives, a URL without credentials: "nats://HOST[:PORT]" or "tls://HOST[:PORT]".
 * Nothing here needs libnats or a connection. */
#ifndef PARE_RUN_REMOTE_LINK_SENTENCES_H
#define PARE_RUN_REMOTE_LINK_SENTENCES_H

#include <stdbool.h>

#include "base/fail.h"

enum { PARE_LINK_COMMAND_BYTES = 400 };

bool pare_link_is_tls(const char *url);

/* Whether `address` ("HOST[:PORT]") is this machine for certain. */
bool pare_link_is_this_machine(const char *address);

/* Writes to `command`, and returns, the command that starts a server which answers at `host`. */
const char *pare_link_start_command(const char *host, char command[PARE_LINK_COMMAND_BYTES]);

/* Makes a sentence with what to do of what libnats says (may be NULL) where there is no encrypted connection.
 * Always PARE_E_IO. */
PARE_CHECK pare_status pare_link_explain_tls(const char *host, const char *said, pare_error *err);

#endif
