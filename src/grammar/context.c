/* The smallest text around each rule: shortest paths from the start rule, by relaxation.
 *
 * An edge is a use of a rule in a body; its length is what the minimal texts beside the use
 * take.  Rounds over all uses until nothing changes (Bellman and Ford): lengths are known and
 * not negative, so a heap would be faster at worst, but a few rounds suffice for grammars,
 * whose nesting is shallow, and only the nearest use of each rule is kept.
 *
 * Texts are put together from the inside out: a use gives way to the text of its rule, and
 * what stands beside it on each level of its body goes on either side.
 * Source: see context.h. */
#include "grammar/context.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"

void pare_contexts_done(pare_contexts *contexts)
{
    pare_alloc_free(contexts->sizes);
    pare_alloc_free(contexts->via);
    *contexts = (pare_contexts){0};
}

/* --- the shortest path ---------------------------------------------------------------------- */

static uint64_t add(uint64_t a, uint64_t b)
{
    return a == PARE_NO_MINIMUM || b == PARE_NO_MINIMUM || a + b < a ? PARE_NO_MINIMUM : a + b;
}

/* Bytes of the minimal texts that stand beside `expr` in its rule. */
static uint64_t beside(const pare_minimal_texts *minimal, pare_index expr)
{
    const pare_links *links = &minimal->analysis->links;
    const pare_expr *exprs = minimal->analysis->grammar->exprs;
    uint64_t size = 0;
    for (pare_index above; (above = links->parent[expr]) != PARE_NO_INDEX; expr = above) {
        if (exprs[above].kind != PARE_EXPR_SEQUENCE) continue;
        for (pare_index c = exprs[above].first; c != PARE_NO_INDEX; c = exprs[c].next)
            if (c != expr) size = add(size, minimal->exprs[c].size_bytes);
    }
    return size;
}

/* One round over all uses; whether it made a context smaller. */
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

/* The lengths of uses do not change, so they are computed before the rounds. */
pare_status pare_contexts_init(pare_contexts *contexts, const pare_minimal_texts *minimal,
                               pare_index start, pare_error *err)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    *contexts = (pare_contexts){.minimal = minimal,
                                .sizes = pare_alloc(grammar->n_rules, sizeof(uint64_t)),
                                .via = pare_alloc(grammar->n_rules, sizeof(pare_index))};
    uint64_t *lengths = pare_alloc_zero(grammar->n_exprs, sizeof *lengths);
    bool made = contexts->sizes && contexts->via && lengths;
    for (size_t i = 0; made && i < grammar->n_rules; i++) {
        contexts->sizes[i] = i == start ? 0 : PARE_NO_MINIMUM;
        contexts->via[i] = PARE_NO_INDEX;
    }
    for (size_t i = 0; made && i < grammar->n_exprs; i++)
        if (grammar->exprs[i].kind == PARE_EXPR_RULE) lengths[i] = beside(minimal, (pare_index)i);
    while (made && relax(contexts, lengths))
        ;
    pare_alloc_free(lengths);
    assert(!made || start >= grammar->n_rules || contexts->via[start] == PARE_NO_INDEX);
    if (made) return PARE_OK;
    pare_contexts_done(contexts);
    return pare_fail_nomem(err);
}

/* --- texts ---------------------------------------------------------------------------------- */

/* A text that grows on both sides. */
struct growing {
    const pare_contexts *contexts;
    pare_joining joining;
    pare_buffer text, piece, swap;
    size_t begin; /* of the inner text */
    pare_error *err;
};

static bool is_spaced(const struct growing *growing, const pare_buffer *left,
                      const pare_buffer *right)
{
    if (!left->size || !right->size) return false;
    if (!growing->joining.needs_space) return true;
    return growing->joining.needs_space(growing->joining.context, left->data, left->size,
                                        right->data, right->size);
}

/* Puts the minimal text of `expr` before or after what there is. */
static pare_status put(struct growing *growing, pare_index expr, bool before)
{
    pare_buffer *text = &growing->text, *piece = &growing->piece, *swap = &growing->swap;
    pare_buffer_reset(piece);
    pare_buffer_reset(swap);
    pare_status status =
        pare_minimal_text(growing->contexts->minimal, expr, growing->joining.needs_space,
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

/* Puts what stands in the sequence `above` beside `expr` on either side of the text. */
static pare_status put_beside(struct growing *growing, pare_index above, pare_index expr)
{
    const pare_expr *exprs = growing->contexts->minimal->analysis->grammar->exprs;
    pare_status status = PARE_OK;
    /* Those before it from the nearest on: the last one before each that was put. */
    for (pare_index stop = expr; !status && exprs[above].first != stop;) {
        pare_index c = exprs[above].first;
        while (exprs[c].next != stop)
            c = exprs[c].next;
        status = put(growing, c, true);
        stop = c;
    }
    for (pare_index c = exprs[expr].next; !status && c != PARE_NO_INDEX; c = exprs[c].next)
        status = put(growing, c, false);
    return status;
}

/* From the rule upwards: what stands beside each operand of a sequence on the way to the start
 * rule. */
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

/* Built in a buffer of its own, since it grows on both sides. */
pare_status pare_contexts_text(const pare_contexts *contexts, pare_context_inner inner,
                               pare_joining joining, pare_buffer *text, size_t *begin,
                               pare_error *err)
{
    struct growing growing = {.contexts = contexts, .joining = joining, .err = err};
    if (contexts->sizes[inner.rule] == PARE_NO_MINIMUM)
        return pare_fail(err, PARE_E_LIMIT, "the rule is not reached by a finite text");
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
