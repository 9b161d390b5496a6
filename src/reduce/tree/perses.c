/* Perses: syntax-guided reduction in order of weight.
 *
 * The heaviest node in tokens is taken next.  The rounds of a star, plus or optional are
 * minimised as a list; any other node is left out, if the language allows, or replaced by
 * the lightest descendant that fits its place, found by a bounded breadth-first search; in
 * a list it may also be replaced by a list below it, whose rounds then take its place.
 * What cannot be replaced is opened: its children queue up.  One run of the strategy is
 * one round over one tree; to parse the result and run again until nothing changes is the
 * pipeline's part, and only that hops over production rules.
 *
 * Where the search ends at its bound, the bound costs a test for each few levels of a deep
 * nest.  So when the place was given to the lowest node that the search could see, a single one further down,
 * on the path of the heaviest children, is tried at twice the distance, and again, until
 * one fails; then at halves of it: O(log depth) tests.
 *
 * Source: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-guided program reduction", ICSE 2018;
 * the bounds 3, 5 and 100 and the list minimiser are those of its tool.  Deviations: the
 * doubling; the root is queued, not its children; a level of the search is one where tokens are
 * lost, which is what collapsed chains give Perses; weights are those of the tree as
 * parsed.  Seed 000's listing under that name is something else: it takes the lightest
 * node first, never uses its sorted list with the empty expansion, and knows no lists; its
 * intent, the smallest subtree of the same symbol, is what is done here, and with `own_symbol`
 * its example comes to the seed's result.  The search that its text proposes, the first node below
 * of the same symbol in breadth-first order and then the next, is `breadth`.
 *
 * One round of Perses: a heap of places, the heaviest on top, and what is being done with the
 * one that was taken last.
 *
 * The state machine has four modes (enum mode); `next` steps until it has something to propose,
 * `tell` only records the outcome.  For a place that is not a list the choices come from a
 * breadth-first search among its descendants, bounded in depth and number as in the tool.
 * Invariant: the tree below a place in the heap is as it was parsed, but for a place whose node
 * was hoisted; so weights (tokens) need no upkeep.
 * Memory: 8 bytes a place in the heap, shared between copies until one of them writes. */

#include <assert.h>
#include <limits.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/shared.h"
#include "base/vector.h"
#include "engine/strategy.h"
#include "parse/parse_tree.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "reduce/tree/tree_state.h"
#include "text/candidate.h"

/* --- the descendant search --------------------------------------------------------------- */

struct visit {
    uint32_t node;
    unsigned depth;  /* below the item */
    bool below_list; /* a list above it was chosen: lists are not looked for any more */
};

/* The choices for one place that is not a list: leave it out, put a list below it there, or a
 * descendant that fits, lightest first.
 *
 * The search is breadth first. Only a step that loses tokens counts as a level, so a chain of
 * single children is one level, as Perses' collapsed chains are. */
struct descendant_search {
    const pare_tree_state *state;
    const pare_tree *tree;
    pare_tree_item item;
    const pare_perses_options *limits;
    bool in_list; /* the item is a round of a star or plus */
    struct visit *visits;
    size_t n, capacity;
    pare_tree_edits *choices;
};

/* Whether a node of that kind has rounds of which any number may stand there. */
static bool is_list(uint32_t kind)
{
    return kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS;
}

/* Whether at least two children of the node are in play. */
static bool has_two(const pare_tree_state *state, uint32_t node)
{
    uint32_t child = pare_tree_state_first(state, node);
    return child != PARE_NO_NODE && pare_tree_state_after(state, child) != PARE_NO_NODE;
}

/* Whether the language allows that nothing stands in `slot`: it may be empty, or is the only
 * thing in a node that may, or is one round of several in a list.
 * A node that is all of what its parent prints goes with the parent, so the question is passed
 * on upward. */
static bool may_go(const pare_tree_state *state, uint32_t slot)
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

/* A node that the search has reached. */
static pare_status visit(struct descendant_search *search, struct visit visit, pare_error *err)
{
    struct visit *visits =
        pare_vector_grow(search->visits, search->n, &search->capacity, sizeof *visits);
    if (!visits) return pare_fail_nomem(err);
    search->visits = visits;
    search->visits[search->n++] = visit;
    return PARE_OK;
}

