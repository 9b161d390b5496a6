/* The passes that make lists shorter. */
#include "reduce/choice/passes.h"
#include "reduce/choice/record.h"
#include "reduce/choice/workshop.h"

uint32_t pare_pass_span_of(const pare_choice_record *record, size_t at)
{
    uint32_t found = PARE_NO_SPAN;
    for (uint32_t s = 0; s < record->n_spans && record->spans[s].first <= at; s++)
        if (record->spans[s].end > at) found = s;
    return found;
}

pare_status pare_pass_replace(const pare_chosen *chosen, size_t from, size_t to, const uint64_t *by,
                              size_t n, pare_workshop *workshop, pare_error *err)
{
    pare_status status = pare_workshop_set(workshop, chosen->list, from, err);
    if (!status) status = pare_workshop_add(workshop, by, n, err);
    return status ? status : pare_workshop_add(workshop, chosen->list + to, chosen->n - to, err);
}

bool pare_pass_is_parents(const pare_choice_record *record, size_t at)
{
    const pare_choice_span *span = &record->spans[at];
    if (span->parent == PARE_NO_SPAN) return false;
    const pare_choice_span *parent = &record->spans[span->parent];
    return parent->first == span->first && parent->end == span->end;
}

/* --- zero --------------------------------------------------------------------------- */

static bool is_zero(const pare_chosen *chosen, const pare_choice_span *span)
{
    for (size_t i = span->first; i < span->end; i++)
        if (chosen->list[i]) return false;
    return true;
}

static pare_status draft_zero(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_workshop *workshop, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; !workshop->generator.flat && cursor->i < record->n_spans; cursor->i++) {
        const pare_choice_span *span = &record->spans[cursor->i];
        if (is_zero(chosen, span) || pare_pass_is_parents(record, cursor->i)) continue;
        bool fits;
        pare_status status = pare_workshop_set(workshop, chosen->list, chosen->n, err);
        if (status) return status;
        for (size_t k = span->first; k < span->end; k++)
            workshop->draft[k] = 0;
        status = pare_workshop_fit(workshop, chosen, (uint32_t)cursor->i, span->end, &fits, err);
        if (status || fits) return status;
    }
    *done = true;
    return PARE_OK;
}

static void move_zero(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    (void)taken;
    cursor->i++;
}

const pare_pass pare_pass_zero = {"zero", draft_zero, move_zero};

/* --- hoist -------------------------------------------------------------------------- */

enum { MAX_DESCENDANTS = 100 }; /* tried for one span, as Perses has it */

/* The descendant number `j` of span `i` that has its label and fewer choices;
 * PARE_NO_SPAN: there is none. */
static uint32_t descendant(const pare_choice_record *record, size_t i, size_t j)
{
    const pare_choice_span *span = &record->spans[i];
    for (size_t s = i + 1; s < record->n_spans && record->spans[s].end <= span->end; s++) {
        const pare_choice_span *below = &record->spans[s];
        bool smaller = below->end - below->first < span->end - span->first;
        if (below->label == span->label && smaller && !j--) return (uint32_t)s;
    }
    return PARE_NO_SPAN;
}

static pare_status draft_hoist(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_workshop *workshop, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++, cursor->j = 0) {
        uint32_t from =
            cursor->j < MAX_DESCENDANTS ? descendant(record, cursor->i, cursor->j) : PARE_NO_SPAN;
        if (from == PARE_NO_SPAN) continue;
        const pare_choice_span *to = &record->spans[cursor->i], *by = &record->spans[from];
        return pare_pass_replace(chosen, to->first, to->end, chosen->list + by->first,
                                 by->end - by->first, workshop, err);
    }
    *done = true;
    return PARE_OK;
}

static void move_hoist(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    cursor->j = taken ? 0 : cursor->j + 1;
}

const pare_pass pare_pass_hoist = {"hoist", draft_hoist, move_hoist};

/* --- spans -------------------------------------------------------------------------- */

static pare_status draft_spans(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_workshop *workshop, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++) {
        const pare_choice_span *span = &record->spans[cursor->i];
        if (span->first == span->end || pare_pass_is_parents(record, cursor->i)) continue;
        return pare_pass_replace(chosen, span->first, span->end, NULL, 0, workshop, err);
    }
    *done = true;
    return PARE_OK;
}

static void move_spans(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (!taken) cursor->i++;
}

const pare_pass pare_pass_spans = {"spans", draft_spans, move_spans};

/* --- skip --------------------------------------------------------------------------- */

enum { MAX_SKIPS = 2 }; /* tried for one span */

