/* What to drop next from a closed set.
 *
 * A node is looked at by dropping it: its dependents go with it, and what no root needs any more.
 * The bytes of all that are its gain; the doubt about it is that of its dependents and its own, as far as anything
 * was learned of them, and grows with the gain.  How it grows was fitted to single deletions from four
 * programs in C++ (docs/lab/dependency.md); where nothing is compiled each dependent adds the same doubt.
 * A group grows by the node with the largest ratio of its gain to its odds of being needed: that
 * raises the bytes that are expected as long as the ratio is above the gain of the group so far,
 * and no other group of independent nodes is expected to remove more.
 * A group that does not go makes its nodes more doubtful by the rule of Bayes; of a program that is run, all others,
 * too, for how much of it is run is not known before.  A single node that does not go is needed, and with it all that
 * it needs, since each of that has it for a dependent.  What compiles without a group and does not fail lacks something:
 * nodes that went as dependents of several such groups are doubted by their number, and by how few there are of them.
 *
 * Why not halves and quarters of the nodes in their order: half of such candidates did not
 * compile, or dropped something that was known to be needed, and none of them is worth what it
 * costs when a few large closures make up most of the text (docs/lab/dependency.md).
 * Invariant: a proposal is closed, but for members of which another class has one of the same
 * name, and overloads.  Deterministic. */
#include "reduce/dependency/deletions.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/deletions_blame.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"

enum {
    MOST_LOOKS = 500,     /* nodes that are looked at, of one set */
    LEAST_LOOKS = 24,     /* the same, of a graph so large that each takes long */
    LOOK_NODES = 16 << 20 /* nodes of the graph, times looks */
};

static const double FIRST_DOUBT = 0.05; /* of a node of which nothing is known */
static const double START_DOUBT = 0.98; /* of where a program starts that is compiled: `main` */
static const double VAIN_DOUBT = 0.95;  /* of one without which less is left than was not enough */
static const double REPORTED_DOUBT = 0.95; /* of one at which there is an error, */
static const double ONLY_DOUBT = 0.995;    /* of the only one */
static const double REPORTED_VAIN =
    0.2; /* what is left of the hope that it can go after a vain try, */
static const double SUSPECT_VAIN = 0.4;  /* and that a suspect can, */
static const double SUSPECT_DOUBT = 0.6; /* of one where the compiler was when it failed */
static const double AFTER_FAIL = 0.85, AFTER_PASS = 1.3; /* factors of the scale */
static const double LEAST_SCALE = 0.1;
static const double RUNS_AFTER_PASS = 2, RUNS_MOST_SCALE = 6; /* of programs that are run */
static const double MOST_DOUBT = 0.8; /* that the scale may make of a doubt below 1 */

/* A node that was looked at. */
struct choice {
    uint32_t node;
    double doubt;
    size_t gain; /* bytes */
};

void pare_deletions_done(pare_deletions *deletions)
{
    pare_shared_release(deletions->doubts);
    pare_shared_release(deletions->choices);
    pare_shared_release(deletions->sets);
    pare_shared_release(deletions->drops);
    pare_shared_release(deletions->chosen);
    pare_shared_release(deletions->gone);
    pare_deletions_blame_done(&deletions->blame);
    for (size_t i = 0; i < PARE_DELETIONS_MOST_VAIN; i++)
        pare_shared_release(deletions->vain[i]);
    *deletions = (pare_deletions){.doubts = NULL};
}

/* All of these are replaced or copied before they are written (pare_shared_own), so copies may
 * share them. */
void pare_deletions_share(pare_deletions *copy)
{
    pare_shared_retain(copy->doubts);
    pare_shared_retain(copy->choices);
    pare_shared_retain(copy->sets);
    pare_shared_retain(copy->drops);
    pare_shared_retain(copy->chosen);
    pare_shared_retain(copy->gone);
    pare_deletions_blame_share(&copy->blame);
    for (size_t i = 0; i < PARE_DELETIONS_MOST_VAIN; i++)
        pare_shared_retain(copy->vain[i]);
}

/* Doubts stay: they are of nodes, whatever set these are in. */
void pare_deletions_look_again(pare_deletions *deletions)
{
    pare_shared_release(deletions->choices);
    pare_shared_release(deletions->sets);
    pare_shared_release(deletions->drops);
    deletions->choices = deletions->sets = deletions->drops = NULL;
    deletions->n_choices = 0;
}

/* Whether the node is a function with which the program starts, or its body. */
static bool is_start(const pare_dependency *graph, uint32_t node)
{
    const uint32_t start = PARE_OUTLINE_ENTRY | PARE_OUTLINE_FORCED;
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    if (nodes[node].roles & PARE_OUTLINE_BODY && nodes[node].parent != PARE_NO_NODE)
        node = nodes[node].parent;
    return (nodes[node].roles & start) == start;
}

