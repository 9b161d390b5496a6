/* The server of `pare fuzz web`: sockets by libmicrohttpd, driven by one poll(2) of ours.
 *
 * libmicrohttpd (0.9.7x) is used without threads of its own: its epoll descriptor is polled
 * together with the watch on the store (inotify) and the request to stop, and MHD_run does what
 * is to be done.  So a handle of the store, the streams and all counters are one thread's, and
 * nothing is locked.  A request is answered at once; each takes a few milliseconds, of the store.
 *
 * Server-sent events (HTML, section 9.2): a stream has its own bytes to send.  When there are none
 * its connection is suspended.  When the store changes, its new events are appended to all streams
 * and they go on; a stream whose client takes nothing and that has STREAM_BYTES waiting is ended,
 * and the browser comes back with Last-Event-ID.  Changes within QUIET_MS are told together.
 *
 * What clients can take up is bounded: PARE_FUZZ_WEB_CONNECTIONS connections, HEADER_BYTES of
 * headers each, PARE_FUZZ_WEB_BODY_BYTES of a body, and time.  libmicrohttpd ends who is silent
 * for IDLE_S; who sends one byte now and then is ended `patience_ms` after the request began, by
 * shutting the socket down.  Invariant: each connection has a visitor as long as it is open, and
 * each stream that is suspended is in the list, so the end of the server leaves no connection
 * behind. */
#include "ui/fuzz_web.h"

#include <stdint.h>
#include <stdio.h>

#include <pare/findings.h>

#ifdef PARE_HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/file_watch.h"
#include "os/stop.h"
#include "ui/fuzz_web_api.h"
#include "ui/fuzz_web_json.h"
#include "ui/fuzz_web_library.h"
#include "ui/fuzz_web_request.h"

/* Set before the first server starts, and never again. */
static const pare_fuzz_web_library *http;

enum {
    /* Seconds without any byte from a client, after which the library ends its
     * connection. */
    IDLE_S = 15,
    PATIENCE_MS = 30000,
    HEADER_BYTES = 32 * 1024,
    /* Of a stream, waiting to be sent; a client that leaves more lying is gone or
     * stuck. */
    STREAM_BYTES = 256 * 1024,
    STREAM_BLOCK_BYTES = 4096,
    BACKLOG = 500,        /* events that a stream which comes back is told at most */
    QUIET_MS = 250,       /* between two looks at what has changed */
    HEARTBEAT_MS = 20000, /* a comment to all streams: who has gone is noticed */
    TOKEN_LETTERS = 43    /* 256 bits */
};

/* A response that does not end: events as they happen.  Owned by its response, whose
 * end frees it (free_stream); it is in the server's list until then. */
struct stream {
    struct pare_fuzz_web *web;
    struct MHD_Connection *connection;
    /* Of the connection, to notice that its client has gone; -1: not known. */
    int fd;
    pare_buffer bytes; /* to be sent, from `sent` on */
    size_t sent;
    /* Suspended: the library does not look at the connection until wake().  Ended: the
     * next read_stream tells it that the response is complete. */
    bool is_suspended, is_ended;
    struct stream *next;
};

/* An open connection. */
struct visitor {
    int fd;
    uint64_t deadline_ms; /* UINT64_MAX: none, a stream */
    struct visitor *next;
};

struct pare_fuzz_web {
    struct MHD_Daemon *daemon;
    pare_store *store;
    /* `api` answers from `store`; `door` says who may ask (token, hosts, cookie). */
    pare_file_watch *watch;
    pare_fuzz_web_api api;
    pare_fuzz_web_door door;
    const char *host; /* as an address has it; of the options or static */
    char host_text[INET6_ADDRSTRLEN + 2];
    uint16_t port;
    uint64_t patience_ms;
    struct stream *streams;
    size_t n_streams;
    struct visitor *visitors;
    int64_t last_event;         /* that was told */
    bool has_changed, has_gone; /* the store; a visitor */
    uint64_t quiet_until_ms, heartbeat_ms, changed_ms;
    char content_policy[400];
};

/* A request while it comes in.  The library calls on_request several times for one;
 * this is what it remembers in between. */
struct incoming {
    char *uri; /* owned; as it was sent */
    bool has_begun, is_too_large;
    pare_buffer body;
};

/* ---- streams ----------------------------------------------------------------------- */

