/* One source of choices for every generator.
 *
 * A generator asks, the source answers: with a random index, or with the next one of a list
 * that is replayed.  Either way the answers are recorded with their bounds, in spans.  An
 * edited list replays too: an index beyond its bound is brought into range (modulo), what the
 * list has left over is not used, and where it ends too early the replay ends with
 * PARE_E_STATE: such a list stands for no text.  So whatever a generator keeps true
 * (declarations before uses, lengths, checksums) is true of every text that a list gives.
 * Source: as reduce/choice/choices.h; seed 004's ChoiceSeq.
 *
 * Cost: some nanoseconds a choice; memory is kept from run to run.  One thread. */
#ifndef PARE_REDUCE_CHOICE_CHOICES_H
#define PARE_REDUCE_CHOICE_CHOICES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/mersenne.h"
#include "base/random.h"
#include "os/entropy.h"

/* The record of choices: what a generator chose, in labelled, nested spans.
 *
 * A choice is an index below its bound, where 0 is the simplest answer; what an index means
 * is the generator's business (see reduce/choice/choices.h).  So lists of choices have one order,
 * shortlex, whatever is generated: fewer choices are simpler, then smaller indices from the
 * front.  A span is a stretch of choices that belong together, one call of a generator for
 * one symbol, say; spans with the same label may stand for each other.
 * Source: MacIver and Donaldson, "Test-case reduction via test-case generation: insights
 * from the Hypothesis reducer", ECOOP 2020. */

/* The marked choice: the generator takes its default (seed 004's NOP, written -1). */
#define PARE_CHOICE_DEFAULT UINT64_MAX
#define PARE_NO_SPAN UINT32_MAX
#define PARE_SPAN_OPEN UINT32_MAX /* as a span's end: it was not closed, the run failed */

typedef enum pare_choice_kind {
    PARE_CHOICE_BRANCH, /* one of several ways */
    PARE_CHOICE_NUMBER, /* a number, its distance from the simplest one */
    PARE_CHOICE_SIZE    /* how many of what follows */
} pare_choice_kind;

typedef struct pare_choice {
    uint64_t index; /* below `bound`, or PARE_CHOICE_DEFAULT */
    uint64_t bound; /* 1 .. 2^64 - 1 */
    uint32_t kind;  /* pare_choice_kind */
} pare_choice;

/* Choices first .. end-1. */
typedef struct pare_choice_span {
    uint32_t label;
    uint32_t parent; /* span, or PARE_NO_SPAN */
    uint32_t first, end;
} pare_choice_span;

/* All-zero is empty. */
typedef struct pare_choice_record {
    pare_choice *choices; /* owned */
    size_t n, capacity;
    pare_choice_span *spans; /* owned; in the order in which they were opened */
    size_t n_spans, spans_capacity;
} pare_choice_record;

void pare_choices_record_done(pare_choice_record *record);

/* Makes *to (initialised or all-zero) the same as `from`.
 * Errors: PARE_E_NOMEM; *to is empty then. */
PARE_CHECK pare_status pare_choices_record_copy(pare_choice_record *to,
                                                const pare_choice_record *from, pare_error *err);

/* Whether list `a` comes before list `b`: fewer choices, then smaller indices from the
 * front; a default is simpler than any other. */
bool pare_choices_simpler(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b);

/* Whether bounds and nesting hold, for tests. */
bool pare_choices_record_check(const pare_choice_record *record);

/* No run of a generator may make more choices than this. */
enum { PARE_CHOICES_LIMIT = 1 << 24 };

typedef enum pare_choices_from {
    PARE_CHOICES_NORMAL, /* base/random.h */
    PARE_CHOICES_ENGINE, /* the caller's */
    PARE_CHOICES_SYSTEM, /* os/entropy.h: for whoever records it from outside */
    PARE_CHOICES_WORDS,  /* the same from a list of what the kernel gave */
    PARE_CHOICES_REPLAY
} pare_choices_from;

/* Another source of random numbers, for repeating what was drawn by other programs. */
typedef struct pare_choices_engine {
    void *self;
    uint64_t (*below)(void *self, uint64_t bound); /* 0 .. bound-1 */
    double (*unit)(void *self);                    /* 0 <= number < 1 */
} pare_choices_engine;

/* All-zero draws with seed 0.  Members are read by this module only, but for `record` and
 * `n`. */
typedef struct pare_choices {
    pare_choices_from from;
    pare_random normal;
    const pare_choices_engine *engine; /* ENGINE: borrowed */
    const uint64_t *list;              /* REPLAY, WORDS: borrowed */
    size_t n_list;
    size_t n_taken;            /* WORDS: of the list, in all runs since it was given */
    size_t n;                  /* choices made in this run */
    size_t limit;              /* at most so many; 0: PARE_CHOICES_LIMIT */
    bool unrecorded;           /* the caller wants no record: set before a run */
    uint32_t open;             /* span, counted from 1; 0: none */
    pare_choice_record record; /* owned; what was chosen in this run */
    /* What the kernel would have to give for the same answers, four bytes each, of all runs: kept
     * where the caller has said so, and draws from NORMAL with a record. */
    bool keeps_words;
    uint64_t *words; /* owned */
    size_t n_words, words_capacity;
} pare_choices;

