/* The passes over a list of choices that make it shorter, and those that keep its length and
 * make it simpler.
 *
 * Each pass is a pair of functions over a cursor: `draft` writes the next list that is worth a
 * try, `move` moves the cursor once it is known what came of it.  So a pass has no state but
 * the cursor, which is copied with the strategy, and the same call drafts the same list again:
 * that is how the reduction tells a success without keeping the draft. Spans tell what belongs
 * together.  Where a changed choice changes how many others a span needs, the replayer makes
 * the rest of the list fit (pare_choice_passes_fit).
 * One replayer holds the draft and the record of the last replay, for all copies of a strategy's
 * state: its buffers reach the size of the largest list and are not allocated again.
 * pare_choice_passes_fit is what keeps edited lists in step: after a change inside a span the
 * generator is run on the draft with the rest replaced by zeros (or drawn numbers); where the
 * span ends then, the old rest is joined.  Without it a lowered size would shift the meaning of
 * all later choices.
 * Invariant: a pass over n choices proposes O(n log n) lists (with few exceptions, stated
 * there), none twice at one place, and never loops by itself.
 * Source: MacIver and Donaldson, ECOOP 2020; names of Hypothesis' passes are in the header. */
#include "reduce/choice/choice_passes.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "reduce/choice/choices.h"

/* ---- drafts ---------------------------------------------------------------------------- */

enum { ROOM = 32 }; /* choices beyond the list that a span may take to find its end */

/* The memory of the draft stays. */
static void start_draft(pare_replayer *replayer)
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
pare_status pare_choice_passes_add(pare_replayer *replayer, const uint64_t *list, size_t n,
                                   pare_error *err)
{
    pare_status status = reserve(&replayer->draft, &replayer->capacity, replayer->n + n, err);
    if (status || !n) return status;
    memcpy(replayer->draft + replayer->n, list, n * sizeof *list);
    replayer->n += n;
    return PARE_OK;
}

/* Empties the draft and adds all of the list. */
pare_status pare_choice_passes_set(pare_replayer *replayer, const uint64_t *list, size_t n,
                                   pare_error *err)
{
    start_draft(replayer);
    return pare_choice_passes_add(replayer, list, n, err);
}

/* Runs the generator on the list; *made is false when that makes no text. */
pare_status pare_choice_passes_replay(pare_replayer *replayer, const uint64_t *list, size_t n,
                                      bool *made, pare_error *err)
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
pare_status pare_choice_passes_fit(pare_replayer *replayer, const pare_chosen *chosen,
                                   uint32_t span, size_t end, bool *fits, pare_error *err)
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
    status = pare_choice_passes_replay(replayer, replayer->spare, n, &made, err);
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

/* ---- passes that make the list shorter ------------------------------------------------ */

/* The innermost span that holds choice `at`; PARE_NO_SPAN: none.  O(spans).  Spans are in the order in which
 * they were opened, so the last one that holds the choice is the innermost. */
static uint32_t span_of(const pare_choice_record *record, size_t at)
{
    uint32_t found = PARE_NO_SPAN;
    for (uint32_t s = 0; s < record->n_spans && record->spans[s].first <= at; s++)
        if (record->spans[s].end > at) found = s;
    return found;
}

/* The parts of the chosen list before and after the edit, and what comes between. */
pare_status pare_choice_passes_replace(const pare_chosen *chosen, pare_choice_edit edit,
                                       pare_replayer *replayer, pare_error *err)
{
    assert(edit.from <= edit.to && edit.to <= chosen->n);
    pare_status status = pare_choice_passes_set(replayer, chosen->list, edit.from, err);
    if (!status) status = pare_choice_passes_add(replayer, edit.by, edit.n, err);
    if (status) return status;
    return pare_choice_passes_add(replayer, chosen->list + edit.to, chosen->n - edit.to, err);
}

/* Passes leave such a span to its parent: what they would try is the same. */
bool pare_choice_passes_is_parents(const pare_choice_record *record, size_t at)
{
    const pare_choice_span *span = &record->spans[at];
    if (span->parent == PARE_NO_SPAN) return false;
    const pare_choice_span *parent = &record->spans[span->parent];
    return parent->first == span->first && parent->end == span->end;
}