/* Appends to what waits to be sent.  A stream for which there is no memory, or whose
 * client leaves STREAM_BYTES lying, is ended: it could not be told all, and its browser
 * comes back for the rest. */
static void send_text(struct stream *stream, const char *text, size_t size)
{
    if (stream->is_ended) return;
    /* All was sent: begun again at the front, so that the buffer does not grow with the
     * stream. */
    if (stream->sent == stream->bytes.size) {
        pare_buffer_reset(&stream->bytes);
        stream->sent = 0;
    }
    stream->is_ended = stream->bytes.size - stream->sent + size > STREAM_BYTES ||
                       pare_buffer_add(&stream->bytes, text, size, NULL) != PARE_OK;
}

/* Makes a suspended stream go on: the library asks read_stream for bytes in its next
 * MHD_run. */
static void wake(struct stream *stream)
{
    if (!stream->is_suspended) return;
    stream->is_suspended = false;
    http->resume_connection(stream->connection);
}

/* Called by the library when there is room in the socket: gives up to `most` bytes.
 * Where there is nothing to send, returning 0 is allowed only together with a
 * suspension, since the library would ask again and again. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t most)
{
    struct stream *stream = context;
    (void)position;
    size_t size = stream->bytes.size - stream->sent;
    if (stream->is_ended) return MHD_CONTENT_READER_END_OF_STREAM;
    if (!size) {
        stream->is_suspended = true;
        http->suspend_connection(stream->connection);
        return 0;
    }
    if (size > most) size = most;
    memcpy(out, stream->bytes.data + stream->sent, size);
    stream->sent += size;
    return (ssize_t)size;
}

/* Called by the library when the response ends, for whatever reason; takes the stream
 * out of the list. */
static void free_stream(void *context)
{
    struct stream *stream = context;
    struct stream **at = &stream->web->streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    stream->web->n_streams--;
    pare_buffer_done(&stream->bytes);
    pare_alloc_free(stream);
}

/* id: N, data: the event as JSON.  A page gets all by one listener, whatever the kind is. */
static pare_status write_event(void *context, const pare_store_event *event, pare_error *err)
{
    pare_buffer *out = context;
    pare_status status = pare_buffer_format(out, err, "id: %lld\ndata: ", (long long)event->id);
    if (!status) status = pare_fuzz_web_json_print(pare_fuzz_web_json_event(event), out, err);
    return status ? status : pare_buffer_text(out, "\n\n", err);
}

/* Events are visited in order of their numbers, but nothing here relies on that. */
static pare_status see_last(void *context, const pare_store_event *event, pare_error *err)
{
    int64_t *last = context;
    (void)err;
    if (event->id > *last) *last = event->id;
    return PARE_OK;
}

/* Tells all streams the new events of the store, and that it has changed: what a page
 * shows beside events, such as numbers of tests, changes without one. */
static void tell_streams(pare_fuzz_web *web)
{
    pare_buffer out = {0};
    int64_t last = web->last_event;
    pare_status status =
        pare_store_events(web->store, web->last_event, 0, BACKLOG, write_event, &out, NULL);
    if (!status)
        status = pare_store_events(web->store, web->last_event, 0, BACKLOG, see_last, &last, NULL);
    if (!status) status = pare_buffer_text(&out, "event: change\ndata: {}\n\n", NULL);
    /* A store that cannot be read now has changed all the same: the page asks, and is told why. */
    if (status) pare_buffer_reset(&out);
    /* What was read of the events is not sent: it may end in the middle of one. */
    if (status) status = pare_buffer_text(&out, "event: change\ndata: {}\n\n", NULL);
    web->last_event = last;
    for (struct stream *stream = web->streams; !status && stream; stream = stream->next) {
        send_text(stream, out.data, out.size);
        wake(stream);
    }
    pare_buffer_done(&out);
}

/* A comment of the format: browsers drop it, and a connection that is gone shows by it. */
static void send_heartbeat(pare_fuzz_web *web)
{
    for (struct stream *stream = web->streams; stream; stream = stream->next) {
        send_text(stream, ":\n\n", 3);
        wake(stream);
    }
}

/* What a stream begins with: after how many ms a browser that has lost it comes back
 * (retry), and the events after number `after`, which its client has missed; -1: none
 * are wanted. */
