/* Sending, by libcurl.
 *
 * The library is opened when something is sent, not linked: it loads some thirty others, which
 * would cost each start of pare more than most of its work, and users who report nothing need not
 * install it. Its header is needed at build time only, for numbers and types.  It stays open until
 * the process ends, since the libraries below it do not all stand being closed.
 * Invariant: the token is in our memory and in one header of the request, nowhere else; it is in no
 * sentence of an error. */
#include "campaign/tracker_send.h"

#include <assert.h>
#include <string.h>

#ifdef PARE_HAVE_CURL

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "os/shared_library.h"

/* What we call of it. */
struct library {
    CURL *(*init)(void);
    CURLcode (*set)(CURL *curl, CURLoption option, ...);
    CURLcode (*perform)(CURL *curl);
    CURLcode (*get)(CURL *curl, CURLINFO info, ...);
    void (*cleanup)(CURL *curl);
    const char *(*describe)(CURLcode code);
    struct curl_slist *(*append)(struct curl_slist *list, const char *text);
    void (*free_list)(struct curl_slist *list);
};

/* Fails with a sentence that says how to get it, and what can be done without. */
static pare_status open_library(struct library *self, pare_error *err)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    const pare_shared_function wanted[] = {
        {"curl_easy_init", &self->init},       {"curl_easy_setopt", &self->set},
        {"curl_easy_perform", &self->perform}, {"curl_easy_getinfo", &self->get},
        {"curl_easy_cleanup", &self->cleanup}, {"curl_easy_strerror", &self->describe},
        {"curl_slist_append", &self->append},  {"curl_slist_free_all", &self->free_list},
    };
    void *library = pare_shared_library_open(names);
    if (!library)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "sending needs libcurl: apt-get install libcurl4, or use the files that "
                         "are written without --send");
    if (!pare_shared_library_find(library, wanted, sizeof wanted / sizeof *wanted))
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "this libcurl lacks functions that sending needs: install a newer one");
    return PARE_OK;
}

/* The host, and whether the connection is encrypted. */
static bool is_open_connection(const char *url)
{
    static const char *const own[] = {"http://127.0.0.1", "http://localhost", "http://[::1]"};
    if (strncmp(url, "https://", 8) == 0) return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        size_t size = strlen(own[i]);
        if (strncmp(url, own[i], size) == 0 && (url[size] == ':' || url[size] == '/')) return false;
    }
    return true;
}

/* Anything else could end the header and begin another one. */
static bool is_line(const char *token)
{
    for (const unsigned char *at = (const unsigned char *)token; *at; at++)
        if (*at <= ' ' || *at >= 0x7f) return false;
    return *token != '\0';
}

/* Before anything is connected. */
static pare_status check_token(const pare_tracker_request *request, const char *token,
                               pare_error *err)
{
    if (!is_line(token))
        return pare_fail(err, PARE_E_ARG, "the token of a tracker must be one line without blanks");
    if (is_open_connection(request->url.data))
        return pare_fail(err, PARE_E_STATE,
                         "the token is not sent over http://, where others could read it: use "
                         "https://");
    return PARE_OK;
}

/* Where the answer goes. */
struct sink {
    pare_buffer *out;
    bool is_full;
    pare_status status;
};

/* As libcurl asks for it: another number than was given ends the transfer. */
static size_t take(char *bytes, size_t one, size_t size, void *context)
{
    struct sink *sink = context;
    assert(one == 1);
    sink->is_full = sink->out->size + size > PARE_TRACKER_SEND_BYTES;
    if (!sink->is_full) sink->status = pare_buffer_add(sink->out, bytes, size, NULL);
    return sink->is_full || sink->status ? 0 : size * one;
}

/* Our copy of the line is overwritten before its memory is given back. */
static pare_status add_header(const struct library *curl, struct curl_slist **headers,
                              const char *name, const char *value, pare_error *err)
{
    pare_buffer line = {0};
    pare_status status = pare_buffer_format(&line, err, "%s%s", name, value);
    struct curl_slist *longer = status ? NULL : curl->append(*headers, line.data);
    if (longer) *headers = longer;
    /* The token was in it. */
    if (line.data) explicit_bzero(line.data, line.size);
    pare_buffer_done(&line);
    return status ? status : longer ? PARE_OK : pare_fail_nomem(err);
}

