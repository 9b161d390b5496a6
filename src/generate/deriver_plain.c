/* The deriver's shorter way: grammar rules as steps, and two loops over them, one for texts of
 * lexer rules, one for those of parser rules.
 *
 * The steps of an expression are adjacent and end where those of its successor begin; only calls of
 * rules need a stack.  Nothing is recorded, weighted or hooked here, so a step takes a few
 * instructions and the random numbers stay in registers.
 * Invariants: the same numbers are drawn in the same order as in deriver.c, so texts and covered
 * alternatives are the same (tests/unit/test_deriver.c); in the second loop `total` is what
 * tokens + pending are there, that is, what the text will have at least.
 *
 * Cost: 53 to 55 MB/s on JSON, twice what the other loop makes (bench/bench_generate.c).
 * Laying out is O(grammar), once for a deriver. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/vector.h"
#include "generate/deriver_run.h"
#include "generate/expansion_table.h"
#include "generate/token_separator.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

typedef enum pare_step_kind {
    PARE_STEP_TOKEN,     /* parser rules: a token `at` */
    PARE_STEP_FIXED,     /* the same, of a token that has one text only */
    PARE_STEP_END,       /* the end of the file */
    PARE_STEP_CHARACTER, /* lexer rules, as all below: one of `n` characters at `text` */
    PARE_STEP_TEXT,      /* `n` bytes at `text` */
    PARE_STEP_SLOW,      /* the character or literal of the expression `expr` */
    PARE_STEP_PICK,      /* any rules, as all below: one of `n` ways from the way `at` on */
    PARE_STEP_ROUND,     /* goes on after it, or at `at`: another round, or none */
    PARE_STEP_JUMP,      /* goes on at `at` */
    PARE_STEP_CALL,      /* goes to `at` and comes back; until all is laid out `at` is a rule */
    PARE_STEP_RETURN
} pare_step_kind;

/* An instruction.  The loops do nothing but go from one to the next, so it has all that they
 * need, and the two kinds of rules share its members. 40 bytes, so that most of a grammar's
 * steps stay in the cache. */
typedef struct pare_step {
    uint32_t kind; /* pare_step_kind */
    uint32_t at, n;
    pare_index expr;
    uint32_t adds;  /* to the tokens that are made or certain to come, modulo 2^32 */
    uint32_t depth; /* PICK: of the largest way; ROUND: of the child; PARE_NO_SIZE: none */
    union {
        const char *text;  /* borrowed from the table or in `memory` */
        uint64_t from;     /* ROUND: a word whose upper 53 bits are not below it says: go on */
        uint32_t tokens;   /* PICK, parser rules: of the largest way */
        uint32_t smallest; /* PICK, lexer rules: how many ways are as small as the first */
    };
    uint32_t tokens_round; /* ROUND: of the child */
} pare_step;

/* All-zero is none. */
struct pare_deriver_steps {
    pare_step *steps; /* owned, as all below */
    size_t n, capacity;
    uint32_t *rules;   /* of each rule: its first step */
    uint32_t *ways;    /* of each way: its first step */
    uint32_t *returns; /* of the run: steps to come back to */
    size_t returns_capacity;
    pare_arena memory;
};

/* --- laying out ------------------------------------------------------------------------- */

/* What is being laid out. */
struct layout {
    struct pare_deriver_steps *to;
    const struct pare_deriver *d;
    bool of_parser; /* the rule at hand */
    pare_error *err;
};

/* Appends a step.  Errors: PARE_E_NOMEM. */
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

/* Adds `adds` by a step of its own, which goes on right after itself: a step that others jump
 * to must not add it again. */
static pare_status add_before(struct layout *layout, uint32_t adds)
{
    uint32_t after = (uint32_t)layout->to->n + 1;
    return adds ? add(layout, (pare_step){.kind = PARE_STEP_JUMP, .adds = adds, .at = after})
                : PARE_OK;
}

/* A body that is gone through again and again: before it stands the step that asks whether,
 * which the body jumps back to.  A PLUS jumps over that question to its first round. */
