/* What is proposed in each stage of closures.c: mostly the closure of some nodes.
 *
 * Invariant: a proposal is a part of what is left, and made by what was learned up to now. */
#include "reduce/dependency/closures_proposal.h"

#include <string.h>

#include "base/shared.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/descent.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/suspects.h"

enum {
    LEAST_MAIN_SHARE =
        50, /* the part of the bytes that a deletion in MAIN has to be expected to remove */
    LEAST_EXPECTED = 64, /* bytes of a deletion that are enough in any case: lists are worse */
    SMALL_GAIN = 2       /* bytes that are a gain in any case */
};

/* Every proposal starts from the same query: within what is left, without what the attempt at
 * hand leaves out (repairs.h), with the edges that were learned from the compiler.  Only
 * `bodies` and `layout` differ by stage.  The pointers stay valid until an outcome is told. */
pare_dependency_query pare_closures_query(const struct pare_closures *self)
{
    const pare_repairs *repairs = &self->repairs;
    return (pare_dependency_query){.within = pare_closures_within(self),
                                   .without = repairs->without ? pare_shared_items(repairs->without)
                                                               : NULL,
                                   .learned = repairs->learned.at,
                                   .n_learned = repairs->learned.n,
                                   .bodies = self->bodies,
                                   .only = self->lean ? pare_shared_items(self->compiled) : NULL,
                                   .layout = self->layout};
}

/* The closure of the roots and the first `n` nodes of the order.  It grows with n, on which
 * bisection relies: if the prefix of 8 nodes fails and that of 4 does not, the root that is
 * missing is among nodes 5 to 8.  The order may be older than what is left; nodes of it that
 * have gone are passed over, since seeds must be allowed ones. */
static pare_status close_prefix(const struct pare_closures *self, size_t n,
                                pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    for (size_t i = 0; i < self->n_roots; i++)
        pare_dependency_add(kept, self->roots[i]);
    for (size_t i = 0; i < n; i++)
        if (pare_dependency_has(query.within, pare_closures_order(self)[i]))
            pare_dependency_add(kept, pare_closures_order(self)[i]);
    return pare_dependency_close(self->graph, &query, kept, err);
}

/* Where closures are narrow, has the attempt made without what is beside the suspects.  The set
 * serves as what the attempt leaves out, to which the repairs add nodes that are at fault; one
 * that is there already is of this attempt.  It is released when the attempt ends. */
static void leave_out_beside(struct pare_closures *self)
{
    if (!self->narrow || self->repairs.without) return;
    self->repairs.without = self->beside; /* until the attempt ends */
    pare_shared_retain(self->beside);
}

/* The closure of the suspects, or of these and their users. */
static pare_status close_suspects(const struct pare_closures *self, bool users,
                                  pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    return pare_suspects_close(&self->suspects, self->graph, &query, users, kept, err);
}

/* In FIRST the roots are the first `high` nodes of the order.  The suspects join them only if
 * all of them find room in self->roots. */
size_t pare_closures_n_beside_first(const struct pare_closures *self)
{
    return self->high + self->suspects.n <= PARE_CLOSURES_MOST_ROOTS ? self->suspects.n : 0;
}

/* Main items with the suspects are no more than roots may be, and so is the prefix. */
size_t pare_closures_proposal_seeds(const struct pare_closures *self,
                                    uint32_t out[static PARE_CLOSURES_MOST_SEEDS])
{
    size_t n = self->high;
    assert(self->high <= PARE_CLOSURES_MOST_ROOTS);
    memcpy(out, pare_closures_order(self), n * sizeof *out);
    memcpy(out + n, pare_shared_items(self->main_items), self->n_main_items * sizeof *out);
    n += self->n_main_items;
    if (!pare_closures_n_beside_first(self)) return n;
    return n + pare_suspects_copy(&self->suspects, false, out + n);
}

/* What the descent goes down in.  Before anything has failed by its roots, the suspects stand
 * for them: what does not lead to one of those may be dropped. */
