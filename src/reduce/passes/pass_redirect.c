/* Passes over the graph of definitions: unused-definitions and redirect.
 *
 * The first removes what nothing leads to.  The second makes a use name another definition, so that
 * others are not needed.  Definitions (definitions.h) and the words that name them are a graph.  If one use of a name, those
 * in one definition, or all of them meant another name, some definitions would not be reached from
 * the rest of the text any more: they go in the same patch, while the one that was used may stay for
 * other uses.  Targets are what the used definition leads to itself, near and far, so that a whole
 * piece of a chain goes at once, or half of one whose end is needed; the definition that has the use and the one that uses that, which
 * closes a circle; and those beside the used one.  A target is of the same form: with parameters or
 * without, with a block or with a value.
 * A redirection that leaves nothing unreached is not offered, nor one by which only the redirected
 * definition goes (bypass has those), nor more than MOST_PATCHES: so a text without chains and
 * circles costs no test.
 * Invariant: what is not reached in the text as it is counts as used from outside and stays, unless
 * what is around it goes; every patch saves bytes.
 * Source: ours, after Vulcan's identifier replacement and the dependency graph of DRReduce.
 * Cost: no tests; O(uses * targets * (uses + definitions)), each bounded. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "reduce/passes/definitions.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

enum {
    MOST_LEXEMES = 20000,
    MOST_NODES = 384,
    MOST_USES = 2048,
    MOST_TARGETS = 14,
    MOST_FOUND = 4096,
    MOST_PATCHES = 24,
    WORD = 64 /* bits */
};

/* What is left of the suspicion of a definition when a set without it is expected to have failed. */
static const double CLEARED = 0.1;

/* How likely a call works that has another number of arguments than its target has parameters. */
static const double MISFIT = 0.25;

#define NONE UINT32_MAX

/* A definition. */
struct node {
    pare_extent name, all, cut;      /* cut: all with the white space that goes with it */
    uint32_t parent, child, sibling; /* the innermost definition around it; its first; the next */
    uint32_t named, same;            /* the first of this name; the next one */
    bool calls, block;
    bool sign; /* the name has a $ before it */
    bool root;
    uint32_t n_parameters;
};

/* A word that names a definition. */
struct use {
    pare_extent word;
    uint32_t owner, next; /* the innermost definition that has it; the next use in there */
    uint32_t named;       /* the first definition of that name */
};

/* Uses of the name `named` mean `target` (NONE: nothing): one use; or all, of one owner unless
 * that is NONE.  With `named` NONE all uses of an owner, whatever they mean. */
struct detour {
    uint32_t named, use, owner, target;
};

/* A detour that saves bytes. */
struct found {
    struct detour detour;
    int64_t gain;
    uint64_t cut[MOST_NODES / WORD]; /* definitions that go */
    bool taken, misfit;
};

struct graph {
    const pare_pass_view *view;
    struct node nodes[MOST_NODES];
    struct use uses[MOST_USES];
    uint32_t n_nodes, n_uses;
    bool signs;                              /* some definition has a $ before its name */
    uint32_t first_use[MOST_NODES], outside; /* of a definition; of none */
    bool wanted[MOST_NODES], live[MOST_NODES];
    uint32_t stack[MOST_NODES], n_stack;
    struct found found[MOST_FOUND];
    uint32_t n_found;
};

/* ---- definitions and uses ----------------------------------------------------------------- */

/* Whether both are the same bytes. Names are compared as they are written. */
static bool is_same(const pare_pass_view *view, pare_extent a, pare_extent b)
{
    return a.to - a.from == b.to - b.from &&
           memcmp(view->bytes + a.from, view->bytes + b.from, a.to - a.from) == 0;
}

/* The innermost definition around bytes from .. to, but for `but`. NONE: it is in none. Cost:
 * O(definitions), as is that of the searches below. */
static uint32_t find_owner(const struct graph *graph, pare_extent what, uint32_t but)
{
    uint32_t owner = NONE;
    size_t size = SIZE_MAX;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const pare_extent all = graph->nodes[i].all;
        /* As large as the best so far is not inside of it. */
        if (i == but || all.from > what.from || all.to < what.to || all.to - all.from >= size)
            continue;
        owner = i;
        size = all.to - all.from;
    }
    return owner;
}

