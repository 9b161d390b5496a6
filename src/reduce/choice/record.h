/* The record of choices: what a generator chose, in labelled, nested spans.
 *
 * A choice is an index below its bound, where 0 is the simplest answer; what an index means
 * is the generator's business (see reduce/choice/values.h).  So lists of choices have one order,
 * shortlex, whatever is generated: fewer choices are simpler, then smaller indices from the
 * front.  A span is a stretch of choices that belong together, one call of a generator for
 * one symbol, say; spans with the same label may stand for each other.
 * Source: MacIver and Donaldson, "Test-case reduction via test-case generation: insights
 * from the Hypothesis reducer", ECOOP 2020. */
#ifndef PARE_REDUCE_CHOICE_RECORD_H
#define PARE_REDUCE_CHOICE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

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

void pare_choice_record_done(pare_choice_record *record);

/* Makes *to (initialised or all-zero) the same as `from`.
 * Errors: PARE_E_NOMEM; *to is empty then. */
PARE_CHECK pare_status pare_choice_record_copy(pare_choice_record *to,
                                               const pare_choice_record *from, pare_error *err);

/* Whether list `a` comes before list `b`: fewer choices, then smaller indices from the
 * front; a default is simpler than any other. */
bool pare_choice_simpler(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b);

/* Whether bounds and nesting hold, for tests. */
bool pare_choice_record_check(const pare_choice_record *record);

#endif