/* Whether the node is of the file that was preprocessed. */
static bool is_main(const pare_dependency *graph, uint32_t node)
{
    return pare_dependency_nodes(graph)[node].roles & PARE_OUTLINE_MAIN;
}

/* What each of the nodes of that file is doubted by at first: so much that half of them can go
 * is as likely as not.  Of n nodes with the doubt d, a group of n / 2 can go with the
 * probability (1 - d) ^ (n / 2), which is set to 0.5. */
static double first_main_doubt(const pare_dependency *graph)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        n += is_main(graph, i);
    return n ? 1 - pow(0.5, 2.0 / n) : 0;
}

/* Doubts that were learned before are forgotten, with all that is known of groups. */
pare_status pare_deletions_begin(pare_deletions *deletions, const pare_dependency *graph,
                                 const uint32_t *suspects, size_t n, pare_error *err)
{
    uint32_t n_nodes = pare_dependency_count(graph);
    void *items;
    pare_deletions_done(deletions);
    pare_status status =
        pare_deletions_blame_new_list(n_nodes, sizeof(double), &deletions->doubts, &items, err);
    if (status) return status;
    double *doubts = items;
    const double main_doubt = first_main_doubt(graph);
    for (uint32_t i = 0; i < n_nodes; i++)
        doubts[i] = is_start(graph, i) ? START_DOUBT : is_main(graph, i) ? main_doubt : FIRST_DOUBT;
    for (size_t i = 0; i < n; i++) {
        doubts[suspects[i]] = SUSPECT_DOUBT;
        if (i < PARE_DELETIONS_MOST_SUSPECTS)
            deletions->suspects[deletions->n_suspects++] = suspects[i];
    }
    deletions->scale = 1;
    return PARE_OK;
}

/* If all reports are at one node, that is the failure; of several nodes each may be there
 * because of another. */
pare_status pare_deletions_hold(pare_deletions *deletions, const pare_dependency *graph,
                                const uint32_t *nodes, size_t n, pare_error *err)
{
    const size_t n_nodes = pare_dependency_count(graph);
    void *items;
    pare_status status = pare_shared_own(&deletions->doubts, n_nodes, n_nodes, &items, err);
    if (status) return status;
    double *doubts = items, doubt = ONLY_DOUBT;
    for (size_t i = 1; i < n; i++)
        if (nodes[i] != nodes[0]) doubt = REPORTED_DOUBT;
    for (size_t i = 0; i < n; i++)
        if (doubts[nodes[i]] < doubt) doubts[nodes[i]] = doubt;
    return PARE_OK;
}

pare_status pare_deletions_need(pare_deletions *deletions, const pare_dependency *graph,
                                const pare_dependency_bits *set, uint32_t node, pare_error *err)
{
    uint32_t n_nodes = pare_dependency_count(graph);
    void *items;
    pare_status status = pare_shared_own(&deletions->doubts, n_nodes, n_nodes, &items, err);
    if (status) return status;
    double *doubts = items;
    for (uint32_t k = node; k < pare_dependency_nodes(graph)[node].after; k++)
        if (pare_dependency_has(set, k)) doubts[k] = 1;
    return PARE_OK;
}

/* The body's statements keep their doubts, since they are looked at as nodes of their own. */
pare_status pare_deletions_need_function(pare_deletions *deletions, const pare_dependency *graph,
                                         uint32_t function, pare_error *err)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    const uint32_t n_nodes = pare_dependency_count(graph);
    void *items;
    pare_status status = pare_shared_own(&deletions->doubts, n_nodes, n_nodes, &items, err);
    if (status) return status;
    double *doubts = items;
    doubts[function] = 1;
    for (uint32_t k = function + 1; k < nodes[function].after; k = nodes[k].after)
        if (nodes[k].roles & PARE_OUTLINE_BODY) doubts[k] = 1;
    return PARE_OK;
}

/* --- looking at nodes --------------------------------------------------------------------- */

/* What is worked out for one set. */
struct looking {
    pare_deletions *deletions;
    const pare_deletions_view *view;
    const double *doubts;
    pare_dependency_bits *left, *kept; /* owned */
    pare_dependency_bits *looked;      /* owned; nodes that were looked at */
    size_t n_words;
    pare_error *err;
};

/* What is left of the set without the nodes and what needs them: `left`; and of that what the
 * roots need: `kept`.  Two steps, because dropping goes against the edges and closing along
 * them.  Where no roots are left, or none are known and it is not known either where the program
 * starts, nothing tells what is unused, and all that is left is kept. */
