/* The connection: libnats, opened at run time, and a queue between its threads and ours.
 *
 * One subscription to all subjects below an inbox of our own keeps what comes in the order in which
 * the server sent it. libnats calls us on its threads, where we only copy the letter into the queue
 * and ring an eventfd; everything else happens on the caller's thread. libnats may still call us
 * after its connection was destroyed, so it gets a number instead of a pointer, and the callback
 * looks that up among the open links.
 * Invariant: the eventfd is readable whenever the queue is not empty or the state has changed since
 * the queue was last found empty.  No error message contains credentials. */
#include "run/remote/link.h"

#include "base/alloc.h"

#ifdef PARE_HAVE_NATS

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <nats/nats.h>

#include "base/buffer.h"
#include "os/entropy.h"
#include "os/file.h"
#include "os/shared_library.h"
#include "run/remote/link_sentences.h"

enum {
    CONNECT_MS = 4000,
    ANSWER_MS = 8000,
    RECONNECT_MS = 250,
    PING_MS = 1000,  /* two that are not answered: the server is away */
    WRITE_MS = 2000, /* for what is sent to go out, where the other side takes nothing any more */
    PENDING_BYTES = 64 << 20
};

/* What we call of libnats, by the names of open_library.  All of it is in 3.1. */
struct library {
    natsStatus (*options_new)(natsOptions **);
    void (*options_free)(natsOptions *);
    natsStatus (*set_url)(natsOptions *, const char *);
    natsStatus (*set_token)(natsOptions *, const char *);
    natsStatus (*set_user)(natsOptions *, const char *, const char *);
    natsStatus (*set_credentials)(natsOptions *, const char *, const char *);
    natsStatus (*set_nkey)(natsOptions *, const char *, const char *);
    natsStatus (*set_secure)(natsOptions *, bool);
    natsStatus (*set_name)(natsOptions *, const char *);
    natsStatus (*set_timeout)(natsOptions *, int64_t);
    natsStatus (*set_ping)(natsOptions *, int64_t);
    natsStatus (*set_no_echo)(natsOptions *, bool);
    natsStatus (*set_write_limit)(natsOptions *, int64_t);
    natsStatus (*set_most_reconnects)(natsOptions *, int);
    natsStatus (*set_reconnect_wait)(natsOptions *, int64_t);
    natsStatus (*set_reconnect_room)(natsOptions *, int);
    natsStatus (*set_on_down)(natsOptions *, natsConnectionHandler, void *);
    natsStatus (*set_on_up)(natsOptions *, natsConnectionHandler, void *);
    natsStatus (*set_on_error)(natsOptions *, natsErrHandler, void *);
    natsStatus (*connect)(natsConnection **, natsOptions *);
    void (*destroy)(natsConnection *);
    natsStatus (*publish)(natsConnection *, const char *, const void *, int);
    natsStatus (*publish_request)(natsConnection *, const char *, const char *, const void *, int);
    natsStatus (*request)(natsMsg **, natsConnection *, const char *, const void *, int, int64_t);
    natsStatus (*flush)(natsConnection *, int64_t);
    natsStatus (*subscribe)(natsSubscription **, natsConnection *, const char *, natsMsgHandler,
                            void *);
    void (*unsubscribe)(natsSubscription *);
    const char *(*subject)(const natsMsg *);
    const char *(*reply)(const natsMsg *);
    const char *(*data)(const natsMsg *);
    int (*size)(const natsMsg *);
    natsStatus (*header)(natsMsg *, const char *, const char **);
    void (*message_free)(natsMsg *);
    const char *(*describe)(natsStatus);
    const char *(*last_error)(natsStatus *);
};

enum { MOST_SUBSCRIPTIONS = 4 };

/* The members before the lock are written before libnats can call us, or only by our own thread. */
struct pare_link {
    uintptr_t number;     /* of its own, never used again */
    pare_link *next_open; /* of those that are open */
    struct library nats;
    natsConnection *connection;
    natsSubscription *subscriptions[MOST_SUBSCRIPTIONS];
    unsigned n_subscriptions;
    char host[300];
    char inbox[40];
    int fd;
    pthread_mutex_t lock; /* of all that follows */
    pare_letter *first, **last;
    bool is_up;
    unsigned n_connects;
    pare_link_traffic traffic;
};

