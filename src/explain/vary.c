/* Varying the parts of a text, one after the other.
 *
 * A part is tried with its samples until one passes: then it is needed.  If all fail, any of its kind
 * will do, and of a node the parts inside it are not asked about any more.  Of a whole number the
 * neighbours are asked first: if one of them fails as well, but not all samples, the end of the range
 * on that side is found by galloping and halving, and the inside is looked at in a few places.  At
 * last all that may vary is varied at once.
 *
 * The state is small and plain, so that it is copied for every outcome that is predicted.  It proposes
 * nothing that is to be kept: its own best is the text, always.
 *
 * Invariant: parts before `part` have a verdict, or lie inside a node of which any will do; near fails
 * and far passes while an end is halved to.
 * Cost: one test for most needed parts, all samples for those that are not; of a range 2 log2 of its
 * length.
 * Source: see <pare/explain.h>; ends of ranges by galloping are as in Bentley and Yao's unbounded
 * search, "An almost optimal algorithm for unbounded searching", IPL 5(3), 1976. */
#include "explain/vary.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pare/explain.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    N_INSIDE = 6,    /* places of a range that are looked at */
    N_TOGETHER = 3,  /* tests of all that may vary at once */
    WHOLE_BYTES = 24 /* of a number as text */
};

/* From here on a range has no end. */
static const uint64_t LARGEST = UINT64_C(1000000000000000000);

enum stage { SAMPLES, GALLOP_UP, HALVE_UP, GALLOP_DOWN, HALVE_DOWN, INSIDE, TOGETHER, DONE };

struct vary {
    pare_strategy head;
    const pare_text *text;   /* one reference */
    const pare_parts *parts; /* borrowed */
    pare_answer *answers;    /* owned; one for each part */
    size_t part;             /* asked about */
    enum stage stage;
    uint32_t turn; /* of the stage: sample, place inside, test of all */
    bool above_fails, below_fails;
    uint64_t near, far, step;
    int together;
};

static const struct vary *of(const pare_strategy *strategy)
{
    return (const struct vary *)strategy;
}

/* ---- what is asked ------------------------------------------------------------------ */

/* A sample of a part; borrowed. */
static const char *sample_of(const struct vary *self, size_t part, uint32_t k, size_t *size)
{
    const pare_varied *varied = &self->parts->parts[part];
    const pare_sample *sample = &self->parts->samples[varied->first_sample + k];
    assert(k < varied->n_samples);
    *size = sample->size;
    return self->parts->bytes.data + sample->offset;
}

/* A place of the range that was found: the k-th of N_INSIDE, apart from each other, odd and even. */
static uint64_t inside(const struct vary *self, size_t part, uint32_t k)
{
    const pare_answer *answer = &self->answers[part];
    const uint64_t value = self->parts->parts[part].value;
    const uint64_t low = answer->has_low ? answer->low : 0;
    uint64_t high = answer->has_high ? answer->high : value * 16 + 1000;
    if (high > LARGEST) high = LARGEST;
    const uint64_t at = low + (high - low) / (N_INSIDE + 1) * (k + 1) + k / 2;
    return at < high ? at : high;
}

/* The number that is asked about in the stages of ranges. */
static uint64_t number_of(const struct vary *self)
{
    const uint64_t value = self->parts->parts[self->part].value;
    switch (self->stage) {
    case GALLOP_UP: return value + self->step;
    case GALLOP_DOWN: return value > self->step ? value - self->step : 0;
    case HALVE_UP: return self->near + (self->far - self->near) / 2;
    case HALVE_DOWN: return self->far + (self->near - self->far) / 2;
    case INSIDE: return inside(self, self->part, self->turn);
    case SAMPLES:
    case TOGETHER:
    case DONE: break;
    }
    return value;
}

static bool may_vary(const pare_answer *answer)
{
    return answer->verdict == PARE_PART_ANY || answer->verdict == PARE_PART_RANGE ||
           answer->verdict == PARE_PART_RENAME;
}

/* Which names come before `part` among those that are renamed: each gets another fresh name. */
static uint32_t rank_of(const struct vary *self, size_t part)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < part; k++)
        rank += self->answers[k].verdict == PARE_PART_RENAME;
    return rank;
}

