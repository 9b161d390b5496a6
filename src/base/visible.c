/* UTF-8 as Unicode's table 3-7 has it, a table of what cannot be seen, of Unicode 15, and widths by
 * utf8proc (Unicode's annex 11; what is ambiguous there has one column).
 *
 * Invariant: a byte is never passed over; what is no UTF-8 is taken byte by byte, so that a character
 * which begins in the middle of it is found. */
#include "base/visible.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <utf8proc.h>

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

/* A locale is not asked: it is that of the thread, and formats may not depend on who writes. */
unsigned pare_visible_columns(long code)
{
    const int columns = utf8proc_charwidth((utf8proc_int32_t)code);
    return columns > 0 ? (unsigned)columns : 0;
}

/* The next character, of `size` > 0 bytes: how many bytes and columns it has, where it is shown as
 * itself; else 1 and 1, for the '?' that stands for its first byte, and *is_shown is false. */
static size_t next_character(const char *text, size_t size, unsigned *columns, bool *is_shown)
{
    size_t escaped;
    long code = -1;
    const size_t length =
        pare_visible_character((const unsigned char *)text, size, &escaped, &code);
    *is_shown = length && *text != '\t';
    *columns = *is_shown ? pare_visible_columns(code) : 1;
    return *is_shown ? length : 1;
}

size_t pare_visible_width(const char *text, size_t size)
{
    size_t width = 0;
    bool is_shown;
    unsigned columns;
    for (size_t at = 0; at < size; width += columns)
        at += next_character(text + at, size - at, &columns, &is_shown);
    return width;
}

size_t pare_visible_copy(char *to, size_t capacity, const char *text, size_t size, size_t columns)
{
    size_t at = 0, n = 0, used = 0;
    bool is_shown;
    unsigned more;
    assert(capacity > 0);
    while (at < size) {
        const size_t length = next_character(text + at, size - at, &more, &is_shown);
        if (n + length >= capacity || used + more > columns) break;
        if (is_shown)
            memcpy(to + n, text + at, length);
        else
            to[n] = text[at] == '\t' ? ' ' : '?';
        at += length;
        n += length;
        used += more;
    }
    to[n] = '\0';
    return at;
}

void pare_visible_trim(char *text)
{
    size_t size = strlen(text), from = size;
    while (from && size - from < 3 && ((unsigned char)text[from - 1] & 0xc0) == 0x80)
        from--;
    if (!from || (unsigned char)text[from - 1] < 0xc0) return;
    const unsigned char first = (unsigned char)text[--from];
    const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (from + length > size) text[from] = '\0';
}
