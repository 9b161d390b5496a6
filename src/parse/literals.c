/* Literals as leaves: a rule's children are read against the alternative that made them, so which
 * leaves belong together is known without looking at the text.
 *
 * Literals of equal text are one symbol, the first expression of that text: found by a hash index
 * over all expressions when the grammar is read.  Joining is two passes over the tree, O(nodes):
 * leaves are marked, then the joined ones are dropped and indices moved.
 *
 * O(nodes), in place: nodes only move towards the front. */
#include "parse/literals.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"

/* Whether two literals have the same code points. */
static bool same_text(const pare_grammar *grammar, const pare_expr *a, const pare_expr *b)
{
    if (a->text.size != b->text.size) return false;
    const uint32_t *points = grammar->code_points;
    return memcmp(points + a->text.offset, points + b->text.offset,
                  a->text.size * sizeof *points) == 0;
}

/* Hash of a literal's code points. */
static uint64_t hash_of(const pare_grammar *grammar, const pare_expr *e)
{
    uint64_t hash = e->text.size;
    for (uint32_t i = 0; i < e->text.size; i++)
        hash = (hash ^ grammar->code_points[e->text.offset + i]) * 0x9e3779b97f4a7c15u;
    return hash;
}

/* Sets *first to the literal of equal text that is in the index, or puts this one there. */
static pare_status find_first(const pare_grammar *grammar, pare_hash_index *index, pare_index expr,
                              pare_index *first, pare_error *err)
{
    const pare_expr *e = &grammar->exprs[expr];
    uint64_t hash = hash_of(grammar, e);
    pare_hash_probe probe = pare_hash_index_probe(index, hash);
    /* Different texts may have the same hash. */
    while (pare_hash_index_next(index, &probe, first))
        if (same_text(grammar, &grammar->exprs[*first], e)) return PARE_OK;
    *first = expr;
    return pare_hash_index_add(index, hash, expr, err);
}

/* Maps each literal of the grammar to the first one that has the same text.  O(grammar); the index
 * is needed here only. */
pare_status pare_literals_init(pare_literals *literals, const pare_grammar *grammar,
                               pare_error *err)
{
    pare_hash_index index = {0};
    *literals = (pare_literals){grammar, pare_alloc(grammar->n_exprs, sizeof(pare_index))};
    pare_status status = literals->first ? PARE_OK : pare_fail_nomem(err);
    for (pare_index i = 0; !status && i < grammar->n_exprs; i++) {
        literals->first[i] = PARE_NO_INDEX;
        if (grammar->exprs[i].kind == PARE_EXPR_LITERAL)
            status = find_first(grammar, &index, i, &literals->first[i], err);
    }
    pare_hash_index_done(&index);
    if (status) pare_literals_done(literals);
    return status;
}

/* All-zero is a no-op. */
void pare_literals_done(pare_literals *literals)
{
    pare_alloc_free(literals->first);
    *literals = (pare_literals){0};
}

/* The first element of alternative `at` of a rule's body; PARE_NO_INDEX: it has none. */
static pare_index elements_of(const pare_grammar *grammar, pare_index rule, uint32_t at)
{
    pare_index alternative = grammar->rules[rule].body;
    if (grammar->exprs[alternative].kind == PARE_EXPR_CHOICE) {
        alternative = grammar->exprs[alternative].first;
        for (; at > 0 && alternative != PARE_NO_INDEX; at--)
            alternative = grammar->exprs[alternative].next;
    }
    if (alternative == PARE_NO_INDEX || grammar->exprs[alternative].kind != PARE_EXPR_SEQUENCE)
        return PARE_NO_INDEX;
    return grammar->exprs[alternative].first;
}

enum { JOINED = UINT32_MAX - 1 }; /* mark of a leaf that is part of the one before it */

/* Marks the leaves below `node`: the first one of each literal with the literal, the others as
 * joined.  The children are read along the elements of the alternative; a literal of n
 * characters is n leaves. */
static void mark_leaves(const pare_literals *literals, const pare_parse_tree *tree, uint32_t node,
                        pare_index *marks)
{
    const pare_grammar *grammar = literals->grammar;
    const pare_parse_node *from = &tree->nodes[node];
    uint32_t child = pare_parse_tree_first_child(tree, node);
    for (pare_index at = elements_of(grammar, from->symbol, from->alternative);
         at != PARE_NO_INDEX && child != PARE_NO_NODE; at = grammar->exprs[at].next) {
        uint32_t n =
            grammar->exprs[at].kind == PARE_EXPR_LITERAL ? grammar->exprs[at].text.size : 0;
        /* Anything but a literal is a single child. */
        if (!n) child = pare_parse_tree_next_sibling(tree, child);
        for (uint32_t i = 0; i < n && child != PARE_NO_NODE; i++) {
            if (tree->nodes[child].kind != PARE_NODE_TOKEN) return; /* a mistake of the text */
            marks[child] = i ? (pare_index)JOINED : literals->first[at];
            child = pare_parse_tree_next_sibling(tree, child);
        }
    }
}

/* Drops the joined leaves, whose bytes go to the leaf before.  `moved` becomes the new index
 * of each node; nodes only move forward, so one pass in place is enough. */
static void compact(pare_parse_tree *tree, const pare_index *marks, uint32_t *moved)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        moved[i] = n;
        if (marks[i] == (pare_index)JOINED) {
            assert(n > 0);
            tree->nodes[n - 1].end = tree->nodes[i].end;
            continue;
        }
        pare_parse_node node = tree->nodes[i];
        /* Parents come before their children, so where they went is known. */
        if (node.parent != PARE_NO_NODE) node.parent = moved[node.parent];
        /* A leaf without a mark is a character of a set: it has no literal. */
        if (node.kind == PARE_NODE_TOKEN) node.symbol = marks[i];
        tree->nodes[n++] = node;
    }
    /* `after` may be the number of nodes. */
    moved[tree->n_nodes] = n;
    for (uint32_t i = 0; i < n; i++)
        tree->nodes[i].after = moved[tree->nodes[i].after];
    tree->n_nodes = n;
}

/* Marks, then drops.  Nothing is changed before both arrays are there. */
pare_status pare_literals_join(const pare_literals *literals, pare_parse_tree *tree,
                               pare_error *err)
{
    pare_index *marks = pare_alloc(tree->n_nodes, sizeof *marks);
    uint32_t *moved = pare_alloc(tree->n_nodes + 1, sizeof *moved);
    if (!marks || !moved) {
        pare_alloc_free(marks);
        pare_alloc_free(moved);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < tree->n_nodes; i++)
        marks[i] = PARE_NO_INDEX;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].kind == PARE_NODE_RULE) mark_leaves(literals, tree, i, marks);
    compact(tree, marks, moved);
    pare_alloc_free(marks);
    pare_alloc_free(moved);
    return PARE_OK;
}