static pare_status lay_rounds(struct layout *layout, pare_index expr, uint32_t adds,
                              uint32_t nesting)
{
    const pare_expr *e = &layout->d->grammar->exprs[expr];
    const pare_least *least = &layout->d->table->exprs[e->first];
    struct pare_deriver_steps *to = layout->to;
    /* unit >= 1 - chance, in whole numbers (pare_choices_unit): rounded up, so that exactly the
     * same words of the random source go on. */
    double chance = (1 - layout->d->table->chances[expr]) * 0x1p53;
    pare_step round = {.kind = PARE_STEP_ROUND,
                       .depth = least->depth,
                       .tokens_round = least->tokens,
                       .from = (uint64_t)chance};
    if ((double)round.from < chance) round.from++;
    pare_status status = PARE_OK;
    /* The jump carries `adds`, so the step that others come back to adds nothing. */
    if (e->kind == PARE_EXPR_PLUS)
        status = add(layout,
                     (pare_step){.kind = PARE_STEP_JUMP, .adds = adds, .at = (uint32_t)to->n + 2});
    else
        status = add_before(layout, adds);
    size_t head = to->n;
    if (!status) status = add(layout, round);
    /* A body without a finite text is never entered: its question is always answered with no. */
    if (!status && least->depth != PARE_NO_SIZE) status = lay_out(layout, e->first, 0, nesting);
    if (!status && e->kind != PARE_EXPR_OPTIONAL)
        status = add(layout, (pare_step){.kind = PARE_STEP_JUMP, .at = (uint32_t)head});
    if (!status) to->steps[head].at = (uint32_t)to->n;
    return status;
}

/* A token of a parser rule.  One with a fixed text is a step of its own, since it can be
 * copied.  The end of the file has no text and adds no token. */
static pare_status lay_token(struct layout *layout, pare_index token, pare_index expr,
                             uint32_t adds)
{
    bool fixed = token != PARE_TOKEN_END && layout->d->table->tokens[token].text;
    if (token == PARE_TOKEN_END)
        return add(layout, (pare_step){.kind = PARE_STEP_END, .adds = adds});
    return add(layout, (pare_step){.kind = fixed ? PARE_STEP_FIXED : PARE_STEP_TOKEN,
                                   .at = token,
                                   .expr = expr,
                                   .adds = adds + 1});
}

/* A choice and all its ways; after each way but the last is a jump to where all of them end,
 * which is known when the last is laid out.  The ways stand in the order of the table, by
 * size; only where a jump goes is not known while they are laid out. */
static pare_status lay_ways(struct layout *layout, pare_index expr, uint32_t adds, uint32_t nesting)
{
    const struct pare_deriver *d = layout->d;
    const pare_ways *ways = &d->table->choices[d->table->details[expr]];
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
        pick.smallest = pare_deriver_tokens_count_smallest(d, ways);
    pare_status status = add(layout, pick);
    for (uint32_t i = 0; !status && i < ways->n; i++) {
        const pare_way *way = &d->table->ways[ways->first + i];
        to->ways[ways->first + i] = (uint32_t)to->n;
        status = way->expr != PARE_NO_INDEX ? lay_out(layout, way->expr, 0, nesting)
                                            : lay_token(layout, way->token, expr, 0);
        if (!status && i + 1 < ways->n) status = add(layout, (pare_step){.kind = PARE_STEP_JUMP});
    }
    /* The jump of way i stands right before way i + 1, whose place was noted. */
    for (uint32_t i = 1; !status && i < ways->n; i++)
        to->steps[to->ways[ways->first + i] - 1].at = (uint32_t)to->n;
    return status;
}

/* A set of characters of a lexer rule: fast where it has visible ASCII, of which it is drawn
 * then.  Without anything unusual asked for, visible ASCII is the whole set. */
static pare_status lay_characters(struct layout *layout, pare_index expr)
{
    const pare_expansion_table *table = layout->d->table;
    const pare_characters *set = &table->characters[table->details[expr]];
    if (!set->n_plain) return add(layout, (pare_step){.kind = PARE_STEP_SLOW, .expr = expr});
    return add(layout,
               (pare_step){.kind = PARE_STEP_CHARACTER, .n = set->n_plain, .text = set->plain});
}

