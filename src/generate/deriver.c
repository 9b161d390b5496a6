/* Parser rules by a stack of frames.
 *
 * Invariant: `pending` is the sum of the least tokens of all that is on the stack and not
 * begun, so tokens made + pending + those of a choice's way are what the text will have at
 * least. */
#include "generate/deriver.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "generate/deriver_plain.h"
#include "generate/deriver_run.h"
#include "generate/glue.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum { ROUND_LABEL = 0x40000000 }; /* and the quantifier: labels of spans of rounds */

/* --- choices ---------------------------------------------------------------------- */

static bool fits(const struct pare_deriver *d, pare_least least)
{
    return least.depth <= d->options.max_depth -
                              (d->depth < d->options.max_depth ? d->depth : d->options.max_depth) &&
           (uint64_t)d->tokens + d->pending + least.tokens <= d->options.max_tokens;
}

pare_status pare_deriver_choose_way(struct pare_deriver_run *run, pare_index expr,
                                    const pare_way **way)
{
    struct pare_deriver *d = run->d;
    const pare_ways *ways = &d->blueprint->choices[d->blueprint->details[expr]];
    uint32_t n = 0, found = 0;
    pare_status status;
    if (fits(d, (pare_least){ways->depth, ways->tokens})) {
        status = pare_deriver_pick(run, ways, ways->n, false, &found);
    } else {
        for (uint32_t i = 0; i < ways->n; i++)
            if (fits(d, d->blueprint->ways[ways->first + i].least)) d->fitting[n++] = i;
        status =
            n ? pare_deriver_pick(run, ways, n, true, &found)
              : pare_deriver_pick(run, ways, pare_deriver_count_smallest(d, ways), false, &found);
    }
    *way = &d->blueprint->ways[found];
    return status;
}

/* --- parser rules ----------------------------------------------------------------------- */

pare_status pare_deriver_push(struct pare_deriver_run *run, pare_deriver_frame frame)
{
    struct pare_deriver *d = run->d;
    if (d->n_frames == d->capacity) {
        pare_deriver_frame *grown =
            pare_vector_grow(d->frames, d->n_frames, &d->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(run->err);
        d->frames = grown;
    }
    d->frames[d->n_frames++] = frame;
    return PARE_OK;
}

static pare_status enter_rule(struct pare_deriver_run *run, pare_index rule, pare_index *next)
{
    *next = run->d->grammar->rules[rule].body;
    run->d->depth++;
    const pare_deriver_hooks *hooked = &run->d->hooked;
    pare_status status = pare_deriver_open_span(run, rule);
    if (!status)
        status = pare_deriver_push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_RULE});
    if (status || !hooked->hooks) return status;
    status = pare_deriver_enter_hooked(run, hooked->rules[rule], rule, next);
    if (status || *next == PARE_NO_INDEX) return status;
    return pare_deriver_enter_hooked(run, hooked->alone[rule], rule, next);
}

/* Begins a way of a choice. */
static pare_status enter_way(struct pare_deriver_run *run, pare_index choice, const pare_way *way,
                             pare_index *next)
{
    const struct pare_deriver *d = run->d;
    *next = way->expr;
    if (!d->hooked.hooks) return PARE_OK;
    pare_hook_pair pair = d->hooked.ways[way - d->blueprint->ways];
    return pare_deriver_enter_hooked(run, pair, d->blueprint->rule_of[choice], next);
}

/* A token of the grammar, or the end. */
static pare_status put_symbol(struct pare_deriver_run *run, pare_index expr)
{
    struct pare_deriver *d = run->d;
    pare_index token = d->grammar->exprs[expr].token;
    if (token != PARE_TOKEN_END)
        return pare_deriver_put_token(run, d->blueprint->rule_of[expr], token);
    d->ended = true;
    return PARE_OK;
}

/* Begins an expression whose least tokens are not pending any more; *next is one that is to
 * be begun in its place. */
