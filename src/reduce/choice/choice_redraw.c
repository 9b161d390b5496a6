/* The passes that draw anew: tails, redraw, branches, promote.
 *
 * For generators whose choices mean what they mean by what was chosen before, and of which
 * zeros are not the simplest: numbers are taken modulo bounds that nobody knows, and a list
 * cannot be made simpler step by step.  So parts of the list are drawn again, the largest spans
 * first, and the text says whether that helped.
 * Invariant: what is drawn depends on nothing but the list and the cursor (begin_drawing), so
 * that a draft can be made again.
 * Source: Hypothesis, which draws anew what follows a branch that it lowers
 * (reduce_each_alternative); here any call of the generator may be drawn again. */
#include <assert.h>

#include "base/random.h"
#include "reduce/choice/choice_passes.h"
#include "reduce/choice/choices.h"

/* Appends `n` drawn numbers, which any bound takes modulo itself. */
static pare_status add_drawn(pare_replayer *replayer, pare_random *random, size_t n,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        /* The default is no number. */
        uint64_t drawn = pare_random_next(random) >> 1;
        status = pare_choice_passes_add(replayer, &drawn, 1, err);
    }
    return status;
}

/* A random engine seeded by the list and the cursor alone. */
static pare_random begin_drawing(const pare_chosen *chosen, const pare_cursor *cursor)
{
    pare_random random;
    uint64_t seed = (uint64_t)chosen->n << 40 ^ (uint64_t)cursor->i << 8 ^ cursor->j;
    pare_random_init(&random, seed ^ (chosen->n ? chosen->list[chosen->n / 2] << 1 : 0));
    return random;
}

/* --- tails ------------------------------------------------------------------------------- */

enum {
    N_CUTS = 16,       /* places to cut: sixteenths of the list */
    TAILS = 12,        /* what is tried after each, but.. */
    FRESH = 256,       /* ..after the first, which is all of the list */
    HALVINGS = 3,      /* a tail is as long as what it replaces, half and a quarter as long */
    FRESH_HALVINGS = 7 /* likewise, but down to a 64th */
};

/* tails: what follows a place is drawn anew.  i: the place; j: how often it was tried.  A
 * generator that is unlucky with short lists ends early, so they cost little. */
static pare_status draft_tails(const pare_chosen *chosen, pare_cursor *cursor,
                               pare_replayer *replayer, bool *done, pare_error *err)
{
    assert(cursor->i <= N_CUTS);
    *done = cursor->i == N_CUTS || !chosen->n;
    if (*done) return PARE_OK;
    size_t kept = chosen->n / N_CUTS * cursor->i;
    size_t n = (chosen->n - kept) >> cursor->j % (cursor->i ? HALVINGS : FRESH_HALVINGS);
    pare_random random = begin_drawing(chosen, cursor);
    pare_status status = pare_choice_passes_set(replayer, chosen->list, kept, err);
    return status ? status : add_drawn(replayer, &random, n, err);
}

/* After a success the same place again, from its first attempt; else the next attempt or place. */
static void move_tails(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    cursor->j = taken ? 0 : cursor->j + 1;
    if (cursor->j < (cursor->i ? TAILS : FRESH)) return;
    cursor->i++;
    cursor->j = 0;
}

const pare_choice_pass pare_choice_pass_tails = {"tails", draft_tails, move_tails};

/* --- spans from the largest -------------------------------------------------------------- */

/* Moves cursor->i, from where it stands, to a span of more than one choice and of size class
 * cursor->k: more than a 2^-(k+1) of the list, but not more than a 2^-k; then to those of the
 * next class.  False: there is none left.  A span that holds what its parent holds is none.
 * So large spans are all tried before smaller ones, without sorting them: the walk is repeated
 * for each class. */
static bool find_span(const pare_chosen *chosen, pare_cursor *cursor)
{
    const pare_choice_record *record = &chosen->record;
    for (; chosen->n >> cursor->k; cursor->k++, cursor->i = 0) {
        for (; cursor->i < record->n_spans; cursor->i++) {
            const pare_choice_span *span = &record->spans[cursor->i];
            size_t size = span->end - span->first;
            if (size < 2 || size > chosen->n >> cursor->k) continue;
            /* Its turn comes with its own class. */
            if (size <= chosen->n >> (cursor->k + 1)) continue;
            if (!pare_choice_passes_is_parents(record, cursor->i)) return true;
        }
    }
    return false;
}

/* Goes on to the next span. */
static void leave_span(pare_cursor *cursor)
{
    cursor->i++;
    cursor->j = 0;
    cursor->step = 0;
}

/* --- redraw ------------------------------------------------------------------------------ */

enum { REDRAWS = 3 }; /* of one span */

/* redraw: a span is drawn anew.  i, k: the span; j: how often it was tried. */
static pare_status draft_redraw(const pare_chosen *chosen, pare_cursor *cursor,
                                pare_replayer *replayer, bool *done, pare_error *err)
{
    for (; find_span(chosen, cursor); leave_span(cursor)) {
        const pare_choice_span *span = &chosen->record.spans[cursor->i];
        for (; cursor->j < REDRAWS; cursor->j++) {
            bool fits = false;
            pare_random random = begin_drawing(chosen, cursor);
            pare_status status = pare_choice_passes_set(replayer, chosen->list, span->first, err);
            if (!status) status = add_drawn(replayer, &random, span->end - span->first, err);
            if (!status)
                status = pare_choice_passes_add(replayer, chosen->list + span->end,
                                                chosen->n - span->end, err);
            if (!status)
                status = pare_choice_passes_fit(replayer, chosen, (uint32_t)cursor->i, span->end,
                                                &fits, err);
            if (status || fits) return status;
        }
    }
    *done = true;
    return PARE_OK;
}