/* Whether all choices of the span are the simplest already. */
static bool is_zero(const pare_chosen *chosen, const pare_choice_span *span)
{
    for (size_t i = span->first; i < span->end; i++)
        if (chosen->list[i]) return false;
    return true;
}

/* zero: a span becomes all zeros; one that holds what its parent holds was tried with that. */
static pare_status draft_zero(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    /* A flat generator has no choices that take others along, and `each` lowers single ones. */
    for (; !replayer->generator.flat && cursor->i < record->n_spans; cursor->i++) {
        const pare_choice_span *span = &record->spans[cursor->i];
        if (is_zero(chosen, span) || pare_choice_passes_is_parents(record, cursor->i)) continue;
        bool fits;
        pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
        if (status) return status;
        for (size_t k = span->first; k < span->end; k++)
            replayer->draft[k] = 0;
        status =
            pare_choice_passes_fit(replayer, chosen, (uint32_t)cursor->i, span->end, &fits, err);
        if (status || fits) return status;
    }
    *done = true;
    return PARE_OK;
}

/* A span that could be zero is all zeros now, so either way the next one is looked at. */
static void move_zero(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    (void)taken;
    cursor->i++;
}

const pare_choice_pass pare_choice_pass_zero = {"zero", draft_zero, move_zero};

/* --- hoist ------------------------------------------------------------------------------- */

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

/* hoist: a span becomes one of the spans of its label below it. */
static pare_status draft_hoist(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++, cursor->j = 0) {
        uint32_t from =
            cursor->j < MAX_DESCENDANTS ? descendant(record, cursor->i, cursor->j) : PARE_NO_SPAN;
        if (from == PARE_NO_SPAN) continue;
        const pare_choice_span *to = &record->spans[cursor->i], *by = &record->spans[from];
        return pare_choice_passes_replace(chosen,
                                          (pare_choice_edit){.from = to->first,
                                                             .to = to->end,
                                                             .by = chosen->list + by->first,
                                                             .n = by->end - by->first},
                                          replayer, err);
    }
    *done = true;
    return PARE_OK;
}

/* After a success the span is another one, with descendants of its own. */
static void move_hoist(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    cursor->j = taken ? 0 : cursor->j + 1;
}

const pare_choice_pass pare_choice_pass_hoist = {"hoist", draft_hoist, move_hoist};

/* spans: a span is left out. */
static pare_status draft_spans(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++) {
        const pare_choice_span *span = &record->spans[cursor->i];
        if (span->first == span->end || pare_choice_passes_is_parents(record, cursor->i)) continue;
        return pare_choice_passes_replace(
            chosen, (pare_choice_edit){.from = span->first, .to = span->end}, replayer, err);
    }
    *done = true;
    return PARE_OK;
}

/* After a success the next span stands at the same number. */
static void move_spans(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (!taken) cursor->i++;
}

const pare_choice_pass pare_choice_pass_spans = {"spans", draft_spans, move_spans};

/* --- skip -------------------------------------------------------------------------------- */

enum { MAX_SKIPS = 2 }; /* tried for one span */

/* Span number `j` of those after span `i` that have its label; PARE_NO_SPAN: none. */
static uint32_t follower(const pare_choice_record *record, size_t i, size_t j)
{
    const pare_choice_span *span = &record->spans[i];
    for (size_t s = i + 1; s < record->n_spans; s++)
        if (record->spans[s].label == span->label && record->spans[s].first >= span->end && !j--)
            return (uint32_t)s;
    return PARE_NO_SPAN;
}

/* skip: a span gives way to the next one of its label, with all between.
 *
 * Where a list is written x (sep x)*, its first element has no round that could go: what is
 * left out here is that element and the head of the round after it. */
