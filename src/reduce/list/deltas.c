/* Deltas over one flat base text, the passing bytes followed by the failing ones.
 *
 * Each delta reaches from where it begins to where the next one does, in both texts, so
 * that it takes the common text behind it along; what stands before the first delta goes
 * with that one.  A delta's place in the text that does not have it is where it would
 * stand.  Invariant: both places never decrease from delta to delta. */
#include "reduce/list/deltas.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
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

pare_deltas *pare_deltas_ref(pare_deltas *deltas)
{
    deltas->refs++;
    return deltas;
}

void pare_deltas_unref(pare_deltas *deltas)
{
    if (!deltas || --deltas->refs) return;
    pare_text_unref(deltas->base);
    pare_release(deltas->passing_at);
    pare_release(deltas);
}

size_t pare_deltas_count(const pare_deltas *deltas)
{
    return deltas->n;
}

/* ---- making --------------------------------------------------------------------- */

/* Both texts, cut and compared. */
struct comparison {
    pare_bounds passing, failing;
    pare_diff diff;
};

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

static void comparison_done(struct comparison *comparison)
{
    pare_bounds_done(&comparison->passing);
    pare_bounds_done(&comparison->failing);
    pare_diff_done(&comparison->diff);
}

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
        deltas->passing_at[deltas->n] = (uint32_t)pare_bounds_begin(&comparison->passing, old);
        deltas->failing_at[deltas->n] =
            deltas->failing_start + (uint32_t)pare_bounds_begin(&comparison->failing, new);
    }
}

static pare_status place(pare_deltas *deltas, const struct comparison *comparison, pare_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < comparison->diff.n_runs; i++)
        if (comparison->diff.runs[i].side != PARE_DIFF_COMMON) n += comparison->diff.runs[i].n;
    deltas->passing_at = pare_alloc(n + 1, 2 * sizeof *deltas->passing_at);
    if (!deltas->passing_at) return pare_fail_nomem(err);
    deltas->failing_at = deltas->passing_at + n + 1;
    for (size_t i = 0; i < comparison->diff.n_runs; i++)
        place_run(deltas, comparison, &comparison->diff.runs[i]);
    deltas->passing_at[n] = deltas->failing_start;
    deltas->failing_at[n] = (uint32_t)pare_text_size(deltas->base);
    return PARE_OK;
}

pare_status pare_deltas_new(const pare_deltas_source *source, pare_deltas **out, pare_error *err)
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
    if (!status) status = place(deltas, &comparison, err);
    comparison_done(&comparison);
    if (status)
        pare_deltas_unref(deltas);
    else
        *out = deltas;
    return status;
}

/* ---- counting ------------------------------------------------------------------- */

/* Bytes of delta i itself: what it reaches over in one text and not in the other. */
static pare_span own_bytes(const pare_deltas *deltas, size_t i)
{
    const unsigned char *base = pare_text_bytes(deltas->base);
    size_t passing = deltas->passing_at[i + 1] - deltas->passing_at[i];
    size_t failing = deltas->failing_at[i + 1] - deltas->failing_at[i];
    if (passing > failing) return (pare_span){base + deltas->passing_at[i], passing - failing};
    return (pare_span){base + deltas->failing_at[i], failing - passing};
}

pare_status pare_deltas_count_units(const pare_deltas *deltas, const pare_splitter *finer,
                                    size_t *n, pare_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < deltas->n; i++) {
        pare_bounds bounds = {0};
        pare_span own = own_bytes(deltas, i);
        pare_status status = finer->split(own.bytes, own.size, &bounds, err);
        if (status) return status;
        total += bounds.n;
        pare_bounds_done(&bounds);
    }
    *n = total;
    return PARE_OK;
}

/* ---- printing ------------------------------------------------------------------- */

void pare_deltas_start(const pare_deltas *deltas, pare_candidate *candidate)
{
    pare_candidate_start(candidate, deltas->base);
}

pare_status pare_deltas_add(const pare_deltas *deltas, size_t from, size_t to, pare_delta_use use,
                            pare_candidate *candidate, pare_error *err)
{
    bool applied = use == PARE_DELTA_APPLIED;
    const uint32_t *at = applied ? deltas->failing_at : deltas->passing_at;
    assert(from <= to && to <= deltas->n);
    size_t begin = at[from];
    if (from == 0) begin = applied ? deltas->failing_start : 0;
    return pare_candidate_slice(candidate, begin, at[to] - begin, err);
}
