/* Reading what a stranger sent.
 *
 * libmicrohttpd has cut the bytes of the wire into a method, an address, headers and a body; this
 * reads those.  The address is taken apart here and not by the library, because the order matters:
 * first it is cut at `/`, `?`, `&` and `=`, then each piece is decoded, so a decoded byte is never
 * taken for a separator.  Paths are not decoded at all: ours consist of letters, digits, `.`, `-`
 * and `_`, and nothing that has another byte is one of them.  No path names a file either; pages
 * are arrays in this program.
 *
 * Who may do what (OWASP, "Cross-Site Request Forgery Prevention"; RFC 6454, Origin; the attack by
 * DNS rebinding is that of Jackson et al., "Protecting Browsers from DNS Rebinding Attacks", 2007):
 *   - Host must be an address, `localhost`, or a name that the user gave.  A page of another site
 *     that has its own name point at 127.0.0.1 sends that name.
 *   - Origin, where there is one, must be http:// or https:// and Host.  A browser sends it
 *     with all that can change something, and a page cannot choose it.
 *   - Changes need the token.  From a cookie it counts only together with an Origin, since a cookie
 *     is sent by whatever page asks; in a header it cannot have come from a page of another site.
 *
 * Invariant: a request that is not refused has a path of at most PARE_FUZZ_WEB_SEGMENTS pieces,
 * parameters with different names in UTF-8 without NUL, and an object as its body, or none. */
#include "ui/fuzz_web_request.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/visible.h"

/* Of a host's name with the NUL; of the body's object. */
enum { HOST_BYTES = 256, MOST_JSON_MEMBERS = 64 };

static pare_fuzz_web_code refuse(pare_fuzz_web_request *request, pare_fuzz_web_code code,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Makes the sentence of a refusal; returns its code, so that callers can return that. */
static pare_fuzz_web_code refuse(pare_fuzz_web_request *request, pare_fuzz_web_code code,
                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(request->sentence, sizeof request->sentence, format, arguments);
    va_end(arguments);
    return code;
}

/* ---- the address ------------------------------------------------------------------- */

/* What the paths of this server consist of; tokens, too, but for the dot. */
static bool is_path_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

/* Cuts `path` in place: "/api/v1/jobs" becomes the segments api, v1 and jobs.  A slash
 * at its end is left out; `.` and `..` are names like others. */
static pare_fuzz_web_code read_path(pare_fuzz_web_request *request, char *path)
{
    if (*path != '/') return refuse(request, PARE_FUZZ_WEB_BAD, "the path does not begin with /");
    while (*path == '/' && path[1]) {
        /* No route is that deep, so it need not be read to its end. */
        if (request->n_segments == PARE_FUZZ_WEB_SEGMENTS)
            return refuse(request, PARE_FUZZ_WEB_MISSING, "there is nothing at this address");
        *path++ = '\0';
        request->segments[request->n_segments++] = path;
        while (is_path_byte(*path))
            path++;
        if (*path && *path != '/')
            return refuse(request, PARE_FUZZ_WEB_BAD,
                          "the path has a character that no path of this server has");
    }
    *path = '\0';
    return PARE_FUZZ_WEB_FINE;
}

/* -1: no digit of a hexadecimal number. */
static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes %XX and + in place; false for anything that does not end up as UTF-8 without
 * NUL.
 * Whether it is UTF-8 is asked of the whole, since a character may consist of bytes
 * that were encoded and others that were not. */
static bool decode(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        char c = *in == '+' ? ' ' : *in;
        if (c == '%') {
            /* The second digit is looked at only if there is a first one: the text may
             * end there. */
            int high = digit_of(in[1]), low = high < 0 ? -1 : digit_of(in[2]);
            if (low < 0 || high + low == 0) return false;
            c = (char)(high << 4 | low);
            in += 2;
        }
        *out++ = c;
    }
    *out = '\0';
    size_t size = (size_t)(out - text), escaped = 0, length;
    for (size_t at = 0; at < size; at += length ? length : escaped) {
        long code = 0;
        length =
            pare_visible_character((const unsigned char *)text + at, size - at, &escaped, &code);
        if (code < 0) return false;
    }
    return true;
}

/* Cuts `query` in place at & and =, then decodes: "q=a%26b&sort" gives q the value
 * "a&b", and sort "".
 * A name that is there twice is refused, as programs disagree about which of them
 * counts. */
static pare_fuzz_web_code read_query(pare_fuzz_web_request *request, char *query)
{
    while (query && *query) {
        char *next = strchr(query, '&');
        if (next) *next++ = '\0';
        char *value = strchr(query, '=');
        if (value) *value++ = '\0';
        if (!value) value = query + strlen(query);
        if (!decode(query) || !decode(value))
            return refuse(request, PARE_FUZZ_WEB_BAD, "a parameter is not UTF-8");
        if (pare_fuzz_web_request_parameter(request, query))
            return refuse(request, PARE_FUZZ_WEB_BAD, "a parameter is given twice");
        if (request->n_parameters == PARE_FUZZ_WEB_PARAMETERS)
            return refuse(request, PARE_FUZZ_WEB_BAD, "there are more than %d parameters",
                          PARE_FUZZ_WEB_PARAMETERS);
        request->parameters[request->n_parameters++] =
            (pare_fuzz_web_parameter){.name = query, .value = value};
        query = next;
    }
    return PARE_FUZZ_WEB_FINE;
}