static pare_status draft_skip(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n_spans; cursor->i++, cursor->j = 0) {
        const pare_choice_span *span = &record->spans[cursor->i];
        uint32_t next =
            cursor->j < MAX_SKIPS ? follower(record, cursor->i, cursor->j) : PARE_NO_SPAN;
        if (next == PARE_NO_SPAN || record->spans[next].first == span->first) continue;
        return pare_choice_passes_replace(
            chosen, (pare_choice_edit){.from = span->first, .to = record->spans[next].first},
            replayer, err);
    }
    *done = true;
    return PARE_OK;
}

const pare_choice_pass pare_choice_pass_skip = {"skip", draft_skip, move_hoist};

/* --- sizes ------------------------------------------------------------------------------- */

/* Elements number j .. j+k-1 that the size at choice `at` governs: spans after it with the same
 * parent.  Sets the choices they cover; returns how many elements there are.
 *
 * Example: in `size 2, element, element` the size governs both elements, as long as all three
 * have one parent. */
static size_t elements(const pare_choice_record *record, size_t at, size_t j, size_t k,
                       size_t *from, size_t *to)
{
    uint32_t parent = span_of(record, at);
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

/* sizes: a size is lowered together with the elements it governs.  k elements from number j on
 * are left out; k is halved when j is at the end; step 1: begun. */
static pare_status draft_sizes(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n; cursor->i++, cursor->j = cursor->k = cursor->step = 0) {
        uint64_t size = record->choices[cursor->i].index;
        bool is_size = record->choices[cursor->i].kind == PARE_CHOICE_SIZE;
        if (!is_size || !size || size == PARE_CHOICE_DEFAULT) continue;
        size_t from = 0, to = 0;
        size_t n = elements(record, cursor->i, 0, 0, &from, &to);
        size_t most = size < n ? (size_t)size : n;
        /* Begins with all elements at once, as far as the size allows. */
        if (!cursor->step || cursor->k > most) cursor->k = most;
        cursor->step = 1;
        if (cursor->j + cursor->k > n) {
            cursor->k /= 2;
            cursor->j = 0;
        }
        if (!cursor->k) continue;
        (void)elements(record, cursor->i, cursor->j, cursor->k, &from, &to);
        pare_status status = pare_choice_passes_replace(
            chosen, (pare_choice_edit){.from = from, .to = to}, replayer, err);
        if (!status) replayer->draft[cursor->i] -= cursor->k;
        return status;
    }
    *done = true;
    return PARE_OK;
}

/* After a success the next elements stand at the same number. */
static void move_sizes(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (!taken) cursor->j += cursor->k;
}

const pare_choice_pass pare_choice_pass_sizes = {"sizes", draft_sizes, move_sizes};

/* --- blocks ------------------------------------------------------------------------------ */

enum { LONGEST_BLOCK = 5 };

/* blocks: 5, 4, 3, 2, 1 choices are left out.  i: choices after the place, counted from the
 * end; j: 5 - the block's length; k: blocks that are left out at once, less one.  A success
 * doubles them, a failure halves them. */
static pare_status draft_blocks(const pare_chosen *chosen, pare_cursor *cursor,
                                pare_replayer *replayer, bool *done, pare_error *err)
{
    for (; cursor->j < LONGEST_BLOCK; cursor->j++, cursor->i = cursor->k = 0) {
        size_t block = LONGEST_BLOCK - cursor->j;
        if (cursor->i + block > chosen->n) continue;
        size_t end = chosen->n - cursor->i;
        /* Not more blocks than stand before the place. */
        if (cursor->k >= end / block) cursor->k = end / block - 1;
        size_t size = (cursor->k + 1) * block;
        return pare_choice_passes_replace(chosen, (pare_choice_edit){.from = end - size, .to = end},
                                          replayer, err);
    }
    *done = true;
    return PARE_OK;
}

/* Doubles what is left out after a success, halves it after a failure. */
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

const pare_choice_pass pare_choice_pass_blocks = {"blocks", draft_blocks, move_blocks};

/* --- passes that keep the length --------------------------------------------------------- */

/* --- values below a value ---------------------------------------------------------------- */

