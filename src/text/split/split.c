/* Splitters: bytes, characters, lines and tokens as units.
 *
 * Each splitter is a function that walks over the units once; it is called twice, to count
 * them and to store where they begin, so that the bounds take exactly the memory they need.
 * Any bytes are accepted; every byte is looked at a constant number of times, so the cost is
 * linear whatever the input (a line of quotes without an end included).
 *
 * Why these four: lines are what delta debugging on files has always used; tokens of no
 * particular language cut where most languages do, for files without a grammar; code points
 * and bytes are the last resort, and code points are what the published traces count.
 * Invariant of all results: pare_split_bounds_check.
 * Source: well-formed UTF-8 is decided by utf8proc; the rest is our own. */
#include "text/split/split.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "text/text.h"

/* Walks over the units of `size` bytes and returns how many there are; stores where each
 * begins unless `at` is NULL. */
typedef size_t (*cut_function)(const unsigned char *bytes, size_t size, uint32_t *at);

/* ---- bounds ----------------------------------------------------------------------------- */

/* All-zero is a no-op. */
void pare_split_bounds_done(pare_bounds *bounds)
{
    pare_alloc_free(bounds->at);
    *bounds = (pare_bounds){0};
}

/* Without a list every unit is one byte, which needs no memory. */
size_t pare_split_bounds_begin(const pare_bounds *bounds, size_t i)
{
    assert(i <= bounds->n);
    return bounds->at ? bounds->at[i] : i;
}

/* By the offsets alone: any bytes are accepted. */
bool pare_split_bounds_check(const pare_bounds *bounds, size_t size)
{
    if (!bounds->at) return bounds->n == size;
    for (size_t i = 0; i < bounds->n; i++)
        if (bounds->at[i] >= bounds->at[i + 1]) return false;
    return bounds->at[0] == 0 && bounds->at[bounds->n] == size;
}

/* The bounds as `cut` finds them: counted, then stored.  Without `at` when every unit is one
 * byte, which is the case in which the list would be largest.  A walk that was interrupted has ended
 * early.  Errors: PARE_E_NOMEM, PARE_E_INTERRUPTED. */