/* Queues the children in play of a visited node, within the depth. */
static pare_status open_up(struct descendant_search *search, struct visit above, pare_error *err)
{
    const pare_tree_node *nodes = search->tree->nodes;
    pare_status status = PARE_OK;
    uint32_t child = pare_tree_state_first(search->state, above.node);
    for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(search->state, child)) {
        /* A child with all of its parent's tokens is a link of a chain: no level of its own. */
        bool whole = nodes[child].n_tokens == nodes[above.node].n_tokens;
        unsigned depth = above.depth + !whole;
        if (depth > search->limits->max_depth) continue;
        status = visit(search, (struct visit){child, depth, above.below_list}, err);
    }
    return status;
}

/* Adds the choice that the node `into` takes the item's place. */
static pare_status choose(struct descendant_search *search, uint32_t into, pare_error *err)
{
    return pare_tree_state_edits_add(
        search->choices, (pare_tree_edit){PARE_TREE_HOIST, search->item.node, into}, err);
}

/* Whether the rounds of the list `node` may stand where the item, a round itself, does. */
static bool splices(const struct descendant_search *search, const struct visit *at)
{
    const pare_tree_node *node = &search->tree->nodes[at->node];
    if (!search->in_list || !is_list(node->own.kind) || at->below_list) return false;
    if (at->depth > search->limits->max_list_depth) return false;
    uint32_t round = pare_tree_state_first(search->state, at->node);
    return round != PARE_NO_NODE && pare_tree_fits(search->tree, search->item.slot, round);
}

/* Whether both are the same symbol. */
static bool is_same(pare_tree_symbol a, pare_tree_symbol b)
{
    return a.kind == b.kind && a.symbol == b.symbol;
}

/* Whether the choice has the symbol of the node that it replaces, or of its place: any in the
 * chains that were squeezed into the two. */
static bool has_own_symbol(const pare_tree *tree, const pare_tree_edit *choice)
{
    if (choice->change != PARE_TREE_HOIST) return true;
    const pare_tree_node *node = &tree->nodes[choice->node], *into = &tree->nodes[choice->into];
    return is_same(into->slot, node->slot) || is_same(into->slot, node->own) ||
           is_same(into->own, node->slot) || is_same(into->own, node->own);
}

/* Whether the visited node may take the item's place.  The search by symbol passes over others. */
static bool may_stand(const struct descendant_search *search, uint32_t node)
{
    const pare_tree_edit choice = {PARE_TREE_HOIST, search->item.node, node};
    if (pare_tree_state_hollow(search->state, node)) return false;
    if (!pare_tree_fits(search->tree, search->item.slot, node)) return false;
    return !search->limits->breadth || has_own_symbol(search->tree, &choice);
}

/* Adds the visited node to the choices if it may take the item's place; goes on below it. */
static pare_status look_at(struct descendant_search *search, struct visit at, pare_error *err)
{
    const pare_tree_node *nodes = search->tree->nodes;
    pare_status status = PARE_OK;
    bool smaller = nodes[at.node].n_tokens < nodes[search->item.node].n_tokens;
    if (smaller && splices(search, &at)) {
        status = choose(search, at.node, err);
        at.below_list = true;
    } else if (smaller && may_stand(search, at.node)) {
        status = choose(search, at.node, err);
    }
    return status ? status : open_up(search, at, err);
}

/* Tokens that stay when the choice is taken. */
static uint32_t weight(const pare_tree *tree, const pare_tree_edit *choice)
{
    return choice->change == PARE_TREE_HOIST ? tree->nodes[choice->into].n_tokens : 0;
}

/* The order in which choices are tried: what leaves fewer tokens first; of equal ones, if the
 * options say so, what has the symbol of the place. */
static bool comes_before(const struct descendant_search *search, const pare_tree_edit *a,
                         const pare_tree_edit *b)
{
    uint32_t x = weight(search->tree, a), y = weight(search->tree, b);
    if (x != y || !search->limits->own_symbol) return x < y;
    return has_own_symbol(search->tree, a) && !has_own_symbol(search->tree, b);
}

