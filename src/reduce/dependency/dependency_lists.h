/* Lists of numbers by number, such as the nodes that declare each word: made of pairs in any order. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_LISTS_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* Two numbers that belong together: an edge, a provider of a fact, a premise of a clause. */
typedef struct pare_dependency_pair {
    uint32_t from, to;
} pare_dependency_pair;

/* A growing array of them.  All-zero: empty; ended by pare_alloc_free(at). */
typedef struct pare_dependency_pairs {
    pare_dependency_pair *at; /* owned */
    size_t n, capacity;
} pare_dependency_pairs;

/* The list of i is to[first[i]] .. to[first[i + 1] - 1]. */
typedef struct pare_dependency_lists {
    uint32_t *first; /* owned */
    uint32_t *to;    /* owned */
} pare_dependency_lists;

/* Appends a pair.  O(1) on average.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_lists_add(pare_dependency_pairs *pairs, uint32_t from,
                                                 uint32_t to, pare_error *err);

/* Makes `n` lists: the list of i has, in the order of the pairs, what i leads to.  Each `from` is below n.
 * On PARE_OK the caller owns what *out holds; else it stays as it is.  O(n + pairs).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_lists_make(const pare_dependency_pairs *pairs, size_t n,
                                                  pare_dependency_lists *out, pare_error *err);

/* The place in `lists->to` of the first in the list of `from`, which is sorted, that is greater than `after`; where the
 * list ends: there is none.  O(log list). */
uint32_t pare_dependency_lists_after(const pare_dependency_lists *lists, uint32_t from,
                                     uint32_t after);

void pare_dependency_lists_done(pare_dependency_lists *lists); /* all-zero is a no-op */

#endif
