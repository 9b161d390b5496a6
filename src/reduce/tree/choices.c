/* A breadth-first search whose levels count only where text is left behind: a chain of
 * single children is one level. */
#include "reduce/tree/choices.h"

#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"

struct visit {
    uint32_t node;
    unsigned depth;  /* below the item */
    bool below_list; /* a list above it was chosen: lists are not looked for any more */
};

struct search {
    const pare_tree_state *state;
    const pare_tree *tree;
    pare_tree_item item;
    const pare_choice_limits *limits;
    bool in_list; /* the item is a round of a star or plus */
    struct visit *visits;
    size_t n, capacity;
    pare_tree_edits *choices;
};

static bool is_list(uint32_t kind)
{
    return kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS;
}

static bool has_two(const pare_tree_state *state, uint32_t node)
{
    uint32_t child = pare_tree_state_first(state, node);
    return child != PARE_NO_NODE && pare_tree_state_after(state, child) != PARE_NO_NODE;
}

bool pare_choices_may_go(const pare_tree_state *state, uint32_t slot)
{
    const pare_tree_node *nodes = pare_tree_state_tree(state)->nodes;
    for (;;) {
        uint32_t parent = nodes[slot].parent;
        bool in_plus = parent != PARE_NO_NODE && nodes[parent].own.kind == PARE_NODE_PLUS;
        if (in_plus && has_two(state, parent)) return true;
        /* The last round of a plus was deletable while there were others. */
        if (!in_plus && nodes[slot].flags & PARE_TREE_DELETABLE) return true;
        if (parent == PARE_NO_NODE) return false;
        if (!in_plus && nodes[parent].n_tokens != nodes[slot].n_tokens) return false;
        slot = parent;
    }
}

static pare_status visit(struct search *search, struct visit visit, pare_error *err)
{
    if (search->n == search->capacity) {
        size_t capacity = search->capacity ? 2 * search->capacity : 64;
        struct visit *visits = pare_resize(search->visits, capacity, sizeof *visits);
        if (!visits) return pare_fail_nomem(err);
        search->visits = visits;
        search->capacity = capacity;
    }
    search->visits[search->n++] = visit;
    return PARE_OK;
}

/* Queues the children in play of visits[at], within the depth. */
static pare_status open_up(struct search *search, struct visit above, pare_error *err)
{
    const pare_tree_node *nodes = search->tree->nodes;
    pare_status status = PARE_OK;
    uint32_t child = pare_tree_state_first(search->state, above.node);
    for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(search->state, child)) {
        bool whole = nodes[child].n_tokens == nodes[above.node].n_tokens;
        unsigned depth = above.depth + !whole;
        if (depth > search->limits->depth) continue;
        status = visit(search, (struct visit){child, depth, above.below_list}, err);
    }
    return status;
}

static pare_status choose(struct search *search, uint32_t into, pare_error *err)
{
    return pare_tree_edits_add(search->choices,
                               (pare_tree_edit){PARE_TREE_HOIST, search->item.node, into}, err);
}

/* Whether the rounds of the list `node` may stand where the item, a round itself, does. */
static bool splices(const struct search *search, const struct visit *at)
{
    const pare_tree_node *node = &search->tree->nodes[at->node];
    if (!search->in_list || !is_list(node->own.kind) || at->below_list) return false;
    if (at->depth > search->limits->list_depth) return false;
    uint32_t round = pare_tree_state_first(search->state, at->node);
    return round != PARE_NO_NODE && pare_tree_fits(search->tree, search->item.slot, round);
}

static pare_status look_at(struct search *search, struct visit at, pare_error *err)
{
    const pare_tree_node *nodes = search->tree->nodes;
    pare_status status = PARE_OK;
    bool smaller = nodes[at.node].n_tokens < nodes[search->item.node].n_tokens;
    if (smaller && splices(search, &at)) {
        status = choose(search, at.node, err);
        at.below_list = true;
    } else if (smaller && !pare_tree_state_hollow(search->state, at.node) &&
               pare_tree_fits(search->tree, search->item.slot, at.node)) {
        status = choose(search, at.node, err);
    }
    return status ? status : open_up(search, at, err);
}

