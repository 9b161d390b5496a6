/* Records: copies, the order of lists, the invariant. */
#include "reduce/choice/record.h"

#include <string.h>

#include "base/alloc.h"

void pare_choice_record_done(pare_choice_record *record)
{
    pare_release(record->choices);
    pare_release(record->spans);
    *record = (pare_choice_record){0};
}

pare_status pare_choice_record_copy(pare_choice_record *to, const pare_choice_record *from,
                                    pare_error *err)
{
    pare_choice_record_done(to);
    to->choices = pare_alloc(from->n, sizeof *to->choices);
    to->spans = pare_alloc(from->n_spans, sizeof *to->spans);
    if (!to->choices || !to->spans) {
        pare_choice_record_done(to);
        return pare_fail_nomem(err);
    }
    if (from->n) memcpy(to->choices, from->choices, from->n * sizeof *to->choices);
    if (from->n_spans) memcpy(to->spans, from->spans, from->n_spans * sizeof *to->spans);
    to->n = to->capacity = from->n;
    to->n_spans = to->spans_capacity = from->n_spans;
    return PARE_OK;
}

bool pare_choice_simpler(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
    if (n_a != n_b) return n_a < n_b;
    for (size_t i = 0; i < n_a; i++)
        if (a[i] != b[i]) return a[i] + 1 < b[i] + 1; /* the default wraps to 0 */
    return false;
}

static bool is_span_right(const pare_choice_record *record, size_t at)
{
    const pare_choice_span *span = &record->spans[at];
    if (span->first > span->end || span->end > record->n) return false;
    if (span->parent == PARE_NO_SPAN) return true;
    if (span->parent >= at) return false;
    const pare_choice_span *parent = &record->spans[span->parent];
    return parent->first <= span->first && span->end <= parent->end;
}

bool pare_choice_record_check(const pare_choice_record *record)
{
    for (size_t i = 0; i < record->n; i++) {
        const pare_choice *choice = &record->choices[i];
        if (choice->index >= choice->bound && choice->index != PARE_CHOICE_DEFAULT) return false;
    }
    for (size_t i = 0; i < record->n_spans; i++)
        if (!is_span_right(record, i)) return false;
    return true;
}