/* Insertion, without changing the order of equals; there are at most limits->max_candidates. */
static void sort(const struct descendant_search *search, pare_tree_edits *choices)
{
    for (size_t i = 1; i < choices->n; i++) {
        pare_tree_edit choice = choices->items[i];
        size_t k = i;
        for (; k > 0 && comes_before(search, &choice, &choices->items[k - 1]); k--)
            choices->items[k] = choices->items[k - 1];
        choices->items[k] = choice;
    }
}

/* Appends the choices for `item` to *choices.  O(nodes within the depth).  Errors:
 * PARE_E_NOMEM. */
static pare_status find_choices(const pare_tree_state *state, pare_tree_item item,
                                const pare_perses_options *limits, pare_tree_edits *choices,
                                pare_error *err)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    uint32_t parent = tree->nodes[item.slot].parent;
    struct descendant_search search = {
        .state = state, .tree = tree, .item = item, .limits = limits, .choices = choices};
    search.in_list = parent != PARE_NO_NODE && is_list(tree->nodes[parent].own.kind);
    pare_status status = PARE_OK;
    if (may_go(state, item.slot))
        status = pare_tree_state_edits_add(
            choices, (pare_tree_edit){.change = PARE_TREE_DELETE, .node = item.node}, err);
    if (!status) status = open_up(&search, (struct visit){.node = item.node}, err);
    for (size_t i = 0; !status && i < search.n && choices->n < limits->max_candidates; i++)
        status = look_at(&search, search.visits[i], err);
    pare_alloc_free(search.visits);
    if (!status && !limits->breadth) sort(&search, choices);
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

/* The lowest node that fits the place of `item`, at most `depth` levels below it, on the path
 * that goes to the heaviest child each time; its level to *found.  PARE_NO_NODE: none.
 * O(children of the nodes on the path).
 * The heaviest path, because in a nest what is nested holds most of the tokens. */
static uint32_t lowest_fit(const pare_tree_state *state, pare_tree_item item, unsigned depth,
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

/* --- the state --------------------------------------------------------------------------- */

enum mode {
    TAKE,    /* the next place is to be taken */
    CHOICES, /* one of `choices` after the other is tried */
    JUMP,    /* a node far below is tried, nearer each time one fails */
    LIST     /* the children are minimised as a list */
};

struct perses {
    pare_strategy head;
    pare_perses_options options;
    pare_tree_state *state; /* one reference */
    pare_shared *heap;      /* of pare_tree_item: the heaviest first, see is_heavier */
    size_t n_heap;
    enum mode mode;
    pare_tree_item item;     /* taken last */
    pare_tree_edits choices; /* CHOICES */
    size_t choice;
    unsigned jump, landed; /* JUMP: levels to look down, and those of the node tried */
    bool growing;          /* JUMP: none has failed yet */
    pare_node_list list;
    pare_tree_edits edits; /* proposed last */
};

/* The state, of which a strategy is the head. */
static struct perses *of(pare_strategy *strategy)
{
    return (struct perses *)strategy;
}

/* --- the heap ---------------------------------------------------------------------------- */

/* More tokens first, then the later node. */
static bool is_heavier(const void *a, const void *b, const void *context)
{
    const pare_tree_item *x = a, *y = b;
    const pare_tree *tree = context;
    uint32_t heavy = tree->nodes[x->node].n_tokens, light = tree->nodes[y->node].n_tokens;
    return heavy != light ? heavy > light : x->node > y->node;
}

/* Comparing needs the tree, so the order is made for each use and not stored. */
static pare_heap_order heap_order(const struct perses *self)
{
    return (pare_heap_order){.item_bytes = sizeof(pare_tree_item),
                             .before = is_heavier,
                             .context = pare_tree_state_tree(self->state)};
}

/* Adds a place to the heap, which is copied first if another state shares it. */
static pare_status push(struct perses *self, pare_tree_item item, pare_error *err)
{
    pare_heap_order order = heap_order(self);
    void *own = NULL;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap + 1, &own, err);
    if (!status) pare_heap_push(&order, own, self->n_heap++, &item);
    return status;
}

/* Takes the heaviest place. */
static pare_status pop(struct perses *self, pare_tree_item *out, pare_error *err)
{
    assert(self->n_heap > 0);
    pare_heap_order order = heap_order(self);
    void *own = NULL;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap, &own, err);
    if (!status) pare_heap_pop(&order, own, self->n_heap--, out);
    return status;
}

