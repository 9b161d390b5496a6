/* What a program lacks that is closed, and yet is not enough: the search around it.
 *
 * The closure C of the program's own items ought to fail.  If it does not, a need is unknown to the graph, and no
 * compiler tells of it: what runs at another time, or an error that nobody can mend.  All of the text fails, so between
 * C and that there is a shortest prefix of the other nodes with which it does; its last node is what lacks.  C is in
 * every candidate, so each has what the program is known to need, and an error that C has for want of something is
 * gone from the prefix on that holds it: candidates need not compile for the search to be right.
 * Nodes that C has names of come first (nearness.h): what lacks is mostly among them, and if they are enough, the first
 * test leaves out all of the text that nothing leads to.
 *
 * Source: the search is that of closures.c, from other roots. */
#include "reduce/dependency/closures_proposal.h"

#include <string.h>

#include "base/shared.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/nearness.h"
#include "reduce/dependency/suspects.h"

enum { MOST_LACKING = 16 }; /* for which there is to be room */

void pare_closures_around_add_program(struct pare_closures *self)
{
    for (size_t i = 0; i < self->n_roots; i++)
        if (self->roots[i] == self->program) return;
    if (self->n_roots < PARE_CLOSURES_MOST_ROOTS) self->roots[self->n_roots++] = self->program;
}

bool pare_closures_around_take_program(struct pare_closures *self)
{
    memcpy(self->roots, pare_shared_items(self->main_items),
           self->n_main_items * sizeof *self->roots);
    self->n_roots = self->n_main_items;
    if (pare_closures_is_linked(self)) pare_closures_around_add_program(self);
    if (self->n_roots &&
        self->n_roots + self->suspects.n <= PARE_CLOSURES_MOST_ROOTS - MOST_LACKING)
        self->n_roots += pare_suspects_copy(&self->suspects, false, self->roots + self->n_roots);
    return self->n_roots > 0;
}

pare_status pare_closures_around_order(struct pare_closures *self, const pare_dependency_bits *base,
                                       pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    pare_shared *set = NULL;
    pare_dependency_bits *kept = NULL;
    pare_nearness made = {.list = NULL};
    pare_status status = PARE_OK;
    if (!base) status = pare_dependency_new_set(self->graph, &set, &kept, err);
    for (size_t i = 0; !status && !base && i < self->n_roots; i++)
        pare_dependency_add(kept, self->roots[i]);
    if (!status && !base) status = pare_dependency_close(self->graph, &query, kept, err);
    if (!status)
        status = pare_nearness_order(self->graph, query.within, base ? base : kept, &made, err);
    pare_shared_release(set);
    if (status) return status;
    pare_shared_release(self->order);
    self->order = made.list;
    self->n_order = made.n;
    self->n_near = made.n_near;
    return PARE_OK;
}
