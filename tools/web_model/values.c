/* By recursion, which the parser's limit of nesting bounds.  A node that needs several
 * expansions gets a rule of its own, once. */
#include "web_model/values.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"

enum {
    NAME_BYTES = 32,
    MORE_REPEATS = 3, /* than there have to be, where there is a limit */
    SEGMENTS = 16,    /* between commas, in one sequence */
    OMITTED = 4       /* of these, that are left out in every combination */
};

static const double LESS = 0.5; /* weight of one more round, of a part that may be left out */

/* Parts `first` .. before `end` of a list. */
struct parts {
    pare_value *first, *end;
    size_t n;
};

static pare_status put(pare_web_values *values, pare_value *value, pare_buffer *to);

/* --- rules of their own ---------------------------------------------------------------- */

static void name_next(pare_web_values *values, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "_%zu", values->n_made++);
}

/* Adds what is in `expansion`, and empties it. */
static void add(pare_web_values *values, const char *name, double weight, pare_buffer *expansion)
{
    pare_web_rules_add(values->rules, name, weight, expansion->size ? expansion->data : "",
                       expansion->size);
    pare_buffer_reset(expansion);
}

static pare_status put_text(const pare_web_values *values, pare_buffer *to, const char *text)
{
    return pare_buffer_text(to, text, values->err);
}

/* A call of a rule that makes `value` with `before` and `after` it, or nothing. */
static pare_status put_optional(pare_web_values *values, pare_value *value, const char *before,
                                const char *after, pare_buffer *to)
{
    char name[NAME_BYTES];
    pare_buffer expansion = {0};
    name_next(values, name);
    add(values, name, 1, &expansion);
    pare_status status = put_text(values, &expansion, before);
    if (!status) status = put(values, value, &expansion);
    if (!status) status = put_text(values, &expansion, after);
    if (!status) add(values, name, LESS * values->weigh(values->context, value), &expansion);
    pare_buffer_done(&expansion);
    return status ? status : pare_web_call(to, name, values->err);
}

/* --- sequences -------------------------------------------------------------------------- */

static bool is_comma(const pare_value *value)
{
    return value->kind == PARE_VALUE_SIGN && strcmp(value->text, ",") == 0;
}

/* The first part that cannot be left out; NULL: all can. */
static pare_value *find_anchor(const struct parts *parts)
{
    for (pare_value *part = parts->first; part != parts->end; part = part->next)
        if (!pare_value_is_nullable(part)) return part;
    return NULL;
}

/* Parts from `from` on, after others. */
static pare_status put_rest(pare_web_values *values, const struct parts *parts, pare_value *from,
                            pare_buffer *to)
{
    pare_status status = PARE_OK;
    for (; !status && from != parts->end; from = from->next) {
        const char *space = is_comma(from) ? "" : " ";
        if (pare_value_is_nullable(from)) {
            status = put_optional(values, from, space, "", to);
        } else {
            status = put_text(values, to, space);
            if (!status) status = put(values, from, to);
        }
    }
    return status;
}

/* Parts that can all be left out, but not at once. */
static pare_status put_some(pare_web_values *values, const struct parts *parts, pare_buffer *to)
{
    char name[NAME_BYTES];
    pare_buffer expansion = {0};
    pare_status status = PARE_OK;
    name_next(values, name);
    for (pare_value *part = parts->first; !status && part != parts->end; part = part->next) {
        status = put(values, part, &expansion);
        if (!status) status = put_rest(values, parts, part->next, &expansion);
        if (!status) add(values, name, 1, &expansion);
    }
    pare_buffer_done(&expansion);
    return status ? status : pare_web_call(to, name, values->err);
}

/* Parts without commas that may be left out. */
static pare_status put_parts(pare_web_values *values, const struct parts *parts, pare_buffer *to)
{
    pare_value *anchor = find_anchor(parts);
    pare_status status = PARE_OK;
    if (!anchor) return put_some(values, parts, to);
    for (pare_value *part = parts->first; !status && part != anchor; part = part->next)
        status = put_optional(values, part, "", " ", to);
    if (!status) status = put(values, anchor, to);
    return status ? status : put_rest(values, parts, anchor->next, to);
}

/* What stands between commas; false: there is too much of it. */
static bool split(pare_value *first, struct parts segments[SEGMENTS], size_t *n)
{
    struct parts segment = {.first = first};
    *n = 0;
    for (pare_value *part = first;; part = part->next) {
        if (part && !is_comma(part)) {
            segment.n++;
            continue;
        }
        segment.end = part;
        if (*n == SEGMENTS) return false;
        segments[(*n)++] = segment;
        if (!part) return true;
        segment = (struct parts){.first = part->next};
    }
}

