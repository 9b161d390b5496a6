/* UTF-8 characters as units.
 *
 * A unit is a code point, not a grapheme: what a test case needs is often one half of
 * a grapheme (a lone combining mark, one half of a flag), and the positions of the
 * classical algorithms' traces count code points.  A byte that is no part of a
 * well-formed sequence (stray continuation, overlong form, surrogate, value above
 * U+10FFFF, sequence cut short) is a unit by itself.
 * Source: utf8proc decides what is well-formed. */
#include <string.h>
#include <utf8proc.h>

#include "text/split/cut.h"
#include "text/split/split.h"

enum { LONGEST = 4 }; /* bytes of a UTF-8 sequence */

/* How many bytes from the first are ASCII, in steps of eight. */
static size_t ascii_run(const unsigned char *bytes, size_t size)
{
    size_t run = 0;
    for (; size - run >= sizeof(uint64_t); run += sizeof(uint64_t)) {
        uint64_t eight;
        memcpy(&eight, bytes + run, sizeof eight);
        if (eight & UINT64_C(0x8080808080808080)) break;
    }
    return run;
}

/* Size of the unit at the first byte; size > 0. */
static size_t unit_size(const unsigned char *bytes, size_t size)
{
    if (bytes[0] < 0x80) return 1;
    utf8proc_int32_t code_point;
    utf8proc_ssize_t used =
        utf8proc_iterate(bytes, (utf8proc_ssize_t)(size < LONGEST ? size : LONGEST), &code_point);
    return used > 0 ? (size_t)used : 1;
}

static size_t cut(const unsigned char *bytes, size_t size, uint32_t *at)
{
    size_t n = 0;
    for (size_t begin = 0; begin < size;) {
        size_t run = ascii_run(bytes + begin, size - begin);
        for (size_t k = 0; at && k < run; k++)
            at[n + k] = (uint32_t)(begin + k);
        n += run;
        begin += run;
        for (size_t k = 0; k < sizeof(uint64_t) && begin < size; k++) {
            if (at) at[n] = (uint32_t)begin;
            n++;
            begin += unit_size(bytes + begin, size - begin);
        }
    }
    return n;
}

static pare_status split(const unsigned char *bytes, size_t size, pare_bounds *out, pare_error *err)
{
    return pare_cut_bounds(cut, bytes, size, out, err);
}

const pare_splitter pare_split_char = {
    .info = {.name = "char", .summary = "UTF-8 code points; an invalid byte is one unit"},
    .split = split,
};
