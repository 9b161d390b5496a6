/* Two loops over steps: one makes texts of lexer rules, one those of parser rules.
 *
 * Invariant of the second: `total` is what tokens + pending are on the long way, that is, what
 * the text will have at least. */
#include "generate/deriver_plain.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "base/status.h"
#include "base/vector.h"
#include "generate/blueprint.h"
#include "generate/deriver_steps.h"
#include "generate/glue.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

pare_status pare_deriver_plain_init(struct pare_deriver *d, pare_error *err)
{
    d->steps = pare_alloc_zero(1, sizeof *d->steps);
    if (!d->steps) return pare_fail_nomem(err);
    pare_status status = pare_deriver_steps_init(d->steps, d, err);
    if (status != PARE_E_LIMIT) return status;
    pare_deriver_plain_done(d);
    return PARE_OK;
}

void pare_deriver_plain_done(struct pare_deriver *d)
{
    if (d->steps) pare_deriver_steps_done(d->steps);
    pare_release(d->steps);
    d->steps = NULL;
}

bool pare_deriver_is_plain(const struct pare_deriver_run *run)
{
    const struct pare_deriver *d = run->d;
    return d->steps && !d->weights && !d->hooked.hooks && d->linger == 1 &&
           d->options.unusual <= 0 && !d->blueprint->n_leaves &&
           pare_choices_are_plain(run->choices);
}

static size_t limit_of(const pare_choices *choices)
{
    return choices->limit ? choices->limit : PARE_CHOICES_LIMIT;
}

/* Says that there may be no further choice. */
static pare_status fail_choice(struct pare_deriver_run *run)
{
    uint32_t which;
    return pare_deriver_draw(run, PARE_CHOICE_NUMBER, 1, &which);
}

/* --- texts of lexer rules -------------------------------------------------------------- */

/* What the loop keeps at hand, and leaves behind it. */
struct lexical {
    pare_random random;
    size_t n; /* choices */
    char *to, *end;
};

static void take(struct lexical *at, struct pare_deriver_run *run)
{
    pare_buffer *piece = &run->d->piece;
    *at = (struct lexical){.random = run->choices->normal,
                           .n = run->choices->n,
                           .to = piece->data + piece->size,
                           .end = piece->data + piece->capacity};
}

static void leave(const struct lexical *at, struct pare_deriver_run *run)
{
    pare_buffer *piece = &run->d->piece;
    run->choices->normal = at->random;
    run->choices->n = at->n;
    piece->size = (size_t)(at->to - piece->data);
    *at->to = '\0';
}

/* Room for `size` bytes and one more. */
static pare_status make_room(struct lexical *at, struct pare_deriver_run *run, size_t size)
{
    leave(at, run);
    pare_status status = pare_buffer_reserve(&run->d->piece, size + 1, run->err);
    take(at, run);
    return status;
}

static pare_status put_slowly(struct lexical *at, struct pare_deriver_run *run, pare_index expr)
{
    const pare_expr *e = &run->d->grammar->exprs[expr];
    pare_buffer *piece = &run->d->piece;
    leave(at, run);
    pare_status status = e->kind == PARE_EXPR_LITERAL
                             ? pare_deriver_put_literal(run, e, piece)
                             : pare_deriver_put_character(run, expr, piece);
    take(at, run);
    return status;
}

/* From the step `pc` on to the return that no call is for. */
static pare_status go_lexical(struct pare_deriver_run *run, struct lexical *state, uint32_t pc)
{
    uint32_t returns[PARE_DERIVER_LEXICAL_NESTING], n_returns = 0, which;
    const pare_step *steps = run->d->steps->steps;
    size_t limit = limit_of(run->choices);
    struct lexical at = *state;
    pare_status status = PARE_OK;
    while (!status) {
        const pare_step *step = &steps[pc++];
        switch ((pare_step_kind)step->kind) {
        case PARE_STEP_CHARACTER:
            which = 0;
            if (at.end - at.to < 2) status = make_room(&at, run, 1);
            if (step->n > 1 && at.n++ < limit)
                which = (uint32_t)pare_random_below(&at.random, step->n);
            if (!status) *at.to++ = step->text[which];
            break;
        case PARE_STEP_TEXT:
            if ((size_t)(at.end - at.to) <= step->n) status = make_room(&at, run, step->n);
            for (uint32_t i = 0; !status && i < step->n; i++)
                *at.to++ = step->text[i];
            break;
        case PARE_STEP_PICK:
            which =
                n_returns + step->depth <= PARE_DERIVER_LEXICAL_DEPTH ? step->n : step->smallest;
            if (which > 1 && at.n++ < limit)
                which = (uint32_t)pare_random_below(&at.random, which);
            else
                which = 0;
            run->d->covered[step->at + which] = 1;
            pc = run->d->steps->ways[step->at + which];
            break;
        case PARE_STEP_ROUND:
            if (step->depth == PARE_NO_SIZE || n_returns + step->depth > PARE_DERIVER_LEXICAL_DEPTH)
                pc = step->at;
            else if (at.n++ >= limit || pare_random_next(&at.random) >> 11 < step->from)
                pc = step->at;
            break;
        case PARE_STEP_JUMP: pc = step->at; break;
        case PARE_STEP_CALL:
            if (n_returns == PARE_DERIVER_LEXICAL_NESTING)
                status = pare_deriver_fail_nesting(run);
            else
                returns[n_returns++] = pc;
            pc = step->at;
            break;
        case PARE_STEP_RETURN:
            if (!n_returns) {
                *state = at;
                return PARE_OK;
            }
            pc = returns[--n_returns];
            break;
        case PARE_STEP_SLOW: status = put_slowly(&at, run, step->expr); break;
        case PARE_STEP_TOKEN:
        case PARE_STEP_FIXED:
        case PARE_STEP_END: break;
        }
    }
    return status;
}