static pare_status begin(struct pare_deriver_run *run, pare_index expr, pare_index *next)
{
    struct pare_deriver *d = run->d;
    const pare_expr *e = &d->grammar->exprs[expr];
    const pare_way *way = NULL;
    pare_status status = PARE_OK;
    *next = PARE_NO_INDEX;
    switch (e->kind) {
    case PARE_EXPR_SEQUENCE:
        d->pending += d->blueprint->exprs[expr].tokens;
        return pare_deriver_push(run,
                                 (pare_deriver_frame){.kind = PARE_FRAME_NEXT, .expr = e->first});
    case PARE_EXPR_CHOICE:
        status = pare_deriver_choose_way(run, expr, &way);
        return status ? status : enter_way(run, expr, way, next);
    case PARE_EXPR_PLUS: d->pending += d->blueprint->exprs[e->first].tokens; /* fallthrough */
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        return pare_deriver_push(run, (pare_deriver_frame){.kind = PARE_FRAME_LOOP, .expr = expr});
    case PARE_EXPR_RULE: return enter_rule(run, e->rule, next);
    case PARE_EXPR_TOKEN: return put_symbol(run, expr);
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
        if (d->grammar->scannerless) return pare_deriver_put_character(run, expr, run->text);
        status = pare_deriver_choose_way(run, expr, &way);
        return status ? status
                      : pare_deriver_put_token(run, d->blueprint->rule_of[expr], way->token);
    case PARE_EXPR_LITERAL: d->tokens++; return pare_deriver_put_literal(run, e, run->text);
    case PARE_EXPR_END: d->ended = true; break;
    case PARE_EXPR_EMPTY: break;
    }
    return PARE_OK;
}

/* Another round of the quantifier on top of the stack, or its end. */
static pare_status go_round(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    pare_deriver_frame *frame = &d->frames[d->n_frames - 1];
    pare_index quantifier = frame->expr;
    const pare_expr *e = &d->grammar->exprs[quantifier];
    pare_least least = d->blueprint->exprs[e->first];
    bool first = !frame->begun, more = first && e->kind == PARE_EXPR_PLUS;
    bool possible = first || e->kind != PARE_EXPR_OPTIONAL;
    pare_status status = pare_deriver_open_span(run, ROUND_LABEL + quantifier);
    if (!status && more)
        d->pending -= least.tokens;
    else if (!status && possible && least.depth != PARE_NO_SIZE && fits(d, least))
        status = pare_deriver_choose_more(run, quantifier, &more);
    if (status) return status;
    if (!more) {
        d->n_frames--;
        pare_choices_close(run->choices);
        return PARE_OK;
    }
    frame->begun = true;
    *next = e->first;
    if (!pare_choices_have_spans(run->choices)) return PARE_OK;
    return pare_deriver_push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_ROUND});
}

/* Makes the tokens that come next in the sequence on top of the stack; *next is what comes
 * then.  The frame goes when nothing comes behind that. */
static pare_status go_on(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    const pare_expr *exprs = d->grammar->exprs;
    size_t top = d->n_frames - 1;
    pare_index expr = d->frames[top].expr;
    pare_status status = PARE_OK;
    while (!status && expr != PARE_NO_INDEX && exprs[expr].kind == PARE_EXPR_TOKEN) {
        d->pending -= d->blueprint->exprs[expr].tokens;
        status = put_symbol(run, expr);
        expr = exprs[expr].next;
    }
    if (expr != PARE_NO_INDEX) {
        d->pending -= d->blueprint->exprs[expr].tokens;
        d->frames[top].expr = exprs[expr].next;
    }
    if (expr == PARE_NO_INDEX || exprs[expr].next == PARE_NO_INDEX) d->n_frames--;
    *next = expr;
    return status;
}

/* One step with the frame on top. */
static pare_status step(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    pare_deriver_frame *frame = &d->frames[d->n_frames - 1];
    *next = PARE_NO_INDEX;
    switch (frame->kind) {
    case PARE_FRAME_NEXT: return go_on(run, next);
    case PARE_FRAME_LOOP: return go_round(run, next);
    case PARE_FRAME_LEAVE_HOOKED: d->n_frames--; return pare_deriver_leave_hooked(run);
    case PARE_FRAME_LEAVE_RULE: d->depth--; /* fallthrough */
    case PARE_FRAME_LEAVE_ROUND: d->n_frames--; pare_choices_close(run->choices);
    }
    return PARE_OK;
}

static pare_status run_deriver(void *self, pare_choices *choices, pare_buffer *text,
                               pare_error *err)
{
    struct pare_deriver_run run = {self, choices, text, err};
    struct pare_deriver *d = self;
    pare_index next = PARE_NO_INDEX;
    d->n_frames = 0;
    d->depth = d->tokens = d->pending = 0;
    d->ended = false;
    if (d->glue) pare_glue_start(d->glue);
    d->plain = pare_deriver_is_plain(&run);
    if (d->plain) return pare_deriver_run_plain(&run);
    pare_deriver_hooks_start(d);
    pare_status status = enter_rule(&run, d->start, &next);
    while (!status && (next != PARE_NO_INDEX || d->n_frames))
        status = next != PARE_NO_INDEX ? begin(&run, next, &next) : step(&run, &next);
    return status;
}

