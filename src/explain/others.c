/* Others of a part that decide nothing about it, so that a reader is told what was tried.
 *
 * The strategy has a list of questions that depends on the answers so far: for the first round all edges that
 * are worth a test, part by part; for the second one more text for the part that was tried with the fewest.
 * A question is a part and one of its samples; the candidate is the text with that sample in all places of the
 * part.  The outcome is noted in the part's bit sets; of a needed part it is counted too, since some others may
 * still fail.  Verdicts stay as they are.
 *
 * Invariant: nothing is asked twice.  No claim of vary.c rests on what is asked here.
 * Cost: O(parts) for each question.
 * Tested by tests/unit/test_others.c. */
#include "explain/others.h"

#include <assert.h>
#include <string.h>

#include <pare/explain.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "explain/sampler.h"
#include "text/candidate.h"

enum {
    MOST_OTHERS = 8, /* texts in place of a token that is needed */
    MOST_NODES = 4,  /* in place of a piece of program: what they say is rough */
    MOST_NEAR = 12,  /* bytes of a word among bytes */
    NONE_LEFT = UINT32_MAX
};

struct asking {
    pare_strategy head;
    const pare_text *text;
    const pare_parts *parts;
    const bool *is_covered; /* of pare_others */
    pare_others_round round;
    pare_answer *answers; /* owned */
    size_t part;          /* asked about; the number of parts: the round is over */
    uint32_t sample;      /* of the part, that stands in its place */
};

/* ---- what is asked ---------------------------------------------------------------------- */

/* Whether text `k` of the part has its bit among those that were tried. */
static bool is_tried(const pare_answer *answer, uint32_t k)
{
    return answer->tried[k / 64] >> k % 64 & 1;
}

/* Whether the part is a value, of which people want to know what else it may be; a name is
 * none. */
static bool is_value(const pare_varied *part)
{
    return part->kind == PARE_PART_WHOLE || part->kind == PARE_PART_NUMBER ||
           part->kind == PARE_PART_STRING || part->kind == PARE_PART_SIGN;
}

/* How many texts of the part can be noted: its samples, and edges after them. Those after the
 * PARE_VARY_NOTEDth have no bit, so nothing is asked about them. */
static uint32_t n_texts(const pare_varied *part)
{
    const uint32_t n = part->n_samples + part->n_edges;
    return n < PARE_VARY_NOTED ? n : PARE_VARY_NOTED;
}

/* Whether the edge is worth a test before anything else is asked.
 *
 * Of a needed part only what is nearest to it, to see how exact it has to be; of a value that
 * may vary all edges, which its claim does not cover. Names and nodes that may vary have none
 * that matter. */
static bool is_due(const pare_varied *part, const pare_answer *answer, pare_sampler_edge edge)
{
    if (answer->verdict == PARE_PART_NEEDED) return edge == PARE_EDGE_NEAR;
    return is_value(part) &&
           (answer->verdict == PARE_PART_ANY || answer->verdict == PARE_PART_RANGE);
}

/* The first edge of the part that is due; NONE_LEFT: there is none. Edges have the numbers from
 * n_samples on. */
static uint32_t next_edge(const struct asking *self, size_t index)
{
    const pare_varied *part = &self->parts->parts[index];
    const pare_answer *answer = &self->answers[index];
    for (uint32_t k = part->n_samples; k < n_texts(part); k++) {
        const pare_sampler_edge edge = self->parts->samples[part->first_sample + k].edge;
        if (!is_tried(answer, k) && is_due(part, answer, edge)) return k;
    }
    return NONE_LEFT;
}

/* Edges come before samples: that something else than a name may stand there says more than a
 * second name. Returns the number of a text that was not tried; NONE_LEFT: all were. */
static uint32_t next_text(const struct asking *self, size_t index)
{
    const pare_varied *part = &self->parts->parts[index];
    const uint32_t n = n_texts(part);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = (part->n_samples + i) % n;
        if (!is_tried(&self->answers[index], k)) return k;
    }
    return NONE_LEFT;
}

/* Whether one text more is to be tried in place of the part, which is needed. `samples` counts
 * what was tried of it so far, by vary.c as well. */
static bool wants_more(const struct asking *self, size_t index)
{
    const pare_varied *part = &self->parts->parts[index];
    const pare_answer *answer = &self->answers[index];
    const uint32_t most = part->kind == PARE_PART_NODE ? MOST_NODES : MOST_OTHERS;
    return part->kind != PARE_PART_REPEAT && answer->verdict == PARE_PART_NEEDED &&
           answer->samples < most && next_text(self, index) != NONE_LEFT;
}

/* Goes on from the part at hand, so that all edges of one part are asked in a row; at the end
 * `part` is the number of parts. */
static void choose_edge(struct asking *self)
{
    for (; self->part < self->parts->n; self->part++) {
        if (self->is_covered[self->part]) continue;
        self->sample = next_edge(self, self->part);
        if (self->sample != NONE_LEFT) return;
    }
}

/* Of the parts with the fewest texts the first one, so that each gets its share before the
 * tests run out. */
static void choose_rest(struct asking *self)
{
    const size_t n = self->parts->n;
    self->part = n;
    for (size_t k = 0; k < n; k++) {
        if (self->is_covered[k] || !wants_more(self, k)) continue;
        if (self->part == n || self->answers[k].samples < self->answers[self->part].samples)
            self->part = k;
    }
    if (self->part < n) self->sample = next_text(self, self->part);
}

/* Sets the next question: `part` and `sample`. */
static void choose(struct asking *self)
{
    if (self->round == PARE_OTHERS_EDGES)
        choose_edge(self);
    else
        choose_rest(self);
}

