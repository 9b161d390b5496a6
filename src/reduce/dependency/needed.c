/* The closure of where a program starts, and nothing else.
 *
 * The same as the stage FIRST of the whole search (closures.c), which costs a dozen tests more: those have been
 * made by the time somebody asks for this one.
 * Invariant: the closure is made once; it is proposed until its outcome is told. */
#include "reduce/dependency/needed.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/levels.h"
#include "text/candidate.h"

#include <pare/outcome.h>

enum { MOST_STARTS = 64 }; /* of nodes that a program starts with; more are no start */

/* A strategy of one proposal, which is made when the strategy is. */
struct needed {
    pare_strategy head;
    pare_dependency *graph; /* one reference */
    pare_shared *kept;      /* bits; NULL: there is nothing to propose, or not any more */
};

static struct needed *of(pare_strategy *strategy)
{
    return (struct needed *)strategy;
}

/* Asking changes nothing: until an outcome is told, the same candidate is made again. */
static pare_status needed_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                               pare_error *err)
{
    const struct needed *self = of(strategy);
    *what = self->kept ? PARE_NEXT_TEST : PARE_NEXT_DONE;
    if (!self->kept) return PARE_OK;
    return pare_dependency_print_candidate(self->graph, pare_shared_items(self->kept), candidate,
                                           err);
}

/* Whatever the outcome was, there is no second proposal. */
static pare_status needed_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct needed *self = of(strategy);
    (void)outcome;
    (void)err;
    pare_shared_release(self->kept);
    self->kept = NULL;
    return PARE_OK;
}

/* The set is never written after it was made, so a copy shares it. */
static pare_status needed_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct needed *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *(const struct needed *)strategy;
    (void)pare_dependency_ref(copy->graph);
    pare_shared_retain(copy->kept);
    *out = &copy->head;
    return PARE_OK;
}

/* Also of one that is half made: `kept` may be NULL. */
static void needed_free(pare_strategy *strategy)
{
    struct needed *self = of(strategy);
    pare_shared_release(self->kept);
    pare_dependency_unref(self->graph);
    pare_alloc_free(self);
}

/* Adds what the program starts with to `kept`, and what follows from it.  In the order from the
 * rear the statements that run when the program starts come first (n_entry of them).  Where none
 * is known, or there are so many that they are most of the program, the last node of the file
 * stands for them: it is mostly what calls the others, such as `main`. */
static pare_status close_start(const pare_dependency *graph, const pare_dependency_bits *all,
                               pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = {.within = all, .bodies = true};
    pare_levels_nodes made;
    pare_status status = pare_levels_order(graph, &query, PARE_LEVELS_FROM_REAR, &made, err);
    if (status) return status;
    const uint32_t *order = pare_shared_items(made.list);
    const size_t last = made.n ? 1 : 0;
    const size_t n = made.n_entry && made.n_entry <= MOST_STARTS ? made.n_entry : last;
    for (size_t i = 0; i < n; i++)
        pare_dependency_add(kept, order[i]);
    pare_shared_release(made.list);
    return pare_dependency_close(graph, &query, kept, err);
}

/* Makes the closure, unless it is as large as the text: then there is nothing to test, and
 * `kept` is NULL.  Both sets are printed for their sizes, since nodes overlap and what is
 * between them counts, too. */
static pare_status make(struct needed *self, pare_error *err)
{
    pare_shared *set = NULL;
    pare_dependency_bits *all = NULL, *kept = NULL;
    pare_status status = pare_dependency_new_set(self->graph, &set, &all, err);
    for (uint32_t i = 0; !status && i < pare_dependency_count(self->graph); i++)
        pare_dependency_add(all, i);
    if (!status) status = pare_dependency_new_set(self->graph, &self->kept, &kept, err);
    if (!status) status = close_start(self->graph, all, kept, err);
    if (!status && pare_dependency_print_size(self->graph, kept) >=
                       pare_dependency_print_size(self->graph, all)) {
        pare_shared_release(self->kept);
        self->kept = NULL;
    }
    pare_shared_release(set);
    return status;
}

/* The closure is made here, not when it is asked for: a program that needs all of itself is
 * known to be of no use before any test, and `next` cannot fail for memory that a closure takes. */
pare_status pare_needed_new(pare_dependency *graph, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {
        .next = needed_next, .tell = needed_tell, .copy = needed_copy, .destroy = needed_free};
    struct needed *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->graph = pare_dependency_ref(graph);
    pare_status status = make(self, err);
    if (status)
        needed_free(&self->head);
    else
        *out = &self->head;
    return status;
}