/* Whether a $ stands before the name. */
static bool has_sign(const pare_pass_view *view, pare_extent name)
{
    return name.from > view->begin && view->bytes[name.from - 1] == '$';
}

/* The first definition of that name; NONE: it has none.  Where variables are defined with their $, as
 * in PHP, what is defined without one is another name; in a shell only uses have it. */
static uint32_t find_named(const struct graph *graph, pare_extent name)
{
    const bool sign = graph->signs && has_sign(graph->view, name);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].named == i && graph->nodes[i].sign == sign &&
            is_same(graph->view, graph->nodes[i].name, name))
            return i;
    return NONE;
}

/* Whether a definition has its name there. */
static bool is_declared_at(const struct graph *graph, size_t from)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].name.from == from) return true;
    return false;
}

/* Whether the bytes are in a function that was added. */
static bool is_in_function(const struct graph *graph, pare_extent all)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct node *node = &graph->nodes[i];
        if (node->block && node->calls && node->all.from < all.from && node->all.to >= all.to)
            return true;
    }
    return false;
}

/* Parameters in the brackets: what commas separate on their level. Examples: "()" has 0, "(a,
 * f(b, c))" 2. */
static uint32_t count_parameters(const pare_pass_view *view, uint32_t open)
{
    if (open == PARE_NO_LEXEME) return 0;
    const uint32_t close = view->lexemes.at[open].partner;
    uint32_t n = close > open + 1;
    for (uint32_t i = open + 1; i < close; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        n += pare_pass_lexeme_is(view, i, ",");
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
    }
    return n;
}

/* Adds the likeliest readings of definitions as nodes, as far as there is room.  Of two that begin in one
 * place the first is meant, and the name of the other is a use, as in `rule: name { action }`.  A
 * value or a line inside a function is a part of it: what names it is seldom in the way, and there are
 * many. Definitions of one name are linked by `same`, beginning with the first, whose number is
 * `named` of all. */
static void add_nodes(struct graph *graph, const pare_definitions *all)
{
    size_t last = SIZE_MAX;
    const pare_pass_view *view = graph->view;
    /* One sign is enough to say that names are defined with theirs. */
    for (size_t i = 0; i < all->n && !graph->signs; i++)
        graph->signs = has_sign(view, pare_definition_name(view, all->at[i].name));
    for (size_t i = 0; i < all->n && graph->n_nodes < MOST_NODES; i++) {
        const pare_definition *one = &all->at[i];
        const pare_extent name = pare_definition_name(view, one->name);
        if (!one->first || name.from == name.to) continue;
        /* Another reading of the same place. */
        if (one->all.first == last) continue;
        last = one->all.first;
        const pare_extent extent = pare_terms_extent(view, one->all);
        if (one->parameters == PARE_NO_LEXEME && is_in_function(graph, extent)) continue;
        const uint32_t k = graph->n_nodes, named = find_named(graph, name);
        struct node *node = &graph->nodes[graph->n_nodes++];
        *node = (struct node){.name = name,
                              .all = extent,
                              .cut = pare_pass_extent(view, one->all.first, one->all.last),
                              .parent = NONE,
                              .child = NONE,
                              .sibling = NONE,
                              .named = named == NONE ? k : named,
                              .same = NONE,
                              .calls = one->parameters != PARE_NO_LEXEME,
                              .block = one->separator == PARE_NO_LEXEME,
                              .sign = has_sign(view, name),
                              .n_parameters = count_parameters(view, one->parameters)};
        if (named == NONE) continue;
        node->same = graph->nodes[named].same;
        graph->nodes[named].same = k;
    }
}

/* Which definition stands in which. */
static void nest_nodes(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct node *node = &graph->nodes[i];
        graph->first_use[i] = NONE;
        node->parent = find_owner(graph, node->all, i);
        if (node->parent == NONE) continue;
        node->sibling = graph->nodes[node->parent].child;
        graph->nodes[node->parent].child = i;
    }
}

/* Notes every word that names a definition, in strings, too; false: there are too many. Cost:
 * O(words * definitions). The name in its own definition is no use. */
