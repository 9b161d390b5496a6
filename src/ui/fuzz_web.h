/* `pare fuzz web`: a campaign's store in a browser, and as an API (docs/guide/fuzz-api.md).
 *
 * One thread with one handle of the store; it reads and makes requests as `pare fuzz list` does,
 * and runs nothing.  libmicrohttpd is used by fuzz_web.c only; built without it, starting is
 * PARE_E_UNSUPPORTED. */
#ifndef PARE_UI_FUZZ_WEB_H
#define PARE_UI_FUZZ_WEB_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/stop.h>

#include "base/fail.h"

enum {
    PARE_FUZZ_WEB_PORT = 7273, /* the default; P A R E on a telephone */
    PARE_FUZZ_WEB_CONNECTIONS = 64,
    PARE_FUZZ_WEB_STREAMS = 24, /* of them that may be streams of events */
    PARE_FUZZ_WEB_URL_BYTES = 256
};

typedef struct pare_fuzz_web_options {
    const char *store_path;
    const char *listen;       /* "ADDRESS:PORT", "[ADDRESS]:PORT", "localhost:PORT"; port 0: any
                            free one; NULL: 127.0.0.1 and PARE_FUZZ_WEB_PORT */
    const char *token;        /* NULL: a new one; beyond loopback one has to be given */
    const char *const *hosts; /* names, n_hosts of them, by which it may be asked for besides */
    size_t n_hosts;
    bool is_read_only;
    unsigned patience_ms; /* that a client may take for one request or its answer; 0: 30,000 */
} pare_fuzz_web_options;

typedef struct pare_fuzz_web pare_fuzz_web;

/* Opens the store and begins to listen; nobody is answered yet.  The options' texts are borrowed
 * until the end.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (listen, token), PARE_E_IO (the address is in use; no entropy), PARE_E_NOMEM,
 * PARE_E_UNSUPPORTED, those of pare_store_open. */
PARE_CHECK pare_status pare_fuzz_web_start(const pare_fuzz_web_options *options,
                                           pare_fuzz_web **out, pare_error *err);
void pare_fuzz_web_free(pare_fuzz_web *web); /* NULL is a no-op */

typedef enum pare_fuzz_web_url {
    PARE_FUZZ_WEB_URL_PLAIN, /* "http://127.0.0.1:7273/" */
    PARE_FUZZ_WEB_URL_TOKEN  /* the same with the token: whoever has it may change the store */
} pare_fuzz_web_url;

/* The address to open; written to `text`, returns it. */
const char *pare_fuzz_web_address(const pare_fuzz_web *web, pare_fuzz_web_url kind,
                                  char text[static PARE_FUZZ_WEB_URL_BYTES]);

/* Whether it can be reached from this machine only. */
bool pare_fuzz_web_is_loopback(const pare_fuzz_web *web);

/* Answers until `stop` is requested.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_web_run(pare_fuzz_web *web, const pare_stop *stop,
                                         pare_error *err);

#endif
