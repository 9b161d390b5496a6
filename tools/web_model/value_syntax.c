/* Recursive descent, one function for each strength of combinator; groups and functions within
 * each other are bounded by DEPTH. */
#include "web_model/value_syntax.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 40, MOST_REPEATS = 1000, NUMBER_BYTES = 40 };

struct parser {
    pare_arena *arena;
    const char *text;
    size_t size, at;
    unsigned depth;
    pare_error *err;
};

static pare_status parse_choice(struct parser *p, char end, pare_value **out);

/* --- characters ------------------------------------------------------------------- */

static pare_status fail(const struct parser *p, size_t at, const char *what)
{
    if (p->err && !p->err->status) p->err->column = at + 1;
    return pare_fail(p->err, PARE_E_SYNTAX, "value syntax, byte %zu: %s", at + 1, what);
}

static char peek(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->size ? p->text[p->at + ahead] : '\0';
}

static bool skip_space(struct parser *p)
{
    size_t from = p->at;
    while (p->at < p->size && isspace((unsigned char)p->text[p->at]))
        p->at++;
    return p->at > from;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.' || c == '@' ||
           (unsigned char)c >= 0x80;
}

/* --- nodes ------------------------------------------------------------------------- */

static pare_status make(struct parser *p, pare_value_kind kind, const char *text, size_t size,
                        pare_value **out)
{
    pare_value *value = pare_arena_alloc(p->arena, sizeof *value);
    if (!value) return pare_fail_nomem(p->err);
    *value = (pare_value){.kind = kind, .low = -INFINITY, .high = INFINITY};
    if (text) {
        value->text = pare_arena_text(p->arena, text, size);
        if (!value->text) return pare_fail_nomem(p->err);
    }
    *out = value;
    return PARE_OK;
}

static pare_status make_slice(struct parser *p, pare_value_kind kind, size_t from, size_t to,
                              pare_value **out)
{
    return make(p, kind, p->text + from, to - from, out);
}

/* --- types ------------------------------------------------------------------------- */

/* One end of a range: a number and its unit, or infinity. */
static bool read_bound(const char **at, const char *end, double *bound)
{
    static const char infinity[] = "\xe2\x88\x9e";
    char number[NUMBER_BYTES];
    size_t n = 0;
    while (*at < end && **at == ' ')
        ++*at;
    const char *from = *at;
    while (*at < end && **at != ',' && **at != ']')
        ++*at;
    for (; from < *at && *from != ' ' && n + 1 < sizeof number; from++)
        number[n++] = *from;
    number[n] = '\0';
    bool negative = number[0] == '-';
    if (strcmp(number + negative, infinity) == 0) {
        *bound = negative ? -INFINITY : INFINITY;
        return true;
    }
    char *rest;
    *bound = strtod(number, &rest);
    return rest != number && isfinite(*bound);
}

/* " [low,high]" after a type's name. */
static bool read_range(const char *at, const char *end, pare_value *type)
{
    while (at < end && *at == ' ')
        at++;
    if (at == end) return true;
    if (*at++ != '[' || !read_bound(&at, end, &type->low)) return false;
    if (at == end || *at++ != ',' || !read_bound(&at, end, &type->high)) return false;
    return at < end && *at == ']' && type->low <= type->high;
}

static pare_status parse_property(struct parser *p, size_t from, size_t to, pare_value **out)
{
    if (to - from < 3 || p->text[to - 1] != '\'') return fail(p, from, "a property ends with '");
    return make_slice(p, PARE_VALUE_PROPERTY, from + 1, to - 1, out);
}

/* <name>, <name [low,high]>, <'property'>, <name[ ... ]>. */
static pare_status parse_type(struct parser *p, pare_value **out)
{
    size_t from = p->at + 1, to = from, nested = 0;
    while (to < p->size && (nested || p->text[to] != '>')) {
        if (p->text[to] == '<') nested++;
        if (p->text[to] == '>') nested--;
        to++;
    }
    if (to == p->size) return fail(p, p->at, "a type has no end");
    p->at = to + 1;
    if (p->text[from] == '\'') return parse_property(p, from, to, out);
    size_t end = from;
    while (end < to && p->text[end] != ' ' && p->text[end] != '<')
        end++;
    if (end == from) return fail(p, from, "a type has no name");
    bool takes_more = p->text[end - 1] == '[';
    pare_status status = make_slice(p, PARE_VALUE_TYPE, from, end, out);
    if (status || takes_more) return status;
    if (!read_range(p->text + end, p->text + to, *out))
        return fail(p, end, "the range of a type is [LOW,HIGH]");
    return PARE_OK;
}

/* --- atoms -------------------------------------------------------------------------- */

