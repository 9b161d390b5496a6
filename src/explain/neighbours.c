/* The nearest passing text of each needed token: what passed in its place, moved as near as it goes.
 *
 * For a whole number, an operator or a byte the sample that passed is as near as it gets, and so is a name or
 * string with one letter more, or with one byte changed, if that passes.  For other tokens dd
 * isolates the difference between the text and that sample, character by character; its passing side is
 * kept.  dd also moves its failing side, but the session's best must stay the text that is explained: so
 * dd runs inside a strategy whose best is always the text, and which ends after MOST_TESTS.
 *
 * Invariant: each change that is kept makes a text that was tested, and passed.
 * Source: isolating is Zeller and Hildebrandt's, see reduce/list/dd.h.
 * Tested by tests/cli/test_explain.sh. */
#include "explain/neighbours.h"

#include <assert.h>
#include <inttypes.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "explain/sampler.h"
#include "explain/vary.h"
#include "reduce/list/dd.h"
#include "session/session.h"
#include "text/candidate.h"
#include "text/split/split.h"
#include "text/text.h"

enum { MOST_TESTS = 12 /* for one token */ };

/* What the search works on; borrowed. */
struct finding {
    pare_session *session;
    const pare_text *text;
    const pare_parts *parts;
    const pare_others *others;
    pare_neighbours *found;
};

void pare_neighbours_done(pare_neighbours *nearest)
{
    pare_alloc_free(nearest->changes);
    pare_buffer_done(&nearest->texts);
    *nearest = (pare_neighbours){.changes = NULL};
}

/* A part without a nearest text keeps near NULL. */
void pare_neighbours_give(const pare_neighbours *nearest, size_t index, pare_explained_part *part)
{
    assert(nearest->changes && "it was looked for");
    const struct pare_neighbour *change = &nearest->changes[index];
    if (!change->is_known) return;
    part->near = nearest->texts.data + change->offset;
    part->near_bytes = change->size;
    part->near_from = change->from;
    part->near_to = change->to;
}

/* ---- a strategy that stands on the text ------------------------------------------------- */

/* Passes everything on to dd but its best, and counts the tests. `tests` is counted in each
 * copy by itself, as copies are told other outcomes. */
struct standing {
    pare_strategy head;
    pare_strategy *dd;     /* owned */
    const pare_text *text; /* borrowed */
    unsigned tests;
};

/* Ends after MOST_TESTS, whatever dd would still ask: 300 tests are for all parts together. */
static pare_status standing_next(pare_strategy *strategy, pare_next *what,
                                 pare_candidate *candidate, pare_error *err)
{
    struct standing *self = (struct standing *)strategy;
    *what = PARE_NEXT_DONE;
    return self->tests < MOST_TESTS ? self->dd->ops->next(self->dd, what, candidate, err) : PARE_OK;
}

/* dd moves on as it would alone. */
static pare_status standing_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct standing *self = (struct standing *)strategy;
    self->tests++;
    return self->dd->ops->tell(self->dd, outcome, err);
}

static void standing_free(pare_strategy *strategy)
{
    struct standing *self = (struct standing *)strategy;
    pare_strategy_free(self->dd);
    pare_alloc_free(self);
}

static pare_status standing_copy(const pare_strategy *strategy, pare_strategy **out,
                                 pare_error *err)
{
    const struct standing *self = (const struct standing *)strategy;
    pare_strategy *dd = NULL;
    struct standing *copy = pare_alloc(1, sizeof *copy);
    pare_status status = copy ? self->dd->ops->copy(self->dd, &dd, err) : pare_fail_nomem(err);
    if (status) {
        pare_alloc_free(copy);
        return status;
    }
    *copy = *self;
    copy->dd = dd;
    *out = &copy->head;
    return PARE_OK;
}

/* The explained text and not dd's failing side: the session goes on from its best, and what follows is about
 * the text. */