/* Reads path and parameters.  They point into request->text, a copy that is cut in
 * place. */
static pare_fuzz_web_code read_uri(pare_fuzz_web_request *request, const char *uri)
{
    size_t size = strnlen(uri, PARE_FUZZ_WEB_URI_BYTES);
    if (size == PARE_FUZZ_WEB_URI_BYTES)
        return refuse(request, PARE_FUZZ_WEB_URI_TOO_LONG, "the address is longer than %d bytes",
                      PARE_FUZZ_WEB_URI_BYTES - 1);
    request->text = pare_alloc_text(uri, size);
    if (!request->text) return refuse(request, PARE_FUZZ_WEB_BROKEN, "out of memory");
    char *query = strchr(request->text, '?');
    if (query) *query++ = '\0';
    pare_fuzz_web_code code = read_path(request, request->text);
    return code ? code : read_query(request, query);
}

const char *pare_fuzz_web_request_parameter(const pare_fuzz_web_request *request, const char *name)
{
    for (size_t i = 0; i < request->n_parameters; i++)
        if (strcmp(request->parameters[i].name, name) == 0) return request->parameters[i].value;
    return NULL;
}

/* Read by hand, as strtoull takes blanks, signs and numbers beyond 64 bits. */
bool pare_fuzz_web_request_number(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        uint64_t digit = (uint64_t)(*text - '0');
        /* value * 10 + digit <= most, written so that it cannot overflow; most - digit
         * would for most < 9. */
        if (value > (most - digit) / 10 || digit > most) return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

/* ---- who asks ---------------------------------------------------------------------- */

/* The host of "HOST", "HOST:PORT", "[HOST]" or "[HOST]:PORT", without the brackets; false if it is
 * none of these. */
static bool read_host(const char *text, char host[static HOST_BYTES])
{
    bool bracket = *text == '[';
    text += bracket;
    size_t size = strcspn(text, bracket ? "]" : ":");
    if (!size || size >= HOST_BYTES) return false;
    memcpy(host, text, size);
    host[size] = '\0';
    text += size;
    if (bracket && *text++ != ']') return false;
    uint64_t port;
    return !*text || (*text == ':' && pare_fuzz_web_request_number(text + 1, 65535, &port));
}

/* Whether Host names this server.  Whoever owns a name can bind it to our address, so
 * of names only localhost counts and those that the user gave; an address stands for
 * itself only.  A server on loopback is asked for by no other address. */
static bool is_our_host(const pare_fuzz_web_door *door, const char *text)
{
    char host[HOST_BYTES];
    unsigned char address[sizeof(struct in6_addr)];
    if (!text || !read_host(text, host)) return false;
    if (strcasecmp(host, "localhost") == 0) return true;
    for (size_t i = 0; i < door->n_hosts; i++)
        if (strcasecmp(host, door->hosts[i]) == 0) return true;
    if (door->is_loopback) return strcmp(host, "127.0.0.1") == 0 || strcmp(host, "::1") == 0;
    return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
}

/* Whether Origin is the site of Host, as RFC 6454 has it: scheme, host and port.  https
 * is that of a proxy before us. */
static bool is_same_origin(const char *origin, const char *host)
{
    if (strncmp(origin, "http://", 7) == 0) return strcasecmp(origin + 7, host) == 0;
    return strncmp(origin, "https://", 8) == 0 && strcasecmp(origin + 8, host) == 0;
}

/* Takes the same time wherever the first wrong byte is: the time of an answer tells nothing. */
static bool is_token(const pare_fuzz_web_door *door, const char *text, size_t size)
{
    size_t wanted = strlen(door->token);
    unsigned differs = size != wanted;
    assert(wanted);
    for (size_t i = 0; i < wanted; i++)
        differs |= (unsigned)(unsigned char)door->token[i] ^
                   (unsigned)(unsigned char)(i < size ? text[i] : 0);
    return !differs;
}

/* Whether one of "NAME=VALUE; NAME=VALUE" is ours and holds the token. */
static bool has_cookie(const pare_fuzz_web_door *door, const char *cookie)
{
    size_t length = strlen(door->cookie);
    while (cookie && *cookie) {
        cookie += strspn(cookie, " ;");
        size_t size = strcspn(cookie, ";");
        if (size > length && memcmp(cookie, door->cookie, length) == 0 && cookie[length] == '=' &&
            is_token(door, cookie + length + 1, size - length - 1))
            return true;
        cookie += size;
    }
    return false;
}

/* Letters that a token may have: those of a path but the dot, which need no quoting in
 * a cookie or an address. */
bool pare_fuzz_web_request_is_token(const char *token)
{
    size_t size = strlen(token);
    if (size < 16 || size >= PARE_FUZZ_WEB_TOKEN_BYTES) return false;
    for (size_t i = 0; i < size; i++)
        if (!is_path_byte(token[i]) || token[i] == '.') return false;
    return true;
}

/* Who asks, and what it may do: sets has_token, token_in_uri and may_change.
 * A wrong token in Authorization is refused, since somebody meant it; a wrong cookie
 * may be left from an earlier run of the server, and counts as none. */
static pare_fuzz_web_code read_sender(const pare_fuzz_web_wire *wire,
                                      const pare_fuzz_web_door *door,
                                      pare_fuzz_web_request *request)
{
    static const char BEARER[] = "Bearer ";
    if (!is_our_host(door, wire->host))
        return refuse(request, PARE_FUZZ_WEB_FORBIDDEN,
                      "this server is not known by the name in Host: pare fuzz web --host NAME");
    if (wire->origin && !is_same_origin(wire->origin, wire->host))
        return refuse(request, PARE_FUZZ_WEB_FORBIDDEN, "a page of another site asked for this");
    const char *header = wire->authorization, *given;
    bool in_header = header && strncasecmp(header, BEARER, sizeof BEARER - 1) == 0;
    if (in_header) {
        header += sizeof BEARER - 1;
        if (!is_token(door, header, strlen(header)))
            return refuse(request, PARE_FUZZ_WEB_NO_TOKEN, "the token is wrong");
    }
    bool in_cookie = !in_header && has_cookie(door, wire->cookie);
    given = pare_fuzz_web_request_parameter(request, "token");
    request->token_in_uri = given && is_token(door, given, strlen(given));
    request->has_token = in_header || in_cookie || request->token_in_uri;
    /* One in the address opens the page, and does nothing else. */
    request->may_change = !door->is_read_only && (in_header || (in_cookie && wire->origin));
    return PARE_FUZZ_WEB_FINE;
}

/* ---- the body ---------------------------------------------------------------------- */

/* Also "application/json; charset=utf-8". */
static bool is_json(const char *type)
{
    static const char JSON[] = "application/json";
    size_t size = sizeof JSON - 1;
    return type && strncasecmp(type, JSON, size) == 0 && (!type[size] || strchr("; ", type[size]));
}

/* A type that a form cannot have: so a page of another site has to ask first, and is refused. */
static pare_fuzz_web_code read_body(const pare_fuzz_web_wire *wire, pare_fuzz_web_request *request)
{
    if (!wire->body_bytes) return PARE_FUZZ_WEB_FINE;
    if (wire->body_bytes > PARE_FUZZ_WEB_BODY_BYTES)
        return refuse(request, PARE_FUZZ_WEB_TOO_LARGE, "the body is larger than %d bytes",
                      PARE_FUZZ_WEB_BODY_BYTES);
    if (!is_json(wire->content_type))
        return refuse(request, PARE_FUZZ_WEB_NO_JSON, "the body is not application/json");
    json_error_t about;
    request->body = json_loadb(wire->body, wire->body_bytes, JSON_REJECT_DUPLICATES, &about);
    if (!json_is_object(request->body))
        return refuse(request, PARE_FUZZ_WEB_BAD, "the body is not a JSON object");
    if (json_object_size(request->body) > MOST_JSON_MEMBERS)
        return refuse(request, PARE_FUZZ_WEB_BAD, "the body has more than %d members",
                      MOST_JSON_MEMBERS);
    return PARE_FUZZ_WEB_FINE;
}

/* A HEAD is read as a GET; its answer is cut by libmicrohttpd. */
static pare_fuzz_web_method method_of(const char *name)
{
    static const struct {
        const char *name;
        pare_fuzz_web_method method;
    } methods[] = {{"GET", PARE_FUZZ_WEB_GET},
                   {"HEAD", PARE_FUZZ_WEB_GET},
                   {"POST", PARE_FUZZ_WEB_POST},
                   {"PATCH", PARE_FUZZ_WEB_PATCH},
                   {"DELETE", PARE_FUZZ_WEB_DELETE}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(name, methods[i].name) == 0) return methods[i].method;
    return PARE_FUZZ_WEB_OTHER;
}

/* Who asks is looked at before anything that was sent is read at length. */
pare_fuzz_web_code pare_fuzz_web_request_read(const pare_fuzz_web_wire *wire,
                                              const pare_fuzz_web_door *door,
                                              pare_fuzz_web_request *request)
{
    *request = (pare_fuzz_web_request){.method = method_of(wire->method)};
    pare_fuzz_web_code code = read_uri(request, wire->uri);
    if (!code) code = read_sender(wire, door, request);
    if (!code && request->method == PARE_FUZZ_WEB_OTHER)
        code =
            refuse(request, PARE_FUZZ_WEB_METHOD, "the method must be GET, POST, PATCH or DELETE");
    if (!code) code = read_body(wire, request);
    return code;
}

void pare_fuzz_web_request_done(pare_fuzz_web_request *request)
{
    pare_alloc_free(request->text);
    json_decref(request->body);
    request->text = NULL;
    request->body = NULL;
}
