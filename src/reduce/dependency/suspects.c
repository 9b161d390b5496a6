/* Suspects: the nodes that a compiler worked on when it failed, and what is beside and around them.
 *
 * A compiler that crashes says, with luck, in which line it was, and how it got there: from the
 * innermost place outwards.  The node at each place is a suspect, and so is the body of a function
 * that is one, wherever in the function the place is.  The places are those of the text that was
 * compiled, so nodes are found by them; what has no place is not looked for by its name, which
 * others may have, too.
 *
 * Users: where the suspects alone compile and do not fail, what the compiler worked on may only be
 * there for who uses it, such as a constructor that nobody has written for the variable that is
 * made by it.  So the nodes that name a suspect, or a function or class that one is a part of, are
 * added, then those that name these.  Each level is larger than the one before it, and less likely
 * to be of use; so there are few levels, and none at all where a name is used everywhere.
 *
 * Invariant: nodes[] has no node twice; users[] grows by whole levels.
 * Source: ours; that suspects pay, and how many levels of users do, was measured
 * (docs/lab/dependency.md). */
#include "reduce/dependency/suspects.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"
#include "text/candidate.h"

enum { MOST_LEVELS = 3 }; /* of users */

/* Adds the node, once. */
static void add(pare_suspects *suspects, uint32_t node)
{
    for (size_t i = 0; i < suspects->n; i++)
        if (suspects->nodes[i] == node) return;
    if (suspects->n < PARE_SUSPECTS_MOST) suspects->nodes[suspects->n++] = node;
}

/* Adds the node, and its body if it is a function: that is what the compiler worked on, wherever in the
 * function it says it was. */
static void suspect(pare_suspects *suspects, const pare_dependency *graph, uint32_t node)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    add(suspects, node);
    for (uint32_t k = node + 1; k < nodes[node].after; k = nodes[k].after)
        if (nodes[k].roles & PARE_OUTLINE_BODY) add(suspects, k);
}

/* Prints the text once more, since complaints give places in it, and maps each to the node that
 * printed the byte.  A complaint from outside of the text, or between nodes, gives no suspect.
 * Notes are left out; but what the linker says shows that the failing text is a whole program. */
pare_status pare_suspects_take(pare_suspects *suspects, const pare_dependency *graph,
                               const pare_dependency_bits *within,
                               const pare_complaints *complaints, pare_repairs *repairs,
                               pare_error *err)
{
    pare_candidate candidate = {0};
    pare_status status = pare_dependency_print_candidate(graph, within, &candidate, err);
    char *text = status ? NULL : pare_alloc(candidate.size + 1, 1);
    if (!status && !text) status = pare_fail_nomem(err);
    if (!status) pare_candidate_read(&candidate, text);
    for (size_t i = 0; !status && i < complaints->n; i++) {
        const pare_complaint_kind kind = complaints->item[i].kind;
        if (kind == PARE_COMPLAINT_LINKED) repairs->linked = true;
        if (kind == PARE_COMPLAINT_LINKED || kind == PARE_COMPLAINT_NOTE) continue;
        size_t place = pare_complaints_place(&complaints->item[i], text, candidate.size);
        uint32_t node = place < candidate.size ? pare_dependency_print_node_at(graph, within, place)
                                               : PARE_NO_NODE;
        if (node == PARE_NO_NODE) continue;
        suspect(suspects, graph, node);
        if (complaints->item[i].kind < PARE_COMPLAINT_SUSPECT &&
            suspects->n_reported < PARE_SUSPECTS_MOST)
            suspects->reported[suspects->n_reported++] = node;
        suspects->warned = suspects->warned || complaints->item[i].kind == PARE_COMPLAINT_WARNING;
        pare_repairs_expect(repairs, node, &complaints->item[i]);
    }
    pare_alloc_free(text);
    pare_candidate_done(&candidate);
    return status;
}

/* Marks the node as used, and the function or class that it is a part of: whoever calls a
 * function names that, and not the statement in it. */
