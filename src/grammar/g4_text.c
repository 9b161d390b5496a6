/* What literals and sets of characters stand for: a cursor over the word between its delimiters,
 * which yields one character, escaped or not, at a time.
 *
 * Escapes mean the same in both, but for '-' and ']' in sets.  What ANTLR takes although it is
 * odd (an unknown escape, a property that is only nearly known here) is noted in the oddities,
 * for the resolver to warn of once.
 * Source: the ANTLR 4 documentation, doc/lexer-rules.md and doc/unicode.md. */
#include "grammar/g4_text.h"

#include <string.h>

#include <utf8proc.h>

#include "base/fail.h"
#include "base/vector.h"

struct cursor {
    const char *path;
    pare_g4_word word; /* with its delimiters */
    const char *at, *end;
    pare_g4_oddities *oddities;
    pare_error *err;
};

/* One character or property. */
struct item {
    uint32_t code_point;
    bool is_escaped; /* so that '-' and ']' mean themselves */
    bool is_property, negated;
    const char *name; /* of the property */
    size_t size;
};

static struct cursor open_cursor(const char *path, pare_g4_word word, pare_g4_oddities *oddities,
                                 pare_error *err)
{
    return (struct cursor){.path = path,
                           .word = word,
                           .at = word.text + 1,
                           .end = word.text + word.size - 1,
                           .oddities = oddities,
                           .err = err};
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* Hexadecimal digits at the cursor, at most `longest` of them. */
static bool take_hex(struct cursor *cursor, size_t longest, uint32_t *value)
{
    size_t n = 0;
    *value = 0;
    while (n < longest && cursor->at < cursor->end && hex_value(*cursor->at) >= 0) {
        *value = *value * 16 + (uint32_t)hex_value(*cursor->at++);
        n++;
    }
    return n > 0 && *value <= PARE_LAST_CODE_POINT;
}

/* After \u: XXXX or {X...}. */
static pare_status take_unicode(struct cursor *cursor, uint32_t *value)
{
    bool in_braces = cursor->at < cursor->end && *cursor->at == '{';
    const char *start = cursor->at;
    bool fine;
    if (in_braces) {
        cursor->at++;
        fine = take_hex(cursor, 6, value) && cursor->at < cursor->end && *cursor->at == '}';
        cursor->at++;
    } else {
        fine = take_hex(cursor, 4, value) && cursor->at - start == 4;
    }
    if (fine) return PARE_OK;
    return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                            "'\\u' needs four hexadecimal digits, or up to six in braces");
}

/* The second half of a surrogate pair, if it follows the first. */
static void join_surrogates(struct cursor *cursor, uint32_t *value)
{
    struct cursor ahead = *cursor;
    uint32_t low;
    if (*value < 0xD800 || *value > 0xDBFF || ahead.end - ahead.at < 6) return;
    if (ahead.at[0] != '\\' || ahead.at[1] != 'u' || ahead.at[2] == '{') return;
    ahead.at += 2;
    if (!take_hex(&ahead, 4, &low) || low < 0xDC00 || low > 0xDFFF) return;
    *value = 0x10000 + ((*value - 0xD800) << 10) + (low - 0xDC00);
    cursor->at = ahead.at;
}

/* After \p or \P: {name}. */
static pare_status take_property(struct cursor *cursor, struct item *item)
{
    size_t left = (size_t)(cursor->end - cursor->at);
    const char *close = left ? memchr(cursor->at, '}', left) : NULL;
    if (!close || *cursor->at != '{')
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "'\\p' needs a property's name in braces");
    item->is_property = true;
    item->name = cursor->at + 1;
    item->size = (size_t)(close - item->name);
    cursor->at = close + 1;
    return PARE_OK;
}

/* One code point as it stands; a byte that is not UTF-8 is U+FFFD. */
static uint32_t take_plain(struct cursor *cursor)
{
    utf8proc_int32_t code_point;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)cursor->at,
                                             cursor->end - cursor->at, &code_point);
    if (used <= 0) {
        cursor->at++;
        return 0xFFFD;
    }
    cursor->at += used;
    return (uint32_t)code_point;
}

/* After a backslash. */
static pare_status take_escape(struct cursor *cursor, struct item *item)
{
    static const char names[] = "nrtbf\\'\"-]";
    static const char values[] = "\n\r\t\b\f\\'\"-]";
    const char *start = cursor->at;
    if (start == cursor->end)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err, "nothing behind the '\\'");
    item->is_escaped = true;
    char letter = *start;
    const char *known = letter ? strchr(names, letter) : NULL;
    if (known) {
        cursor->at++;
        item->code_point = (unsigned char)values[known - names];
        return PARE_OK;
    }
    if (letter == 'u') {
        cursor->at++;
        pare_status status = take_unicode(cursor, &item->code_point);
        if (!status) join_surrogates(cursor, &item->code_point);
        return status;
    }
    if (letter == 'p' || letter == 'P') {
        cursor->at++;
        item->negated = letter == 'P';
        return take_property(cursor, item);
    }
    item->code_point = take_plain(cursor);
    if (!cursor->oddities->escape.size) {
        cursor->oddities->escape = cursor->word;
        cursor->oddities->escape.text = start;
        cursor->oddities->escape.size = (uint32_t)(cursor->at - start);
    }
    return PARE_OK;
}

