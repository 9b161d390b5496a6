/* Minimal texts written out: a walk over the picks with a stack, as deep as the grammar
 * makes it. */
#include "grammar/minimal_text.h"

#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"

enum { LONGEST_TEXT = 1 << 20 }; /* bytes, and tokens */

uint64_t pare_minimal_utf8_size(uint32_t code_point)
{
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

/* The first visible ASCII character, else a space, tab or line end, else the first. */
uint32_t pare_minimal_character(const pare_grammar *grammar, const pare_expr *expr)
{
    static const pare_interval preferred[] = {{'!', '~'}, {' ', ' '}, {'\t', '\n'}};
    if (expr->kind == PARE_EXPR_ANY) return '!';
    const pare_set *set = &grammar->sets[expr->set];
    if (!set->n) return PARE_NO_INDEX;
    const pare_interval *intervals = grammar->intervals + set->first;
    for (size_t k = 0; k < sizeof preferred / sizeof *preferred; k++) {
        for (uint32_t i = 0; i < set->n; i++) {
            uint32_t first = intervals[i].from;
            if (first < preferred[k].from) first = preferred[k].from;
            if (first <= intervals[i].to && first <= preferred[k].to) return first;
        }
    }
    return intervals[0].from;
}

pare_minimum pare_minimal_rule(const pare_minimal_texts *minimal, pare_index rule)
{
    return minimal->exprs[minimal->analysis->grammar->rules[rule].body];
}

uint64_t pare_minimal_token_size(const pare_minimal_texts *minimal, pare_index token)
{
    pare_index rule = minimal->token_rules[token];
    if (token == PARE_TOKEN_END) return 0;
    return rule == PARE_NO_INDEX ? PARE_NO_MINIMUM : pare_minimal_rule(minimal, rule).size_bytes;
}

void pare_minimal_offer(pare_minimal_texts *minimal, pare_index token, pare_index rule)
{
    if (pare_minimal_rule(minimal, rule).size_bytes < pare_minimal_token_size(minimal, token))
        minimal->token_rules[token] = rule;
}

/* --- the walk -------------------------------------------------------------- */

/* Expressions still to be written, the next one last. */
struct walk {
    const pare_minimal_texts *minimal;
    pare_index *stack; /* owned */
    size_t n, capacity;
    pare_error *err;
};

static pare_status push(struct walk *walk, pare_index expr)
{
    pare_index *stack = pare_vector_grow(walk->stack, walk->n, &walk->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(walk->err);
    walk->stack = stack;
    walk->stack[walk->n++] = expr;
    return PARE_OK;
}

/* Pushes children so that the first is on top. */
static pare_status push_children(struct walk *walk, pare_index first)
{
    const pare_expr *exprs = walk->minimal->analysis->grammar->exprs;
    size_t start = walk->n;
    pare_status status = PARE_OK;
    for (pare_index c = first; c != PARE_NO_INDEX && !status; c = exprs[c].next)
        if (walk->minimal->exprs[c].size_bytes) status = push(walk, c);
    for (size_t i = start, k = walk->n; i + 1 < k; i++) {
        k--;
        pare_index swapped = walk->stack[i];
        walk->stack[i] = walk->stack[k];
        walk->stack[k] = swapped;
    }
    return status;
}

/* Goes on to the next leaf; *leaf is none at the end. */
static pare_status next_leaf(struct walk *walk, pare_index *leaf)
{
    const pare_grammar *grammar = walk->minimal->analysis->grammar;
    while (walk->n) {
        pare_index index = walk->stack[--walk->n];
        const pare_expr *expr = &grammar->exprs[index];
        pare_status status = PARE_OK;
        switch (expr->kind) {
        case PARE_EXPR_EMPTY:
        case PARE_EXPR_END:
        case PARE_EXPR_OPTIONAL:
        case PARE_EXPR_STAR: break;
        case PARE_EXPR_SEQUENCE:
        case PARE_EXPR_PLUS: status = push_children(walk, expr->first); break;
        case PARE_EXPR_CHOICE: status = push(walk, walk->minimal->exprs[index].pick); break;
        case PARE_EXPR_RULE: status = push(walk, grammar->rules[expr->rule].body); break;
        default: *leaf = index; return PARE_OK;
        }
        if (status) return status;
    }
    *leaf = PARE_NO_INDEX;
    return PARE_OK;
}

static pare_status start(struct walk *walk, const pare_minimal_texts *minimal, pare_index expr,
                         pare_error *err)
{
    const pare_minimum *of = &minimal->exprs[expr];
    *walk = (struct walk){.minimal = minimal, .err = err};
    if (of->size_bytes == PARE_NO_MINIMUM)
        return pare_fail(err, PARE_E_LIMIT, "the expression has no finite text");
    if (of->size_bytes > LONGEST_TEXT || of->n_tokens > LONGEST_TEXT)
        return pare_fail(err, PARE_E_LIMIT, "the minimal text is longer than 1 MiB");
    return push(walk, expr);
}

/* --- texts ----------------------------------------------------------------- */

static pare_status add_character(pare_buffer *text, uint32_t code_point, pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)code_point, bytes);
    return pare_buffer_add(text, bytes, (size_t)size, err);
}

