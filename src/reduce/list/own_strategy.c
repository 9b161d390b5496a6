/* The bridge from an algorithm of the user's, which knows numbers of units, to the engine, which
 * knows texts.
 *
 * What the algorithm says is checked here, once for all who speak for one: C functions, a process
 * that writes lines, a script.  A proposal is made a candidate when it is asked for, and kept,
 * because the engine may ask twice and the algorithm's arrays do not last.
 *
 * Numbers are those of the start, not of what is left: an algorithm that is written for the paper
 * keeps its own configuration anyway, and need not follow ours.
 *
 * Invariant: `candidate` is what the algorithm proposed last, unless `is_told`; all states of one
 * start share the units, which the algorithm may look at until the last of them is freed.
 * Source: ours. */
#include "reduce/list/own_strategy.h"

#include <assert.h>

#include <pare/outcome.h>
#include <pare/strategy.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/list/config.h"
#include "text/candidate.h"
#include "text/text.h"

/* What the states of one start have in common. */
struct start {
    size_t refs;
    const pare_own_strategy *algorithm; /* borrowed */
    const pare_text *text;              /* one reference */
    size_t begin, end;                  /* of the file, bytes of the text */
    pare_units seen;                    /* by the algorithm; its bytes are `bytes` */
    unsigned char *bytes;               /* owned: the file, in one piece */
    pare_unit_range *units;             /* owned; bytes of the file */
};

/* One state, of which the strategy is the head. */
struct own {
    pare_strategy head;
    struct start *start; /* one reference */
    void *state;         /* owned: the algorithm's */
    bool has_state;
    bool is_told;             /* the algorithm is to be asked for another proposal */
    bool is_done;             /* unless is_told */
    pare_candidate candidate; /* unless is_told or is_done */
};

/* The strategy is the first member, so the pointers are the same. */
static struct own *of(pare_strategy *strategy)
{
    return (struct own *)strategy;
}

/* ---- the start ---------------------------------------------------------------------- */

/* Drops a reference; the last one frees what the states share.  NULL is a no-op. */
static void start_unref(struct start *start)
{
    if (!start || --start->refs) return;
    pare_text_unref(start->text);
    pare_alloc_free(start->bytes);
    pare_alloc_free(start->units);
    pare_alloc_free(start);
}

/* Copies the bytes of the file into one piece.  Our texts are segments; that is an inner matter
 * that an algorithm of the user should not have to learn. */
static pare_status copy_bytes(struct start *self, pare_error *err)
{
    pare_candidate file = {0};
    const size_t size = self->end - self->begin;
    self->bytes = pare_alloc(size ? size : 1, 1);
    if (!self->bytes) return pare_fail_nomem(err);
    pare_candidate_start(&file, self->text);
    pare_status status = size ? pare_candidate_slice(&file, self->begin, size, err) : PARE_OK;
    if (!status) pare_candidate_read(&file, self->bytes);
    pare_candidate_done(&file);
    return status;
}

/* Copies the units as ranges that count from the begin of the file, not of the whole text. */
static pare_status copy_units(struct start *self, const pare_unit_list *units, pare_error *err)
{
    self->units = pare_alloc(units->n ? units->n : 1, sizeof *self->units);
    if (!self->units) return pare_fail_nomem(err);
    for (size_t i = 0; i < units->n; i++)
        self->units[i] = (pare_unit_range){.from = pare_config_unit_begin(units, i) - self->begin,
                                           .to = pare_config_unit_end(units, i) - self->begin};
    return PARE_OK;
}

/* Makes what all states share, with one reference, which is the caller's.  The text is referenced
 * and not copied, apart from the file's bytes. */
static pare_status start_new(const pare_own_strategy *algorithm, const pare_own_start *given,
                             struct start **out, pare_error *err)
{
    struct start *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    assert(given->begin <= given->end && given->end <= pare_text_size(given->text));
    *self = (struct start){.refs = 1,
                           .algorithm = algorithm,
                           .text = pare_text_ref(given->text),
                           .begin = given->begin,
                           .end = given->end};
    pare_status status = copy_bytes(self, err);
    if (!status) status = copy_units(self, given->units, err);
    self->seen = (pare_units){.text = self->bytes,
                              .text_bytes = self->end - self->begin,
                              .units = self->units,
                              .n = given->units->n};
    if (status)
        start_unref(self);
    else
        *out = self;
    return status;
}

/* ---- proposals ---------------------------------------------------------------------- */

/* Makes sure that a failure has a sentence.  The user's function may have returned a status and
 * left the error as it was. */
static pare_status said_by(const char *function, pare_status status, pare_error *err)
{
    if (status && err && (err->status != status || !err->message[0]))
        return pare_fail(err, status, "the strategy's function '%s' failed", function);
    return status;
}

/* Refuses ranges that overlap, do not ascend, are empty, or name units that there are none of.  A
 * bug in the user's algorithm so ends the run with a sentence, and not with a wrong text. */
static pare_status check_ranges(const struct start *start, const pare_proposal *proposal,
                                pare_error *err)
{
    size_t from = 0;
    for (size_t k = 0; k < proposal->n_kept; k++) {
        const pare_unit_range range = proposal->kept[k];
        if (range.from < from || range.to <= range.from || range.to > start->seen.n)
            return pare_fail(err, PARE_E_SYNTAX,
                             "the strategy keeps the units from %zu to before %zu, of %zu units: "
                             "ranges, counted from 0, must ascend and must not be empty",
                             range.from, range.to, start->seen.n);
        from = range.to;
    }
    return PARE_OK;
}

/* Appends the units of the ranges, in the order of the text, and all that belongs to no unit (white
 * space between tokens).  O(units), since ranges ascend. */