/* libcurl copies each header, and releases them with the list. */
static pare_status add_headers(const struct library *curl, const pare_tracker_request *request,
                               const char *token, struct curl_slist **headers, pare_error *err)
{
    pare_status status = add_header(curl, headers, "Accept: ", request->accept, err);
    if (!status) status = add_header(curl, headers, "Content-Type: ", "application/json", err);
    if (!status && token) status = add_header(curl, headers, request->header, token, err);
    return status;
}

/* GitHub refuses requests without the name of a program. */
static bool set_all(const struct library *curl, CURL *handle, const pare_tracker_request *request,
                    const pare_tracker_send_options *options, struct sink *sink)
{
    const long timeout_ms =
        options->timeout_ms ? (long)options->timeout_ms : PARE_TRACKER_SEND_SECONDS * 1000L;
    bool good = !curl->set(handle, CURLOPT_URL, request->url.data) &&
                !curl->set(handle, CURLOPT_USERAGENT, "pare") &&
                !curl->set(handle, CURLOPT_NOSIGNAL, 1L) &&
                !curl->set(handle, CURLOPT_TIMEOUT_MS, timeout_ms) &&
                !curl->set(handle, CURLOPT_WRITEFUNCTION, take) &&
                !curl->set(handle, CURLOPT_WRITEDATA, sink);
    if (!good || !request->body.size) return good;
    return !curl->set(handle, CURLOPT_POSTFIELDSIZE, (long)request->body.size) &&
           !curl->set(handle, CURLOPT_POSTFIELDS, request->body.data);
}

/* "https://api.github.com/...: Could not resolve host" */
static pare_status explain(const struct library *curl, const pare_tracker_request *request,
                           const struct sink *sink, CURLcode code, pare_error *err)
{
    enum { SHOWN = 200 };
    if (sink->status) return pare_fail_nomem(err);
    if (sink->is_full)
        return pare_fail(err, PARE_E_IO, "%.*s: the answer is longer than %d MiB", SHOWN,
                         request->url.data, PARE_TRACKER_SEND_BYTES >> 20);
    return pare_fail(err, PARE_E_IO, "%.*s: %s", SHOWN, request->url.data, curl->describe(code));
}

/* One request and its answer.  The token is checked before the library is opened, so that a token
 * which would be sent unencrypted is refused even where nothing could be sent.  Everything that
 * libcurl has made is released in any case; the library itself stays open. */
pare_status pare_tracker_send(const pare_tracker_request *request,
                              const pare_tracker_send_options *options, pare_tracker_answer *answer,
                              pare_error *err)
{
    struct library curl = {0};
    struct curl_slist *headers = NULL;
    struct sink sink = {.out = &answer->bytes};
    CURL *handle = NULL;
    pare_status status = PARE_OK;
    answer->code = 0;
    pare_buffer_reset(&answer->bytes);
    if (options->token) status = check_token(request, options->token, err);
    if (!status) status = open_library(&curl, err);
    if (status) return status;
    handle = curl.init();
    if (!handle) return pare_fail_nomem(err);
    status = add_headers(&curl, request, options->token, &headers, err);
    if (!status && (!set_all(&curl, handle, request, options, &sink) ||
                    curl.set(handle, CURLOPT_HTTPHEADER, headers)))
        status = pare_fail_nomem(err);
    if (!status) {
        CURLcode code = curl.perform(handle);
        if (code || curl.get(handle, CURLINFO_RESPONSE_CODE, &answer->code))
            status = explain(&curl, request, &sink, code, err);
    }
    curl.cleanup(handle);
    curl.free_list(headers);
    return status;
}

#else

pare_status pare_tracker_send(const pare_tracker_request *request,
                              const pare_tracker_send_options *options, pare_tracker_answer *answer,
                              pare_error *err)
{
    (void)request, (void)options, (void)answer;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "pare was built without libcurl: install libcurl4-gnutls-dev and build it "
                     "again, or use the files that are written without --send");
}

#endif
