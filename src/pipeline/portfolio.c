/* Members, their phases, and whose turn it is. */
#include "pipeline/portfolio.h"

#include <string.h>

#include "base/alloc.h"
#include "choice/bytes.h"
#include "list/strategy.h"
#include "text/order.h"

enum { MAX_MEMBERS = 3 };

/* One phase of a member over a flat text.  On PARE_OK the caller owns *out. */
typedef pare_status begin_phase(pare_work *work, size_t phase, const pare_text *text,
                                pare_strategy **out, pare_error *err);

/* What a member is.  Its phases are run one after the other, and again until a whole round
 * of them has found nothing; a single one that goes on by itself until it finds nothing is
 * run once. */
struct way {
    const char *name;
    begin_phase *begin;
    size_t n_phases;
    bool once;
};

struct member {
    const struct way *way;
    pare_strategy *strategy; /* owned; NULL: the phase is to begin */
    pare_candidate best;     /* smallest that failed */
    pare_candidate asked;    /* what it asked for last */
    size_t phase;
    uint64_t n_told;
    bool improved; /* in this round */
    bool done;
};

struct portfolio {
    pare_strategy head;
    pare_work *work; /* borrowed */
    struct member members[MAX_MEMBERS];
    size_t n;
    size_t turn; /* who asked last */
};

static struct portfolio *of(pare_strategy *strategy)
{
    return (struct portfolio *)strategy;
}

/* --- the ways ------------------------------------------------------------------------- */

static pare_view whole(const pare_text *text)
{
    return (pare_view){.text = text, .end = pare_text_size(text)};
}

static pare_status begin_bytes(pare_work *work, size_t phase, const pare_text *text,
                               pare_strategy **out, pare_error *err)
{
    static const char *const units[] = {"line", "token", "char"};
    const pare_view view = whole(text);
    pare_unit_list *list = NULL;
    pare_config *config = NULL;
    pare_status status = pare_phase_cut(pare_splitter_find(units[phase]), &view, &list, err);
    if (!status) status = pare_config_new(list, text, &config, err);
    if (!status)
        status = pare_list_strategy_new(pare_list_algorithm_find("adaptive"), &work->knobs, config,
                                        out, err);
    pare_config_unref(config);
    pare_units_unref(list);
    return status;
}

static pare_status begin_tree(pare_work *work, size_t phase, const pare_text *text,
                              pare_strategy **out, pare_error *err)
{
    const pare_tree_algorithm *perses = pare_tree_algorithm_find("perses");
    const pare_view view = whole(text);
    pare_tree *tree = NULL;
    (void)phase;
    pare_status status = pare_phase_tree(work, perses, &view, &tree, err);
    if (!status) status = perses->start(perses, tree, &work->setup, out, err);
    pare_tree_unref(tree);
    return status;
}

static pare_status begin_choices(pare_work *work, size_t phase, const pare_text *text,
                                 pare_strategy **out, pare_error *err)
{
    (void)phase;
    if (!work->recording)
        return pare_choice_bytes_reduction_new(pare_text_bytes(text), pare_text_size(text), out,
                                               err);
    return pare_recording_strategy(work->recording, work->session.options, work->session.start_ms,
                                   out, err);
}

static const struct way BYTES = {.name = "bytes", .begin = begin_bytes, .n_phases = 3};
static const struct way TREE = {.name = "tree", .begin = begin_tree, .n_phases = 1};
static const struct way CHOICES = {
    .name = "choices", .begin = begin_choices, .n_phases = 1, .once = true};

/* --- turns ---------------------------------------------------------------------------- */

/* The member that was told the least; of those the first.  NULL: all are done. */
static struct member *choose(struct portfolio *self)
{
    struct member *chosen = NULL;
    for (size_t i = 0; i < self->n; i++) {
        struct member *member = &self->members[i];
        if (member->done || (chosen && member->n_told >= chosen->n_told)) continue;
        chosen = member;
        self->turn = i;
    }
    return chosen;
}

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

static pare_status portfolio_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct portfolio *self = of(strategy);
    pare_status status = PARE_OK;
    *what = PARE_NEXT_DONE;
    for (struct member *member; !status && (member = choose(self));) {
        if (!member->strategy) status = begin(self, member, err);
        if (!status) status = member->strategy->ops->next(member->strategy, what, candidate, err);
        if (status) break;
        if (*what == PARE_NEXT_TEST) return pare_candidate_copy(&member->asked, candidate, err);
        end_phase(member);
    }
    return status;
}

/* Keeps what failed, if it is the smallest of this member's. */
static pare_status keep(struct member *member, pare_error *err)
{
    int order = 0;
    pare_status status = pare_order_compare(&member->asked, &member->best, &order, err);
    if (status || order >= 0) return status;
    member->improved = true;
    pare_candidate_move(&member->best, &member->asked);
    return PARE_OK;
}

static pare_status portfolio_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct portfolio *self = of(strategy);
    struct member *member = &self->members[self->turn];
    bool two_valued = outcome == PARE_UNRESOLVED && !member->strategy->three_valued;
    member->n_told++;
    pare_status status =
        member->strategy->ops->tell(member->strategy, two_valued ? PARE_PASS : outcome, err);
    return status || outcome != PARE_FAIL ? status : keep(member, err);
}

/* --- the strategy ------------------------------------------------------------------------ */

static void portfolio_destroy(pare_strategy *strategy)
{
    struct portfolio *self = of(strategy);
    for (size_t i = 0; i < self->n; i++) {
        pare_strategy_free(self->members[i].strategy);
        pare_candidate_done(&self->members[i].best);
        pare_candidate_done(&self->members[i].asked);
    }
    pare_release(self);
}

static pare_status copy_member(struct member *to, const struct member *from, pare_error *err)
{
    *to = *from;
    to->strategy = NULL;
    to->best = to->asked = (pare_candidate){0};
    pare_status status = pare_candidate_copy(&to->best, &from->best, err);
    if (!status && from->asked.base) status = pare_candidate_copy(&to->asked, &from->asked, err);
    if (!status && from->strategy)
        status = from->strategy->ops->copy(from->strategy, &to->strategy, err);
    return status;
}

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
    for (; !status && copy->n < self->n; copy->n++)
        status = copy_member(&copy->members[copy->n], &self->members[copy->n], err);
    if (status)
        portfolio_destroy(&copy->head);
    else
        *out = &copy->head;
    return status;
}

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

static pare_status add(struct portfolio *self, const struct way *way, const pare_text *text,
                       pare_error *err)
{
    struct member *member = &self->members[self->n++];
    member->way = way;
    pare_candidate_start(&member->best, text);
    return pare_candidate_slice(&member->best, 0, pare_text_size(text), err);
}

pare_status pare_portfolio_new(pare_work *work, const pare_text *text, pare_strategy **out,
                               pare_error *err)
{
    struct portfolio *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_strategy){.ops = &portfolio_ops, .three_valued = true, .ordered = true};
    self->work = work;
    pare_status status = add(self, &BYTES, text, err);
    if (!status) status = add(self, &TREE, text, err);
    if (!status && (work->recording || work->session.options->generator))
        status = add(self, &CHOICES, text, err);
    if (status)
        portfolio_destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

const pare_strategy *pare_portfolio_choices(const pare_strategy *portfolio)
{
    const struct portfolio *self = (const struct portfolio *)portfolio;
    for (size_t i = 0; i < self->n; i++)
        if (self->members[i].way == &CHOICES) return self->members[i].strategy;
    return NULL;
}

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
