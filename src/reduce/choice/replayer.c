/* Where lists of choices become texts: drafts, replays, and what is kept of them.
 *
 * A replayer holds one draft and the record of the last replay.  Nothing in it outlives a call
 * of the strategy, so all copies of a strategy's state share one: its buffers reach the size of
 * the largest list and are not allocated again. pare_replayer_fit is what keeps edited lists in
 * step: after a change inside a span the generator is run on the draft with the rest replaced
 * by zeros (or drawn numbers); where the span ends then, the old rest is joined.  Without it a
 * lowered size would shift the meaning of all later choices.
 * Invariant: spans and choices in the record are those of the last replay.
 * Cost: a replay each, no test. */
#include "reduce/choice/replayer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "reduce/choice/choices.h"
#include "text/text.h"

enum { ROOM = 32 }; /* choices beyond the list that a span may take to find its end */

/* Without a draft: the caller sets one before the first replay. */
pare_status pare_replayer_new(pare_generator generator, pare_replayer **out, pare_error *err)
{
    pare_replayer *replayer = pare_alloc_zero(1, sizeof *replayer);
    if (!replayer) return pare_fail_nomem(err);
    replayer->refs = 1;
    replayer->generator = generator;
    *out = replayer;
    return PARE_OK;
}

/* One for all copies of a state: see the top of the file. */
pare_replayer *pare_replayer_ref(pare_replayer *replayer)
{
    replayer->refs++;
    return replayer;
}

/* The generator is the caller's. */
void pare_replayer_unref(pare_replayer *replayer)
{
    if (!replayer || --replayer->refs) return;
    pare_choices_done(&replayer->choices);
    pare_buffer_done(&replayer->text);
    pare_alloc_free(replayer->draft);
    pare_alloc_free(replayer->spare);
    pare_alloc_free(replayer);
}

/* --- the draft --------------------------------------------------------------------------- */

/* The memory of the draft stays. */
void pare_replayer_start(pare_replayer *replayer)
{
    replayer->n = 0;
}

