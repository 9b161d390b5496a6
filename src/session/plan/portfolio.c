/* The portfolio's members, their phases, and whose turn it is; the rule is in the header.
 *
 * It is one strategy to the engine, which copies it to run ahead: so a member is asked and told in
 * the same order whatever the number of slots, and its own strategy is copied with it.  A member
 * that did not ask for the candidate that succeeded goes on from it, if it can (`adopts`), with
 * its first phase anew.  Counters are of candidates of which nobody had been told before: what the
 * cache answers costs no member anything. */
#include "session/plan/portfolio.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/choice/choice_reduction.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/external_generator.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/split/split.h"
#include "text/text.h"

enum {
    MAX_MEMBERS = 3,
    NOBODY = MAX_MEMBERS,
    N_TOLD = 512,  /* candidates that are remembered; a power of two */
    LEADS_AT = 90, /* percent of the leader's text, or of the input, that is worth the lead */
    OTHERS_PATIENCE =
        4,             /* the others ask when the leader has asked in vain so many times as often */
    OTHERS_SHARE = 33, /* percent of all other tests that they may take in vain, but.. */
    OTHERS_LEAST = 7   /* ..at least so many */
};

/* Begins phase number `phase` of a member over a flat text. On PARE_OK the caller owns *out. */
typedef pare_status begin_phase(pare_work *work, size_t phase, const pare_text *text,
                                pare_strategy **out, pare_error *err);

/* A way to reduce: the kind of strategy that a member is. Its phases run one after the other, in
 * rounds, until a round finds nothing; a way whose strategy goes on until it finds nothing runs
 * `once`. */
struct way {
    const char *name;
    begin_phase *begin;
    size_t n_phases;
    bool once;
    bool adopts; /* goes on from what another member found */
};

/* A member: a way with its current strategy, its own smallest text, and how its tests have
 * fared. */
struct member {
    const struct way *way;
    pare_strategy *strategy; /* owned; NULL: the phase is to begin */
    pare_candidate best;     /* smallest that failed */
    pare_candidate asked;    /* what it asked for last */
    size_t phase;
    uint64_t n_told;  /* outcomes of candidates that nobody had been told, as the rest */
    uint64_t n_vain;  /* told since its best was found */
    uint64_t n_waste; /* told since it took the lead, or, leading, found the smallest of all */
    bool improved;    /* in this round */
    bool done;
};

/* The members, who asked last, and who leads. */
struct portfolio {
    pare_strategy head;
    pare_work *work; /* borrowed */
    struct member members[MAX_MEMBERS];
    size_t n;
    size_t turn;     /* who asked last */
    size_t leader;   /* NOBODY: no text is small enough yet */
    size_t smallest; /* who has the smallest text */
    size_t input_bytes;
    pare_digest told[N_TOLD]; /* by their low bits, the later over the earlier */
};

/* The engine knows only the head, which stands first. */
static struct portfolio *of(pare_strategy *strategy)
{
    return (struct portfolio *)strategy;
}

/* --- the ways ------------------------------------------------------------------------- */

/* Portfolios take one file of which nothing is protected (phase.c), so its view is all of the
 * text. */
static pare_view whole(const pare_text *text)
{
    return (pare_view){.text = text, .end = pare_text_size(text)};
}

/* Lines, then tokens, then characters, by run growth: what needs no knowledge of the text. */
static pare_status begin_bytes(pare_work *work, size_t phase, const pare_text *text,
                               pare_strategy **out, pare_error *err)
{
    static const char *const units[] = {"line", "token", "char"};
    const pare_view view = whole(text);
    pare_unit_list *list = NULL;
    pare_config *config = NULL;
    pare_status status = pare_phase_input_cut(pare_splitter_find(units[phase]), &view, &list, err);
    if (!status) status = pare_config_new(list, text, &config, err);
    if (!status)
        status = pare_config_strategy_new(pare_list_algorithm_find("adaptive"), &work->knobs,
                                          config, out, err);
    pare_config_unref(config);
    pare_config_units_unref(list);
    return status;
}

/* The tree of the input, by Perses. */
static pare_status begin_tree(pare_work *work, size_t phase, const pare_text *text,
                              pare_strategy **out, pare_error *err)
{
    const pare_tree_algorithm *perses = pare_tree_algorithm_find("perses");
    const pare_view view = whole(text);
    pare_tree *tree = NULL;
    (void)phase;
    pare_status status = pare_phase_input_tree(work, perses, &view, &tree, err);
    if (!status) status = perses->start(perses, tree, &work->setup, out, err);
    pare_tree_unref(tree);
    return status;
}

