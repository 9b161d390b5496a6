/* MutationFuzzer: inputs made of other inputs by small changes.
 *
 * First each member that was there at the start, in order; then a member, changed 2 to 10
 * times: a byte is left out, a printable character put in, or a bit flipped.  The form that
 * is driven by coverage starts with no member: the caller adds what reached something new,
 * reduced first if it wants to (pare_mutation_offer).
 * Source: The Fuzzing Book, MutationFuzzer and MutationCoverageFuzzer; exercise 1 of seed
 * 002 for the reduction.  Deviation: bytes, where the book has characters. */
#ifndef PARE_GENERATE_MUTATION_H
#define PARE_GENERATE_MUTATION_H

#include "base/buffer.h"
#include "reduce/choice/choices.h"

/* A set of what was covered, as a number that is the same for the same set; false: the input
 * is not wanted (its run failed, say). */
typedef bool (*pare_mutation_cover)(void *context, const char *input, size_t size,
                                    uint64_t *coverage);

/* All-zero is ready, with the book's numbers.  One thread. */
typedef struct pare_mutation {
    uint32_t min_mutations, max_mutations; /* 0, 0: 2 and 10 */
    pare_buffer *members;                  /* owned: the population */
    size_t n, capacity;
    size_t n_first;      /* members that are returned unchanged, once */
    size_t at;           /* of those */
    uint64_t *coverages; /* owned; sets that were seen */
    size_t n_coverages, coverages_capacity;
    pare_buffer spare; /* a candidate being changed */
} pare_mutation;

void pare_mutation_done(pare_mutation *mutation);

/* Adds a member; with `first`, one that is returned unchanged before anything else.  All of
 * those must be added before the first run.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_mutation_add(pare_mutation *mutation, const char *input, size_t size,
                                         bool first, pare_error *err);

/* Adds the input if what it covers was not seen before, and sets *added.  With `reduce`, a
 * 1-minimal part of it, not empty, that covers the same is added (ddmin over bytes; O(size^2)
 * calls of `cover` at worst).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_mutation_offer(pare_mutation *mutation, const char *input, size_t size,
                                           pare_mutation_cover cover, void *context, bool reduce,
                                           bool *added, pare_error *err);

/* The generator; borrows `mutation`.  The one generator whose next run goes on where the last
 * one stood, while members are returned unchanged.  Without members it makes the empty
 * text. */
pare_generator pare_mutation_generator(pare_mutation *mutation);

#endif
