/* Sets are read by recursion, for they nest; no deeper than DEEPEST. */
#include "grammar/regex_set.h"

#include <string.h>

#include <utf8proc.h>

#include "base/status.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"

enum { DEEPEST = 16, PROPERTY_BYTES = 64 };

static pare_status read_set(pare_regex_reader *reader, pare_intervals *set, unsigned depth);

static pare_status fail(const pare_regex_reader *reader, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "a regular expression %s", what);
}

pare_status pare_regex_character(pare_regex_reader *reader, uint32_t *code_point)
{
    utf8proc_int32_t point = -1;
    utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)reader->at, -1, &point);
    if (!*reader->at || size <= 0 || point < 0) return fail(reader, "ends too early");
    reader->at += size;
    *code_point = (uint32_t)point;
    return PARE_OK;
}

/* --- escapes ----------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* `n` hexadecimal digits, or any number of them in braces. */
static pare_status read_hex(pare_regex_reader *reader, unsigned n, uint32_t *code_point)
{
    bool braces = *reader->at == '{';
    uint32_t value = 0;
    if (braces) reader->at++;
    for (unsigned i = 0; braces ? *reader->at != '}' : i < n; i++, reader->at++) {
        int digit = digit_of(*reader->at);
        if (digit < 0 || value > PARE_LAST_CODE_POINT) return fail(reader, "has a bad escape");
        value = value * 16 + (uint32_t)digit;
    }
    if (braces) reader->at++;
    if (value > PARE_LAST_CODE_POINT) return fail(reader, "has a bad escape");
    *code_point = value;
    return PARE_OK;
}

/* `L` or `{Name}` behind \p. */
static pare_status read_property(pare_regex_reader *reader, bool negated, pare_intervals *set)
{
    const char *name = reader->at;
    size_t size = 1;
    bool known = false, exact = false;
    if (!*name) return fail(reader, "ends too early");
    if (*name == '{') size = strcspn(++name, "}");
    if (size >= PROPERTY_BYTES || (name != reader->at && !name[size]))
        return fail(reader, "has a bad property");
    reader->at = name + size + (name != reader->at);
    pare_status status =
        pare_unicode_add(reader->unicode, name, size, negated, set, &known, &exact, reader->err);
    if (status || known) return status;
    return pare_fail(reader->err, PARE_E_UNSUPPORTED, "there is no property '%.*s'", (int)size,
                     name);
}

static pare_status add_all(pare_intervals *set, const pare_interval *items, size_t n, bool negated,
                           pare_error *err)
{
    pare_intervals own = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = pare_intervals_add(&own, items[i].from, items[i].to, err);
    if (!status) pare_intervals_normalise(&own);
    if (!status && negated) status = pare_intervals_complement(&own, 0, PARE_LAST_CODE_POINT, err);
    for (size_t i = 0; !status && i < own.n; i++)
        status = pare_intervals_add(set, own.items[i].from, own.items[i].to, err);
    pare_intervals_done(&own);
    return status;
}

/* The sets that have a letter of their own; false: `c` is none of these. */
static bool find_class(char c, const pare_interval **items, size_t *n)
{
    static const pare_interval digits[] = {{'0', '9'}};
    static const pare_interval words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    static const pare_interval spaces[] = {
        {'\t', '\r'}, {' ', ' '}, {0x85, 0x85}, {0xA0, 0xA0}, {0x2028, 0x2029}};
    switch (c) {
    case 'd':
    case 'D': *items = digits, *n = 1; return true;
    case 'w':
    case 'W': *items = words, *n = 4; return true;
    case 's':
    case 'S': *items = spaces, *n = 5; return true;
    default: return false;
    }
}

