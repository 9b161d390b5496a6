/* The machine of the hierarchical family, and its two orders: levels and the work list.
 *
 * A strategy must be copyable between any two tests, so what would be nested loops (phases,
 * sweeps, configurations, steps, rounds) is a set of counters in struct walk, and `next` goes
 * on from wherever they are.  The configuration and the work list are shared between copies and
 * copied when one of them writes (base/shared.h).
 * Invariant: between `next` and `tell`, `edits` is what was proposed, and either `list` made it
 * or it is the hoist of item `at` into `into`.  Everything that happens without an outcome
 * happens in `next`, so it is the same for all copies of a state.
 * Memory: 8 bytes for each node of the largest level. */
#include "reduce/tree/hdd.h"

#include <assert.h>
#include <string.h>
#include <pare/algorithm.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_state.h"
#include "text/candidate.h"
#include "text/text.h"

struct walk;

/* Each sets walk->items; an empty list ends the sweep.  Errors: PARE_E_NOMEM. */
struct order {
    pare_status (*first)(struct walk *walk, pare_error *err);
    pare_status (*following)(struct walk *walk, pare_error *err);
};

/* The state of a run. The counters, from the outside in: the phase; the sweep (`sweeping`); the
 * configuration (`items`); the step; and in a step either the list algorithm or `at` and `into`.
 *
 * Example, a phase of the steps PRUNE and HOIST: the root alone is the first configuration; it
 * is pruned as a list of one; then each item that is left is hoisted, in rounds; its children
 * are the next configuration. When a level is empty the sweep is over, and begins anew at the
 * root if it changed something. */
struct walk {
    pare_strategy head;
    const struct order *order;
    pare_hdd_options options;
    pare_tree_state *state; /* one reference */
    size_t phase, step;     /* step of the configuration at hand */
    bool sweeping;          /* there is a configuration at hand */
    bool changed;           /* in this sweep */
    bool stepping;          /* the step has begun */
    pare_shared *items;     /* pare_tree_item; the configuration */
    size_t n;
    pare_shared *queue; /* pare_tree_item; HDDr: the work list */
    size_t queue_from, queue_to;
    pare_node_list list; /* PRUNE, COARSE, DELETE */
    size_t at;           /* HOIST, CHILD: the item at hand */
    uint32_t into;       /* and the node that is looked at below it; 0: none yet */
    bool round_changed;
    pare_tree_edits edits; /* proposed last */
};

const char *const pare_hdd_step_names = "prune, coarse, hoist, delete, child";

/* The name is not terminated: it is a part of the user's list. */
pare_hdd_step pare_hdd_step_find(const char *name, size_t size)
{
    static const char *const names[] = {[PARE_HDD_PRUNE] = "prune",
                                        [PARE_HDD_COARSE] = "coarse",
                                        [PARE_HDD_HOIST] = "hoist",
                                        [PARE_HDD_DELETE] = "delete",
                                        [PARE_HDD_CHILD] = "child"};
    for (size_t i = PARE_HDD_PRUNE; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0) return (pare_hdd_step)i;
    return PARE_HDD_END;
}

/* The walk, of which a strategy is the head. */
static struct walk *of(pare_strategy *strategy)
{
    return (struct walk *)strategy;
}

/* The configuration, for reading. */
static const pare_tree_item *items_of(const struct walk *walk)
{
    return pare_shared_items(walk->items);
}

/* The step of the configuration at hand; END after the last one. */
static pare_hdd_step step_at(const struct walk *walk)
{
    if (walk->step == PARE_HDD_MAX_STEPS) return PARE_HDD_END;
    return walk->options.phases[walk->phase].steps[walk->step];
}

/* Whether the step puts descendants in the place of nodes; the other steps minimise a list. */
static bool is_hoist(pare_hdd_step step)
{
    return step == PARE_HDD_HOIST || step == PARE_HDD_CHILD;
}