static pare_status take(struct cursor *cursor, struct item *item)
{
    *item = (struct item){0};
    if (*cursor->at != '\\') {
        item->code_point = take_plain(cursor);
        return PARE_OK;
    }
    cursor->at++;
    return take_escape(cursor, item);
}

/* --- literals -------------------------------------------------------------- */

pare_status pare_g4_text_literal(const char *path, pare_g4_word word, pare_code_points *points,
                                 pare_g4_oddities *oddities, pare_error *err)
{
    struct cursor cursor = open_cursor(path, word, oddities, err);
    points->n = 0;
    if (cursor.at == cursor.end) return pare_g4_lex_fail(path, word, err, "the literal is empty");
    while (cursor.at < cursor.end) {
        struct item item;
        pare_status status = take(&cursor, &item);
        if (status) return status;
        if (item.is_property)
            return pare_g4_lex_fail(path, word, err, "a property can stand in a set only");
        uint32_t *items =
            pare_vector_grow(points->items, points->n, &points->capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        points->items = items;
        points->items[points->n++] = item.code_point;
    }
    return PARE_OK;
}

pare_status pare_g4_text_add_utf8(pare_buffer *buffer, uint32_t code_point, pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)code_point, bytes);
    return pare_buffer_add(buffer, bytes, (size_t)size, err);
}

/* --- sets ------------------------------------------------------------------ */

static uint32_t lower(uint32_t code_point)
{
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
}

static uint32_t upper(uint32_t code_point)
{
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)code_point);
}

/* ANTLR takes both cases of a range only when its ends are letters of one case and the
 * two ranges are equally long. */
pare_status pare_g4_text_span(uint32_t from, uint32_t to, bool ignore_case, pare_intervals *set,
                              pare_error *err)
{
    uint32_t low_from = lower(from), low_to = lower(to);
    uint32_t up_from = upper(from), up_to = upper(to);
    bool has_cases = low_from != up_from || low_to != up_to;
    bool is_mixed = (from == low_from && from != up_from && to == up_to && to != low_to) ||
                    (from == up_from && from != low_from && to == low_to && to != up_to);
    if (!ignore_case || !has_cases || is_mixed || low_to - low_from != up_to - up_from)
        return pare_intervals_add(set, from, to, err);
    pare_status status = pare_intervals_add(set, low_from, low_to, err);
    if (!status) status = pare_intervals_add(set, up_from, up_to, err);
    return status;
}

/* Unknown properties and those that are only nearly known are noted, not refused: the grammar
 * may be read all the same. */
static pare_status add_property(const struct cursor *cursor, const struct item *item,
                                pare_unicode *unicode, pare_intervals *set)
{
    bool known, exact;
    pare_status status =
        pare_unicode_add(unicode, (pare_unicode_property){item->name, item->size, item->negated},
                         set, &known, &exact, cursor->err);
    if (!status && !exact && !cursor->oddities->property.size) {
        cursor->oddities->property = cursor->word;
        cursor->oddities->property.text = item->name;
        cursor->oddities->property.size = (uint32_t)item->size;
        cursor->oddities->is_approximate = known;
    }
    return status;
}

/* The end of a range, if one follows: a '-' that is not the last character. */
static pare_status take_range_end(struct cursor *cursor, struct item *last)
{
    if (cursor->end - cursor->at < 2 || *cursor->at != '-') return PARE_OK;
    struct item first = *last;
    cursor->at++;
    pare_status status = take(cursor, last);
    if (status) return status;
    if (last->is_property)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "a property can not end a range");
    if (last->code_point < first.code_point)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "the range U+%04X..U+%04X goes backwards", first.code_point,
                                last->code_point);
    return PARE_OK;
}

/* A '-' between two characters makes a range; at the ends of the set it stands for itself. */
pare_status pare_g4_text_set(const char *path, pare_g4_word word, pare_g4_text_sets sets,
                             pare_intervals *set, pare_g4_oddities *oddities, pare_error *err)
{
    struct cursor cursor = open_cursor(path, word, oddities, err);
    if (cursor.at == cursor.end)
        return pare_g4_lex_fail(path, word, err, "the set of characters is empty");
    while (cursor.at < cursor.end) {
        struct item first;
        pare_status status = take(&cursor, &first);
        if (!status && first.is_property) {
            status = add_property(&cursor, &first, sets.unicode, set);
        } else if (!status) {
            struct item last = first;
            status = take_range_end(&cursor, &last);
            if (!status)
                status = pare_g4_text_span(first.code_point, last.code_point, sets.ignore_case, set,
                                           err);
        }
        if (status) return status;
    }
    return PARE_OK;
}