/* The span number `j` of those behind span `i` that have its label; PARE_NO_SPAN: none. */
static uint32_t follower(const pare_choice_record *record, size_t i, size_t j)
{
    const pare_choice_span *span = &record->spans[i];
    for (size_t s = i + 1; s < record->n_spans; s++)
        if (record->spans[s].label == span->label && record->spans[s].first >= span->end && !j--)
            return (uint32_t)s;
    return PARE_NO_SPAN;
}

/* Where a list is written x (sep x)*, its first element has no round that could go: what is
 * left out here is that element and the head of the round behind it. */
static pare_status draft_skip(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_workshop *workshop, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++, cursor->j = 0) {
        const pare_choice_span *span = &record->spans[cursor->i];
        uint32_t next =
            cursor->j < MAX_SKIPS ? follower(record, cursor->i, cursor->j) : PARE_NO_SPAN;
        if (next == PARE_NO_SPAN || record->spans[next].first == span->first) continue;
        return pare_pass_replace(chosen, span->first, record->spans[next].first, NULL, 0, workshop,
                                 err);
    }
    *done = true;
    return PARE_OK;
}

const pare_pass pare_pass_skip = {"skip", draft_skip, move_hoist};

/* --- sizes -------------------------------------------------------------------------- */

/* The elements number j .. j+k-1 that the size at choice `at` governs: spans behind it with
 * the same parent.  Sets the choices they cover; returns how many elements there are. */
static size_t elements(const pare_choice_record *record, size_t at, size_t j, size_t k,
                       size_t *from, size_t *to)
{
    uint32_t parent = pare_pass_span_of(record, at);
    size_t n = 0;
    for (size_t s = 0; s < record->n_spans; s++) {
        const pare_choice_span *span = &record->spans[s];
        if (span->parent != parent || span->first <= at) continue;
        if (n == j) *from = span->first;
        if (n < j + k) *to = span->end;
        n++;
    }
    return n;
}

/* k elements from number j on are left out; k is halved when j is at the end; step 1: begun. */
static pare_status draft_sizes(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_workshop *workshop, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n; cursor->i++, cursor->j = cursor->k = cursor->step = 0) {
        uint64_t size = record->choices[cursor->i].index;
        bool is_size = record->choices[cursor->i].kind == PARE_CHOICE_SIZE;
        if (!is_size || !size || size == PARE_CHOICE_DEFAULT) continue;
        size_t from = 0, to = 0;
        size_t n = elements(record, cursor->i, 0, 0, &from, &to);
        size_t most = size < n ? (size_t)size : n;
        if (!cursor->step || cursor->k > most) cursor->k = most;
        cursor->step = 1;
        if (cursor->j + cursor->k > n) {
            cursor->k /= 2;
            cursor->j = 0;
        }
        if (!cursor->k) continue;
        (void)elements(record, cursor->i, cursor->j, cursor->k, &from, &to);
        pare_status status = pare_pass_replace(chosen, from, to, NULL, 0, workshop, err);
        if (!status) workshop->draft[cursor->i] -= cursor->k;
        return status;
    }
    *done = true;
    return PARE_OK;
}

static void move_sizes(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (!taken) cursor->j += cursor->k;
}

const pare_pass pare_pass_sizes = {"sizes", draft_sizes, move_sizes};

/* --- blocks ------------------------------------------------------------------------- */

enum { LONGEST_BLOCK = 5 };

/* i: choices behind the place, counted from the end; j: 5 - the block's length; k: blocks that
 * are left out at once, less one.  A success doubles them, a failure halves them. */
static pare_status draft_blocks(const pare_chosen *chosen, pare_cursor *cursor,
                                pare_workshop *workshop, bool *done, pare_error *err)
{
    for (; cursor->j < LONGEST_BLOCK; cursor->j++, cursor->i = cursor->k = 0) {
        size_t block = LONGEST_BLOCK - cursor->j;
        if (cursor->i + block > chosen->n) continue;
        size_t end = chosen->n - cursor->i;
        if (cursor->k >= end / block) cursor->k = end / block - 1;
        size_t size = (cursor->k + 1) * block;
        return pare_pass_replace(chosen, end - size, end, NULL, 0, workshop, err);
    }
    *done = true;
    return PARE_OK;
}

static void move_blocks(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (taken)
        cursor->k = 2 * cursor->k + 1;
    else if (cursor->k)
        cursor->k /= 2;
    else
        cursor->i++;
}

const pare_pass pare_pass_blocks = {"blocks", draft_blocks, move_blocks};