/* Appends a place, with the node that stands there now, to the configuration. */
static pare_status add_item(struct walk *walk, size_t *n, uint32_t slot, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, *n, *n + 1, &own, err);
    if (status) return status;
    pare_tree_item *items = own;
    items[(*n)++] = (pare_tree_item){slot, pare_tree_state_shown(walk->state, slot)};
    return PARE_OK;
}

/* Makes the root alone the configuration; nothing, if it is out of play. */
static pare_status take_root(struct walk *walk, pare_error *err)
{
    walk->n = 0;
    if (pare_tree_state_gone(walk->state, 0)) return PARE_OK;
    return add_item(walk, &walk->n, 0, err);
}

/* Makes the children in play of `n` items the configuration.  `items` may be those of the
 * configuration itself.
 * The new array is filled before the old one is given back, as `items` may be in it. */
static pare_status take_children(struct walk *walk, const pare_tree_item *items, size_t n,
                                 pare_error *err)
{
    pare_shared *old = walk->items; /* `items` may be its */
    pare_status status = pare_shared_new(n + 4, sizeof *items, &walk->items, err);
    if (status) return status;
    walk->n = 0;
    for (size_t i = 0; i < n; i++) {
        /* `node` and not `slot`: after a hoist the children are those of what was put there. */
        uint32_t child = pare_tree_state_first(walk->state, items[i].node);
        for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(walk->state, child))
            status = add_item(walk, &walk->n, child, err);
    }
    pare_shared_release(old);
    return status;
}

/* HDD: the children of what is left of the level above, so a sweep sees each node once. */
static pare_status next_level(struct walk *walk, pare_error *err)
{
    return take_children(walk, pare_shared_items(walk->items), walk->n, err);
}

/* HDDr: whether the work list is a queue (breadth first), not a stack. */
static bool takes_oldest(const struct walk *walk)
{
    return walk->options.traversal == PARE_TRAVERSAL_FIRST_FORWARD ||
           walk->options.traversal == PARE_TRAVERSAL_FIRST_BACKWARD;
}

/* HDDr: whether the last child comes first in the work list. */
static bool puts_backward(const struct walk *walk)
{
    return walk->options.traversal == PARE_TRAVERSAL_LAST_BACKWARD ||
           walk->options.traversal == PARE_TRAVERSAL_FIRST_BACKWARD;
}

/* Appends the configuration to the work list, which holds the items queue_from .. queue_to-1,
 * the oldest first.  Once more than half of the array was taken out, the rest moves to the
 * front.
 * So the array is at most twice as large as the work list, and each item moves O(1) times. */
static pare_status put_into_queue(struct walk *walk, pare_error *err)
{
    void *own = NULL;
    pare_status status =
        pare_shared_own(&walk->queue, walk->queue_to, walk->queue_to + walk->n, &own, err);
    if (status) return status;
    pare_tree_item *queue = own;
    if (walk->queue_from > walk->queue_to / 2) {
        memmove(queue, queue + walk->queue_from,
                (walk->queue_to - walk->queue_from) * sizeof *queue);
        walk->queue_to -= walk->queue_from;
        walk->queue_from = 0;
    }
    const pare_tree_item *items = pare_shared_items(walk->items);
    for (size_t i = 0; i < walk->n; i++)
        queue[walk->queue_to++] = items[puts_backward(walk) ? walk->n - 1 - i : i];
    return PARE_OK;
}

/* Takes nodes from the work list until one has children in play: these are the configuration. */
static pare_status take_from_queue(struct walk *walk, pare_error *err)
{
    pare_status status = PARE_OK;
    walk->n = 0;
    while (!status && !walk->n && walk->queue_from < walk->queue_to) {
        size_t at = takes_oldest(walk) ? walk->queue_from++ : --walk->queue_to;
        const pare_tree_item *queue = pare_shared_items(walk->queue);
        status = take_children(walk, &queue[at], 1, err);
    }
    return status;
}

/* HDDr: what is left of the configuration joins the work list, from which the next is taken. */
static pare_status next_children(struct walk *walk, pare_error *err)
{
    pare_status status = put_into_queue(walk, err);
    return status ? status : take_from_queue(walk, err);
}