/* What stands for `part` when all is varied; NULL: it stays. */
static const char *varied_text(const struct vary *self, size_t part, char number[WHOLE_BYTES],
                               size_t *size)
{
    const pare_varied *varied = &self->parts->parts[part];
    const pare_answer *answer = &self->answers[part];
    if (!may_vary(answer)) return NULL;
    if (answer->verdict == PARE_PART_RANGE) {
        *size = (size_t)snprintf(number, WHOLE_BYTES, "%" PRIu64,
                                 inside(self, part, self->turn % N_INSIDE));
        return number;
    }
    if (answer->verdict == PARE_PART_RENAME) {
        const uint32_t rank = rank_of(self, part);
        if (rank >= varied->n_samples) return NULL;
        return sample_of(self, part, (rank + self->turn) % varied->n_samples, size);
    }
    /* Not the empty string where that does not fail. */
    const uint32_t n = varied->n_samples - answer->has_low;
    return sample_of(self, part, (uint32_t)(part + 7 * self->turn) % n, size);
}

/* What stands for `part` in the candidate that is proposed now; NULL: its own text. */
static const char *text_for(const struct vary *self, size_t part, char number[WHOLE_BYTES],
                            size_t *size)
{
    if (self->stage == TOGETHER) return varied_text(self, part, number, size);
    if (part != self->part) return NULL;
    if (self->stage == SAMPLES) return sample_of(self, part, self->turn, size);
    *size = (size_t)snprintf(number, WHOLE_BYTES, "%" PRIu64, number_of(self));
    return number;
}

/* The text with what is varied.  A place inside one that was replaced is gone with it. */
static pare_status make_candidate(const struct vary *self, pare_candidate *candidate,
                                  pare_error *err)
{
    const pare_parts *parts = self->parts;
    const size_t end = pare_text_size(self->text);
    size_t at = 0;
    pare_status status = PARE_OK;
    pare_candidate_start(candidate, self->text);
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        char number[WHOLE_BYTES];
        size_t size = 0;
        const pare_varied_place *place = &parts->places[k];
        if (place->from < at) continue;
        const char *text = text_for(self, place->part, number, &size);
        if (!text) continue;
        if (place->from > at) status = pare_candidate_slice(candidate, at, place->from - at, err);
        if (!status && size) status = pare_candidate_literal(candidate, text, size, err);
        at = place->to;
    }
    if (!status && end > at) status = pare_candidate_slice(candidate, at, end - at, err);
    return status;
}

/* ---- what comes next ---------------------------------------------------------------- */

/* Whether bytes from .. to-1, of `part`, lie inside another node of which any will do. */
static bool is_inside_any(const struct vary *self, size_t part, uint32_t from, uint32_t to)
{
    for (size_t k = 0; k < self->parts->n; k++) {
        const pare_varied *node = &self->parts->parts[k];
        if (node->kind == PARE_PART_NODE && self->answers[k].verdict == PARE_PART_ANY &&
            node->from <= from && to <= node->to && k != part)
            return true;
    }
    return false;
}

/* Whether all places of `part` do: then there is nothing to be asked. */
static bool is_covered(const struct vary *self, size_t part)
{
    const pare_varied *varied = &self->parts->parts[part];
    if (varied->n_places == 1) return is_inside_any(self, part, varied->from, varied->to);
    for (size_t k = 0; k < self->parts->n_places; k++) {
        const pare_varied_place *place = &self->parts->places[k];
        if (place->part == part && !is_inside_any(self, part, place->from, place->to)) return false;
    }
    return true;
}

static void begin_together(struct vary *self)
{
    size_t n = 0;
    for (size_t k = 0; k < self->parts->n; k++)
        n += may_vary(&self->answers[k]);
    self->stage = n > 1 ? TOGETHER : DONE;
    self->turn = 0;
}

/* The next part that is to be asked about, from `part` on. */
static void begin_part(struct vary *self, size_t part)
{
    for (self->part = part; self->part < self->parts->n; self->part++)
        if (!is_covered(self, self->part)) break;
    self->stage = SAMPLES;
    self->turn = 0;
    self->above_fails = self->below_fails = false;
    if (self->part == self->parts->n) begin_together(self);
}

static void decide(struct vary *self, pare_part_verdict verdict)
{
    self->answers[self->part].verdict = verdict;
    begin_part(self, self->part + 1);
}

/* ---- ranges ------------------------------------------------------------------------- */

static void begin_inside(struct vary *self)
{
    self->stage = INSIDE;
    self->turn = 0;
}