static pare_descent_view view_of(const struct pare_closures *self,
                                 const pare_dependency_query *query)
{
    return (pare_descent_view){.graph = self->graph,
                               .query = query,
                               .suspects = self->suspects.nodes,
                               .n_suspects = self->suspects.n,
                               .roots = self->rooted ? self->roots : self->suspects.nodes,
                               .n_roots = self->rooted ? self->n_roots : self->suspects.n,
                               .bytes = self->bytes};
}

/* With roots the descent begins at what fails, all of `within`.  Without, it begins at the
 * closure of the suspects, of which functions but suspects have no bodies: `self->bodies` is off
 * only while that closure is made. */
pare_status pare_closures_begin_descent(struct pare_closures *self, pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    const pare_descent_view view = view_of(self, &query);
    if (self->rooted) return pare_descent_begin(&self->descent, &view, self->within, err);
    pare_shared *set = NULL;
    pare_dependency_bits *kept = NULL;
    const bool bodies = self->bodies;
    pare_status status = pare_dependency_new_set(self->graph, &set, &kept, err);
    if (!status) leave_out_beside(self);
    self->bodies = false; /* but for those of the suspects */
    if (!status) status = close_suspects(self, false, kept, err);
    self->bodies = bodies;
    if (!status) status = pare_descent_begin(&self->descent, &view, set, err);
    pare_shared_release(set);
    return status;
}

/* What is left without the nodes that are chosen.  A linked program needs its `main` with a
 * body, which deletions are told once (`held`), when it has become known that only what can be
 * linked is of use.
 *
 * A group is worth a test only if enough bytes are expected to go: in MAIN a fiftieth of what is
 * left, because each test there stands before the whole search; later LEAST_EXPECTED bytes, or
 * the 400th part where that is less.  Below that the stage is DONE, and what was made is not
 * proposed. */
static pare_status delete_some(struct pare_closures *self, pare_dependency_bits *kept,
                               pare_error *err)
{
    const pare_dependency_query query = pare_closures_query(self);
    const pare_deletions_view view = {.graph = self->graph,
                                      .query = &query,
                                      .roots = self->roots,
                                      .n_roots = self->rooted ? self->n_roots : 0,
                                      .entry = self->rooted && (self->has_entry || !self->n_roots),
                                      .linked = pare_closures_is_linked(self),
                                      .only_main = self->stage == PARE_CLOSURES_MAIN,
                                      .bytes = self->bytes};
    double expected;
    pare_status status = PARE_OK;
    if (!self->held && pare_closures_is_linked(self)) {
        self->held = true;
        status = pare_deletions_need_function(&self->deletions, self->graph, self->program, err);
        pare_deletions_look_again(&self->deletions);
    }
    if (!status) status = pare_deletions_choose(&self->deletions, &view, kept, &expected, err);
    self->spent = view.only_main && expected < (double)self->bytes / LEAST_MAIN_SHARE;
    if (view.only_main) return status;
    if (expected < SMALL_GAIN ||
        (expected < LEAST_EXPECTED && expected < (double)self->bytes / PARE_CLOSURES_DELETE_SHARE))
        self->stage = PARE_CLOSURES_DONE;
    return status;
}

/* Adds the roots that are left.  Where they are nodes of the file that was preprocessed, all
 * that is left of that file is added: MAIN has tried its items already, and what it left is
 * needed as a whole.  Of a linked program `main` stays with all that is in it. */
static void add_roots(const struct pare_closures *self, pare_dependency_bits *kept)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    const pare_dependency_bits *within = pare_closures_within(self);
    for (size_t i = 0; i < self->n_roots; i++)
        if (pare_dependency_has(within, self->roots[i])) pare_dependency_add(kept, self->roots[i]);
    for (uint32_t i = 0; self->mains && i < pare_dependency_count(self->graph); i++)
        if (nodes[i].roles & PARE_OUTLINE_MAIN && pare_dependency_has(within, i))
            pare_dependency_add(kept, i);
    if (!pare_closures_is_linked(self)) return;
    for (uint32_t i = self->program; i < nodes[self->program].after; i++)
        if (pare_dependency_has(within, i)) pare_dependency_add(kept, i);
}

/* The closure of what is left of the roots, without bodies of others: functions that the roots
 * call are declared, and not defined.  A compiler is content with that; a linker asks for some
 * bodies again, which the repairs put back. */