static pare_status begin_stream(pare_fuzz_web *web, struct stream *stream, int64_t after,
                                pare_error *err)
{
    pare_buffer out = {0};
    pare_status status = pare_buffer_text(&out, "retry: 2000\n\n", err);
    if (!status && after >= 0 && after < web->last_event)
        status = pare_store_events(web->store, after, 0, BACKLOG, write_event, &out, err);
    if (!status) send_text(stream, out.data, out.size);
    pare_buffer_done(&out);
    return status;
}

/* ---- answers ----------------------------------------------------------------------- */

/* What every answer says: nothing of it may be framed, guessed at, kept, or run but our own
 * script; texts cannot become elements even by a mistake in the script (Trusted Types). */
static void add_headers(const pare_fuzz_web *web, struct MHD_Response *response)
{
    static const struct {
        const char *name, *value;
    } headers[] = {{"X-Content-Type-Options", "nosniff"},
                   {"X-Frame-Options", "DENY"},
                   {"Referrer-Policy", "no-referrer"},
                   /* Whoever has the page in a cache would see a campaign that is over. */
                   {"Cache-Control", "no-store"},
                   {"Cross-Origin-Resource-Policy", "same-origin"},
                   {"Cross-Origin-Opener-Policy", "same-origin"},
                   {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        (void)http->add_response_header(response, headers[i].name, headers[i].value);
    (void)http->add_response_header(response, "Content-Security-Policy", web->content_policy);
}

/* Without Max-Age: it ends with the browser, and the token with the server. */
static void add_cookie(const pare_fuzz_web *web, struct MHD_Response *response)
{
    char cookie[PARE_FUZZ_WEB_TOKEN_BYTES + 100];
    (void)snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                   web->door.cookie, web->door.token);
    (void)http->add_response_header(response, "Set-Cookie", cookie);
    (void)http->add_response_header(response, "Location", "/");
}

/* Takes over `response`; NULL: out of memory, the connection ends. */
static enum MHD_Result queue(const pare_fuzz_web *web, struct MHD_Connection *connection,
                             const pare_fuzz_web_answer *answer, struct MHD_Response *response)
{
    if (!response) return MHD_NO;
    add_headers(web, response);
    (void)http->add_response_header(response, "Content-Type", answer->type);
    if (answer->allow) (void)http->add_response_header(response, "Allow", answer->allow);
    if (answer->is_download)
        (void)http->add_response_header(response, "Content-Disposition", "attachment");
    if (answer->code == PARE_FUZZ_WEB_NO_TOKEN)
        (void)http->add_response_header(response, "WWW-Authenticate", "Bearer");
    if (answer->sets_cookie) add_cookie(web, response);
    enum MHD_Result result = http->queue_response(connection, (unsigned)answer->code, response);
    http->destroy_response(response);
    return result;
}

/* Pages are static; all else is copied, since the answer is released before it is sent. */
static enum MHD_Result give(const pare_fuzz_web *web, struct MHD_Connection *connection,
                            const pare_fuzz_web_answer *answer)
{
    bool is_fixed = answer->fixed;
    const char *bytes = is_fixed ? answer->fixed : answer->body.size ? answer->body.data : "";
    size_t size = is_fixed ? answer->fixed_bytes : answer->body.size;
    /* Not written to: the library's parameter is only not const. */
    struct MHD_Response *response = http->create_response_from_buffer(
        size, (void *)(uintptr_t)bytes, is_fixed ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
    return queue(web, connection, answer, response);
}

/* For what is refused before there is a request to answer. */
static enum MHD_Result refuse(const pare_fuzz_web *web, struct MHD_Connection *connection,
                              pare_fuzz_web_code code, const char *sentence)
{
    pare_fuzz_web_answer answer = {0};
    enum MHD_Result result = MHD_NO;
    if (pare_fuzz_web_api_refuse(code, sentence, &answer, NULL) == PARE_OK)
        result = give(web, connection, &answer);
    pare_fuzz_web_api_done(&answer);
    return result;
}

/* NULL when there was no memory for one: that connection has the library's limits only. */
static struct visitor *visitor_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http->get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Answers with a stream.  From here on the stream belongs to the response, which frees
 * it.  It has no deadline: being open for hours is what it is for; a client that goes
 * is noticed by its socket and by heartbeats. */
static enum MHD_Result give_stream(pare_fuzz_web *web, struct MHD_Connection *connection,
                                   const pare_fuzz_web_answer *answer)
{
    if (web->n_streams >= PARE_FUZZ_WEB_STREAMS)
        return refuse(web, connection, PARE_FUZZ_WEB_BUSY, "there are too many streams of events");
    struct stream *stream = pare_alloc_zero(1, sizeof *stream);
    if (!stream) return MHD_NO;
    struct visitor *visitor = visitor_of(connection);
    *stream = (struct stream){.web = web,
                              .connection = connection,
                              .fd = visitor ? visitor->fd : -1,
                              .next = web->streams};
    web->streams = stream;
    web->n_streams++;
    struct MHD_Response *response = NULL;
    if (begin_stream(web, stream, answer->stream_after, NULL) == PARE_OK)
        response = http->create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES,
                                                       read_stream, stream, free_stream);
    if (!response) free_stream(stream);
    if (response && visitor) visitor->deadline_ms = UINT64_MAX;
    return queue(web, connection, answer, response);
}

/* ---- requests ---------------------------------------------------------------------- */

/* The headers that count.  One that is there twice, or has a NUL, is refused: which of two was
 * meant is what proxies and servers disagree about. */
struct headers {
    pare_fuzz_web_wire *wire;
    const char *last_event;
    bool is_wrong;
};

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   size_t name_size, const char *value, size_t value_size)
{
    struct headers *headers = context;
    (void)kind;
    const struct {
        const char *name;
        const char **value;
    } known[] = {{"Host", &headers->wire->host},
                 {"Origin", &headers->wire->origin},
                 {"Cookie", &headers->wire->cookie},
                 {"Authorization", &headers->wire->authorization},
                 {"Content-Type", &headers->wire->content_type},
                 {"Last-Event-ID", &headers->last_event}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        /* Names of headers are the same in upper and lower case. */
        if (strlen(known[i].name) != name_size || strcasecmp(known[i].name, name) != 0) continue;
        /* A value that is longer than its text has a NUL in it. */
        if (*known[i].value || !value || strlen(value) != value_size) headers->is_wrong = true;
        *known[i].value = value;
    }
    return MHD_YES;
}

