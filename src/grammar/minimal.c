/* Minimal texts: expressions become final in ascending order, from a heap, as in Dijkstra's
 * search for shortest paths.
 *
 * An expression enters the heap once, when its value is known: a leaf at once, a sequence
 * with its last child, anything else with its first child, which is its smallest.  Lexer
 * rules are done first, since a token's text is one of theirs.
 * Invariant: what leaves the heap is at least what left it before, so the first value that an
 * expression gets is its smallest, and recursion needs no special care: a rule that only
 * derives itself never enters.  O(n log n) comparisons for n expressions.
 *
 * Only sizes and picks are kept.  A text is written by a walk over the picks with a stack of
 * its own, since a minimal text may be as deep as the grammar is large.
 * Source: Knuth, "A generalization of Dijkstra's algorithm", IPL 6(1), 1977. */

#include "grammar/minimal.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/vector.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/unicode.h"

enum { LONGEST_TEXT = 1 << 20 }; /* bytes, and tokens */

/* --- sizes ----------------------------------------------------------------- */

/* Bytes of a code point in UTF-8. */
static uint64_t utf8_size(uint32_t code_point)
{
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

/* The character taken for a SET or ANY of characters; PARE_NO_INDEX: the set is empty.
 *
 * The first visible ASCII character, else a space, tab or line end, else the first.  Visible,
 * so that a text can be read and printed; not a blank, which might be skipped by the lexer
 * where a token begins. */
static uint32_t pick_character(const pare_grammar *grammar, const pare_expr *expr)
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

/* Bytes of a token's minimal text; PARE_NO_MINIMUM: it has none. The end of the file is no text and
 * costs nothing. */
static uint64_t token_size(const pare_minimal_texts *minimal, pare_index token)
{
    pare_index rule = minimal->token_rules[token];
    if (token == PARE_TOKEN_END) return 0;
    return rule == PARE_NO_INDEX ? PARE_NO_MINIMUM : pare_minimal_rule(minimal, rule).size_bytes;
}

/* Makes `rule` the one a token's text is from, if it has the smaller text.  The first of equal
 * rules stays, so that the choice follows the order of the grammar. */
static void offer(pare_minimal_texts *minimal, pare_index token, pare_index rule)
{
    if (pare_minimal_rule(minimal, rule).size_bytes < token_size(minimal, token))
        minimal->token_rules[token] = rule;
}

/* The state of one computation: lexer rules first, then parser rules. The heap holds expressions
 * whose value is final but which have not been told to others; each enters once, so n_exprs places
 * are enough. */
struct run {
    pare_minimal_texts *minimal;
    bool parser;       /* which rules are being done */
    uint32_t *missing; /* of each sequence: children that are not final yet */
    pare_index *heap;  /* base/heap.h; known expressions whose parents were not told */
    size_t n;
    pare_buffer left, right; /* texts compared */
    pare_status status;
    pare_error *err;
};

/* --- order ----------------------------------------------------------------- */

/* Whether a comes before b: by size, number of tokens and, for small ones, text, so that the
 * smallest text does not depend on the order of the rules.  Texts that are too long to
 * compare, and equal ones, go by index.  The comparison of texts makes this dear, O(256) at
 * worst, but only expressions of equal size and number of tokens come to it, and those are
 * mostly single tokens. */
static bool is_before(struct run *run, pare_index a, pare_index b)
{
    enum { LONGEST_COMPARED = 256 };
    const pare_minimum *x = &run->minimal->exprs[a], *y = &run->minimal->exprs[b];
    if (x->size_bytes != y->size_bytes) return x->size_bytes < y->size_bytes;
    if (x->n_tokens != y->n_tokens) return x->n_tokens < y->n_tokens;
    if (!x->size_bytes || x->size_bytes > LONGEST_COMPARED || run->status) return a < b;
    /* Both values are final, so their texts can be written already. */
    pare_buffer_reset(&run->left);
    pare_buffer_reset(&run->right);
    run->status = pare_minimal_text(run->minimal, a, NULL, NULL, &run->left, run->err);
    if (!run->status)
        run->status = pare_minimal_text(run->minimal, b, NULL, NULL, &run->right, run->err);
    if (run->status) return a < b;
    int order = strcmp(run->left.data, run->right.data);
    return order ? order < 0 : a < b;
}

/* The same for the heap, whose context is the address of the run. */
static bool comes_first(const void *a, const void *b, const void *context)
{
    struct run *const *run = context;
    return is_before(*run, *(const pare_index *)a, *(const pare_index *)b);
}

static pare_heap_order heap_order(struct run *const *run)
{
    return (pare_heap_order){sizeof(pare_index), comes_first, run};
}

/* --- values ---------------------------------------------------------------- */

/* Sizes stick at the largest one below PARE_NO_MINIMUM: the text is finite, but too long to
 * write. */
static uint64_t add_sizes(uint64_t a, uint64_t b)
{
    uint64_t most = PARE_NO_MINIMUM - 1;
    return b > most - a ? most : a + b;
}

static uint32_t add_counts(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* Gives an expression its value, and puts it into the heap.  The first value is the smallest,
 * so later ones change nothing.  Dijkstra's argument: what leaves the heap later is not
 * smaller, and so neither is any value made of it. */
static void settle(struct run *run, pare_index expr, pare_minimum value)
{
    pare_minimum *of = &run->minimal->exprs[expr];
    if (of->size_bytes != PARE_NO_MINIMUM) return;
    *of = value;
    assert(run->n < run->minimal->analysis->grammar->n_exprs);
    pare_heap_order order = heap_order(&run);
    pare_heap_push(&order, run->heap, run->n++, &expr);
}

/* Gives a sequence whose operands are all final their sum, the only value it can have. */
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

/* Tells those who wait for `expr` that it is final: its parent, or the uses of the rule whose
 * body it is.  Each edge of the grammar is followed once, so the whole is O(expressions)
 * besides the heap. */
static void tell(struct run *run, pare_index expr)
{
    const pare_links *links = &run->minimal->analysis->links;
    pare_index parent = links->parent[expr];
    pare_minimum value = run->minimal->exprs[expr];
    /* For a choice: the alternative that was taken. */
    value.pick = expr;
    /* A body.  The pick of a use is not looked at. */
    if (parent == PARE_NO_INDEX) {
        for (pare_index use = links->first_use[links->rule[expr]]; use != PARE_NO_INDEX;
             use = links->next_use[use])
            settle(run, use, value);
    } else if (links->grammar->exprs[parent].kind != PARE_EXPR_SEQUENCE) {
        settle(run, parent, value);
        /* A child that stands in the sequence is told once, so this reaches 0 when all are final. */
    } else if (--run->missing[parent] == 0) {
        settle_sequence(run, parent);
    }
}

/* --- leaves ---------------------------------------------------------------- */

/* The smallest token type from .. to that has a text.  A set of tokens, `~';'` say, may span
 * most of the grammar; it is walked for each use, which is some hundred steps. */
static void try_tokens(const struct run *run, uint32_t from, uint32_t to, pare_minimum *best)
{
    for (uint32_t token = from; token <= to; token++) {
        uint64_t size = token_size(run->minimal, token);
        if (size < best->size_bytes)
            *best = (pare_minimum){.size_bytes = size, .n_tokens = 1, .pick = token};
    }
}

/* The smallest of the token types that the expression allows; types without a text are passed
 * over. */
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

/* The value of an expression that waits for nothing; PARE_NO_MINIMUM for one that waits for
 * operands.  An option and a star are known at once: their minimum is nothing, whatever they
 * hold. */
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
        value.pick = pick_character(grammar, expr);
        value.size_bytes = value.pick == PARE_NO_INDEX ? PARE_NO_MINIMUM : utf8_size(value.pick);
        return value;
    case PARE_EXPR_LITERAL:
        for (uint32_t i = 0; i < expr->text.size; i++)
            value.size_bytes += utf8_size(grammar->code_points[expr->text.offset + i]);
        return value;
    default: value.size_bytes = PARE_NO_MINIMUM; return value;
    }
}