static pare_status close_bare(const struct pare_closures *self, pare_dependency_bits *kept,
                              pare_error *err)
{
    pare_dependency_query query = pare_closures_query(self);
    query.bodies = false;
    add_roots(self, kept);
    return pare_dependency_close(self->graph, &query, kept, err);
}

/* Makes self->proposed.  The set is filled according to the stage:
 *
 *     PLAIN, ASK        what is left (without markers and pragmas)
 *     SUSPECTS, USERS   closure of the suspects (and of who names them)
 *     FIRST, REAR       closure of a prefix of the order from the rear
 *     ROOTS, SEARCH     closure of the roots (and of half of the prefix that is in question)
 *     CHANCE            what the descent draws or drops
 *     UNITS             what is left without the end of the program
 *     LEVELS, BARE      closure of the roots, with few bodies or none
 *     MAIN, DELETE      what is left without a group of nodes
 *
 * One function, since all of them share the set, its size and what happens on failure. */
pare_status pare_closures_propose(struct pare_closures *self, pare_error *err)
{
    pare_shared *set = NULL;
    pare_dependency_bits *kept = NULL;
    bool whole;
    pare_status status = pare_dependency_new_set(self->graph, &set, &kept, err);
    if (status) return status;
    if (self->stage == PARE_CLOSURES_SUSPECTS ||
        (self->stage == PARE_CLOSURES_CHANCE && !self->rooted))
        leave_out_beside(self);
    const pare_dependency_query query = pare_closures_query(self);
    const pare_descent_view view = view_of(self, &query);
    const uint32_t *main_items = self->n_main_items ? pare_shared_items(self->main_items) : NULL;
    switch (self->stage) {
    /* DONE is no stage that proposes; it stands with the deletions, which may end in it
     * themselves. */
    case PARE_CLOSURES_PLAIN:
    case PARE_CLOSURES_ASK:
        for (size_t i = 0; i < pare_dependency_set_size(self->graph); i++)
            kept[i] |= pare_closures_within(self)[i];
        if (self->stage == PARE_CLOSURES_PLAIN) pare_dependency_make_plain(self->graph, kept);
        if (self->stage == PARE_CLOSURES_PLAIN && !self->pragmas)
            pare_dependency_drop_pragmas(self->graph, kept);
        break;
    case PARE_CLOSURES_SUSPECTS:
    case PARE_CLOSURES_USERS:
        status = close_suspects(self, self->stage == PARE_CLOSURES_USERS, kept, err);
        break;
    case PARE_CLOSURES_FIRST:
    case PARE_CLOSURES_REAR:
        if (self->stage == PARE_CLOSURES_FIRST && pare_closures_n_beside_first(self))
            status = close_suspects(self, false, kept, err);
        for (size_t i = 0; self->stage == PARE_CLOSURES_FIRST && i < self->n_main_items; i++)
            pare_dependency_add(kept, main_items[i]);
        if (!status) status = close_prefix(self, self->high, kept, err);
        break;
    case PARE_CLOSURES_ROOTS: status = close_prefix(self, 0, kept, err); break;
    case PARE_CLOSURES_SEARCH:
        status = close_prefix(self, pare_closures_middle(self), kept, err);
        break;
    case PARE_CLOSURES_CHANCE:
        status = pare_descent_propose(&self->descent, &view, kept, err);
        break;
    case PARE_CLOSURES_UNITS: status = pare_closures_units_propose(self, kept, err); break;
    case PARE_CLOSURES_LEVELS:
        add_roots(self, kept);
        status = pare_levels_close(self->graph, &query, self->levels.at, kept, &whole, err);
        break;
    case PARE_CLOSURES_BARE: status = close_bare(self, kept, err); break;
    case PARE_CLOSURES_MAIN:
    case PARE_CLOSURES_DELETE:
    case PARE_CLOSURES_DONE: status = delete_some(self, kept, err); break;
    }
    if (!status) self->proposed_bytes = pare_dependency_print_size(self->graph, kept);
    if (!status)
        self->proposed = set;
    else
        pare_shared_release(set);
    return status;
}
