/* Minimal texts: expressions become final in ascending order, from a heap.
 *
 * An expression enters the heap once, when its value is known: a leaf at once, a sequence
 * with its last child, anything else with its first child, which is its smallest.  Lexer
 * rules are done first, since a token's text is one of theirs.
 * Invariant: what leaves the heap is at least what left it before. */
#include "grammar/minimal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/minimal_text.h"

struct run {
    pare_minimal_texts *minimal;
    bool parser;       /* which rules are being done */
    uint32_t *missing; /* of each sequence: children that are not final yet */
    pare_index *heap;
    size_t n;
    pare_buffer left, right; /* texts compared */
    pare_status status;
    pare_error *err;
};

/* --- order ----------------------------------------------------------------- */

/* By size, tokens, and, for small ones, text.  Texts that are too long to compare, and
 * equal ones, go by index. */
static bool is_before(struct run *run, pare_index a, pare_index b)
{
    enum { LONGEST_COMPARED = 256 };
    const pare_minimum *x = &run->minimal->exprs[a], *y = &run->minimal->exprs[b];
    if (x->size_bytes != y->size_bytes) return x->size_bytes < y->size_bytes;
    if (x->n_tokens != y->n_tokens) return x->n_tokens < y->n_tokens;
    if (!x->size_bytes || x->size_bytes > LONGEST_COMPARED || run->status) return a < b;
    pare_buffer_reset(&run->left);
    pare_buffer_reset(&run->right);
    run->status = pare_minimal_text(run->minimal, a, NULL, NULL, &run->left, run->err);
    if (!run->status)
        run->status = pare_minimal_text(run->minimal, b, NULL, NULL, &run->right, run->err);
    if (run->status) return a < b;
    int order = strcmp(run->left.data, run->right.data);
    return order ? order < 0 : a < b;
}

static void push(struct run *run, pare_index expr)
{
    size_t i = run->n++;
    while (i && is_before(run, expr, run->heap[(i - 1) / 2])) {
        run->heap[i] = run->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    run->heap[i] = expr;
}

static pare_index pop(struct run *run)
{
    pare_index first = run->heap[0], last = run->heap[--run->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= run->n) break;
        if (child + 1 < run->n && is_before(run, run->heap[child + 1], run->heap[child])) child++;
        if (!is_before(run, run->heap[child], last)) break;
        run->heap[i] = run->heap[child];
        i = child;
    }
    run->heap[i] = last;
    return first;
}

/* --- values ---------------------------------------------------------------- */

static uint64_t add_sizes(uint64_t a, uint64_t b)
{
    uint64_t most = PARE_NO_MINIMUM - 1;
    return b > most - a ? most : a + b;
}