/* Tokens that stay when the choice is taken. */
static uint32_t weight(const pare_tree *tree, const pare_tree_edit *choice)
{
    return choice->change == PARE_TREE_HOIST ? tree->nodes[choice->into].n_tokens : 0;
}

static bool is_same(pare_tree_symbol a, pare_tree_symbol b)
{
    return a.kind == b.kind && a.symbol == b.symbol;
}

/* Whether the choice is of the symbol of the node that it replaces, or of its place: of any
 * in the chains that were squeezed into the two. */
static bool has_own_symbol(const pare_tree *tree, const pare_tree_edit *choice)
{
    if (choice->change != PARE_TREE_HOIST) return true;
    const pare_tree_node *node = &tree->nodes[choice->node], *into = &tree->nodes[choice->into];
    return is_same(into->slot, node->slot) || is_same(into->slot, node->own) ||
           is_same(into->own, node->slot) || is_same(into->own, node->own);
}

static bool comes_before(const struct search *search, const pare_tree_edit *a,
                         const pare_tree_edit *b)
{
    uint32_t x = weight(search->tree, a), y = weight(search->tree, b);
    if (x != y || !search->limits->own_symbol) return x < y;
    return has_own_symbol(search->tree, a) && !has_own_symbol(search->tree, b);
}

/* Insertion, without changing the order of equals; there are at most limits->candidates. */
static void sort(const struct search *search, pare_tree_edits *choices)
{
    for (size_t i = 1; i < choices->n; i++) {
        pare_tree_edit choice = choices->items[i];
        size_t k = i;
        for (; k > 0 && comes_before(search, &choice, &choices->items[k - 1]); k--)
            choices->items[k] = choices->items[k - 1];
        choices->items[k] = choice;
    }
}

pare_status pare_choices_find(const pare_tree_state *state, pare_tree_item item,
                              const pare_choice_limits *limits, pare_tree_edits *choices,
                              pare_error *err)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    uint32_t parent = tree->nodes[item.slot].parent;
    struct search search = {
        .state = state, .tree = tree, .item = item, .limits = limits, .choices = choices};
    search.in_list = parent != PARE_NO_NODE && is_list(tree->nodes[parent].own.kind);
    pare_status status = PARE_OK;
    if (pare_choices_may_go(state, item.slot))
        status = pare_tree_edits_add(
            choices, (pare_tree_edit){.change = PARE_TREE_DELETE, .node = item.node}, err);
    if (!status) status = open_up(&search, (struct visit){.node = item.node}, err);
    for (size_t i = 0; !status && i < search.n && choices->n < limits->candidates; i++)
        status = look_at(&search, search.visits[i], err);
    pare_release(search.visits);
    if (!status) sort(&search, choices);
    return status;
}

/* The child in play with the most tokens; PARE_NO_NODE: none. */
static uint32_t heaviest_child(const pare_tree_state *state, uint32_t node)
{
    const pare_tree_node *nodes = pare_tree_state_tree(state)->nodes;
    uint32_t best = pare_tree_state_first(state, node);
    for (uint32_t child = best; child != PARE_NO_NODE; child = pare_tree_state_after(state, child))
        if (nodes[child].n_tokens > nodes[best].n_tokens) best = child;
    return best;
}

uint32_t pare_choices_along(const pare_tree_state *state, pare_tree_item item, unsigned depth,
                            unsigned *found)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    uint32_t lowest = PARE_NO_NODE, at = item.node;
    for (unsigned level = 0;;) {
        uint32_t child = heaviest_child(state, at);
        if (child == PARE_NO_NODE) return lowest;
        level += tree->nodes[child].n_tokens != tree->nodes[at].n_tokens;
        if (level > depth) return lowest;
        at = child;
        if (!level || pare_tree_state_hollow(state, at) || !pare_tree_fits(tree, item.slot, at))
            continue;
        lowest = at;
        *found = level;
    }
}
