/* One open hash table: (parent, child) -> how many parents have that child; a parent's own
 * count stands under the pair (parent, none). */
#include "tree/templates.h"

#include "base/alloc.h"

struct pair {
    pare_tree_symbol parent, child;
    uint32_t count;   /* 0: free */
    uint32_t seen_in; /* last node, from 1, that was counted: each parent counts once */
};

struct pare_tree_templates {
    struct pair *pairs;
    size_t n, mask; /* mask + 1 slots */
};

static const pare_tree_symbol NONE = {PARE_NO_NODE, PARE_NO_NODE};

static bool same(pare_tree_symbol a, pare_tree_symbol b)
{
    return a.kind == b.kind && a.symbol == b.symbol;
}

static uint64_t mix(uint64_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static struct pair *find(const pare_tree_templates *templates, pare_tree_symbol parent,
                         pare_tree_symbol child)
{
    uint64_t hash = mix(mix(mix(mix(1, parent.kind), parent.symbol), child.kind), child.symbol);
    size_t i = (size_t)hash & templates->mask;
    while (templates->pairs[i].count &&
           !(same(templates->pairs[i].parent, parent) && same(templates->pairs[i].child, child)))
        i = (i + 1) & templates->mask;
    return &templates->pairs[i];
}

pare_status pare_tree_templates_new(pare_tree_templates **out, pare_error *err)
{
    pare_tree_templates *templates = pare_alloc(1, sizeof *templates);
    struct pair *pairs = pare_alloc_zero(64, sizeof *pairs);
    if (!templates || !pairs) {
        pare_release(templates);
        pare_release(pairs);
        return pare_fail_nomem(err);
    }
    *templates = (pare_tree_templates){.pairs = pairs, .mask = 63};
    *out = templates;
    return PARE_OK;
}

void pare_tree_templates_free(pare_tree_templates *templates)
{
    if (!templates) return;
    pare_release(templates->pairs);
    pare_release(templates);
}

static pare_status grow(pare_tree_templates *templates, pare_error *err)
{
    pare_tree_templates larger = {.mask = 2 * templates->mask + 1, .n = templates->n};
    larger.pairs = pare_alloc_zero(larger.mask + 1, sizeof *larger.pairs);
    if (!larger.pairs) return pare_fail_nomem(err);
    for (size_t i = 0; i <= templates->mask; i++) {
        const struct pair *pair = &templates->pairs[i];
        if (pair->count) *find(&larger, pair->parent, pair->child) = *pair;
    }
    pare_release(templates->pairs);
    *templates = larger;
    return PARE_OK;
}

/* Counts a pair once for each parent node. */
static pare_status count(pare_tree_templates *templates, pare_tree_symbol parent,
                         pare_tree_symbol child, uint32_t parent_node, pare_error *err)
{
    if (2 * templates->n > templates->mask) {
        pare_status status = grow(templates, err);
        if (status) return status;
    }
    struct pair *pair = find(templates, parent, child);
    if (!pair->count) {
        *pair = (struct pair){.parent = parent, .child = child};
        templates->n++;
    }
    if (pair->count && pair->seen_in == parent_node + 1) return PARE_OK;
    pair->seen_in = parent_node + 1;
    pair->count++;
    return PARE_OK;
}

pare_status pare_tree_templates_learn(pare_tree_templates *templates, const pare_tree *example,
                                      pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i <= templates->mask; i++)
        templates->pairs[i].seen_in = 0;
    for (uint32_t i = 0; !status && i < example->n_nodes; i++) {
        const pare_tree_node *node = &example->nodes[i];
        status = count(templates, node->own, NONE, i, err);
        if (status || node->parent == PARE_NO_NODE) continue;
        status = count(templates, example->nodes[node->parent].own, node->own, node->parent, err);
    }
    return status;
}

bool pare_tree_templates_allow_delete(const pare_tree_templates *templates, pare_tree_symbol parent,
                                      pare_tree_symbol symbol)
{
    if (!templates) return true;
    uint32_t with = find(templates, parent, symbol)->count;
    return with == 0 || with < find(templates, parent, NONE)->count;
}

bool pare_tree_templates_allow_child(const pare_tree_templates *templates, pare_tree_symbol parent,
                                     pare_tree_symbol child)
{
    if (!templates || !find(templates, parent, NONE)->count) return true;
    return find(templates, parent, child)->count > 0;
}
