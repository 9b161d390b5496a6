/* Recursive descent, no deeper than DEEPEST.  What is repeated n times is read n times over,
 * because an expression stands in one place only. */
#include "grammar/regex_expr.h"

#include <string.h>

#include "base/status.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/regex_set.h"

enum { DEEPEST = 64, MOST_EXPRS = 20000, ANY_NUMBER = -1 };

struct reader {
    pare_regex_reader in;
    pare_builder *builder;
    size_t most; /* expressions of the builder, at last */
};

static pare_status read_choice(struct reader *reader, unsigned depth, pare_index *expr);

static pare_status fail(const struct reader *reader, const char *what)
{
    return pare_fail(reader->in.err, PARE_E_SYNTAX, "a regular expression %s", what);
}

/* --- expressions ------------------------------------------------------------------------- */

/* A new expression with the children that are linked from `first` on. */
static pare_status make(struct reader *reader, pare_expr_kind kind, pare_index first,
                        pare_index *expr)
{
    if (reader->builder->grammar->n_exprs >= reader->most)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "the regular expression is too large");
    pare_index made = pare_builder_expr(reader->builder, kind);
    if (made == PARE_NO_INDEX) return reader->builder->status;
    reader->builder->grammar->exprs[made].first = first;
    *expr = made;
    return PARE_OK;
}

/* A list of siblings being made. */
struct list {
    pare_index first, last;
};

static void append(const struct reader *reader, struct list *list, pare_index expr)
{
    if (list->first == PARE_NO_INDEX)
        list->first = expr;
    else
        reader->builder->grammar->exprs[list->last].next = expr;
    list->last = expr;
}

/* One expression for the list. */
static pare_status gather(struct reader *reader, pare_expr_kind kind, const struct list *list,
                          pare_index *expr)
{
    if (list->first == PARE_NO_INDEX) return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    *expr = list->first;
    return list->first == list->last ? PARE_OK : make(reader, kind, list->first, expr);
}

/* Leaves the digits and letters of ASCII, if there are any. */
static pare_status narrow(pare_intervals *set, pare_error *err)
{
    static const pare_interval plain[] = {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}};
    pare_intervals left = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < set->n; i++)
        for (size_t k = 0; !status && k < sizeof plain / sizeof *plain; k++) {
            uint32_t from = set->items[i].from, to = set->items[i].to;
            from = from > plain[k].from ? from : plain[k].from;
            to = to < plain[k].to ? to : plain[k].to;
            if (from <= to) status = pare_intervals_add(&left, from, to, err);
        }
    pare_intervals other = *set;
    if (!status && left.n) {
        *set = left;
        left = other;
    }
    pare_intervals_done(&left);
    return status;
}

static pare_status make_set(struct reader *reader, pare_intervals *set, pare_index *expr)
{
    pare_status status = narrow(set, reader->in.err);
    if (status) return status;
    *expr = pare_builder_set(reader->builder, set);
    return reader->builder->status;
}

static pare_status make_letter(struct reader *reader, uint32_t code_point, pare_index *expr)
{
    *expr = pare_builder_literal(reader->builder, &code_point, 1);
    return reader->builder->status;
}

/* --- atoms ------------------------------------------------------------------------------- */

/* `(?:`, `(?i:`, `(?<name>`: stops behind what says which group it is. */
static pare_status read_group_head(struct reader *reader)
{
    const char *at = reader->in.at;
    if (*at != '?') return PARE_OK;
    bool looks = at[1] == '=' || at[1] == '!' || (at[1] == '<' && (at[2] == '=' || at[2] == '!'));
    if (looks) return pare_fail(reader->in.err, PARE_E_UNSUPPORTED, "it looks around");
    at += strcspn(at, ":>)");
    if (!*at) return fail(reader, "has a group without an end");
    reader->in.at = *at == ')' ? at : at + 1;
    return PARE_OK;
}

