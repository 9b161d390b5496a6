/* What is left when nodes are dropped.
 *
 * Dropping sweeps over the nodes until nothing changes: users stand after what they use, mostly, so
 * there are few sweeps, and no edges backward have to be kept. */
#include "reduce/dependency/dependency_drop.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_rules.h"
#include "reduce/dependency/outline.h"

/* What of names is left. */
struct dropping {
    const pare_dependency *graph;
    const pare_dependency_query *query;
    pare_dependency_bits *kept;
    unsigned char
        *lost; /* owned; by fact: it had providers, and none is kept; NOT_KNOWN: not looked at */
};

/* Beside 0 and 1, which `lost` holds otherwise. */
enum { NOT_KNOWN = 2 };

/* Whether the node was there before anything was dropped.  What was not there cannot be missed. */
static bool was_there(const struct dropping *self, uint32_t node)
{
    return !self->query->within || pare_dependency_has(self->query->within, node);
}

/* Whether the fact is lost: it had a declaration, and none is kept.  Declarations that only say
 * that something exists (a forward one), or that pass on what one of the same name is elsewhere
 * (`typedef typename B::value value;`), do not count where there was a full one: a row of them
 * is lost with the one that it ends at.
 *
 *     struct A;  struct A { int n; };  A a;     without the definition, A is lost to `a` */
static bool is_lost(const struct dropping *self, uint32_t fact)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    /* Of a class the definition is missed even if a declaration stays. */
    bool any = false, kept = false, full = false, kept_full = false;
    for (uint32_t i = clauses->providers.first[fact];
         !kept_full && i < clauses->providers.first[fact + 1]; i++) {
        uint32_t node = clauses->providers.to[i];
        bool there = was_there(self, node), has = pare_dependency_has(self->kept, node);
        bool part = self->graph->nodes[node].roles & PARE_OUTLINE_FORWARD || clauses->forwards[i];
        any = any || there;
        kept = kept || has;
        full = full || (there && !part);
        kept_full = kept_full || (has && !part);
    }
    return full ? !kept_full : any && !kept;
}

/* The same, looked at once in a sweep: what is lost in the course of one counts in the next. */
static bool lost(const struct dropping *self, uint32_t fact)
{
    if (self->lost[fact] == NOT_KNOWN) self->lost[fact] = is_lost(self, fact);
    return self->lost[fact];
}

/* Whether `node` cannot do without `needed`, which is not there: a name of which no declaration
 * is left, or a node that was there and has gone. */
static bool misses(const struct dropping *self, uint32_t node, uint32_t needed)
{
    uint32_t n_nodes = self->graph->clauses.n_nodes;
    if (needed >= n_nodes) return lost(self, needed - n_nodes);
    /* What is forced in a node may go all the same: only a test can tell. */
    if (self->graph->nodes[needed].parent == node) return false;
    return was_there(self, needed) && !pare_dependency_has(self->kept, needed);
}

/* The same for a need that a test told of, where also a part of the node itself counts: that it
 * cannot go was seen. */
static bool misses_learned(const struct dropping *self, uint32_t node, uint32_t needed)
{
    if (needed >= self->graph->clauses.n_nodes) return misses(self, node, needed);
    return was_there(self, needed) && !pare_dependency_has(self->kept, needed);
}

/* Whether the part, mostly bases, has gone, and what it is a part of is there without it. */
static bool lacks_part(const struct dropping *self, uint32_t part)
{
    uint32_t whole = self->graph->nodes[part].parent;
    return was_there(self, part) && !pare_dependency_has(self->kept, part) &&
           (whole == PARE_NO_NODE || pare_dependency_has(self->kept, whole));
}

/* Whether a member of the class has gone that code which is compiled elsewhere relies on, where that matters. */
static bool lacks_layout(const struct dropping *self, uint32_t class)
{
    const pare_dependency_node *nodes = self->graph->nodes;
    if (!self->query->layout || !(nodes[class].roles & PARE_OUTLINE_CLASS)) return false;
    for (uint32_t i = class + 1; i < nodes[class].after; i = nodes[i].after)
        if (nodes[i].roles & PARE_OUTLINE_LAYOUT && was_there(self, i) &&
            !pare_dependency_has(self->kept, i))
            return true;
    return false;
}

/* Whether a node that is kept misses something: by an edge, by a base through which it reaches a
 * member (ties), by a part that tells it from a rival that is kept, by what was learned, or by
 * the layout of a class.  Clauses of several premises are not asked: a conclusion that is not
 * needed for certain may go. */