/* Recorded choices are reduced through their generator and do not depend on `text`; without a
 * recording the bytes of the text are the choices. */
static pare_status begin_choices(pare_work *work, size_t phase, const pare_text *text,
                                 pare_strategy **out, pare_error *err)
{
    (void)phase;
    if (!work->recording)
        return pare_choice_reduction_of_bytes(pare_text_bytes(text), pare_text_size(text), out,
                                              err);
    return pare_external_generator_strategy(work->recording, work->session.options->events.stop,
                                            pare_session_deadline_ms(&work->session), out, err);
}

/* The ways that there are.  Recorded choices cannot go on from the text of another member: it
 * need not be one that their generator makes. */
static const struct way BYTES = {
    .name = "bytes", .begin = begin_bytes, .n_phases = 3, .adopts = true};
static const struct way TREE = {.name = "tree", .begin = begin_tree, .n_phases = 1, .adopts = true};
static const struct way CHOICES = {
    .name = "choices", .begin = begin_choices, .n_phases = 1, .once = true};
/* Choices that are read from the bytes of the input: any text is a list of such choices, so this
 * way can go on from another member's text. */
static const struct way BYTE_CHOICES = {
    .name = "choices", .begin = begin_choices, .n_phases = 1, .once = true, .adopts = true};

/* --- turns ---------------------------------------------------------------------------- */

/* Every member begins with the input, so there is a smallest text from the start: then it is the
 * first member's. */
static const struct member *smallest(const struct portfolio *self)
{
    assert(self->smallest < self->n);
    return &self->members[self->smallest];
}

/* Whether another member has a smaller text, from which this member could go on. */
static bool is_outdone(const struct portfolio *self, const struct member *member)
{
    if (self->leader == NOBODY || !member->way->adopts) return false;
    return smallest(self)->best.size < member->best.size;
}

/* Whether a member other than the leader may have one more test. Their waste is limited to a share
 * of all useful tests, so that a portfolio costs at most that much more than its best member
 * alone. */
static bool others_may_ask(const struct portfolio *self)
{
    uint64_t waste = 0, useful = 0;
    if (self->leader == NOBODY) return true;
    for (size_t i = 0; i < self->n; i++) {
        useful += self->members[i].n_told;
        if (i != self->leader) waste += self->members[i].n_waste;
    }
    /* Useful is what the leader was told, and what the others were told before they fell behind. */
    useful -= waste;
    return waste < OTHERS_LEAST || (waste + 1) * 100 <= useful * OTHERS_SHARE;
}

/* Whether `a` asks before `b`, which stands before it. */
static bool asks_before(const struct member *a, const struct member *b, const struct member *leader)
{
    /* Others count their vain tests OTHERS_PATIENCE times, which is the same as to compare them
     * with the leader's divided by it, without a rounding. */
    uint64_t x = a->n_vain * (a == leader ? 1 : OTHERS_PATIENCE);
    uint64_t y = b->n_vain * (b == leader ? 1 : OTHERS_PATIENCE);
    if (leader && x != y) return x < y;
    if (leader && (a == leader || b == leader)) return a == leader;
    return a->n_told <= b->n_told;
}

/* Whose turn it is.  While nobody leads, the member that was told the least.  NULL: all that may
 * ask are done. */
static struct member *choose(struct portfolio *self)
{
    struct member *chosen = NULL;
    const struct member *leader = self->leader == NOBODY ? NULL : &self->members[self->leader];
    bool others = others_may_ask(self);
    assert(!leader || self->leader < self->n);
    for (size_t i = 0; i < self->n; i++) {
        struct member *member = &self->members[i];
        /* A member that has nothing left to try may have it again in the smaller text of
         * another. */
        if (member->done && !is_outdone(self, member)) continue;
        if (member != leader && !others) continue;
        if (chosen && !asks_before(member, chosen, leader)) continue;
        chosen = member;
        self->turn = i;
    }
    return chosen;
}

/* Takes the smallest text over: the phase at hand begins again with it, and all of them come
 * round once more. */
static pare_status adopt(const struct portfolio *self, struct member *member, pare_error *err)
{
    pare_status status = pare_candidate_copy(&member->best, &smallest(self)->best, err);
    if (status) return status;
    pare_strategy_free(member->strategy);
    member->strategy = NULL;
    /* It was done: the round begins anew. */
    if (member->phase == member->way->n_phases) member->phase = 0;
    member->improved = member->phase > 0;
    member->done = false;
    return PARE_OK;
}