static pare_status drop(const struct looking *self, const uint32_t *nodes, size_t n,
                        pare_dependency_bits *left, pare_dependency_bits *kept)
{
    const pare_deletions_view *view = self->view;
    pare_dependency_query query = *view->query;
    size_t n_roots = 0;
    memcpy(left, query.within, self->n_words * sizeof *left);
    pare_status status = pare_dependency_drop(view->graph, &query, nodes, n, left, self->err);
    if (status) return status;
    memset(kept, 0, self->n_words * sizeof *kept);
    for (size_t i = 0; i < view->n_roots; i++) {
        if (!pare_dependency_has(left, view->roots[i])) continue;
        pare_dependency_add(kept, view->roots[i]);
        n_roots++;
    }
    if (!n_roots && !view->entry) {
        memcpy(kept, left, self->n_words * sizeof *kept);
        return PARE_OK;
    }
    query.within = left;
    query.without = NULL;
    return pare_dependency_close(view->graph, &query, kept, self->err);
}

pare_status pare_deletions_without(const pare_deletions_view *view, const uint32_t *nodes, size_t n,
                                   pare_dependency_bits *kept, pare_error *err)
{
    struct looking self = {
        .view = view, .n_words = pare_dependency_set_size(view->graph), .err = err};
    self.left = pare_alloc(self.n_words, sizeof *self.left);
    pare_status status = self.left ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = drop(&self, nodes, n, self.left, kept);
    pare_alloc_free(self.left);
    return status;
}

/* The doubt by the scale of all.  After groups that went the scale is below 1: nodes are needed
 * less often than thought; but a large doubt is not lessened by that, as such nodes were left
 * out of the groups for a reason.  After vain groups it may be above 1, but makes no doubt
 * greater than MOST_DOUBT, or nothing would ever be tried. */
static double scaled(const struct looking *self, double doubt)
{
    if (doubt >= SUSPECT_DOUBT && self->deletions->scale < 1) return doubt;
    const double by_scale = doubt * self->deletions->scale;
    if (by_scale < MOST_DOUBT) return by_scale;
    return doubt > MOST_DOUBT ? doubt : MOST_DOUBT;
}

/* How hopeful it is by the doubts about its nodes that all that is not in `left` can go: they
 * count as independent, so the product of what speaks for each.  Nodes of which nothing was
 * learned count only if `all`; elsewhere hope_by_gain stands for them.  A word of the set at a
 * time; ends at the first node that is known to be needed, with 0. */
static double hope_of(const struct looking *self, bool all)
{
    const pare_dependency_bits *within = self->view->query->within;
    uint32_t n_nodes = pare_dependency_count(self->view->graph);
    double hope = 1;
    for (uint32_t word = 0; word <= (n_nodes - 1) / 64 && hope > 0; word++) {
        pare_dependency_bits gone = within[word] & ~self->left[word];
        for (; gone && hope > 0; gone &= gone - 1) {
            /* Facts follow the nodes in the same word. */
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(gone);
            if (node >= n_nodes) break;
            double doubt = self->doubts[node];
            if (all || doubt > FIRST_DOUBT || is_main(self->view->graph, node))
                hope *= doubt < 1 ? 1 - scaled(self, doubt) : 0;
        }
    }
    return hope;
}

/* How hopeful it is that `gain` bytes can go with the node, by what is known of others like it: in programs that are
 * compiled, of what removes 100 bytes one in ten is needed, of what removes 10,000 one in two; of types and
 * classes in a class more. */
static double hope_by_gain(const struct looking *self, uint32_t node, size_t gain)
{
    const uint32_t roles = pare_dependency_nodes(self->view->graph)[node].roles;
    const uint32_t code = PARE_OUTLINE_FUNCTION | PARE_OUTLINE_MAKES | PARE_OUTLINE_DATA;
    double odds = sqrt((double)gain) / 100 * self->deletions->scale;
    if (roles & PARE_OUTLINE_BASES && pare_dependency_nodes(self->view->graph)[node].rest)
        odds *= 4;
    if (roles & PARE_OUTLINE_MEMBER && !(roles & code)) odds *= 3;
    return 1 / (1 + odds);
}

/* Whether all nodes of `set` are in `other`. */
static bool is_subset(const pare_dependency_bits *set, const pare_dependency_bits *other, size_t n)
{
    size_t i = 0;
    while (i < n && !(set[i] & ~other[i]))
        i++;
    return i == n;
}

/* Whether the set is part of one that was not enough: with less, a failure that needs what is
 * missing there needs it still. It is a doubt, no proof, as the text that is left out may have
 * hidden the failure. */
static bool is_vain(const struct looking *self, const pare_dependency_bits *set)
{
    const size_t n = pare_deletions_blame_words(self->view->graph);
    for (size_t i = 0; i < PARE_DELETIONS_MOST_VAIN && self->deletions->vain[i]; i++)
        if (is_subset(set, pare_shared_items(self->deletions->vain[i]), n)) return true;
    return false;
}

/* Whether what the program starts with goes, all of it: of one that is run nothing runs then. */
static bool ends_start(const struct looking *self)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->view->graph);
    const uint32_t n = pare_dependency_count(self->view->graph);
    bool any = false;
    if (!self->view->entry || !pare_dependency_runs(self->view->graph)) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!(nodes[i].roles & PARE_OUTLINE_ENTRY)) continue;
        if (pare_dependency_has(self->kept, i)) return false;
        any = any || pare_dependency_has(self->view->query->within, i);
    }
    return any;
}

