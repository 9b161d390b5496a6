/* UTF-16 as a packing: every second byte of a Western text in it is a zero, so that to passes over bytes, lines and
 * brackets it is a binary in which hardly anything can go.
 *
 * Invariant: what was opened is closed to the same bytes.  To that end only what Unicode calls well-formed is
 * opened; and to tell texts from binaries that begin with the two bytes of the mark, no control characters but
 * those of texts.
 * Source: RFC 2781.  Characters are those of utf8proc.
 * Tested by tests/unit/test_packing_utf16.c. */
#include "text/packing_utf16.h"

#include <assert.h>
#include <utf8proc.h>

enum {
    UNIT = 2, /* bytes */
    MARK = 0xFEFF,
    HIGH = 0xD800, /* the first of the high surrogates, */
    LOW = 0xDC00,  /* of the low ones, */
    END = 0xE000,  /* and of what follows them */
    SUPPLEMENTARY = 0x10000,
    REPLACEMENT = 0xFFFD,
    UTF8_MOST = 4 /* bytes of a character */
};

static unsigned unit_at(bool is_little, const unsigned char *bytes)
{
    return is_little ? bytes[0] | (unsigned)bytes[1] << 8 : bytes[1] | (unsigned)bytes[0] << 8;
}

/* Whether a text may have the character: no control character but white space. */
static bool is_of_text(unsigned character)
{
    return character >= 0x20 ? character != 0x7F : character >= '\t' && character <= '\r';
}

/* Reads the character at `at`, and how many bytes it has; 0: it is none of a text. */
static size_t read_character(bool is_little, pare_span packed, size_t at,
                             utf8proc_int32_t *character)
{
    const unsigned first = unit_at(is_little, packed.bytes + at);
    *character = (utf8proc_int32_t)first;
    if (first < HIGH || first >= END) return is_of_text(first) ? UNIT : 0;
    if (first >= LOW || packed.size - at < 2 * UNIT) return 0;
    const unsigned second = unit_at(is_little, packed.bytes + at + UNIT);
    if (second < LOW || second >= END) return 0;
    *character = (utf8proc_int32_t)(SUPPLEMENTARY + ((first - HIGH) << 10) + (second - LOW));
    return 2 * UNIT;
}

pare_status pare_packing_utf16_open(bool is_little, pare_span packed, size_t most,
                                    pare_buffer *plain, size_t *used, pare_error *err)
{
    const size_t begin = plain->size;
    *used = 0;
    if (packed.size < 2 * UNIT || packed.size % UNIT || unit_at(is_little, packed.bytes) != MARK)
        return PARE_OK;
    for (size_t at = UNIT, size; at < packed.size; at += size) {
        utf8proc_int32_t character;
        size = read_character(is_little, packed, at, &character);
        if (!size || plain->size - begin + UTF8_MOST > most) return PARE_OK;
        pare_status status = pare_buffer_reserve(plain, UTF8_MOST, err);
        if (status) return status;
        plain->size += (size_t)utf8proc_encode_char(
            character, (utf8proc_uint8_t *)(void *)(plain->data + plain->size));
    }
    *used = packed.size;
    return PARE_OK;
}

static pare_status add_unit(bool is_little, unsigned unit, pare_buffer *packed, pare_error *err)
{
    const char low = (char)(unit & 0xFF), high = (char)(unit >> 8);
    const char bytes[UNIT] = {is_little ? low : high, is_little ? high : low};
    return pare_buffer_add(packed, bytes, UNIT, err);
}

static pare_status add_character(bool is_little, unsigned character, pare_buffer *packed,
                                 pare_error *err)
{
    if (character < SUPPLEMENTARY) return add_unit(is_little, character, packed, err);
    character -= SUPPLEMENTARY;
    pare_status status = add_unit(is_little, HIGH + (character >> 10), packed, err);
    return status ? status : add_unit(is_little, LOW + (character & 0x3FF), packed, err);
}

pare_status pare_packing_utf16_close(bool is_little, const unsigned char *bytes, size_t n,
                                     pare_buffer *packed, pare_error *err)
{
    pare_status status = add_unit(is_little, MARK, packed, err);
    for (size_t at = 0; at < n && !status;) {
        utf8proc_int32_t character;
        const utf8proc_ssize_t size =
            utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(n - at), &character);
        assert(size <= UTF8_MOST);
        if (size <= 0) character = REPLACEMENT;
        status = add_character(is_little, (unsigned)character, packed, err);
        at += size > 0 ? (size_t)size : 1;
    }
    return status;
}
