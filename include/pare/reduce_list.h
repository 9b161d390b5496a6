/* Reducing a list of one's own: which of its elements a failure needs.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/reduce_list.h>
 *
 *     static const int orders[] = {12, 7, 99, 3, 41, 58, 2, 16, 1, 77};
 *
 *     static pare_outcome breaks_till(void *context, const uint32_t *indices, size_t n)
 *     {
 *         int sum = 0;
 *         (void)context;
 *         for (size_t i = 0; i < n; i++)
 *             sum += orders[indices[i]];
 *         return sum > 150 ? PARE_FAIL : PARE_PASS;
 *     }
 *
 *     int main(void)
 *     {
 *         pare_reduce_options options = {.algorithms = "ddmin"};
 *         uint32_t *kept = NULL;
 *         size_t n_kept = 0;
 *         pare_error err = {0};
 *         if (pare_reduce_list(10, breaks_till, NULL, &options, &kept, &n_kept, &err)) {
 *             fprintf(stderr, "%s\n", err.message);
 *             return 1;
 *         }
 *         for (size_t i = 0; i < n_kept; i++)
 *             printf("order %u\n", kept[i]);
 *         pare_list_free(kept);
 *         return 0;
 *     }
 */
#ifndef PARE_REDUCE_LIST_H
#define PARE_REDUCE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include <pare/outcome.h>
#include <pare/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which elements of a list of one's own are needed.  `indices` holds the kept ones in
 * ascending order and is valid during the call only.  PARE_NO_OUTCOME is as for a pare_predicate. */
typedef pare_outcome (*pare_list_predicate)(void *context, const uint32_t *indices, size_t n);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_reduce_list_sized(size_t n, pare_list_predicate predicate,
                                                       void *context,
                                                       const pare_reduce_options *options,
                                                       size_t options_bytes, uint32_t **kept,
                                                       size_t *n_kept, pare_error *err);

/* Reduces a list of `n` elements (1 .. 2^30 - 1) by an algorithm of the list family.
 * Uses of `options`: algorithms, lists, limits, events, strategy, strategy_command; the sizes in
 * events and statistics count 4 bytes an element.
 * The input, the units and another test must not be given.
 * On PARE_OK the caller owns *kept (ascending; pare_list_free) with *n_kept entries.
 * Errors: as pare_reduce; *kept is untouched then. */
static inline PARE_CHECK pare_status pare_reduce_list(size_t n, pare_list_predicate predicate,
                                                      void *context,
                                                      const pare_reduce_options *options,
                                                      uint32_t **kept, size_t *n_kept,
                                                      pare_error *err)
{
    return pare_reduce_list_sized(n, predicate, context, options, sizeof *options, kept, n_kept,
                                  err);
}
PARE_API void pare_list_free(uint32_t *kept);

#ifdef __cplusplus
}
#endif

#endif
