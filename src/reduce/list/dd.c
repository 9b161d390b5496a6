/* dd: isolates a minimal difference between a passing and a failing text; the algorithm and
 * its source stand in dd.h.
 *
 * The deltas lie over one flat base text, the passing bytes followed by the failing ones.
 * Each reaches from where it begins to where the next one does, in both texts, so that it
 * takes the common text after it along; what stands before the first delta goes with that
 * one.  A delta's place in the text that does not have it is where it would stand.
 *
 * Every delta is in one of three places: outside both sides, in both, or in the difference.
 * The places are kept as stretches of consecutive deltas, shared by the copies of a state, so
 * a test costs O(stretches).  All four steps of dd move the deltas of one part of the
 * difference to one place and the rest of the difference to another.
 *
 * Invariants: stretches are not empty, tile the deltas, and neighbours differ in place; both
 * places of a delta never decrease from delta to delta. */

#include "reduce/list/dd.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/shared.h"
#include "text/candidate.h"
#include "text/diff.h"
#include "text/text.h"

struct pare_deltas {
    size_t refs;
    const pare_text *base; /* one reference */
    size_t n;
    /* Offsets in the base where delta i begins in either text, n + 1 of them: the last
     * are the ends of the texts. */
    uint32_t *passing_at; /* owned */
    uint32_t *failing_at; /* in the block of passing_at */
    uint32_t failing_start;
};

/* One more reference; copies of a strategy share the deltas, which never change. */
static pare_deltas *deltas_ref(pare_deltas *deltas)
{
    deltas->refs++;
    return deltas;
}

/* The last reference frees them.  `failing_at` is the second half of the array at `passing_at`. */
void pare_dd_deltas_unref(pare_deltas *deltas)
{
    if (!deltas || --deltas->refs) return;
    pare_text_unref(deltas->base);
    pare_alloc_free(deltas->passing_at);
    pare_alloc_free(deltas);
}

/* Deltas in all, whether they are still open or not. */
size_t pare_dd_deltas_count(const pare_deltas *deltas)
{
    return deltas->n;
}

/* ---- making --------------------------------------------------------------------- */

/* Both texts, cut and compared. */
struct comparison {
    pare_bounds passing, failing;
    pare_diff diff;
};

/* On failure too, *comparison needs comparison_done. */
static pare_status compare(const pare_deltas_source *source, struct comparison *comparison,
                           pare_error *err)
{
    const pare_splitter *splitter = source->splitter;
    pare_sequence passing = {source->passing, &comparison->passing};
    pare_sequence failing = {source->failing, &comparison->failing};
    pare_status status =
        splitter->split(passing.text.bytes, passing.text.size, &comparison->passing, err);
    if (!status)
        status = splitter->split(failing.text.bytes, failing.text.size, &comparison->failing, err);
    if (!status) status = pare_diff_make(&passing, &failing, 0, &comparison->diff, err);
    return status;
}

/* The comparison is needed only until the deltas have their places. */
static void comparison_done(struct comparison *comparison)
{
    pare_split_bounds_done(&comparison->passing);
    pare_split_bounds_done(&comparison->failing);
    pare_diff_done(&comparison->diff);
}

/* One text with both, so that a candidate can take slices of either. */
static pare_status make_base(const pare_deltas_source *source, const pare_text **base,
                             pare_error *err)
{
    pare_buffer both = {0};
    pare_text *text = NULL;
    pare_status status =
        pare_buffer_reserve(&both, source->passing.size + source->failing.size, err);
    if (!status) status = pare_buffer_add(&both, source->passing.bytes, source->passing.size, err);
    if (!status) status = pare_buffer_add(&both, source->failing.bytes, source->failing.size, err);
    if (!status) status = pare_text_take(&both, &text, err);
    pare_buffer_done(&both);
    if (!status) *base = text;
    return status;
}

/* Sets the places of the deltas of one run. */
static void place_run(pare_deltas *deltas, const struct comparison *comparison,
                      const pare_diff_run *run)
{
    if (run->side == PARE_DIFF_COMMON) return;
    size_t old_step = run->side == PARE_DIFF_ONLY_OLD, new_step = !old_step;
    for (size_t i = 0; i < run->n; i++, deltas->n++) {
        size_t old = run->old_at + i * old_step, new = run->new_at + i *new_step;
        deltas->passing_at[deltas->n] =
            (uint32_t)pare_split_bounds_begin(&comparison->passing, old);
        deltas->failing_at[deltas->n] =
            deltas->failing_start + (uint32_t)pare_split_bounds_begin(&comparison->failing, new);
    }
}

