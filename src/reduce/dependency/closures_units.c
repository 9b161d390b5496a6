/* Which items and statements of the program itself the failure needs, found by bisection.
 *
 * A failure is in one place of the program, and needs what leads there: a few statements of one function.  Groups of
 * statements that are chosen one by one hold one of these nearly always, however likely each can go.  A prefix of the
 * program does not: it fails from some statement on, which is needed then, and all after that goes.  What does not
 * lead to it comes next, in the same way, until what is known to be needed fails alone: O(k log n) tests for k needed of
 * n.  Of a program that is run a prefix is the same program up to where it fails.
 * Invariant: a unit is an item, or a statement of a body's outermost level; what is left out by a proposal is units with
 * what cannot do without them, and what only these need.
 *
 * Source: generalised binary reduction, as in closures.c. */
#include "reduce/dependency/closures_proposal.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/outline.h"

/* Whether the node is of the program: of the file that was preprocessed, or where that is not known, of the function that
 * the program begins with. */
static bool is_of_program(const struct pare_closures *self, uint32_t node)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    if (nodes[node].roles & PARE_OUTLINE_MAIN) return true;
    return self->program != PARE_NO_NODE && node > self->program &&
           node < nodes[self->program].after;
}

static bool is_unit(const struct pare_closures *self, uint32_t node)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    const uint32_t roles = nodes[node].roles, parent = nodes[node].parent;
    if (!is_of_program(self, node) || node == self->program) return false;
    if (roles & PARE_OUTLINE_PIECE)
        return parent != PARE_NO_NODE && nodes[parent].roles & PARE_OUTLINE_BODY;
    if (roles & (PARE_OUTLINE_SHELL | PARE_OUTLINE_FORCED | PARE_OUTLINE_FOLLOWS)) return false;
    return parent == PARE_NO_NODE || nodes[parent].roles & PARE_OUTLINE_SHELL;
}

/* Whether a unit that is known to be needed goes with the node, or is in it. */
static pare_status holds_needed(const struct pare_closures *self, uint32_t node,
                                pare_dependency_bits *left, bool *holds, pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    const size_t n_words = pare_dependency_set_size(self->graph);
    *holds = false;
    if (!self->n_needed) return PARE_OK;
    for (size_t i = 0; i < n_words; i++)
        left[i] = query.within[i];
    pare_status status = pare_dependency_drop(self->graph, &query, &node, 1, left, err);
    for (size_t i = 0; !status && i < self->n_needed; i++)
        *holds = *holds || !pare_dependency_has(left, self->needed[i]);
    return status;
}

/* A list of more than MOST_UNITS is of no program that was written for a failure; looking at each costs O(graph). */
pare_status pare_closures_units_find(struct pare_closures *self, pare_error *err)
{
    enum { MOST_UNITS = 200 };
    const pare_dependency_bits *within = pare_closures_within(self);
    pare_shared *list = NULL, *set = NULL;
    pare_dependency_bits *left = NULL;
    void *items = NULL;
    size_t n = 0;
    pare_status status = pare_dependency_new_set(self->graph, &set, &left, err);
    if (!status) status = pare_shared_new(MOST_UNITS, sizeof(uint32_t), &list, err);
    if (!status) status = pare_shared_own(&list, 0, MOST_UNITS, &items, err);
    uint32_t *units = items;
    for (uint32_t i = 0; !status && i < pare_dependency_count(self->graph) && n <= MOST_UNITS;
         i++) {
        bool holds = false;
        if (!pare_dependency_has(within, i) || !is_unit(self, i)) continue;
        status = holds_needed(self, i, left, &holds, err);
        if (status || holds) continue;
        if (n < MOST_UNITS) units[n] = i;
        n++;
    }
    pare_shared_release(set);
    if (status) {
        pare_shared_release(list);
        return status;
    }
    pare_shared_release(self->order);
    self->order = list;
    self->n_order = n <= MOST_UNITS ? n : 0;
    return PARE_OK;
}

/* Whether the unit is a statement of a body that a needed one is a statement of: what that needs is mostly near. */
static bool is_beside(const struct pare_closures *self, uint32_t unit)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    bool beside = false;
    for (size_t i = 0; i < self->n_needed; i++)
        beside = beside || nodes[self->needed[i]].parent == nodes[unit].parent;
    return beside && nodes[unit].roles & PARE_OUTLINE_PIECE;
}

