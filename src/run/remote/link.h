/* A connection to a NATS server, and the letters that come over it.
 *
 * Only this module knows libnats, which is not linked but opened when a server is needed.
 * JetStream is used through its subjects ($JS.API...), so that a handful of the library's functions
 * is enough.
 *
 * Letters come on threads of the library; they wait here until they are taken, and a descriptor is
 * readable while there are any.  Our own letters do not come back to us, whatever we have
 * subscribed to.  When a lost server is back, the connection is restored automatically, and letters
 * sent meanwhile go out then.  All functions are for one thread. */
#ifndef PARE_RUN_REMOTE_LINK_H
#define PARE_RUN_REMOTE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

typedef struct pare_link pare_link;

typedef struct pare_link_options {
    const char *url;         /* nats://[USER:PASSWORD@]HOST[:PORT] or tls://... */
    const char *credentials; /* a file: what nsc writes, a seed and its public key, USER:PASSWORD,
                                or a token; NULL: none but those in the URL */
    bool insecure;           /* without credentials also where the host is not this machine */
} pare_link_options;

/* What came; owned by who took it. */
typedef struct pare_letter {
    struct pare_letter *next;
    char *subject, *reply; /* in the same block; reply is "" where there is none */
    unsigned char *bytes;
    size_t size;
    unsigned status;  /* of the server: 404, 408, 409, ...; 0: an ordinary letter */
    int64_t stored_s; /* when the server stored what it gives, since the Epoch, by its clock; 0: it
                         does not say */
} pare_letter;

void pare_link_letter_free(pare_letter *letter); /* NULL is a no-op */

/* What went over the connection, both ways. */
typedef struct pare_link_traffic {
    uint64_t n_letters, n_bytes; /* without the protocol's own lines */
} pare_link_traffic;

/* Connects, and hears all that is sent to subjects below pare_link_inbox.
 * Errors: PARE_E_UNSUPPORTED (no libnats, when pare was built or now), PARE_E_ARG (the URL; no
 * credentials where they are needed), PARE_E_IO (no server, refused credentials). */
PARE_CHECK pare_status pare_link_open(const pare_link_options *options, pare_link **out,
                                      pare_error *err);
void pare_link_close(pare_link *link); /* NULL is a no-op */

const char *pare_link_host(const pare_link *link); /* "nats://HOST:PORT", without credentials */
const char *pare_link_inbox(const pare_link *link);
int pare_link_fd(const pare_link *link); /* readable: there are letters, or the state changed */
bool pare_link_is_up(const pare_link *link);
unsigned pare_link_connects(const pare_link *link); /* how often it was made; 1 at first */
pare_link_traffic pare_link_count(const pare_link *link);

/* The next letter; NULL: none is there now. */
pare_letter *pare_link_take(pare_link *link);

PARE_CHECK pare_status pare_link_subscribe(pare_link *link, const char *subject, pare_error *err);

/* Sends; `reply` may be NULL.  A server that is away gets it later.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_link_send(pare_link *link, const char *subject, const char *reply,
                                      const void *bytes, size_t size, pare_error *err);

/* Sends and waits for the answer, some seconds at most.  On PARE_OK the caller owns *answer.
 * Errors: PARE_E_IO, PARE_E_UNSUPPORTED (nobody listens to this subject). */
PARE_CHECK pare_status pare_link_ask(pare_link *link, const char *subject, const void *bytes,
                                     size_t size, pare_letter **answer, pare_error *err);

/* Asks JetStream ("STREAM.INFO.X"), and reads the error of its answer, if there is one.
 * Errors: PARE_E_UNSUPPORTED (the server has no JetStream), PARE_E_STATE (JetStream refuses), and
 * those of pare_link_ask.  `answer` may be NULL. */
PARE_CHECK pare_status pare_link_ask_jetstream(pare_link *link, const char *what, const char *json,
                                               pare_letter **answer, pare_error *err);

#endif