static pare_status read_group(struct reader *reader, unsigned depth, pare_index *expr)
{
    pare_status status = read_group_head(reader);
    if (!status) status = read_choice(reader, depth + 1, expr);
    if (!status && *reader->in.at != ')') status = fail(reader, "has a group without an end");
    if (!status) reader->in.at++;
    return status;
}

/* A set or a character behind a backslash. */
static pare_status read_escape(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    uint32_t code_point = 0;
    bool is_set = false;
    char c = *reader->in.at;
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') {
        reader->in.at++;
        return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    }
    pare_status status = pare_regex_escape(&reader->in, &code_point, &set, &is_set);
    if (!status)
        status = is_set ? make_set(reader, &set, expr) : make_letter(reader, code_point, expr);
    pare_intervals_done(&set);
    return status;
}

static pare_status read_set(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    pare_status status = pare_regex_set(&reader->in, &set);
    if (!status) status = make_set(reader, &set, expr);
    pare_intervals_done(&set);
    return status;
}

/* What `.` takes: all but a line end. */
static pare_status make_dot(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    pare_status status = pare_intervals_add(&set, 0, '\n' - 1, reader->in.err);
    if (!status) status = pare_intervals_add(&set, '\n' + 1, PARE_LAST_CODE_POINT, reader->in.err);
    if (!status) status = make_set(reader, &set, expr);
    pare_intervals_done(&set);
    return status;
}

static pare_status read_atom(struct reader *reader, unsigned depth, pare_index *expr)
{
    uint32_t code_point = 0;
    switch (*reader->in.at) {
    case '(': reader->in.at++; return read_group(reader, depth, expr);
    case '[': reader->in.at++; return read_set(reader, expr);
    case '\\': reader->in.at++; return read_escape(reader, expr);
    case '.': reader->in.at++; return make_dot(reader, expr);
    case '^':
    case '$': reader->in.at++; return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    case '*':
    case '+':
    case '?': return fail(reader, "repeats nothing");
    default: break;
    }
    pare_status status = pare_regex_character(&reader->in, &code_point);
    return status ? status : make_letter(reader, code_point, expr);
}

/* --- repetition -------------------------------------------------------------------------- */

/* How often: at least `least`, at most `most` times. */
struct bounds {
    long least, most;
};

static long read_number(const char **at)
{
    long value = 0;
    for (; **at >= '0' && **at <= '9' && value <= MOST_EXPRS; ++*at)
        value = value * 10 + (**at - '0');
    return value;
}

/* A quantifier at `*at`, which then stands behind it; false: there is none. */
static bool read_bounds(const char **at, struct bounds *bounds)
{
    const char *p = *at + 1;
    switch (**at) {
    case '*': *bounds = (struct bounds){0, ANY_NUMBER}; break;
    case '+': *bounds = (struct bounds){1, ANY_NUMBER}; break;
    case '?': *bounds = (struct bounds){0, 1}; break;
    case '{':
        if (*p < '0' || *p > '9') return false;
        bounds->least = bounds->most = read_number(&p);
        if (*p == ',') {
            p++;
            bounds->most = *p == '}' ? ANY_NUMBER : read_number(&p);
        }
        if (*p++ != '}') return false;
        break;
    default: return false;
    }
    *at = *p == '?' ? p + 1 : p;
    return true;
}

/* The atom at `start`, `bounds->least` times, and a star of it if there may be more. */
static pare_status repeat(struct reader *reader, const char *start, unsigned depth,
                          struct bounds bounds, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    const char *behind = reader->in.at;
    pare_status status = PARE_OK;
    if (bounds.least > MOST_EXPRS)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "it repeats too often");
    for (long i = 0; !status && i < bounds.least + (bounds.most != bounds.least); i++) {
        reader->in.at = start;
        status = read_atom(reader, depth, expr);
        if (!status && i == bounds.least)
            status =
                make(reader, bounds.most == 1 ? PARE_EXPR_OPTIONAL : PARE_EXPR_STAR, *expr, expr);
        if (!status) append(reader, &list, *expr);
    }
    reader->in.at = behind;
    return status ? status : gather(reader, PARE_EXPR_SEQUENCE, &list, expr);
}