static bool add_uses(struct graph *graph)
{
    const pare_pass_view *view = graph->view;
    pare_extent word;
    graph->outside = NONE;
    /* Bytes and not lexemes are gone through, as names may stand in strings. */
    for (size_t at = view->begin; at < view->end; at = word.to + 1) {
        while (at < view->end && !pare_definition_name_byte(view->bytes[at]))
            at++;
        word = (pare_extent){at, at};
        while (word.to < view->end && pare_definition_name_byte(view->bytes[word.to]))
            word.to++;
        const uint32_t named = word.to > at ? find_named(graph, word) : NONE;
        if (named == NONE || is_declared_at(graph, word.from)) continue;
        if (graph->n_uses == MOST_USES) return false;
        const uint32_t owner = find_owner(graph, word, NONE);
        uint32_t *first = owner == NONE ? &graph->outside : &graph->first_use[owner];
        graph->uses[graph->n_uses] =
            (struct use){.word = word, .owner = owner, .next = *first, .named = named};
        *first = graph->n_uses++;
    }
    return true;
}

/* ---- what is reached ---------------------------------------------------------------------- */

/* Whether both have parameters, a block and a sign, or neither. */
static bool is_alike(const struct node *a, const struct node *b)
{
    return a->calls == b->calls && a->block == b->block && a->sign == b->sign;
}

/* Whether the detour is about the use.
 *
 * Three kinds: all uses of one owner, whatever they name, if the target is of their form; one
 * use; all uses of a name, of one owner or of all. */
static bool takes(const struct detour *detour, const struct graph *graph, uint32_t use)
{
    const struct use *at = &graph->uses[use];
    if (detour->named == NONE)
        return at->owner == detour->owner &&
               (detour->target == NONE ||
                is_alike(&graph->nodes[at->named], &graph->nodes[detour->target]));
    if (at->named != detour->named) return false;
    if (detour->use != NONE) return detour->use == use;
    return detour->owner == NONE || detour->owner == at->owner;
}

/* A definition that is wanted is reached once what is around it is. It is put on the stack,
 * from which its own uses are followed. */
static void enter(struct graph *graph, uint32_t i)
{
    const uint32_t parent = graph->nodes[i].parent;
    /* It comes here again when what is around it is reached. */
    if (!graph->wanted[i] || graph->live[i] || (parent != NONE && !graph->live[parent])) return;
    graph->live[i] = true;
    graph->stack[graph->n_stack++] = i;
}

/* All definitions of a name. Which of them is meant is not known, so all are. */
static void want(struct graph *graph, uint32_t named)
{
    for (uint32_t i = named; i != NONE; i = graph->nodes[i].same) {
        graph->wanted[i] = true;
        enter(graph, i);
    }
}

/* Follows the uses, from `use` on, to the definitions that they may mean. */
static void follow(struct graph *graph, uint32_t use, const struct detour *detour)
{
    for (; use != NONE; use = graph->uses[use].next) {
        if (!detour || !takes(detour, graph, use))
            want(graph, graph->uses[use].named);
        else if (detour->target != NONE)
            want(graph, detour->target);
    }
}

/* Sets `live`: what is reached with the detour, which may be NULL.
 *
 * A search from the roots and from uses that stand in no definition. A definition within
 * another is only reached once that one is, also if something names it before: so children are
 * entered again. */
static void reach(struct graph *graph, const struct detour *detour)
{
    memset(graph->wanted, 0, sizeof graph->wanted);
    memset(graph->live, 0, sizeof graph->live);
    graph->n_stack = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (!graph->nodes[i].root) continue;
        graph->wanted[i] = true;
        enter(graph, i);
    }
    follow(graph, graph->outside, detour);
    while (graph->n_stack) {
        const uint32_t i = graph->stack[--graph->n_stack];
        follow(graph, graph->first_use[i], detour);
        for (uint32_t k = graph->nodes[i].child; k != NONE; k = graph->nodes[k].sibling)
            enter(graph, k);
    }
}

/* Definitions that nothing leads to must be used from outside: they are the roots. One after
 * the other: what one of them leads to is none. */