/* The open links, for callbacks of libnats.  `nats` is the same in all links. */
static struct {
    pthread_mutex_t lock; /* of all that follows; taken before a link's own */
    pare_link *first;
    uintptr_t last_number;
    struct library nats;
} open_links = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Registers the link before the connection is made, so that the first callbacks find it.  The
 * library's table is kept for callbacks that come when no link is open any more.
 *
 * One lock for all links is enough: callbacks only copy a letter while they hold it, and a
 * process has few links. */
static void add_link(pare_link *link)
{
    pthread_mutex_lock(&open_links.lock);
    link->number = ++open_links.last_number;
    link->next_open = open_links.first;
    open_links.first = link;
    open_links.nats = link->nats;
    pthread_mutex_unlock(&open_links.lock);
}

/* Afterwards only the closing thread has the link. */
static void remove_link(const pare_link *link)
{
    pthread_mutex_lock(&open_links.lock);
    pare_link **at = &open_links.first;
    while (*at && *at != link)
        at = &(*at)->next_open;
    if (*at) *at = link->next_open;
    pthread_mutex_unlock(&open_links.lock);
}

/* The link that a call is for, with the list locked until leave(); NULL: it was closed. leave()
 * is called in both cases. Cost: O(open links). */
static pare_link *enter(void *context)
{
    pthread_mutex_lock(&open_links.lock);
    pare_link *link = open_links.first;
    while (link && link->number != (uintptr_t)context)
        link = link->next_open;
    return link;
}

/* The lock is held while a call works on its link, so closing waits for it. */
static void leave(void)
{
    pthread_mutex_unlock(&open_links.lock);
}

/* The argument for callbacks of libnats: never a pointer, which it could still use after the
 * end. */
static void *context_of(const pare_link *link)
{
    return (void *)link->number; /* NOLINT: a number, looked up by enter() */
}

/* Opens libnats and finds all functions, or says what to install.  It is opened once in a process
 * and stays (os/shared_library.h).
 *
 * *self is incomplete if it fails, and the link is closed before anything was called. */
static pare_status open_library(struct library *self, pare_error *err)
{
    static const char *const names[] = {"libnats.so.3", "libnats.so.3.4", "libnats.so", NULL};
    const pare_shared_function wanted[] = {
        {"natsOptions_Create", &self->options_new},
        {"natsOptions_Destroy", &self->options_free},
        {"natsOptions_SetURL", &self->set_url},
        {"natsOptions_SetToken", &self->set_token},
        {"natsOptions_SetUserInfo", &self->set_user},
        {"natsOptions_SetUserCredentialsFromFiles", &self->set_credentials},
        {"natsOptions_SetNKeyFromSeed", &self->set_nkey},
        {"natsOptions_SetSecure", &self->set_secure},
        {"natsOptions_SetName", &self->set_name},
        {"natsOptions_SetTimeout", &self->set_timeout},
        {"natsOptions_SetPingInterval", &self->set_ping},
        {"natsOptions_SetNoEcho", &self->set_no_echo},
        {"natsOptions_SetWriteDeadline", &self->set_write_limit},
        {"natsOptions_SetMaxReconnect", &self->set_most_reconnects},
        {"natsOptions_SetReconnectWait", &self->set_reconnect_wait},
        {"natsOptions_SetReconnectBufSize", &self->set_reconnect_room},
        {"natsOptions_SetDisconnectedCB", &self->set_on_down},
        {"natsOptions_SetReconnectedCB", &self->set_on_up},
        {"natsOptions_SetErrorHandler", &self->set_on_error},
        {"natsConnection_Connect", &self->connect},
        {"natsConnection_Destroy", &self->destroy},
        {"natsConnection_Publish", &self->publish},
        {"natsConnection_PublishRequest", &self->publish_request},
        {"natsConnection_Request", &self->request},
        {"natsConnection_FlushTimeout", &self->flush},
        {"natsConnection_Subscribe", &self->subscribe},
        {"natsSubscription_Destroy", &self->unsubscribe},
        {"natsMsg_GetSubject", &self->subject},
        {"natsMsg_GetReply", &self->reply},
        {"natsMsg_GetData", &self->data},
        {"natsMsg_GetDataLength", &self->size},
        {"natsMsgHeader_Get", &self->header},
        {"natsMsg_Destroy", &self->message_free},
        {"natsStatus_GetText", &self->describe},
        {"nats_GetLastError", &self->last_error},
    };
    void *library = pare_shared_library_open(names);
    if (!library)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "many machines need libnats: apt-get install libnats3.4");
    if (!pare_shared_library_find(library, wanted, sizeof wanted / sizeof *wanted))
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "this libnats is too old: many machines need 3.1 or later");
    return PARE_OK;
}