enum {
    FEW = 8,       /* values up to this are tried one by one */
    SUBTRACT = 64, /* steps from here on subtract 2^(127 - step) */
    LAST = 127
};

/* How many bits the value needs. */
static unsigned bits_of(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* The value that *step (moved on over those that are none) tries for `value`: few ones in
 * order; else 0, the leading bits, then less powers of two.  False: there is none left.
 *
 * Example: for 100 these are 0, then 1, 3, 6, 12, 25 and 50, then 36 (less 64), 68, 84, 92, 96,
 * 98 and 99. */
static bool lower_value(uint64_t value, unsigned *step, uint64_t *lower)
{
    if (!value || value == PARE_CHOICE_DEFAULT) return false;
    if (value <= FEW && *step < SUBTRACT) {
        *lower = *step;
        return *step < value;
    }
    unsigned bits = bits_of(value);
    if (*step < SUBTRACT && *step < bits) {
        *lower = *step ? value >> (bits - *step) : 0;
        return true;
    }
    /* The first power of two that is not larger than the value. */
    if (*step < SUBTRACT) *step = LAST + 1 - bits;
    while (*step <= LAST && value < UINT64_C(1) << (LAST - *step))
        ++*step;
    if (*step > LAST) return false;
    *lower = value - (UINT64_C(1) << (LAST - *step));
    return true;
}

/* The step after one that was tried.  What was taken had failed at all lower steps. */
static unsigned next_step(unsigned step, bool taken)
{
    if (!taken) return step + 1;
    return step < SUBTRACT ? SUBTRACT : step;
}

/* each: a choice is lowered, and the span around it made to fit. */
static pare_status draft_each(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_replayer *replayer, bool *done, pare_error *err)
{
    while (cursor->i < chosen->n) {
        uint64_t lower;
        if (!lower_value(chosen->list[cursor->i], &cursor->step, &lower)) {
            cursor->i++;
            cursor->step = 0;
            continue;
        }
        /* What the choice governs may be longer or shorter with the new value. */
        bool fits = true;
        uint32_t span = span_of(&chosen->record, cursor->i);
        pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
        if (status) return status;
        replayer->draft[cursor->i] = lower;
        if (span != PARE_NO_SPAN)
            status = pare_choice_passes_fit(replayer, chosen, span, chosen->record.spans[span].end,
                                            &fits, err);
        if (status || fits) return status;
        cursor->step = next_step(cursor->step, false);
    }
    *done = true;
    return PARE_OK;
}

/* Goes on lowering the same choice: one that was lowered may go further down. */
static void move_each(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    cursor->step = next_step(cursor->step, taken);
}

const pare_choice_pass pare_choice_pass_each = {"each", draft_each, move_each};

/* Whether both choices are equal in index, bound and kind. */
static bool is_same(const pare_choice *a, const pare_choice *b)
{
    return a->index == b->index && a->bound == b->bound && a->kind == b->kind;
}

/* Whether choice `at` is the first of several that are the same. */
static bool is_first_of_several(const pare_choice_record *record, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_same(&record->choices[i], &record->choices[at])) return false;
    for (size_t i = at + 1; i < record->n; i++)
        if (is_same(&record->choices[i], &record->choices[at])) return true;
    return false;
}

/* duplicates: equal choices are lowered together. */
static pare_status draft_duplicates(const pare_chosen *chosen, pare_cursor *cursor,
                                    pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n; cursor->i++, cursor->step = 0) {
        uint64_t lower;
        const pare_choice *first = &record->choices[cursor->i];
        if (!lower_value(first->index, &cursor->step, &lower)) continue;
        if (!is_first_of_several(record, cursor->i)) continue;
        pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
        if (status) return status;
        for (size_t i = cursor->i; i < record->n; i++)
            if (is_same(&record->choices[i], first)) replayer->draft[i] = lower;
        return PARE_OK;
    }
    *done = true;
    return PARE_OK;
}

const pare_choice_pass pare_choice_pass_duplicates = {"duplicates", draft_duplicates, move_each};

/* --- pairs of numbers -------------------------------------------------------------------- */