static void find_roots(struct graph *graph)
{
    reach(graph, NULL);
    for (uint32_t i = 0; i < graph->n_nodes && !pare_interrupt_asked(); i++) {
        if (graph->live[i]) continue;
        graph->nodes[i].root = true;
        reach(graph, NULL);
    }
}

/* Whether the search that was made last has not reached some definition. */
static bool is_any_left_out(const struct graph *graph)
{
    return memchr(graph->live, false, graph->n_nodes) != NULL;
}

/* ---- detours ------------------------------------------------------------------------------ */

/* Whether the definition goes, and none around it. Its patch is one cut; what is in it goes
 * with it. */
static bool is_cut(const struct graph *graph, uint32_t i)
{
    const uint32_t parent = graph->nodes[i].parent;
    return !graph->live[i] && (parent == NONE || graph->live[parent]);
}

/* Whether the use stays and means the target. */
static bool is_redirected(const struct graph *graph, const struct detour *detour, uint32_t use)
{
    const uint32_t owner = graph->uses[use].owner;
    return takes(detour, graph, use) && (owner == NONE || graph->live[owner]);
}

/* Bytes that the detour saves, at least; `live` is what it reaches. White space around what
 * goes is not counted, so it may be more. */
static int64_t gain_of(const struct graph *graph, const struct detour *detour)
{
    /* A detour to nothing is only made to see whether one could help. */
    assert(detour->target < graph->n_nodes && detour->target != detour->named);
    const pare_extent name = graph->nodes[detour->target].name;
    int64_t gain = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (is_cut(graph, i)) gain += (int64_t)(graph->nodes[i].all.to - graph->nodes[i].all.from);
    for (uint32_t i = 0; i < graph->n_uses; i++) {
        const pare_extent word = graph->uses[i].word;
        if (is_redirected(graph, detour, i))
            gain += (int64_t)(word.to - word.from) - (int64_t)(name.to - name.from);
    }
    return gain;
}

/* Whether the detour leaves out what it redirects all uses of, and nothing else: bypass does
 * that. Another pass offers those already. */
static bool is_bypass(const struct graph *graph, const struct detour *detour)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (is_cut(graph, i) && graph->nodes[i].named != detour->named) return false;
    return true;
}

/* Whether a detour of several uses is one of fewer: of those that stay there is only one, or all are
 * of one owner. It would be the same patch. */
static bool is_other_detour(const struct graph *graph, const struct detour *detour)
{
    uint32_t n = 0, first = NONE;
    bool owners = false;
    if (detour->use != NONE) return false;
    for (uint32_t i = 0; i < graph->n_uses; i++) {
        if (!is_redirected(graph, detour, i)) continue;
        if (!n++) first = i;
        owners = owners || graph->uses[i].owner != graph->uses[first].owner;
    }
    return n < 2 || (detour->owner == NONE && !owners && graph->uses[first].owner != NONE);
}

/* Names that a use may mean. */
struct targets {
    uint32_t at[MOST_TARGETS], n;
};

/* Adds a name that is another one, of the same form, and not listed yet; up to MOST_TARGETS. */
static void add_target(const struct graph *graph, struct targets *targets, uint32_t named,
                       uint32_t node)
{
    const struct node *used = &graph->nodes[named];
    if (node == NONE || targets->n == MOST_TARGETS) return;
    const uint32_t target = graph->nodes[node].named;
    if (target == named || !is_alike(&graph->nodes[node], used)) return;
    for (uint32_t i = 0; i < targets->n; i++)
        if (targets->at[i] == target) return;
    targets->at[targets->n++] = target;
}

/* Adds what the name leads to: the nearest two, the farthest three, and three between these.
 * The queue is in the order of distance, since the search goes in breadth. */
static void add_followers(const struct graph *graph, uint32_t named, struct targets *targets)
{
    uint32_t queue[MOST_NODES], n = 0;
    bool seen[MOST_NODES] = {false};
    queue[n++] = named;
    seen[named] = true;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t i = graph->first_use[queue[at]]; i != NONE; i = graph->uses[i].next) {
            const uint32_t next = graph->uses[i].named;
            if (!seen[next]) queue[n++] = next;
            seen[next] = true;
        }
    for (uint32_t i = 1; i < n && i <= 2; i++)
        add_target(graph, targets, named, queue[i]);
    /* Those that were added above are not listed twice: add_target sees to it. */
    for (uint32_t i = n; i-- > 3 && i + 3 >= n;)
        add_target(graph, targets, named, queue[i]);
    for (uint32_t quarter = 1; quarter < 4; quarter++)
        if (n > 8) add_target(graph, targets, named, queue[n / 4 * quarter]);
}