/* All edges of values, and one of each other part: which verdict each will get is not known
 * yet. */
uint32_t pare_others_wanted(const pare_parts *parts)
{
    uint32_t n = 0;
    for (size_t k = 0; k < parts->n; k++)
        n += is_value(&parts->parts[k]) ? parts->parts[k].n_edges : parts->parts[k].n_edges > 0;
    return n;
}

/* ---- the strategy ---------------------------------------------------------------------- */

/* The candidate is made of slices of the text and copies of the sample, so the text itself is
 * not copied. */
static pare_status asking_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                               pare_error *err)
{
    const struct asking *self = (const struct asking *)strategy;
    const pare_parts *parts = self->parts;
    const size_t end = pare_text_size(self->text);
    size_t at = 0;
    pare_status status = PARE_OK;
    *what = self->part == parts->n ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (*what == PARE_NEXT_DONE) return PARE_OK;
    const pare_sample *sample =
        &parts->samples[parts->parts[self->part].first_sample + self->sample];
    pare_candidate_start(candidate, self->text);
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        const pare_varied_place *place = &parts->places[k];
        if (place->part != self->part) continue;
        assert(at <= place->from && "places of a part ascend and do not overlap");
        if (place->from > at) status = pare_candidate_slice(candidate, at, place->from - at, err);
        if (!status && sample->size)
            status = pare_candidate_literal(candidate, parts->bytes.data + sample->offset,
                                            sample->size, err);
        at = place->to;
    }
    return status || at == end ? status : pare_candidate_slice(candidate, at, end - at, err);
}

/* Notes the outcome, and goes on to the next question. UNRESOLVED counts as not failing. */
static pare_status asking_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct asking *self = (struct asking *)strategy;
    pare_answer *answer = &self->answers[self->part];
    const uint64_t bit = (uint64_t)1 << self->sample % 64;
    const bool fails = outcome == PARE_FAIL;
    (void)err;
    assert(self->part < self->parts->n && "something was asked");
    answer->tried[self->sample / 64] |= bit;
    if (fails) answer->failed[self->sample / 64] |= bit;
    if (answer->verdict == PARE_PART_NEEDED) {
        answer->samples++;
        answer->fails += fails;
    }
    choose(self);
    return PARE_OK;
}

static void asking_free(pare_strategy *strategy)
{
    struct asking *self = (struct asking *)strategy;
    pare_alloc_free(self->answers);
    pare_alloc_free(self);
}

/* NULL: memory is out. One more than `n`, as an allocation of nothing may be NULL, too. */
static pare_answer *copy_answers(const pare_answer *answers, size_t n)
{
    pare_answer *copy = pare_alloc(n + 1, sizeof *copy);
    if (copy && n) memcpy(copy, answers, n * sizeof *copy);
    return copy;
}

/* A copy may be told other outcomes, so it has answers of its own; all else is borrowed by
 * both. */
static pare_status asking_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct asking *self = (const struct asking *)strategy;
    struct asking *copy = pare_alloc(1, sizeof *copy);
    pare_answer *answers = copy_answers(self->answers, self->parts->n);
    if (!copy || !answers) {
        pare_alloc_free(copy);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *copy = *self;
    copy->answers = answers;
    *out = &copy->head;
    return PARE_OK;
}

/* The text, whatever fails: nothing is reduced. */
static pare_status asking_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    const struct asking *self = (const struct asking *)strategy;
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

/* Everything but the answers is borrowed, as the answers change while it runs. */
pare_status pare_others_new(const pare_text *text, const pare_parts *parts,
                            const pare_others *others, pare_others_round round, pare_strategy **out,
                            pare_error *err)
{
    static const pare_strategy_ops ops = {.next = asking_next,
                                          .tell = asking_tell,
                                          .copy = asking_copy,
                                          .destroy = asking_free,
                                          .best = asking_best};
    struct asking *self = pare_alloc(1, sizeof *self);
    pare_answer *answers = copy_answers(others->answers, parts->n);
    if (!self || !answers) {
        pare_alloc_free(self);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *self = (struct asking){.head = {.ops = &ops},
                            .text = text,
                            .parts = parts,
                            .is_covered = others->is_covered,
                            .round = round,
                            .answers = answers};
    choose(self);
    *out = &self->head;
    return PARE_OK;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* Copies what vary.c knows, since its strategy does not outlive the run. */
pare_status pare_others_begin(const pare_parts *parts, const pare_strategy *vary, pare_others *out,
                              pare_error *err)
{
    out->answers = pare_alloc(parts->n + 1, sizeof *out->answers);
    out->is_covered = pare_alloc_zero(parts->n + 1, sizeof *out->is_covered);
    if (!out->answers || !out->is_covered) {
        pare_others_done(out);
        return pare_fail_nomem(err);
    }
    for (size_t k = 0; k < parts->n; k++) {
        out->answers[k] = pare_vary_answer(vary, k);
        out->is_covered[k] = pare_vary_is_covered(vary, k);
    }
    return PARE_OK;
}

void pare_others_done(pare_others *others)
{
    pare_alloc_free(others->answers);
    pare_alloc_free(others->is_covered);
    *others = (pare_others){.answers = NULL};
}

/* The strategy has a copy of all answers, with what it has found out added. */
void pare_others_take(const pare_strategy *strategy, pare_others *others)
{
    const struct asking *self = (const struct asking *)strategy;
    memcpy(others->answers, self->answers, self->parts->n * sizeof *self->answers);
}
