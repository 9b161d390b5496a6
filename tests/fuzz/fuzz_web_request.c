/* Fuzz target: a request to `pare fuzz web`, any bytes in each of its parts.  What is refused has a
 * code and a sentence; what is not refused has the form that fuzz_web_request.h promises; nobody
 * may change anything without the token.  Aborts on a violation.
 *
 * Parts are separated by newlines: method, address, host, origin, cookie, authorization, type of
 * the content; what is left is the body. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "ui/fuzz_web_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* The next line, in memory of its own with a NUL; NULL for an empty one. */
static char *take_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    size_t length = end ? (size_t)(end - *data) : *size;
    char *line = length ? malloc(length + 1) : NULL;
    if (line) {
        memcpy(line, *data, length);
        line[length] = '\0';
    }
    *data += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
    return line;
}

static void check_path(const pare_fuzz_web_request *request)
{
    require(request->n_segments <= PARE_FUZZ_WEB_SEGMENTS);
    for (size_t i = 0; i < request->n_segments; i++)
        for (const char *c = request->segments[i]; *c; c++)
            require((unsigned char)*c > ' ' && (unsigned char)*c < 0x7f && !strchr("/%?&=\\", *c));
}

static void check_parameters(const pare_fuzz_web_request *request)
{
    require(request->n_parameters <= PARE_FUZZ_WEB_PARAMETERS);
    for (size_t i = 0; i < request->n_parameters; i++) {
        const pare_fuzz_web_parameter *one = &request->parameters[i];
        json_t *value = json_string(one->value);
        require(value != NULL);
        json_decref(value);
        require(pare_fuzz_web_request_parameter(request, one->name) == one->value);
    }
}

static void check(const pare_fuzz_web_wire *wire, const pare_fuzz_web_door *door)
{
    pare_fuzz_web_request request;
    pare_fuzz_web_code code = pare_fuzz_web_request_read(wire, door, &request);
    if (code) {
        require(code >= PARE_FUZZ_WEB_BAD && request.sentence[0]);
    } else {
        require(wire->host && request.method != PARE_FUZZ_WEB_OTHER);
        require(!request.body || json_is_object(request.body));
        check_path(&request);
        check_parameters(&request);
        bool has = (wire->cookie && strstr(wire->cookie, door->token)) ||
                   (wire->authorization && strstr(wire->authorization, door->token));
        require(!request.may_change || (has && !door->is_read_only));
        require(!wire->origin || strstr(wire->origin, wire->host) || request.n_segments == 0 ||
                strcasestr(wire->origin, wire->host));
    }
    pare_fuzz_web_request_done(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const hosts[] = {"lab.example"};
    char *lines[7];
    for (size_t i = 0; i < 7; i++)
        lines[i] = take_line(&data, &size);
    const pare_fuzz_web_wire wire = {.method = lines[0] ? lines[0] : "GET",
                                     .uri = lines[1] ? lines[1] : "",
                                     .host = lines[2],
                                     .origin = lines[3],
                                     .cookie = lines[4],
                                     .authorization = lines[5],
                                     .content_type = lines[6],
                                     .body = (const char *)data,
                                     .body_bytes = size};
    for (unsigned i = 0; i < 4; i++) {
        const pare_fuzz_web_door door = {.token = "0123456789abcdef",
                                         .cookie = "pare-fuzz-7273",
                                         .is_loopback = i & 1,
                                         .is_read_only = i & 2,
                                         .hosts = hosts,
                                         .n_hosts = 1};
        check(&wire, &door);
    }
    for (size_t i = 0; i < 7; i++)
        free(lines[i]);
    return 0;
}