/* --- the whole ------------------------------------------------------------- */

/* Counts the operands that each sequence waits for, and gives values to what waits for
 * nothing.  Only rules of the kind that is being done take part. */
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

/* Gives all expressions of parser rules, or of the others, their values.  Parser rules need
 * the sizes of tokens, so they run after the lexer rules. */
static void run_rules(struct run *run, bool parser)
{
    run->parser = parser;
    prepare(run);
    /* The context of the order is the address of a pointer to the run, which outlives the
     * loop. */
    pare_heap_order order = heap_order(&run);
    uint64_t last_bytes = 0; /* of what left the heap last */
    while (run->n && !run->status) {
        pare_index expr;
        pare_heap_pop(&order, run->heap, run->n--, &expr);
        assert(run->minimal->exprs[expr].size_bytes >= last_bytes);
        last_bytes = run->minimal->exprs[expr].size_bytes;
        tell(run, expr);
    }
    (void)last_bytes;
}

/* Finds the rule with the smallest text of each token type: the type's own, or one that makes
 * it by a `type` command.  By now lexer rules have their sizes.  A type that several rules make
 * has the text of the smallest. */
static void find_token_rules(pare_minimal_texts *minimal)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    for (size_t i = 0; i < grammar->n_rules; i++) {
        const pare_rule *rule = &grammar->rules[i];
        if (rule->kind == PARE_RULE_LEXER && rule->token != PARE_NO_INDEX)
            offer(minimal, rule->token, (pare_index)i);
    }
    /* The remaining token types are made by commands only, or have no finite text. */
    for (size_t i = 0; i < grammar->n_tokens; i++)
        if (minimal->token_rules[i] == PARE_NO_INDEX && grammar->tokens[i].rule != PARE_NO_INDEX)
            minimal->token_rules[i] = grammar->tokens[i].rule;
}