/* The part of the nodes of the file that was preprocessed which is not in `left`, 0 .. 1. */
static double main_share(const struct looking *self)
{
    const pare_dependency_bits *within = self->view->query->within;
    size_t n = 0, n_gone = 0;
    for (uint32_t i = 0; i < pare_dependency_count(self->view->graph); i++) {
        if (!is_main(self->view->graph, i) || !pare_dependency_has(within, i)) continue;
        n++;
        n_gone += !pare_dependency_has(self->left, i);
    }
    return n ? (double)n_gone / (double)n : 0;
}

/* Sets *choice, only on success, and leaves what is left without it in self->kept.  O(graph), which is what a look
 * costs. */
static pare_status look_at(const struct looking *self, uint32_t node, struct choice *choice)
{
    pare_status status = drop(self, &node, 1, self->left, self->kept);
    if (status) return status;
    size_t bytes = pare_dependency_print_size(self->view->graph, self->kept);
    size_t gain = bytes < self->view->bytes ? self->view->bytes - bytes : 0;
    /* What several of its parts need goes with the last of them: each is counted for its share of all. */
    if (self->view->only_main && gain) gain += (size_t)((double)bytes * main_share(self));
    const bool runs = pare_dependency_runs(self->view->graph);
    const double hope =
        hope_of(self, runs) *
        (runs || is_main(self->view->graph, node) ? 1 : hope_by_gain(self, node, gain));
    *choice = (struct choice){.node = node, .doubt = 1 - hope, .gain = gain};
    if (choice->doubt < VAIN_DOUBT && (is_vain(self, self->kept) || ends_start(self)))
        choice->doubt = VAIN_DOUBT;
    return PARE_OK;
}

/* Whether the node may be chosen: what is only there for what it holds goes with it. */
static bool may_go(const struct looking *self, uint32_t node)
{
    uint32_t roles = pare_dependency_nodes(self->view->graph)[node].roles;
    const pare_dependency_bits *only = self->view->query->only;
    if (self->view->only_main && !(roles & PARE_OUTLINE_MAIN)) return false;
    if (self->view->linked && only && roles & PARE_OUTLINE_BODY && pare_dependency_has(only, node))
        return false;
    return pare_dependency_has(self->view->query->within, node) && self->doubts[node] < 1 &&
           !(roles & (PARE_OUTLINE_SHELL | PARE_OUTLINE_FOLLOWS));
}

/* Where choices are written, and what is left without each. */
struct looks {
    struct choice *choices;
    pare_dependency_bits *sets, *drops;
};

/* Looks at the node, and makes it a choice if anything speaks for that: it removes some bytes,
 * and is not known to be needed.  `sets` and `drops` have a row of words for each choice; rows
 * of nodes that became none are written over. */
static pare_status look_once(struct looking *self, uint32_t node, const struct looks *looks)
{
    const size_t at = self->deletions->n_choices, n = pare_deletions_blame_words(self->view->graph);
    struct choice *choice = &looks->choices[at];
    pare_status status = look_at(self, node, choice);
    if (!status && choice->gain && choice->doubt < 1) {
        const pare_dependency_bits *within = self->view->query->within;
        memcpy(looks->sets + at * n, self->kept, n * sizeof *looks->sets);
        for (size_t k = 0; k < n; k++)
            looks->drops[at * n + k] = within[k] & ~self->left[k];
        pare_deletions_blame_drop_facts(self->view->graph, looks->drops + at * n);
        self->deletions->n_choices++;
    }
    pare_dependency_add(self->looked, node);
    return status;
}

/* A node and the bytes of it, with what is in it, that are left. */
struct sized {
    uint32_t bytes, node;
};

/* For qsort: the largest first, of equals the last. */
static int by_bytes(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->node > y->node ? -1 : x->node < y->node;
}

/* Looks at `most` of the nodes of which most bytes are left: a node's gain is at least that.
 * One pass from the rear sums the bytes: a node has its own, less what is gone of what it holds,
 * and children come after their parents. */
static pare_status look_at_largest(struct looking *self, size_t most, const struct looks *looks)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->view->graph);
    uint32_t n = pare_dependency_count(self->view->graph), n_open = 0;
    struct sized *sized = pare_alloc(n, sizeof *sized);
    uint32_t *left = pare_alloc_zero(n, sizeof *left);
    pare_status status = sized && left ? PARE_OK : pare_fail_nomem(self->err);
    for (uint32_t i = n; !status && i-- > 0;) {
        const uint32_t size = nodes[i].end - nodes[i].begin;
        const bool has = pare_dependency_has(self->view->query->within, i);
        /* What its parts have lost was taken from it already, modulo 2^32. */
        left[i] = has ? left[i] + size : 0;
        if (nodes[i].parent != PARE_NO_NODE) left[nodes[i].parent] += left[i] - size;
        if (may_go(self, i)) sized[n_open++] = (struct sized){left[i], i};
    }
    if (!status) qsort(sized, n_open, sizeof *sized, by_bytes);
    for (uint32_t i = 0; !status && i < n_open && i < most; i++)
        status = look_once(self, sized[i].node, looks);
    pare_alloc_free(sized);
    pare_alloc_free(left);
    return status;
}