/* What was drawn and taken may be drawn again: it is another text now. */
static void move_redraw(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    cursor->j = taken ? 0 : cursor->j + 1;
}

const pare_choice_pass pare_choice_pass_redraw = {"redraw", draft_redraw, move_redraw};

/* --- branches ---------------------------------------------------------------------------- */

/* Of a number taken modulo an unknown one, the small values and some between are all there
 * is. */
static const uint64_t VALUES[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 30, 50, 70, 90, 99};
enum { N_VALUES = sizeof VALUES / sizeof *VALUES };

/* The first choice from `at` on that is in span `i`, but in no span of several choices below
 * it; the span's end: there is none. */
static size_t find_own(const pare_choice_record *record, size_t i, size_t at)
{
    const pare_choice_span *span = &record->spans[i];
    for (size_t s = i + 1; s < record->n_spans && record->spans[s].first <= at; s++) {
        const pare_choice_span *below = &record->spans[s];
        bool several = below->end - below->first > 1;
        bool same = below->first == span->first && below->end == span->end;
        if (several && !same && below->end > at) at = below->end;
    }
    return at < span->end ? at : span->end;
}

/* branches: a choice becomes one of a few small values.  i, k: the span; j: the choice in it;
 * step: which value.  What decides about a whole call, how many of something it makes or of
 * which kind, is drawn in that call itself. */
static pare_status draft_branches(const pare_chosen *chosen, pare_cursor *cursor,
                                  pare_replayer *replayer, bool *done, pare_error *err)
{
    for (; find_span(chosen, cursor); leave_span(cursor)) {
        const pare_choice_span *span = &chosen->record.spans[cursor->i];
        for (;; cursor->j++, cursor->step = 0) {
            size_t at = find_own(&chosen->record, cursor->i, span->first + cursor->j);
            cursor->j = at - span->first;
            if (at == span->end) break;
            for (; cursor->step < N_VALUES; cursor->step++) {
                bool fits;
                if (VALUES[cursor->step] == chosen->list[at]) continue;
                pare_status status = pare_choice_passes_set(replayer, chosen->list, chosen->n, err);
                if (status) return status;
                replayer->draft[at] = VALUES[cursor->step];
                status = pare_choice_passes_fit(replayer, chosen, (uint32_t)cursor->i, span->end,
                                                &fits, err);
                if (status || fits) return status;
            }
        }
    }
    *done = true;
    return PARE_OK;
}

/* A value that was taken ends the work on this choice. */
static void move_branches(const pare_chosen *chosen, pare_cursor *cursor, bool taken)
{
    (void)chosen;
    if (!taken) cursor->step++;
    if (!taken) return;
    cursor->j++;
    cursor->step = 0;
}

const pare_choice_pass pare_choice_pass_branches = {"branches", draft_branches, move_branches};

/* --- promote ----------------------------------------------------------------------------- */

enum { DESCENDANTS = 4 }; /* tried for one span */

/* Span number `j` of those in span `i` that are of its label, and smaller; PARE_NO_SPAN: there
 * are not so many. */
static uint32_t promoted(const pare_choice_record *record, size_t i, size_t j)
{
    const pare_choice_span *span = &record->spans[i];
    for (size_t s = i + 1; s < record->n_spans && record->spans[s].first < span->end; s++) {
        const pare_choice_span *below = &record->spans[s];
        bool smaller = below->end - below->first < span->end - span->first;
        if (below->label == span->label && smaller && !j--) return (uint32_t)s;
    }
    return PARE_NO_SPAN;
}

/* promote: a span gives way to nothing, or to a span of its label below it.  i, k: the span; j:
 * which descendant; 0: nothing is put in its place. */
static pare_status draft_promote(const pare_chosen *chosen, pare_cursor *cursor,
                                 pare_replayer *replayer, bool *done, pare_error *err)
{
    const pare_choice_record *record = &chosen->record;
    for (; find_span(chosen, cursor); leave_span(cursor)) {
        const pare_choice_span *span = &record->spans[cursor->i];
        /* Nothing in its place first: that is the shortest of all. */
        if (!cursor->j)
            return pare_choice_passes_replace(
                chosen, (pare_choice_edit){.from = span->first, .to = span->end}, replayer, err);
        uint32_t from =
            cursor->j <= DESCENDANTS ? promoted(record, cursor->i, cursor->j - 1) : PARE_NO_SPAN;
        if (from == PARE_NO_SPAN) continue;
        const pare_choice_span *by = &record->spans[from];
        return pare_choice_passes_replace(chosen,
                                          (pare_choice_edit){.from = span->first,
                                                             .to = span->end,
                                                             .by = chosen->list + by->first,
                                                             .n = by->end - by->first},
                                          replayer, err);
    }
    *done = true;
    return PARE_OK;
}

const pare_choice_pass pare_choice_pass_promote = {"promote", draft_promote, move_redraw};