static void begin_down(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    const uint64_t value = self->parts->parts[self->part].value;
    answer->has_low = true;
    answer->low = value;
    if (value == 0) answer->has_low = false; /* nothing is below */
    if (!self->below_fails) {
        begin_inside(self);
        return;
    }
    self->stage = GALLOP_DOWN;
    self->near = value - 1;
    self->step = 2;
    if (value > 1) return;
    answer->has_low = false; /* 0 fails: nothing is below */
    begin_inside(self);
}

static void begin_up(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    const uint64_t value = self->parts->parts[self->part].value;
    answer->has_high = true;
    answer->high = value;
    if (!self->above_fails) {
        begin_down(self);
        return;
    }
    self->stage = GALLOP_UP;
    self->near = value + 1;
    self->step = 2;
}

/* The end above is between near and far. */
static void halve_up(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    self->stage = HALVE_UP;
    if (self->far - self->near > 1) return;
    answer->high = self->near;
    begin_down(self);
}

static void halve_down(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    self->stage = HALVE_DOWN;
    if (self->near - self->far > 1) return;
    answer->low = self->near;
    begin_inside(self);
}

static void tell_gallop_up(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (!fails) {
        self->far = asked;
        halve_up(self);
        return;
    }
    self->near = asked;
    self->step *= 2;
    if (number_of(self) <= LARGEST) return;
    self->answers[self->part].has_high = false;
    begin_down(self);
}

static void tell_gallop_down(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (!fails) {
        self->far = asked;
        halve_down(self);
        return;
    }
    self->near = asked;
    self->step *= 2;
    if (asked) return;
    self->answers[self->part].has_low = false;
    begin_inside(self);
}

static void tell_halve(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (fails)
        self->near = asked;
    else
        self->far = asked;
    if (self->stage == HALVE_UP)
        halve_up(self);
    else
        halve_down(self);
}

/* One that passes inside says that it is no range: what else fails is not a matter of size. */
static void tell_inside(struct vary *self, bool fails)
{
    if (!fails)
        decide(self, PARE_PART_NEEDED);
    else if (++self->turn == N_INSIDE)
        decide(self, PARE_PART_RANGE);
}

/* ---- samples ------------------------------------------------------------------------ */

/* Of a whole number: the neighbours decide whether it may be a range. */
static void tell_sample_of_whole(struct vary *self, bool fails)
{
    const pare_varied *part = &self->parts->parts[self->part];
    const uint32_t n_neighbours = part->value ? 2 : 1;
    if (self->turn == 0) self->above_fails = fails;
    if (self->turn == 1 && n_neighbours == 2) self->below_fails = fails;
    self->turn++;
    if (self->turn < n_neighbours) return;
    const bool near_fails = self->above_fails || self->below_fails;
    const bool all_fail = self->answers[self->part].fails == self->turn;
    if (!near_fails)
        decide(self, PARE_PART_NEEDED);
    else if (!all_fail)
        begin_up(self);
    else if (self->turn == part->n_samples)
        decide(self, PARE_PART_ANY);
}

static void tell_sample(struct vary *self, bool fails)
{
    const pare_varied *part = &self->parts->parts[self->part];
    pare_answer *answer = &self->answers[self->part];
    if (part->kind == PARE_PART_WHOLE) {
        tell_sample_of_whole(self, fails);
        return;
    }
    const bool is_last = self->turn + 1 == part->n_samples;
    if (!fails && part->kind == PARE_PART_STRING && is_last && part->has_empty) {
        answer->has_low = true; /* any but the empty one, which is asked about last */
        answer->low = 1;
    } else if (!fails) {
        decide(self, PARE_PART_NEEDED);
        return;
    }
    self->turn++;
    if (!is_last) return;
    assert(answer->fails >= part->least);
    decide(self, part->kind == PARE_PART_NAME ? PARE_PART_RENAME : PARE_PART_ANY);
}

static void tell_together(struct vary *self, bool fails)
{
    self->together = fails;
    if (!fails || ++self->turn == N_TOGETHER) self->stage = DONE;
}

/* ---- the strategy ------------------------------------------------------------------- */

static pare_status vary_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    const struct vary *self = of(strategy);
    *what = self->stage == DONE ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    return self->stage == DONE ? PARE_OK : make_candidate(self, candidate, err);
}