/* Writes the units that are left out to `gone`, and returns how many there are. */
static size_t choose_gone(const struct pare_closures *self, uint32_t *gone)
{
    const uint32_t *units = pare_closures_order(self);
    size_t n = 0;
    for (size_t i = self->alone ? 0 : pare_closures_middle(self); i < self->n_order; i++)
        if (self->alone != PARE_CLOSURES_WITH_BESIDE || !is_beside(self, units[i]))
            gone[n++] = units[i];
    return n;
}

pare_status pare_closures_units_propose(const struct pare_closures *self,
                                        pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    const pare_deletions_view view = {.graph = self->graph,
                                      .query = &query,
                                      .roots = self->roots,
                                      .n_roots = self->n_roots,
                                      .entry = self->has_entry || !self->n_roots,
                                      .bytes = self->bytes};
    uint32_t *gone = pare_alloc(self->n_order + 1, sizeof *gone);
    if (!gone) return pare_fail_nomem(err);
    pare_status status = pare_deletions_without(&view, gone, choose_gone(self, gone), kept, err);
    pare_alloc_free(gone);
    return status;
}

/* What is needed is asked for alone once one unit is known: first with what is beside it, and if that is enough, without.
 * True: there is nothing left to ask for. */
bool pare_closures_units_tell(struct pare_closures *self, bool failed, bool *anew)
{
    const enum pare_closures_alone alone = self->alone;
    self->alone = PARE_CLOSURES_NOT_ALONE;
    *anew = false;
    if (alone == PARE_CLOSURES_ALONE && failed) return true;
    if (alone) {
        *anew = failed;
        return false;
    }
    if (failed)
        self->high = pare_closures_middle(self);
    else
        self->low = pare_closures_middle(self);
    /* Without any of them it fails, though it did not a test before: a failure by chance. */
    if (!self->high) return true;
    if (self->high - self->low > 1) return false;
    *anew = true;
    assert(self->high <= self->n_order && self->n_needed < PARE_CLOSURES_MOST_NEEDED);
    self->alone = PARE_CLOSURES_WITH_BESIDE;
    self->needed[self->n_needed++] = pare_closures_order(self)[self->high - 1];
    return self->n_needed == PARE_CLOSURES_MOST_NEEDED;
}

/* --- the stage ---------------------------------------------------------------------------- */

/* Whether there are no bodies any more that BARE could leave out: it has failed already, or of a program that is linked
 * only those are left that code is made of.  The linker would ask for each again, and a compiler for what is evaluated
 * while compiling. */
bool pare_closures_units_is_bare(const struct pare_closures *self)
{
    return !self->bodies || (self->lean && pare_closures_is_linked(self));
}

/* Of a program without line markers nothing tells what else could be chosen. */
pare_status pare_closures_units_end(struct pare_closures *self, pare_error *err)
{
    return pare_closures_enter(self, self->mains ? PARE_CLOSURES_MAIN : PARE_CLOSURES_DELETE, err);
}

/* The units of the program that are left are gone through, or there are none, and groups of them come next. */
pare_status pare_closures_units_enter(struct pare_closures *self, bool first, pare_error *err)
{
    pare_status status = first ? pare_closures_enter(self, PARE_CLOSURES_UNITS, err) : PARE_OK;
    if (first) self->n_needed = 0;
    if (!status) status = pare_closures_units_find(self, err);
    if (first)
        self->alone = PARE_CLOSURES_NOT_ALONE;
    else if (self->alone == PARE_CLOSURES_NOT_ALONE)
        self->alone = PARE_CLOSURES_ALONE; /* with what is beside it fails */
    self->low = self->n_near = 0;
    self->high = self->n_order;
    /* Of one that nothing is known of it is known that it is needed. */
    if (status || self->n_order > (first ? 1 : 0)) return status;
    return pare_closures_units_end(self, err);
}

/* The program fails with all that it uses, which are the roots and their closure: what of it is needed is found out
 * first, or which bodies. */
pare_status pare_closures_units_reduce_program(struct pare_closures *self, pare_error *err)
{
    self->rooted = true;
    self->mains = self->n_main_items > 0;
    self->bare_first = self->mains ? self->asked && !pare_closures_is_linked(self)
                                   : !pare_closures_units_is_bare(self);
    return self->bare_first ? pare_closures_enter(self, PARE_CLOSURES_BARE, err)
                            : pare_closures_units_enter(self, true, err);
}
