/* Fuzz target: any bytes in the HTML of a report.
 *
 * What comes out is UTF-8 without control characters, whose only markup is ours; a pane
 * keeps its limit.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "ui/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 20000, SLACK = 8192 };

static void require(bool holds)
{
    if (!holds) abort();
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Every "<" begins an element of ours, every "&" an entity; the rest shows as itself. */
static void check_text(const pare_buffer *bytes)
{
    require(!bytes->data || strlen(bytes->data) == bytes->size);
    for (size_t at = 0, escaped; at < bytes->size;) {
        const char *text = bytes->data + at;
        long code;
        size_t length =
            pare_visible_character((const unsigned char *)text, bytes->size - at, &escaped, &code);
        require(length > 0);
        if (*text == '<') require(begins(text, "<i class=\"x\">") || begins(text, "</i>"));
        if (*text == '&')
            require(begins(text, "&lt;") || begins(text, "&gt;") || begins(text, "&amp;") ||
                    begins(text, "&quot;") || begins(text, "&#39;"));
        at += length;
    }
}

/* Some stretches of the data are marked: where the data say so. */
static size_t make_marks(const uint8_t *data, size_t size, pare_mark *marks, size_t most)
{
    size_t n = 0;
    for (size_t at = 0; at < size && n < most; at += 3 + data[at]) {
        size_t end = at + 1 + (data[at] & 1);
        if (end <= size) marks[n++] = (pare_mark){at, end};
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_html html = {.status = PARE_OK};
    pare_html_bytes(&html, data, size);
    require(html.status == PARE_OK);
    check_text(&html.bytes);
    pare_html_done(&html);

    pare_mark marks[100];
    pare_pane pane = {.bytes = data,
                      .size = size,
                      .marks = marks,
                      .n_marks = make_marks(data, size, marks, 100),
                      .element = "mark",
                      .label = "text",
                      .fold = size % 2 ? PARE_FOLD_FAR : PARE_FOLD_NONE,
                      .limit = LIMIT};
    pare_html_add_pane(&html, &pane);
    require(html.status == PARE_OK && html.bytes.size < LIMIT + SLACK);
    pare_html_done(&html);
    return 0;
}