/* ---- letters ------------------------------------------------------------------------- */

/* Seconds since the Epoch of a time of RFC 3339 in UTC; 0: it is none. */
static int64_t read_time(const char *text)
{
    struct tm at = {.tm_isdst = 0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &at);
    if (!rest || (*rest != '.' && *rest != 'Z')) return 0;
    return (int64_t)timegm(&at);
}

/* One block holds the letter, its bytes and both texts.  NULL: memory is out.
 *
 * libnats owns the message, and frees it after the callback, so nothing of it can be kept. A
 * NUL byte is put behind the bytes, which JSON answers are read up to; it does not count in
 * `size`. */
static pare_letter *copy_letter(const struct library *nats, natsMsg *message)
{
    const char *subject = nats->subject(message), *reply = nats->reply(message);
    const char *status = NULL, *stored = NULL;
    if (!reply) reply = "";
    size_t subject_size = strlen(subject) + 1, reply_size = strlen(reply) + 1;
    size_t size = (size_t)nats->size(message);
    pare_letter *letter = pare_alloc(1, sizeof *letter + subject_size + reply_size + size + 1);
    if (!letter) return NULL;
    char *room = (char *)(letter + 1);
    *letter = (pare_letter){.subject = room,
                            .reply = room + subject_size,
                            .bytes = (unsigned char *)room + subject_size + reply_size,
                            .size = size};
    memcpy(letter->subject, subject, subject_size);
    memcpy(letter->reply, reply, reply_size);
    if (size) memcpy(letter->bytes, nats->data(message), size);
    letter->bytes[size] = 0;
    /* The server's own letters about a pull are empty and have a status: 404 for "no messages",
     * 408 for a pull whose time is over. A letter with bytes is never one of them, whatever its
     * headers say. */
    if (size == 0 && nats->header(message, "Status", &status) == NATS_OK && status)
        letter->status = (unsigned)strtoul(status, NULL, 10);
    if (nats->header(message, "Nats-Time-Stamp", &stored) == NATS_OK && stored)
        letter->stored_s = read_time(stored);
    return letter;
}

void pare_link_letter_free(pare_letter *letter)
{
    pare_alloc_free(letter);
}

/* Makes the descriptor readable, for whoever waits for us. */
static void ring(const pare_link *link)
{
    uint64_t one = 1;
    ssize_t written = write(link->fd, &one, sizeof one);
    (void)written; /* full: it is readable already */
}

/* The letter is the queue's from now on. The eventfd is signalled after the lock is released,
 * because the woken thread needs the lock. `last` is the place of the pointer that ends the
 * list, so a letter is added in constant time. */
static void queue(pare_link *link, pare_letter *letter)
{
    pthread_mutex_lock(&link->lock);
    *link->last = letter;
    link->last = &letter->next;
    link->traffic.n_letters++;
    link->traffic.n_bytes += letter->size + strlen(letter->subject) + strlen(letter->reply);
    pthread_mutex_unlock(&link->lock);
    ring(link);
}

/* Runs on a thread of libnats.  If there is no memory for a letter, it is lost as if by the
 * network, and its test is tried again. */
static void hear(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                 void *context)
{
    (void)connection;
    (void)subscription;
    pare_link *link = enter(context);
    pare_letter *letter = link ? copy_letter(&link->nats, message) : NULL;
    /* The message is freed also where its link was closed; open_links has the library's
     * functions then. */
    open_links.nats.message_free(message);
    if (letter) queue(link, letter);
    leave();
}

/* The connection has come or gone; whoever waits is woken to look. */
static void set_state(pare_link *link, bool is_up)
{
    pthread_mutex_lock(&link->lock);
    link->is_up = is_up;
    link->n_connects += is_up;
    pthread_mutex_unlock(&link->lock);
    ring(link);
}

static void went_down(natsConnection *connection, void *context)
{
    (void)connection;
    pare_link *link = enter(context);
    if (link) set_state(link, false);
    leave();
}

static void came_up(natsConnection *connection, void *context)
{
    (void)connection;
    pare_link *link = enter(context);
    if (link) set_state(link, true);
    leave();
}

/* Without a handler, libnats would print these itself. What they report is seen anyway: by the
 * state of the link, or by an answer that does not come. */
static void ignore_error(natsConnection *connection, natsSubscription *subscription,
                         natsStatus status, void *context)
{
    (void)connection;
    (void)subscription;
    (void)status;
    (void)context;
}