/* Adds the definitions that name themselves: a failure by depth needs one of them, and little else. */
static void add_circles(const struct graph *graph, uint32_t named, struct targets *targets)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint32_t k = graph->first_use[i]; k != NONE; k = graph->uses[k].next)
            if (graph->uses[k].named == graph->nodes[i].named) {
                add_target(graph, targets, named, i);
                break;
            }
}

/* Lists what the uses of the detour (`use` is one of them) may mean instead. Also the owner,
 * one that uses the owner, and the definitions after and before the used one. */
static void list_targets(const struct graph *graph, uint32_t use, struct targets *targets)
{
    const uint32_t named = graph->uses[use].named, owner = graph->uses[use].owner;
    add_followers(graph, named, targets);
    add_circles(graph, named, targets);
    add_target(graph, targets, named, owner);
    if (owner != NONE) {
        const uint32_t own = graph->nodes[owner].named;
        for (uint32_t i = 0; i < graph->n_uses; i++)
            if (graph->uses[i].named == own && graph->uses[i].owner != owner) {
                add_target(graph, targets, named, graph->uses[i].owner);
                break;
            }
    }
    add_target(graph, targets, named, named + 1 < graph->n_nodes ? named + 1 : NONE);
    add_target(graph, targets, named, named ? named - 1 : NONE);
}

/* Whether some use that the detour redirects is of a definition with another number of parameters. */
static bool is_misfit(const struct graph *graph, const struct detour *detour)
{
    const uint32_t n = graph->nodes[detour->target].n_parameters;
    if (detour->named != NONE) return graph->nodes[detour->named].n_parameters != n;
    for (uint32_t i = graph->first_use[detour->owner]; i != NONE; i = graph->uses[i].next)
        if (takes(detour, graph, i) && graph->nodes[graph->uses[i].named].n_parameters != n)
            return true;
    return false;
}

/* `live` is that of the detour: what it does not reach is cut. */
static void note_found(struct graph *graph, const struct detour *detour, int64_t gain)
{
    struct found *found = &graph->found[graph->n_found++];
    *found = (struct found){.detour = *detour, .gain = gain, .misfit = is_misfit(graph, detour)};
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        /* By now the marks are needed for the next search, so they are copied. */
        if (!graph->live[i]) found->cut[i / WORD] |= UINT64_C(1) << i % WORD;
}

/* Notes each target with which the detour saves bytes. Cost: one search for each target. */
static void try_targets(struct graph *graph, struct detour detour, const struct targets *targets)
{
    for (uint32_t i = 0; i < targets->n && graph->n_found < MOST_FOUND; i++) {
        detour.target = targets->at[i];
        reach(graph, &detour);
        const bool offers = is_any_left_out(graph) && !is_bypass(graph, &detour) &&
                            !is_other_detour(graph, &detour);
        const int64_t gain = offers ? gain_of(graph, &detour) : 0;
        if (gain > 0) note_found(graph, &detour, gain);
    }
}

/* Whether something is not reached when the detour leads to nothing: else no target helps. */
static bool leaves_out(struct graph *graph, struct detour *detour)
{
    detour->target = NONE;
    reach(graph, detour);
    return is_any_left_out(graph);
}

/* One kind of detour, with all targets of the use. */
static void try_detour(struct graph *graph, struct detour detour, uint32_t use)
{
    struct targets targets = {.n = 0};
    if (!leaves_out(graph, &detour)) return;
    list_targets(graph, use, &targets);
    try_targets(graph, detour, &targets);
}

/* All uses in a definition that uses several names: where many ways lead to one end, no single use is
 * missed. */