/* Makes a delta of each unit that only one input has.  Both arrays have one entry more, the end of
 * each text, so that a delta's end is the place of the next one. */
static pare_status deltas_place(pare_deltas *deltas, const struct comparison *comparison,
                                pare_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < comparison->diff.n_runs; i++)
        if (comparison->diff.runs[i].side != PARE_DIFF_COMMON) n += comparison->diff.runs[i].n;
    deltas->passing_at = pare_alloc(n + 1, 2 * sizeof *deltas->passing_at);
    if (!deltas->passing_at) return pare_fail_nomem(err);
    deltas->failing_at = deltas->passing_at + n + 1;
    for (size_t i = 0; i < comparison->diff.n_runs; i++)
        place_run(deltas, comparison, &comparison->diff.runs[i]);
    assert(deltas->n == n);
    deltas->passing_at[n] = deltas->failing_start;
    deltas->failing_at[n] = (uint32_t)pare_text_size(deltas->base);
    return PARE_OK;
}

/* Both inputs are put into one base text, the passing one first, so that any mix of the two is a
 * list of slices of one text. */
pare_status pare_dd_deltas_new(const pare_deltas_source *source, pare_deltas **out, pare_error *err)
{
    struct comparison comparison = {.diff = {.n_runs = 0}};
    if (source->failing.size > PARE_TEXT_MAX_BYTES ||
        source->passing.size > PARE_TEXT_MAX_BYTES - source->failing.size)
        return pare_fail(err, PARE_E_LIMIT, "the two inputs are larger than 4 GiB together");
    pare_deltas *deltas = pare_alloc_zero(1, sizeof *deltas);
    if (!deltas) return pare_fail_nomem(err);
    deltas->refs = 1;
    deltas->failing_start = (uint32_t)source->passing.size;
    pare_status status = make_base(source, &deltas->base, err);
    if (!status) status = compare(source, &comparison, err);
    if (!status) status = deltas_place(deltas, &comparison, err);
    comparison_done(&comparison);
    if (status)
        pare_dd_deltas_unref(deltas);
    else
        *out = deltas;
    return status;
}

/* ---- counting ------------------------------------------------------------------- */

/* The bytes of delta i in the text that has them, without the common text after it. */
static pare_span own_bytes(const pare_deltas *deltas, size_t i)
{
    const unsigned char *base = pare_text_bytes(deltas->base);
    size_t passing = deltas->passing_at[i + 1] - deltas->passing_at[i];
    size_t failing = deltas->failing_at[i + 1] - deltas->failing_at[i];
    if (passing > failing) return (pare_span){base + deltas->passing_at[i], passing - failing};
    return (pare_span){base + deltas->failing_at[i], failing - passing};
}

/* How large the difference is in units of a finer splitter: a user who compares lines may want it
 * in characters. */
pare_status pare_dd_deltas_count_units(const pare_deltas *deltas, const pare_splitter *finer,
                                       size_t *n, pare_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < deltas->n; i++) {
        pare_bounds bounds = {0};
        pare_span own = own_bytes(deltas, i);
        pare_status status = finer->split(own.bytes, own.size, &bounds, err);
        if (status) return status;
        total += bounds.n;
        pare_split_bounds_done(&bounds);
    }
    *n = total;
    return PARE_OK;
}

/* Makes *candidate (initialised or all-zero) empty, to be filled by deltas_add. */
static void deltas_start(const pare_deltas *deltas, pare_candidate *candidate)
{
    pare_candidate_start(candidate, deltas->base);
}

/* Appends what deltas from .. to-1 reach over, in the text that has them or in the other. */
static pare_status deltas_add(const pare_deltas *deltas, size_t from, size_t to, pare_delta_use use,
                              pare_candidate *candidate, pare_error *err)
{
    bool applied = use == PARE_DELTA_APPLIED;
    const uint32_t *at = applied ? deltas->failing_at : deltas->passing_at;
    assert(from <= to && to <= deltas->n);
    size_t begin = at[from];
    if (from == 0) begin = applied ? deltas->failing_start : 0;
    return pare_candidate_slice(candidate, begin, at[to] - begin, err);
}