/* The eventfd is reset under the lock, and only if no letter is left, so no signal is lost.
 *
 * A caller therefore takes letters until there are none before it waits for the descriptor
 * again. */
pare_letter *pare_link_take(pare_link *link)
{
    pthread_mutex_lock(&link->lock);
    pare_letter *letter = link->first;
    if (letter) {
        link->first = letter->next;
        if (!link->first) link->last = &link->first;
        letter->next = NULL;
    } else {
        uint64_t count;
        ssize_t n = read(link->fd, &count, sizeof count);
        (void)n; /* it was not readable */
    }
    pthread_mutex_unlock(&link->lock);
    return letter;
}

/* ---- opening ------------------------------------------------------------------------- */

/* Where the host begins in a URL, after the scheme and the credentials; NULL: it is not such a
 * URL. *has_user says whether there are credentials in it. The last '@' ends them, since a
 * password may hold one. Example: "nats://me:secret@host:4222" gives "host:4222". A path after
 * the host is refused. */
static const char *host_of(const char *url, bool *has_user)
{
    const char *start = strncmp(url, "nats://", 7) == 0  ? url + 7
                        : strncmp(url, "tls://", 6) == 0 ? url + 6
                                                         : NULL;
    if (!start) return NULL;
    const char *at = strrchr(start, '@');
    *has_user = at != NULL;
    if (at) start = at + 1;
    return *start && *start != ':' && !strchr(start, '/') ? start : NULL;
}

/* Also sets link->host, without the credentials that a URL may have, for messages.  Plain
 * connections to other machines need credentials: whoever can write to the server can make workers
 * run programs. */
static pare_status check_url(const pare_link_options *options, pare_link *link, pare_error *err)
{
    bool has_user = false;
    const char *host = host_of(options->url, &has_user);
    if (!host)
        return pare_fail(err, PARE_E_ARG,
                         "a server is nats://HOST[:PORT] or tls://HOST[:PORT], with /NAME for one "
                         "of several clusters");
    /* The scheme with its two slashes, then the host: "tls://" and "host:4222". */
    (void)snprintf(link->host, sizeof link->host, "%.*s%s",
                   (int)(strchr(options->url, '/') + 2 - options->url), options->url, host);
    if (options->credentials || has_user || options->insecure || pare_link_is_this_machine(host))
        return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "%s is another machine: give --credentials FILE, so that not everybody can "
                     "run tests there (--insecure goes without)",
                     link->host);
}

/* The first word of `text` that begins with `start` and has `size` characters, NUL-terminated.
 * The text is changed only if there is one. NULL: there is none. */
static char *find_word(char *text, char start, size_t size)
{
    for (char *at = text; *at;) {
        at += strspn(at, " \t\r\n");
        size_t n = strcspn(at, " \t\r\n");
        if (n == size && *at == start) return at[n] = '\0', at;
        at += n;
    }
    return NULL;
}

/* Sets the public key and the seed's file, out of which libnats takes the seed when the server asks for a
 * signature.  The public key has to be told: it is not computed from the seed here.
 *
 * *set is what libnats says. Example of a file, seed and key: "SUAM...\nUDXU...\n". */
static pare_status set_nkey(const struct library *nats, const char *path, char *text,
                            natsOptions *options, natsStatus *set, pare_error *err)
{
    enum { KEY_BYTES = 56 };
    const char *key = find_word(text, 'U', KEY_BYTES);
    if (!key)
        return pare_fail(err, PARE_E_ARG,
                         "%s contains a seed without its public key: add the key (U...) as a "
                         "second line, as 'nk -gen user -pubout' prints both",
                         path);
    *set = nats->set_nkey(options, key, path);
    return PARE_OK;
}

/* The content of the file decides which login method of NATS is used.
 *
 * The forms are told apart in this order: a file of nsc's, which has a JWT and a seed between
 * lines of dashes; a seed ("SU...") with its public key; USER:PASSWORD, and a token, both of
 * the first line only. The text is wiped before its memory is given back. */
