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

#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"

/* A position among the children of a parent: the edges of the paper. */
struct place {
    pare_tree_symbol parent;
    uint32_t production, label;
};

/* What was seen of a symbol in a place. */
struct fact {
    struct place place;
    pare_tree_symbol symbol;
    uint32_t count;        /* parents; 0: free */
    uint32_t least;        /* children of each of these */
    uint32_t parent, here; /* the parent at hand, from 1, and its children so far */
};

struct pare_gtr_templates {
    struct fact *facts;
    size_t n, mask; /* mask + 1 slots */
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

static bool same_place(struct place a, struct place b)
{
    return same(a.parent, b.parent) && a.production == b.production && a.label == b.label;
}

static uint64_t mix(uint64_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The slot that holds the fact, or the free one where it would go. */
static struct fact *find(const pare_gtr_templates *templates, struct place place,
                         pare_tree_symbol symbol)
{
    uint64_t hash = mix(mix(1, place.parent.kind), place.parent.symbol);
    hash = mix(mix(hash, place.production), place.label);
    size_t i = (size_t)mix(mix(hash, symbol.kind), symbol.symbol) & templates->mask;
    while (templates->facts[i].count && !(same_place(templates->facts[i].place, place) &&
                                          same(templates->facts[i].symbol, symbol)))
        i = (i + 1) & templates->mask;
    return &templates->facts[i];
}

pare_status pare_gtr_templates_new(pare_gtr_templates **out, pare_error *err)
{
    pare_gtr_templates *templates = pare_alloc(1, sizeof *templates);
    struct fact *facts = pare_alloc_zero(64, sizeof *facts);
    if (!templates || !facts) {
        pare_release(templates);
        pare_release(facts);
        return pare_fail_nomem(err);
    }
    *templates = (pare_gtr_templates){.facts = facts, .mask = 63};
    *out = templates;
    return PARE_OK;
}

void pare_gtr_templates_free(pare_gtr_templates *templates)
{
    if (!templates) return;
    pare_release(templates->facts);
    pare_release(templates);
}

/* Doubles the table. */
static pare_status grow(pare_gtr_templates *templates, pare_error *err)
{
    pare_gtr_templates larger = {.mask = 2 * templates->mask + 1, .n = templates->n};
    larger.facts = pare_alloc_zero(larger.mask + 1, sizeof *larger.facts);
    if (!larger.facts) return pare_fail_nomem(err);
    for (size_t i = 0; i <= templates->mask; i++) {
        const struct fact *fact = &templates->facts[i];
        if (fact->count) *find(&larger, fact->place, fact->symbol) = *fact;
    }
    pare_release(templates->facts);
    *templates = larger;
    return PARE_OK;
}

/* --- learning ---------------------------------------------------------------------------- */

/* Counts a child of the parent at hand; a parent counts once. */
static pare_status count(pare_gtr_templates *templates, struct place place, pare_tree_symbol symbol,
                         uint32_t parent, pare_error *err)
{
    if (2 * templates->n > templates->mask) {
        pare_status status = grow(templates, err);
        if (status) return status;
    }
    struct fact *fact = find(templates, place, symbol);
    if (!fact->count) {
        *fact = (struct fact){.place = place, .symbol = symbol, .least = UINT32_MAX};
        templates->n++;
    }
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

/* The root stands in a place of its own, which has no parent. */
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
    return node == parent + 1 && tree->nodes[node].behind == tree->nodes[parent].behind;
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
    uint32_t behind = example->nodes[parent].behind;
    pare_status status = count(templates, place_in(example, parent, ALL), NONE, parent, err);
    for (uint32_t i = parent + 1; !status && i < behind; i = example->nodes[i].behind) {
        const pare_tree_node *child = &example->nodes[i];
        status = count(templates, place_of(example, i), counted_as(child->label, child->own),
                       parent, err);
        if (!status) status = see(templates, example, i, err);
    }
    for (uint32_t i = parent + 1; !status && i < behind; i = example->nodes[i].behind) {
        const pare_tree_node *child = &example->nodes[i];
        struct fact *fact =
            find(templates, place_of(example, i), counted_as(child->label, child->own));
        if (fact->here < fact->least) fact->least = fact->here;
    }
    return status;
}

pare_status pare_gtr_templates_learn(pare_gtr_templates *templates, const pare_tree *example,
                                     pare_error *err)
{
    for (size_t i = 0; i <= templates->mask; i++)
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
    for (; n && i < slot; i = tree->nodes[i].behind) {
        const pare_tree_node *elder = &tree->nodes[i];
        bool labelled = of->label != PARE_TREE_UNLABELLED;
        if (elder->label == of->label && (labelled || same(elder->own, of->own))) n--;
    }
    return n == 0;
}

bool pare_gtr_templates_allow_delete(const pare_gtr_templates *templates, const pare_tree *tree,
                                     uint32_t slot, uint32_t node)
{
    if (!templates) return true;
    if (slot == 0) return false;
    struct place place = place_of(tree, slot);
    const struct fact *fact =
        find(templates, place, counted_as(place.label, tree->nodes[node].own));
    place.label = ALL;
    if (!fact->count || fact->count < find(templates, place, NONE)->count) return true;
    return has_before(tree, slot, fact->least);
}

bool pare_gtr_templates_allow_child(const pare_gtr_templates *templates, const pare_tree *tree,
                                    uint32_t slot, uint32_t node)
{
    if (!templates) return true;
    struct place place = place_of(tree, slot), all = place, seen = place;
    all.label = ALL;
    seen.label |= SEEN;
    return !find(templates, all, NONE)->count ||
           find(templates, seen, tree->nodes[node].own)->count > 0;
}
