/* UTF-8 as Unicode's table 3-7 has it, and a table of what cannot be seen, of Unicode 15.
 *
 * Invariant: a byte is never passed over; what is no UTF-8 is taken byte by byte, so that a character
 * which begins in the middle of it is found. */
#include "ui/visible.h"

#include <assert.h>
#include <stdbool.h>

/* Decodes one character; 0: the bytes are no UTF-8 (Unicode, table 3-7).  Surrogates and
 * overlong forms are no UTF-8, since two spellings of one character could slip past a check of
 * the other. */
static size_t decode(const unsigned char *bytes, size_t size, long *code)
{
    assert(size > 0);
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (!length || length > size || first > 0xf4) return 0;
    long value = length == 1 ? first : first & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *code = value;
    return length;
}

/* Characters without a picture of their own, or that turn the line around them.  The table has
 * blanks other than the space, controls, private use, variation selectors and tags; a binary
 * search is not worth its code for 23 rows. */
static bool is_hidden(long code)
{
    static const struct {
        long first, last;
    } hidden[] = {
        {0x00, 0x08},       {0x0a, 0x1f},       {0x7f, 0xa0},        {0xad, 0xad},
        {0x034f, 0x034f},   {0x061c, 0x061c},   {0x115f, 0x1160},    {0x17b4, 0x17b5},
        {0x180b, 0x180f},   {0x2000, 0x200f},   {0x2028, 0x202f},    {0x205f, 0x206f},
        {0x3000, 0x3000},   {0x3164, 0x3164},   {0xe000, 0xf8ff},    {0xfdd0, 0xfdef},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},    {0xfff0, 0xfffb},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
    };
    if ((code & 0xfffe) == 0xfffe) return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (code <= hidden[i].last) return code >= hidden[i].first;
    }
    return false;
}

/* By its code point: what has no glyph, or changes how others stand, is not shown as itself. */
size_t pare_visible_character(const unsigned char *bytes, size_t size, size_t *escaped, long *code)
{
    size_t length = decode(bytes, size, code);
    if (length && !is_hidden(*code)) return length;
    *escaped = length ? length : 1;
    if (!length) *code = -1;
    return 0;
}