static pare_status set_credentials(const struct library *nats, const char *path,
                                   natsOptions *options, pare_error *err)
{
    enum { SEED_BYTES = 58 };
    pare_buffer text = {0};
    natsStatus set = NATS_ERR;
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_buffer_add(&text, "", 1, err);
    if (!status) {
        char *colon, *end = text.data + strcspn(text.data, "\r\n");
        if (strstr(text.data, "BEGIN NATS USER JWT")) {
            /* libnats reads both parts from the file itself, when it logs in; that the seed is
             * there is checked now, for the sake of a sentence that helps. */
            set = nats->set_credentials(options, path, NULL);
            if (!find_word(text.data, 'S', SEED_BYTES))
                status = pare_fail(err, PARE_E_ARG,
                                   "%s contains a JWT without its seed: copy the whole file that "
                                   "'nsc generate creds' prints",
                                   path);
        } else if (strncmp(text.data + strspn(text.data, " \t\r\n"), "SU", 2) == 0 &&
                   text.size > SEED_BYTES) {
            status = set_nkey(nats, path, text.data, options, &set, err);
        } else if (*end = '\0', (colon = strchr(text.data, ':')) != NULL) {
            *colon = '\0';
            set = nats->set_user(options, text.data, colon + 1);
        } else if (*text.data) {
            set = nats->set_token(options, text.data);
        }
        if (!status && set != NATS_OK)
            status = pare_fail(err, PARE_E_ARG,
                               "%s contains no credentials: a file of nsc's, a seed and its public "
                               "key, USER:PASSWORD, or a token",
                               path);
    }
    if (text.data) explicit_bzero(text.data, text.size);
    pare_buffer_done(&text);
    return status;
}

/* Options of the connection: it is restored automatically, quickly and without limit, and a server
 * that accepts or answers nothing is noticed within seconds. libnats encrypts if the server asks
 * for it, whatever the URL says.  With tls:// encryption is required; otherwise an attacker between
 * us and the server could switch it off and read along.
 *
 * The first option that fails ends it, and its status is returned. -1 reconnects means without
 * end. */
static natsStatus configure(pare_link *link, const char *url, natsOptions *options)
{
    const struct library *nats = &link->nats;
    natsStatus set = nats->set_url(options, url);
    if (set == NATS_OK && pare_link_is_tls(url)) set = nats->set_secure(options, true);
    if (set == NATS_OK) set = nats->set_name(options, "pare");
    if (set == NATS_OK) set = nats->set_timeout(options, CONNECT_MS);
    if (set == NATS_OK) set = nats->set_ping(options, PING_MS);
    if (set == NATS_OK) set = nats->set_no_echo(options, true);
    if (set == NATS_OK) set = nats->set_write_limit(options, WRITE_MS);
    if (set == NATS_OK) set = nats->set_most_reconnects(options, -1);
    if (set == NATS_OK) set = nats->set_reconnect_wait(options, RECONNECT_MS);
    if (set == NATS_OK) set = nats->set_reconnect_room(options, PENDING_BYTES);
    if (set == NATS_OK) set = nats->set_on_down(options, went_down, context_of(link));
    if (set == NATS_OK) set = nats->set_on_up(options, came_up, context_of(link));
    if (set == NATS_OK) set = nats->set_on_error(options, ignore_error, NULL);
    return set;
}

/* A sentence for an error of libnats, with advice for the usual causes.
 *
 * Several statuses of libnats have more than one cause. A server that wants certificates closes
 * the connection during the handshake, which looks like a protocol error, a closed connection
 * or, with TLS, a failed read; so these are told together. */
static pare_status explain(const pare_link *link, natsStatus how, pare_error *err)
{
    char command[PARE_LINK_COMMAND_BYTES];
    const bool may_want_certificate = how == NATS_PROTOCOL_ERROR || how == NATS_CONNECTION_CLOSED ||
                                      (how == NATS_IO_ERROR && pare_link_is_tls(link->host));
    if (how == NATS_CONNECTION_AUTH_FAILED || how == NATS_NOT_PERMITTED)
        return pare_fail(err, PARE_E_IO,
                         "%s refuses these credentials: give others with --credentials FILE",
                         link->host);
    if (how == NATS_SSL_ERROR)
        return pare_link_explain_tls(link->host, link->nats.last_error(NULL), err);
    if (how == NATS_SECURE_CONNECTION_WANTED)
        return pare_fail(
            err, PARE_E_IO,
            "%s does not encrypt: give it a certificate (%s), or use nats:// instead of tls://",
            link->host, pare_link_start_command(link->host, command));
    if (may_want_certificate)
        return pare_fail(err, PARE_E_IO,
                         "%s closed the connection: it is not a NATS server, or it asks clients "
                         "for certificates, which pare does not have: turn 'verify' off in its "
                         "configuration, and use --credentials FILE",
                         link->host);
    if (how == NATS_NO_SERVER || how == NATS_TIMEOUT || how == NATS_IO_ERROR)
        return pare_fail(err, PARE_E_IO, "no server answers at %s: start one there: %s", link->host,
                         pare_link_start_command(link->host, command));
    if (how == NATS_MAX_PAYLOAD)
        return pare_fail(
            err, PARE_E_IO,
            "%s accepts only small messages: set max_payload in its configuration to 1MB or more",
            link->host);
    if (how == NATS_SYS_ERROR || how == NATS_NO_MEMORY)
        return pare_fail(err, PARE_E_IO,
                         "%s: no memory or no thread is left here for a connection: raise the "
                         "limits (ulimit -v, ulimit -u)",
                         link->host);
    return pare_fail(err, PARE_E_IO, "%s: %s", link->host, link->nats.describe(how));
}

