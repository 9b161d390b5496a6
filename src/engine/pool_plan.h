/* What the forms of a pool have in common: patches in the order in which they are tried,
 * and what ranges of them come to.  For this folder only. */
#ifndef PARE_ENGINE_POOL_PLAN_H
#define PARE_ENGINE_POOL_PLAN_H

#include "base/shared.h"
#include "engine/pool_options.h"
#include "text/patch.h"

/* Immutable, reference-counted. */
typedef struct pare_pool_plan {
    size_t references;
    pare_patches *patches; /* one reference */
    pare_pool_options options;
    uint32_t n, n_roots;
    uint32_t *order;   /* owned; all patches; those of one parent stand together, the roots first */
    uint32_t *rank;    /* owned; by patch: its place when parents do not count */
    uint32_t *parts;   /* owned; by patch: place in `order` of its first part */
    uint32_t *n_parts; /* owned */
} pare_pool_plan;

/* On PARE_OK the caller owns *out, one reference.  O(n log n).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_plan_new(pare_patches *patches, const pare_pool_options *options,
                                          pare_pool_plan **out, pare_error *err);
pare_pool_plan *pare_pool_plan_ref(pare_pool_plan *plan);
void pare_pool_plan_unref(pare_pool_plan *plan); /* NULL is a no-op */

/* Places from .. from + count - 1 of the order: patches of one parent. */
typedef struct pare_pool_range {
    uint32_t from, count;
} pare_pool_range;

/* The parts of a patch; none: count is 0. */
static inline pare_pool_range pare_pool_plan_parts(const pare_pool_plan *plan, uint32_t patch)
{
    return (pare_pool_range){plan->parts[patch], plan->n_parts[patch]};
}

/* Where in the text the rearmost patch of `range` ends: bytes. */
uint32_t pare_pool_plan_end(const pare_pool_plan *plan, pare_pool_range range);

/* Changes that agree, ascending, shared by all who refer to them.  All-zero is none. */
typedef struct pare_pool_set {
    pare_shared *changes;
    size_t n;
} pare_pool_set;

pare_pool_set pare_pool_plan_set_ref(pare_pool_set set);
void pare_pool_plan_set_unref(pare_pool_set *set); /* it is empty then */
const pare_change *pare_pool_plan_changes(const pare_pool_set *set);

/* What gathering a range of patches came to. */
typedef struct pare_pool_gathered {
    pare_union what;
    pare_pool_set set; /* one reference; empty unless `what` is PARE_UNION_MORE */
    bool whole;        /* no patch was left out */
} pare_pool_gathered;

/* Sets *out to `base` united with the patches of `range`, as far as they agree: first with
 * each other, the earlier one taking precedence, then with `base`.
 * PARE_UNION_SAME: all are in `base` already; PARE_UNION_CONFLICT: those that are not do
 * not agree with it.  Cost: O(changes log count) where they agree.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_plan_gather(const pare_pool_plan *plan, const pare_pool_set *base,
                                             pare_pool_range range, pare_pool_gathered *out,
                                             pare_error *err);

/* Sets *out to `a` united with `b`.  *what and errors as above. */
PARE_CHECK pare_status pare_pool_plan_unite(const pare_pool_plan *plan, const pare_pool_set *a,
                                            const pare_pool_set *b, pare_union *what,
                                            pare_pool_set *out, pare_error *err);

#endif