static void try_owner(struct graph *graph, uint32_t owner)
{
    struct detour detour = {NONE, NONE, owner, NONE};
    struct targets targets = {.n = 0};
    bool several = false;
    for (uint32_t i = graph->first_use[owner]; i != NONE; i = graph->uses[i].next)
        several = several || graph->uses[i].named != graph->uses[graph->first_use[owner]].named;
    if (!several || !leaves_out(graph, &detour)) return;
    add_followers(graph, graph->nodes[owner].named, &targets);
    try_targets(graph, detour, &targets);
}

/* Each use; those of one owner, if there are several; and all, if there are others. The kinds
 * with several uses are tried with the first of them, so that each is tried once. */
static void try_all(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->n_uses && !pare_interrupt_asked_at(i); i++) {
        const struct use *use = &graph->uses[i];
        bool only = true, first_here = true, first = true, several_here = false;
        for (uint32_t k = 0; k < graph->n_uses; k++) {
            if (k == i || graph->uses[k].named != use->named) continue;
            const bool here = graph->uses[k].owner == use->owner;
            only = false;
            first = first && k > i;
            first_here = first_here && !(here && k < i);
            several_here = several_here || here;
        }
        try_detour(graph, (struct detour){use->named, i, NONE, NONE}, i);
        if (several_here && first_here && use->owner != NONE)
            try_detour(graph, (struct detour){use->named, NONE, use->owner, NONE}, i);
        if (!only && first) try_detour(graph, (struct detour){use->named, NONE, NONE, NONE}, i);
    }
    for (uint32_t i = 0; i < graph->n_nodes && !pare_interrupt_asked(); i++)
        try_owner(graph, i);
}

/* ---- patches ------------------------------------------------------------------------------ */

/* For qsort: the most bytes first, then in the order of the text. */
static int by_gain(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    if (a->gain != b->gain) return a->gain > b->gain ? -1 : 1;
    if (a->detour.use != b->detour.use) return a->detour.use < b->detour.use ? -1 : 1;
    /* Equal gains have to come in the same order on each machine. */
    if (a->detour.named != b->detour.named) return a->detour.named < b->detour.named ? -1 : 1;
    if (a->detour.owner != b->detour.owner) return a->detour.owner < b->detour.owner ? -1 : 1;
    return a->detour.target < b->detour.target ? -1 : a->detour.target > b->detour.target;
}

/* A use, or a definition that goes. */
struct change {
    pare_extent what;
    bool use;
};

/* For qsort: where it begins; of two in one place the shorter first. */
static int by_place(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->what.from != b->what.from) return a->what.from < b->what.from ? -1 : 1;
    return a->what.to < b->what.to ? -1 : a->what.to > b->what.to;
}

/* Lists the changes that the detour makes, in the order of the text. `changes` has room for all
 * definitions and uses. Returns how many there are. */
static size_t list_changes(const struct graph *graph, const struct detour *detour,
                           struct change *changes)
{
    size_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (is_cut(graph, i)) changes[n++] = (struct change){graph->nodes[i].cut, false};
    for (uint32_t i = 0; i < graph->n_uses; i++)
        if (is_redirected(graph, detour, i))
            changes[n++] = (struct change){graph->uses[i].word, true};
    if (n) qsort(changes, n, sizeof *changes, by_place);
    return n;
}

/* Cuts may share the white space between them: then the first one has it. Uses in what goes are
 * no changes (is_redirected). */
static pare_status offer_detour(struct graph *graph, const struct detour *detour,
                                struct change *changes, pare_patches *out, pare_error *err)
{
    const pare_extent name = graph->nodes[detour->target].name;
    uint32_t none = PARE_NO_PATCH;
    size_t end = 0;
    pare_status status = PARE_OK;
    reach(graph, detour);
    const size_t n = list_changes(graph, detour, changes);
    for (size_t i = 0; !status && i < n; i++) {
        pare_extent what = changes[i].what;
        /* A cut that lies in what is gone already is nothing. */
        if (what.from < end) what.from = end;
        if (what.to <= what.from) continue;
        status = pare_patches_change(out, what.from, what.to,
                                     changes[i].use ? graph->view->bytes + name.from : NULL,
                                     changes[i].use ? name.to - name.from : 0, err);
        end = what.to;
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, &none, err);
}

/* Whether the definition is among what goes by the detour. */
static bool is_in(const struct found *found, uint32_t node)
{
    return found->cut[node / WORD] >> node % WORD & 1;
}

