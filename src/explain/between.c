/* Signs between the parts, left out one at a time.
 *
 * Parts are varied by others of their kind, and brackets and commas have no others.  So that "the failure needs
 * x" is not read as if nothing else were needed, each of them is left out: that is no test of every change, but
 * the one that a reader would make first.  Brackets go in pairs, what is between them stays: one alone would
 * hardly ever be read by a program.  A line end gives way to a blank, so that words stay apart.  Where there are
 * more than PARE_BETWEEN_MOST tests allow, pairs come first, for they hold a program together (a group of a
 * regular expression, a call); then the others in the order of the text.
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

/* Those after the PARE_BETWEEN_KEPTth are only counted. */
static void add_sign(pare_between *out, size_t from, size_t to)
{
    if (out->n < PARE_BETWEEN_KEPT)
        out->signs[out->n] =
            (pare_sign){.from = (uint32_t)from, .to = (uint32_t)to, .mate = PARE_BETWEEN_ALONE};
    out->n++;
}

/* Adds the signs of bytes at .. next-1, and of line ends the first one of those side by side; not at the end
 * of the text, where a line end says nothing.
 *
 * Without `lines` line ends are passed over like blanks. `size` is that of the text: whether
 * anything but blanks follows a line end is looked up beyond the stretch. */
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
            /* Line ends and blanks side by side are one sign, that of the first of them. */
            size_t after = at;
            while (after < size && is_blank(bytes[after]))
                after++;
            if (after < size) add_sign(out, from, at);
            at = after < next ? after : next;
        }
    }
}

/* Places ascend, and one that holds others comes before them: so what reaches farthest so far tells where the
 * next sign may begin. The last round, with no place, adds what stands after all of them. */
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

/* How many signs there are in `signs`: an index is below this. */
static uint32_t n_kept(const pare_between *between)
{
    return between->n < PARE_BETWEEN_KEPT ? between->n : PARE_BETWEEN_KEPT;
}

/* Gives brackets that match their mates.  One that closes nothing, or another kind, ends all that are open: what
 * belongs together is not known there. Example: in "f(a[0)" the ')' meets '[', so neither that
 * nor '(' gets a mate. */
static void find_mates(const unsigned char *bytes, pare_between *out)
{
    static const char opens[] = "([{", closes[] = ")]}";
    uint8_t open[PARE_BETWEEN_KEPT];
    uint32_t n_open = 0;
    for (uint32_t k = 0; k < n_kept(out); k++) {
        const char byte = (char)bytes[out->signs[k].from];
        const char *close = byte ? strchr(closes, byte) : NULL;
        if (byte && strchr(opens, byte)) open[n_open++] = (uint8_t)k;
        if (!close) continue;
        const char wanted = opens[close - closes];
        if (!n_open || bytes[out->signs[open[n_open - 1]].from] != (unsigned char)wanted) {
            n_open = 0;
            continue;
        }
        out->signs[k].mate = open[--n_open];
        out->signs[open[n_open]].mate = (uint8_t)k;
    }
}

/* Chooses signs of one sort in the order of the text while there are tests for them.
 *
 * `paired` says which sort. *n_tests counts one for a pair, and is one too many at the end if
 * there was no room for all. */
static void choose(pare_between *out, bool paired, uint32_t *n_tests)
{
    for (uint32_t k = 0; k < n_kept(out); k++) {
        pare_sign *sign = &out->signs[k];
        const bool is_paired = sign->mate != PARE_BETWEEN_ALONE;
        if (is_paired != paired || sign->is_chosen) continue;
        if (++*n_tests > PARE_BETWEEN_MOST) return;
        sign->is_chosen = true;
        if (is_paired) out->signs[sign->mate].is_chosen = true;
    }
}

/* Line ends matter in tables and in languages that go by lines.  They are left aside where there is no room for
 * them, since brackets say more. Signs that are not chosen stay in the list, so that a reader
 * sees that they were not tried. */
void pare_between_find(const pare_text *text, const pare_parts *parts,
                       bool (*is_varied)(const void *context, size_t part), const void *context,
                       pare_between *out)
{
    uint32_t n_tests = 0;
    find(text, parts, is_varied, context, true, out);
    if (out->n > PARE_BETWEEN_MOST) find(text, parts, is_varied, context, false, out);
    find_mates(pare_text_bytes(text), out);
    choose(out, true, &n_tests);
    if (n_tests < PARE_BETWEEN_MOST) choose(out, false, &n_tests);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

/* The strategy's state is plain, so a copy of the struct is a copy of it. */
struct leaving {
    pare_strategy head;
    const pare_text *text; /* borrowed */
    pare_between between;  /* with what was found out so far */
};

/* The next sign to be tried, from `at` on: of a pair the one that opens.  Their number: there is none. */
static uint32_t next_chosen(const pare_between *between, uint32_t at)
{
    while (at < n_kept(between) && (!between->signs[at].is_chosen || between->signs[at].is_tried))
        at++;
    return at < n_kept(between) ? at : between->n;
}

/* Appends what of the text is before the sign, from `at` on, and a blank in place of a line
 * end. The sign itself is not appended, which leaves it out. */
static pare_status add_before(const struct leaving *self, size_t at, const pare_sign *sign,
                              pare_candidate *candidate, pare_error *err)
{
    const unsigned char *bytes = pare_text_bytes(self->text);
    pare_status status =
        sign->from > at ? pare_candidate_slice(candidate, at, sign->from - at, err) : PARE_OK;
    if (status || bytes[sign->from] != '\n') return status;
    return pare_candidate_literal(candidate, " ", 1, err);
}

/* Of a pair both are left out; what is between them stays. */
static pare_status leaving_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                                pare_error *err)
{
    const struct leaving *self = (const struct leaving *)strategy;
    const pare_between *between = &self->between;
    const uint32_t at = next_chosen(between, between->at);
    *what = at == between->n ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (at == between->n) return PARE_OK;
    const pare_sign *sign = &between->signs[at];
    pare_candidate_start(candidate, self->text);
    pare_status status = add_before(self, 0, sign, candidate, err);
    if (!status && sign->mate != PARE_BETWEEN_ALONE) {
        const pare_sign *mate = &between->signs[sign->mate];
        status = add_before(self, sign->to, mate, candidate, err);
        sign = mate;
    }
    const size_t after = pare_text_size(self->text) - sign->to;
    return status || !after ? status : pare_candidate_slice(candidate, sign->to, after, err);
}

/* Notes what came of a sign: it is needed if the failure was gone without it. */
static void note(pare_between *between, pare_sign *sign, bool is_needed)
{
    sign->is_tried = true;
    sign->is_needed = is_needed;
    between->n_tried++;
    between->n_needed += is_needed;
}

/* `at` is moved on only here, so next may be asked for any number of times. */
static pare_status leaving_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct leaving *self = (struct leaving *)strategy;
    pare_between *between = &self->between;
    const uint32_t at = next_chosen(between, between->at);
    (void)err;
    assert(at < between->n && "something was asked");
    pare_sign *sign = &between->signs[at];
    note(between, sign, outcome != PARE_FAIL);
    if (sign->mate != PARE_BETWEEN_ALONE)
        note(between, &between->signs[sign->mate], outcome != PARE_FAIL);
    between->at = at + 1;
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

/* Also of a run that ended early: signs without is_tried were not reached. */
void pare_between_take(const pare_strategy *strategy, pare_between *between)
{
    *between = ((const struct leaving *)strategy)->between;
}
