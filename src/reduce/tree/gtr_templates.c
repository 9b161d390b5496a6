/* GTR's templates: one hash table of facts, (place, symbol) -> in how many parents it was seen,
 * and how often at least in each of these.
 *
 * What must stay is counted by places, in places without a label by symbols too; the place ALL
 * of a parent holds how many parents there were.  What may stand in a place is noted apart,
 * under its label and SEEN.  A tree is learned parent by parent, so that the numbers of the
 * parent at hand are in one slot until its last child: no second pass over the children.
 * Invariant: fact.least is at most the number of such children in any parent learned so far
 * that has one.
 * Source: Herfert, Patra and Pradel, ASE 2017; see the header for the deviation.
 * Memory: 48 bytes a fact, at most half of the slots used. */
#include "reduce/tree/gtr_templates.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/random.h"
#include "base/vector.h"
#include "parse/parse_tree.h"

/* A position among the children of a parent: the edges of the paper. */
struct place {
    pare_tree_symbol parent;
    uint32_t production, label;
};

/* One fact: this symbol was seen in this place. */
struct fact {
    struct place place;
    pare_tree_symbol symbol;
    uint32_t count;        /* parents */
    uint32_t least;        /* children of each of these */
    uint32_t parent, here; /* the parent at hand, from 1, and its children so far */
};

struct pare_gtr_templates {
    struct fact *facts; /* owned */
    size_t n, capacity;
    pare_hash_index index; /* of facts, by place and symbol */
};

/* A longer chain of single children is not followed to its end. */
enum { MAX_CHAIN = 64 };

static const uint32_t ALL = UINT32_MAX, SEEN = UINT32_C(1) << 31;
static const pare_tree_symbol NONE = {PARE_NO_NODE, PARE_NO_NODE};

/* Whether both are the same symbol. */
static bool same(pare_tree_symbol a, pare_tree_symbol b)
{
    return a.kind == b.kind && a.symbol == b.symbol;
}

/* Labels tell places of one production apart, so both must be equal. */
static bool same_place(struct place a, struct place b)
{
    return same(a.parent, b.parent) && a.production == b.production && a.label == b.label;
}

/* A hash over all that tells facts apart. */
static uint64_t hash_of(struct place place, pare_tree_symbol symbol)
{
    const uint32_t parts[] = {place.parent.kind, place.parent.symbol, place.production,
                              place.label,       symbol.kind,         symbol.symbol};
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = pare_random_mix(hash ^ parts[i]);
    return hash;
}

/* The fact about `symbol` in the place; NULL: it was never seen there. */
static struct fact *find(const pare_gtr_templates *templates, struct place place,
                         pare_tree_symbol symbol)
{
    pare_hash_probe probe = pare_hash_index_probe(&templates->index, hash_of(place, symbol));
    uint32_t i;
    while (pare_hash_index_next(&templates->index, &probe, &i))
        if (same_place(templates->facts[i].place, place) &&
            same(templates->facts[i].symbol, symbol))
            return &templates->facts[i];
    return NULL;
}

/* Empty templates allow everything: nothing was seen, so nothing is known better. */
pare_status pare_gtr_templates_new(pare_gtr_templates **out, pare_error *err)
{
    pare_gtr_templates *templates = pare_alloc_zero(1, sizeof *templates);
    if (!templates) return pare_fail_nomem(err);
    *out = templates;
    return PARE_OK;
}

/* NULL is a no-op. */
void pare_gtr_templates_free(pare_gtr_templates *templates)
{
    if (!templates) return;
    pare_alloc_free(templates->facts);
    pare_hash_index_done(&templates->index);
    pare_alloc_free(templates);
}

/* The same fact, which may be a new one. */
static pare_status add_fact(pare_gtr_templates *templates, struct place place,
                            pare_tree_symbol symbol, struct fact **out, pare_error *err)
{
    *out = find(templates, place, symbol);
    if (*out) return PARE_OK;
    struct fact *facts =
        pare_vector_grow(templates->facts, templates->n, &templates->capacity, sizeof *facts);
    if (!facts) return pare_fail_nomem(err);
    templates->facts = facts;
    pare_status status =
        pare_hash_index_add(&templates->index, hash_of(place, symbol), (uint32_t)templates->n, err);
    if (status) return status;
    *out = &facts[templates->n++];
    **out = (struct fact){.place = place, .symbol = symbol, .least = UINT32_MAX};
    return PARE_OK;
}

/* --- learning ---------------------------------------------------------------------------- */

/* Counts a child of the parent at hand; a parent counts once. */
static pare_status count(pare_gtr_templates *templates, struct place place, pare_tree_symbol symbol,
                         uint32_t parent, pare_error *err)
{
    struct fact *fact = NULL;
    pare_status status = add_fact(templates, place, symbol, &fact, err);
    if (status) return status;
    if (fact->parent != parent + 1) {
        fact->count++;
        fact->here = 0;
    }
    fact->parent = parent + 1;
    fact->here++;
    return PARE_OK;
}

