/* Lists of numbers by number, such as the nodes that declare each word.
 *
 * Rules find pairs one at a time, in the order of the text; who asks wants all that belongs to one
 * number, side by side.  So pairs are collected first and then sorted by counting, which keeps
 * their order and takes two arrays for all lists, whose number is known by then.
 *
 * Invariant: first[0] is 0, and first never falls.  Source: counting sort (Knuth, The Art of
 * Computer Programming, volume 3, 5.2). */
#include "reduce/dependency/dependency_lists.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/vector.h"

/* Amortised O(1): the array doubles.  On failure it is as it was. */
pare_status pare_dependency_lists_add(pare_dependency_pairs *pairs, uint32_t from, uint32_t to,
                                      pare_error *err)
{
    pare_dependency_pair *at = pare_vector_grow(pairs->at, pairs->n, &pairs->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    pairs->at = at;
    at[pairs->n++] = (pare_dependency_pair){from, to};
    return PARE_OK;
}

/* Counting sort in three passes: count, sum up, place.  The counts stand two places further than
 * the lists they belong to: first[i + 2] counts the pairs of i.  After the sums first[i + 1] is
 * where the list of i begins, and each pair that is placed moves it by one, so that in the end
 * it is where the list ends, which is where that of i + 1 begins.  That saves a second array of
 * cursors.
 *
 * Example: pairs (1, 7), (0, 5), (1, 8) and n = 2 make first = {0, 1, 3}, to = {5, 7, 8}. */
pare_status pare_dependency_lists_make(const pare_dependency_pairs *pairs, size_t n,
                                       pare_dependency_lists *out, pare_error *err)
{
    uint32_t *first = pare_alloc_zero(n + 2, sizeof *first);
    uint32_t *to = pare_alloc(pairs->n, sizeof *to);
    if (!first || !to) {
        pare_alloc_free(first);
        pare_alloc_free(to);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < pairs->n; i++) {
        assert(pairs->at[i].from < n);
        first[pairs->at[i].from + 2]++;
    }
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < pairs->n; i++)
        to[first[pairs->at[i].from + 1]++] = pairs->at[i].to;
    assert(first[0] == 0 && first[n] == pairs->n);
    *out = (pare_dependency_lists){first, to};
    return PARE_OK;
}

/* Upper bound by bisection.  Lists that were made of pairs in the order of the text are sorted
 * by node, so this finds the next declaration after a node. */
uint32_t pare_dependency_lists_after(const pare_dependency_lists *lists, uint32_t from,
                                     uint32_t after)
{
    pare_halving search = {.low = lists->first[from], .high = lists->first[from + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, lists->to[search.middle] <= after);
    return (uint32_t)search.low;
}

void pare_dependency_lists_done(pare_dependency_lists *lists)
{
    pare_alloc_free(lists->first);
    pare_alloc_free(lists->to);
}