/* Queues the children in play of `node`. */
static pare_status push_children(struct perses *self, uint32_t node, pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t child = pare_tree_state_first(self->state, node);
    for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(self->state, child))
        status =
            push(self, (pare_tree_item){child, pare_tree_state_shown(self->state, child)}, err);
    return status;
}

/* --- one place --------------------------------------------------------------------------- */

/* The kind of the node that stands in the place at hand: after a hoist it is not the place's
 * own. */
static uint32_t kind_of(const struct perses *self)
{
    return pare_tree_state_tree(self->state)->nodes[self->item.node].own.kind;
}

/* Begins to minimise the children of the place as a list. */
static pare_status begin_list(struct perses *self, pare_error *err)
{
    pare_tree_item *items = NULL;
    size_t n = 0;
    uint32_t child = pare_tree_state_first(self->state, self->item.node);
    for (uint32_t c = child; c != PARE_NO_NODE; c = pare_tree_state_after(self->state, c))
        n++;
    if (!(items = pare_alloc(n, sizeof *items))) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; child = pare_tree_state_after(self->state, child))
        items[i++] = (pare_tree_item){child, pare_tree_state_shown(self->state, child)};
    pare_node_list_options options = {
        .algorithm = self->options.list, .knobs = self->options.knobs, .change = PARE_TREE_DELETE};
    options.never_empty = kind_of(self) == PARE_NODE_PLUS;
    options.all_first = !options.never_empty;
    self->mode = LIST;
    pare_status status = pare_node_list_start(&self->list, &options, items, n, err);
    pare_alloc_free(items);
    return status;
}

/* A plus may lose everything, if its place allows, or all rounds but the first; the rounds
 * themselves are minimised as a list afterwards. */
static pare_status plus_choices(struct perses *self, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_tree_edit edit = {.change = PARE_TREE_DELETE, .node = self->item.node};
    if (may_go(self->state, self->item.slot))
        status = pare_tree_state_edits_add(&self->choices, edit, err);
    uint32_t first = pare_tree_state_first(self->state, self->item.node);
    if (status || first == PARE_NO_NODE) return status;
    if (pare_tree_state_after(self->state, first) == PARE_NO_NODE) return PARE_OK;
    edit.into = first;
    edit.change = PARE_TREE_HOIST; /* stands for deleting the others; see take_choice */
    return pare_tree_state_edits_add(&self->choices, edit, err);
}

/* Whether the token is a comment or the like: it may go, and is no round of a list, where it would
 * have been tried. */
static bool stands_alone(const struct perses *self)
{
    const pare_tree_node *nodes = pare_tree_state_tree(self->state)->nodes;
    const pare_tree_node *node = &nodes[self->item.slot];
    if (!(node->flags & PARE_TREE_DELETABLE) || node->parent == PARE_NO_NODE) return false;
    uint32_t kind = nodes[node->parent].own.kind;
    return kind != PARE_NODE_STAR && kind != PARE_NODE_PLUS && kind != PARE_NODE_OPTIONAL;
}

/* Takes the heaviest place and decides what to do with it. */
static pare_status take(struct perses *self, pare_error *err)
{
    pare_status status = pop(self, &self->item, err);
    /* A node that is gone by now is passed over: its place was part of what went. */
    self->choices.n = self->choice = 0;
    if (status || pare_tree_state_gone(self->state, self->item.node)) return status;
    switch (kind_of(self)) {
    case PARE_NODE_TOKEN:
        if (!stands_alone(self)) return PARE_OK;
        status = find_choices(self->state, self->item, &self->options, &self->choices, err);
        break;
    case PARE_NODE_STAR:
    case PARE_NODE_OPTIONAL: return begin_list(self, err);
    case PARE_NODE_PLUS: status = plus_choices(self, err); break;
    default:
        status = find_choices(self->state, self->item, &self->options, &self->choices, err);
        break;
    }
    self->mode = CHOICES;
    return status;
}

/* Sets the edits of the choice at hand. For a plus, the hoist of its first round is carried out by
 * deleting all other rounds, so that the quantifier itself stays. */