/* The segments but those in `omitted`, with commas between. */
static pare_status put_segments(pare_web_values *values, const struct parts *segments, size_t n,
                                unsigned omitted, pare_buffer *to)
{
    pare_status status = PARE_OK;
    bool any = false;
    for (size_t i = 0, bit = 0; !status && i < n; i++) {
        bool can = !find_anchor(&segments[i]);
        if (can && (omitted >> bit++ & 1)) continue;
        if (!segments[i].n) continue;
        if (any) status = put_text(values, to, ", ");
        if (!status) status = put_parts(values, &segments[i], to);
        any = true;
    }
    return status;
}

/* With commas, beside which something may be left out. */
static pare_status put_commas(pare_web_values *values, const struct parts *segments, size_t n,
                              pare_buffer *to)
{
    char name[NAME_BYTES];
    pare_buffer expansion = {0};
    size_t n_omitted = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n; i++)
        n_omitted += !find_anchor(&segments[i]);
    if (!n_omitted) return put_segments(values, segments, n, 0, to);
    unsigned all = (1U << (n_omitted < OMITTED ? n_omitted : OMITTED)) - 1;
    name_next(values, name);
    for (unsigned omitted = 0; !status && omitted <= all; omitted++) {
        status = put_segments(values, segments, n, omitted, &expansion);
        if (!status && expansion.size) add(values, name, 1, &expansion);
    }
    pare_buffer_done(&expansion);
    return status ? status : pare_web_call(to, name, values->err);
}

static pare_status put_sequence(pare_web_values *values, pare_value *value, pare_buffer *to)
{
    struct parts segments[SEGMENTS], all = {.first = value->first};
    size_t n;
    bool omits = false;
    for (pare_value *part = value->first; part; part = part->next)
        omits = omits || pare_value_is_nullable(part);
    if (omits && split(value->first, segments, &n) && n > 1)
        return put_commas(values, segments, n, to);
    return put_parts(values, &all, to);
}

/* --- && and || ---------------------------------------------------------------------------- */

/* Half of a list, made. */
struct half {
    struct parts parts;
    pare_buffer text;
    double weight;
    bool can_go;
};

static pare_status put_orders(pare_web_values *values, const struct parts *parts, bool any,
                              pare_buffer *to);

static pare_status make_half(pare_web_values *values, struct half *half, bool any)
{
    half->weight = half->parts.n == 1 ? values->weigh(values->context, half->parts.first) : 1;
    half->can_go = any || !find_anchor(&half->parts);
    return put_orders(values, &half->parts, any, &half->text);
}

/* One half, and the other after it unless that is NULL. */
static pare_status add_halves(pare_web_values *values, const char *name, const struct half *half,
                              const struct half *other)
{
    pare_buffer expansion = {0};
    double weight = half->weight * (other ? other->weight * LESS : 1);
    pare_status status = put_text(values, &expansion, half->text.data);
    if (!status && other) status = put_text(values, &expansion, " ");
    if (!status && other) status = put_text(values, &expansion, other->text.data);
    if (!status) add(values, name, weight, &expansion);
    pare_buffer_done(&expansion);
    return status;
}

static pare_status put_orders(pare_web_values *values, const struct parts *parts, bool any,
                              pare_buffer *to)
{
    char name[NAME_BYTES];
    pare_value *middle = parts->first;
    if (parts->n == 1) return put(values, parts->first, to);
    for (size_t i = 0; i < parts->n / 2; i++)
        middle = middle->next;
    struct half left = {.parts = {parts->first, middle, parts->n / 2}},
                right = {.parts = {middle, parts->end, parts->n - parts->n / 2}};
    name_next(values, name);
    pare_status status = make_half(values, &left, any);
    if (!status) status = make_half(values, &right, any);
    if (!status) status = add_halves(values, name, &left, &right);
    if (!status) status = add_halves(values, name, &right, &left);
    if (!status && right.can_go) status = add_halves(values, name, &left, NULL);
    if (!status && left.can_go) status = add_halves(values, name, &right, NULL);
    pare_buffer_done(&left.text);
    pare_buffer_done(&right.text);
    return status ? status : pare_web_call(to, name, values->err);
}

/* --- repeats -------------------------------------------------------------------------------- */

static pare_status put_times(pare_web_values *values, pare_value *repeat, uint32_t times,
                             pare_buffer *to)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < times; i++) {
        if (i) status = put_text(values, to, repeat->commas ? ", " : " ");
        if (!status) status = put(values, repeat->first, to);
    }
    return status;
}