/* Looks at nodes from the rear on: at all, or, so that a large graph takes no longer than a
 * small one, at the largest and at every so many; at others of these after the next change of
 * the set (n_looks moves the offset).  A look is O(graph), so their number falls with its size:
 * LOOK_NODES in all, but between LEAST_LOOKS and MOST_LOOKS. */
static pare_status look(struct looking *self)
{
    uint32_t n = pare_dependency_count(self->view->graph), n_open = 0, passed = 0;
    size_t most = LOOK_NODES / (n + 1);
    if (most > MOST_LOOKS) most = MOST_LOOKS;
    if (most < LEAST_LOOKS) most = LEAST_LOOKS;
    for (uint32_t i = 0; i < n; i++)
        n_open += may_go(self, i);
    uint32_t stride = n_open / (uint32_t)most + 1, offset = self->deletions->n_looks++ % stride;
    const size_t largest = stride > 1 ? most / 2 : 0;
    const size_t set_bytes =
        pare_deletions_blame_words(self->view->graph) * sizeof(pare_dependency_bits);
    void *items = NULL, *sets = NULL, *drops = NULL;
    pare_status status =
        pare_deletions_blame_new_list(most, set_bytes, &self->deletions->sets, &sets, self->err);
    if (!status)
        status = pare_deletions_blame_new_list(most, set_bytes, &self->deletions->drops, &drops,
                                               self->err);
    if (!status)
        status = pare_deletions_blame_new_list(most, sizeof(struct choice),
                                               &self->deletions->choices, &items, self->err);
    const struct looks looks = {.choices = items, .sets = sets, .drops = drops};
    self->deletions->n_choices = 0;
    memset(self->looked, 0, self->n_words * sizeof *self->looked);
    if (!status && largest) status = look_at_largest(self, largest, &looks);
    for (uint32_t i = n; !status && i-- > 0;) {
        if (!may_go(self, i) || passed++ % stride != offset) continue;
        if (self->deletions->n_choices == most) break;
        if (!pare_dependency_has(self->looked, i)) status = look_once(self, i, &looks);
    }
    return status;
}

/* --- groups ------------------------------------------------------------------------------- */

/* A choice and how soon it is worth taking. */
struct ranked {
    double ratio;
    uint32_t place;
};

/* For qsort: the largest ratio first, of equals the first. */
static int by_ratio(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->ratio != y->ratio) return x->ratio > y->ratio ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The doubt about a choice by now: outcomes of groups that it was in may have raised it, and `blame`, by what went with
 * others in vain. */
static double doubt_now(const struct looking *self, const struct choice *choice, double blame)
{
    const double own = self->doubts[choice->node];
    const double doubt = own > choice->doubt ? own : choice->doubt;
    return 1 - (1 - doubt) * (1 - blame);
}

/* How much each choice is blamed for what went with others in vain. */
static pare_status find_blames(const struct looking *self, double *blames)
{
    const pare_deletions *deletions = self->deletions;
    const pare_deletions_blame_view view = {.graph = self->view->graph,
                                            .within = self->view->query->within,
                                            .sets = pare_shared_items(deletions->sets),
                                            .drops = pare_shared_items(deletions->drops),
                                            .n = deletions->n_choices};
    return pare_deletions_blame_choices(&deletions->blame, &view, blames, self->err);
}

/* Takes choices in the order of their ratios of gain to odds as long as that raises what is
 * expected.  Let G be the gain of the group so far and H its hope; a choice with gain g and
 * doubt d makes of G * H the value (G + g) * H * (1 - d), which is more if and only if g * (1 -
 * d) / d > G: that is the ratio.  So the first choice whose ratio is not above the gain ends the
 * group.  Gains may overlap, so the sum is cut off at the size of the text. */
