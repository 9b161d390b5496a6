/* Signs between the parts, left out one at a time.
 *
 * Parts are varied by others of their kind, and brackets and commas have no others.  So that "the failure needs
 * x" is not read as if nothing else were needed, each of them is left out: that is no test of every change, but
 * the one that a reader would make first.  Of a result that is minimal by characters all are needed.
 * Tested by tests/unit/test_between.c. */
#include "explain/between.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "text/candidate.h"

/* ---- what is between ------------------------------------------------------------------------ */

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A character of several bytes goes as a whole. */
static bool continues(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Places ascend, and one that holds others comes before them: so what reaches farthest so far tells where the
 * next sign may begin. */
void pare_between_find(const pare_text *text, const pare_parts *parts,
                       bool (*is_varied)(const void *context, size_t part), const void *context,
                       pare_between *out)
{
    const unsigned char *bytes = pare_text_bytes(text);
    const size_t size = pare_text_size(text);
    size_t at = 0;
    *out = (pare_between){.n = 0};
    for (size_t i = 0; i <= parts->n_places; i++) {
        const pare_varied_place *place = i < parts->n_places ? &parts->places[i] : NULL;
        if (place && !is_varied(context, place->part)) continue;
        const size_t next = place ? place->from : size;
        while (at < next) {
            const size_t from = at++;
            while (at < next && continues(bytes[at]))
                at++;
            if (is_blank(bytes[from])) continue;
            if (out->n < PARE_BETWEEN_MOST)
                out->signs[out->n] = (pare_sign){(uint32_t)from, (uint32_t)at};
            out->n++;
        }
        if (place && place->to > at) at = place->to;
    }
}

/* ---- the strategy ---------------------------------------------------------------------------- */

struct leaving {
    pare_strategy head;
    const pare_text *text;       /* borrowed */
    const pare_between *between; /* borrowed */
    uint32_t n_tried, n_needed;
};

static pare_status leaving_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                                pare_error *err)
{
    const struct leaving *self = (const struct leaving *)strategy;
    const bool is_done = self->between->n > PARE_BETWEEN_MOST || self->n_tried == self->between->n;
    *what = is_done ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (is_done) return PARE_OK;
    const pare_sign *sign = &self->between->signs[self->n_tried];
    const size_t after = pare_text_size(self->text) - sign->to;
    pare_candidate_start(candidate, self->text);
    pare_status status = sign->from ? pare_candidate_slice(candidate, 0, sign->from, err) : PARE_OK;
    return status || !after ? status : pare_candidate_slice(candidate, sign->to, after, err);
}

static pare_status leaving_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct leaving *self = (struct leaving *)strategy;
    (void)err;
    assert(self->n_tried < self->between->n && "something was asked");
    self->n_tried++;
    self->n_needed += outcome != PARE_FAIL;
    return PARE_OK;
}

static pare_status leaving_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct leaving *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *(const struct leaving *)strategy;
    *out = &copy->head;
    return PARE_OK;
}

static void leaving_free(pare_strategy *strategy)
{
    pare_alloc_free(strategy);
}

/* The text, whatever fails: nothing is reduced. */
static pare_status leaving_best(const pare_strategy *strategy, pare_candidate *best,
                                pare_error *err)
{
    const struct leaving *self = (const struct leaving *)strategy;
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

pare_status pare_between_new(const pare_text *text, const pare_between *between,
                             pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = leaving_next,
                                          .tell = leaving_tell,
                                          .copy = leaving_copy,
                                          .destroy = leaving_free,
                                          .best = leaving_best};
    struct leaving *self = pare_alloc(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (struct leaving){.head = {.ops = &ops}, .text = text, .between = between};
    *out = &self->head;
    return PARE_OK;
}

void pare_between_take(const pare_strategy *strategy, pare_between *between)
{
    const struct leaving *self = (const struct leaving *)strategy;
    between->n_tried = self->n_tried;
    between->n_needed = self->n_needed;
}