enum place { OUTSIDE, DIFFERENCE, BOTH };

/* Deltas from the end of the stretch before up to end-1.
 *
 * Example: of six deltas the first two went to both sides, as the passing text with them passes.
 * The stretches are {end 2, BOTH} and {end 6, DIFFERENCE}; with two parts the part that is
 * tested next, {from 0, to 2} of the difference, is deltas 2 and 3. */
struct stretch {
    size_t end;
    enum place place;
};

/* Part number `number` of the difference: its deltas from .. to-1, counted within it. */
struct part {
    size_t number, from, to;
};

static const size_t NO_PART = SIZE_MAX;

/* Plain but for two references, so that a copy costs O(1). */
struct dd {
    pare_strategy head;
    pare_deltas *deltas;    /* one reference */
    pare_shared *stretches; /* of struct stretch; one reference */
    size_t n_stretches;
    size_t n_open;          /* deltas in the difference */
    size_t n_parts;         /* 0: done */
    bool removing;          /* testing failing - Di; before: passing + Di */
    struct part part;       /* under test */
    struct part first_pass; /* first with test(passing + Di) = PASS, or NO_PART */
    struct part first_fail; /* first with test(failing - Di) = FAIL, or NO_PART */
};

/* The strategy is the first member, so the pointers are the same. */
static struct dd *of(pare_strategy *strategy)
{
    return (struct dd *)strategy;
}

static const struct dd *of_const(const pare_strategy *strategy)
{
    return (const struct dd *)strategy;
}

/* ---- walking over the deltas ---------------------------------------------------- */

/* Deltas from .. to-1, all of one place and all in the part or all not. */
struct piece {
    size_t from, to;
    enum place place;
    bool in_part;
};

/* Where a walk stands. */
struct walk {
    const struct stretch *stretch;
    size_t n_left; /* stretches */
    struct part part;
    size_t at;     /* delta */
    size_t n_open; /* deltas of the difference before it */
};

/* A walk goes once over all deltas, in the order of the texts. */
static struct walk walk_start(const struct dd *self, struct part part)
{
    return (struct walk){
        .stretch = pare_shared_items(self->stretches), .n_left = self->n_stretches, .part = part};
}

/* How far a piece that begins here may reach before it meets an end of the part. */
static size_t until_border(const struct walk *walk)
{
    if (walk->n_open < walk->part.from) return walk->part.from - walk->n_open;
    if (walk->n_open < walk->part.to) return walk->part.to - walk->n_open;
    return SIZE_MAX;
}

/* The next piece, which ends at the end of its stretch or of the part, whichever comes first.
 * So what a caller sees lies wholly in one place, and wholly in the part or wholly outside of
 * it. */
static bool walk_next(struct walk *walk, struct piece *piece)
{
    if (!walk->n_left) return false;
    const struct stretch *stretch = walk->stretch;
    size_t n = stretch->end - walk->at;
    *piece = (struct piece){.from = walk->at, .place = stretch->place};
    if (stretch->place == DIFFERENCE) {
        size_t border = until_border(walk);
        if (border < n) n = border;
        piece->in_part = walk->n_open >= walk->part.from && walk->n_open < walk->part.to;
        walk->n_open += n;
    }
    walk->at += n;
    assert(n > 0);
    piece->to = walk->at;
    if (walk->at == stretch->end) {
        walk->stretch++;
        walk->n_left--;
    }
    return true;
}

/* ---- candidates ----------------------------------------------------------------- */

/* What a candidate takes of the difference. */
enum take { TAKE_NOTHING, TAKE_PART, TAKE_REST, TAKE_ALL };

/* What lies in both sides is always taken, what is outside never. */
static bool takes(enum take take, const struct piece *piece)
{
    if (piece->place != DIFFERENCE) return piece->place == BOTH;
    if (take == TAKE_PART) return piece->in_part;
    if (take == TAKE_REST) return !piece->in_part;
    return take == TAKE_ALL;
}

