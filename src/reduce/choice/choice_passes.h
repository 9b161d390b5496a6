/* The passes over a list of choices.
 *
 * A pass looks at what the reduction stands on and a cursor, and drafts the next list in the
 * replayer; told what came of it, it moves the cursor.  A pass over n choices proposes
 * O(n log n) lists at most, with few exceptions stated there, and does not repeat itself: to
 * go on until nothing helps is the reduction's part.  All state is in the cursor.
 *
 *     zero       a span becomes all zeros                        (try_trivial_spans)
 *     hoist      a span becomes a span of its label below it     (pass_to_descendant)
 *     spans      a span is left out
 *     skip       a span gives way to the next one of its label, with all between
 *     sizes      a size is lowered together with what it governs
 *     blocks     5, 4, 3, 2, 1 choices are left out, in growing multiples (adaptive)
 *     sort       spans of a label below one parent are put in order (reorder_spans)
 *     duplicates equal choices are lowered together              (minimize_duplicated_choices)
 *     each       a choice is lowered                             (minimize_individual_choices)
 *     trade      of two numbers one is lowered, one raised       (redistribute_numeric_pairs)
 *     pairs      two numbers are lowered by the same             (lower_integers_together)
 *
 * (zero leaves a flat generator alone: no choice takes others along there.)
 *
 * and where numbers are taken modulo bounds that are not known (reduce/choice/choice_reduction.h):
 *
 *     tails      what follows a place is drawn anew
 *     branches   a choice becomes a small one, the spans around the largest first
 *     redraw     a span is drawn anew, likewise
 *     promote    a span gives way to nothing, or to one of its label below it, likewise
 *
 * Source: MacIver and Donaldson, "Test-case reduction via test-case generation: insights
 * from the Hypothesis reducer", ECOOP 2020; names in brackets are those of its passes.
 * Deviation: where a choice was changed, the span around it is made to fit what follows (see
 * pare_choice_passes_fit), which keeps the rest of the list in step. */
#ifndef PARE_REDUCE_CHOICE_CHOICE_PASSES_H
#define PARE_REDUCE_CHOICE_CHOICE_PASSES_H

#include "base/buffer.h"
#include "reduce/choice/choices.h"
#include "text/text.h"

/* Where lists of choices become texts: a generator, its source, and the list being drafted.
 *
 * Shared by the copies of a strategy's state, for nothing in it outlives a call.  Reference-
 * counted, one thread. */
typedef struct pare_replayer {
    size_t refs;
    pare_generator generator;
    pare_choices choices; /* its record is that of the last replay */
    pare_buffer text;     /* of the last replay */
    uint64_t *draft;      /* owned; the list that is to be tried */
    size_t n, capacity;
    uint64_t *spare; /* owned; see pare_choice_passes_fit */
    size_t spare_capacity;
    bool draws; /* what a span lacks is drawn, not 0 */
} pare_replayer;

/* What the reduction stands on: a list, all of it used, and what it makes.  Immutable,
 * reference-counted. */
typedef struct pare_chosen {
    size_t refs;
    uint64_t *list; /* owned */
    size_t n;
    pare_choice_record record;
    pare_text *text; /* one reference */
} pare_chosen;

/* Where a pass stands; all-zero at its start. */
typedef struct pare_cursor {
    size_t i, j, k;
    unsigned step;
} pare_cursor;

typedef struct pare_choice_pass {
    const char *name;

    /* Drafts the next list, or sets *done.  May move the cursor over what is not worth a
     * list; the same call again drafts the same.  Errors: PARE_E_NOMEM. */
    pare_status (*draft)(const pare_chosen *chosen, pare_cursor *cursor, pare_replayer *replayer,
                         bool *done, pare_error *err);

    /* The draft was taken, and is `chosen` now, or it was not. */
    void (*move)(const pare_chosen *chosen, pare_cursor *cursor, bool taken);
} pare_choice_pass;

/* In the order in which they are run. */
extern const pare_choice_pass pare_choice_pass_zero, pare_choice_pass_hoist, pare_choice_pass_spans,
    pare_choice_pass_skip, pare_choice_pass_sizes, pare_choice_pass_blocks, pare_choice_pass_sort,
    pare_choice_pass_duplicates, pare_choice_pass_each, pare_choice_pass_trade,
    pare_choice_pass_pairs, pare_choice_pass_tails, pare_choice_pass_branches,
    pare_choice_pass_redraw, pare_choice_pass_promote;

/* The draft becomes `list`; it grows by a part of a list.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_passes_set(pare_replayer *replayer, const uint64_t *list,
                                              size_t n, pare_error *err);
PARE_CHECK pare_status pare_choice_passes_add(pare_replayer *replayer, const uint64_t *list,
                                              size_t n, pare_error *err);

/* Replays a list; *made is false when it ends too early or the generator refuses it.
 * Errors: PARE_E_IO (the generator cannot be run), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_passes_replay(pare_replayer *replayer, const uint64_t *list,
                                                 size_t n, bool *made, pare_error *err);

/* Makes a draft that was changed within span `span` of `chosen`, and not before it, fit what
 * follows that: the generator says where the span ends now; what it does not use is left out,
 * what it lacks is 0, or drawn.  *fits is false when it finds no end.  Costs a replay, no test;
 * of a flat generator nothing, and nothing is to be made fit.
 * `end` is where the span's choices end in the draft.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_passes_fit(pare_replayer *replayer, const pare_chosen *chosen,
                                              uint32_t span, size_t end, bool *fits,
                                              pare_error *err);

/* Whether span `at` holds the same choices as its parent. */
bool pare_choice_passes_is_parents(const pare_choice_record *record, size_t at);

/* Choices from .. to-1 of a list go, and `n` choices at `by` (borrowed) come there. */
typedef struct pare_choice_edit {
    size_t from, to;
    const uint64_t *by;
    size_t n;
} pare_choice_edit;

/* Drafts the chosen list after the edit.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_passes_replace(const pare_chosen *chosen, pare_choice_edit edit,
                                                  pare_replayer *replayer, pare_error *err);

#endif