/* Whether libnats could not sign with the seed; its errors begin with the file they come from.
 * The status alone does not tell what failed. */
static bool is_bad_seed(const struct library *nats, natsStatus how)
{
    natsStatus last = NATS_OK;
    const char *text = how == NATS_OK ? NULL : nats->last_error(&last);
    return text && last == how && strncmp(text, "(nkeys.c", 8) == 0;
}

/* Logs in.  libnats 3.4 leaves out a signature whose first byte is 0, as if it were an empty text, so one in 256
 * logins by a key is refused; each try has another signature, and the second will do. */
static natsStatus log_in(pare_link *link, natsOptions *options, bool has_credentials)
{
    natsStatus how = link->nats.connect(&link->connection, options);
    if (how == NATS_CONNECTION_AUTH_FAILED && has_credentials)
        how = link->nats.connect(&link->connection, options);
    return how;
}

/* Connects, or fails within CONNECT_MS for each of two logins.
 *
 * The order of the checks: an error of ours has its sentence already; a damaged seed is told as
 * such rather than as a login that was refused; all else is explained by its status. */
static pare_status connect_to(pare_link *link, const pare_link_options *wanted, pare_error *err)
{
    natsOptions *options = NULL;
    natsStatus how = link->nats.options_new(&options);
    if (how == NATS_OK) how = configure(link, wanted->url, options);
    pare_status status = PARE_OK;
    if (how == NATS_OK && wanted->credentials)
        status = set_credentials(&link->nats, wanted->credentials, options, err);
    if (!status && how == NATS_OK) how = log_in(link, options, wanted->credentials != NULL);
    if (!status && wanted->credentials && is_bad_seed(&link->nats, how))
        status = pare_fail(err, PARE_E_ARG,
                           "the seed or the key in %s is damaged: copy it again, or make another "
                           "by 'nk -gen user -pubout' or 'nsc generate creds'",
                           wanted->credentials);
    if (options) link->nats.options_free(options);
    if (status) return status;
    if (how != NATS_OK) return explain(link, how, err);
    set_state(link, true);
    return PARE_OK;
}

/* Letters of all subscriptions come to the same queue; they end with the link. */
pare_status pare_link_subscribe(pare_link *link, const char *subject, pare_error *err)
{
    assert(link->n_subscriptions < MOST_SUBSCRIPTIONS);
    natsSubscription **at = &link->subscriptions[link->n_subscriptions];
    natsStatus how = link->nats.subscribe(at, link->connection, subject, hear, context_of(link));
    if (how != NATS_OK) return explain(link, how, err);
    link->n_subscriptions++;
    return PARE_OK;
}

/* The inbox is random, so that only those who were told its name can write to it.
 *
 * The link is registered before the connection is made, and closed by pare_link_close from any
 * point on: that looks at what there is. *out is set on success only. */
pare_status pare_link_open(const pare_link_options *options, pare_link **out, pare_error *err)
{
    uint64_t number = 0;
    char below[48];
    pare_link *link = pare_alloc_zero(1, sizeof *link);
    if (!link) return pare_fail_nomem(err);
    pthread_mutex_init(&link->lock, NULL);
    link->last = &link->first;
    link->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pare_status status = link->fd < 0 ? pare_fail(err, PARE_E_IO, "cannot make an eventfd")
                                      : check_url(options, link, err);
    if (!status) status = open_library(&link->nats, err);
    if (!status) add_link(link);
    if (!status) status = connect_to(link, options, err);
    if (!status) status = pare_entropy_draw(UINT64_MAX, &number, err);
    if (!status) {
        (void)snprintf(link->inbox, sizeof link->inbox, "_INBOX.pare%016llx",
                       (unsigned long long)number);
        (void)snprintf(below, sizeof below, "%s.>", link->inbox);
        status = pare_link_subscribe(link, below, err);
    }
    if (status) {
        pare_link_close(link);
        return status;
    }
    *out = link;
    return PARE_OK;
}