enum { NEIGHBOURS = 4 }; /* how many numbers after one are its partners */

/* Whether choice `at` is a number, and not the default. */
static bool is_number(const pare_choice_record *record, size_t at)
{
    return record->choices[at].kind == PARE_CHOICE_NUMBER &&
           record->choices[at].index != PARE_CHOICE_DEFAULT;
}

/* The `j`-th number after choice `i`; record->n: none.
 * Near ones only: what belongs together is mostly chosen one after the other. */
static size_t partner(const pare_choice_record *record, size_t i, size_t j)
{
    size_t at = i + 1;
    while (at < record->n && (!is_number(record, at) || j--))
        at++;
    return at;
}

/* Moves the cursor to the next pair of which the first is not 0; false: there is none. */
static bool find_pair(const pare_chosen *chosen, pare_cursor *cursor, size_t *second)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->i < record->n; cursor->i++, cursor->j = 0, cursor->step = 0) {
        if (!is_number(record, cursor->i) || !record->choices[cursor->i].index) continue;
        *second = cursor->j < NEIGHBOURS ? partner(record, cursor->i, cursor->j) : record->n;
        if (*second < record->n) return true;
    }
    return false;
}

/* The next partner of the same number, from its first value. */
static void next_pair(pare_cursor *cursor)
{
    cursor->j++;
    cursor->step = 0;
}

/* trade: of two numbers one is lowered, the other raised by as much. */
static pare_status draft_trade(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    size_t second = 0;
    for (; find_pair(chosen, cursor, &second); next_pair(cursor)) {
        uint64_t lower, from = chosen->list[cursor->i], to = chosen->list[second];
        /* What is traded must stay below the bound, or it would wrap to something else. */
        uint64_t room = chosen->record.choices[second].bound - 1 - to;
        while (lower_value(from, &cursor->step, &lower)) {
            if (from - lower > room) {
                cursor->step = next_step(cursor->step, false);
                continue;
            }
            pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
            if (status) return status;
            replayer->draft[cursor->i] = lower;
            replayer->draft[second] = to + (from - lower);
            return PARE_OK;
        }
    }
    *done = true;
    return PARE_OK;
}

const pare_choice_pass pare_choice_pass_trade = {"trade", draft_trade, move_each};

/* pairs: two numbers are lowered by the same amount. */
static pare_status draft_pairs(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    size_t second = 0;
    for (; find_pair(chosen, cursor, &second); next_pair(cursor)) {
        uint64_t lower, a = chosen->list[cursor->i], b = chosen->list[second];
        if (!lower_value(a < b ? a : b, &cursor->step, &lower)) continue;
        uint64_t less = (a < b ? a : b) - lower;
        pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
        if (status) return status;
        replayer->draft[cursor->i] = a - less;
        replayer->draft[second] = b - less;
        return PARE_OK;
    }
    *done = true;
    return PARE_OK;
}

const pare_choice_pass pare_choice_pass_pairs = {"pairs", draft_pairs, move_each};

/* --- sort -------------------------------------------------------------------------------- */

/* The next span after `at` with the same label and parent; PARE_NO_SPAN: none. */
static uint32_t next_sibling(const pare_choice_record *record, uint32_t at)
{
    const pare_choice_span *span = &record->spans[at];
    for (uint32_t s = at + 1; s < record->n_spans; s++)
        if (record->spans[s].parent == span->parent && record->spans[s].label == span->label)
            return s;
    return PARE_NO_SPAN;
}

/* Whether the choices of span `a` are simpler than those of span `b`. */
static bool is_simpler(const pare_chosen *chosen, uint32_t a, uint32_t b)
{
    const pare_choice_span *x = &chosen->record.spans[a], *y = &chosen->record.spans[b];
    return pare_choices_simpler(chosen->list + x->first, x->end - x->first, chosen->list + y->first,
                                y->end - y->first);
}

/* A group of siblings is sorted once, when its first one is met. */
static bool is_first_sibling(const pare_choice_record *record, uint32_t at)
{
    for (uint32_t s = 0; s < at; s++)
        if (record->spans[s].parent == record->spans[at].parent &&
            record->spans[s].label == record->spans[at].label)
            return false;
    return true;
}