/* A literal of a lexer rule: its bytes, where all are ASCII.  They are copied to the steps'
 * own memory, so that the loop need not decode. */
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

/* A sequence is certain to come as a whole as soon as it begins, so its first step adds what
 * all of it will have at least; each part takes its own share off again when it begins itself. */
static pare_status lay_sequence(struct layout *layout, pare_index expr, uint32_t adds,
                                uint32_t nesting)
{
    const pare_expr *exprs = layout->d->grammar->exprs;
    const pare_least *least = layout->d->table->exprs;
    pare_status status = PARE_OK;
    adds += least[expr].tokens;
    for (pare_index c = exprs[expr].first; !status && c != PARE_NO_INDEX; c = exprs[c].next) {
        status = lay_out(layout, c, adds - least[c].tokens, nesting);
        /* What came from outside is for the first step only. */
        adds = 0;
    }
    return status;
}

/* Lays out an expression.  `adds` is what its first step has to add.  Recursion is as deep as
 * expressions nest; beyond the limit the grammar goes the long way.  Errors: PARE_E_NOMEM,
 * PARE_E_LIMIT. */
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

/* Where a jump to `at` leads after all.  A chain of jumps is not followed for ever: an endless
 * loop of nothing may be laid out, though nothing enters it.  Chains come from choices at the
 * end of choices. */
static uint32_t destination(const struct pare_deriver_steps *of, uint32_t at)
{
    for (size_t i = 0; i < of->n; i++) {
        const pare_step *step = &of->steps[at];
        if (step->kind != PARE_STEP_JUMP || step->adds) break;
        at = step->at;
    }
    return at;
}

/* Gives calls the places of their rules, which are known now, lets jumps lead to where they
 * end, and makes a jump to a return that return. */