/* Gives the last letters a moment to go out.  Subscriptions are destroyed after the connection, which waits for
 * the thread that reads: that thread uses a subscription without a reference for a moment, between the list of them
 * and its lock (libnats 3.4), and a letter that came just then was read into memory that had been freed. */
void pare_link_close(pare_link *link)
{
    if (!link) return;
    /* A server that is away would keep us for the time of the flush. */
    if (link->connection && pare_link_is_up(link)) (void)link->nats.flush(link->connection, 500);
    if (link->connection) link->nats.destroy(link->connection);
    for (unsigned i = 0; i < link->n_subscriptions; i++)
        link->nats.unsubscribe(link->subscriptions[i]);
    /* From here on no callback finds the link, so what is left can be freed without its lock. */
    remove_link(link);
    while (link->first) {
        pare_letter *letter = link->first;
        link->first = letter->next;
        pare_link_letter_free(letter);
    }
    if (link->fd >= 0) (void)close(link->fd);
    pthread_mutex_destroy(&link->lock);
    pare_alloc_free(link);
}

/* ---- what is known, and sending ---------------------------------------------------------- */

const char *pare_link_host(const pare_link *link)
{
    return link->host;
}

const char *pare_link_inbox(const pare_link *link)
{
    return link->inbox;
}

int pare_link_fd(const pare_link *link)
{
    return link->fd;
}

/* Here and below a const link is locked all the same: libnats changes it from its threads. */
bool pare_link_is_up(const pare_link *link)
{
    pthread_mutex_t *lock = &((pare_link *)(uintptr_t)link)->lock;
    pthread_mutex_lock(lock);
    bool is_up = link->is_up;
    pthread_mutex_unlock(lock);
    return is_up;
}

unsigned pare_link_connects(const pare_link *link)
{
    pthread_mutex_t *lock = &((pare_link *)(uintptr_t)link)->lock;
    pthread_mutex_lock(lock);
    unsigned n = link->n_connects;
    pthread_mutex_unlock(lock);
    return n;
}

pare_link_traffic pare_link_count(const pare_link *link)
{
    pthread_mutex_t *lock = &((pare_link *)(uintptr_t)link)->lock;
    pthread_mutex_lock(lock);
    pare_link_traffic traffic = link->traffic;
    pthread_mutex_unlock(lock);
    return traffic;
}

/* Beside what comes (queue), for the sum that the user is told. */
static void count_sent(pare_link *link, size_t bytes)
{
    pthread_mutex_lock(&link->lock);
    link->traffic.n_letters++;
    link->traffic.n_bytes += bytes;
    pthread_mutex_unlock(&link->lock);
}

/* Returns before the letter is out: libnats sends it on its own thread, or keeps it, up to
 * PENDING_BYTES, while the server is away. Only what libnats has accepted is counted. */
pare_status pare_link_send(pare_link *link, const char *subject, const char *reply,
                           const void *bytes, size_t size, pare_error *err)
{
    if (size > INT32_MAX) return pare_fail(err, PARE_E_LIMIT, "a message is too large");
    natsStatus how =
        reply ? link->nats.publish_request(link->connection, subject, reply, bytes, (int)size)
              : link->nats.publish(link->connection, subject, bytes, (int)size);
    if (how != NATS_OK) return explain(link, how, err);
    count_sent(link, size + strlen(subject) + (reply ? strlen(reply) : 0));
    return PARE_OK;
}

/* libnats makes a subject of its own for the answer, so it does not come among the letters.
 *
 * Only for the start of a run and the like: it blocks for up to ANSWER_MS. NATS_NO_RESPONDERS
 * comes at once from a server that knows of nobody who has subscribed to the subject. */
pare_status pare_link_ask(pare_link *link, const char *subject, const void *bytes, size_t size,
                          pare_letter **answer, pare_error *err)
{
    natsMsg *message = NULL;
    natsStatus how =
        link->nats.request(&message, link->connection, subject, bytes, (int)size, ANSWER_MS);
    count_sent(link, size + strlen(subject));
    if (how == NATS_NO_RESPONDERS)
        return pare_fail(err, PARE_E_UNSUPPORTED, "%s: nobody answers to %s", link->host, subject);
    if (how != NATS_OK) return explain(link, how, err);
    pare_letter *letter = copy_letter(&link->nats, message);
    link->nats.message_free(message);
    if (!letter) return pare_fail_nomem(err);
    count_sent(link, letter->size);
    *answer = letter;
    return PARE_OK;
}