static uint32_t add_counts(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* Gives an expression its value; the first one it gets is its smallest. */
static void settle(struct run *run, pare_index expr, pare_minimum value)
{
    pare_minimum *of = &run->minimal->exprs[expr];
    if (of->size_bytes != PARE_NO_MINIMUM) return;
    *of = value;
    push(run, expr);
}

static void settle_sequence(struct run *run, pare_index sequence)
{
    const pare_expr *exprs = run->minimal->analysis->grammar->exprs;
    pare_minimum sum = {.pick = PARE_NO_INDEX};
    for (pare_index c = exprs[sequence].first; c != PARE_NO_INDEX; c = exprs[c].next) {
        sum.size_bytes = add_sizes(sum.size_bytes, run->minimal->exprs[c].size_bytes);
        sum.n_tokens = add_counts(sum.n_tokens, run->minimal->exprs[c].n_tokens);
    }
    settle(run, sequence, sum);
}

/* Tells who waits for `expr` that it is final. */
static void tell(struct run *run, pare_index expr)
{
    const pare_links *links = &run->minimal->analysis->links;
    pare_index parent = links->parent[expr];
    pare_minimum value = run->minimal->exprs[expr];
    value.pick = expr;
    if (parent == PARE_NO_INDEX) {
        for (pare_index use = links->first_use[links->rule[expr]]; use != PARE_NO_INDEX;
             use = links->next_use[use])
            settle(run, use, value);
    } else if (links->grammar->exprs[parent].kind != PARE_EXPR_SEQUENCE) {
        settle(run, parent, value);
    } else if (--run->missing[parent] == 0) {
        settle_sequence(run, parent);
    }
}

/* --- leaves ---------------------------------------------------------------- */

/* The smallest token type from .. to that has a text. */
static void try_tokens(const struct run *run, uint32_t from, uint32_t to, pare_minimum *best)
{
    for (uint32_t token = from; token <= to; token++) {
        uint64_t size = pare_minimal_token_size(run->minimal, token);
        if (size < best->size_bytes)
            *best = (pare_minimum){.size_bytes = size, .n_tokens = 1, .pick = token};
    }
}

static pare_minimum pick_token(const struct run *run, const pare_expr *expr)
{
    const pare_grammar *grammar = run->minimal->analysis->grammar;
    pare_minimum best = {.size_bytes = PARE_NO_MINIMUM, .pick = PARE_NO_INDEX};
    if (expr->kind == PARE_EXPR_TOKEN) {
        try_tokens(run, expr->token, expr->token, &best);
    } else if (expr->kind == PARE_EXPR_ANY) {
        try_tokens(run, 1, (uint32_t)grammar->n_tokens - 1, &best);
    } else {
        const pare_set *set = &grammar->sets[expr->set];
        for (uint32_t i = 0; i < set->n; i++)
            try_tokens(run, grammar->intervals[set->first + i].from,
                       grammar->intervals[set->first + i].to, &best);
    }
    return best;
}

static pare_minimum leaf(const struct run *run, const pare_expr *expr)
{
    const pare_grammar *grammar = run->minimal->analysis->grammar;
    pare_minimum value = {.pick = PARE_NO_INDEX};
    bool of_tokens = run->parser && !grammar->scannerless;
    switch (expr->kind) {
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_END:
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR: return value;
    case PARE_EXPR_TOKEN: return pick_token(run, expr);
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
        if (of_tokens) return pick_token(run, expr);
        value.pick = pare_minimal_character(grammar, expr);
        value.size_bytes =
            value.pick == PARE_NO_INDEX ? PARE_NO_MINIMUM : pare_minimal_utf8_size(value.pick);
        return value;
    case PARE_EXPR_LITERAL:
        for (uint32_t i = 0; i < expr->text.size; i++)
            value.size_bytes += pare_minimal_utf8_size(grammar->code_points[expr->text.offset + i]);
        return value;
    default: value.size_bytes = PARE_NO_MINIMUM; return value;
    }
}

/* --- the whole ------------------------------------------------------------- */

static void prepare(struct run *run)
{
    const pare_analysis *analysis = run->minimal->analysis;
    const pare_grammar *grammar = analysis->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        pare_index rule = analysis->links.rule[i];
        if (rule == PARE_NO_INDEX) continue;
        if ((grammar->rules[rule].kind == PARE_RULE_PARSER) != run->parser) continue;
        run->missing[i] = 0;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            run->missing[i]++;
        pare_minimum value = leaf(run, &grammar->exprs[i]);
        if (value.size_bytes != PARE_NO_MINIMUM) settle(run, (pare_index)i, value);
    }
}

static void run_rules(struct run *run, bool parser)
{
    run->parser = parser;
    prepare(run);
    while (run->n && !run->status)
        tell(run, pop(run));
}

/* The rule of each token type with the smallest text: its own, or one with `type`. */
static void find_token_rules(pare_minimal_texts *minimal)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    for (size_t i = 0; i < grammar->n_rules; i++) {
        const pare_rule *rule = &grammar->rules[i];
        if (rule->kind == PARE_RULE_LEXER && rule->token != PARE_NO_INDEX)
            pare_minimal_offer(minimal, rule->token, (pare_index)i);
    }
    for (size_t i = 0; i < grammar->n_tokens; i++)
        if (minimal->token_rules[i] == PARE_NO_INDEX && grammar->tokens[i].rule != PARE_NO_INDEX)
            minimal->token_rules[i] = grammar->tokens[i].rule;
}

void pare_minimal_done(pare_minimal_texts *minimal)
{
    pare_release(minimal->exprs);
    pare_release(minimal->token_rules);
    *minimal = (pare_minimal_texts){0};
}

pare_status pare_minimal_init(pare_minimal_texts *minimal, const pare_analysis *analysis,
                              pare_error *err)
{
    const pare_grammar *grammar = analysis->grammar;
    *minimal = (pare_minimal_texts){
        .analysis = analysis,
        .exprs = pare_alloc(grammar->n_exprs, sizeof *minimal->exprs),
        .token_rules = pare_alloc(grammar->n_tokens, sizeof *minimal->token_rules),
    };
    struct run run = {.minimal = minimal, .err = err};
    run.missing = pare_alloc_zero(grammar->n_exprs, sizeof *run.missing);
    run.heap = pare_alloc(grammar->n_exprs, sizeof *run.heap);
    if (minimal->exprs && minimal->token_rules && run.missing && run.heap) {
        for (size_t i = 0; i < grammar->n_exprs; i++)
            minimal->exprs[i] =
                (pare_minimum){.size_bytes = PARE_NO_MINIMUM, .pick = PARE_NO_INDEX};
        for (size_t i = 0; i < grammar->n_tokens; i++)
            minimal->token_rules[i] = PARE_NO_INDEX;
        run_rules(&run, false);
        find_token_rules(minimal);
        if (!run.status) run_rules(&run, true);
    } else {
        run.status = pare_fail_nomem(err);
    }
    pare_release(run.missing);
    pare_release(run.heap);
    pare_buffer_done(&run.left);
    pare_buffer_done(&run.right);
    if (run.status) pare_minimal_done(minimal);
    return run.status;
}
