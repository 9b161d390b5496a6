/* Grammar rules as steps.  An expression's steps stand one behind the other and end where what
 * follows it begins; only calls of rules need a stack. */
#include "generate/deriver_steps.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/vector.h"
#include "generate/blueprint.h"
#include "grammar/grammar.h"

struct layout {
    struct pare_deriver_steps *to;
    const struct pare_deriver *d;
    bool of_parser; /* the rule at hand */
    pare_error *err;
};

static pare_status add(struct layout *layout, pare_step step)
{
    struct pare_deriver_steps *to = layout->to;
    if (to->n == to->capacity) {
        pare_step *grown = pare_vector_grow(to->steps, to->n, &to->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(layout->err);
        to->steps = grown;
    }
    to->steps[to->n++] = step;
    return PARE_OK;
}

static pare_status lay_out(struct layout *layout, pare_index expr, uint32_t adds, uint32_t nesting);

/* What comes in front of a place that others jump to must not be added again. */
static pare_status add_before(struct layout *layout, uint32_t adds)
{
    uint32_t behind = (uint32_t)layout->to->n + 1;
    return adds ? add(layout, (pare_step){.kind = PARE_STEP_JUMP, .adds = adds, .at = behind})
                : PARE_OK;
}

/* A body that is gone through again: in the middle of it stands the step that asks whether. */
static pare_status lay_rounds(struct layout *layout, pare_index expr, uint32_t adds,
                              uint32_t nesting)
{
    const pare_expr *e = &layout->d->grammar->exprs[expr];
    const pare_least *least = &layout->d->blueprint->exprs[e->first];
    struct pare_deriver_steps *to = layout->to;
    /* unit >= 1 - chance, in whole numbers (pare_choices_unit) */
    double chance = (1 - layout->d->blueprint->chances[expr]) * 0x1p53;
    pare_step round = {.kind = PARE_STEP_ROUND,
                       .depth = least->depth,
                       .tokens_round = least->tokens,
                       .from = (uint64_t)chance};
    if ((double)round.from < chance) round.from++;
    pare_status status = PARE_OK;
    if (e->kind == PARE_EXPR_PLUS)
        status = add(layout,
                     (pare_step){.kind = PARE_STEP_JUMP, .adds = adds, .at = (uint32_t)to->n + 2});
    else
        status = add_before(layout, adds);
    size_t head = to->n;
    if (!status) status = add(layout, round);
    if (!status && least->depth != PARE_NO_SIZE) status = lay_out(layout, e->first, 0, nesting);
    if (!status && e->kind != PARE_EXPR_OPTIONAL)
        status = add(layout, (pare_step){.kind = PARE_STEP_JUMP, .at = (uint32_t)head});
    if (!status) to->steps[head].at = (uint32_t)to->n;
    return status;
}

static pare_status lay_token(struct layout *layout, pare_index token, pare_index expr,
                             uint32_t adds)
{
    bool fixed = token != PARE_TOKEN_END && layout->d->blueprint->tokens[token].text;
    if (token == PARE_TOKEN_END)
        return add(layout, (pare_step){.kind = PARE_STEP_END, .adds = adds});
    return add(layout, (pare_step){.kind = fixed ? PARE_STEP_FIXED : PARE_STEP_TOKEN,
                                   .at = token,
                                   .expr = expr,
                                   .adds = adds + 1});
}

/* A choice and all its ways; behind each but the last is a jump to where all of them end. */
static pare_status lay_ways(struct layout *layout, pare_index expr, uint32_t adds, uint32_t nesting)
{
    const struct pare_deriver *d = layout->d;
    const pare_ways *ways = &d->blueprint->choices[d->blueprint->details[expr]];
    struct pare_deriver_steps *to = layout->to;
    pare_step pick = {.kind = PARE_STEP_PICK,
                      .at = ways->first,
                      .n = ways->n,
                      .expr = expr,
                      .adds = adds,
                      .depth = ways->depth};
    if (layout->of_parser)
        pick.tokens = ways->tokens;
    else
        pick.smallest = pare_deriver_count_smallest(d, ways);
    pare_status status = add(layout, pick);
    for (uint32_t i = 0; !status && i < ways->n; i++) {
        const pare_way *way = &d->blueprint->ways[ways->first + i];
        to->ways[ways->first + i] = (uint32_t)to->n;
        status = way->expr != PARE_NO_INDEX ? lay_out(layout, way->expr, 0, nesting)
                                            : lay_token(layout, way->token, expr, 0);
        if (!status && i + 1 < ways->n) status = add(layout, (pare_step){.kind = PARE_STEP_JUMP});
    }
    for (uint32_t i = 1; !status && i < ways->n; i++)
        to->steps[to->ways[ways->first + i] - 1].at = (uint32_t)to->n;
    return status;
}

static pare_status lay_characters(struct layout *layout, pare_index expr)
{
    const pare_blueprint *blueprint = layout->d->blueprint;
    const pare_characters *set = &blueprint->characters[blueprint->details[expr]];
    if (!set->n_plain) return add(layout, (pare_step){.kind = PARE_STEP_SLOW, .expr = expr});
    return add(layout,
               (pare_step){.kind = PARE_STEP_CHARACTER, .n = set->n_plain, .text = set->plain});
}

static pare_status lay_literal(struct layout *layout, pare_index expr)
{
    const pare_expr *e = &layout->d->grammar->exprs[expr];
    const uint32_t *points = layout->d->grammar->code_points + e->text.offset;
    for (uint32_t i = 0; i < e->text.size; i++)
        if (points[i] >= 0x80)
            return add(layout, (pare_step){.kind = PARE_STEP_SLOW, .expr = expr});
    char *text = pare_arena_alloc(&layout->to->memory, e->text.size + 1);
    if (!text) return pare_fail_nomem(layout->err);
    for (uint32_t i = 0; i < e->text.size; i++)
        text[i] = (char)points[i];
    return add(layout, (pare_step){.kind = PARE_STEP_TEXT, .n = e->text.size, .text = text});
}

/* A sequence is certain to come as a whole as soon as it begins; each part is taken off again
 * when it begins itself. */
static pare_status lay_sequence(struct layout *layout, pare_index expr, uint32_t adds,
                                uint32_t nesting)
{
    const pare_expr *exprs = layout->d->grammar->exprs;
    const pare_least *least = layout->d->blueprint->exprs;
    pare_status status = PARE_OK;
    adds += least[expr].tokens;
    for (pare_index c = exprs[expr].first; !status && c != PARE_NO_INDEX; c = exprs[c].next) {
        status = lay_out(layout, c, adds - least[c].tokens, nesting);
        adds = 0;
    }
    return status;
}

/* `adds` is for the first step. */
static pare_status lay_out(struct layout *layout, pare_index expr, uint32_t adds, uint32_t nesting)
{
    const pare_expr *e = &layout->d->grammar->exprs[expr];
    if (++nesting > PARE_DERIVER_LEXICAL_NESTING) return PARE_E_LIMIT;
    switch (e->kind) {
    case PARE_EXPR_SEQUENCE: return lay_sequence(layout, expr, adds, nesting);
    case PARE_EXPR_CHOICE: return lay_ways(layout, expr, adds, nesting);
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS: return lay_rounds(layout, expr, adds, nesting);
    case PARE_EXPR_RULE:
        return add(layout, (pare_step){.kind = PARE_STEP_CALL, .at = e->rule, .adds = adds});
    case PARE_EXPR_TOKEN:
        return layout->of_parser ? lay_token(layout, e->token, expr, adds) : PARE_OK;
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
        return layout->of_parser ? lay_ways(layout, expr, adds, nesting)
                                 : lay_characters(layout, expr);
    case PARE_EXPR_LITERAL: return layout->of_parser ? PARE_OK : lay_literal(layout, expr);
    case PARE_EXPR_END:
        return layout->of_parser ? lay_token(layout, PARE_TOKEN_END, expr, adds) : PARE_OK;
    case PARE_EXPR_EMPTY: return add_before(layout, adds);
    }
    return PARE_OK;
}

/* Where a jump to `at` ends after all; a chain is not followed for ever. */
static uint32_t destination(const struct pare_deriver_steps *of, uint32_t at)
{
    for (size_t i = 0; i < of->n; i++) {
        const pare_step *step = &of->steps[at];
        if (step->kind != PARE_STEP_JUMP || step->adds) break;
        at = step->at;
    }
    return at;
}

/* Calls get the places of their rules, and jumps lead to where they end after all. */
static void link_steps(struct pare_deriver_steps *of, size_t n_ways)
{
    for (size_t i = 0; i < of->n; i++) {
        pare_step *step = &of->steps[i];
        if (step->kind == PARE_STEP_CALL) step->at = of->rules[step->at];
        if (step->kind == PARE_STEP_JUMP || step->kind == PARE_STEP_ROUND)
            step->at = destination(of, step->at);
        if (step->kind == PARE_STEP_JUMP && !step->adds &&
            of->steps[step->at].kind == PARE_STEP_RETURN)
            step->kind = PARE_STEP_RETURN;
    }
    for (size_t i = 0; i < n_ways; i++)
        of->ways[i] = of->n ? destination(of, of->ways[i]) : 0;
}

static pare_status lay_rules(struct layout *layout)
{
    const pare_grammar *grammar = layout->d->grammar;
    struct pare_deriver_steps *to = layout->to;
    pare_status status = PARE_OK;
    for (pare_index r = 0; !status && r < grammar->n_rules; r++) {
        pare_index body = grammar->rules[r].body;
        to->rules[r] = (uint32_t)to->n;
        if (body == PARE_NO_INDEX || layout->d->blueprint->exprs[body].depth == PARE_NO_SIZE)
            continue;
        layout->of_parser = grammar->rules[r].kind == PARE_RULE_PARSER;
        status = lay_out(layout, body, 0, 0);
        if (!status) status = add(layout, (pare_step){.kind = PARE_STEP_RETURN});
    }
    if (!status) link_steps(to, layout->d->blueprint->n_ways);
    return status;
}

pare_status pare_deriver_steps_init(struct pare_deriver_steps *to, const struct pare_deriver *d,
                                    pare_error *err)
{
    struct layout layout = {.to = to, .d = d, .err = err};
    to->rules = pare_alloc(d->grammar->n_rules, sizeof *to->rules);
    to->ways = pare_alloc_zero(d->blueprint->n_ways, sizeof *to->ways);
    if (!to->rules || !to->ways) return pare_fail_nomem(err);
    return lay_rules(&layout);
}

void pare_deriver_steps_done(struct pare_deriver_steps *steps)
{
    pare_release(steps->steps);
    pare_release(steps->rules);
    pare_release(steps->ways);
    pare_release(steps->returns);
    pare_arena_done(&steps->memory);
    *steps = (struct pare_deriver_steps){0};
}