/* HDDr begins with the children of the root, which itself is not tried (Picireny). */
static pare_status first_children(struct walk *walk, pare_error *err)
{
    walk->queue_from = walk->queue_to = 0;
    pare_status status = take_root(walk, err);
    return status ? status : next_children(walk, err);
}

/* Drops the items that are gone, before the next step or level. */
static pare_status refresh(struct walk *walk, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, walk->n, walk->n, &own, err);
    if (status) return status;
    pare_tree_item *items = own;
    /* Both have to be looked at: the place may have gone with a node above it, and the node that
     * stands there may have gone by a hoist past it. */
    size_t kept = 0;
    for (size_t i = 0; i < walk->n; i++)
        if (!pare_tree_state_gone(walk->state, items[i].slot) &&
            !pare_tree_state_gone(walk->state, items[i].node))
            items[kept++] = items[i];
    walk->n = kept;
    return PARE_OK;
}

/* --- steps ------------------------------------------------------------------------------- */

/* Whether a list step is to try leaving out `item`. */
static bool is_tried(const struct walk *walk, pare_hdd_step step, pare_tree_item item)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    const pare_tree_node *node = &tree->nodes[item.node];
    bool no_minimal = node->flags & PARE_TREE_NO_MINIMAL;
    if (step == PARE_HDD_COARSE) return node->minimal_size == 0 && !no_minimal;
    if (step == PARE_HDD_PRUNE && no_minimal) return false;
    /* Sizes of the base text, not of what is printed now, so a node that already prints less is
     * still tried. */
    if (step == PARE_HDD_PRUNE) return node->minimal_size <= node->end - node->begin;
    /* DELETE puts nothing in the node's place, so a strict language has to allow that. */
    if (tree->rules.strict && !(tree->nodes[item.slot].flags & PARE_TREE_DELETABLE)) return false;
    return pare_gtr_templates_allow_delete(walk->options.templates, tree, item.slot, item.node);
}

/* Starts the list algorithm on the items that the step may leave out. */
static pare_status begin_list(struct walk *walk, pare_hdd_step step, pare_error *err)
{
    pare_tree_item *tried = pare_alloc(walk->n, sizeof *tried);
    if (!tried) return pare_fail_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < walk->n; i++)
        /* Items that are not tried stay in the configuration, since their children belong to the
         * next one. */
        if (is_tried(walk, step, items_of(walk)[i])) tried[n++] = items_of(walk)[i];
    pare_node_list_options options = {.algorithm = walk->options.list,
                                      .knobs = walk->options.knobs,
                                      .change = step == PARE_HDD_DELETE ? PARE_TREE_DELETE
                                                                        : PARE_TREE_PRUNE};
    pare_status status = pare_node_list_start(&walk->list, &options, tried, n, err);
    pare_alloc_free(tried);
    return status;
}

/* The next node, from `from` on in pre-order, that may take the place of `item`; PARE_NO_NODE: no
 * more. With strict rules GTR only takes nodes that the language allows there; its source takes
 * any. */
static uint32_t scan(const struct walk *walk, pare_tree_item item, uint32_t from)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    bool fitting = step_at(walk) == PARE_HDD_HOIST || tree->rules.strict;
    return fitting ? pare_tree_state_next_fit(walk->state, item, from)
                   : pare_tree_state_next_child(walk->state, item, from);
}

/* As scan, but passes over what GTR's templates never saw in that place. */
static uint32_t next_into(const struct walk *walk, pare_tree_item item)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    uint32_t into = scan(walk, item, walk->into);
    while (step_at(walk) == PARE_HDD_CHILD && into != PARE_NO_NODE &&
           !pare_gtr_templates_allow_child(walk->options.templates, tree, item.slot, into))
        into = scan(walk, item, tree->nodes[into].after);
    return into;
}

/* Finds the next hoist.  Items are gone over in rounds until a round changes nothing: a node
 * that was put in a place may itself give way to one below it. */
