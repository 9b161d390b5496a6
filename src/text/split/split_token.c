/* Tokens of no particular language as units.
 *
 *   word     letters, digits, _ and bytes above 127, not beginning with a digit
 *   number   begins with a digit and takes digits, letters, _ and bytes above 127 (so
 *            0x1f, 10ull and 3px are one unit), one point if a digit or, after 0x, a
 *            hexadecimal digit follows, and a sign between a digit and its exponent:
 *            e or E behind a digit, p or P after 0x, a digit behind the sign
 *   string   see quote.h; a quote that begins none is one unit
 *   space    a run of blanks, tabs, vertical tabs and form feeds
 *   line end LF, CRLF or CR, each one a unit
 *   any other byte is a unit: operators of several characters are several units, as
 *   no set of them fits every language
 *
 * Each byte is looked at a constant number of times; any bytes are accepted. */
#include <stdbool.h>

#include "text/split/cut.h"
#include "text/split/quote.h"
#include "text/split/split.h"

enum byte_class {
    OTHER, /* a unit by itself */
    SPACE,
    BREAK, /* CR or LF */
    QUOTE,
    DIGIT,
    LETTER
};

enum { O = OTHER, S = SPACE, B = BREAK, Q = QUOTE, D = DIGIT, L = LETTER };

/* clang-format off */
static const unsigned char ASCII[128] = {
    O, O, O, O, O, O, O, O, O, S, B, S, S, B, O, O, /* 0x00 */
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, /* 0x10 */
    S, O, Q, O, O, O, O, Q, O, O, O, O, O, O, O, O, /* 0x20 */
    D, D, D, D, D, D, D, D, D, D, O, O, O, O, O, O, /* 0x30 */
    O, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* 0x40 */
    L, L, L, L, L, L, L, L, L, L, L, O, O, O, O, L, /* 0x50 */
    Q, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* 0x60 */
    L, L, L, L, L, L, L, L, L, L, L, O, O, O, O, O, /* 0x70 */
};
/* clang-format on */

static enum byte_class class_of(unsigned char byte)
{
    return byte < sizeof ASCII ? ASCII[byte] : LETTER;
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex_digit(unsigned char byte)
{
    return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

static size_t space_end(const unsigned char *bytes, size_t size, size_t at)
{
    do
        at++;
    while (at < size && class_of(bytes[at]) == SPACE);
    return at;
}

static size_t word_end(const unsigned char *bytes, size_t size, size_t at)
{
    do
        at++;
    while (at < size && class_of(bytes[at]) >= DIGIT);
    return at;
}

/* Whether bytes[at] is a sign between a digit and its exponent; `begin` is where the
 * number begins, at > begin. */
static bool is_exponent_sign(const unsigned char *bytes, size_t size, size_t begin, size_t at,
                             bool hex)
{
    if (bytes[at] != '+' && bytes[at] != '-') return false;
    if (at + 1 >= size || !is_digit(bytes[at + 1])) return false;
    unsigned char mark = bytes[at - 1] | 0x20;
    if (hex) return mark == 'p';
    return mark == 'e' && at - 1 > begin && is_digit(bytes[at - 2]);
}

static size_t number_end(const unsigned char *bytes, size_t size, size_t begin)
{
    bool hex = bytes[begin] == '0' && begin + 1 < size && (bytes[begin + 1] | 0x20) == 'x';
    bool point = false, exponent = false;
    size_t at = begin + 1;
    for (; at < size; at++) {
        if (class_of(bytes[at]) >= DIGIT) continue;
        if (!point && !exponent && bytes[at] == '.' && at + 1 < size &&
            (hex ? is_hex_digit(bytes[at + 1]) : is_digit(bytes[at + 1])))
            point = true;
        else if (!exponent && is_exponent_sign(bytes, size, begin, at, hex))
            exponent = true;
        else
            break;
    }
    return at;
}

static size_t cut(const unsigned char *bytes, size_t size, uint32_t *at)
{
    pare_quotes quotes = {0};
    size_t n = 0;
    for (size_t begin = 0; begin < size; n++) {
        if (at) at[n] = (uint32_t)begin;
        switch (class_of(bytes[begin])) {
        case OTHER: begin++; break;
        case SPACE: begin = space_end(bytes, size, begin); break;
        case BREAK: begin += pare_cut_newline(bytes, size, begin); break;
        case QUOTE: begin = pare_quote_end(&quotes, bytes, size, begin); break;
        case DIGIT: begin = number_end(bytes, size, begin); break;
        case LETTER: begin = word_end(bytes, size, begin); break;
        }
    }
    return n;
}

static pare_status split(const unsigned char *bytes, size_t size, pare_bounds *out, pare_error *err)
{
    return pare_cut_bounds(cut, bytes, size, out, err);
}

const pare_splitter pare_split_token = {
    .info = {.name = "token", .summary = "words, numbers, strings, spaces, single signs"},
    .split = split,
};