pare_status pare_deriver_make_plain(struct pare_deriver_run *run, pare_index rule)
{
    struct lexical state;
    size_t limit = limit_of(run->choices);
    pare_status status = pare_buffer_reserve(&run->d->piece, 1, run->err);
    if (status) return status;
    take(&state, run);
    status = go_lexical(run, &state, run->d->steps->rules[rule]);
    if (status) return status;
    bool beyond = state.n > limit;
    if (beyond) state.n = limit;
    leave(&state, run);
    return beyond ? fail_choice(run) : PARE_OK;
}

/* --- texts of parser rules --------------------------------------------------------------- */

/* What the loop keeps at hand. */
struct syntactic {
    uint32_t depth, total;
    uint32_t *returns; /* the steps' */
    size_t n_returns;
};

static bool fits(const struct pare_deriver *d, const struct syntactic *at, uint32_t depth,
                 uint32_t tokens)
{
    return (!depth || (uint64_t)at->depth + depth <= d->options.max_depth) &&
           (uint64_t)at->total + tokens <= d->options.max_tokens;
}

static pare_status pick(struct pare_deriver_run *run, const struct syntactic *at,
                        const pare_step *step, uint32_t *pc)
{
    struct pare_deriver *d = run->d;
    uint32_t which = 0;
    if (fits(d, at, step->depth, step->tokens)) {
        if (step->n > 1) {
            if (run->choices->n >= limit_of(run->choices)) return fail_choice(run);
            run->choices->n++;
            which = (uint32_t)pare_random_below(&run->choices->normal, step->n);
        }
        d->covered[step->at + which] = 1;
        *pc = d->steps->ways[step->at + which];
        return PARE_OK;
    }
    const pare_way *way = NULL;
    d->depth = at->depth;
    d->pending = at->total - d->tokens;
    pare_status status = pare_deriver_choose_way(run, step->expr, &way);
    if (!status) *pc = d->steps->ways[way - d->blueprint->ways];
    return status;
}

static pare_status ask_round(struct pare_deriver_run *run, const struct syntactic *at,
                             const pare_step *step, uint32_t *pc)
{
    bool more = false;
    if (step->depth != PARE_NO_SIZE && fits(run->d, at, step->depth, step->tokens_round)) {
        if (run->choices->n >= limit_of(run->choices)) return fail_choice(run);
        run->choices->n++;
        more = pare_random_next(&run->choices->normal) >> 11 >= step->from;
    }
    if (!more) *pc = step->at;
    return PARE_OK;
}

static pare_status call(struct pare_deriver_run *run, struct syntactic *at, uint32_t pc)
{
    struct pare_deriver_steps *steps = run->d->steps;
    if (at->n_returns == steps->returns_capacity) {
        uint32_t *grown = pare_vector_grow(steps->returns, at->n_returns, &steps->returns_capacity,
                                           sizeof *grown);
        if (!grown) return pare_fail_nomem(run->err);
        at->returns = steps->returns = grown;
    }
    at->returns[at->n_returns++] = pc;
    at->depth++;
    return PARE_OK;
}

static pare_status put(struct pare_deriver_run *run, const pare_step *step)
{
    struct pare_deriver *d = run->d;
    if (step->kind == PARE_STEP_FIXED && !d->ended &&
        pare_glue_put_at_once(d->glue, step->at, run->text)) {
        d->tokens++;
        return PARE_OK;
    }
    return pare_deriver_put_token(run, d->blueprint->rule_of[step->expr], step->at);
}

pare_status pare_deriver_run_plain(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    const pare_step *steps = d->steps->steps;
    struct syntactic at = {.depth = 1, .returns = d->steps->returns};
    uint32_t pc = d->steps->rules[d->start];
    pare_status status = PARE_OK;
    while (!status) {
        const pare_step *step = &steps[pc++];
        at.total += step->adds;
        switch ((pare_step_kind)step->kind) {
        case PARE_STEP_FIXED:
        case PARE_STEP_TOKEN: status = put(run, step); break;
        case PARE_STEP_PICK: status = pick(run, &at, step, &pc); break;
        case PARE_STEP_ROUND: status = ask_round(run, &at, step, &pc); break;
        case PARE_STEP_JUMP: pc = step->at; break;
        case PARE_STEP_CALL:
            status = call(run, &at, pc);
            pc = step->at;
            break;
        case PARE_STEP_RETURN:
            if (!at.n_returns) return PARE_OK;
            pc = at.returns[--at.n_returns];
            at.depth--;
            break;
        case PARE_STEP_END: d->ended = true; break;
        case PARE_STEP_CHARACTER:
        case PARE_STEP_TEXT:
        case PARE_STEP_SLOW: break;
        }
    }
    return status;
}