static pare_status add_kept(const struct start *start, const pare_proposal *proposal,
                            pare_candidate *candidate, pare_error *err)
{
    const pare_units *seen = &start->seen;
    pare_status status = PARE_OK;
    size_t at = 0; /* where what belongs to no unit goes on */
    size_t k = 0;
    for (size_t i = 0; !status && i <= seen->n; i++) {
        const size_t gap_end = i < seen->n ? seen->units[i].from : seen->text_bytes;
        if (gap_end > at)
            status = pare_candidate_slice(candidate, start->begin + at, gap_end - at, err);
        if (i == seen->n) break;
        at = seen->units[i].to;
        while (k < proposal->n_kept && proposal->kept[k].to <= i)
            k++;
        const bool stays = k < proposal->n_kept && proposal->kept[k].from <= i;
        if (!status && stays && at > gap_end)
            status = pare_candidate_slice(candidate, start->begin + gap_end, at - gap_end, err);
    }
    return status;
}

/* Makes the proposal a candidate for the whole text, of which the file is perhaps a part: what is
 * before and after the file stays.  A proposal is either ranges of units or a text of its own. */
static pare_status make_candidate(struct own *self, const pare_proposal *proposal, pare_error *err)
{
    const struct start *start = self->start;
    pare_candidate *candidate = &self->candidate;
    const size_t size = pare_text_size(start->text);
    pare_status status = proposal->text ? PARE_OK : check_ranges(start, proposal, err);
    if (status) return status;
    pare_candidate_start(candidate, start->text);
    if (start->begin) status = pare_candidate_slice(candidate, 0, start->begin, err);
    if (!status && !proposal->text) status = add_kept(start, proposal, candidate, err);
    if (!status && proposal->text && proposal->text_bytes)
        status = pare_candidate_literal(candidate, proposal->text, proposal->text_bytes, err);
    if (!status && size > start->end)
        status = pare_candidate_slice(candidate, start->end, size - start->end, err);
    return status;
}

/* ---- the strategy ------------------------------------------------------------------- */

/* A pare_strategy_ops.next.  The engine may ask again before it tells; the algorithm is asked only
 * once, and the candidate that it gave is kept until the outcome is known. */
static pare_status own_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                            pare_error *err)
{
    struct own *self = of(strategy);
    if (self->is_told) {
        pare_proposal proposal = {.n_kept = 0};
        bool done = false;
        pare_status status =
            said_by("next", self->start->algorithm->next(self->state, &done, &proposal, err), err);
        if (!status && !done) status = make_candidate(self, &proposal, err);
        if (status) return status;
        self->is_told = false;
        self->is_done = done;
    }
    *what = self->is_done ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    return self->is_done ? PARE_OK : pare_candidate_copy(candidate, &self->candidate, err);
}

/* A pare_strategy_ops.tell. */
static pare_status own_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct own *self = of(strategy);
    assert(!self->is_told && !self->is_done);
    self->is_told = true;
    return said_by("tell", self->start->algorithm->tell(self->state, outcome, err), err);
}

/* A pare_strategy_ops.destroy.  `end` is called only for a state that `start` or `copy` has
 * made. */
static void own_free(pare_strategy *strategy)
{
    struct own *self = of(strategy);
    if (self->has_state && self->start->algorithm->end) self->start->algorithm->end(self->state);
    pare_candidate_done(&self->candidate);
    start_unref(self->start);
    pare_alloc_free(self);
}

static const pare_strategy_ops ops;

/* A new strategy without a state of the algorithm yet.  One that cannot be copied is `alone`: the
 * engine does not run ahead of it. */
static pare_status own_new(struct start *start, struct own **out, pare_error *err)
{
    struct own *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    start->refs++;
    *self = (struct own){.head = {.ops = &ops,
                                  .three_valued = true,
                                  .ordered = true,
                                  .alone = !start->algorithm->copy},
                         .start = start,
                         .is_told = true};
    *out = self;
    return PARE_OK;
}

/* Only called where the algorithm can copy: others are tested one after the other. */
static pare_status own_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct own *self = (const struct own *)strategy;
    struct own *copy = NULL;
    assert(!self->head.alone);
    pare_status status = own_new(self->start, &copy, err);
    if (status) return status;
    copy->is_told = self->is_told;
    copy->is_done = self->is_done;
    status = pare_candidate_copy(&copy->candidate, &self->candidate, err);
    if (!status)
        status = said_by("copy", self->start->algorithm->copy(self->state, &copy->state, err), err);
    copy->has_state = !status;
    if (status)
        own_free(&copy->head);
    else
        *out = &copy->head;
    return status;
}

static const pare_strategy_ops ops = {
    .next = own_next, .tell = own_tell, .copy = own_copy, .destroy = own_free};

/* The algorithm's `start` is called last, when nothing of ours can fail any more. */
pare_status pare_own_strategy_new(const pare_own_strategy *algorithm, const pare_own_start *given,
                                  pare_strategy **out, pare_error *err)
{
    struct start *start = NULL;
    struct own *self = NULL;
    if (!algorithm->start || !algorithm->next || !algorithm->tell)
        return pare_fail(err, PARE_E_ARG,
                         "a strategy needs the functions 'start', 'next' and 'tell'");
    pare_status status = start_new(algorithm, given, &start, err);
    if (!status) status = own_new(start, &self, err);
    if (!status)
        status = said_by(
            "start", algorithm->start(algorithm->context, &start->seen, &self->state, err), err);
    start_unref(start); /* the state has its own */
    if (self) self->has_state = !status;
    if (status && self) own_free(&self->head);
    if (!status) *out = &self->head;
    return status;
}