/* Merge sort of `n` spans by what they hold; the spans stay where they are, `order` says
 * whose choices come where.
 * Stable, so equal spans keep their order and no list is drafted for them. */
static void sort_spans(const pare_chosen *chosen, uint32_t *order, uint32_t *spare, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t a = from, middle = from + width < n ? from + width : n;
            size_t b = middle, end = from + 2 * width < n ? from + 2 * width : n;
            for (size_t to = from; to < end; to++)
                spare[to] = b < end && (a == middle || is_simpler(chosen, order[b], order[a]))
                                ? order[b++]
                                : order[a++];
        }
        memcpy(order, spare, n * sizeof *order);
    }
}

/* Drafts the list with the contents of `order` in the places of `places`. */
static pare_status draft_order(const pare_chosen *chosen, const uint32_t *places,
                               const uint32_t *order, size_t n, pare_replayer *replayer,
                               pare_error *err)
{
    const pare_choice_span *spans = chosen->record.spans;
    size_t at = 0;
    pare_status status = PARE_OK;
    start_draft(replayer);
    for (size_t i = 0; !status && i < n; i++) {
        const pare_choice_span *place = &spans[places[i]], *by = &spans[order[i]];
        status = pare_choice_passes_add(replayer, chosen->list + at, place->first - at, err);
        if (!status)
            status = pare_choice_passes_add(replayer, chosen->list + by->first, by->end - by->first,
                                            err);
        at = place->end;
    }
    return status ? status
                  : pare_choice_passes_add(replayer, chosen->list + at, chosen->n - at, err);
}

/* Drafts the whole group of siblings from `first` on in order; *is_new is false when it is
 * that already. */
static pare_status draft_sorted(const pare_chosen *chosen, uint32_t first, pare_replayer *replayer,
                                bool *is_new, pare_error *err)
{
    size_t n = 0;
    for (uint32_t s = first; s != PARE_NO_SPAN; s = next_sibling(&chosen->record, s))
        n++;
    /* One block for places, order and the spare array of the sort. */
    uint32_t *places = pare_alloc(3 * n, sizeof *places);
    if (!places) return pare_fail_nomem(err);
    uint32_t *order = places + n;
    n = 0;
    for (uint32_t s = first; s != PARE_NO_SPAN; s = next_sibling(&chosen->record, s))
        places[n++] = s;
    memcpy(order, places, n * sizeof *order);
    sort_spans(chosen, order, order + n, n);
    *is_new = memcmp(order, places, n * sizeof *order) != 0;
    pare_status status = *is_new ? draft_order(chosen, places, order, n, replayer, err) : PARE_OK;
    pare_alloc_free(places);
    return status;
}

/* step 0: whole groups; 1: neighbours.  O(spans^2) comparisons. */
static pare_status draft_sort(const pare_chosen *chosen, pare_cursor *cursor,
                              pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; cursor->step < 2; cursor->step++, cursor->i = 0) {
        for (; cursor->i < record->n_spans; cursor->i++) {
            uint32_t at = (uint32_t)cursor->i, next = next_sibling(record, at);
            if (next == PARE_NO_SPAN) continue;
            /* Neighbours that stand in the wrong order: for groups of which not all can be
             * sorted. */
            if (cursor->step) {
                if (!is_simpler(chosen, next, at)) continue;
                const uint32_t places[2] = {at, next}, order[2] = {next, at};
                return draft_order(chosen, places, order, 2, replayer, err);
            }
            bool is_new = false;
            if (!is_first_sibling(record, at)) continue;
            pare_status status = draft_sorted(chosen, at, replayer, &is_new, err);
            if (status || is_new) return status;
        }
    }
    *done = true;
    return PARE_OK;
}

/* Sorted or not, the group is done. */
static void move_sort(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    (void)taken;
    cursor->i++;
}

const pare_choice_pass pare_choice_pass_sort = {"sort", draft_sort, move_sort};
