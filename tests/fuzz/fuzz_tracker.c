/* Fuzz target: what trackers answer.
 *
 * The first byte chooses the tracker and the code, the rest is the answer.  An address that is read
 * from it is one that a browser goes to; what is refused has a sentence without control characters.
 * Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/tracker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void check_address(const pare_buffer *url)
{
    require(strncmp(url->data, "https://", 8) == 0 || strncmp(url->data, "http://", 7) == 0);
    for (size_t i = 0; i < url->size; i++)
        require(url->data[i] > ' ' && url->data[i] < 0x7f && !strchr("\"'<>", url->data[i]));
}

static void check_end(pare_status status, const pare_error *err)
{
    require(!status || (err->status == status && err->message[0]));
    for (const char *at = err->message; *at; at++)
        require((unsigned char)*at >= ' ' && *at != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const long codes[] = {201, 422, 409, 500};
    static const pare_tracker_issue issue = {
        .title = "T", .body = "pare-finding: 0123", .mark = "pare-finding: 0123"};
    if (!size) return 0;
    const pare_tracker tracker = {.kind = (pare_tracker_kind)(data[0] % PARE_TRACKER_N_KINDS),
                                  .url = "https://bugs.example.org",
                                  .project = "o/r",
                                  .product = "P",
                                  .component = "C",
                                  .version = "",
                                  .labels = ""};
    pare_tracker_answer answer = {.code = codes[data[0] / PARE_TRACKER_N_KINDS % 4]};
    pare_buffer url = {0};
    pare_error err = {0};
    require(pare_buffer_add(&answer.bytes, data + 1, size - 1, NULL) == PARE_OK);
    pare_status status = pare_tracker_read_created(&tracker, &answer, &url, &err);
    check_end(status, &err);
    if (!status) check_address(&url);
    for (int look = 0; look < PARE_LOOK_N; look++) {
        pare_tracker_found found = {.match = PARE_MATCH_NONE};
        err = (pare_error){0};
        status = pare_tracker_read_found(&tracker, (pare_tracker_look)look, &issue, &answer, &found,
                                         &err);
        check_end(status, &err);
        require(!status || found.match == PARE_MATCH_NONE);
        if (found.match) check_address(&found.url);
        pare_buffer_done(&found.url);
    }
    pare_buffer_done(&url);
    pare_buffer_done(&answer.bytes);
    return 0;
}