/* Begins the phase at hand on what is the member's best. Strategies cut units out of one block,
 * so it is made flat. */
static pare_status begin(struct portfolio *self, struct member *member, pare_error *err)
{
    pare_text *text = NULL, *flat = NULL;
    pare_status status = pare_candidate_text(&member->best, &text, err);
    if (!status) status = pare_text_flatten(text, &flat, err);
    if (!status)
        status = member->way->begin(self->work, member->phase, flat, &member->strategy, err);
    pare_text_unref(flat);
    pare_text_unref(text);
    return status;
}

/* The phase has ended.  The strategy of a member that is done is kept: it may have more to
 * tell than its best. */
static void end_phase(struct member *member)
{
    bool last = ++member->phase == member->way->n_phases;
    member->done = last && (member->way->once || !member->improved);
    if (member->done) return;
    pare_strategy_free(member->strategy);
    member->strategy = NULL;
    if (!last) return;
    member->phase = 0;
    member->improved = false;
}

/* Asks the member whose turn it is.  One that has nothing more in its phase ends it, and the next
 * is chosen, until one asks for a test or none is left. */
static pare_status portfolio_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct portfolio *self = of(strategy);
    pare_status status = PARE_OK;
    *what = PARE_NEXT_DONE;
    for (struct member *member; !status && (member = choose(self));) {
        if (is_outdone(self, member)) status = adopt(self, member, err);
        if (!status && !member->strategy) status = begin(self, member, err);
        if (!status) status = member->strategy->ops->next(member->strategy, what, candidate, err);
        if (status) break;
        if (*what == PARE_NEXT_TEST) return pare_candidate_copy(&member->asked, candidate, err);
        end_phase(member);
    }
    return status;
}

/* Whoever has just found the smallest text takes the lead, if the gain is worth a change. */
static void take_lead(struct portfolio *self, const pare_candidate *found)
{
    bool none = self->leader == NOBODY;
    uint64_t led = none ? self->input_bytes : self->members[self->leader].best.size;
    /* The leader stays so by any smaller text; another one has to be better by a tenth, or the
     * lead would change at every test. */
    bool is_leader = !none && self->leader == self->turn;
    if (!is_leader && (uint64_t)found->size * 100 > led * LEADS_AT) return;
    self->leader = self->turn;
    self->members[self->turn].n_waste = 0;
}

/* Keeps what failed, if it is the smallest of this member's. */
static pare_status keep(struct portfolio *self, struct member *member, pare_error *err)
{
    int order = 0, of_all = 0;
    pare_status status = pare_order_compare(&member->asked, &member->best, &order, err);
    /* In the order of text/order.h, as the engine compares: of two texts of one size one is
     * still the better. */
    if (status || order >= 0) return status;
    status = pare_order_compare(&member->asked, &smallest(self)->best, &of_all, err);
    if (status) return status;
    if (of_all < 0) {
        take_lead(self, &member->asked);
        self->smallest = self->turn;
    }
    member->improved = true;
    member->n_vain = 0;
    pare_candidate_move(&member->best, &member->asked);
    return PARE_OK;
}

/* Counts an outcome, unless the cache gave it for what was asked for before. */
static void count(struct portfolio *self, struct member *member)
{
    pare_digest digest = pare_candidate_digest(&member->asked);
    pare_digest *told = &self->told[digest.low % N_TOLD];
    /* A table by the low bits that forgets what it overwrites: at worst a cached outcome is
     * counted, in the same way in each copy. */
    if (pare_digest_equal(*told, digest)) return;
    *told = digest;
    member->n_told++;
    member->n_vain++;
    member->n_waste++;
}

/* A member's algorithm may know two outcomes only: then what is UNRESOLVED has passed, as
 * everywhere in the engine. */
static pare_status portfolio_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct portfolio *self = of(strategy);
    struct member *member = &self->members[self->turn];
    bool two_valued = outcome == PARE_UNRESOLVED && !member->strategy->three_valued;
    count(self, member);
    pare_status status =
        member->strategy->ops->tell(member->strategy, two_valued ? PARE_PASS : outcome, err);
    return status || outcome != PARE_FAIL ? status : keep(self, member, err);
}