void pare_minimal_done(pare_minimal_texts *minimal)
{
    pare_alloc_free(minimal->exprs);
    pare_alloc_free(minimal->token_rules);
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
    pare_alloc_free(run.missing);
    pare_alloc_free(run.heap);
    pare_buffer_done(&run.left);
    pare_buffer_done(&run.right);
    if (run.status) pare_minimal_done(minimal);
    return run.status;
}

/* --- the walk -------------------------------------------------------------- */

/* A walk over the expressions of a minimal text: those still to be written, the next one last.
 * Depth first and from left to right: leaves come out in the order of the text. */
struct walk {
    const pare_minimal_texts *minimal;
    pare_index *stack; /* owned */
    size_t n, capacity;
    pare_error *err;
};

static pare_status push_expr(struct walk *walk, pare_index expr)
{
    pare_index *stack = pare_vector_grow(walk->stack, walk->n, &walk->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(walk->err);
    walk->stack = stack;
    walk->stack[walk->n++] = expr;
    return PARE_OK;
}

/* Pushes the children that are not empty, so that the first is on top.  They are pushed in
 * reverse by swapping, since lists of children go forward only. */
static pare_status push_children(struct walk *walk, pare_index first)
{
    const pare_expr *exprs = walk->minimal->analysis->grammar->exprs;
    size_t start = walk->n;
    pare_status status = PARE_OK;
    /* Empty ones would only cost steps. */
    for (pare_index c = first; c != PARE_NO_INDEX && !status; c = exprs[c].next)
        if (walk->minimal->exprs[c].size_bytes) status = push_expr(walk, c);
    for (size_t i = start, k = walk->n; i + 1 < k; i++) {
        k--;
        pare_index swapped = walk->stack[i];
        walk->stack[i] = walk->stack[k];
        walk->stack[k] = swapped;
    }
    return status;
}

/* Goes on to the next leaf; *leaf is PARE_NO_INDEX at the end. */
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
        case PARE_EXPR_CHOICE: status = push_expr(walk, walk->minimal->exprs[index].pick); break;
        case PARE_EXPR_RULE: status = push_expr(walk, grammar->rules[expr->rule].body); break;
        default: *leaf = index; return PARE_OK;
        }
        if (status) return status;
    }
    *leaf = PARE_NO_INDEX;
    return PARE_OK;
}

