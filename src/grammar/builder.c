/* The builder of grammars: what every reader of a notation writes into.
 *
 * Each kind of thing has its array in the grammar and its capacity in the builder; names are
 * found again by an index (name_index.h) whose keys are the copies in the grammar's arena.
 * Invariant: children have smaller indices than their parents, since an expression is made after
 * its operands; so analyses are loops over the array, without recursion.
 *
 * A failure sticks in the builder instead of being returned by each call: readers are long
 * sequences of small steps, and would otherwise consist of checks.
 *
 * Cost: amortised O(1) for each call besides the bytes that it copies; a name is hashed once.
 * Nothing is ever removed: readers that find out late that an expression is of no use leave it
 * unreferenced. */
#include "grammar/builder.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

/* Makes room for one more item in an array of the grammar, whose capacity is a field of the
 * builder named after it; false when memory is out. */
#define HAS_ROOM(builder, array)                                                                 \
    make_room(builder,                                                                           \
              pare_vector_grow((builder)->grammar->array, (builder)->grammar->n_##array,         \
                               &(builder)->array##_capacity, sizeof *(builder)->grammar->array), \
              offsetof(pare_grammar, array))

/* Puts a grown array into the grammar's field at `offset`; NULL sticks as a failure. */
static bool make_room(pare_builder *builder, void *grown, size_t offset)
{
    if (!grown) {
        builder->status = pare_fail_nomem(builder->err);
        return false;
    }
    /* By its bytes, since the field may be a pointer of any type. */
    memcpy((char *)builder->grammar + offset, &grown, sizeof grown);
    return true;
}

/* Adds what every grammar has: EOF as token type 0, DEFAULT_MODE as mode 0, and ANTLR's channels 0
 * and 1. The order is part of the contract: PARE_TOKEN_END is 0, and readers refer to the mode and
 * the channels by number. */
static void predefine(pare_builder *builder)
{
    (void)pare_builder_token(builder, "EOF", 3);
    (void)pare_builder_mode(builder, "DEFAULT_MODE", 12);
    (void)pare_builder_channel(builder, "DEFAULT_TOKEN_CHANNEL", 21);
    (void)pare_builder_channel(builder, "HIDDEN", 6);
}

/* The grammar exists before anything can fail in it, so that pare_builder_done releases all
 * there is. */
pare_status pare_builder_init(pare_builder *builder, pare_error *err)
{
    *builder = (pare_builder){.err = err};
    builder->grammar = pare_alloc_zero(1, sizeof *builder->grammar);
    builder->arena = pare_alloc_zero(1, sizeof *builder->arena);
    if (!builder->grammar || !builder->arena) {
        pare_alloc_free(builder->grammar);
        pare_alloc_free(builder->arena);
        *builder = (pare_builder){0};
        return pare_fail_nomem(err);
    }
    builder->grammar->memory = builder->arena;
    predefine(builder);
    pare_status status = builder->status;
    if (status) pare_builder_done(builder);
    return status;
}

/* After pare_builder_finish the grammar is NULL here, and only the indices are freed. */
void pare_builder_done(pare_builder *builder)
{
    pare_grammar_free(builder->grammar);
    pare_name_index_done(&builder->rules);
    pare_name_index_done(&builder->tokens);
    pare_name_index_done(&builder->literals);
    pare_name_index_done(&builder->labels);
    pare_name_index_done(&builder->modes);
    pare_name_index_done(&builder->channels);
    *builder = (pare_builder){0};
}

/* The check goes over the whole grammar, so it runs in builds with assertions only; readers of
 * outside files are tested with those. */
pare_status pare_builder_finish(pare_builder *builder, pare_grammar **out)
{
    if (builder->status) return builder->status;
    assert(pare_grammar_check(builder->grammar));
    *out = builder->grammar;
    builder->grammar = NULL;
    return PARE_OK;
}

/* The copy is NUL-terminated and lives in the grammar's arena, as long as the grammar does. */
const char *pare_builder_text(pare_builder *builder, const char *text, size_t size)
{
    if (builder->status) return NULL;
    const char *copy = pare_arena_text(builder->arena, text, size);
    if (!copy) builder->status = pare_fail_nomem(builder->err);
    return copy;
}

/* Links and payload are the caller's to set; PARE_NO_INDEX everywhere means a leaf without a
 * label. */
pare_index pare_builder_expr(pare_builder *builder, pare_expr_kind kind)
{
    if (builder->status || !HAS_ROOM(builder, exprs)) return PARE_NO_INDEX;
    pare_grammar *grammar = builder->grammar;
    grammar->exprs[grammar->n_exprs] = (pare_expr){
        .kind = kind, .first = PARE_NO_INDEX, .next = PARE_NO_INDEX, .label = PARE_NO_INDEX};
    return (pare_index)grammar->n_exprs++;
}

/* Code points of all literals lie in one array of the grammar, so a literal is an offset and a
 * length. */
pare_index pare_builder_literal(pare_builder *builder, const uint32_t *code_points, size_t n)
{
    pare_index expr = pare_builder_expr(builder, PARE_EXPR_LITERAL);
    if (expr == PARE_NO_INDEX) return expr;
    pare_grammar *grammar = builder->grammar;
    grammar->exprs[expr].text.offset = (uint32_t)grammar->n_code_points;
    grammar->exprs[expr].text.size = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        if (!HAS_ROOM(builder, code_points)) return PARE_NO_INDEX;
        grammar->code_points[grammar->n_code_points++] = code_points[i];
    }
    return expr;
}