static bool is_broken(const struct dropping *self, uint32_t node)
{
    const pare_dependency_lists *edges = &self->graph->clauses.edges;
    const pare_dependency_lists *ties = &self->graph->clauses.ties;
    const pare_dependency_lists *rivals = &self->graph->clauses.rivals;
    const pare_dependency_query *query = self->query;
    for (uint32_t i = edges->first[node]; i < edges->first[node + 1]; i++)
        if (misses(self, node, edges->to[i])) return true;
    for (uint32_t i = ties->first[node]; i < ties->first[node + 1]; i++)
        if (lacks_part(self, ties->to[i])) return true;
    for (uint32_t i = rivals->first[node]; i < rivals->first[node + 1]; i += 2)
        if (pare_dependency_has(self->kept, rivals->to[i + 1]) && lacks_part(self, rivals->to[i]))
            return true;
    for (size_t i = pare_dependency_first_learned(query, node);
         i < query->n_learned && query->learned[i].from == node; i++)
        if (misses_learned(self, node, query->learned[i].to)) return true;
    return lacks_layout(self, node);
}

/* Takes the node out, and what is in it. */
static void take_out(struct dropping *self, uint32_t node)
{
    for (uint32_t i = node; i < self->graph->nodes[node].after; i++)
        pare_dependency_remove(self->kept, i);
}

/* Takes out what may only be there where it is used, such as an import of Go.  First all facts
 * count as unused, then those that a kept node leads to do not.  What an import needs itself is
 * not looked at again, as imports need nothing.  `lost` is of no use any more, and holds the
 * facts that are not used. */
static void take_unused(struct dropping *self)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    uint32_t n_nodes = clauses->n_nodes, n_facts = clauses->n - n_nodes;
    memset(self->lost, 1, n_facts);
    for (uint32_t i = 0; i < n_nodes; i++)
        for (uint32_t k = clauses->edges.first[i];
             pare_dependency_has(self->kept, i) && k < clauses->edges.first[i + 1]; k++)
            if (clauses->edges.to[k] >= n_nodes) self->lost[clauses->edges.to[k] - n_nodes] = 0;
    for (uint32_t fact = 0; fact < n_facts; fact++)
        for (uint32_t k = clauses->providers.first[fact];
             self->lost[fact] && k < clauses->providers.first[fact + 1]; k++)
            if (self->graph->nodes[clauses->providers.to[k]].roles & PARE_OUTLINE_FOLLOWS)
                take_out(self, clauses->providers.to[k]);
}

/* Takes the node out, with what is in it, if it is there and misses something; true: something
 * has changed. */
static bool take_broken(struct dropping *self, uint32_t node)
{
    if (!pare_dependency_has(self->kept, node) || !is_broken(self, node)) return false;
    take_out(self, node);
    return true;
}

/* Sweeps until nothing is broken.  A sweep that takes something out may break what stands before
 * it, so the last one changes nothing: a chain of needs that runs forward through the text takes
 * a sweep for each link, one that runs backward, as most do, hardly more than one in all.  Facts
 * are of no use to the caller and go; the plain bit stays as it was. */
pare_status pare_dependency_drop(const pare_dependency *graph, const pare_dependency_query *query,
                                 const uint32_t *dropped, size_t n, pare_dependency_bits *kept,
                                 pare_error *err)
{
    uint32_t n_nodes = graph->clauses.n_nodes;
    struct dropping self = {.graph = graph, .query = query, .kept = kept};
    self.lost = pare_alloc(graph->clauses.n - n_nodes, 1);
    if (!self.lost) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        assert(dropped[i] < n_nodes);
        take_out(&self, dropped[i]);
    }
    const bool was_plain = pare_dependency_has(kept, pare_dependency_plain_bit(graph));
    if (n_nodes % 64) kept[n_nodes / 64] &= ((pare_dependency_bits)1 << (n_nodes % 64)) - 1;
    for (size_t word = (n_nodes + 63) / 64; word < pare_dependency_set_size(graph); word++)
        kept[word] = 0;
    if (was_plain) pare_dependency_make_plain(graph, kept);
    for (bool changed = true; changed;) {
        changed = false;
        memset(self.lost, NOT_KNOWN, graph->clauses.n - n_nodes);
        for (uint32_t i = 0; i < n_nodes; i++) {
            if (!kept[i / 64])
                i |= 63; /* none of them; the loop goes on to the next word */
            else if (take_broken(&self, i))
                changed = true;
        }
    }
    if (graph->follows) take_unused(&self);
    pare_alloc_free(self.lost);
    return PARE_OK;
}