static pare_status standing_best(const pare_strategy *strategy, pare_candidate *best,
                                 pare_error *err)
{
    const struct standing *self = (const struct standing *)strategy;
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

/* Takes `dd` over, on failure too. Whether dd tells PASS and UNRESOLVED apart holds for this
 * strategy, too. */
static pare_status standing_new(pare_strategy *dd, const pare_text *text, pare_strategy **out,
                                pare_error *err)
{
    static const pare_strategy_ops ops = {.next = standing_next,
                                          .tell = standing_tell,
                                          .copy = standing_copy,
                                          .destroy = standing_free,
                                          .best = standing_best};
    struct standing *self = pare_alloc(1, sizeof *self);
    if (!self) {
        pare_strategy_free(dd);
        return pare_fail_nomem(err);
    }
    *self = (struct standing){
        .head = {.ops = &ops, .three_valued = dd->three_valued}, .dd = dd, .text = text};
    *out = &self->head;
    return PARE_OK;
}

/* ---- one part ----------------------------------------------------------------------------- */

/* The text with `passing` in all places of the part. *out is emptied first. */
static pare_status replace_part(const struct finding *self, size_t part, const pare_buffer *passing,
                                pare_buffer *out, pare_error *err)
{
    const pare_span text = {pare_text_bytes(self->text), pare_text_size(self->text)};
    pare_buffer_reset(out);
    return pare_parts_replace(self->parts, text, part,
                              (pare_span){(const unsigned char *)passing->data, passing->size}, out,
                              err);
}

/* Keeps where `passing` differs from the text as one stretch, what both have in common at their beginnings
 * and ends left out.  Of a name with several places it reaches from the first to the last.
 *
 * Example: "f(abc)" and "f(axc)" differ in "b", which "x" stands for. The two ends do not
 * overlap: what was counted at the beginning is not counted at the end. */
static pare_status note_nearest(struct finding *self, size_t part, const pare_buffer *passing,
                                pare_error *err)
{
    const char *bytes = (const char *)pare_text_bytes(self->text);
    const size_t size = pare_text_size(self->text);
    struct pare_neighbour *change = &self->found->changes[part];
    size_t before = 0, after = 0;
    while (before < size && before < passing->size && bytes[before] == passing->data[before])
        before++;
    while (after < size - before && after < passing->size - before &&
           bytes[size - 1 - after] == passing->data[passing->size - 1 - after])
        after++;
    assert(before + after <= size && before + after <= passing->size);
    *change = (struct pare_neighbour){.is_known = true,
                                      .from = before,
                                      .to = size - after,
                                      .offset = self->found->texts.size,
                                      .size = passing->size - before - after};
    return pare_buffer_add(&self->found->texts, passing->data + before, change->size, err);
}

/* Replaces `passing` by a text that passes too and is nearer to the text.  A run that ends early leaves
 * what it had: every passing side of dd was tested.
 *
 * On PARE_OK and PARE_RUN_ENDED *passing is the new text. After an error it means nothing, and
 * the strategy may be gone. */
static pare_status narrow(struct finding *self, pare_buffer *passing, pare_error *err)
{
    const pare_splitter *splitter = pare_splitter_find("char");
    pare_deltas *deltas = NULL;
    pare_strategy *dd = NULL, *standing = NULL;
    pare_candidate side = {0};
    assert(splitter && "it is built in");
    const pare_deltas_source source = {
        .passing = {(const unsigned char *)passing->data, passing->size},
        .failing = {pare_text_bytes(self->text), pare_text_size(self->text)},
        .splitter = splitter};
    pare_status status = pare_dd_deltas_new(&source, &deltas, err);
    if (!status) status = pare_dd_new(deltas, &dd, err);
    if (!status) status = standing_new(dd, self->text, &standing, err);
    if (!status) status = pare_session_run_keeping(self->session, &standing, err);
    /* The passing side is read from dd itself, as the best of `standing` is the text. */
    if (!pare_run_error(status)) {
        pare_status taken = pare_dd_side(((struct standing *)standing)->dd, PARE_PASS, &side, err);
        pare_buffer_reset(passing);
        if (!taken) taken = pare_buffer_reserve(passing, side.size, err);
        if (!taken) {
            pare_candidate_read(&side, passing->data);
            passing->size = side.size;
            passing->data[side.size] = '\0';
        }
        if (taken) status = taken;
    }
    pare_candidate_done(&side);
    pare_strategy_free(standing);
    pare_dd_deltas_unref(deltas);
    return status;
}

/* The number just outside of a range: halving ended when it had passed, so no test is needed.  A range has
 * an end on one side at least, else the part would be "any". If it has both ends, the number
 * below the lower one is taken. */
static pare_status note_outside(struct finding *self, size_t part, const pare_answer *answer,
                                pare_error *err)
{
    pare_buffer number = {0}, passing = {0};
    assert(answer->has_low || answer->has_high);
    const uint64_t outside = answer->has_low ? answer->low - 1 : answer->high + 1;
    pare_status status = pare_buffer_format(&number, err, "%" PRIu64, outside);
    if (!status) status = replace_part(self, part, &number, &passing, err);
    if (!status) status = note_nearest(self, part, &passing, err);
    pare_buffer_done(&number);
    pare_buffer_done(&passing);
    return status;
}

/* The sample of the part that is its own text but for one letter, and passes; NULL: there is
 * none. Edges have the numbers from n_samples on; those after the PARE_VARY_NOTEDth have no
 * bit. */
static const pare_sample *find_near(const struct finding *self, size_t part)
{
    const pare_varied *varied = &self->parts->parts[part];
    const pare_answer *answer = &self->others->answers[part];
    const uint32_t n = varied->n_samples + varied->n_edges;
    for (uint32_t k = varied->n_samples; k < n && k < PARE_VARY_NOTED; k++) {
        const pare_sample *sample = &self->parts->samples[varied->first_sample + k];
        const bool passes = (answer->tried[k / 64] & ~answer->failed[k / 64]) >> k % 64 & 1;
        if (sample->edge == PARE_EDGE_NEAR && passes) return sample;
    }
    return NULL;
}

/* What passed in place of a token, narrowed where that means something: not the empty string, where all
 * others fail.
 *
 * A sample that was found by others.c is nearest; else what vary.c noted last. Several places
 * of a name are replaced alike, so dd sees all of them as one text. */
static pare_status note_passed(struct finding *self, size_t part, const pare_strategy *vary,
                               pare_error *err)
{
    pare_buffer sample = {0}, passing = {0};
    const pare_sample *near = find_near(self, part);
    pare_status status =
        near ? pare_buffer_add(&sample, self->parts->bytes.data + near->offset, near->size, err)
             : pare_vary_passing(vary, part, &sample, err);
    if (!status) status = replace_part(self, part, &sample, &passing, err);
    const pare_part_kind kind = self->parts->parts[part].kind;
    const bool is_needed = pare_vary_answer(vary, part).verdict == PARE_PART_NEEDED;
    const bool is_near =
        near || kind == PARE_PART_WHOLE || kind == PARE_PART_SIGN || kind == PARE_PART_BYTE;
    if (!status && is_needed && !is_near) status = narrow(self, &passing, err);
    if (!pare_run_error(status)) {
        const pare_status noted = note_nearest(self, part, &passing, err);
        if (noted) status = noted;
    }
    pare_buffer_done(&sample);
    pare_buffer_done(&passing);
    return status;
}

/* Nodes and lists are left out: what has to change in a node is told by its tokens. Of ranges
 * only those of whole numbers have one: the number next to an end was tested. */
static pare_status find_one(struct finding *self, const pare_strategy *vary, size_t part,
                            pare_error *err)
{
    const pare_answer answer = pare_vary_answer(vary, part);
    const pare_part_kind kind = self->parts->parts[part].kind;
    const bool is_token = kind != PARE_PART_NODE && kind != PARE_PART_REPEAT;
    if (kind == PARE_PART_WHOLE && answer.verdict == PARE_PART_RANGE)
        return note_outside(self, part, &answer, err);
    const bool but_empty = answer.verdict == PARE_PART_ANY && answer.has_low;
    if (is_token && (answer.verdict == PARE_PART_NEEDED || but_empty) && answer.has_passing)
        return note_passed(self, part, vary, err);
    return PARE_OK;
}

/* The first error or end of the run ends it; what was found until then stays. */
pare_status pare_neighbours_find(const pare_neighbours_task *task, pare_neighbours *nearest,
                                 pare_error *err)
{
    struct finding self = {task->session, task->text, task->parts, task->others, nearest};
    const pare_parts *parts = task->parts;
    nearest->changes = pare_alloc_zero(parts->n + 1, sizeof *nearest->changes);
    if (!nearest->changes) return pare_fail_nomem(err);
    pare_status status = pare_session_begin_pass(task->session, "isolate", parts->n, err);
    for (size_t k = 0; !status && k < parts->n; k++)
        if (!pare_vary_is_covered(task->vary, k)) status = find_one(&self, task->vary, k, err);
    return status;
}
