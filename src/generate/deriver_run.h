/* Inside the deriver: its state, one run of it, and what its three files share: deriver.c walks
 * the parser rules, deriver_tokens.c makes tokens, deriver_plain.c does both at once for runs
 * that record nothing. */
#ifndef PARE_GENERATE_DERIVER_RUN_H
#define PARE_GENERATE_DERIVER_RUN_H

#include "base/buffer.h"
#include "base/random.h"
#include "generate/deriver.h"
#include "generate/expansion_table.h"
#include "generate/hooks.h"
#include "generate/token_separator.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum {
    PARE_DERIVER_LEXICAL_DEPTH = 8,     /* calls of lexer rules above which the smallest ways are
                                           taken */
    PARE_DERIVER_LEXICAL_NESTING = 4000 /* expressions within expressions of one token */
};

typedef struct pare_deriver_frame {
    enum {
        PARE_FRAME_NEXT,
        PARE_FRAME_LOOP,
        PARE_FRAME_LEAVE_RULE,
        PARE_FRAME_LEAVE_ROUND,
        PARE_FRAME_LEAVE_HOOKED
    } kind;
    pare_index expr; /* NEXT: of a sequence; LOOP: the quantifier */
    bool begun;      /* LOOP: there was a round */
} pare_deriver_frame;

/* Something with hooks that is being made. */
typedef struct pare_deriver_hooked {
    pare_hook_number post;
    pare_index rule;
    size_t entry; /* bytes of text before it */
    size_t begin; /* of its first token, after a separator */
    bool begun;   /* it has a token */
} pare_deriver_hooked;

/* Hooks of everything that may have some; all of it is NULL when there are none. */
typedef struct pare_deriver_hooks {
    pare_hooks *hooks;     /* borrowed */
    pare_hook_pair *rules; /* owned, as all below; of each rule */
    pare_hook_pair *alone; /* of the only alternative of each rule that has one */
    pare_hook_pair *ways;  /* of each way */
    pare_deriver_hooked *stack;
    size_t n, capacity;
    bool is_stale; /* the separator is not at the end of the text */
    pare_hooks_names declared;
} pare_deriver_hooks;

struct pare_deriver {
    const pare_expansion_table *table;
    const pare_grammar *grammar;
    pare_deriver_options options;
    pare_index start;
    pare_token_separator *separator; /* owned; NULL: scannerless, or options.unread */
    pare_deriver_frame *frames;      /* owned */
    size_t n_frames, capacity;
    uint32_t depth, tokens, pending;
    double linger;     /* how many times less often quantifiers end */
    bool ended;        /* the end of the file was there: nothing may follow */
    pare_buffer piece; /* the token being made */
    double *weights;   /* owned; of each way; NULL: all 1 */
    uint8_t *covered;  /* owned; of each way */
    uint32_t *fitting; /* owned; ways of the choice at hand */
    double *chances;   /* owned; of those */
    pare_deriver_hooks hooked;
    struct pare_deriver_steps *steps; /* owned; NULL: there is no shorter way (deriver_plain.c) */
    bool plain;                       /* this run goes the shorter way */
};

struct pare_deriver_run {
    struct pare_deriver *d;
    pare_choices *choices;
    pare_buffer *text;
    pare_error *err;
};

/* What is drawn and not recorded, as nearly all is when texts are made by the million, goes
 * by a shorter way to the same numbers. */
static inline pare_status pare_deriver_draw(struct pare_deriver_run *run, pare_choice_kind kind,
                                            uint32_t n, uint32_t *which)
{
    pare_choices *choices = run->choices;
    uint64_t index = 0;
    if (pare_choices_are_plain(choices)) {
        choices->n++;
        *which = (uint32_t)pare_random_below(&choices->normal, n);
        return PARE_OK;
    }
    pare_status status = pare_choices_next(choices, kind, n, &index, run->err);
    *which = (uint32_t)index;
    return status;
}

static inline pare_status pare_deriver_draw_chance(struct pare_deriver_run *run, double chance,
                                                   bool *happens)
{
    pare_choices *choices = run->choices;
    if (!pare_choices_are_plain(choices))
        return pare_choices_chance(choices, chance, happens, run->err);
    choices->n++;
    *happens = pare_choices_unit(pare_random_next(&choices->normal)) >= 1 - chance;
    return PARE_OK;
}