static pare_status vary_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct vary *self = (struct vary *)strategy;
    const bool fails = outcome == PARE_FAIL;
    (void)err;
    if (self->stage < TOGETHER) {
        self->answers[self->part].samples++;
        self->answers[self->part].fails += fails;
    }
    switch (self->stage) {
    case SAMPLES: tell_sample(self, fails); break;
    case GALLOP_UP: tell_gallop_up(self, fails); break;
    case GALLOP_DOWN: tell_gallop_down(self, fails); break;
    case HALVE_UP:
    case HALVE_DOWN: tell_halve(self, fails); break;
    case INSIDE: tell_inside(self, fails); break;
    case TOGETHER: tell_together(self, fails); break;
    case DONE: assert(!"nothing was asked"); break;
    }
    return PARE_OK;
}

static void vary_free(pare_strategy *strategy)
{
    struct vary *self = (struct vary *)strategy;
    pare_text_unref(self->text);
    pare_alloc_free(self->answers);
    pare_alloc_free(self);
}

static pare_status vary_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct vary *self = of(strategy);
    struct vary *copy = pare_alloc(1, sizeof *copy);
    pare_answer *answers = pare_alloc(self->parts->n + 1, sizeof *answers);
    if (!copy || !answers) {
        pare_alloc_free(copy);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *copy = *self;
    memcpy(answers, self->answers, self->parts->n * sizeof *answers);
    copy->answers = answers;
    (void)pare_text_ref(copy->text);
    *out = &copy->head;
    return PARE_OK;
}

/* The text, whatever fails: nothing is reduced. */
static pare_status vary_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    const struct vary *self = of(strategy);
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

pare_status pare_vary_new(const pare_text *text, const pare_parts *parts, pare_strategy **out,
                          pare_error *err)
{
    static const pare_strategy_ops ops = {.next = vary_next,
                                          .tell = vary_tell,
                                          .copy = vary_copy,
                                          .destroy = vary_free,
                                          .best = vary_best};
    struct vary *self = pare_alloc(1, sizeof *self);
    pare_answer *answers = pare_alloc_zero(parts->n + 1, sizeof *answers);
    if (!self || !answers) {
        pare_alloc_free(self);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *self = (struct vary){.head = {.ops = &ops},
                          .text = pare_text_ref(text),
                          .parts = parts,
                          .answers = answers,
                          .together = -1};
    begin_part(self, 0);
    *out = &self->head;
    return PARE_OK;
}

pare_answer pare_vary_answer(const pare_strategy *vary, size_t part)
{
    assert(part < of(vary)->parts->n);
    return of(vary)->answers[part];
}

bool pare_vary_is_covered(const pare_strategy *vary, size_t part)
{
    assert(part < of(vary)->parts->n);
    return is_covered(of(vary), part);
}

int pare_vary_together(const pare_strategy *vary)
{
    return of(vary)->together;
}

/* ---- the pattern -------------------------------------------------------------------- */

/* "<whole number from 3>", "<name>". */
static pare_status add_hole(const struct vary *self, size_t part, pare_buffer *out, pare_error *err)
{
    const pare_answer *answer = &self->answers[part];
    const char *kind = self->parts->bytes.data + self->parts->parts[part].name;
    pare_status status = pare_buffer_format(out, err, "<%s", kind);
    if (!status && answer->verdict == PARE_PART_ANY && answer->has_low)
        return pare_buffer_text(out, ", not empty>", err);
    if (!status && answer->has_low)
        status = pare_buffer_format(out, err, " from %" PRIu64, answer->low);
    if (!status && answer->has_high)
        status = pare_buffer_format(out, err, " to %" PRIu64, answer->high);
    return status ? status : pare_buffer_text(out, ">", err);
}

pare_status pare_vary_pattern(const pare_strategy *vary, pare_buffer *out, pare_error *err)
{
    const struct vary *self = of(vary);
    const pare_parts *parts = self->parts;
    const char *bytes = (const char *)pare_text_bytes(self->text);
    const size_t end = pare_text_size(self->text);
    size_t at = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        const pare_varied_place *place = &parts->places[k];
        if (place->from < at || !may_vary(&self->answers[place->part])) continue;
        status = pare_buffer_add(out, bytes + at, place->from - at, err);
        if (!status) status = add_hole(self, place->part, out, err);
        at = place->to;
    }
    return status ? status : pare_buffer_add(out, bytes + at, end - at, err);
}