/* A stream that comes back says what it had last; that counts before the address. */
static void read_last_event(const struct headers *headers, pare_fuzz_web_answer *answer)
{
    uint64_t last;
    if (!answer->is_stream || !headers->last_event) return;
    if (pare_fuzz_web_request_number(headers->last_event, INT64_MAX, &last))
        answer->stream_after = (int64_t)last;
}

/* Answers a request that is whole: first whether it may be made
 * (pare_fuzz_web_request_read), then by the API.  A HEAD for a stream gets the headers
 * of one, without a stream.
 * MHD_NO, which ends the connection without an answer, stands for no memory. */
static enum MHD_Result answer_request(pare_fuzz_web *web, struct MHD_Connection *connection,
                                      const char *method, const struct incoming *incoming)
{
    pare_fuzz_web_wire wire = {.method = method,
                               .uri = incoming->uri,
                               .body = incoming->body.data,
                               .body_bytes = incoming->body.size};
    struct headers headers = {.wire = &wire};
    pare_fuzz_web_request request = {0};
    pare_fuzz_web_answer answer = {0};
    http->get_connection_values_n(connection, MHD_HEADER_KIND, take_header, &headers);
    if (headers.is_wrong)
        return refuse(web, connection, PARE_FUZZ_WEB_BAD, "a header is there twice, or has a NUL");
    pare_fuzz_web_code code = pare_fuzz_web_request_read(&wire, &web->door, &request);
    pare_status status = code ? pare_fuzz_web_api_refuse(code, request.sentence, &answer, NULL)
                              : pare_fuzz_web_api_answer(&web->api, &request, &answer, NULL);
    read_last_event(&headers, &answer);
    enum MHD_Result result = status ? MHD_NO
                             : answer.is_stream && *method == 'G'
                                 ? give_stream(web, connection, &answer)
                                 : give(web, connection, &answer);
    pare_fuzz_web_api_done(&answer);
    pare_fuzz_web_request_done(&request);
    return result;
}