/* Begins a walk.  Refuses texts that would be larger than LONGEST_TEXT before anything is
 * written, for sizes are known and a minimal text may be exponentially long. */
static pare_status start(struct walk *walk, const pare_minimal_texts *minimal, pare_index expr,
                         pare_error *err)
{
    const pare_minimum *of = &minimal->exprs[expr];
    *walk = (struct walk){.minimal = minimal, .err = err};
    if (of->size_bytes == PARE_NO_MINIMUM)
        return pare_fail(err, PARE_E_LIMIT, "the expression has no finite text");
    if (of->size_bytes > LONGEST_TEXT || of->n_tokens > LONGEST_TEXT)
        return pare_fail(err, PARE_E_LIMIT, "the minimal text is longer than 1 MiB");
    return push_expr(walk, expr);
}

/* --- texts ----------------------------------------------------------------- */

/* Appends the text of a leaf of characters: a literal, or the character that was picked of a
 * set.  No separator: leaves of a lexer rule are characters of one token. */
static pare_status add_leaf(const pare_minimal_texts *minimal, pare_index leaf, pare_buffer *text,
                            pare_error *err)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    const pare_expr *expr = &grammar->exprs[leaf];
    if (expr->kind != PARE_EXPR_LITERAL)
        return pare_unicode_append(text, minimal->exprs[leaf].pick, err);
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < expr->text.size && !status; i++)
        status = pare_unicode_append(text, grammar->code_points[expr->text.offset + i], err);
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
    pare_alloc_free(walk.stack);
    return status;
}

/* The default mode where no rule makes the token: such a token has no text to be lexed. */
pare_index pare_minimal_mode(const pare_minimal_texts *minimal, pare_index token)
{
    pare_index rule = minimal->token_rules[token];
    return rule == PARE_NO_INDEX ? 0 : minimal->analysis->grammar->rules[rule].mode;
}

pare_status pare_minimal_token(const pare_minimal_texts *minimal, pare_index token,
                               pare_buffer *text, pare_error *err)
{
    pare_index rule = minimal->token_rules[token];
    if (token == PARE_TOKEN_END) return PARE_OK;
    if (rule == PARE_NO_INDEX) return pare_fail(err, PARE_E_LIMIT, "no lexer rule makes the token");
    return add_characters(minimal, minimal->analysis->grammar->rules[rule].body, text, err);
}

/* A text of tokens under way.  `last` is where the last token begins in `text`, because only
 * that token and the new one decide whether a space is needed. */
struct joiner {
    const pare_minimal_texts *minimal;
    pare_minimal_needs_space needs_space; /* NULL: spaces between all */
    void *context;                        /* its argument */
    pare_buffer *text;
    size_t last; /* where the last token begins; SIZE_MAX: there is none */
};

/* Whether a space goes before `piece`; the first token has none before it. */
static bool has_space(const struct joiner *joiner, const pare_buffer *piece)
{
    if (joiner->last == SIZE_MAX) return false;
    if (!joiner->needs_space) return true;
    return joiner->needs_space(joiner->context, joiner->text->data + joiner->last,
                               joiner->text->size - joiner->last, piece->data, piece->size);
}

/* Appends a token, after a space if it needs one.  Written to a buffer of its own first, since
 * the answer to "does it need a space" depends on it. */
static pare_status join(struct joiner *joiner, pare_index token, pare_error *err)
{
    pare_buffer piece = {0};
    pare_status status = pare_minimal_token(joiner->minimal, token, &piece, err);
    if (!status && piece.size) {
        if (has_space(joiner, &piece)) status = pare_buffer_text(joiner->text, " ", err);
        joiner->last = joiner->text->size;
        if (!status) status = pare_buffer_add(joiner->text, piece.data, piece.size, err);
    }
    pare_buffer_done(&piece);
    return status;
}