/* The passing side with some of the difference. */
static pare_status print(const struct dd *self, enum take take, pare_candidate *candidate,
                         pare_error *err)
{
    struct walk walk = walk_start(self, self->part);
    struct piece piece;
    deltas_start(self->deltas, candidate);
    if (!self->n_stretches)
        return deltas_add(self->deltas, 0, 0, PARE_DELTA_NOT_APPLIED, candidate, err);
    pare_status status = PARE_OK;
    while (!status && walk_next(&walk, &piece))
        status = deltas_add(self->deltas, piece.from, piece.to,
                            takes(take, &piece) ? PARE_DELTA_APPLIED : PARE_DELTA_NOT_APPLIED,
                            candidate, err);
    return status;
}

/* The passing side with the part, or the failing side without it. */
static pare_status dd_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                           pare_error *err)
{
    const struct dd *self = of(strategy);
    *what = self->n_parts ? PARE_NEXT_TEST : PARE_NEXT_DONE;
    if (!self->n_parts) return PARE_OK;
    return print(self, self->removing ? TAKE_REST : TAKE_PART, candidate, err);
}

/* The two sides as they are now; between them lies the difference. */
pare_status pare_dd_side(const pare_strategy *dd, pare_outcome outcome, pare_candidate *candidate,
                         pare_error *err)
{
    assert(outcome == PARE_PASS || outcome == PARE_FAIL);
    return print(of_const(dd), outcome == PARE_PASS ? TAKE_NOTHING : TAKE_ALL, candidate, err);
}

/* The best so far is the failing side. */
static pare_status dd_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    return pare_dd_side(strategy, PARE_FAIL, best, err);
}

/* The passing side, which grows as the failing one shrinks. */
static pare_status dd_passing(const pare_strategy *strategy, pare_candidate *side, pare_error *err)
{
    return pare_dd_side(strategy, PARE_PASS, side, err);
}

/* ---- steps ---------------------------------------------------------------------- */

/* What is left is divided evenly among the parts that are left, so sizes differ by one at most. */
static struct part next_part(const struct dd *self, size_t number, size_t from)
{
    assert(number < self->n_parts && from <= self->n_open);
    size_t size = (self->n_open - from) / (self->n_parts - number);
    return (struct part){.number = number, .from = from, .to = from + size};
}

/* Begins the tests with the difference in n parts, or ends. */
static void begin_round(struct dd *self, size_t n_parts)
{
    self->n_parts = n_parts < self->n_open ? n_parts : self->n_open;
    /* A single delta cannot be split: its two sides are what was looked for. */
    if (self->n_open < 2) self->n_parts = 0;
    self->removing = false;
    self->first_pass.number = self->first_fail.number = NO_PART;
    if (self->n_parts) self->part = next_part(self, 0, 0);
}

/* Prolongs the last stretch if it has the same place. */
static void append(struct stretch *stretches, size_t *n, size_t end, enum place place)
{
    if (*n == 0 || stretches[*n - 1].place != place) (*n)++;
    stretches[*n - 1] = (struct stretch){.end = end, .place = place};
}

/* Moves the part to one place and the rest of the difference to another, and begins a
 * round with n parts.
 * O(stretches); a part cuts at most two of them, which is what the room for two more is for. */
static pare_status move(struct dd *self, struct part part, enum place of_part, enum place of_rest,
                        size_t n_parts, pare_error *err)
{
    pare_shared *moved = NULL;
    struct walk walk = walk_start(self, part);
    struct piece piece;
    size_t n = 0;
    void *items = NULL;
    pare_status status =
        pare_shared_new(self->n_stretches + 2, sizeof(struct stretch), &moved, err);
    if (!status) status = pare_shared_own(&moved, 0, self->n_stretches + 2, &items, err);
    if (status) return status;
    while (walk_next(&walk, &piece)) {
        enum place place = piece.place;
        if (place == DIFFERENCE) place = piece.in_part ? of_part : of_rest;
        append(items, &n, piece.to, place);
    }
    pare_shared_release(self->stretches);
    self->stretches = moved;
    self->n_stretches = n;
    size_t size = part.to - part.from;
    self->n_open = of_part == DIFFERENCE ? size : self->n_open - size;
    begin_round(self, n_parts);
    return PARE_OK;
}

/* All parts were tested, and none of them alone narrowed the difference to that part.  The first one
 * with which the passing side still passed goes to both sides; if there is none, the first one without
 * which the failing side still failed goes outside; else the parts become smaller. */
