/* Levels of calls.
 *
 * Of a program that is run most functions that could be called are not: a call stands in a branch that is
 * not taken, or a recursion ends before it.  What the graph calls needed holds them all.  Functions
 * that are called are found near the start, so bodies go from a level on: a function without its body is
 * still declared, and nothing that names it breaks.
 *
 * Each level is one closure: bodies of functions that it holds are allowed in the next.  A closure with
 * fewer levels is a subset of one with more, so the fewest levels that still fail are found by a gallop
 * and a bisection (closures.c): the logarithm of the depth in tests.
 *
 * Invariant: as everywhere in the graph, the result is closed but for bodies.
 * Source: ours; iterative deepening (Korf, 1985) is the model of the gallop. */
#include "reduce/dependency/levels.h"

#include <string.h>

#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/outline.h"

/* Whether the node is a body that may be left out.  One that is forced stays with its function,
 * so it is on no level. */
static bool is_body(const pare_dependency_node *node)
{
    return node->roles & PARE_OUTLINE_BODY && !(node->roles & PARE_OUTLINE_FORCED);
}

/* Allows the bodies of functions in `kept`, for the next closure; true: one was not allowed
 * before.  What the query leaves out stays out.  A body without a parent is allowed at once. */
static bool allow_bodies(const pare_dependency *graph, const pare_dependency_query *query,
                         const pare_dependency_bits *kept, pare_dependency_bits *without)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    bool any = false;
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++) {
        if (!is_body(&nodes[i]) || !pare_dependency_has(without, i)) continue;
        if (nodes[i].parent != PARE_NO_NODE && !pare_dependency_has(kept, nodes[i].parent))
            continue;
        if (query->without && pare_dependency_has(query->without, i)) continue;
        pare_dependency_remove(without, i);
        any = true;
    }
    return any;
}

/* Example: the start is a statement that calls f, and f calls g.  Without any body f is kept,
 * and declared only; level 1 adds its body, which needs g; level 2 adds that of g.  `kept` only
 * grows, so each round goes on from the one before it; it ends early when a round allows nothing
 * more. */
pare_status pare_levels_close(const pare_dependency *graph, const pare_dependency_query *query,
                              unsigned n_levels, pare_dependency_bits *kept, bool *whole,
                              pare_error *err)
{
    const size_t bytes = pare_dependency_set_size(graph) * sizeof *kept;
    pare_dependency_query limited = *query;
    pare_shared *set = NULL;
    pare_dependency_bits *without = NULL;
    pare_status status = pare_dependency_new_set(graph, &set, &without, err);
    if (status) return status;
    /* At first no body is allowed. */
    if (query->without) memcpy(without, query->without, bytes);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        if (is_body(&pare_dependency_nodes(graph)[i])) pare_dependency_add(without, i);
    limited.without = without;
    limited.bodies = true;
    *whole = false;
    status = pare_dependency_close(graph, &limited, kept, err);
    for (unsigned i = 0; !status && !*whole && i < n_levels; i++) {
        *whole = !allow_bodies(graph, query, kept, without);
        if (!*whole) status = pare_dependency_close(graph, &limited, kept, err);
    }
    pare_shared_release(set);
    return status;
}

/* 1, 2, 4, 8, .. until one fails, then between the last that did not and the first that did.  If
 * 4 levels are too few and 8 fail, 6 come next.  The gallop needs no bound of its own: once all
 * bodies are in, the text is as it was, which fails. */
bool pare_levels_tell(pare_levels *levels, bool failed)
{
    if (failed)
        levels->high = levels->at;
    else
        levels->low = levels->at;
    if (levels->high && levels->high - levels->low <= 1) return true;
    levels->at = levels->high ? (levels->low + levels->high) / 2 : 2 * levels->at;
    return false;
}

/* --- the order ---------------------------------------------------------------------------- */

/* Whether the node is of interest by itself. */
static bool is_wanted(const pare_dependency_node *node)
{
    return !(node->roles & (PARE_OUTLINE_SHELL | PARE_OUTLINE_FOLLOWS | PARE_OUTLINE_FORCED));
}

/* Two turns from the rear: in the first only nodes that run when the program starts, in the
 * second all others.  In the order of the file there is one turn, and n_entry stays 0. */
pare_status pare_levels_order(const pare_dependency *graph, const pare_dependency_query *open,
                              pare_levels_direction direction, pare_levels_nodes *out,
                              pare_error *err)
{
    const bool rear = direction == PARE_LEVELS_FROM_REAR;
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    const uint32_t n = pare_dependency_count(graph);
    pare_levels_nodes made = {.list = NULL};
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof(uint32_t), &made.list, err);
    if (!status) status = pare_shared_own(&made.list, 0, n, &items, err);
    if (status) {
        pare_shared_release(made.list);
        return status;
    }
    uint32_t *at = items;
    for (int turn = rear ? 0 : 1; turn < 2; turn++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t node = rear ? n - 1 - i : i;
            const bool entry = nodes[node].roles & PARE_OUTLINE_ENTRY;
            const bool is_open = pare_dependency_has(open->within, node) &&
                                 !(open->without && pare_dependency_has(open->without, node));
            if (is_open && is_wanted(&nodes[node]) && (!rear || entry == (turn == 0)))
                at[made.n++] = node;
        }
        if (turn == 0) made.n_entry = made.n;
    }
    *out = made;
    return PARE_OK;
}