static pare_status take_choice(struct perses *self, pare_error *err)
{
    assert(self->choice < self->choices.n);
    const pare_tree_edit *choice = &self->choices.items[self->choice];
    self->edits.n = 0;
    if (kind_of(self) != PARE_NODE_PLUS || choice->change == PARE_TREE_DELETE)
        return pare_tree_state_edits_add(&self->edits, *choice, err);
    pare_status status = PARE_OK;
    uint32_t child = pare_tree_state_after(self->state, choice->into);
    for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(self->state, child)) {
        uint32_t shown = pare_tree_state_shown(self->state, child);
        status = pare_tree_state_edits_add(
            &self->edits, (pare_tree_edit){.change = PARE_TREE_DELETE, .node = shown}, err);
    }
    return status;
}

/* Every choice was refused: the node's children join the heap, or for a plus its rounds are
 * minimised as a list. */
static pare_status give_up_choices(struct perses *self, pare_error *err)
{
    if (kind_of(self) == PARE_NODE_PLUS) return begin_list(self, err);
    self->mode = TAKE;
    return push_children(self, self->item.node, err);
}

/* Looks for the next node to jump to: a fitting one about `jump` levels down the heaviest path. If
 * there is none, the place is pushed back with the node that stands there now. */
static pare_status jump(struct perses *self, bool *proposed, pare_error *err)
{
    uint32_t into = PARE_NO_NODE;
    while (self->jump > self->options.max_depth) {
        self->landed = 0;
        into = lowest_fit(self->state, self->item, self->jump, &self->landed);
        if (into == PARE_NO_NODE || self->landed <= self->options.max_depth) break;
        *proposed = true;
        self->edits.n = 0;
        return pare_tree_state_edits_add(
            &self->edits,
            (pare_tree_edit){.change = PARE_TREE_HOIST, .node = self->item.node, .into = into},
            err);
    }
    self->mode = TAKE;
    return push(self, self->item, err);
}

/* Does one step in the mode at hand; *proposed: there are edits to test. */
static pare_status step(struct perses *self, bool *proposed, pare_error *err)
{
    bool done = false;
    pare_status status = PARE_OK;
    switch (self->mode) {
    case TAKE: return take(self, err);
    case CHOICES:
        *proposed = self->choice < self->choices.n;
        return *proposed ? take_choice(self, err) : give_up_choices(self, err);
    case JUMP: return jump(self, proposed, err);
    case LIST: status = pare_node_list_next(&self->list, &done, &self->edits, err); break;
    }
    *proposed = !done;
    if (status || !done) return status;
    self->mode = TAKE;
    return push_children(self, self->item.node, err);
}

/* --- the strategy ------------------------------------------------------------------------ */

/* Steps that propose nothing cost no test, so they are taken at once, until one proposes or all
 * is done. */