/* Called with the headers, with each piece of the body, and at its end.  A body that is too large
 * is read to its end and forgotten, so that the client gets the answer; but a client that says so
 * before is refused at once. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *uri,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size, void **state)
{
    pare_fuzz_web *web = context;
    struct incoming *incoming = *state;
    static const char TOO_LARGE[] = "the body is larger than 65536 bytes";
    static_assert(PARE_FUZZ_WEB_BODY_BYTES == 65536, "the sentence says how much");
    (void)uri;
    (void)version;
    /* There was no memory when the request began (on_uri). */
    if (!incoming) return MHD_NO;
    if (!incoming->has_begun) {
        uint64_t length;
        const char *said =
            http->lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
        incoming->has_begun = true;
        if (said && pare_fuzz_web_request_number(said, UINT64_MAX, &length) &&
            length > PARE_FUZZ_WEB_BODY_BYTES)
            return refuse(web, connection, PARE_FUZZ_WEB_TOO_LARGE, TOO_LARGE);
        return MHD_YES;
    }
    /* A piece of the body; 0 says that the library need not keep it. */
    if (*size) {
        bool fits = incoming->body.size + *size <= PARE_FUZZ_WEB_BODY_BYTES;
        if (!fits) incoming->is_too_large = true;
        if (fits && pare_buffer_add(&incoming->body, bytes, *size, NULL)) return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    if (incoming->is_too_large) return refuse(web, connection, PARE_FUZZ_WEB_TOO_LARGE, TOO_LARGE);
    return answer_request(web, connection, method, incoming);
}

/* Called first for each request, with the address as it came over the wire, before the
 * library decodes it: what a "%2f" or "%00" stands for is decided in
 * fuzz_web_request.c.  What is returned becomes *state of on_request and on_end; it is
 * cut at the length that is refused anyway. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    (void)context;
    (void)connection;
    struct incoming *incoming = pare_alloc_zero(1, sizeof *incoming);
    if (!incoming) return NULL;
    incoming->uri = pare_alloc_text(uri, strnlen(uri, PARE_FUZZ_WEB_URI_BYTES));
    if (incoming->uri) return incoming;
    pare_alloc_free(incoming);
    return NULL;
}

/* Called when a request was answered or has failed: forgets it.  The time for the next
 * one on this connection begins. */
static void on_end(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode reason)
{
    pare_fuzz_web *web = context;
    struct incoming *incoming = *state;
    (void)reason;
    struct visitor *visitor = visitor_of(connection);
    if (visitor) visitor->deadline_ms = pare_clock_ms() + web->patience_ms;
    if (!incoming) return;
    pare_buffer_done(&incoming->body);
    pare_alloc_free(incoming->uri);
    pare_alloc_free(incoming);
    *state = NULL;
}

/* ---- visitors ---------------------------------------------------------------------- */

/* A connection begins; *state is where the library keeps its visitor.  Without memory
 * there is none, and only the library's own limits hold. */
static void come(pare_fuzz_web *web, struct MHD_Connection *connection, void **state)
{
    const union MHD_ConnectionInfo *info =
        http->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct visitor *visitor = info ? pare_alloc_zero(1, sizeof *visitor) : NULL;
    if (!visitor) return;
    *visitor = (struct visitor){.fd = info->connect_fd,
                                .deadline_ms = pare_clock_ms() + web->patience_ms,
                                .next = web->visitors};
    web->visitors = visitor;
    *state = visitor;
}

/* A connection has ended. */
static void go(pare_fuzz_web *web, void **state)
{
    struct visitor **at = &web->visitors, *visitor = *state;
    while (visitor && *at != visitor)
        at = &(*at)->next;
    if (visitor) *at = visitor->next;
    pare_alloc_free(visitor);
    *state = NULL;
    web->has_gone = true;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        come(context, connection, state);
    else
        go(context, state);
}

/* Shuts down who has had time enough, and gives the next time at which somebody has.
 * The library then reads an end of file and ends the connection itself, which calls
 * `go`; until that happens the visitor stays in the list, without a deadline. */
static uint64_t expire(pare_fuzz_web *web, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (struct visitor *visitor = web->visitors; visitor; visitor = visitor->next) {
        if (visitor->deadline_ms <= now) {
            (void)shutdown(visitor->fd, SHUT_RDWR);
            visitor->deadline_ms = UINT64_MAX;
        }
        if (visitor->deadline_ms < next) next = visitor->deadline_ms;
    }
    return next;
}

/* ---- the address to listen on ------------------------------------------------------ */

/* One socket address, whichever family it is of: any.sa_family says that. */
union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* Whether only this machine can reach the address: all of 127.0.0.0/8, or ::1. */
static bool is_loopback(const union address *address)
{
    static const struct in6_addr loopback = IN6ADDR_LOOPBACK_INIT;
    if (address->any.sa_family == AF_INET) return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
    return memcmp(&address->v6.sin6_addr, &loopback, sizeof loopback) == 0;
}