/* What stands in brackets or parentheses, up to `end`. */
static pare_status parse_inside(struct parser *p, char end, pare_value **out)
{
    size_t from = p->at++;
    if (++p->depth > DEPTH)
        return pare_fail(p->err, PARE_E_LIMIT, "value syntax is nested too deeply");
    *out = NULL;
    (void)skip_space(p);
    pare_status status = peek(p, 0) == end ? PARE_OK : parse_choice(p, end, out);
    if (status) return status;
    if (peek(p, 0) != end) return fail(p, from, "a bracket has no end");
    p->at++;
    p->depth--;
    return PARE_OK;
}

static pare_status parse_function(struct parser *p, size_t from, pare_value **out)
{
    pare_value *inside = NULL;
    size_t to = p->at;
    pare_status status = parse_inside(p, ')', &inside);
    if (!status) status = make_slice(p, PARE_VALUE_FUNCTION, from, to, out);
    if (!status) (*out)->first = inside;
    return status;
}

static pare_status parse_quoted(struct parser *p, pare_value **out)
{
    size_t from = p->at + 1, to = from;
    while (to < p->size && p->text[to] != '\'')
        to++;
    if (to == p->size || to == from) return fail(p, p->at, "a quote has no end, or nothing in it");
    p->at = to + 1;
    return make_slice(p, PARE_VALUE_SIGN, from, to, out);
}

static pare_status parse_atom(struct parser *p, pare_value **out)
{
    char c = peek(p, 0);
    size_t from = p->at;
    if (c == '<') return parse_type(p, out);
    if (c == '\'') return parse_quoted(p, out);
    if (c == '(') return parse_function(p, from, out);
    if (c == '[') {
        pare_status status = parse_inside(p, ']', out);
        if (!status && !*out) return fail(p, from, "a group is empty");
        return status;
    }
    if (is_word_character(c)) {
        while (p->at < p->size && is_word_character(p->text[p->at]))
            p->at++;
        if (peek(p, 0) == '(') return parse_function(p, from, out);
        return make_slice(p, PARE_VALUE_WORD, from, p->at, out);
    }
    if (!strchr(",/:;={}$", c) || !c) return fail(p, from, "this sign is not known here");
    p->at++;
    return make_slice(p, PARE_VALUE_SIGN, from, p->at, out);
}

/* --- multipliers --------------------------------------------------------------------- */

static bool read_count(struct parser *p, uint32_t *count)
{
    if (!isdigit((unsigned char)peek(p, 0))) return false;
    *count = 0;
    while (isdigit((unsigned char)peek(p, 0)) && *count <= MOST_REPEATS)
        *count = *count * 10 + (uint32_t)(p->text[p->at++] - '0');
    return *count <= MOST_REPEATS;
}

/* {A}, {A,} and {A,B}. */
static pare_status parse_counts(struct parser *p, pare_value *repeat)
{
    size_t from = p->at++;
    if (!read_count(p, &repeat->min)) return fail(p, from, "braces hold numbers up to 1000");
    repeat->max = repeat->min;
    if (peek(p, 0) == ',') {
        p->at++;
        repeat->max = PARE_VALUE_ENDLESS;
        if (peek(p, 0) != '}' && !read_count(p, &repeat->max))
            return fail(p, from, "braces hold numbers up to 1000");
    }
    if (peek(p, 0) != '}' || repeat->max < repeat->min || !repeat->max)
        return fail(p, from, "these braces are wrong");
    p->at++;
    return PARE_OK;
}

static bool at_counts(const struct parser *p)
{
    return peek(p, 0) == '{' && isdigit((unsigned char)peek(p, 1));
}

static pare_status parse_multiplier(struct parser *p, pare_value *repeat)
{
    char c = peek(p, 0);
    repeat->min = c == '?' || c == '*' ? 0 : 1;
    repeat->max = c == '?' ? 1 : PARE_VALUE_ENDLESS;
    repeat->commas = c == '#';
    if (c == '{') return parse_counts(p, repeat);
    p->at++;
    return c == '#' && at_counts(p) ? parse_counts(p, repeat) : PARE_OK;
}

/* An atom and what says how often it stands there. */
static pare_status parse_term(struct parser *p, pare_value **out)
{
    pare_status status = parse_atom(p, out);
    for (unsigned n = 0; !status; n++) {
        pare_value *repeat = NULL;
        char c = peek(p, 0);
        if (c == '!') {
            (*out)->filled = true;
            p->at++;
            continue;
        }
        if (!c || (!strchr("?*+#", c) && !at_counts(p))) break;
        if (n >= DEPTH) return pare_fail(p->err, PARE_E_LIMIT, "value syntax repeats too often");
        status = make(p, PARE_VALUE_REPEAT, NULL, 0, &repeat);
        if (!status) status = parse_multiplier(p, repeat);
        if (status) return status;
        repeat->first = *out;
        *out = repeat;
    }
    return status;
}

/* --- combinators ---------------------------------------------------------------------- */

typedef pare_status (*part_parser)(struct parser *p, char end, pare_value **out);