/* An expression of a parser rule is a text of tokens, with spaces where they are needed; any
 * other one is a text of characters. */
pare_status pare_minimal_text(const pare_minimal_texts *minimal, pare_index expr,
                              pare_minimal_needs_space needs_space, void *context,
                              pare_buffer *text, pare_error *err)
{
    const pare_analysis *analysis = minimal->analysis;
    pare_index rule = analysis->links.rule[expr], leaf = PARE_NO_INDEX;
    struct joiner joiner = {minimal, needs_space, context, text, SIZE_MAX};
    bool of_tokens = rule != PARE_NO_INDEX && !analysis->grammar->scannerless &&
                     analysis->grammar->rules[rule].kind == PARE_RULE_PARSER;
    if (!of_tokens) return add_characters(minimal, expr, text, err);
    struct walk walk;
    pare_status status = start(&walk, minimal, expr, err);
    while (!status && !(status = next_leaf(&walk, &leaf)) && leaf != PARE_NO_INDEX)
        status = join(&joiner, minimal->exprs[leaf].pick, err);
    pare_alloc_free(walk.stack);
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
    pare_alloc_free(walk.stack);
    return status;
}

/* --- contexts ---------------------------------------------------------------
 *
 * The smallest text around each rule: shortest paths from the start rule, by relaxation.
 *
 * An edge is a use of a rule in a body; its length is what the minimal texts beside the use
 * take.  Rounds over all uses are repeated until nothing changes (Bellman and Ford): lengths
 * are known and not negative, so a heap would be faster at worst, but a few rounds suffice for
 * grammars, whose nesting is shallow, and only the nearest use of each rule is kept.
 *
 * Texts are put together from the inside out: a use gives way to the text of its rule, and
 * what stands beside it on each level of its body goes on either side. */

void pare_minimal_contexts_done(pare_contexts *contexts)
{
    pare_alloc_free(contexts->sizes);
    pare_alloc_free(contexts->via);
    *contexts = (pare_contexts){0};
}

/* --- the shortest path ---------------------------------------------------------------------- */

/* Sum of sizes, of which one may be infinite. */
static uint64_t add(uint64_t a, uint64_t b)
{
    return a == PARE_NO_MINIMUM || b == PARE_NO_MINIMUM || a + b < a ? PARE_NO_MINIMUM : a + b;
}

/* What the operands of a sequence take together: the sum of those that have a finite text, and how
 * many have none. */
struct operands {
    uint64_t size;
    uint32_t n_infinite;
};

/* Fills `of`, by expression, for sequences.  Once, and not for each operand: a sequence may have as
 * many as the grammar. */
static void add_operands(const pare_minimal_texts *minimal, struct operands *of)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        if (grammar->exprs[i].kind != PARE_EXPR_SEQUENCE) continue;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX;
             c = grammar->exprs[c].next) {
            const uint64_t size = minimal->exprs[c].size_bytes;
            of[i].n_infinite += size == PARE_NO_MINIMUM;
            if (size != PARE_NO_MINIMUM) of[i].size = add(of[i].size, size);
        }
    }
}

/* Bytes of the minimal texts that stand beside `expr` in its rule. */
static uint64_t beside(const pare_minimal_texts *minimal, const struct operands *of,
                       pare_index expr)
{
    const pare_links *links = &minimal->analysis->links;
    const pare_expr *exprs = minimal->analysis->grammar->exprs;
    uint64_t size = 0;
    for (pare_index above; (above = links->parent[expr]) != PARE_NO_INDEX; expr = above) {
        if (exprs[above].kind != PARE_EXPR_SEQUENCE) continue;
        const uint64_t own = minimal->exprs[expr].size_bytes;
        const bool is_finite = own != PARE_NO_MINIMUM;
        if (of[above].n_infinite != !is_finite || of[above].size == PARE_NO_MINIMUM)
            return PARE_NO_MINIMUM;
        size = add(size, of[above].size - (is_finite ? own : 0));
    }
    return size;
}

