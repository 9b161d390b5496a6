/* Signs between the parts, left out one at a time.
 *
 * Parts are varied by others of their kind, and brackets and commas have no others.  So that "the failure needs
 * x" is not read as if nothing else were needed, each of them is left out: that is no test of every change, but
 * the one that a reader would make first.  A line end gives way to a blank, so that words stay apart.  Of a result that is minimal by characters all are needed.
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

static void add_sign(pare_between *out, size_t from, size_t to)
{
    if (out->n < PARE_BETWEEN_MOST)
        out->signs[out->n] = (pare_sign){.from = (uint32_t)from, .to = (uint32_t)to};
    out->n++;
}

/* Adds the signs of bytes at .. next-1, and of line ends the first one of those side by side; not at the end
 * of the text, where a line end says nothing. */
static void add_stretch(const unsigned char *bytes, size_t size, size_t at, size_t next, bool lines,
                        pare_between *out)
{
    while (at < next) {
        const size_t from = at++;
        while (at < next && continues(bytes[at]))
            at++;
        if (!is_blank(bytes[from])) {
            add_sign(out, from, at);
        } else if (lines && bytes[from] == '\n') {
            size_t after = at;
            while (after < size && is_blank(bytes[after]))
                after++;
            if (after < size) add_sign(out, from, at);
            at = after < next ? after : next;
        }
    }
}

/* Places ascend, and one that holds others comes before them: so what reaches farthest so far tells where the
 * next sign may begin. */
static void find(const pare_text *text, const pare_parts *parts,
                 bool (*is_varied)(const void *context, size_t part), const void *context,
                 bool lines, pare_between *out)
{
    const size_t size = pare_text_size(text);
    size_t at = 0;
    *out = (pare_between){.n = 0};
    for (size_t i = 0; i <= parts->n_places; i++) {
        const pare_varied_place *place = i < parts->n_places ? &parts->places[i] : NULL;
        if (place && !is_varied(context, place->part)) continue;
        const size_t next = place ? place->from : size;
        if (next > at) add_stretch(pare_text_bytes(text), size, at, next, lines, out);
        if (next > at) at = next;
        if (place && place->to > at) at = place->to;
    }
}

/* Line ends matter in tables and in languages that go by lines.  They are left aside where there is no room for
 * them, since brackets say more. */
void pare_between_find(const pare_text *text, const pare_parts *parts,
                       bool (*is_varied)(const void *context, size_t part), const void *context,
                       pare_between *out)
{
    find(text, parts, is_varied, context, true, out);
    if (out->n > PARE_BETWEEN_MOST) find(text, parts, is_varied, context, false, out);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

struct leaving {
    pare_strategy head;
    const pare_text *text; /* borrowed */
    pare_between between;  /* with what was found out so far */
};

static pare_status leaving_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                                pare_error *err)
{
    const struct leaving *self = (const struct leaving *)strategy;
    const pare_between *between = &self->between;
    const bool is_done = between->n > PARE_BETWEEN_MOST || between->n_tried == between->n;
    *what = is_done ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (is_done) return PARE_OK;
    const pare_sign *sign = &between->signs[between->n_tried];
    const size_t after = pare_text_size(self->text) - sign->to;
    pare_candidate_start(candidate, self->text);
    pare_status status = sign->from ? pare_candidate_slice(candidate, 0, sign->from, err) : PARE_OK;
    if (!status && ((const unsigned char *)pare_text_bytes(self->text))[sign->from] == '\n')
        status = pare_candidate_literal(candidate, " ", 1, err);
    return status || !after ? status : pare_candidate_slice(candidate, sign->to, after, err);
}

static pare_status leaving_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct leaving *self = (struct leaving *)strategy;
    (void)err;
    assert(self->between.n_tried < self->between.n && "something was asked");
    self->between.signs[self->between.n_tried++].is_needed = outcome != PARE_FAIL;
    self->between.n_needed += outcome != PARE_FAIL;
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
    *self = (struct leaving){.head = {.ops = &ops}, .text = text, .between = *between};
    *out = &self->head;
    return PARE_OK;
}

void pare_between_take(const pare_strategy *strategy, pare_between *between)
{
    *between = ((const struct leaving *)strategy)->between;
}