/* Collects parts into a list of a kind; one part stays what it is. */
struct list {
    pare_value_kind kind;
    pare_value *first, *last;
};

static pare_status finish(struct parser *p, const struct list *list, pare_value **out)
{
    if (list->first == list->last) {
        *out = list->first;
        return PARE_OK;
    }
    pare_status status = make(p, list->kind, NULL, 0, out);
    if (!status) (*out)->first = list->first;
    return status;
}

/* A node is in one list only, so one that is a whole already is wrapped by nobody twice. */
static void add(struct list *list, pare_value *part)
{
    if (list->last)
        list->last->next = part;
    else
        list->first = part;
    list->last = part;
}

static bool at_end_of_sequence(const struct parser *p, char end)
{
    char c = peek(p, 0);
    return !c || c == '|' || c == end || (c == '&' && peek(p, 1) == '&');
}

static pare_status parse_sequence(struct parser *p, char end, pare_value **out)
{
    struct list list = {.kind = PARE_VALUE_SEQUENCE};
    (void)skip_space(p);
    do {
        pare_value *part = NULL;
        pare_status status = parse_term(p, &part);
        if (status) return status;
        add(&list, part);
        (void)skip_space(p);
    } while (!at_end_of_sequence(p, end));
    return finish(p, &list, out);
}

/* Parts with `sign` between them, each parsed by `parse`. */
static pare_status parse_list(struct parser *p, char end, pare_value_kind kind, const char *sign,
                              part_parser parse, pare_value **out)
{
    struct list list = {.kind = kind};
    size_t size = strlen(sign);
    for (;;) {
        pare_value *part = NULL;
        pare_status status = parse(p, end, &part);
        if (status) return status;
        add(&list, part);
        if (p->size - p->at < size || memcmp(p->text + p->at, sign, size) != 0) break;
        if (size == 1 && peek(p, 1) == '|') break;
        p->at += size;
    }
    return finish(p, &list, out);
}

static pare_status parse_all(struct parser *p, char end, pare_value **out)
{
    return parse_list(p, end, PARE_VALUE_ALL, "&&", parse_sequence, out);
}

static pare_status parse_any(struct parser *p, char end, pare_value **out)
{
    return parse_list(p, end, PARE_VALUE_ANY, "||", parse_all, out);
}

static pare_status parse_choice(struct parser *p, char end, pare_value **out)
{
    return parse_list(p, end, PARE_VALUE_CHOICE, "|", parse_any, out);
}

/* Bytes of the character of UTF-8 at text[0], of `size` >= 1; 0: it is none (RFC 3629: no overlong
 * forms, no halves of pairs, nothing above U+10FFFF). */
static size_t character_bytes(const unsigned char *text, size_t size)
{
    const unsigned char first = text[0];
    const size_t n = first < 0x80                     ? 1
                     : first >= 0xc2 && first <= 0xdf ? 2
                     : (first & 0xf0) == 0xe0         ? 3
                     : first >= 0xf0 && first <= 0xf4 ? 4
                                                      : 0;
    if (n < 2) return n;
    if (n > size) return 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    const bool is_overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    const bool is_beyond = (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_beyond ? 0 : n;
}

/* What is read becomes part of a grammar in JSON, which has characters only: the first byte that is
 * none; `size`: there is no such. */
static size_t find_no_character(const char *text, size_t size)
{
    for (size_t at = 0, n; at < size; at += n) {
        n = character_bytes((const unsigned char *)text + at, size - at);
        if (!n) return at;
    }
    return size;
}

pare_status pare_value_parse(pare_arena *arena, const char *text, size_t size, pare_value **out,
                             pare_error *err)
{
    struct parser p = {.arena = arena, .text = text, .size = size, .err = err};
    pare_value *value = NULL;
    if (memchr(text, '\0', size)) return fail(&p, strlen(text), "a NUL byte");
    const size_t bad = find_no_character(text, size);
    if (bad < size) return fail(&p, bad, "a byte that is no UTF-8");
    pare_status status = parse_choice(&p, '\0', &value);
    if (!status && p.at < p.size) status = fail(&p, p.at, "nothing can follow here");
    if (!status) *out = value;
    return status;
}

bool pare_value_is_nullable(const pare_value *value)
{
    const pare_value *part = value->first;
    if (value->filled) return false;
    switch (value->kind) {
    case PARE_VALUE_REPEAT: return !value->min || pare_value_is_nullable(part);
    case PARE_VALUE_SEQUENCE:
    case PARE_VALUE_ALL:
    case PARE_VALUE_ANY:
    case PARE_VALUE_CHOICE: break;
    default: return false;
    }
    bool needs_all = value->kind == PARE_VALUE_SEQUENCE || value->kind == PARE_VALUE_ALL;
    for (; part; part = part->next)
        if (pare_value_is_nullable(part) != needs_all) return !needs_all;
    return needs_all;
}