static pare_status end_round(struct dd *self, pare_error *err)
{
    size_t fewer = self->n_parts > 3 ? self->n_parts - 1 : 2;
    if (self->first_pass.number != NO_PART)
        return move(self, self->first_pass, BOTH, DIFFERENCE, fewer, err);
    if (self->first_fail.number != NO_PART)
        return move(self, self->first_fail, OUTSIDE, DIFFERENCE, fewer, err);
    begin_round(self, self->n_parts < self->n_open ? self->n_parts * 2 : 0);
    return PARE_OK;
}

/* First every part is added to the passing side, then every part is taken from the failing one. */
static pare_status to_next_part(struct dd *self, pare_error *err)
{
    if (self->part.number + 1 < self->n_parts) {
        self->part = next_part(self, self->part.number + 1, self->part.to);
        return PARE_OK;
    }
    if (self->removing) return end_round(self, err);
    self->removing = true;
    self->part = next_part(self, 0, 0);
    return PARE_OK;
}

/* The two cases that narrow the difference to one part are acted on at once; the others are noted
 * until all parts were tested, as the paper's order of cases has it. */
static pare_status dd_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct dd *self = of(strategy);
    if (!self->removing && outcome == PARE_FAIL)
        return move(self, self->part, DIFFERENCE, OUTSIDE, 2, err);
    if (self->removing && outcome == PARE_PASS)
        return move(self, self->part, DIFFERENCE, BOTH, 2, err);
    struct part *first = self->removing ? &self->first_fail : &self->first_pass;
    if (outcome != PARE_UNRESOLVED && first->number == NO_PART) *first = self->part;
    return to_next_part(self, err);
}

/* ---- the strategy --------------------------------------------------------------- */

/* Works on a state that is half made, too. */
static void dd_free(pare_strategy *strategy)
{
    struct dd *self = of(strategy);
    pare_dd_deltas_unref(self->deltas);
    pare_shared_release(self->stretches);
    pare_alloc_free(self);
}

/* O(1): both references are shared, and `stretches` is replaced, never written. */
static pare_status dd_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct dd *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *of_const(strategy);
    deltas_ref(copy->deltas);
    pare_shared_retain(copy->stretches);
    *out = &copy->head;
    return PARE_OK;
}

static const pare_strategy_ops dd_ops = {.next = dd_next,
                                         .tell = dd_tell,
                                         .copy = dd_copy,
                                         .destroy = dd_free,
                                         .best = dd_best,
                                         .passing = dd_passing};

/* All deltas begin in the difference: nothing is known but that one text passes and the other
 * fails. */
pare_status pare_dd_new(pare_deltas *deltas, pare_strategy **out, pare_error *err)
{
    struct dd *self = pare_alloc_zero(1, sizeof *self);
    void *items = NULL;
    if (!self) return pare_fail_nomem(err);
    *self = (struct dd){.head = {.ops = &dd_ops, .three_valued = true},
                        .deltas = deltas_ref(deltas),
                        .n_open = pare_dd_deltas_count(deltas)};
    pare_status status = pare_shared_new(1, sizeof(struct stretch), &self->stretches, err);
    if (!status) status = pare_shared_own(&self->stretches, 0, 1, &items, err);
    if (status) {
        dd_free(&self->head);
        return status;
    }
    if (self->n_open) append(items, &self->n_stretches, self->n_open, DIFFERENCE);
    begin_round(self, 2);
    *out = &self->head;
    return PARE_OK;
}

/* The deltas between the two sides: what is left of the difference. */
size_t pare_dd_count(const pare_strategy *dd)
{
    return of_const(dd)->n_open;
}

/* O(stretches), for tests. */
bool pare_dd_check(const pare_strategy *dd)
{
    const struct dd *self = of_const(dd);
    const struct stretch *stretch = pare_shared_items(self->stretches);
    size_t at = 0, n_open = 0;
    for (size_t i = 0; i < self->n_stretches; i++) {
        if (stretch[i].end <= at || (i > 0 && stretch[i].place == stretch[i - 1].place))
            return false;
        if (stretch[i].place == DIFFERENCE) n_open += stretch[i].end - at;
        at = stretch[i].end;
    }
    if (at != pare_dd_deltas_count(self->deltas) || n_open != self->n_open) return false;
    if (self->n_parts == 0) return true;
    return self->n_parts <= n_open && self->part.from < self->part.to && self->part.to <= n_open;
}