/* Adds the set as an expression.  The intervals are copied to the grammar's array, so the set
 * under construction may be used again. */
pare_index pare_builder_set(pare_builder *builder, pare_intervals *set)
{
    pare_index expr = pare_builder_expr(builder, PARE_EXPR_SET);
    if (expr == PARE_NO_INDEX || !HAS_ROOM(builder, sets)) return PARE_NO_INDEX;
    pare_grammar *grammar = builder->grammar;
    pare_intervals_normalise(set);
    grammar->exprs[expr].set = (pare_index)grammar->n_sets;
    grammar->sets[grammar->n_sets++] = (pare_set){(uint32_t)grammar->n_intervals, (uint32_t)set->n};
    for (size_t i = 0; i < set->n; i++) {
        if (!HAS_ROOM(builder, intervals)) return PARE_NO_INDEX;
        grammar->intervals[grammar->n_intervals++] = set->items[i];
    }
    return expr;
}

/* Gives `index` to `name` in an index of names.  `name` is the copy in the arena, which the
 * index borrows; NULL when it could not be copied, which has stuck as a failure already. */
static void enter(pare_builder *builder, pare_name_index *names, const char *name, size_t size,
                  size_t index)
{
    if (name && !builder->status)
        builder->status = pare_name_index_put(names, name, size, (pare_index)index, builder->err);
}

/* The caller must not declare a name twice: the index would forget the first rule. */
pare_index pare_builder_rule(pare_builder *builder, const char *name, size_t size)
{
    const char *copy = pare_builder_text(builder, name, size);
    if (builder->status || !HAS_ROOM(builder, rules)) return PARE_NO_INDEX;
    pare_grammar *grammar = builder->grammar;
    grammar->rules[grammar->n_rules] =
        (pare_rule){.name = copy, .body = PARE_NO_INDEX, .token = PARE_NO_INDEX};
    enter(builder, &builder->rules, copy, size, grammar->n_rules);
    return builder->status ? PARE_NO_INDEX : (pare_index)grammar->n_rules++;
}

/* Its only name is the literal that an alias gives it. */
pare_index pare_builder_anonymous(pare_builder *builder)
{
    if (builder->status || !HAS_ROOM(builder, tokens)) return PARE_NO_INDEX;
    pare_grammar *grammar = builder->grammar;
    grammar->tokens[grammar->n_tokens] = (pare_token_type){.rule = PARE_NO_INDEX};
    return (pare_index)grammar->n_tokens++;
}