static pare_status choose(struct looking *self, double *expected)
{
    pare_deletions *deletions = self->deletions;
    const struct choice *choices = pare_shared_items(deletions->choices);
    size_t n = deletions->n_choices;
    struct ranked *ranked = pare_alloc(n, sizeof *ranked);
    double *blames = pare_alloc(n, sizeof *blames);
    double gain = 0, hope = 1;
    void *items = NULL;
    pare_shared_release(deletions->chosen);
    deletions->chosen = NULL;
    deletions->n_chosen = 0;
    *expected = 0;
    pare_status status = ranked && blames ? PARE_OK : pare_fail_nomem(self->err);
    if (!status) status = find_blames(self, blames);
    if (!status)
        status = pare_deletions_blame_new_list(n, sizeof(uint32_t), &deletions->chosen, &items,
                                               self->err);
    uint32_t *chosen = items;
    for (size_t i = 0; !status && i < n; i++) {
        double doubt = doubt_now(self, &choices[i], blames[i]);
        /* The small summand keeps choices without any doubt finite. */
        double ratio = doubt < 1 ? (double)choices[i].gain * (1 - doubt) / (doubt + 1e-9) : 0;
        ranked[i] = (struct ranked){ratio, (uint32_t)i};
    }
    if (!status) qsort(ranked, n, sizeof *ranked, by_ratio);
    for (size_t i = 0; !status && i < n && ranked[i].ratio > gain; i++) {
        const struct choice *choice = &choices[ranked[i].place];
        gain += (double)choice->gain;
        hope *= 1 - doubt_now(self, choice, blames[ranked[i].place]);
        chosen[deletions->n_chosen++] = choice->node;
    }
    *expected = (gain < (double)self->view->bytes ? gain : (double)self->view->bytes) * hope;
    pare_alloc_free(ranked);
    pare_alloc_free(blames);
    return status;
}

/* Notes what goes with the chosen because it cannot do without them. */
static pare_status note_gone(const struct looking *self)
{
    const pare_dependency_bits *within = self->view->query->within;
    pare_dependency_bits *gone = NULL;
    pare_shared_release(self->deletions->gone);
    pare_status status =
        pare_dependency_new_set(self->view->graph, &self->deletions->gone, &gone, self->err);
    for (size_t i = 0; !status && i < pare_deletions_blame_words(self->view->graph); i++)
        gone[i] = within[i] & ~self->left[i];
    return status;
}

/* Looks at the set, unless that was done (pare_deletions_look_again undoes it), and makes of `kept` what is
 * left without the group that is chosen; nothing if the group is empty. */
pare_status pare_deletions_choose(pare_deletions *deletions, const pare_deletions_view *view,
                                  pare_dependency_bits *kept, double *expected, pare_error *err)
{
    struct looking self = {.deletions = deletions,
                           .view = view,
                           .doubts = pare_shared_items(deletions->doubts),
                           .n_words = pare_dependency_set_size(view->graph),
                           .err = err};
    assert(view->query->within);
    *expected = 0;
    self.left = pare_alloc(self.n_words, sizeof *self.left);
    self.kept = pare_alloc(self.n_words, sizeof *self.kept);
    self.looked = pare_alloc(self.n_words, sizeof *self.looked);
    pare_status status = self.left && self.kept && self.looked ? PARE_OK : pare_fail_nomem(err);
    if (!status && !deletions->choices) status = look(&self);
    if (!status) status = choose(&self, expected);
    if (!status && deletions->n_chosen)
        status =
            drop(&self, pare_shared_items(deletions->chosen), deletions->n_chosen, self.left, kept);
    if (!status && deletions->n_chosen) status = note_gone(&self);
    pare_alloc_free(self.left);
    pare_alloc_free(self.kept);
    pare_alloc_free(self.looked);
    return status;
}

/* --- what is beside suspects -------------------------------------------------------------- */

/* What is worked out while it is found. */
struct neighbours {
    const pare_deletions_view *view;
    const pare_dependency_node *nodes;
    uint32_t n_nodes;
    const uint32_t *suspects;
    size_t n_suspects;
    pare_dependency_bits *set, *all; /* owned */
    pare_dependency_bits *beside;
    pare_error *err;
};

/* Whether a suspect is in the node; with `piece`, one that is a statement or the like below it,
 * and not the node itself. */
static bool holds_suspect(const struct neighbours *self, uint32_t node, bool piece)
{
    for (size_t i = 0; i < self->n_suspects; i++) {
        uint32_t suspect = self->suspects[i];
        if (suspect < node || suspect >= self->nodes[node].after) continue;
        if (!piece || (suspect != node && self->nodes[suspect].roles & PARE_OUTLINE_PIECE))
            return true;
    }
    return false;
}

/* Whether the node is a statement of a block in which the compiler was at a statement. */
static bool is_neighbour(const struct neighbours *self, uint32_t node)
{
    uint32_t parent = self->nodes[node].parent;
    return self->nodes[node].roles & PARE_OUTLINE_PIECE && parent != PARE_NO_NODE &&
           self->nodes[parent].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE) &&
           holds_suspect(self, parent, true);
}

/* Adds the node to the set, or takes it out, with what is in it. */
static void set_node(const struct neighbours *self, pare_dependency_bits *set, uint32_t node,
                     bool in)
{
    for (uint32_t i = node; i < self->nodes[node].after; i++)
        if (in)
            pare_dependency_add(set, i);
        else
            pare_dependency_remove(set, i);
}