static pare_status next_hoist(struct walk *walk, bool *done, pare_error *err)
{
    for (;;) {
        if (walk->at == walk->n) {
            *done = !walk->round_changed;
            /* A round ended.  Another one is made only if something was hoisted in it. */
            walk->at = 0;
            walk->round_changed = false;
            if (*done) return PARE_OK;
        }
        /* Looks below the item at hand, after the subtree that was tried last. */
        pare_tree_item item = items_of(walk)[walk->at];
        uint32_t into = next_into(walk, item);
        if (into != PARE_NO_NODE) {
            walk->into = into;
            walk->edits.n = 0;
            return pare_tree_state_edits_add(
                &walk->edits, (pare_tree_edit){PARE_TREE_HOIST, item.node, into}, err);
        }
        walk->at++;
        walk->into = 0;
    }
}

/* Sets the counters of a step to its start. */
static pare_status begin_step(struct walk *walk, pare_hdd_step step, pare_error *err)
{
    walk->at = 0;
    walk->into = 0;
    walk->round_changed = false;
    return is_hoist(step) ? PARE_OK : begin_list(walk, step, err);
}

/* The next proposal of the configuration at hand, or *done. */
static pare_status next_edits(struct walk *walk, bool *done, pare_error *err)
{
    for (;;) {
        pare_hdd_step step = step_at(walk);
        pare_status status = PARE_OK;
        *done = step == PARE_HDD_END || !walk->n;
        if (*done) return PARE_OK;
        if (!walk->stepping) status = begin_step(walk, step, err);
        if (status) return status;
        walk->stepping = true;
        bool ended = false;
        status = is_hoist(step) ? next_hoist(walk, &ended, err)
                                : pare_node_list_next(&walk->list, &ended, &walk->edits, err);
        /* A proposal; or the step is over, and the next one sees what it left. */
        if (status || !ended) return status;
        status = refresh(walk, err);
        if (status) return status;
        walk->stepping = false;
        walk->step++;
    }
}

/* --- the strategy ------------------------------------------------------------------------ */

/* Goes to the next configuration of the sweep. After the last one comes another sweep, if this one
 * changed something, else the next phase; *done after the last phase. */
static pare_status go_on(struct walk *walk, bool *done, pare_error *err)
{
    assert(walk->phase <= walk->options.n_phases);
    *done = walk->phase == walk->options.n_phases;
    if (*done) return PARE_OK;
    walk->step = 0;
    if (!walk->sweeping) {
        walk->sweeping = true;
        walk->changed = false;
        return walk->order->first(walk, err);
    }
    pare_status status = walk->order->following(walk, err);
    if (status || walk->n) return status;
    walk->sweeping = false;
    /* The sweep ended. One that changed something is repeated: what was needed before may go
     * now. */
    if (!walk->changed || walk->options.fixpoint == PARE_FIXPOINT_OFF) walk->phase++;
    return PARE_OK;
}

/* After a hoist that was refused the search goes on after the subtree that was tried. After one
 * that succeeded the place holds another node, and the search begins below that (`into` is 0). */
static pare_status tell_hoist(struct walk *walk, bool fails, pare_error *err)
{
    assert(walk->at < walk->n && walk->into != 0);
    if (!fails) {
        walk->into = pare_tree_state_tree(walk->state)->nodes[walk->into].after;
        return PARE_OK;
    }
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, walk->n, walk->n, &own, err);
    if (status) return status;
    ((pare_tree_item *)own)[walk->at].node = walk->into;
    walk->into = 0;
    walk->round_changed = true;
    return PARE_OK;
}

/* Takes the outcome of what was proposed last. */
static pare_status take(struct walk *walk, bool fails, pare_error *err)
{
    if (fails) {
        pare_tree_state *after = NULL;
        pare_status status = pare_tree_state_edit(walk->state, &walk->edits, &after, err);
        if (status) return status;
        pare_tree_state_unref(walk->state);
        walk->state = after;
        walk->changed = true;
    }
    if (is_hoist(step_at(walk))) return tell_hoist(walk, fails, err);
    return pare_node_list_tell(&walk->list, fails, err);
}