/* The sentence of the error in an answer of JetStream's: "description":"...".
 *
 * 10039: JetStream is not enabled for the account; 10076: not enabled. They are told like a
 * server without JetStream, since the advice is the same. Always an error. */
static pare_status refuse(const pare_link *link, const char *json, pare_error *err)
{
    static const char key[] = "\"description\":\"";
    char command[PARE_LINK_COMMAND_BYTES];
    const char *text = strstr(json, key);
    text = text ? text + sizeof key - 1 : "no reason is given";
    if (strstr(json, "\"err_code\":10039") || strstr(json, "\"err_code\":10076"))
        return pare_fail(err, PARE_E_UNSUPPORTED, "%s has no JetStream: start it with: %s",
                         link->host, pare_link_start_command(link->host, command));
    return pare_fail(err, PARE_E_STATE, "JetStream at %s: %.*s", link->host,
                     (int)strcspn(text, "\""), text);
}

/* If JetStream is switched off, nobody listens to its subjects, and that is the first sign of it;
 * if only the account has no JetStream, the server answers with an error instead. */
pare_status pare_link_ask_jetstream(pare_link *link, const char *what, const char *json,
                                    pare_letter **answer, pare_error *err)
{
    char subject[200], command[PARE_LINK_COMMAND_BYTES];
    pare_letter *letter = NULL;
    pare_error why = {0};
    (void)snprintf(subject, sizeof subject, "$JS.API.%s", what);
    pare_status status = pare_link_ask(link, subject, json, strlen(json), &letter, &why);
    if (status == PARE_E_UNSUPPORTED)
        return pare_fail(err, PARE_E_UNSUPPORTED, "%s has no JetStream: start it with: %s",
                         link->host, pare_link_start_command(link->host, command));
    /* The error was written to `why` first since its sentence is replaced in the case above. */
    if (status) return pare_fail(err, status, "%s", why.message);
    if (strstr((const char *)letter->bytes, "\"error\":{"))
        status = refuse(link, (const char *)letter->bytes, err);
    if (status || !answer)
        pare_link_letter_free(letter);
    else
        *answer = letter;
    return status;
}

#else

void pare_link_letter_free(pare_letter *letter)
{
    pare_alloc_free(letter);
}

pare_status pare_link_open(const pare_link_options *options, pare_link **out, pare_error *err)
{
    (void)options;
    (void)out;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "this pare was built without libnats: apt-get install libnats-dev, and build "
                     "it again");
}

/* Without libnats there is no link, so this is never called. */
void pare_link_close(pare_link *link)
{
    (void)link;
}

const char *pare_link_host(const pare_link *link)
{
    (void)link;
    return "";
}

const char *pare_link_inbox(const pare_link *link)
{
    (void)link;
    return "";
}

int pare_link_fd(const pare_link *link)
{
    (void)link;
    return -1;
}

bool pare_link_is_up(const pare_link *link)
{
    (void)link;
    return false;
}

unsigned pare_link_connects(const pare_link *link)
{
    (void)link;
    return 0;
}

pare_link_traffic pare_link_count(const pare_link *link)
{
    (void)link;
    return (pare_link_traffic){.n_letters = 0};
}

pare_letter *pare_link_take(pare_link *link)
{
    (void)link;
    return NULL;
}

static pare_status refuse(pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "this pare was built without libnats");
}

pare_status pare_link_subscribe(pare_link *link, const char *subject, pare_error *err)
{
    (void)link;
    (void)subject;
    return refuse(err);
}

pare_status pare_link_send(pare_link *link, const char *subject, const char *reply,
                           const void *bytes, size_t size, pare_error *err)
{
    (void)link;
    (void)subject;
    (void)reply;
    (void)bytes;
    (void)size;
    return refuse(err);
}

pare_status pare_link_ask(pare_link *link, const char *subject, const void *bytes, size_t size,
                          pare_letter **answer, pare_error *err)
{
    (void)link;
    (void)subject;
    (void)bytes;
    (void)size;
    (void)answer;
    return refuse(err);
}

pare_status pare_link_ask_jetstream(pare_link *link, const char *what, const char *json,
                                    pare_letter **answer, pare_error *err)
{
    (void)link;
    (void)what;
    (void)json;
    (void)answer;
    return refuse(err);
}

#endif
