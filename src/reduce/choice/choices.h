/* One source of choices for every generator.
 *
 * A generator asks, the source answers: with a random index, or with the next one of a list
 * that is replayed.  Either way the answers are recorded with their bounds, in spans.  An
 * edited list replays too: an index beyond its bound is brought into range (modulo), what the
 * list has left over is not used, and where it ends too early the replay ends with
 * PARE_E_STATE: such a list stands for no text.  So whatever a generator keeps true
 * (declarations before uses, lengths, checksums) is true of every text that a list gives.
 * Source: as reduce/choice/record.h; seed 004's ChoiceSeq.
 *
 * Cost: some nanoseconds a choice; memory is kept from run to run.  One thread. */
#ifndef PARE_REDUCE_CHOICE_CHOICES_H
#define PARE_REDUCE_CHOICE_CHOICES_H

#include <assert.h>

#include "base/random.h"
#include "os/entropy.h"
#include "reduce/choice/mersenne.h"
#include "reduce/choice/record.h"

/* No run of a generator may make more choices than this. */
enum { PARE_CHOICES_LIMIT = 1 << 24 };

typedef enum pare_choices_from {
    PARE_CHOICES_NORMAL, /* base/random.h */
    PARE_CHOICES_PYTHON, /* reduce/choice/mersenne.h */
    PARE_CHOICES_SYSTEM, /* os/entropy.h: for whoever records it from outside */
    PARE_CHOICES_REPLAY
} pare_choices_from;

/* All-zero draws with seed 0.  Members are read by this module only, but for `record` and
 * `n`. */
typedef struct pare_choices {
    pare_choices_from from;
    pare_random normal;
    pare_mersenne python;
    const uint64_t *list; /* REPLAY: borrowed */
    size_t n_list;
    size_t n;                  /* choices made in this run */
    size_t limit;              /* at most so many; 0: PARE_CHOICES_LIMIT */
    bool unrecorded;           /* the caller wants no record: set before a run */
    uint32_t open;             /* span, counted from 1; 0: none */
    pare_choice_record record; /* owned; what was chosen in this run */
} pare_choices;

/* From now on draws from the normal engine, or as Python would after random.seed(seed). */
void pare_choices_seed(pare_choices *choices, uint64_t seed);
void pare_choices_seed_python(pare_choices *choices, int64_t seed);

/* From now on draws from the kernel; begins a run. */
void pare_choices_draw_from_system(pare_choices *choices);

/* From now on answers with `n` indices at `list`, which is borrowed; begins a run. */
void pare_choices_replay(pare_choices *choices, const uint64_t *list, size_t n);

/* Begins a run: forgets the record, keeps its memory and where the engine is. */
void pare_choices_start(pare_choices *choices);
void pare_choices_done(pare_choices *choices);

/* How many choices of a replayed list are left; 0 when choices are drawn. */
size_t pare_choices_left(const pare_choices *choices);

/* The next choice: sets *index to one below `bound` (1 ..).  A default is 0 here.
 * Errors: PARE_E_STATE (the list has ended), PARE_E_LIMIT (too many choices),
 * PARE_E_IO (the kernel gives no number), PARE_E_NOMEM.  *index is untouched then. */
PARE_CHECK pare_status pare_choices_next(pare_choices *choices, pare_choice_kind kind,
                                         uint64_t bound, uint64_t *index, pare_error *err);

/* The same for a choice that knows a default: *is_default says that it was asked for. */
PARE_CHECK pare_status pare_choices_next_or_default(pare_choices *choices, pare_choice_kind kind,
                                                    uint64_t bound, uint64_t *index,
                                                    bool *is_default, pare_error *err);

/* The same where a list is replayed that goes on, and there is room in the record, as nearly
 * always when a list is reduced; else false, and nothing has changed. */
static inline bool pare_choices_replay_one(pare_choices *choices, pare_choice_kind kind,
                                           uint64_t bound, uint64_t *index, bool *is_default)
{
    pare_choice_record *record = &choices->record;
    size_t limit = choices->limit ? choices->limit : PARE_CHOICES_LIMIT;
    if (choices->from != PARE_CHOICES_REPLAY || choices->n >= choices->n_list) return false;
    if (choices->n >= limit || choices->unrecorded || record->n == record->capacity) return false;
    uint64_t number = choices->list[choices->n++];
    *is_default = number == PARE_CHOICE_DEFAULT;
    if (number >= bound && !*is_default) number %= bound;
    record->choices[record->n++] =
        (pare_choice){.index = number, .bound = bound, .kind = (uint32_t)kind};
    *index = *is_default ? 0 : number;
    return true;
}

/* One of `n` branches; drawn in proportion to `weights`, of which none is negative and one
 * is positive.  A replayed branch may have any weight. */
PARE_CHECK pare_status pare_choices_weighted(pare_choices *choices, const double *weights,
                                             uint32_t n, uint32_t *branch, pare_error *err);

/* Whether something happens that has this chance (0 .. 1) when drawn; false is simpler. */
PARE_CHECK pare_status pare_choices_chance(pare_choices *choices, double chance, bool *happens,
                                           pare_error *err);

/* Whether a draw may bypass the functions above: nothing is replayed or recorded, and the limit
 * is not reached.  Who bypasses them draws from `normal` as they do, and counts in `n`. */
static inline bool pare_choices_are_plain(const pare_choices *choices)
{
    return choices->unrecorded && choices->from == PARE_CHOICES_NORMAL &&
           choices->n < (choices->limit ? choices->limit : PARE_CHOICES_LIMIT);
}

/* 0 <= number < 1 as a random word gives it. */
static inline double pare_choices_unit(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* Whether spans are of any use: they are recorded, or whoever records from outside is told. */
static inline bool pare_choices_have_spans(const pare_choices *choices)
{
    return !choices->unrecorded || choices->from == PARE_CHOICES_SYSTEM;
}

/* Opens a span below the one that is open, and closes the one opened last.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choices_open(pare_choices *choices, uint32_t label, pare_error *err);

static inline void pare_choices_close(pare_choices *choices)
{
    if (choices->from == PARE_CHOICES_SYSTEM) pare_entropy_close();
    if (choices->unrecorded) return;
    assert(choices->open > 0);
    pare_choice_span *span = &choices->record.spans[choices->open - 1];
    span->end = (uint32_t)choices->n;
    choices->open = span->parent + 1;
}

#endif