/* A candidate that is no shorter is passed over as if it had passed, if only shorter ones are
 * wanted. */
static pare_status walk_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    struct walk *walk = of(strategy);
    for (bool done = false;;) {
        pare_status status = PARE_OK;
        /* Between sweeps there is no configuration, and go_on finds the next one. */
        bool ended = true;
        if (walk->sweeping) status = next_edits(walk, &ended, err);
        /* There is a proposal. */
        if (!status && !ended) {
            status = pare_tree_state_candidate(walk->state, &walk->edits, candidate, err);
            if (!status && walk->options.shorter &&
                candidate->size >= pare_text_size(pare_tree_state_text(walk->state))) {
                status = take(walk, false, err);
                if (!status) continue;
            }
            *what = PARE_NEXT_TEST;
            return status;
        }
        if (!status) status = go_on(walk, &done, err);
        if (status) return status;
        if (!done) continue;
        *what = PARE_NEXT_DONE;
        return PARE_OK;
    }
}

/* An outcome that is neither PASS nor FAIL counts as PASS: the edit is not made. */
static pare_status walk_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    return take(of(strategy), outcome == PARE_FAIL, err);
}

/* Works on a walk that is half made, too. */
static void walk_free(pare_strategy *strategy)
{
    struct walk *walk = of(strategy);
    pare_node_list_done(&walk->list);
    pare_tree_state_edits_done(&walk->edits);
    pare_shared_release(walk->items);
    pare_shared_release(walk->queue);
    pare_tree_state_unref(walk->state);
    pare_alloc_free(walk);
}

/* Shares configuration and work list with the copy; the list algorithm's state is copied. */
static pare_status walk_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct walk *walk = (const struct walk *)strategy;
    struct walk *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *walk;
    copy->list = (pare_node_list){.step = PARE_NODE_LIST_ENDED};
    copy->edits = (pare_tree_edits){0};
    pare_tree_state_ref(copy->state);
    pare_shared_retain(copy->items);
    pare_shared_retain(copy->queue);
    pare_status status = pare_node_list_copy(&walk->list, &copy->list, err);
    for (size_t i = 0; !status && i < walk->edits.n; i++)
        status = pare_tree_state_edits_add(&copy->edits, walk->edits.items[i], err);
    if (status)
        walk_free(&copy->head);
    else
        *out = &copy->head;
    return status;
}

/* Called after a success, on the true state only. */
static pare_status walk_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_tree_state_settle(of(strategy)->state, err);
}

/* Without phases there is one that prunes: HDD, or HDDr. */
pare_status pare_hdd_new(pare_tree *tree, const pare_hdd_options *options, pare_strategy **out,
                         pare_error *err)
{
    static const struct order levels = {.first = take_root, .following = next_level};
    static const struct order work_list = {.first = first_children, .following = next_children};
    static const pare_strategy_ops ops = {.next = walk_next,
                                          .tell = walk_tell,
                                          .copy = walk_copy,
                                          .destroy = walk_free,
                                          .settle = walk_settle};
    struct walk *walk = pare_alloc_zero(1, sizeof *walk);
    if (!walk) return pare_fail_nomem(err);
    walk->head.ops = &ops;
    walk->order = options->by_node ? &work_list : &levels;
    walk->options = *options;
    if (!options->n_phases) {
        walk->options.phases[0] = (pare_hdd_phase){{PARE_HDD_PRUNE}};
        walk->options.n_phases = 1;
    }
    walk->list.step = PARE_NODE_LIST_ENDED;
    pare_status status = pare_tree_state_new(tree, &walk->state, err);
    if (!status) status = pare_shared_new(1, sizeof(pare_tree_item), &walk->items, err);
    if (!status) status = pare_shared_new(1, sizeof(pare_tree_item), &walk->queue, err);
    if (status)
        walk_free(&walk->head);
    else
        *out = &walk->head;
    return status;
}

const pare_tree_state *pare_hdd_state(const pare_strategy *strategy)
{
    return ((const struct walk *)strategy)->state;
}