static pare_status cut_bounds(cut_function cut, const unsigned char *bytes, size_t size,
                              pare_bounds *out, pare_error *err)
{
    assert(size <= PARE_TEXT_MAX_BYTES);
    pare_bounds bounds = {.n = cut(bytes, size, NULL)};
    pare_status status = pare_interrupt_look(err);
    if (!status && bounds.n < size) {
        bounds.at = pare_alloc(bounds.n + 1, sizeof *bounds.at);
        if (!bounds.at) return pare_fail_nomem(err);
        (void)cut(bytes, size, bounds.at);
        bounds.at[bounds.n] = (uint32_t)size;
        status = pare_interrupt_look(err);
    }
    if (status)
        pare_split_bounds_done(&bounds);
    else
        *out = bounds;
    return status;
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Byte i is unit i: nothing is stored. */
static pare_status split_byte(const unsigned char *bytes, size_t size, pare_bounds *out,
                              pare_error *err)
{
    (void)bytes;
    (void)err;
    *out = (pare_bounds){.n = size};
    return PARE_OK;
}

static const pare_splitter byte_splitter = {
    .info = {.name = "byte", .summary = "single bytes"},
    .split = split_byte,
};

/* ---- characters -------------------------------------------------------------------------- */

/* A unit is a code point, not a grapheme: what a test case needs is often one half of
 * a grapheme (a lone combining mark, one half of a flag), and the positions of the
 * classical algorithms' traces count code points.  A byte that is no part of a
 * well-formed sequence (stray continuation, overlong form, surrogate, value above
 * U+10FFFF, sequence cut short) is a unit by itself.
 * Source: utf8proc decides what is well-formed. */
enum {
    LONGEST = 4,       /* bytes of a UTF-8 sequence */
    MOST_RUN = 1 << 14 /* bytes between two looks at whether the work is still wanted */
};

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

/* Size of the unit at the first byte: a well-formed sequence, or one byte that is part of
 * none; size > 0. */
static size_t unit_size(const unsigned char *bytes, size_t size)
{
    if (bytes[0] < 0x80) return 1;
    utf8proc_int32_t code_point;
    utf8proc_ssize_t used =
        utf8proc_iterate(bytes, (utf8proc_ssize_t)(size < LONGEST ? size : LONGEST), &code_point);
    return used > 0 ? (size_t)used : 1;
}

/* ASCII in steps of eight, then at most eight characters by decoding, and again. */
static size_t cut_char(const unsigned char *bytes, size_t size, uint32_t *at)
{
    size_t n = 0, look = 0;
    for (size_t begin = 0; begin < size && !pare_interrupt_asked_past(begin, &look);) {
        size_t rest = size - begin;
        size_t run = ascii_run(bytes + begin, rest < MOST_RUN ? rest : MOST_RUN);
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

/* See cut_char. */
static pare_status split_char(const unsigned char *bytes, size_t size, pare_bounds *out,
                              pare_error *err)
{
    return cut_bounds(cut_char, bytes, size, out, err);
}

static const pare_splitter char_splitter = {
    .info = {.name = "char", .summary = "UTF-8 code points; an invalid byte is a unit of its own"},
    .split = split_char,
};

/* ---- lines ------------------------------------------------------------------------------- */

/* A line ends with LF, CRLF or CR, which belong to it; the last may lack one.  The next
 * LF and the next CR are looked for separately and remembered until passed, so every
 * byte is seen by memchr at most once each, also where only one of them occurs. */
/* Offset of the first `byte` at or after `from`; `size` when there is none. */
static size_t find(const unsigned char *bytes, size_t size, size_t from, int byte)
{
    if (from >= size) return size;
    const unsigned char *found = memchr(bytes + from, byte, size - from);
    return found ? (size_t)(found - bytes) : size;
}

/* The nearer of the next LF and CR ends the line; a CR directly before an LF takes it along. */
static size_t cut_line(const unsigned char *bytes, size_t size, uint32_t *at)
{
    size_t line_feed = find(bytes, size, 0, '\n');
    size_t carriage_return = find(bytes, size, 0, '\r');
    size_t n = 0, look = 0;
    for (size_t begin = 0; begin < size && !pare_interrupt_asked_past(begin, &look); n++) {
        if (at) at[n] = (uint32_t)begin;
        begin = line_feed < carriage_return ? line_feed : carriage_return;
        if (begin < size) begin += pare_split_newline(bytes, size, begin);
        if (line_feed < begin) line_feed = find(bytes, size, begin, '\n');
        if (carriage_return < begin) carriage_return = find(bytes, size, begin, '\r');
    }
    return n;
}

/* See cut_line. */
static pare_status split_line(const unsigned char *bytes, size_t size, pare_bounds *out,
                              pare_error *err)
{
    return cut_bounds(cut_line, bytes, size, out, err);
}

static const pare_splitter line_splitter = {
    .info = {.name = "line", .summary = "lines with their ends: LF, CRLF or CR"},
    .split = split_line,
};

/* ---- quoted strings ---------------------------------------------------------------------- */

/* Whether a quote is escaped depends only on the backslashes directly before it, and
 * no run of backslashes holds a quote: so when the scan from one quote meets the end
 * of the line, so would the scan from any later one of that kind on that line. */
static size_t kind_of(unsigned char quote)
{
    if (quote == '"') return 0;
    return quote == '\'' ? 1 : 2;
}

/* CR counts alone, as on old systems. */
static bool is_newline(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* The end of the string that begins at `at`, or the byte after it if no quote ends it on its
 * line.  How far the search went in vain is remembered (`barren`), so a line of quotes is not
 * quadratic.  Where the work is not wanted any more, everything left is taken for one string. */
size_t pare_split_quote_end(pare_quotes *quotes, const unsigned char *bytes, size_t size, size_t at)
{
    unsigned char quote = bytes[at];
    size_t *barren = &quotes->barren[kind_of(quote)];
    if (at < *barren) return at + 1;
    size_t k = at + 1;
    for (; k < size && !is_newline(bytes[k]); k++) {
        /* An escape is a step of two, and strings are short. */
        if (pare_interrupt_asked_at(k / 2 + 1)) return size;
        if (bytes[k] == quote) return k + 1;
        if (bytes[k] == '\\' && k + 1 < size && !is_newline(bytes[k + 1])) k++;
    }
    *barren = k;
    return at + 1;
}

/* ---- tokens ------------------------------------------------------------------------------ */

/*   word     letters, digits, _ and bytes above 127, not beginning with a digit
 *   number   begins with a digit and takes digits, letters, _ and bytes above 127 (so
 *            0x1f, 10ull and 3px are one unit), one point if a digit or, after 0x, a
 *            hexadecimal digit follows, and a sign between a digit and its exponent:
 *            e or E after a digit, p or P after 0x, a digit after the sign
 *   string   see above; a quote that begins none is one unit
 *   space    a run of blanks, tabs, vertical tabs and form feeds
 *   line end LF, CRLF or CR, each one a unit
 *   any other byte is a unit: operators of several characters are several units, as
 *   no set of them fits every language
 *
 * Each byte is looked at a constant number of times; any bytes are accepted. */
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

/* Bytes above 127 are letters: of whatever language, they are words. */
static enum byte_class class_of(unsigned char byte)
{
    return byte < sizeof ASCII ? ASCII[byte] : LETTER;
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* The bit 0x20 makes an ASCII letter small. */
static bool is_hex_digit(unsigned char byte)
{
    return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

/* The end of the run of blanks that begins at `at`. */
static size_t space_end(const unsigned char *bytes, size_t size, size_t at)
{
    do
        at++;
    while (at < size && class_of(bytes[at]) == SPACE && !pare_interrupt_asked_at(at));
    return at;
}

/* The end of the word that begins at `at`; digits may follow its first letter. */
static size_t word_end(const unsigned char *bytes, size_t size, size_t at)
{
    do
        at++;
    while (at < size && class_of(bytes[at]) >= DIGIT && !pare_interrupt_asked_at(at));
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

/* One point and one exponent at most; anything else that is no letter or digit ends it. */
static size_t number_end(const unsigned char *bytes, size_t size, size_t begin)
{
    bool hex = bytes[begin] == '0' && begin + 1 < size && (bytes[begin + 1] | 0x20) == 'x';
    bool point = false, exponent = false;
    size_t at = begin + 1;
    for (; at < size && !pare_interrupt_asked_at(at); at++) {
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

/* One unit at a time by the class of its first byte; only strings need to know what stands
 * further on. */
static size_t cut_token(const unsigned char *bytes, size_t size, uint32_t *at)
{
    pare_quotes quotes = {0};
    size_t n = 0, look = 0;
    for (size_t begin = 0; begin < size && !pare_interrupt_asked_past(begin, &look); n++) {
        if (at) at[n] = (uint32_t)begin;
        switch (class_of(bytes[begin])) {
        case OTHER: begin++; break;
        case SPACE: begin = space_end(bytes, size, begin); break;
        case BREAK: begin += pare_split_newline(bytes, size, begin); break;
        case QUOTE: begin = pare_split_quote_end(&quotes, bytes, size, begin); break;
        case DIGIT: begin = number_end(bytes, size, begin); break;
        case LETTER: begin = word_end(bytes, size, begin); break;
        }
    }
    return n;
}

static pare_status split_token(const unsigned char *bytes, size_t size, pare_bounds *out,
                               pare_error *err)
{
    return cut_bounds(cut_token, bytes, size, out, err);
}

static const pare_splitter token_splitter = {
    .info = {.name = "token",
             .summary = "words, numbers, strings, spaces, single punctuation marks"},
    .split = split_token,
};

/* ---- the table --------------------------------------------------------------------------- */

/* In the order in which coarse units come before fine ones. */
static const pare_splitter *const TABLE[] = {
    &line_splitter,
    &token_splitter,
    &char_splitter,
    &byte_splitter,
};

/* For the list that users are shown. */
const pare_splitter *const *pare_splitters(size_t *n)
{
    *n = sizeof TABLE / sizeof TABLE[0];
    return TABLE;
}

/* By exact name; a handful of names needs no index. */
const pare_splitter *pare_splitter_find(const char *name)
{
    for (size_t k = 0; k < sizeof TABLE / sizeof TABLE[0]; k++)
        if (strcmp(TABLE[k]->info.name, name) == 0) return TABLE[k];
    return NULL;
}