/* Names of token types are unique: a second call with a name gives the same type. */
pare_index pare_builder_token(pare_builder *builder, const char *name, size_t size)
{
    pare_index known = pare_name_index_find(&builder->tokens, name, size);
    if (known != PARE_NO_INDEX) return known;
    const char *copy = pare_builder_text(builder, name, size);
    pare_index token = pare_builder_anonymous(builder);
    if (token == PARE_NO_INDEX) return token;
    builder->grammar->tokens[token].name = copy;
    enter(builder, &builder->tokens, copy, size, token);
    return builder->status ? PARE_NO_INDEX : token;
}

/* Makes `literal` a name for the type.  If several types have the same text, the first one
 * keeps it.  The type's own `literal`, which texts show, is a string, so one with a NUL byte
 * is not noted there. */
void pare_builder_alias(pare_builder *builder, pare_index token, const char *literal, size_t size)
{
    if (pare_name_index_find(&builder->literals, literal, size) != PARE_NO_INDEX) return;
    const char *copy = pare_builder_text(builder, literal, size);
    if (!copy || token == PARE_NO_INDEX) return;
    assert(token < builder->grammar->n_tokens);
    pare_token_type *type = &builder->grammar->tokens[token];
    if (!type->literal && strlen(copy) == size) type->literal = copy;
    enter(builder, &builder->literals, copy, size, token);
}

/* Commands of one rule must be added one after the other, since a rule refers to them as a
 * run. */
void pare_builder_command(pare_builder *builder, pare_lexer_command command)
{
    if (builder->status || !HAS_ROOM(builder, commands)) return;
    builder->grammar->commands[builder->grammar->n_commands++] = command;
}

/* A list of names in the grammar, with the index to find them by. */
struct names {
    pare_name_index *index;
    const char ***items;
    size_t *n, *capacity;
};

/* The number of a name in such a list; a name that is new goes to its end.  Labels, modes and
 * channels differ only in where they are kept. */
static pare_index find_or_add(pare_builder *builder, struct names names, const char *name,
                              size_t size)
{
    pare_index known = pare_name_index_find(names.index, name, size);
    if (known != PARE_NO_INDEX) return known;
    const char *copy = pare_builder_text(builder, name, size);
    if (!copy) return PARE_NO_INDEX;
    const char **items = pare_vector_grow(*names.items, *names.n, names.capacity, sizeof *items);
    if (!items) {
        builder->status = pare_fail_nomem(builder->err);
        return PARE_NO_INDEX;
    }
    /* Before anything else can fail: the old array is gone. */
    *names.items = items;
    items[*names.n] = copy;
    enter(builder, names.index, copy, size, *names.n);
    return builder->status ? PARE_NO_INDEX : (pare_index)(*names.n)++;
}

pare_index pare_builder_label(pare_builder *builder, const char *name, size_t size)
{
    pare_grammar *grammar = builder->grammar;
    struct names names = {&builder->labels, &grammar->labels, &grammar->n_labels,
                          &builder->labels_capacity};
    return find_or_add(builder, names, name, size);
}

pare_index pare_builder_mode(pare_builder *builder, const char *name, size_t size)
{
    pare_grammar *grammar = builder->grammar;
    struct names names = {&builder->modes, &grammar->modes, &grammar->n_modes,
                          &builder->modes_capacity};
    return find_or_add(builder, names, name, size);
}

pare_index pare_builder_channel(pare_builder *builder, const char *name, size_t size)
{
    pare_grammar *grammar = builder->grammar;
    struct names names = {&builder->channels, &grammar->channels, &grammar->n_channels,
                          &builder->channels_capacity};
    return find_or_add(builder, names, name, size);
}

/* A warning longer than an error's sentence is cut. */
void pare_builder_warn(pare_builder *builder, const char *format, ...)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (size < 0 || builder->status || !HAS_ROOM(builder, warnings)) return;
    /* vsnprintf returns what it would have written. */
    if ((size_t)size >= sizeof sentence) size = sizeof sentence - 1;
    char *copy = pare_arena_text(builder->arena, sentence, (size_t)size);
    if (copy)
        builder->grammar->warnings[builder->grammar->n_warnings++] = copy;
    else
        builder->status = pare_fail_nomem(builder->err);
}