/* From now on draws from the normal engine, seeded, or from the caller's (borrowed); each begins
 * a run. */
void pare_choices_seed(pare_choices *choices, uint64_t seed);
void pare_choices_draw_from(pare_choices *choices, const pare_choices_engine *engine);

/* CPython's numbers as an engine; borrows `mersenne`, which has been seeded. */
pare_choices_engine pare_choices_python(pare_mersenne *mersenne);

/* From now on draws from the kernel; begins a run. */
void pare_choices_draw_from_system(pare_choices *choices);

/* The same with what the kernel gave in another run, and a recorder noted: the list, which is
 * borrowed, is taken from its beginning, or in a later run from where the last one stood. */
void pare_choices_set_words(pare_choices *choices, const uint64_t *list, size_t n);
void pare_choices_draw_from_words(pare_choices *choices);

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

/* Values made of choices: numbers and texts.
 *
 * Every value is made of indices whose 0 is the simplest answer, so what reduces lists of
 * choices need not know what they mean.  Values of several choices are a span of their own.
 * Errors of all functions: those of pare_choices_next; out-parameters are untouched then,
 * buffers may hold a part.  Source: as reduce/choice/choices.h; its order of integers (the
 * simplest one, then away from it on both sides in turn). */

/* Labels of the spans made here; those of generators are below. */
enum {
    PARE_SPAN_STRING = 0x7FFFFF02,
    PARE_SPAN_ELEMENT /* one character */
};

/* An integer low .. high, of which `simplest` (brought into the range) is index 0.  The
 * whole range of int64_t but one value at most. */
PARE_CHECK pare_status pare_choices_integer(pare_choices *choices, int64_t low, int64_t high,
                                            int64_t simplest, int64_t *value, pare_error *err);

/* The same for a number of things that are chosen next; `low` is the simplest. */
PARE_CHECK pare_status pare_choices_size(pare_choices *choices, uint64_t low, uint64_t high,
                                         uint64_t *size, pare_error *err);

/* Which of `n` (1 ..); the first is the simplest. */
PARE_CHECK pare_status pare_choices_element(pare_choices *choices, uint64_t n, uint64_t *which,
                                            pare_error *err);

/* Characters `first` .. `last` (code points that UTF-8 can write), `simplest` of them the
 * simplest. */
typedef struct pare_alphabet {
    uint32_t first, last, simplest;
} pare_alphabet;

/* Appends low .. high characters to *text, in UTF-8; surrogates become U+FFFD. */
PARE_CHECK pare_status pare_choices_string(pare_choices *choices, pare_alphabet alphabet,
                                           uint64_t low, uint64_t high, pare_buffer *text,
                                           pare_error *err);

/* The integer low .. high that has this index when `simplest` has index 0. */
int64_t pare_choices_to_integer(int64_t low, int64_t high, int64_t simplest, uint64_t index);

/* A list of choices as a file: what recording writes, and reduction reads.
 *
 * Text: the line "pare choices 1", then one choice a line, in decimal, or -1 for a default.  Empty
 * lines, and those that begin with "#", say nothing. */

/* Whether `size` bytes begin as such a file does. */
bool pare_choices_list_is_file(const void *bytes, size_t size);

/* Reads the list; `name` is for sentences.  On PARE_OK the caller owns *list, to be released
 * with pare_alloc_free.  Errors: PARE_E_SYNTAX (with the line), PARE_E_LIMIT (more than
 * PARE_CHOICES_LIMIT), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choices_list_read(const char *name, const void *bytes, size_t size,
                                              uint64_t **list, size_t *n, pare_error *err);

/* Appends the file to *to.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choices_list_write(const uint64_t *list, size_t n, pare_buffer *to,
                                               pare_error *err);

/* A generator: a function of its choices. */

typedef struct pare_generator {
    void *self; /* passed to `run`; may hold scratch memory, but nothing that a later run sees */

    /* Begins no run of `choices` (the caller has), asks it, appends what it made to *text.
     * The same answers give the same text.  Errors: those of pare_choices_next; *text may
     * hold a part then.  PARE_E_IO: the run itself could not be made. */
    pare_status (*run)(void *self, pare_choices *choices, pare_buffer *text, pare_error *err);

    /* Whether there is no time left for runs, or a stop is asked for; NULL: runs take no
     * time.  Once it is, it stays. */
    bool (*stopped)(void *self);

    /* Whether what a choice is changes nothing about the ones after it. */
    bool flat;
} pare_generator;

#endif
