/* Drafts, replays, and what is kept of them. */
#include "reduce/choice/workshop.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "base/status.h"
#include "reduce/choice/choices.h"
#include "reduce/choice/record.h"
#include "text/text.h"

enum { ROOM = 32 }; /* choices beyond the list that a span may take to find its end */

pare_status pare_workshop_new(pare_generator generator, pare_workshop **out, pare_error *err)
{
    pare_workshop *workshop = pare_alloc_zero(1, sizeof *workshop);
    if (!workshop) return pare_fail_nomem(err);
    workshop->refs = 1;
    workshop->generator = generator;
    *out = workshop;
    return PARE_OK;
}

pare_workshop *pare_workshop_ref(pare_workshop *workshop)
{
    workshop->refs++;
    return workshop;
}

void pare_workshop_unref(pare_workshop *workshop)
{
    if (!workshop || --workshop->refs) return;
    pare_choices_done(&workshop->choices);
    pare_buffer_done(&workshop->text);
    pare_release(workshop->draft);
    pare_release(workshop->spare);
    pare_release(workshop);
}

/* --- the draft -------------------------------------------------------------------- */

void pare_workshop_start(pare_workshop *workshop)
{
    workshop->n = 0;
}

static pare_status reserve(uint64_t **items, size_t *capacity, size_t n, pare_error *err)
{
    if (*capacity >= n) return PARE_OK;
    uint64_t *grown = pare_resize(*items, n + n / 2, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    *items = grown;
    *capacity = n + n / 2;
    return PARE_OK;
}

pare_status pare_workshop_add(pare_workshop *workshop, const uint64_t *list, size_t n,
                              pare_error *err)
{
    pare_status status = reserve(&workshop->draft, &workshop->capacity, workshop->n + n, err);
    if (status || !n) return status;
    memcpy(workshop->draft + workshop->n, list, n * sizeof *list);
    workshop->n += n;
    return PARE_OK;
}

pare_status pare_workshop_set(pare_workshop *workshop, const uint64_t *list, size_t n,
                              pare_error *err)
{
    pare_workshop_start(workshop);
    return pare_workshop_add(workshop, list, n, err);
}

/* --- replays ---------------------------------------------------------------------- */

static pare_status replay(pare_workshop *workshop, const uint64_t *list, size_t n, bool *made,
                          pare_error *err)
{
    pare_error unused = {0}; /* that a list makes nothing is no error of ours */
    pare_buffer_reset(&workshop->text);
    pare_choices_replay(&workshop->choices, list, n);
    pare_status status = workshop->generator.run(workshop->generator.self, &workshop->choices,
                                                 &workshop->text, &unused);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (status == PARE_E_IO) return pare_fail(err, status, "%s", unused.message);
    *made = status == PARE_OK;
    return PARE_OK;
}

pare_status pare_workshop_replay(pare_workshop *workshop, bool *made, pare_error *err)
{
    return replay(workshop, workshop->draft, workshop->n, made, err);
}

/* What a span may take beyond the draft: places from .. to-1 of the spare list. */
static void fill(pare_workshop *workshop, size_t from, size_t to)
{
    pare_random random;
    pare_random_init(&random, from);
    for (size_t i = from; i < to; i++)
        workshop->spare[i] = workshop->draws ? pare_random_next(&random) >> 1 : 0;
}

pare_status pare_workshop_fit(pare_workshop *workshop, const pare_chosen *chosen, uint32_t span,
                              size_t end, bool *fits, pare_error *err)
{
    bool made;
    *fits = true;
    if (workshop->generator.flat) return PARE_OK;
    size_t rest = workshop->n - end;
    size_t more = workshop->draws ? end - chosen->record.spans[span].first : rest;
    size_t n = end + more + ROOM;
    pare_status status = reserve(&workshop->spare, &workshop->spare_capacity, n, err);
    if (!status) status = reserve(&workshop->draft, &workshop->capacity, n + rest, err);
    if (status) return status;
    memcpy(workshop->spare, workshop->draft, end * sizeof *workshop->draft);
    fill(workshop, end, n);
    status = replay(workshop, workshop->spare, n, &made, err);
    if (status) return status;
    const pare_choice_record *record = &workshop->choices.record;
    *fits = span < record->n_spans && record->spans[span].end != PARE_SPAN_OPEN &&
            record->spans[span].first == chosen->record.spans[span].first;
    if (!*fits) return PARE_OK;
    size_t now = record->spans[span].end;
    memmove(workshop->draft + now, workshop->draft + end, rest * sizeof *workshop->draft);
    memcpy(workshop->draft, workshop->spare, now * sizeof *workshop->draft);
    workshop->n = now + rest;
    return PARE_OK;
}

/* --- results ---------------------------------------------------------------------- */

pare_status pare_workshop_candidate(const pare_workshop *workshop, const pare_chosen *chosen,
                                    pare_candidate *candidate, pare_error *err)
{
    const char *text = workshop->text.data;
    const unsigned char *base = pare_text_bytes(chosen->text);
    size_t size = workshop->text.size, base_size = pare_text_size(chosen->text);
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

pare_status pare_workshop_choose(const pare_workshop *workshop, bool whole, pare_chosen **out,
                                 pare_error *err)
{
    const pare_choice_record *record = &workshop->choices.record;
    size_t n = whole ? workshop->n : record->n;
    pare_chosen *chosen = pare_alloc_zero(1, sizeof *chosen);
    if (!chosen) return pare_fail_nomem(err);
    chosen->refs = 1;
    chosen->n = n;
    chosen->list = pare_alloc(n, sizeof *chosen->list);
    pare_status status = chosen->list ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_choice_record_copy(&chosen->record, record, err);
    if (!status)
        status = pare_text_copy(workshop->text.data ? workshop->text.data : "", workshop->text.size,
                                &chosen->text, err);
    if (status) {
        pare_chosen_unref(chosen);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        chosen->list[i] = i < record->n ? record->choices[i].index : workshop->draft[i];
    *out = chosen;
    return PARE_OK;
}

pare_chosen *pare_chosen_ref(pare_chosen *chosen)
{
    chosen->refs++;
    return chosen;
}

void pare_chosen_unref(pare_chosen *chosen)
{
    if (!chosen || --chosen->refs) return;
    pare_release(chosen->list);
    pare_choice_record_done(&chosen->record);
    pare_text_unref(chosen->text);
    pare_release(chosen);
}