static void mark_used(const pare_dependency *graph, uint32_t node, pare_dependency_bits *used)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    pare_dependency_add(used, node);
    while (nodes[node].roles & (PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY) &&
           nodes[node].parent != PARE_NO_NODE) {
        node = nodes[node].parent;
        pare_dependency_add(used, node);
    }
}

/* The levels are counted whether anything is added or not, so that asking again and again ends.
 * A level with too many users is not cut but left out as a whole: nothing says which of them
 * matter. */
pare_status pare_suspects_widen(pare_suspects *suspects, const pare_dependency *graph,
                                const pare_dependency_query *query, bool *more, pare_error *err)
{
    pare_shared *of_used = NULL, *of_users = NULL;
    pare_dependency_bits *used = NULL, *users = NULL;
    size_t n = 0;
    *more = false;
    if (suspects->n_levels++ >= MOST_LEVELS) return PARE_OK;
    pare_status status = pare_dependency_new_set(graph, &of_used, &used, err);
    if (!status) status = pare_dependency_new_set(graph, &of_users, &users, err);
    for (size_t i = 0; !status && i < suspects->n; i++)
        mark_used(graph, suspects->nodes[i], used);
    for (size_t i = 0; !status && i < suspects->n_users; i++)
        mark_used(graph, suspects->users[i], used);
    if (!status) status = pare_dependency_users(graph, query, used, users, &n, err);
    *more = !status && n && suspects->n_users + n <= PARE_SUSPECTS_MOST_USERS;
    for (uint32_t i = 0; *more && i < pare_dependency_count(graph); i++)
        if (pare_dependency_has(users, i)) suspects->users[suspects->n_users++] = i;
    assert(suspects->n_users <= PARE_SUSPECTS_MOST_USERS);
    pare_shared_release(of_used);
    pare_shared_release(of_users);
    return status;
}

/* *beside is made before it is known whether there is anything, and given up if not. */
pare_status pare_suspects_find_beside(const pare_suspects *suspects, const pare_dependency *graph,
                                      const pare_dependency_query *query, pare_shared **beside,
                                      pare_error *err)
{
    const pare_deletions_view view = {.graph = graph, .query = query};
    pare_dependency_bits *bits = NULL;
    bool any = false;
    pare_status status = pare_dependency_new_set(graph, beside, &bits, err);
    if (!status)
        status = pare_deletions_beside(&view, suspects->nodes, suspects->n, bits, &any, err);
    if (status || !any) {
        pare_shared_release(*beside);
        *beside = NULL;
    }
    return status;
}

/* Suspects that have gone from the set are passed over. */
pare_status pare_suspects_close(const pare_suspects *suspects, const pare_dependency *graph,
                                const pare_dependency_query *query, bool users,
                                pare_dependency_bits *kept, pare_error *err)
{
    for (size_t i = 0; users && i < suspects->n_users; i++)
        pare_dependency_add(kept, suspects->users[i]);
    for (size_t i = 0; i < suspects->n; i++)
        if (pare_dependency_has(query->within, suspects->nodes[i]))
            pare_dependency_add(kept, suspects->nodes[i]);
    return pare_dependency_close(graph, query, kept, err);
}

size_t pare_suspects_copy(const pare_suspects *suspects, bool users, uint32_t *out)
{
    const size_t n_users = users ? suspects->n_users : 0;
    memcpy(out, suspects->nodes, suspects->n * sizeof *out);
    memcpy(out + suspects->n, suspects->users, n_users * sizeof *out);
    return suspects->n + n_users;
}

/* Suspects are likely to be needed; where an error was reported, which is the failure itself, a
 * node is all but certain to be. */
pare_status pare_suspects_begin(const pare_suspects *suspects, const pare_dependency *graph,
                                pare_deletions *deletions, pare_error *err)
{
    pare_status status = pare_deletions_begin(deletions, graph, suspects->nodes, suspects->n, err);
    if (status || !suspects->n) return status;
    return pare_deletions_hold(deletions, graph, suspects->reported, suspects->n_reported, err);
}