/* The part before the port, without brackets. */
static bool read_address(const char *host, uint16_t port, union address *address)
{
    *address = (union address){.v4 = {.sin_family = AF_INET, .sin_port = htons(port)}};
    if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) return true;
    *address = (union address){.v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)}};
    return inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1;
}

/* Reads "ADDRESS:PORT" or "[ADDRESS]:PORT" into `address`, and keeps the address as a
 * URL has it.
 * No names but localhost: which address a name stands for is the resolver's to say, and
 * may change. */
static pare_status read_listen(pare_fuzz_web *web, const char *text, union address *address,
                               pare_error *err)
{
    char host[INET6_ADDRSTRLEN + 2];
    uint64_t port = PARE_FUZZ_WEB_PORT;
    const char *colon = strrchr(text, ':');
    /* `bracket` is 0 or 1, and counts the brackets at either end.  The last colon is
     * the one before the port, as "[::1]:80" has others. */
    size_t size = colon ? (size_t)(colon - text) : 0, bracket = *text == '[';
    bool fits = size > 2 * bracket && size < sizeof host &&
                pare_fuzz_web_request_number(colon + 1, UINT16_MAX, &port) &&
                (!bracket || text[size - 1] == ']');
    if (fits) {
        (void)snprintf(host, sizeof host, "%.*s", (int)(size - 2 * bracket), text + bracket);
        if (strcmp(host, "localhost") == 0) (void)snprintf(host, sizeof host, "127.0.0.1");
        fits = read_address(host, (uint16_t)port, address);
    }
    if (!fits)
        return pare_fail(err, PARE_E_ARG, "'%s' is not ADDRESS:PORT, such as 127.0.0.1:%d", text,
                         PARE_FUZZ_WEB_PORT);
    web->door.is_loopback = is_loopback(address);
    (void)snprintf(web->host_text, sizeof web->host_text,
                   address->any.sa_family == AF_INET6 ? "[%.45s]" : "%.45s", host);
    return PARE_OK;
}

/* ---- start ------------------------------------------------------------------------- */

/* A new token of TOKEN_LETTERS letters, of which each has 6 bits of entropy (one of
 * 64). */
static pare_status make_token(char token[static PARE_FUZZ_WEB_TOKEN_BYTES], pare_error *err)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < TOKEN_LETTERS; i++) {
        uint64_t which = 0;
        pare_status status = pare_entropy_draw(sizeof letters - 1, &which, err);
        if (status) return status;
        token[i] = letters[which];
    }
    token[TOKEN_LETTERS] = '\0';
    return PARE_OK;
}

/* A token of the user's has a least length, so that nobody guesses it. */
static pare_status set_token(pare_fuzz_web *web, const char *token, pare_error *err)
{
    if (!token && !web->door.is_loopback)
        return pare_fail(
            err, PARE_E_ARG,
            "an address that other machines can reach needs a token: --token-file FILE");
    if (!token) return make_token(web->door.token, err);
    if (!pare_fuzz_web_request_is_token(token))
        return pare_fail(err, PARE_E_ARG,
                         "a token consists of 16 to %d letters, digits, '-' and '_'",
                         PARE_FUZZ_WEB_TOKEN_BYTES - 1);
    (void)snprintf(web->door.token, sizeof web->door.token, "%s", token);
    return PARE_OK;
}

/* The library says nothing on its own: what goes wrong with a client is the client's. */
static void say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

/* Starts the library's server.  Port 0 takes a free one, which is asked for afterwards.
 * The cookie is named for the port, since cookies are shared by all ports of a host:
 * two campaigns would throw out each other's token. */
static pare_status listen_on(pare_fuzz_web *web, const union address *address, pare_error *err)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (address->any.sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    errno = 0;
    web->daemon = http->start_daemon(
        flags, 0, NULL, NULL, on_request, web, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_SOCK_ADDR, &address->any, MHD_OPTION_URI_LOG_CALLBACK, on_uri, web,
        MHD_OPTION_NOTIFY_COMPLETED, on_end, web, MHD_OPTION_NOTIFY_CONNECTION, on_connection, web,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)PARE_FUZZ_WEB_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (!web->daemon)
        return pare_fail_errno(err, errno ? errno : EADDRNOTAVAIL,
                               "cannot listen on %s:%u (--listen %s:0 takes a free port)",
                               web->host_text, (unsigned)web->port, web->host_text);
    const union MHD_DaemonInfo *info =
        http->get_daemon_info(web->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info) web->port = info->port;
    (void)snprintf(web->door.cookie, sizeof web->door.cookie, "pare-fuzz-%u", (unsigned)web->port);
    return PARE_OK;
}