static pare_status add_leaf(const pare_minimal_texts *minimal, pare_index leaf, pare_buffer *text,
                            pare_error *err)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    const pare_expr *expr = &grammar->exprs[leaf];
    if (expr->kind != PARE_EXPR_LITERAL) return add_character(text, minimal->exprs[leaf].pick, err);
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < expr->text.size && !status; i++)
        status = add_character(text, grammar->code_points[expr->text.offset + i], err);
    return status;
}

/* The text of an expression of characters. */
static pare_status add_characters(const pare_minimal_texts *minimal, pare_index expr,
                                  pare_buffer *text, pare_error *err)
{
    struct walk walk;
    pare_index leaf = PARE_NO_INDEX;
    pare_status status = start(&walk, minimal, expr, err);
    while (!status && !(status = next_leaf(&walk, &leaf)) && leaf != PARE_NO_INDEX)
        status = add_leaf(minimal, leaf, text, err);
    pare_release(walk.stack);
    return status;
}

pare_status pare_minimal_token(const pare_minimal_texts *minimal, pare_index token,
                               pare_buffer *text, pare_error *err)
{
    pare_index rule = minimal->token_rules[token];
    if (token == PARE_TOKEN_END) return PARE_OK;
    if (rule == PARE_NO_INDEX) return pare_fail(err, PARE_E_LIMIT, "no lexer rule makes the token");
    return add_characters(minimal, minimal->analysis->grammar->rules[rule].body, text, err);
}

/* Appends a token, behind a space if it needs one; *last is where the one before begins. */
static pare_status join(const pare_minimal_texts *minimal, pare_index token, size_t *last,
                        pare_minimal_needs_space needs_space, void *context, pare_buffer *text,
                        pare_error *err)
{
    pare_buffer piece = {0};
    pare_status status = pare_minimal_token(minimal, token, &piece, err);
    if (!status && piece.size) {
        bool is_first = *last == SIZE_MAX;
        bool has_space =
            !is_first && (!needs_space || needs_space(context, text->data + *last,
                                                      text->size - *last, piece.data, piece.size));
        if (has_space) status = pare_buffer_text(text, " ", err);
        *last = text->size;
        if (!status) status = pare_buffer_add(text, piece.data, piece.size, err);
    }
    pare_buffer_done(&piece);
    return status;
}

pare_status pare_minimal_text(const pare_minimal_texts *minimal, pare_index expr,
                              pare_minimal_needs_space needs_space, void *context,
                              pare_buffer *text, pare_error *err)
{
    const pare_analysis *analysis = minimal->analysis;
    pare_index rule = analysis->links.rule[expr], leaf = PARE_NO_INDEX;
    size_t last = SIZE_MAX;
    bool of_tokens = rule != PARE_NO_INDEX && !analysis->grammar->scannerless &&
                     analysis->grammar->rules[rule].kind == PARE_RULE_PARSER;
    if (!of_tokens) return add_characters(minimal, expr, text, err);
    struct walk walk;
    pare_status status = start(&walk, minimal, expr, err);
    while (!status && !(status = next_leaf(&walk, &leaf)) && leaf != PARE_NO_INDEX)
        status = join(minimal, minimal->exprs[leaf].pick, &last, needs_space, context, text, err);
    pare_release(walk.stack);
    return status;
}

pare_status pare_minimal_tokens(const pare_minimal_texts *minimal, pare_index expr,
                                pare_index *tokens, size_t capacity, size_t *n, pare_error *err)
{
    struct walk walk;
    pare_index leaf = PARE_NO_INDEX;
    pare_status status = start(&walk, minimal, expr, err);
    *n = 0;
    while (!status && !(status = next_leaf(&walk, &leaf)) && leaf != PARE_NO_INDEX) {
        if (*n < capacity) tokens[*n] = minimal->exprs[leaf].pick;
        ++*n;
    }
    pare_release(walk.stack);
    return status;
}