pare_status pare_deriver_make(struct pare_deriver_run *run, pare_index expr)
{
    size_t n_frames = run->d->n_frames;
    pare_index next = expr;
    pare_status status = PARE_OK;
    while (!status && (next != PARE_NO_INDEX || run->d->n_frames > n_frames))
        status = next != PARE_NO_INDEX ? begin(run, next, &next) : step(run, &next);
    return status;
}

pare_generator pare_deriver_generator(pare_deriver *deriver)
{
    return (pare_generator){.self = deriver, .run = run_deriver};
}

/* --- life -------------------------------------------------------------------------------- */

void pare_deriver_start_with(pare_deriver *d, pare_index rule)
{
    d->start = rule;
}

void pare_deriver_linger(pare_deriver *d, double factor)
{
    d->linger = factor;
}

void pare_deriver_limit(pare_deriver *d, uint32_t max_depth, uint32_t max_tokens)
{
    d->options.max_depth = max_depth ? max_depth : PARE_DERIVER_DEPTH;
    d->options.max_tokens = max_tokens ? max_tokens : PARE_DERIVER_TOKENS;
}

void pare_deriver_warm(pare_deriver *d)
{
    const pare_blueprint *blueprint = d->blueprint;
    if (!d->weights) return;
    for (size_t i = 0; i < blueprint->n_choices; i++) {
        const pare_ways *ways = &blueprint->choices[i];
        for (uint32_t k = 0; k < ways->n; k++)
            d->weights[ways->first + k] = ways->weights ? ways->weights[k] : 1;
    }
}

static bool is_weighted(const pare_blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->n_choices; i++)
        if (blueprint->choices[i].weights) return true;
    return false;
}

static pare_status allocate(struct pare_deriver *d, pare_error *err)
{
    size_t n = d->blueprint->n_ways;
    bool cools = d->options.cooldown > 0 && d->options.cooldown < 1;
    bool weighted = cools || is_weighted(d->blueprint);
    d->covered = pare_alloc_zero(n, sizeof *d->covered);
    d->fitting = pare_alloc(n, sizeof *d->fitting);
    if (weighted) d->weights = pare_alloc(n, sizeof *d->weights);
    if (weighted) d->chances = pare_alloc(n, sizeof *d->chances);
    if (!d->covered || !d->fitting || (weighted && (!d->weights || !d->chances)))
        return pare_fail_nomem(err);
    pare_deriver_warm(d);
    return PARE_OK;
}

pare_status pare_deriver_new(const pare_blueprint *blueprint, pare_index start,
                             const pare_deriver_options *options, pare_deriver **out,
                             pare_error *err)
{
    pare_deriver *d = pare_alloc_zero(1, sizeof *d);
    if (!d) return pare_fail_nomem(err);
    d->blueprint = blueprint;
    d->grammar = blueprint->grammar;
    d->start = start;
    d->linger = 1;
    d->options = *options;
    pare_deriver_limit(d, options->max_depth, options->max_tokens);
    pare_status status = allocate(d, err);
    if (!status && !d->grammar->scannerless && !options->unread)
        status = pare_glue_new(blueprint, &d->glue, err);
    if (!status && d->glue) status = pare_deriver_plain_init(d, err);
    if (!status) status = pare_deriver_hooks_init(d, options->hooks, err);
    if (status) {
        pare_deriver_free(d);
        return status;
    }
    *out = d;
    return PARE_OK;
}

void pare_deriver_free(pare_deriver *d)
{
    if (!d) return;
    pare_glue_free(d->glue);
    pare_deriver_hooks_done(d);
    pare_deriver_plain_done(d);
    pare_buffer_done(&d->piece);
    pare_release(d->frames);
    pare_release(d->weights);
    pare_release(d->covered);
    pare_release(d->fitting);
    pare_release(d->chances);
    pare_release(d);
}

const uint8_t *pare_deriver_covered(const pare_deriver *d, size_t *n)
{
    *n = d->blueprint->n_ways;
    return d->covered;
}