/* The newest event: streams are told what comes after it. */
static pare_status find_last_event(pare_fuzz_web *web, pare_error *err)
{
    return pare_store_events(web->store, 0, 0, 1, see_last, &web->last_event, err);
}

/* Reads the options, then opens the store, and listens last: nobody gets an answer from
 * a server that could not start.  What is opened when it fails is freed by the caller,
 * with `web`. */
static pare_status start(pare_fuzz_web *web, const pare_fuzz_web_options *options, pare_error *err)
{
    char text[32];
    union address address;
    (void)snprintf(text, sizeof text, "127.0.0.1:%d", PARE_FUZZ_WEB_PORT);
    pare_status status = read_listen(web, options->listen ? options->listen : text, &address, err);
    if (!status) status = set_token(web, options->token, err);
    if (status) return status;
    web->port =
        ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    web->patience_ms = options->patience_ms ? options->patience_ms : PATIENCE_MS;
    web->door.is_read_only = options->is_read_only;
    web->door.hosts = options->hosts;
    web->door.n_hosts = options->n_hosts;
    (void)snprintf(web->content_policy, sizeof web->content_policy,
                   "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                   "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                   "require-trusted-types-for 'script'; trusted-types 'none'");
    status = pare_store_open(options->store_path, false, &web->store, err);
    if (!status) status = pare_file_watch_new(options->store_path, &web->watch, err);
    if (!status) status = find_last_event(web, err);
    if (!status) status = listen_on(web, &address, err);
    web->api = (pare_fuzz_web_api){
        .store = web->store, .store_path = options->store_path, .door = &web->door};
    return status;
}

pare_status pare_fuzz_web_start(const pare_fuzz_web_options *options, pare_fuzz_web **out,
                                pare_error *err)
{
    pare_status status = pare_fuzz_web_library_open(&http, err);
    if (status) return status;
    pare_fuzz_web *web = pare_alloc_zero(1, sizeof *web);
    if (!web) return pare_fail_nomem(err);
    status = start(web, options, err);
    if (!status)
        *out = web;
    else
        pare_fuzz_web_free(web);
    return status;
}

/* Suspended connections are to go on before the end, or the library would wait for them. */
void pare_fuzz_web_free(pare_fuzz_web *web)
{
    if (!web) return;
    for (struct stream *stream = web->streams; stream; stream = stream->next) {
        stream->is_ended = true;
        wake(stream);
    }
    if (web->daemon) http->stop_daemon(web->daemon);
    assert(!web->streams && !web->visitors);
    pare_file_watch_free(web->watch);
    pare_store_close(web->store);
    pare_alloc_free(web);
}

const char *pare_fuzz_web_address(const pare_fuzz_web *web, pare_fuzz_web_url kind,
                                  char text[static PARE_FUZZ_WEB_URL_BYTES])
{
    bool with = kind == PARE_FUZZ_WEB_URL_TOKEN;
    (void)snprintf(text, PARE_FUZZ_WEB_URL_BYTES, "http://%s:%u/%s%s", web->host_text,
                   (unsigned)web->port, with ? "?token=" : "", with ? web->door.token : "");
    return text;
}

bool pare_fuzz_web_is_loopback(const pare_fuzz_web *web)
{
    return web->door.is_loopback;
}

/* ---- the loop ---------------------------------------------------------------------- */

/* Tells of changes, unless it has just done so; gives the time of what is to be done next. */
static uint64_t look(pare_fuzz_web *web, uint64_t now)
{
    if (web->has_changed && now >= web->quiet_until_ms) {
        /* What was just written may not be visible yet (os/file_watch.h). */
        web->has_changed = now - web->changed_ms < QUIET_MS;
        web->quiet_until_ms = now + QUIET_MS;
        tell_streams(web);
    }
    if (now >= web->heartbeat_ms) {
        web->heartbeat_ms = now + HEARTBEAT_MS;
        send_heartbeat(web);
    }
    uint64_t next = expire(web, now);
    if (web->streams && web->heartbeat_ms < next) next = web->heartbeat_ms;
    return web->has_changed && web->quiet_until_ms < next ? web->quiet_until_ms : next;
}

