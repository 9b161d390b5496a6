/* Which nodes a set that compiles and is not enough, or that does not compile for a reason that nobody can mend, most
 * likely lacks.
 *
 * A need that the graph does not know is mostly one of a name that is written down: another overload, a specialisation,
 * a definition elsewhere, a class that is only told apart by its name space.  So the declarations of all names in the
 * text come first, whatever the rules of the language say about which of them is meant.  Seldom it is one without a
 * name, as an object whose constructor has to run.
 *
 * Why not by the size of closures, as in the source of the search (closures.c): a failure that lacks something needs a
 * particular node, and the small closures of a library are thousands that nothing leads to. */
#include "reduce/dependency/nearness.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"
#include "text/candidate.h"

/* How near a node is. */
enum tier { NEAR, PART, FAR, N_TIERS };

/* What is worked out while nodes are ordered. */
struct order {
    const pare_dependency *graph;
    const pare_dependency_bits *base;
    unsigned char *seen;   /* owned; by word: it is in the text */
    unsigned char *called; /* owned; by node: it declares such a word */
};

static bool in_name(unsigned char c)
{
    return isalnum(c) || c == '_';
}

/* Notes the names of the text, each once, with all that declare them. */
static void note_names(const struct order *self, const char *text, size_t size)
{
    const pare_dependency_lists *named = &self->graph->clauses.named;
    for (size_t at = 0, end; at < size; at = end + 1) {
        end = at;
        while (end < size && in_name((unsigned char)text[end]))
            end++;
        const uint32_t word = end > at
                                  ? pare_outline_find_word(&self->graph->words, text + at, end - at)
                                  : PARE_NO_WORD;
        if (word == PARE_NO_WORD || self->seen[word]) continue;
        self->seen[word] = 1;
        for (uint32_t i = named->first[word]; i < named->first[word + 1]; i++)
            self->called[named->to[i]] = 1;
    }
}

/* The same for the text of the set. */
static pare_status read_names(const struct order *self, pare_error *err)
{
    pare_candidate candidate = {0};
    pare_status status = pare_dependency_print_candidate(self->graph, self->base, &candidate, err);
    char *text = status ? NULL : pare_alloc(candidate.size + 1, 1);
    if (!status && !text) status = pare_fail_nomem(err);
    if (!status) {
        pare_candidate_read(&candidate, text);
        note_names(self, text, candidate.size);
    }
    pare_alloc_free(text);
    pare_candidate_done(&candidate);
    return status;
}

static enum tier tier_of(const struct order *self, uint32_t node)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    const uint32_t parent = nodes[node].parent;
    const bool outside = parent == PARE_NO_NODE || nodes[parent].roles & PARE_OUTLINE_SHELL;
    const bool part = !outside && pare_dependency_has(self->base, parent);
    if (self->called[node] && (outside || part)) return NEAR;
    return part ? PART : FAR;
}

/* Once through the nodes for each tier. */
static size_t sort(const struct order *self, const pare_dependency_bits *within, uint32_t *list,
                   size_t *n_near)
{
    enum { NEVER = PARE_OUTLINE_SHELL | PARE_OUTLINE_FOLLOWS | PARE_OUTLINE_FORCED };
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    size_t n = 0;
    for (int tier = NEAR; tier < N_TIERS; tier++) {
        for (uint32_t i = 0; i < pare_dependency_count(self->graph); i++)
            if (pare_dependency_has(within, i) && !pare_dependency_has(self->base, i) &&
                !(nodes[i].roles & NEVER) && (int)tier_of(self, i) == tier)
                list[n++] = i;
        if (tier == NEAR) *n_near = n;
    }
    return n;
}

pare_status pare_nearness_order(const pare_dependency *graph, const pare_dependency_bits *within,
                                const pare_dependency_bits *base, pare_nearness *out,
                                pare_error *err)
{
    const uint32_t n_nodes = pare_dependency_count(graph);
    struct order self = {.graph = graph,
                         .base = base,
                         .seen = pare_alloc_zero(graph->words.n_words + 1, 1),
                         .called = pare_alloc_zero(n_nodes + 1, 1)};
    pare_nearness made = {.list = NULL};
    void *items = NULL;
    pare_status status = self.seen && self.called ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = read_names(&self, err);
    if (!status) status = pare_shared_new(n_nodes, sizeof(uint32_t), &made.list, err);
    if (!status) status = pare_shared_own(&made.list, 0, n_nodes, &items, err);
    if (!status) {
        made.n = sort(&self, within, items, &made.n_near);
        *out = made;
    } else {
        pare_shared_release(made.list);
    }
    pare_alloc_free(self.seen);
    pare_alloc_free(self.called);
    return status;
}
