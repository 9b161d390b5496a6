/* A request to `pare fuzz web`: what it asks for, and what whoever sent it may do.
 *
 * Everything here comes from outside, so it is read into a small form once, and refused with one
 * sentence when it has no such form; nothing behind this looks at bytes of the wire again.
 * One thread. */
#ifndef PARE_UI_FUZZ_WEB_REQUEST_H
#define PARE_UI_FUZZ_WEB_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

enum {
    PARE_FUZZ_WEB_URI_BYTES = 4096,
    PARE_FUZZ_WEB_BODY_BYTES = 64 * 1024,
    PARE_FUZZ_WEB_SEGMENTS = 7,
    PARE_FUZZ_WEB_PARAMETERS = 16,
    PARE_FUZZ_WEB_SENTENCE_BYTES = 256,
    PARE_FUZZ_WEB_TOKEN_BYTES = 128 /* at most, with the NUL */
};

/* Of HTTP. */
typedef enum pare_fuzz_web_code {
    PARE_FUZZ_WEB_FINE = 0, /* not refused */
    PARE_FUZZ_WEB_OK = 200,
    PARE_FUZZ_WEB_CREATED = 201,
    PARE_FUZZ_WEB_SEE_OTHER = 303,
    PARE_FUZZ_WEB_BAD = 400,
    PARE_FUZZ_WEB_NO_TOKEN = 401,
    PARE_FUZZ_WEB_FORBIDDEN = 403,
    PARE_FUZZ_WEB_MISSING = 404,
    PARE_FUZZ_WEB_METHOD = 405,
    PARE_FUZZ_WEB_CONFLICT = 409,
    PARE_FUZZ_WEB_TOO_LARGE = 413,
    PARE_FUZZ_WEB_URI_TOO_LONG = 414,
    PARE_FUZZ_WEB_NO_JSON = 415,
    PARE_FUZZ_WEB_BROKEN = 500,
    PARE_FUZZ_WEB_BUSY = 503
} pare_fuzz_web_code;

typedef enum pare_fuzz_web_method {
    PARE_FUZZ_WEB_GET, /* HEAD is one, too */
    PARE_FUZZ_WEB_POST,
    PARE_FUZZ_WEB_PATCH,
    PARE_FUZZ_WEB_DELETE,
    PARE_FUZZ_WEB_OTHER
} pare_fuzz_web_method;

/* As it came over the wire.  All borrowed; NULL: there is no such header. */
typedef struct pare_fuzz_web_wire {
    const char *method, *uri; /* "GET", "/findings?state=new" */
    const char *host, *origin, *cookie, *authorization, *content_type;
    const char *body; /* body_bytes of them */
    size_t body_bytes;
} pare_fuzz_web_wire;

/* Who is let in. */
typedef struct pare_fuzz_web_door {
    char token[PARE_FUZZ_WEB_TOKEN_BYTES]; /* never empty */
    char cookie[32];                       /* the name of the one that holds the token */
    bool is_loopback; /* false: reading needs the token too, and hosts are addresses or `hosts` */
    bool is_read_only;
    const char *const *hosts; /* names besides, n_hosts of them; borrowed */
    size_t n_hosts;
} pare_fuzz_web_door;

typedef struct pare_fuzz_web_parameter {
    const char *name, *value; /* decoded, UTF-8 */
} pare_fuzz_web_parameter;

typedef struct pare_fuzz_web_request {
    pare_fuzz_web_method method;
    const char *segments[PARE_FUZZ_WEB_SEGMENTS]; /* of the path, without slashes */
    size_t n_segments;
    pare_fuzz_web_parameter parameters[PARE_FUZZ_WEB_PARAMETERS];
    size_t n_parameters;
    json_t *body;      /* an object; NULL: none */
    bool has_token;    /* the right one, by whatever way */
    bool may_change;   /* and the request was not made by a page of somebody else */
    bool token_in_uri; /* it came as the parameter `token`: to be put into a cookie */
    char *text;        /* owned; what the others point into */
    /* Of a request that is refused: */
    char sentence[PARE_FUZZ_WEB_SENTENCE_BYTES];
} pare_fuzz_web_request;

/* Reads it; returns PARE_FUZZ_WEB_FINE, or the code to refuse it with, and request->sentence says
 * why.  The caller ends *request in both cases.
 *
 * Refused are: a Host that is none of ours (a name that was bound to our address after its page
 * was loaded), an Origin that is not the same as Host, a path with any byte that none of ours has
 * (so also `%`), anything that is too long, twice there, or no UTF-8, a body that is no JSON
 * object. */
pare_fuzz_web_code pare_fuzz_web_request_read(const pare_fuzz_web_wire *wire,
                                              const pare_fuzz_web_door *door,
                                              pare_fuzz_web_request *request);
void pare_fuzz_web_request_done(pare_fuzz_web_request *request);

/* The value of a parameter; NULL when it was not given. */
const char *pare_fuzz_web_request_parameter(const pare_fuzz_web_request *request, const char *name);

/* A whole number from 0 to `most`, nothing around it; false if it is none. */
bool pare_fuzz_web_request_number(const char *text, uint64_t most, uint64_t *number);

/* Whether `token` can be one: 16 to 127 letters, digits, '-' or '_'. */
bool pare_fuzz_web_request_is_token(const char *token);

#endif