/* The suspects that the closure of the node reaches without going into `all` (all neighbours):
 * bits by their places, for which 32 are enough (PARE_DELETIONS_MOST_SUSPECTS). */
static pare_status reach(const struct neighbours *self, uint32_t node, uint32_t *reached)
{
    pare_dependency_query query = *self->view->query;
    query.without = self->all;
    memset(self->set, 0, pare_dependency_set_size(self->view->graph) * sizeof *self->set);
    pare_dependency_add(self->set, node);
    *reached = 0;
    pare_status status = pare_dependency_close(self->view->graph, &query, self->set, self->err);
    for (size_t i = 0; !status && i < self->n_suspects; i++)
        if (pare_dependency_has(self->set, self->suspects[i])) *reached |= UINT32_C(1) << i;
    return status;
}

/* Puts the statement into `beside`, or leaves it out because it leads to a suspect that its
 * block itself does not reach: then it names that one.  For that question alone it is taken out
 * of `all`, and put back. */
static pare_status keep_leading(const struct neighbours *self, uint32_t node)
{
    uint32_t own = 0, around = 0;
    pare_status status = reach(self, self->nodes[node].parent, &around);
    set_node(self, self->all, node, false);
    if (!status) status = reach(self, node, &own);
    set_node(self, self->all, node, true);
    set_node(self, self->beside, node, !(own & ~around));
    return status;
}

/* Takes the node out of `beside` if what stays needs it: without it a suspect would go, or a neighbour. */
static pare_status keep_needed(const struct neighbours *self, uint32_t node)
{
    const pare_deletions_view *view = self->view;
    memcpy(self->set, view->query->within,
           pare_dependency_set_size(view->graph) * sizeof *self->set);
    pare_status status =
        pare_dependency_drop(view->graph, view->query, &node, 1, self->set, self->err);
    bool needed = false;
    for (uint32_t i = 0; !status && i < self->n_nodes && !needed; i++) {
        /* Parts of a statement that stays do so, too: what a variable is made from. */
        const bool part = self->nodes[i].roles & PARE_OUTLINE_PIECE;
        bool stays = pare_dependency_has(self->all, i) && !pare_dependency_has(self->beside, i);
        needed = stays && part && !pare_dependency_has(self->set, i);
    }
    for (size_t i = 0; !status && i < self->n_suspects; i++)
        needed = needed || !pare_dependency_has(self->set, self->suspects[i]);
    if (needed) set_node(self, self->beside, node, false);
    return status;
}

/* First all neighbours, then those that lead nowhere, then of these those that nothing which
 * stays needs.  Later statements need earlier ones, so in the last step the last go first.  With
 * more than MOST_NEIGHBOURS nothing is beside: each costs closures of the whole graph. */
static pare_status find_beside(const struct neighbours *self, bool *any)
{
    enum { MOST_NEIGHBOURS = 100 };
    uint32_t n = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < self->n_nodes; i++) {
        if (!is_neighbour(self, i)) continue;
        set_node(self, self->all, i, true);
        n++;
    }
    if (n > MOST_NEIGHBOURS) return PARE_OK;
    for (uint32_t i = 0; !status && i < self->n_nodes; i++)
        if (is_neighbour(self, i) && !holds_suspect(self, i, false)) status = keep_leading(self, i);
    for (uint32_t i = self->n_nodes; !status && i-- > 0;) {
        if (!is_neighbour(self, i) || !pare_dependency_has(self->beside, i)) continue;
        status = keep_needed(self, i);
        *any = *any || pare_dependency_has(self->beside, i);
    }
    return status;
}

pare_status pare_deletions_beside(const pare_deletions_view *view, const uint32_t *suspects,
                                  size_t n, pare_dependency_bits *beside, bool *any,
                                  pare_error *err)
{
    const size_t n_words = pare_dependency_set_size(view->graph);
    struct neighbours self = {.view = view,
                              .nodes = pare_dependency_nodes(view->graph),
                              .n_nodes = pare_dependency_count(view->graph),
                              .suspects = suspects,
                              .n_suspects = n,
                              .set = pare_alloc_zero(n_words, sizeof *self.set),
                              .all = pare_alloc_zero(n_words, sizeof *self.all),
                              .beside = beside,
                              .err = err};
    assert(n <= PARE_DELETIONS_MOST_SUSPECTS);
    *any = false;
    pare_status status = self.set && self.all ? find_beside(&self, any) : pare_fail_nomem(err);
    pare_alloc_free(self.set);
    pare_alloc_free(self.all);
    return status;
}

/* --- outcomes ----------------------------------------------------------------------------- */

/* The doubt about a node that was chosen: its own, or that of its choice, with its dependents,
 * whichever is more. */