/* How long poll may wait: -1 for ever; not at all when somebody has gone, since the library, when
 * it has had as many connections as it may, accepts the next one only when it is run again. */
static int wait_ms(const pare_fuzz_web *web, uint64_t next, uint64_t now)
{
    unsigned long long library;
    if (web->has_gone) return 0;
    uint64_t wait = next == UINT64_MAX ? UINT64_MAX : next > now ? next - now : 0;
    if (http->get_timeout(web->daemon, &library) == MHD_YES && library < wait) wait = library;
    return wait == UINT64_MAX ? -1 : wait > INT_MAX ? INT_MAX : (int)wait;
}

/* What the loop waits for: requests, the store, a stop; then the clients of suspended streams,
 * which the library does not watch. */
enum { ON_REQUEST, ON_STORE, ON_STOP, ON_STREAMS, N_POLLED = ON_STREAMS + PARE_FUZZ_WEB_STREAMS };

/* Sets where each stream's client is told to have gone; how many are polled. */
static nfds_t poll_streams(const pare_fuzz_web *web, struct pollfd on[static N_POLLED])
{
    nfds_t n = ON_STREAMS;
    for (const struct stream *stream = web->streams; stream; stream = stream->next) {
        assert(n < N_POLLED);
        on[n++] =
            (struct pollfd){.fd = stream->is_suspended ? stream->fd : -1, .events = POLLRDHUP};
    }
    return n;
}

/* Ends the streams that nobody reads any more; in the order of poll_streams. */
static void end_streams(pare_fuzz_web *web, const struct pollfd *on)
{
    size_t i = ON_STREAMS;
    for (struct stream *stream = web->streams; stream; stream = stream->next) {
        if (!on[i++].revents) continue;
        stream->is_ended = true;
        wake(stream);
    }
}

/* Each round tells what has changed and who has had time enough, lets the library do
 * what is to be done, and waits for whatever comes first. */
pare_status pare_fuzz_web_run(pare_fuzz_web *web, const pare_stop *stop, pare_error *err)
{
    const union MHD_DaemonInfo *info = http->get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    assert(info && info->epoll_fd >= 0);
    struct pollfd on[N_POLLED] = {
        [ON_REQUEST] = {.fd = info->epoll_fd, .events = POLLIN},
        [ON_STORE] = {.fd = pare_file_watch_fd(web->watch), .events = POLLIN},
        [ON_STOP] = {.fd = pare_stop_fd(stop), .events = POLLIN}};
    while (!pare_stop_requested(stop)) {
        uint64_t now = pare_clock_ms(), next = look(web, now);
        web->has_gone = false;
        /* What was resumed is done before anything is waited for. */
        if (http->run(web->daemon) != MHD_YES)
            return pare_fail(err, PARE_E_IO, "the server cannot go on");
        nfds_t n = poll_streams(web, on);
        int n_ready = poll(on, n, wait_ms(web, next, now));
        if (n_ready < 0 && errno != EINTR)
            return pare_fail_errno(err, errno, "cannot wait for requests");
        if (n_ready <= 0) continue;
        if (on[ON_STORE].revents && pare_file_watch_changed(web->watch)) {
            web->has_changed = true;
            web->changed_ms = pare_clock_ms();
        }
        end_streams(web, on);
    }
    return PARE_OK;
}

#else

pare_status pare_fuzz_web_start(const pare_fuzz_web_options *options, pare_fuzz_web **out,
                                pare_error *err)
{
    (void)options;
    (void)out;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "this pare was built without libmicrohttpd: it has no web server");
}

void pare_fuzz_web_free(pare_fuzz_web *web)
{
    (void)web;
}

const char *pare_fuzz_web_address(const pare_fuzz_web *web, pare_fuzz_web_url kind,
                                  char text[static PARE_FUZZ_WEB_URL_BYTES])
{
    (void)web;
    (void)kind;
    *text = '\0';
    return text;
}

bool pare_fuzz_web_is_loopback(const pare_fuzz_web *web)
{
    (void)web;
    return true;
}

pare_status pare_fuzz_web_run(pare_fuzz_web *web, const pare_stop *stop, pare_error *err)
{
    (void)web;
    (void)stop;
    return pare_fail(err, PARE_E_UNSUPPORTED, "this pare has no web server");
}

#endif