static inline pare_status pare_deriver_open_span(struct pare_deriver_run *run, uint32_t label)
{
    if (!pare_choices_have_spans(run->choices)) return PARE_OK;
    return pare_choices_open(run->choices, label, run->err);
}

/* One of the first `n` ways (of those in d->fitting, if `listed`); no choice when there is
 * only one.  The second one is for weights. */
PARE_CHECK pare_status pare_deriver_tokens_pick_weighted(struct pare_deriver_run *run,
                                                         const pare_ways *ways, uint32_t n,
                                                         bool listed, uint32_t *way);

static inline pare_status pare_deriver_pick(struct pare_deriver_run *run, const pare_ways *ways,
                                            uint32_t n, bool listed, uint32_t *way)
{
    struct pare_deriver *d = run->d;
    uint32_t which = 0;
    if (d->weights) return pare_deriver_tokens_pick_weighted(run, ways, n, listed, way);
    pare_status status = n > 1 ? pare_deriver_draw(run, PARE_CHOICE_BRANCH, n, &which) : PARE_OK;
    *way = ways->first + (listed ? d->fitting[which] : which);
    d->covered[*way] = 1;
    return status;
}

/* A way of a choice between expressions of parser rules, or between tokens. */
PARE_CHECK pare_status pare_deriver_tokens_choose_way(struct pare_deriver_run *run, pare_index expr,
                                                      const pare_way **way);

/* Whether something of this least size is within the limits here: what is made, what is certain
 * to come, and it. */
static inline bool pare_deriver_fits(const struct pare_deriver *d, pare_least least)
{
    return least.depth <= d->options.max_depth -
                              (d->depth < d->options.max_depth ? d->depth : d->options.max_depth) &&
           (uint64_t)d->tokens + d->pending + least.tokens <= d->options.max_tokens;
}

/* How many of the ways are as small as the first. */
uint32_t pare_deriver_tokens_count_smallest(const struct pare_deriver *d, const pare_ways *ways);

/* Whether a quantifier goes on. */
static inline pare_status pare_deriver_choose_more(struct pare_deriver_run *run,
                                                   pare_index quantifier, bool *more)
{
    double chance = run->d->table->chances[quantifier];
    if (run->d->linger > 1 && chance > 0) chance = 1 - (1 - chance) / run->d->linger;
    return pare_deriver_draw_chance(run, chance, more);
}

/* Append a character of a set, or a literal, to *to. */
PARE_CHECK pare_status pare_deriver_tokens_put_character(struct pare_deriver_run *run,
                                                         pare_index expr, pare_buffer *to);
PARE_CHECK pare_status pare_deriver_tokens_put_literal(struct pare_deriver_run *run,
                                                       const pare_expr *expr, pare_buffer *to);

/* Appends a token of the rule `in` to the text. */
PARE_CHECK pare_status pare_deriver_tokens_put(struct pare_deriver_run *run, pare_index in,
                                               pare_index token);

/* Says that expressions of a token are nested too deeply. */
pare_status pare_deriver_tokens_fail_nesting(struct pare_deriver_run *run);

/* The shorter way of the deriver, for runs in which nothing is recorded, replayed, weighted or
 * hooked, as nearly all are when texts are made by the million.
 *
 * Rules are laid out as steps with jumps, one after the other.
 * Invariant: the same numbers are drawn in the same order as by the long way, so the texts and
 * the alternatives covered are the same (tests/unit/test_deriver.c). */

/* Lays out the rules for a deriver, which owns what comes of it; of a grammar that is nested too
 * deeply nothing does, and the way is the long one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deriver_plain_init(struct pare_deriver *d, pare_error *err);
void pare_deriver_plain_done(struct pare_deriver *d);

/* Whether the run may go the shorter way. */
bool pare_deriver_plain_may_run(const struct pare_deriver_run *run);

/* Makes a text from the start rule on, whose state is that of a run that begins. */
PARE_CHECK pare_status pare_deriver_plain_run(struct pare_deriver_run *run);

/* Appends a text of a lexer rule to the piece. */
PARE_CHECK pare_status pare_deriver_plain_make(struct pare_deriver_run *run, pare_index rule);

#endif