static pare_status perses_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                               pare_error *err)
{
    struct perses *self = of(strategy);
    while (self->mode != TAKE || self->n_heap) {
        bool proposed = false;
        pare_status status = step(self, &proposed, err);
        if (status) return status;
        if (!proposed) continue;
        *what = PARE_NEXT_TEST;
        return pare_tree_state_candidate(self->state, &self->edits, candidate, err);
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* Whether the choice at hand is the lowest on its path that the search could see: more may be found
 * further down.  It need not be at the bound itself, as where groups and lists alternate. */
static bool is_lowest_seen(const struct perses *self)
{
    unsigned level;
    if (self->mode != CHOICES || kind_of(self) == PARE_NODE_PLUS) return false;
    uint32_t lowest = lowest_fit(self->state, self->item, self->options.max_depth, &level);
    return lowest == self->choices.items[self->choice].into &&
           self->choices.items[self->choice].change == PARE_TREE_HOIST;
}

/* A choice succeeded: queues what is left of the place. */
static pare_status keep_choice(struct perses *self, bool lowest, pare_error *err)
{
    pare_tree_edit choice = self->choices.items[self->choice];
    self->mode = TAKE;
    /* The place is empty now, so nothing is queued. */
    if (choice.change == PARE_TREE_DELETE) return PARE_OK;
    if (kind_of(self) == PARE_NODE_PLUS) return push_children(self, self->item.node, err);
    self->item.node = choice.into;
    if (!lowest) return push(self, self->item, err);
    self->mode = JUMP;
    self->jump = 2 * self->options.max_depth;
    self->growing = true;
    return PARE_OK;
}

/* After a jump: while jumps succeed the distance doubles; from the first refusal on it halves. */
static void keep_jump(struct perses *self, bool fails)
{
    if (fails) self->item.node = self->edits.items[0].into;
    self->growing = self->growing && fails;
    if (self->growing)
        self->jump = self->jump > UINT_MAX / 2 ? UINT_MAX : 2 * self->jump;
    else
        /* Half of where it landed, not of where it looked: between the two nothing fits. */
        self->jump = self->landed / 2;
}

/* A success is applied to the state first; what is done next depends on the mode. */
static pare_status perses_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct perses *self = of(strategy);
    /* Asked before the state changes, since the answer is about the tree in which the choice was
     * found. */
    bool fails = outcome == PARE_FAIL, lowest = fails && is_lowest_seen(self);
    if (fails) {
        pare_tree_state *after = NULL;
        pare_status status = pare_tree_state_edit(self->state, &self->edits, &after, err);
        if (status) return status;
        pare_tree_state_unref(self->state);
        self->state = after;
    }
    if (self->mode == LIST) return pare_node_list_tell(&self->list, fails, err);
    if (self->mode == JUMP) keep_jump(self, fails);
    if (self->mode == JUMP) return PARE_OK;
    if (fails) return keep_choice(self, lowest, err);
    self->choice++;
    return PARE_OK;
}

/* Works on a state that is half made, too. */
static void perses_free(pare_strategy *strategy)
{
    struct perses *self = of(strategy);
    pare_node_list_done(&self->list);
    pare_tree_state_edits_done(&self->choices);
    pare_tree_state_edits_done(&self->edits);
    pare_shared_release(self->heap);
    pare_tree_state_unref(self->state);
    pare_alloc_free(self);
}

/* Errors: PARE_E_NOMEM; *to is to be ended with done in any case. */
static pare_status copy_edits(const pare_tree_edits *from, pare_tree_edits *to, pare_error *err)
{
    pare_status status = PARE_OK;
    *to = (pare_tree_edits){0};
    for (size_t i = 0; !status && i < from->n; i++)
        status = pare_tree_state_edits_add(to, from->items[i], err);
    return status;
}

/* State and heap are shared; choices and edits are lists of a place, and are copied. */
static pare_status perses_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct perses *self = (const struct perses *)strategy;
    struct perses *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_tree_state_ref(copy->state);
    pare_shared_retain(copy->heap);
    copy->choices = copy->edits = (pare_tree_edits){0};
    pare_status status = pare_node_list_copy(&self->list, &copy->list, err);
    if (!status) status = copy_edits(&self->choices, &copy->choices, err);
    if (!status) status = copy_edits(&self->edits, &copy->edits, err);
    if (status)
        perses_free(&copy->head);
    else
        *out = &copy->head;
    return status;
}

static pare_status perses_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_tree_state_settle(of(strategy)->state, err);
}

/* The root is queued, not its children: a language may allow that all of a file goes. */
pare_status pare_perses_new(pare_tree *tree, const pare_perses_options *options,
                            pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = perses_next,
                                          .tell = perses_tell,
                                          .copy = perses_copy,
                                          .destroy = perses_free,
                                          .settle = perses_settle};
    struct perses *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->options = *options;
    self->list.step = PARE_NODE_LIST_ENDED;
    if (!self->options.list) self->options.list = &pare_list_halves;
    if (self->options.breadth) {
        /* Chosen by symbol, a list below the place is no candidate, and depth does not matter. */
        self->options.max_depth = UINT_MAX;
        self->options.max_candidates = SIZE_MAX;
    } else {
        if (!self->options.max_depth) self->options.max_depth = 5;
        if (!self->options.max_list_depth) self->options.max_list_depth = 3;
        if (!self->options.max_candidates) self->options.max_candidates = 100;
    }
    pare_status status = pare_tree_state_new(tree, &self->state, err);
    if (!status) status = pare_shared_new(16, sizeof(pare_tree_item), &self->heap, err);
    if (!status && !pare_tree_state_gone(self->state, 0))
        status = push(self, (pare_tree_item){0, 0}, err);
    if (status)
        perses_free(&self->head);
    else
        *out = &self->head;
    return status;
}