/* One round over all uses.  Returns whether it made a context smaller.  A context that is not
 * known yet is infinite and relaxes nothing. */
static bool relax(pare_contexts *contexts, const uint64_t *lengths)
{
    const pare_links *links = &contexts->minimal->analysis->links;
    const pare_grammar *grammar = contexts->minimal->analysis->grammar;
    bool changed = false;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        pare_index owner = links->rule[i];
        if (owner == PARE_NO_INDEX || grammar->exprs[i].kind != PARE_EXPR_RULE) continue;
        uint64_t size = add(contexts->sizes[owner], lengths[i]);
        pare_index rule = grammar->exprs[i].rule;
        if (size >= contexts->sizes[rule]) continue;
        contexts->sizes[rule] = size;
        contexts->via[rule] = (pare_index)i;
        changed = true;
    }
    return changed;
}

/* The lengths of uses do not change, so they are computed before the rounds.  The start rule
 * has an empty context and no use before it.  The loop ends: each round but the last makes at
 * least one of finitely many lengths smaller, and no cycle is negative. */
pare_status pare_minimal_contexts_init(pare_contexts *contexts, const pare_minimal_texts *minimal,
                                       pare_index start, pare_error *err)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    *contexts = (pare_contexts){.minimal = minimal,
                                .sizes = pare_alloc(grammar->n_rules, sizeof(uint64_t)),
                                .via = pare_alloc(grammar->n_rules, sizeof(pare_index))};
    uint64_t *lengths = pare_alloc_zero(grammar->n_exprs, sizeof *lengths);
    struct operands *operands = pare_alloc_zero(grammar->n_exprs, sizeof *operands);
    bool made = contexts->sizes && contexts->via && lengths && operands;
    if (made) add_operands(minimal, operands);
    for (size_t i = 0; made && i < grammar->n_rules; i++) {
        contexts->sizes[i] = i == start ? 0 : PARE_NO_MINIMUM;
        contexts->via[i] = PARE_NO_INDEX;
    }
    for (size_t i = 0; made && i < grammar->n_exprs; i++)
        if (grammar->exprs[i].kind == PARE_EXPR_RULE)
            lengths[i] = beside(minimal, operands, (pare_index)i);
    while (made && relax(contexts, lengths))
        ;
    pare_alloc_free(lengths);
    pare_alloc_free(operands);
    assert(!made || start >= grammar->n_rules || contexts->via[start] == PARE_NO_INDEX);
    if (made) return PARE_OK;
    pare_minimal_contexts_done(contexts);
    return pare_fail_nomem(err);
}

/* --- texts ---------------------------------------------------------------------------------- */

/* A text that grows on both sides: built in `text`, with `swap` for the next state of it and
 * `piece` for what is put beside it.  Three buffers that change places: a text that grows to
 * the left would otherwise be moved for each piece. */
struct growing {
    const pare_contexts *contexts;
    pare_joining joining;
    pare_buffer text, piece, swap;
    size_t begin; /* of the inner text */
    pare_error *err;
};

/* Whether a space goes between the two texts; none goes beside an empty one. */
static bool is_spaced(const struct growing *growing, const pare_buffer *left,
                      const pare_buffer *right)
{
    if (!left->size || !right->size) return false;
    if (!growing->joining.needs_space) return true;
    return growing->joining.needs_space(growing->joining.context, left->data, left->size,
                                        right->data, right->size);
}

/* Puts the minimal text of `expr` before or after what there is.  Pieces are joined outwards,
 * so the space that is decided on is between the piece and what is at that end. */
