/* Lines as units.
 *
 * A line ends with LF, CRLF or CR, which belong to it; the last may lack one.  The next
 * LF and the next CR are looked for separately and remembered until passed, so every
 * byte is seen by memchr at most once each, also where only one of them occurs. */
#include <string.h>

#include "text/split/cut.h"
#include "text/split/split.h"

/* Offset of the first `byte` at or after `from`; `size` when there is none. */
static size_t find(const unsigned char *bytes, size_t size, size_t from, int byte)
{
    if (from >= size) return size;
    const unsigned char *found = memchr(bytes + from, byte, size - from);
    return found ? (size_t)(found - bytes) : size;
}

static size_t cut(const unsigned char *bytes, size_t size, uint32_t *at)
{
    size_t line_feed = find(bytes, size, 0, '\n');
    size_t carriage_return = find(bytes, size, 0, '\r');
    size_t n = 0;
    for (size_t begin = 0; begin < size; n++) {
        if (at) at[n] = (uint32_t)begin;
        begin = line_feed < carriage_return ? line_feed : carriage_return;
        if (begin < size) begin += pare_cut_newline(bytes, size, begin);
        if (line_feed < begin) line_feed = find(bytes, size, begin, '\n');
        if (carriage_return < begin) carriage_return = find(bytes, size, begin, '\r');
    }
    return n;
}

static pare_status split(const unsigned char *bytes, size_t size, pare_bounds *out, pare_error *err)
{
    return pare_cut_bounds(cut, bytes, size, out, err);
}

const pare_splitter pare_split_line = {
    .info = {.name = "line", .summary = "lines with their ends: LF, CRLF or CR"},
    .split = split,
};