static pare_status read_repeated(struct reader *reader, unsigned depth, pare_index *expr)
{
    const char *start = reader->in.at;
    struct bounds bounds;
    pare_status status = read_atom(reader, depth, expr);
    if (status || !read_bounds(&reader->in.at, &bounds)) return status;
    return repeat(reader, start, depth, bounds, expr);
}

static pare_status read_sequence(struct reader *reader, unsigned depth, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    pare_status status = PARE_OK;
    while (!status && *reader->in.at && *reader->in.at != '|' && *reader->in.at != ')') {
        pare_index part = PARE_NO_INDEX;
        status = read_repeated(reader, depth, &part);
        if (!status) append(reader, &list, part);
    }
    return status ? status : gather(reader, PARE_EXPR_SEQUENCE, &list, expr);
}

/* Adds the characters that `expr` takes one of to *set; false: it is no such expression. */
static pare_status take_characters(const struct reader *reader, pare_index expr,
                                   pare_intervals *set, bool *taken)
{
    const pare_grammar *grammar = reader->builder->grammar;
    const pare_expr *of = &grammar->exprs[expr];
    pare_status status = PARE_OK;
    *taken = of->kind == PARE_EXPR_SET || (of->kind == PARE_EXPR_LITERAL && of->text.size == 1);
    if (!*taken) return PARE_OK;
    if (of->kind == PARE_EXPR_LITERAL) {
        uint32_t point = grammar->code_points[of->text.offset];
        return pare_intervals_add(set, point, point, reader->in.err);
    }
    for (uint32_t i = 0; !status && i < grammar->sets[of->set].n; i++) {
        pare_interval interval = grammar->intervals[grammar->sets[of->set].first + i];
        status = pare_intervals_add(set, interval.from, interval.to, reader->in.err);
    }
    return status;
}

/* The alternatives; those of one character are one set, and come last. */
static pare_status read_alternatives(struct reader *reader, unsigned depth, struct list *list,
                                     pare_intervals *set)
{
    pare_status status = PARE_OK;
    for (bool first = true, more = true; more && !status; first = false) {
        pare_index part = PARE_NO_INDEX;
        bool taken = false;
        status = read_sequence(reader, depth, &part);
        bool alone = first && *reader->in.at != '|';
        if (!status && !alone) status = take_characters(reader, part, set, &taken);
        if (!status && !taken) append(reader, list, part);
        more = *reader->in.at == '|';
        if (more) reader->in.at++;
    }
    return status;
}

static pare_status read_choice(struct reader *reader, unsigned depth, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    pare_intervals set = {0};
    pare_index part = PARE_NO_INDEX;
    if (depth > DEEPEST)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "the groups are nested too deeply");
    pare_status status = read_alternatives(reader, depth, &list, &set);
    if (!status && set.n) {
        status = make_set(reader, &set, &part);
        if (!status) append(reader, &list, part);
    }
    pare_intervals_done(&set);
    return status ? status : gather(reader, PARE_EXPR_CHOICE, &list, expr);
}

pare_status pare_regex_expr(pare_builder *builder, pare_unicode *unicode, const char *regex,
                            pare_index *expr, pare_error *err)
{
    if (builder->status) return builder->status;
    struct reader reader = {.in = {.at = regex, .unicode = unicode, .err = err},
                            .builder = builder,
                            .most = builder->grammar->n_exprs + MOST_EXPRS};
    pare_index made = PARE_NO_INDEX;
    pare_status status = read_choice(&reader, 0, &made);
    if (!status && *reader.in.at) status = fail(&reader, "has a ')' too many");
    if (!status) *expr = made;
    return status;
}