/* Makes room for `n` numbers, with half as many to spare. */
static pare_status reserve(uint64_t **items, size_t *capacity, size_t n, pare_error *err)
{
    if (*capacity >= n) return PARE_OK;
    uint64_t *grown = pare_alloc_resize(*items, n + n / 2, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    *items = grown;
    *capacity = n + n / 2;
    return PARE_OK;
}

/* The part is copied; it may be of the chosen list, never of the draft itself. */
pare_status pare_replayer_add(pare_replayer *replayer, const uint64_t *list, size_t n,
                              pare_error *err)
{
    pare_status status = reserve(&replayer->draft, &replayer->capacity, replayer->n + n, err);
    if (status || !n) return status;
    memcpy(replayer->draft + replayer->n, list, n * sizeof *list);
    replayer->n += n;
    return PARE_OK;
}

/* Empties the draft and adds all of the list. */
pare_status pare_replayer_set(pare_replayer *replayer, const uint64_t *list, size_t n,
                              pare_error *err)
{
    pare_replayer_start(replayer);
    return pare_replayer_add(replayer, list, n, err);
}

/* Runs the generator on the list; *made is false when that makes no text. */
static pare_status replay(pare_replayer *replayer, const uint64_t *list, size_t n, bool *made,
                          pare_error *err)
{
    pare_error unused = {0}; /* that a list makes nothing is no error of ours */
    pare_buffer_reset(&replayer->text);
    pare_choices_replay(&replayer->choices, list, n);
    pare_status status = replayer->generator.run(replayer->generator.self, &replayer->choices,
                                                 &replayer->text, &unused);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (status == PARE_E_IO) return pare_fail(err, status, "%s", unused.message);
    *made = status == PARE_OK;
    return PARE_OK;
}

/* That a list makes no text is no error of ours: only memory and the generator's own failure
 * are. */
pare_status pare_replayer_run(pare_replayer *replayer, bool *made, pare_error *err)
{
    return replay(replayer, replayer->draft, replayer->n, made, err);
}

/* Sets what a span may take beyond the draft: places from .. to-1 of the spare list. */
static void fill(pare_replayer *replayer, size_t from, size_t to)
{
    pare_random random;
    pare_random_init(&random, from);
    for (size_t i = from; i < to; i++)
        replayer->spare[i] = replayer->draws ? pare_random_next(&random) >> 1 : 0;
}

/* The spare list is the draft up to the end of the span, then more than the span can need; the
 * generator's record says where the span ends on it. */
pare_status pare_replayer_fit(pare_replayer *replayer, const pare_chosen *chosen, uint32_t span,
                              size_t end, bool *fits, pare_error *err)
{
    bool made;
    *fits = true;
    if (replayer->generator.flat) return PARE_OK;
    assert(end <= replayer->n && span < chosen->record.n_spans);
    size_t rest = replayer->n - end;
    /* Zeros are as many as the list had left; drawn numbers as many as the span itself has. */
    size_t more = replayer->draws ? end - chosen->record.spans[span].first : rest;
    size_t n = end + more + ROOM;
    pare_status status = reserve(&replayer->spare, &replayer->spare_capacity, n, err);
    if (!status) status = reserve(&replayer->draft, &replayer->capacity, n + rest, err);
    if (status) return status;
    memcpy(replayer->spare, replayer->draft, end * sizeof *replayer->draft);
    fill(replayer, end, n);
    status = replay(replayer, replayer->spare, n, &made, err);
    if (status) return status;
    const pare_choice_record *record = &replayer->choices.record;
    *fits = span < record->n_spans && record->spans[span].end != PARE_SPAN_OPEN &&
            record->spans[span].first == chosen->record.spans[span].first;
    /* The span was not closed, or is another one: the change reached further than the span. */
    if (!*fits) return PARE_OK;
    size_t now = record->spans[span].end;
    memmove(replayer->draft + now, replayer->draft + end, rest * sizeof *replayer->draft);
    memcpy(replayer->draft, replayer->spare, now * sizeof *replayer->draft);
    replayer->n = now + rest;
    return PARE_OK;
}

/* --- results ----------------------------------------------------------------------------- */

/* What both texts have in common at the front and at the rear is taken as slices, so the
 * candidate holds no more bytes of its own than changed. */
pare_status pare_replayer_candidate(const pare_replayer *replayer, const pare_chosen *chosen,
                                    pare_candidate *candidate, pare_error *err)
{
    const char *text = replayer->text.data;
    const unsigned char *base = pare_text_bytes(chosen->text);
    size_t size = replayer->text.size, base_size = pare_text_size(chosen->text);
    size_t both = size < base_size ? size : base_size, front = 0, back = 0;
    while (front < both && (unsigned char)text[front] == base[front])
        front++;
    while (back < both - front &&
           (unsigned char)text[size - 1 - back] == base[base_size - 1 - back])
        back++;
    pare_candidate_start(candidate, chosen->text);
    pare_status status = pare_candidate_slice(candidate, 0, front, err);
    if (!status && size > front + back)
        status = pare_candidate_literal(candidate, text + front, size - front - back, err);
    if (!status) status = pare_candidate_slice(candidate, base_size - back, back, err);
    return status;
}

/* Indices come from the record: there they are below their bounds, in the draft they need not
 * be. */
pare_status pare_replayer_choose(const pare_replayer *replayer, bool whole, pare_chosen **out,
                                 pare_error *err)
{
    const pare_choice_record *record = &replayer->choices.record;
    size_t n = whole ? replayer->n : record->n;
    pare_chosen *chosen = pare_alloc_zero(1, sizeof *chosen);
    if (!chosen) return pare_fail_nomem(err);
    chosen->refs = 1;
    chosen->n = n;
    chosen->list = pare_alloc(n, sizeof *chosen->list);
    pare_status status = chosen->list ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_choices_record_copy(&chosen->record, record, err);
    if (!status)
        status = pare_text_copy(replayer->text.data ? replayer->text.data : "", replayer->text.size,
                                &chosen->text, err);
    if (status) {
        pare_replayer_chosen_unref(chosen);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        chosen->list[i] = i < record->n ? record->choices[i].index : replayer->draft[i];
    *out = chosen;
    return PARE_OK;
}

/* Immutable, so the copies of a state share it. */
pare_chosen *pare_replayer_chosen_ref(pare_chosen *chosen)
{
    chosen->refs++;
    return chosen;
}

/* Works on one that is half made, too. */
void pare_replayer_chosen_unref(pare_chosen *chosen)
{
    if (!chosen || --chosen->refs) return;
    pare_alloc_free(chosen->list);
    pare_choices_record_done(&chosen->record);
    pare_text_unref(chosen->text);
    pare_alloc_free(chosen);
}