static double chosen_doubt(const pare_deletions *deletions, const double *doubts, uint32_t node)
{
    const struct choice *choices = pare_shared_items(deletions->choices);
    for (size_t i = 0; i < deletions->n_choices; i++)
        if (choices[i].node == node)
            return doubts[node] > choices[i].doubt ? doubts[node] : choices[i].doubt;
    return doubts[node];
}

/* At least one of those that were chosen is needed: by Bayes' rule the doubt about each is
 * divided by the probability that not all of them can go.  Two nodes with doubts of 0.1 have 0.1
 * / 0.19, about 0.53, afterwards.  A single node is needed for certain. */
static void blame(const pare_deletions *deletions, double *doubts)
{
    const uint32_t *chosen = pare_shared_items(deletions->chosen);
    double hope = 1;
    if (deletions->n_chosen == 1) {
        doubts[chosen[0]] = 1;
        return;
    }
    for (size_t i = 0; i < deletions->n_chosen; i++)
        hope *= 1 - chosen_doubt(deletions, doubts, chosen[i]);
    for (size_t i = 0; i < deletions->n_chosen; i++) {
        double doubt = chosen_doubt(deletions, doubts, chosen[i]) / (1 - hope);
        /* Below 1, or it could never be tried alone. */
        doubts[chosen[i]] = doubt < 0.98 ? doubt : 0.98;
    }
}

/* The set compiles and is not enough: of the suspects that are not in it one is likely to be
 * needed.  The more there are, the less it is known which: the hope for each shrinks by the n-th
 * root of what it would for one.  Those that have an error are blamed in full. */
static void blame_suspects(const pare_deletions *deletions, double *doubts,
                           const pare_dependency_bits *vain)
{
    unsigned n_gone = 0;
    for (size_t k = 0; k < deletions->n_suspects; k++)
        n_gone += !pare_dependency_has(vain, deletions->suspects[k]);
    for (size_t k = 0; k < deletions->n_suspects; k++) {
        double *doubt = &doubts[deletions->suspects[k]];
        const bool reported = *doubt >= REPORTED_DOUBT;
        if (pare_dependency_has(vain, deletions->suspects[k])) continue;
        *doubt = 1 - (1 - *doubt) * (reported ? REPORTED_VAIN : pow(SUSPECT_VAIN, 1.0 / n_gone));
    }
}

/* The set is not enough: choices that leave no more than a part of it are hardly worth a test.
 * The last PARE_DELETIONS_MOST_VAIN sets are kept, in a ring. */
static pare_status learn_vain(pare_deletions *deletions, const pare_dependency *graph,
                              pare_shared *vain, pare_error *err)
{
    pare_shared **place = &deletions->vain[deletions->n_vain++ % PARE_DELETIONS_MOST_VAIN];
    const size_t n = pare_deletions_blame_words(graph);
    void *items;
    pare_shared_release(*place);
    *place = vain;
    pare_shared_retain(vain);
    if (!deletions->choices) return PARE_OK;
    pare_status status = pare_shared_own(&deletions->choices, deletions->n_choices,
                                         deletions->n_choices, &items, err);
    if (status) return status;
    struct choice *choices = items;
    const pare_dependency_bits *sets = pare_shared_items(deletions->sets);
    for (size_t i = 0; i < deletions->n_choices; i++)
        if (choices[i].doubt < VAIN_DOUBT && is_subset(sets + i * n, pare_shared_items(vain), n))
            choices[i].doubt = VAIN_DOUBT;
    return PARE_OK;
}

/* After a group went, the set is another one, and is looked at again; after one that did not,
 * doubts have changed, but gains have not, so the same choices are ranked anew.  Of a program
 * that is run the scale changes the doubt of each choice, so those are looked at again, too. */
pare_status pare_deletions_tell(pare_deletions *deletions, const pare_dependency *graph,
                                bool failed, pare_shared *vain, pare_error *err)
{
    size_t n = pare_dependency_count(graph);
    void *items;
    if (!deletions->n_chosen) return PARE_OK;
    pare_status status = pare_shared_own(&deletions->doubts, n, n, &items, err);
    if (!status && !failed && vain) status = learn_vain(deletions, graph, vain, err);
    if (!status && !failed && vain && deletions->gone && !pare_dependency_runs(graph))
        status = pare_deletions_blame_gone(&deletions->blame, graph,
                                           pare_shared_items(deletions->gone), err);
    if (status) return status;
    if (!failed && vain) blame_suspects(deletions, items, pare_shared_items(vain));
    if (!failed) blame(deletions, items);
    const bool runs = pare_dependency_runs(graph);
    const double most = runs ? RUNS_MOST_SCALE : 1;
    deletions->scale *= failed ? AFTER_FAIL : runs ? RUNS_AFTER_PASS : AFTER_PASS;
    if (deletions->scale > most) deletions->scale = most;
    if (deletions->scale < LEAST_SCALE) deletions->scale = LEAST_SCALE;
    if (failed || runs) pare_deletions_look_again(deletions);
    return PARE_OK;
}