pare_status pare_regex_escape(pare_regex_reader *reader, uint32_t *code_point, pare_intervals *set,
                              bool *is_set)
{
    static const char letters[] = "nrtfv0a", values[] = "\n\r\t\f\v\0\a";
    const pare_interval *items;
    size_t n;
    char c = *reader->at;
    const char *letter = c ? strchr(letters, c) : NULL;
    *is_set = c == 'p' || c == 'P' || find_class(c, &items, &n);
    if (c == 'p' || c == 'P') {
        reader->at++;
        return read_property(reader, c == 'P', set);
    }
    if (*is_set) {
        reader->at++;
        return add_all(set, items, n, c >= 'A' && c <= 'Z', reader->err);
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        reader->at++;
        return read_hex(reader, c == 'x' ? 2 : c == 'u' ? 4 : 8, code_point);
    }
    if (letter) {
        reader->at++;
        *code_point = (unsigned char)values[letter - letters];
        return PARE_OK;
    }
    return pare_regex_character(reader, code_point);
}

/* --- sets -------------------------------------------------------------------------------- */

/* Leaves in *set what is in `other` too; with `negated` what is not. */
static pare_status intersect(pare_intervals *set, pare_intervals *other, bool negated,
                             pare_error *err)
{
    pare_intervals_normalise(set);
    pare_intervals_normalise(other);
    pare_status status = pare_intervals_complement(set, 0, PARE_LAST_CODE_POINT, err);
    if (!status && !negated)
        status = pare_intervals_complement(other, 0, PARE_LAST_CODE_POINT, err);
    for (size_t i = 0; !status && i < other->n; i++)
        status = pare_intervals_add(set, other->items[i].from, other->items[i].to, err);
    if (!status) pare_intervals_normalise(set);
    return status ? status : pare_intervals_complement(set, 0, PARE_LAST_CODE_POINT, err);
}

/* A character of a set, or a range. */
static pare_status read_range(pare_regex_reader *reader, pare_intervals *set)
{
    uint32_t from = 0, to = 0;
    bool is_set = false;
    bool escaped = *reader->at == '\\';
    if (escaped) reader->at++;
    pare_status status = escaped ? pare_regex_escape(reader, &from, set, &is_set)
                                 : pare_regex_character(reader, &from);
    if (status || is_set) return status;
    to = from;
    if (reader->at[0] == '-' && reader->at[1] != ']' && reader->at[1] != '-') {
        reader->at++;
        escaped = *reader->at == '\\';
        if (escaped) reader->at++;
        status = escaped ? pare_regex_escape(reader, &to, set, &is_set)
                         : pare_regex_character(reader, &to);
        if (!status && is_set) return fail(reader, "has a range that ends with a set");
    }
    return status ? status : pare_intervals_add(set, from, to, reader->err);
}

/* What stands up to `]`, `&&` or `--`. */
static pare_status read_items(pare_regex_reader *reader, pare_intervals *set, unsigned depth)
{
    pare_status status = PARE_OK;
    while (!status && *reader->at && *reader->at != ']') {
        if (strncmp(reader->at, "&&", 2) == 0 || strncmp(reader->at, "--", 2) == 0) break;
        if (*reader->at == '[') {
            reader->at++;
            status = read_set(reader, set, depth + 1);
        } else {
            status = read_range(reader, set);
        }
    }
    return status;
}

/* Adds the set behind a '[' to *set. */
static pare_status read_set(pare_regex_reader *reader, pare_intervals *set, unsigned depth)
{
    pare_intervals own = {0}, other = {0};
    if (depth > DEEPEST)
        return pare_fail(reader->err, PARE_E_LIMIT, "the sets are nested too deeply");
    bool negated = *reader->at == '^';
    if (negated) reader->at++;
    pare_status status = PARE_OK;
    if (*reader->at == ']') /* the first one is no end */
        status = read_range(reader, &own);
    if (!status) status = read_items(reader, &own, depth);
    while (!status && (*reader->at == '&' || *reader->at == '-')) {
        bool minus = *reader->at == '-';
        reader->at += 2;
        other.n = 0;
        status = read_items(reader, &other, depth);
        if (!status) status = intersect(&own, &other, minus, reader->err);
    }
    if (!status && *reader->at != ']') status = fail(reader, "has a set without an end");
    if (!status) reader->at++;
    pare_intervals_normalise(&own);
    if (!status) status = add_all(set, own.items, own.n, negated, reader->err);
    pare_intervals_done(&own);
    pare_intervals_done(&other);
    return status;
}

pare_status pare_regex_set(pare_regex_reader *reader, pare_intervals *set)
{
    return read_set(reader, set, 0);
}