/* `min` of them, and maybe more. */
static pare_status define_endless(pare_web_values *values, const char *name, pare_value *repeat,
                                  uint32_t min)
{
    char more[NAME_BYTES];
    pare_buffer expansion = {0};
    name_next(values, more);
    add(values, more, 1, &expansion);
    pare_status status = put_text(values, &expansion, repeat->commas ? ", " : " ");
    if (!status) status = put(values, repeat->first, &expansion);
    if (!status) status = pare_web_call(&expansion, more, values->err);
    if (!status) add(values, more, LESS, &expansion);
    if (!status) status = put_times(values, repeat, min, &expansion);
    if (!status) status = pare_web_call(&expansion, more, values->err);
    if (!status) add(values, name, 1, &expansion);
    pare_buffer_done(&expansion);
    return status;
}

static pare_status define_repeat(pare_web_values *values, const char *name, pare_value *repeat)
{
    uint32_t min = repeat->min ? repeat->min : 1;
    uint32_t max = repeat->max < min + MORE_REPEATS ? repeat->max : min + MORE_REPEATS;
    pare_buffer expansion = {0};
    pare_status status = PARE_OK;
    double weight = 1;
    if (repeat->max == PARE_VALUE_ENDLESS) return define_endless(values, name, repeat, min);
    for (uint32_t n = min; !status && n <= max; n++, weight *= LESS) {
        status = put_times(values, repeat, n, &expansion);
        if (!status) add(values, name, weight, &expansion);
    }
    pare_buffer_done(&expansion);
    return status;
}

/* --- any value -------------------------------------------------------------------------------- */

static pare_status define_choice(pare_web_values *values, const char *name, pare_value *choice)
{
    pare_buffer expansion = {0};
    pare_status status = PARE_OK;
    for (pare_value *part = choice->first; !status && part; part = part->next) {
        status = put(values, part, &expansion);
        if (!status) add(values, name, values->weigh(values->context, part), &expansion);
    }
    pare_buffer_done(&expansion);
    return status;
}

static pare_status put_function(pare_web_values *values, pare_value *value, pare_buffer *to)
{
    pare_status status = pare_buffer_format(to, values->err, "%s(", value->text);
    if (!status && value->first)
        status = pare_value_is_nullable(value->first)
                     ? put_optional(values, value->first, "", "", to)
                     : put(values, value->first, to);
    return status ? status : put_text(values, to, ")");
}

/* What is made of a node that is no word, sign or call. */
static pare_status put_compound(pare_web_values *values, pare_value *value, pare_buffer *to)
{
    struct parts parts = {.first = value->first};
    if (value->kind == PARE_VALUE_SEQUENCE) return put_sequence(values, value, to);
    if (value->kind == PARE_VALUE_FUNCTION) return put_function(values, value, to);
    for (pare_value *part = value->first; part; part = part->next)
        parts.n++;
    return put_orders(values, &parts, value->kind == PARE_VALUE_ANY, to);
}

static pare_status define(pare_web_values *values, const char *name, pare_value *value)
{
    pare_buffer expansion = {0};
    if (value->kind == PARE_VALUE_CHOICE) return define_choice(values, name, value);
    if (value->kind == PARE_VALUE_REPEAT) return define_repeat(values, name, value);
    pare_status status = put_compound(values, value, &expansion);
    if (!status) add(values, name, 1, &expansion);
    pare_buffer_done(&expansion);
    return status;
}

/* A call of the node's own rule, so that what is used in several places is made once. */
static pare_status put_made(pare_web_values *values, pare_value *value, pare_buffer *to)
{
    if (!value->made) {
        char name[NAME_BYTES];
        name_next(values, name);
        value->made = pare_arena_text(&values->rules->memory, name, strlen(name));
        if (!value->made) return pare_fail_nomem(values->err);
        pare_status status = define(values, name, value);
        if (status) return status;
    }
    return pare_web_call(to, value->made, values->err);
}

static pare_status put_called(pare_web_values *values, const pare_value *value, pare_buffer *to)
{
    pare_buffer name = {0};
    pare_status status = values->resolve(values->context, value, &name, values->err);
    if (!status) status = pare_web_call(to, name.data, values->err);
    pare_buffer_done(&name);
    return status;
}

/* Appends what makes texts of `value` that are not empty. */
static pare_status put(pare_web_values *values, pare_value *value, pare_buffer *to)
{
    switch (value->kind) {
    case PARE_VALUE_WORD:
    case PARE_VALUE_SIGN: return put_text(values, to, value->text);
    case PARE_VALUE_TYPE:
    case PARE_VALUE_PROPERTY: return put_called(values, value, to);
    default: return put_made(values, value, to);
    }
}

pare_status pare_web_values_define(pare_web_values *values, const char *name, pare_value *value)
{
    pare_buffer expansion = {0};
    if (value->first) return define(values, name, value);
    pare_status status = put(values, value, &expansion);
    if (!status) add(values, name, 1, &expansion);
    pare_buffer_done(&expansion);
    return status;
}