static void link_steps(struct pare_deriver_steps *of, size_t n_ways)
{
    for (size_t i = 0; i < of->n; i++) {
        pare_step *step = &of->steps[i];
        /* Until now `at` was the rule. */
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

/* Lays out all rules, one after the other.  Rules without a finite text have no steps: nothing
 * calls them.  Rules of the lexer and of the parser are in one array; `of_parser` says which
 * the steps are for. */
static pare_status lay_rules(struct layout *layout)
{
    const pare_grammar *grammar = layout->d->grammar;
    struct pare_deriver_steps *to = layout->to;
    pare_status status = PARE_OK;
    for (pare_index r = 0; !status && r < grammar->n_rules; r++) {
        pare_index body = grammar->rules[r].body;
        to->rules[r] = (uint32_t)to->n;
        if (body == PARE_NO_INDEX || layout->d->table->exprs[body].depth == PARE_NO_SIZE) continue;
        layout->of_parser = grammar->rules[r].kind == PARE_RULE_PARSER;
        status = lay_out(layout, body, 0, 0);
        if (!status) status = add(layout, (pare_step){.kind = PARE_STEP_RETURN});
    }
    if (!status) link_steps(to, layout->d->table->n_ways);
    return status;
}

/* Errors: PARE_E_NOMEM; PARE_E_LIMIT: expressions are nested too deeply for the shorter way.
 * PARE_E_LIMIT is no failure: such a grammar goes the long way. */
static pare_status lay_steps(struct pare_deriver_steps *to, const struct pare_deriver *d,
                             pare_error *err)
{
    struct layout layout = {.to = to, .d = d, .err = err};
    to->rules = pare_alloc(d->grammar->n_rules, sizeof *to->rules);
    to->ways = pare_alloc_zero(d->table->n_ways, sizeof *to->ways);
    if (!to->rules || !to->ways) return pare_fail_nomem(err);
    return lay_rules(&layout);
}

/* The steps belong to one deriver, whose `returns` is part of them. */
static void steps_done(struct pare_deriver_steps *steps)
{
    pare_alloc_free(steps->steps);
    pare_alloc_free(steps->rules);
    pare_alloc_free(steps->ways);
    pare_alloc_free(steps->returns);
    pare_arena_done(&steps->memory);
    *steps = (struct pare_deriver_steps){0};
}

/* A limit leaves d->steps NULL, and every run goes the long way. */
pare_status pare_deriver_plain_init(struct pare_deriver *d, pare_error *err)
{
    d->steps = pare_alloc_zero(1, sizeof *d->steps);
    if (!d->steps) return pare_fail_nomem(err);
    pare_status status = lay_steps(d->steps, d, err);
    if (status != PARE_E_LIMIT) return status;
    pare_deriver_plain_done(d);
    return PARE_OK;
}

/* Also after an init that failed half way. */
void pare_deriver_plain_done(struct pare_deriver *d)
{
    if (d->steps) steps_done(d->steps);
    pare_alloc_free(d->steps);
    d->steps = NULL;
}

/* All of these need something for each choice: a record, a weight, a hook, another chance. */
bool pare_deriver_plain_may_run(const struct pare_deriver_run *run)
{
    const struct pare_deriver *d = run->d;
    return d->steps && !d->weights && !d->hooked.hooks && !d->options.leaf && d->linger == 1 &&
           d->options.unusual <= 0 && !d->table->n_leaves && pare_choices_are_plain(run->choices);
}

/* How many choices a run may take.  The limit is for generators that never end. */
static size_t limit_of(const pare_choices *choices)
{
    return choices->limit ? choices->limit : PARE_CHOICES_LIMIT;
}

/* Says that there may be no further choice: the draw beyond the limit fails with the right
 * sentence. */
static pare_status fail_choice(struct pare_deriver_run *run)
{
    uint32_t which;
    return pare_deriver_draw(run, PARE_CHOICE_NUMBER, 1, &which);
}

/* --- texts of lexer rules -------------------------------------------------------------- */

/* What the loop of lexer rules keeps in registers, and leaves to the run after it.  Copied in
 * and out, because the compiler cannot keep in registers what others may point to. */
struct lexical {
    pare_random random;
    size_t n; /* choices */
    char *to, *end;
};

/* Takes what the loop works on into locals; `leave` puts it back. */
static void take(struct lexical *at, struct pare_deriver_run *run)
{
    pare_buffer *piece = &run->d->piece;
    *at = (struct lexical){.random = run->choices->normal,
                           .n = run->choices->n,
                           .to = piece->data + piece->size,
                           .end = piece->data + piece->capacity};
}

/* Puts the locals of the loop back, and ends the piece. */
static void leave(const struct lexical *at, struct pare_deriver_run *run)
{
    pare_buffer *piece = &run->d->piece;
    run->choices->normal = at->random;
    run->choices->n = at->n;
    piece->size = (size_t)(at->to - piece->data);
    *at->to = '\0';
}

/* Makes room for `size` bytes and the NUL after them.  The buffer may move, so the locals are
 * taken anew. */
static pare_status make_room(struct lexical *at, struct pare_deriver_run *run, size_t size)
{
    leave(at, run);
    pare_status status = pare_buffer_reserve(&run->d->piece, size + 1, run->err);
    take(at, run);
    return status;
}

/* Has deriver_tokens.c put a character or literal that the loop does not: beyond ASCII,
 * mostly.  Rare, so the cost of copying the locals twice does not matter. */
static pare_status put_slowly(struct lexical *at, struct pare_deriver_run *run, pare_index expr)
{
    const pare_expr *e = &run->d->grammar->exprs[expr];
    pare_buffer *piece = &run->d->piece;
    leave(at, run);
    pare_status status = e->kind == PARE_EXPR_LITERAL
                             ? pare_deriver_tokens_put_literal(run, e, piece)
                             : pare_deriver_tokens_put_character(run, expr, piece);
    take(at, run);
    return status;
}

/* Runs from the step `pc` on to the return that no call is for.  Long, because it is one
 * switch whose cases share the registers.  `returns` is on the stack: lexer rules nest as deep
 * as the grammar is written, which the limit bounds. */
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
            /* Past the limit of choices nothing is drawn any more, but n goes on: the run
             * ends with an error in pare_deriver_plain_make, as it would have here. */
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
            assert(step->at + which < run->d->table->n_ways);
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
                status = pare_deriver_tokens_fail_nesting(run);
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

/* The limit of choices is looked at once, after the text: the loop has counted on, but drawn
 * nothing beyond it. */
pare_status pare_deriver_plain_make(struct pare_deriver_run *run, pare_index rule)
{
    assert(run->d->steps && "the run goes this way only with steps");
    struct lexical state;
    size_t limit = limit_of(run->choices);
    pare_status status = pare_buffer_reserve(&run->d->piece, 1, run->err);
    if (status) return status;
    take(&state, run);
    /* After a failure the locals are lost, and with them a text that nobody wants. */
    status = go_lexical(run, &state, run->d->steps->rules[rule]);
    if (status) return status;
    bool beyond = state.n > limit;
    if (beyond) state.n = limit;
    leave(&state, run);
    return beyond ? fail_choice(run) : PARE_OK;
}

/* --- texts of parser rules --------------------------------------------------------------- */

/* What the loop of parser rules keeps.  `total` is kept by additions in the steps alone. */
struct syntactic {
    uint32_t depth, total;
    uint32_t *returns; /* the steps' */
    size_t n_returns;
};

/* Whether something of that least size is within the limits here: pare_deriver_fits with the
 * loop's own numbers.  A depth of 0 is something that calls no rule, which always fits. */
static bool fits(const struct pare_deriver *d, const struct syntactic *at, uint32_t depth,
                 uint32_t tokens)
{
    return (!depth || (uint64_t)at->depth + depth <= d->options.max_depth) &&
           (uint64_t)at->total + tokens <= d->options.max_tokens;
}

/* Takes a way.  Where all ways fit, as is usual, one is drawn at once; else the long way finds
 * those that do. */
static pare_status pick(struct pare_deriver_run *run, const struct syntactic *at,
                        const pare_step *step, uint32_t *pc)
{
    struct pare_deriver *d = run->d;
    uint32_t which = 0;
    if (fits(d, at, step->depth, step->tokens)) {
        if (step->n > 1) {
            /* The long way would fail at its draw; so does this one, before it. */
            if (run->choices->n >= limit_of(run->choices)) return fail_choice(run);
            run->choices->n++;
            which = (uint32_t)pare_random_below(&run->choices->normal, step->n);
        }
        d->covered[step->at + which] = 1;
        *pc = d->steps->ways[step->at + which];
        return PARE_OK;
    }
    /* The long way decides by depth and pending, which are not kept here. */
    const pare_way *way = NULL;
    d->depth = at->depth;
    d->pending = at->total - d->tokens;
    pare_status status = pare_deriver_tokens_choose_way(run, step->expr, &way);
    if (!status) *pc = d->steps->ways[way - d->table->ways];
    return status;
}

/* Decides whether another round is made: it must fit, and the draw must say so.  Else *pc goes
 * to what follows.  The draw is made only if a round would fit, as in the long way. */
static pare_status ask_round(struct pare_deriver_run *run, const struct syntactic *at,
                             const pare_step *step, uint32_t *pc)
{
    bool more = false;
    if (step->depth != PARE_NO_SIZE && fits(run->d, at, step->depth, step->tokens_round)) {
        if (run->choices->n >= limit_of(run->choices)) return fail_choice(run);
        run->choices->n++;
        /* The upper 53 bits are what a unit is made of, see lay_rounds. */
        more = pare_random_next(&run->choices->normal) >> 11 >= step->from;
    }
    if (!more) *pc = step->at;
    return PARE_OK;
}

/* Notes where to come back to.  The stack is kept from text to text. */
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

/* Puts a token: by a copy where its neighbour is known, else as the long way does.  The
 * separator knows most pairs of neighbours after a few texts. */
static pare_status put(struct pare_deriver_run *run, const pare_step *step)
{
    struct pare_deriver *d = run->d;
    if (step->kind == PARE_STEP_FIXED && !d->ended &&
        pare_token_separator_put_at_once(d->separator, step->at, run->text)) {
        /* The long way counts its tokens itself. */
        d->tokens++;
        return PARE_OK;
    }
    return pare_deriver_tokens_put(run, d->table->rule_of[step->expr], step->at);
}

/* Runs until the start rule returns.  `adds` of each step keeps `total` without a stack of
 * what is pending, see lay_sequence. */
pare_status pare_deriver_plain_run(struct pare_deriver_run *run)
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
