/* A search by halving: the first index for which something holds, if from there on it holds for all.
 *
 * The caller asks its own question about search.middle and answers with "is it before?", so that no
 * key, comparison or context has to be passed.  The first entry of `names` at or after `node`:
 *
 *     pare_halving search = {.low = 0, .high = n};
 *     while (pare_halving_next(&search))
 *         pare_halving_tell(&search, names[search.middle].node < node);
 *     return search.low; // n if all are before it
 *
 * The last one at or before `node` is the one in front of the first that is after it: search from 1
 * with `<=` and take search.low - 1, which is 0 also when all are after it, or n is 0.
 *
 * Invariant: what is below `low` is before, what is at `high` or above is not.  O(log(high - low))
 * questions.  Source: Knuth, The Art of Computer Programming 3, 6.2.1; as std::partition_point. */
#ifndef PARE_BASE_HALVING_H
#define PARE_BASE_HALVING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pare_halving {
    size_t low, high; /* set by the caller: the range; in the end `low` is the answer */
    size_t middle;    /* what is asked about */
} pare_halving;

/* Chooses the next `middle`; false: the search has ended. */
static inline bool pare_halving_next(pare_halving *search)
{
    /* Not (low + high) / 2, which could overflow. */
    search->middle = search->low + (search->high - search->low) / 2;
    return search->low < search->high;
}

/* `is_before`: what is looked for comes after `middle`. */
static inline void pare_halving_tell(pare_halving *search, bool is_before)
{
    if (is_before)
        search->low = search->middle + 1;
    else
        search->high = search->middle;
}

#endif