/* --- the strategy ------------------------------------------------------------------------ */

/* Members that were never reached are all-zero. */
static void portfolio_destroy(pare_strategy *strategy)
{
    struct portfolio *self = of(strategy);
    for (size_t i = 0; i < self->n; i++) {
        pare_strategy_free(self->members[i].strategy);
        pare_candidate_done(&self->members[i].best);
        pare_candidate_done(&self->members[i].asked);
    }
    pare_alloc_free(self);
}

/* On failure the copy may be destroyed: it owns what was copied so far. */
static pare_status copy_member(struct member *to, const struct member *from, pare_error *err)
{
    /* The counters; what is owned is copied next, and is empty until then, so that a failure
     * leaves nothing to two owners. */
    *to = *from;
    to->strategy = NULL;
    to->best = to->asked = (pare_candidate){0};
    pare_status status = pare_candidate_copy(&to->best, &from->best, err);
    if (!status && from->asked.base) status = pare_candidate_copy(&to->asked, &from->asked, err);
    if (!status && from->strategy)
        status = from->strategy->ops->copy(from->strategy, &to->strategy, err);
    return status;
}

/* For the engine, which runs ahead on copies: all members with their strategies and candidates. */
static pare_status portfolio_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct portfolio *self = (const struct portfolio *)strategy;
    struct portfolio *copy = pare_alloc_zero(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    copy->head = self->head;
    copy->work = self->work;
    copy->turn = self->turn;
    copy->leader = self->leader;
    copy->smallest = self->smallest;
    copy->input_bytes = self->input_bytes;
    memcpy(copy->told, self->told, sizeof copy->told);
    for (; !status && copy->n < self->n; copy->n++)
        status = copy_member(&copy->members[copy->n], &self->members[copy->n], err);
    if (status)
        portfolio_destroy(&copy->head);
    else
        *out = &copy->head;
    return status;
}

/* Passed on to the strategy of whoever asked last: only it is in the middle of something. */
static pare_status portfolio_settle(pare_strategy *strategy, pare_error *err)
{
    struct portfolio *self = of(strategy);
    pare_strategy *member = self->members[self->turn].strategy;
    return member && member->ops->settle ? member->ops->settle(member, err) : PARE_OK;
}

static const pare_strategy_ops portfolio_ops = {.next = portfolio_next,
                                                .tell = portfolio_tell,
                                                .copy = portfolio_copy,
                                                .destroy = portfolio_destroy,
                                                .settle = portfolio_settle};

/* A member's best is the input until it has found something. */
static pare_status add(struct portfolio *self, const struct way *way, const pare_text *text,
                       pare_error *err)
{
    assert(self->n < MAX_MEMBERS);
    struct member *member = &self->members[self->n++];
    member->way = way;
    pare_candidate_start(&member->best, text);
    return pare_candidate_slice(&member->best, 0, pare_text_size(text), err);
}

/* Choices take part only where there is a generator; without one the bytes of an input mean
 * nothing as choices. */
pare_status pare_portfolio_new(pare_work *work, const pare_text *text, pare_strategy **out,
                               pare_error *err)
{
    struct portfolio *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_strategy){.ops = &portfolio_ops, .three_valued = true, .ordered = true};
    self->work = work;
    self->leader = NOBODY;
    self->input_bytes = pare_text_size(text);
    pare_status status = add(self, &BYTES, text, err);
    if (!status) status = add(self, &TREE, text, err);
    if (!status && (work->recording || work->session.options->input.generator))
        status = add(self, work->recording ? &CHOICES : &BYTE_CHOICES, text, err);
    if (status)
        portfolio_destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

/* Choices that are bytes of the input need no strategy to be written down: the text is the list. */
const pare_strategy *pare_portfolio_choices(const pare_strategy *portfolio)
{
    const struct portfolio *self = (const struct portfolio *)portfolio;
    for (size_t i = 0; i < self->n; i++)
        if (self->members[i].way == &CHOICES) return self->members[i].strategy;
    return NULL;
}

/* In the order of the members, not of their sizes, so that runs can be compared line by line. */
pare_status pare_portfolio_describe(const pare_strategy *portfolio, pare_buffer *to,
                                    pare_error *err)
{
    const struct portfolio *self = (const struct portfolio *)portfolio;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < self->n; i++)
        status = pare_buffer_format(to, err, "%s%s %zu", i ? ", " : "", self->members[i].way->name,
                                    self->members[i].best.size);
    return status;
}