static pare_status put(struct growing *growing, pare_index expr, bool before)
{
    pare_buffer *text = &growing->text, *piece = &growing->piece, *swap = &growing->swap;
    pare_buffer_reset(piece);
    pare_buffer_reset(swap);
    pare_status status =
        pare_minimal_text(growing->contexts->minimal, expr, growing->joining.needs_space,
                          /* Only the touching ends decide about the space, but callers get the
                           * whole texts. */
                          growing->joining.context, piece, growing->err);
    if (status || !piece->size) return status;
    const pare_buffer *left = before ? piece : text, *right = before ? text : piece;
    bool spaced = is_spaced(growing, left, right);
    if (left->size) status = pare_buffer_add(swap, left->data, left->size, growing->err);
    if (!status && spaced) status = pare_buffer_text(swap, " ", growing->err);
    if (!status && before) growing->begin += swap->size;
    if (!status && right->size)
        status = pare_buffer_add(swap, right->data, right->size, growing->err);
    pare_buffer other = *text;
    *text = *swap;
    *swap = other;
    return status;
}

/* Puts what stands in the sequence `above` beside `expr` on either side of the text.  Lists of
 * operands only lead forward, and those before `expr` are needed from the nearest on, so those of
 * them that have a text are noted first. */
static pare_status put_beside(struct growing *growing, pare_index above, pare_index expr)
{
    const pare_minimal_texts *minimal = growing->contexts->minimal;
    const pare_expr *exprs = minimal->analysis->grammar->exprs;
    pare_status status = PARE_OK;
    pare_index *before = NULL;
    size_t n = 0, capacity = 0;
    for (pare_index c = exprs[above].first; !status && c != expr; c = exprs[c].next) {
        if (!minimal->exprs[c].size_bytes) continue;
        pare_index *grown = pare_vector_grow(before, n, &capacity, sizeof *grown);
        if (grown) (before = grown)[n++] = c;
        if (!grown) status = pare_fail_nomem(growing->err);
    }
    while (!status && n > 0)
        status = put(growing, before[--n], true);
    pare_alloc_free(before);
    for (pare_index c = exprs[expr].next; !status && c != PARE_NO_INDEX; c = exprs[c].next)
        status = put(growing, c, false);
    return status;
}

/* Surrounds the text of `rule` from the inside out: at each expression on the way up, what
 * stands beside it in its sequence; at a body, on to the nearest use of its rule.  The start
 * rule has no use, which ends the way. */
static pare_status surround(struct growing *growing, pare_index rule)
{
    const pare_analysis *analysis = growing->contexts->minimal->analysis;
    const pare_expr *exprs = analysis->grammar->exprs;
    pare_index expr = growing->contexts->via[rule];
    pare_status status = PARE_OK;
    while (!status && expr != PARE_NO_INDEX) {
        pare_index above = analysis->links.parent[expr];
        if (above == PARE_NO_INDEX) {
            expr = growing->contexts->via[analysis->links.rule[expr]];
            continue;
        }
        if (exprs[above].kind == PARE_EXPR_SEQUENCE) status = put_beside(growing, above, expr);
        expr = above;
    }
    return status;
}

/* Built in a buffer of its own, because it grows on both sides. */
pare_status pare_minimal_context(const pare_contexts *contexts, pare_context_inner inner,
                                 pare_joining joining, pare_buffer *text, size_t *begin,
                                 pare_error *err)
{
    struct growing growing = {.contexts = contexts, .joining = joining, .err = err};
    if (contexts->sizes[inner.rule] == PARE_NO_MINIMUM)
        return pare_fail(err, PARE_E_LIMIT, "the rule is not reached by a finite text");
    if (contexts->sizes[inner.rule] > LONGEST_TEXT)
        return pare_fail(err, PARE_E_LIMIT, "the text around the rule is longer than 1 MiB");
    pare_status status = pare_buffer_add(&growing.text, inner.text, inner.size, err);
    if (!status) status = surround(&growing, inner.rule);
    size_t start = text->size;
    if (!status) status = pare_buffer_add(text, growing.text.data, growing.text.size, err);
    assert(status || growing.begin + inner.size <= growing.text.size);
    if (!status) *begin = start + growing.begin;
    pare_buffer_done(&growing.text);
    pare_buffer_done(&growing.piece);
    pare_buffer_done(&growing.swap);
    return status;
}