/* What the failure is suspected to need, as a share for each definition. */
struct suspicion {
    double of[MOST_NODES], sum;
};

/* Bytes that it saves times how likely the failure needs none of what goes, and the call fits.
 * The share of suspicion in what goes is the chance that the failure needs some of it. */
static double hope_of(const struct graph *graph, const struct suspicion *suspicion,
                      const struct found *found)
{
    double needed = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (is_in(found, i)) needed += suspicion->of[i];
    return (double)found->gain * (1 - needed / suspicion->sum) * (found->misfit ? MISFIT : 1);
}

/* It is expected to fail: then something that it leaves out is needed. What it keeps is
 * cleared, but for CLEARED of its suspicion. */
static void suspect(const struct graph *graph, struct suspicion *suspicion,
                    const struct found *found)
{
    suspicion->sum = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (!is_in(found, i)) suspicion->of[i] *= CLEARED;
        suspicion->sum += suspicion->of[i];
    }
}

/* How suspicious each definition is at first: by its bytes, and up to three times as much the later it is
 * reached from outside, as programs fail where calls have led them. */
static void suspect_all(struct graph *graph, struct suspicion *suspicion)
{
    uint32_t queue[MOST_NODES], n = 0;
    bool seen[MOST_NODES] = {false};
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        seen[i] = graph->nodes[i].root;
        if (seen[i]) queue[n++] = i;
    }
    for (uint32_t at = 0, use = graph->outside;; use = graph->first_use[queue[at++]]) {
        for (; use != NONE; use = graph->uses[use].next) {
            const uint32_t named = graph->uses[use].named;
            if (!seen[named]) queue[n++] = named;
            seen[named] = true;
        }
        if (at == n) break;
    }
    suspicion->sum = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        suspicion->of[i] = (double)(graph->nodes[i].all.to - graph->nodes[i].all.from);
    for (uint32_t i = 0; i < n; i++)
        suspicion->of[queue[i]] *= 1 + 2.0 * i / n;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        suspicion->sum += suspicion->of[i];
}

/* The most hopeful of what was found, sorted by gain, each as if those before it had failed.  The largest
 * detour of a long chain leaves out all but its end, half of it is more likely to work; and when that has
 * failed, the other half is. */
static pare_status offer_found(struct graph *graph, pare_patches *out, pare_error *err)
{
    struct change *changes = pare_alloc(MOST_NODES + MOST_USES, sizeof *changes);
    struct suspicion suspicion = {.sum = 0};
    pare_status status = changes ? PARE_OK : pare_fail_nomem(err);
    suspect_all(graph, &suspicion);
    if (graph->n_found) qsort(graph->found, graph->n_found, sizeof *graph->found, by_gain);
    for (uint32_t n = 0; !status && n < graph->n_found && n < MOST_PATCHES; n++) {
        struct found *best = NULL;
        double most = 0;
        for (uint32_t i = 0; i < graph->n_found; i++) {
            struct found *found = &graph->found[i];
            const double hope = found->taken ? 0 : hope_of(graph, &suspicion, found);
            /* Of equal hopes the first counts, which saves more. */
            if (found->taken || (best && hope <= most)) continue;
            best = found;
            most = hope;
        }
        assert(best && "one is left");
        best->taken = true;
        suspect(graph, &suspicion, best);
        status = offer_detour(graph, &best->detour, changes, out, err);
    }
    pare_alloc_free(changes);
    return status;
}

/* The definitions of `view` as a graph, without its roots; NULL: there is none, or no memory (*status).
 * The caller owns it. A text with too many uses has none either. */
static struct graph *make_graph(const pare_pass_view *view, pare_status *status, pare_error *err)
{
    pare_definitions all = {0};
    struct graph *graph = NULL;
    *status = pare_definitions_find(view, &all, err);
    if (!*status && all.n) {
        graph = pare_alloc_zero(1, sizeof *graph);
        if (!graph) *status = pare_fail_nomem(err);
    }
    if (graph) {
        graph->view = view;
        add_nodes(graph, &all);
        nest_nodes(graph);
        if (!add_uses(graph)) {
            pare_alloc_free(graph);
            graph = NULL;
        }
    }
    pare_definitions_done(&all);
    return graph;
}