/* The place `label` of the children of `parent`. */
static struct place place_in(const pare_tree *tree, uint32_t parent, uint32_t label)
{
    const pare_tree_node *node = &tree->nodes[parent];
    return (struct place){node->own, node->production, label};
}

/* The place of a node; the root, which has no parent, has one of its own. */
static struct place place_of(const pare_tree *tree, uint32_t node)
{
    if (node == 0) return (struct place){.parent = NONE};
    return place_in(tree, tree->nodes[node].parent, tree->nodes[node].label);
}

/* By which symbol the children of a place are counted. */
static pare_tree_symbol counted_as(uint32_t label, pare_tree_symbol symbol)
{
    return label == PARE_TREE_UNLABELLED ? symbol : NONE;
}

/* Whether the node is the only child of its parent: chains of such are what squeeze joins. */
static bool is_only_child(const pare_tree *tree, uint32_t node)
{
    uint32_t parent = tree->nodes[node].parent;
    return node == parent + 1 && tree->nodes[node].after == tree->nodes[parent].after;
}

/* Notes that the child's symbol was seen in its place, and in those of the chain above. */
static pare_status see(pare_gtr_templates *templates, const pare_tree *example, uint32_t child,
                       pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t at = child;
    for (int n = 0; !status && n < MAX_CHAIN; n++) {
        struct place place = place_of(example, at);
        place.label |= SEEN;
        status = count(templates, place, example->nodes[child].own, child, err);
        if (at == 0 || !is_only_child(example, at)) return status;
        at = example->nodes[at].parent;
    }
    return status;
}

/* Counts the children of `parent`, then lowers `least` where this parent has fewer. */
static pare_status learn_children(pare_gtr_templates *templates, const pare_tree *example,
                                  uint32_t parent, pare_error *err)
{
    uint32_t end = example->nodes[parent].after;
    pare_status status = count(templates, place_in(example, parent, ALL), NONE, parent, err);
    for (uint32_t i = parent + 1; !status && i < end; i = example->nodes[i].after) {
        const pare_tree_node *child = &example->nodes[i];
        status = count(templates, place_of(example, i), counted_as(child->label, child->own),
                       parent, err);
        if (!status) status = see(templates, example, i, err);
    }
    for (uint32_t i = parent + 1; !status && i < end; i = example->nodes[i].after) {
        const pare_tree_node *child = &example->nodes[i];
        struct fact *fact =
            find(templates, place_of(example, i), counted_as(child->label, child->own));
        assert(fact && fact->parent == parent + 1);
        if (fact->here < fact->least) fact->least = fact->here;
    }
    return status;
}

/* Facts keep the number of the parent that counted them last; those of another tree mean
 * nothing here. */
pare_status pare_gtr_templates_learn(pare_gtr_templates *templates, const pare_tree *example,
                                     pare_error *err)
{
    for (size_t i = 0; i < templates->n; i++)
        templates->facts[i].parent = 0; /* numbers of another tree */
    pare_status status =
        count(templates, (struct place){.parent = NONE, .label = ALL}, NONE, 0, err);
    if (!status) status = see(templates, example, 0, err);
    for (uint32_t i = 0; !status && i < example->n_nodes; i++)
        status = learn_children(templates, example, i, err);
    return status;
}

/* --- answers ----------------------------------------------------------------------------- */

/* Whether at least `n` children before `slot` stand in the same place. */
static bool has_before(const pare_tree *tree, uint32_t slot, uint32_t n)
{
    const pare_tree_node *of = &tree->nodes[slot];
    uint32_t i = of->parent + 1;
    for (; n && i < slot; i = tree->nodes[i].after) {
        const pare_tree_node *elder = &tree->nodes[i];
        bool labelled = of->label != PARE_TREE_UNLABELLED;
        if (elder->label == of->label && (labelled || same(elder->own, of->own))) n--;
    }
    return n == 0;
}

/* Never seen, or missing under some parent: it may go.  Else as many of the first ones stay as
 * each example had at least.
 *
 * Example: if each block of the examples has a statement at least, the first statement of a
 * block stays; if some function has no parameters, all parameters may go. */
bool pare_gtr_templates_allow_delete(const pare_gtr_templates *templates, const pare_tree *tree,
                                     uint32_t slot, uint32_t node)
{
    if (!templates) return true;
    /* The root stays: without it there is nothing left to reduce. */
    if (slot == 0) return false;
    struct place place = place_of(tree, slot);
    const struct fact *fact =
        find(templates, place, counted_as(place.label, tree->nodes[node].own));
    place.label = ALL;
    const struct fact *parents = find(templates, place, NONE);
    if (!fact || (parents && fact->count < parents->count)) return true;
    return has_before(tree, slot, fact->least);
}

/* Nothing is known of a place that no example has, so anything may stand there. */
bool pare_gtr_templates_allow_child(const pare_gtr_templates *templates, const pare_tree *tree,
                                    uint32_t slot, uint32_t node)
{
    if (!templates) return true;
    struct place place = place_of(tree, slot), all = place, seen = place;
    all.label = ALL;
    seen.label |= SEEN;
    return !find(templates, all, NONE) || find(templates, seen, tree->nodes[node].own);
}