/* redirect: a use names another definition, and what nothing leads to any more goes.
 *
 * Example: in `a(){b();} b(){c();b();} c(){d();} d(){..}` a calls d, and b and c go in one patch. */
static pare_status offer_redirected(const pare_pass *pass, const pare_pass_view *view,
                                    pare_patches *out, pare_error *err)
{
    (void)pass;
    pare_status status;
    out->spaced = true;
    struct graph *graph = make_graph(view, &status, err);
    if (!graph) return status;
    find_roots(graph);
    try_all(graph);
    status = offer_found(graph, out, err);
    pare_alloc_free(graph);
    return status;
}

/* If nothing but definitions uses one, as in a grammar, the one that leads to most is the root.
 * The first of those that lead to most. Cost: one search for each definition. */
static void find_root(struct graph *graph)
{
    uint32_t best = NONE, most = 0;
    for (uint32_t i = 0; i < graph->n_nodes && !pare_interrupt_asked(); i++) {
        uint32_t n = 0;
        /* Only for this search. */
        graph->nodes[i].root = true;
        reach(graph, NULL);
        graph->nodes[i].root = false;
        for (uint32_t k = 0; k < graph->n_nodes; k++)
            n += graph->live[k];
        if (best != NONE && n <= most) continue;
        best = i;
        most = n;
    }
    if (best != NONE) graph->nodes[best].root = true;
}

/* Whether some use names the definition. */
static bool is_named(const struct graph *graph, uint32_t node)
{
    for (uint32_t i = 0; i < graph->n_uses; i++)
        if (graph->uses[i].named == graph->nodes[node].named) return true;
    return false;
}

/* A block that nothing names is run by itself where it has no parameters, as `BEGIN { .. }`, or stands
 * in a function, as `if (x) { .. }`: a root.  Whether there is one that is in nothing. */
static bool find_blocks(struct graph *graph)
{
    bool any = false;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct node *node = &graph->nodes[i];
        const bool inner = node->parent != NONE && graph->nodes[node->parent].calls;
        if (node->block && (!node->calls || inner) && !is_named(graph, i)) node->root = true;
        any = any || (node->root && node->parent == NONE);
    }
    return any;
}

/* unused-definitions: what nothing leads to goes. */
static pare_status offer_unused(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    pare_status status = PARE_OK;
    struct graph *graph = view->tree ? NULL : make_graph(view, &status, err);
    if (!graph) return status;
    /* Where hardly anything names a definition, as keys of settings, it means nothing that nothing does. */
    if (graph->n_uses * 2 < graph->n_nodes) {
        pare_alloc_free(graph);
        return PARE_OK;
    }
    if (!find_blocks(graph) && graph->outside == NONE) find_root(graph);
    reach(graph, NULL);
    struct change *changes = pare_alloc(MOST_NODES, sizeof *changes);
    size_t n = 0, end = 0;
    if (!changes) status = pare_fail_nomem(err);
    for (uint32_t i = 0; !status && i < graph->n_nodes; i++)
        if (is_cut(graph, i)) changes[n++] = (struct change){graph->nodes[i].cut, false};
    if (n) qsort(changes, n, sizeof *changes, by_place);
    for (size_t i = 0; !status && i < n; i++) {
        pare_extent cut = changes[i].what;
        /* Cuts may share the white space between them, as in offer_detour. */
        if (cut.from < end) cut.from = end;
        if (cut.to <= cut.from) continue;
        status = pare_pass_offer_cut(out, cut, PARE_NO_PATCH, NULL, err);
        end = cut.to;
    }
    pare_alloc_free(changes);
    pare_alloc_free(graph);
    return status;
}

const pare_pass pare_pass_unused_definitions = {
    .name = "unused-definitions",
    .summary = "removes definitions that nothing refers to, if no language is known",
    .source = "ours, after C-Reduce, remove-unused-function; llvm-reduce, globals",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_unused,
};

const pare_pass pare_pass_redirect = {
    .name = "redirect",
    .summary = "makes a use refer to another definition, and removes those then unused",
    .source = "ours, after Vulcan, identifier replacement",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_redirected,
};
