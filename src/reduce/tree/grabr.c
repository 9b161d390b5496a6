/* GRABR: what may stand in the place of a subtree, and the driver that tries it.
 *
 * Replacements: for an expansion of the grammar there is one column of candidates for each
 * symbol; a combination takes one of each column.  They are enumerated in the seed's order
 * (the last symbol varies fastest), but a prefix is never entered when even the smallest rest
 * would make it as large as the subtree: the result is the seed's, the time is not
 * exponential where nothing can come of it.  The generative extension (exercise 2) fills
 * columns that the input has nothing for with the smallest tree of the symbol, made of the
 * input's own tokens where these are as short as any.
 *
 * Driver: the recursion of the seed's reduce_subtree as a stack of frames, so that the
 * strategy can be copied between any two tests and a deep tree needs no deep call stack.  A
 * replacement at node c changes only what stands at c and after it, so the nodes of all
 * frames, which are above or before c, keep their indices.  The bottom frame stands above the
 * root, so that the root is a child like any other.
 * Invariant: the child at hand of the top frame is the node for which `found` was made, and
 * item `at` of it is what was proposed.
 * Source: seed 002, GrammarReducer of The Fuzzing Book (subtrees_with_symbol,
 * alternate_reductions, symbol_reductions); see the header for deviations. */

#include "reduce/tree/grabr.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/shared.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/tree/derivation.h"
#include "reduce/tree/tree.h"
#include "text/candidate.h"

/* ---- replacements ---------------------------------------------------------------------- */

/* The lists are empty afterwards. */
void pare_grabr_reductions_done(pare_reductions *reductions)
{
    pare_alloc_free(reductions->items);
    pare_alloc_free(reductions->parts);
    *reductions = (pare_reductions){0};
}

/* Appends a part; parts of one reduction are neighbours. */
static pare_status add_part(pare_reductions *to, pare_part part, pare_error *err)
{
    pare_part *parts = pare_vector_grow(to->parts, to->n_parts, &to->parts_capacity, sizeof *parts);
    if (!parts) return pare_fail_nomem(err);
    to->parts = parts;
    to->parts[to->n_parts++] = part;
    return PARE_OK;
}

/* Appends a reduction. */
static pare_status add(pare_reductions *to, pare_reduction reduction, pare_error *err)
{
    pare_reduction *items = pare_vector_grow(to->items, to->n, &to->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    to->items = items;
    to->items[to->n++] = reduction;
    return PARE_OK;
}

/* Whether both are the same symbol. */
static bool same(pare_tree_symbol a, pare_tree_symbol b)
{
    return a.kind == b.kind && a.symbol == b.symbol;
}

/* The first subtree of `symbol` from `from` on, below `node`; PARE_NO_NODE: none. */
static uint32_t next_subtree(const pare_derivation *tree, uint32_t node, uint32_t from,
                             pare_tree_symbol symbol, long depth)
{
    const pare_derivation_node *nodes = tree->nodes;
    for (uint32_t i = from; i < nodes[node].after;) {
        long below = (long)nodes[i].level - nodes[node].level;
        if (same(nodes[i].symbol, symbol) && (depth < 0 || below == depth)) return i;
        /* At the depth that is asked for nothing further down counts, so its subtree is passed
         * over. */
        i = depth >= 0 && below >= depth ? nodes[i].after : i + 1;
    }
    return PARE_NO_NODE;
}

/* The subtrees as they stand in the tree. Putting one in the place deletes the node above it with
 * everything else below. */
pare_status pare_grabr_subtrees(const pare_derivation *tree, pare_reduction_place place,
                                pare_reductions *to, pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t i = next_subtree(tree, place.node, place.node + 1, place.symbol, place.depth);
    while (!status && i != PARE_NO_NODE) {
        pare_reduction reduction = {.symbol = place.symbol,
                                    .as_is = true,
                                    .first = (uint32_t)to->n_parts,
                                    .n = 1,
                                    .n_nodes = tree->nodes[i].after - i,
                                    .shape = tree->nodes[i].shape};
        status = add_part(to, (pare_part){.node = i, .symbol = place.symbol}, err);
        if (!status) status = add(to, reduction, err);
        i = next_subtree(tree, place.node, i + 1, place.symbol, place.depth);
    }
    return status;
}

/* ---- combinations ------------------------------------------------------------------------ */

/* The candidates for one symbol of an expansion: subtrees of the input, or a leaf that is made. */
struct column {
    uint32_t first, n; /* in found.parts */
    uint32_t at;       /* the one at hand */
    uint64_t least;    /* nodes of the smallest choice for this and all later columns */
};

/* The reductions of one node in the making. */
struct builder {
    const pare_derivation *tree;
    uint32_t node;
    pare_tree_symbol symbol;
    long depth;
    const pare_reduction_options *options;
    pare_reductions *to;
    pare_reductions found;  /* only its parts are used */
    struct column *columns; /* owned */
    size_t n_columns, columns_capacity;
};

/* How many nodes the part has. A leaf that is made is one. */
static uint32_t size_of(const struct builder *builder, uint32_t part)
{
    uint32_t node = builder->found.parts[part].node;
    return node == PARE_NO_NODE ? 1 : builder->tree->nodes[node].after - node;
}

/* Begins a column, which ends where the next one begins. */
static pare_status open_column(struct builder *builder, pare_error *err)
{
    struct column *columns = pare_vector_grow(builder->columns, builder->n_columns,
                                              &builder->columns_capacity, sizeof *columns);
    if (!columns) return pare_fail_nomem(err);
    builder->columns = columns;
    columns[builder->n_columns++] = (struct column){.first = (uint32_t)builder->found.n_parts};
    return PARE_OK;
}

/* Opens a column of the subtrees of `symbol`; without any it has none. */
static pare_status find_column(struct builder *builder, pare_tree_symbol symbol, pare_error *err)
{
    uint32_t i = builder->node + 1;
    pare_status status = open_column(builder, err);
    while (!status && (i = next_subtree(builder->tree, builder->node, i, symbol, builder->depth)) !=
                          PARE_NO_NODE)
        status = add_part(&builder->found, (pare_part){.node = i++, .symbol = symbol}, err);
    if (status) return status;
    struct column *column = &builder->columns[builder->n_columns - 1];
    column->n = (uint32_t)builder->found.n_parts - column->first;
    return PARE_OK;
}

/* ---- what the input does not have -------------------------------------------------------- */

enum {
    MAX_MADE = 64, /* symbols that are looked at to make one */
    MAX_UNITS = 8  /* expansions of one symbol in a row that are followed */
};

/* Sets *leaf to the shortest text of `symbol`; false when it has none. */
static bool shortest_of(const struct builder *builder, pare_tree_symbol symbol, pare_part *leaf)
{
    const pare_expansions *expansions = builder->options->expansions;
    *leaf = (pare_part){.node = PARE_NO_NODE, .symbol = symbol};
    return expansions->shortest &&
           expansions->shortest(expansions->context, symbol, &leaf->text, &leaf->size);
}

/* Whether the expansion is made of its symbols' shortest texts in at most `most` bytes. */
static bool is_short(const struct builder *builder, const pare_expansion *expansion, uint32_t most)
{
    uint64_t size = 0;
    pare_part leaf;
    for (size_t k = 0; k < expansion->n; k++) {
        if (!shortest_of(builder, expansion->symbols[k], &leaf)) return false;
        size += leaf.size;
    }
    return expansion->n && size <= most;
}

/* The first node of `symbol` that prints at most `most` bytes, whatever its depth. */
static uint32_t first_short(const struct builder *builder, pare_tree_symbol symbol, uint32_t most)
{
    const pare_derivation_node *nodes = builder->tree->nodes;
    uint32_t i = builder->node;
    while ((i = next_subtree(builder->tree, builder->node, i + 1, symbol, PARE_ANY_DEPTH)) !=
           PARE_NO_NODE)
        if (nodes[i].end - nodes[i].begin <= most) break;
    return i;
}

/* Of the expansions that make the leaf's shortest text the one whose first symbol comes first in
 * the tree. False: there is none. Why the first symbol: expansions of a list mostly differ there,
 * and only the one that the input used leads to tokens of the input. */
static bool choose_expansion(const struct builder *builder, const pare_part *leaf,
                             pare_expansion *chosen)
{
    const pare_expansions *expansions = builder->options->expansions;
    pare_expansion expansion;
    bool is_chosen = false;
    uint32_t best = PARE_NO_NODE;
    for (size_t i = 0; expansions->get(expansions->context, leaf->symbol, i, &expansion); i++) {
        if (!is_short(builder, &expansion, leaf->size)) continue;
        uint32_t at = first_short(builder, expansion.symbols[0], leaf->size);
        if (is_chosen && at >= best) continue;
        *chosen = expansion;
        is_chosen = true;
        best = at;
    }
    return is_chosen;
}

/* Adds one column for each leaf of the smallest tree of `symbol`, with the input's tokens
 * where they are as short as any.  *empty when there is no finite one.
 * A stack of symbols, of which the one on top is opened along the expansion that makes its
 * shortest text, or becomes a leaf. MAX_MADE bounds it where a grammar is deep. */
static pare_status make_columns(struct builder *builder, pare_tree_symbol symbol, bool *empty,
                                pare_error *err)
{
    pare_tree_symbol pending[MAX_MADE];
    size_t n = 1, left = MAX_MADE;
    pare_status status = PARE_OK;
    pending[0] = symbol;
    while (!status && !*empty && n) {
        pare_expansion expansion;
        pare_part part;
        *empty = !shortest_of(builder, pending[--n], &part);
        if (*empty) return PARE_OK;
        /* Opened, so that the input's own tokens can be found in it; what prints nothing has
         * none. */
        bool opens = part.size && left && choose_expansion(builder, &part, &expansion);
        if (opens && n + expansion.n <= MAX_MADE) {
            left--;
            /* Backward onto the stack, so that columns come in the order of the text. */
            for (size_t k = expansion.n; k-- > 0;)
                pending[n++] = expansion.symbols[k];
            continue;
        }
        if (part.size && part.symbol.kind == PARE_NODE_TOKEN)
            part.node = first_short(builder, part.symbol, part.size);
        status = open_column(builder, err);
        if (!status) status = add_part(&builder->found, part, err);
        if (!status) builder->columns[builder->n_columns - 1].n = 1;
    }
    return status;
}

/* For each column: the fewest nodes that it and all later columns add together, by which the
 * odometer skips what cannot become small enough. */
static void find_least(struct builder *builder)
{
    uint64_t later = 0; /* of all later columns */
    for (size_t k = builder->n_columns; k-- > 0;) {
        struct column *column = &builder->columns[k];
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < column->n; i++) {
            uint32_t size = size_of(builder, column->first + i);
            if (size < least) least = size;
        }
        later += least;
        column->least = later;
    }
}

/* Adds the combination that the columns stand at, of `n_nodes` nodes. */
static pare_status emit(struct builder *builder, uint64_t n_nodes, pare_error *err)
{
    pare_reductions *to = builder->to;
    pare_reduction reduction = {.symbol = builder->symbol,
                                .first = (uint32_t)to->n_parts,
                                .n = (uint32_t)builder->n_columns,
                                .n_nodes = (uint32_t)n_nodes};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < builder->n_columns; k++) {
        const struct column *column = &builder->columns[k];
        status = add_part(to, builder->found.parts[column->first + column->at], err);
    }
    if (status) return status;
    reduction.shape = pare_derivation_shape(builder->tree, builder->symbol,
                                            to->parts + reduction.first, reduction.n);
    return add(to, reduction, err);
}

/* Emits the combinations of the columns that have fewer nodes than the subtree.  An odometer:
 * `k` is the wheel that turns, `total` counts the nodes chosen on the wheels before it; a
 * wheel's choices that leave too little room for the smallest rest are skipped.
 *
 * Example: two columns with trees of {3, 1} and {2} nodes, for a subtree of 5. The new node is
 * one more, so the first choice would make 1 + 3 + 2 = 6 and is skipped before the second column
 * is entered; the next one makes 4 and is emitted. */
static pare_status combine(struct builder *builder, pare_error *err)
{
    const pare_derivation_node *nodes = builder->tree->nodes;
    uint64_t limit = nodes[builder->node].after - builder->node, total = 1;
    size_t most = builder->options->max_combinations ? builder->options->max_combinations : 1000;
    if (!builder->options->all_combinations) most = 1;
    size_t k = 0;
    assert(builder->n_columns > 0);
    builder->columns[0].at = 0;
    for (;;) {
        struct column *column = &builder->columns[k];
        uint64_t rest = k + 1 < builder->n_columns ? builder->columns[k + 1].least : 0;
        while (column->at < column->n &&
               total + size_of(builder, column->first + column->at) + rest >= limit)
            column->at++;
        /* No choice is left on this wheel: the one before it turns. */
        if (column->at == column->n) {
            if (k-- == 0) return PARE_OK;
            column = &builder->columns[k];
            total -= size_of(builder, column->first + column->at++);
            continue;
        }
        uint32_t size = size_of(builder, column->first + column->at);
        /* Not the last wheel: the next one starts from its beginning. */
        if (k + 1 < builder->n_columns) {
            total += size;
            builder->columns[++k].at = 0;
            continue;
        }
        pare_status status = emit(builder, total + size, err);
        if (status || --most == 0) return status;
        column->at++;
    }
}

/* Whether the quantifier may be empty. */
static bool is_optional(uint32_t kind)
{
    return kind == PARE_NODE_OPTIONAL || kind == PARE_NODE_STAR;
}

/* One column for each symbol of the expansion; one that is not found is made if `makes`, else
 * *empty is set. */
static pare_status fill_columns(struct builder *builder, const pare_expansion *expansion,
                                bool makes, bool *empty, pare_error *err)
{
    pare_status status = PARE_OK;
    builder->found.n_parts = builder->n_columns = 0;
    for (size_t k = 0; !status && !*empty && k < expansion->n; k++) {
        status = find_column(builder, expansion->symbols[k], err);
        if (status || builder->columns[builder->n_columns - 1].n) continue;
        /* The empty column makes way for those of the leaves that are made. */
        builder->n_columns--;
        if (makes)
            status = make_columns(builder, expansion->symbols[k], empty, err);
        else
            *empty = true;
    }
    return status;
}

/* If the only symbol of an expansion is not in the input, whatever that symbol may expand to stands
 * for it. The node in between is left out, which prints the same text. */
static pare_status follow_units(struct builder *builder, pare_tree_symbol unit, pare_error *err)
{
    const pare_expansions *expansions = builder->options->expansions;
    pare_status status = PARE_OK;
    for (size_t level = 0; !status && level < MAX_UNITS; level++) {
        pare_expansion expansion, next = {.n = 0};
        for (size_t i = 0; !status && expansions->get(expansions->context, unit, i, &expansion);
             i++) {
            bool empty = expansion.n == 0;
            if (!empty) status = fill_columns(builder, &expansion, false, &empty, err);
            if (!status && !empty) {
                find_least(builder);
                status = combine(builder, err);
            } else if (expansion.n == 1 && !next.n) {
                next = expansion;
            }
        }
        if (!next.n) break;
        unit = next.symbols[0];
    }
    return status;
}

/* The reductions that one expansion gives. An only symbol that had to be made is also replaced by
 * its own expansions (follow_units). */
static pare_status expand(struct builder *builder, pare_expansion expansion, pare_error *err)
{
    const pare_derivation_node *nodes = builder->tree->nodes;
    uint32_t n_nodes = nodes[builder->node].after - builder->node;
    bool generate = builder->options->generate, empty = false;
    if (!expansion.n) {
        bool absent = is_optional(builder->symbol.kind) || generate;
        /* A leaf cannot become smaller by being empty: it would still be one node. */
        if (!absent || n_nodes <= 1) return PARE_OK;
        builder->n_columns = 0;
        return emit(builder, 1, err);
    }
    /* Each symbol is a node at least, and the new node is one more: it would be no smaller. */
    if (expansion.n >= n_nodes) return PARE_OK;
    pare_status status = fill_columns(builder, &expansion, generate, &empty, err);
    if (status || empty) return status;
    find_least(builder);
    status = combine(builder, err);
    if (status || !generate || expansion.n > 1) return status;
    status = fill_columns(builder, &expansion, false, &empty, err);
    return status || !empty ? status : follow_units(builder, expansion.symbols[0], err);
}

/* Sorts items from .. n-1 by nodes, without changing the order of equals: by merging. */
static pare_status sort_by_nodes(pare_reductions *to, size_t from, pare_error *err)
{
    size_t n = to->n - from;
    if (n < 2) return PARE_OK;
    pare_reduction *spare = pare_alloc(n, sizeof *spare), *items = to->items + from;
    if (!spare) return pare_fail_nomem(err);
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n;
            size_t high = middle + width < n ? middle + width : n;
            for (size_t a = low, b = middle, k = low; k < high; k++) {
                bool left = b == high || (a < middle && items[a].n_nodes <= items[b].n_nodes);
                spare[k] = left ? items[a++] : items[b++];
            }
        }
        memcpy(items, spare, n * sizeof *items);
    }
    pare_alloc_free(spare);
    return PARE_OK;
}

/* Expansions are tried by length, short ones first, then all reductions sorted by nodes;
 * sorting is stable, so of equal size the shorter expansion is first. */
pare_status pare_grabr_alternates(const pare_derivation *tree, pare_reduction_place place,
                                  const pare_reduction_options *options, pare_reductions *to,
                                  pare_error *err)
{
    const pare_expansions *expansions = options->expansions;
    if (!expansions) return PARE_OK;
    const pare_tree_symbol symbol = place.symbol;
    struct builder builder = {.tree = tree,
                              .node = place.node,
                              .symbol = symbol,
                              .depth = place.depth,
                              .options = options,
                              .to = to};
    /* Expansions by length need no sorting: there are few, and their lengths are small. */
    size_t from = to->n, longest = 0;
    pare_expansion expansion;
    for (size_t i = 0; expansions->get(expansions->context, symbol, i, &expansion); i++)
        if (expansion.n > longest) longest = expansion.n;
    pare_status status = PARE_OK;
    for (size_t n = 0; n <= longest; n++)
        for (size_t i = 0; !status && expansions->get(expansions->context, symbol, i, &expansion);
             i++)
            if (expansion.n == n) status = expand(&builder, expansion, err);
    if (!status) status = sort_by_nodes(to, from, err);
    pare_grabr_reductions_done(&builder.found);
    pare_alloc_free(builder.columns);
    return status;
}

/* Drops items from .. n-1 whose shape came before. */
static pare_status drop_repeated(pare_reductions *to, size_t from, pare_error *err)
{
    pare_hash_index shapes = {0};
    pare_status status = PARE_OK;
    size_t kept = from;
    for (size_t i = from; !status && i < to->n; i++) {
        pare_reduction item = to->items[i];
        uint32_t other;
        bool repeated = false;
        pare_hash_probe probe = pare_hash_index_probe(&shapes, item.shape);
        while (!repeated && pare_hash_index_next(&shapes, &probe, &other))
            repeated = to->items[other].shape == item.shape;
        if (repeated) continue;
        status = pare_hash_index_add(&shapes, item.shape, (uint32_t)kept, err);
        to->items[kept++] = item;
    }
    to->n = kept;
    pare_hash_index_done(&shapes);
    return status;
}

/* Subtrees come first: they need no new node, and the seed tries them first, too. */
pare_status pare_grabr_all_reductions(const pare_derivation *tree, pare_reduction_place place,
                                      const pare_reduction_options *options, pare_reductions *to,
                                      pare_error *err)
{
    size_t from = to->n;
    pare_status status = pare_grabr_subtrees(tree, place, to, err);
    if (!status) status = pare_grabr_alternates(tree, place, options, to, err);
    return status ? status : drop_repeated(to, from, err);
}

/* ---- the driver ------------------------------------------------------------------------ */

enum { ABOVE_ROOT = PARE_NO_NODE };

/* One call of reduce_subtree.
 *
 * Example, of a(b(c), d): the bottom frame tries what may stand for a; then the frame of a tries
 * b and d, again and again until a round replaces neither; only then it goes below, to the frame
 * of b, which tries c. */
struct frame {
    uint32_t node;  /* ABOVE_ROOT: its only child is the root */
    uint32_t child; /* the child at hand; after_children(): all are done */
    bool below;     /* its children are settled: goes on below them */
    bool reduced;   /* something below it was replaced */
    bool again;     /* a child was replaced in this round */
};

/* What can be put in the place of one child. Copies of a state share it, and it never changes once
 * made. */
struct found {
    size_t refs;
    pare_reductions list;
};

/* The strategy's state; copies share frames and what was found. */
struct grabr {
    pare_strategy head;
    pare_grabr_options options;
    pare_derivation *tree; /* one reference */
    pare_shared *frames;   /* of struct frame */
    size_t n_frames;
    bool started, reduced; /* reduced: what the outermost call returned */
    long depth;
    struct found *found; /* for the child at hand; NULL: not looked for yet */
    size_t at;           /* the one that is tried */
};

/* The state, of which a strategy is the head. */
static struct grabr *of(pare_strategy *strategy)
{
    return (struct grabr *)strategy;
}

/* Drops what was found for the child at hand. */
static void forget(struct grabr *self)
{
    struct found *found = self->found;
    self->found = NULL;
    if (!found || --found->refs) return;
    pare_grabr_reductions_done(&found->list);
    pare_alloc_free(found);
}

/* Whether the reduction of the root only reduces one of its children, which is that child's
 * own business: an expansion that the root has already, with at most one other part. */
static bool is_childs(const pare_derivation *tree, const pare_reduction *reduction,
                      const pare_part *parts)
{
    uint32_t others = 0, child = 1;
    if (reduction->as_is) return false;
    for (uint32_t i = 0; i < reduction->n; i++, child = tree->nodes[child].after) {
        if (child >= tree->n_nodes) return false;
        const pare_part *part = &parts[reduction->first + i];
        pare_tree_symbol symbol = tree->nodes[child].symbol;
        if (part->symbol.kind != symbol.kind || part->symbol.symbol != symbol.symbol) return false;
        others += part->node != child;
    }
    return child == tree->n_nodes && others <= 1;
}

/* Drops the reductions of the root that its child is offered anyway. */
static void drop_childs(const pare_derivation *tree, pare_reductions *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++)
        if (!is_childs(tree, &list->items[i], list->parts)) list->items[kept++] = list->items[i];
    list->n = kept;
}

/* Looks for what can be put in the place of `child`. */
static pare_status look(struct grabr *self, uint32_t child, pare_error *err)
{
    self->found = pare_alloc_zero(1, sizeof *self->found);
    if (!self->found) return pare_fail_nomem(err);
    self->found->refs = 1;
    self->at = 0;
    pare_reduction_place place = {child, self->tree->nodes[child].symbol, self->depth};
    pare_status status = pare_grabr_all_reductions(self->tree, place, &self->options.reductions,
                                                   &self->found->list, err);
    if (status) forget(self);
    if (!status && child == 0) drop_childs(self->tree, &self->found->list);
    return status;
}

/* The top frame, for writing: the stack is copied if another state shares it. */
static pare_status top(struct grabr *self, struct frame **out, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&self->frames, self->n_frames, self->n_frames, &own, err);
    if (!status) *out = (struct frame *)own + self->n_frames - 1;
    return status;
}

/* Pushes a frame for the children of `node`. */
static pare_status call(struct grabr *self, uint32_t node, pare_error *err)
{
    void *own = NULL;
    pare_status status =
        pare_shared_own(&self->frames, self->n_frames, self->n_frames + 1, &own, err);
    if (status) return status;
    uint32_t child = node == ABOVE_ROOT ? 0 : node + 1;
    ((struct frame *)own)[self->n_frames++] = (struct frame){.node = node, .child = child};
    return PARE_OK;
}

/* The index after the last child of the frame's node. */
static uint32_t after_children(const struct grabr *self, const struct frame *frame)
{
    return frame->node == ABOVE_ROOT ? self->tree->n_nodes : self->tree->nodes[frame->node].after;
}

/* The outermost call has returned, or none was made: makes one, or says that all is done. */
static pare_status drive(struct grabr *self, bool *done, pare_error *err)
{
    if (!self->started) {
        self->depth = self->options.by_depth ? 1 : PARE_ANY_DEPTH;
    } else if (!self->options.by_depth) {
        *done = true;
        return PARE_OK;
    } else {
        /* A success makes shallow replacements possible again; they are the largest steps. */
        self->depth = self->reduced ? 1 : self->depth + 1;
    }
    self->started = true;
    self->reduced = false;
    /* The tree's height shrinks with it, so the last depths are never tried in vain. */
    *done = self->options.by_depth && self->depth >= (long)self->tree->height;
    return *done ? PARE_OK : call(self, ABOVE_ROOT, err);
}

/* The top frame goes on with the next child, or begins another round, or goes below. */
static void go_on(struct grabr *self, struct frame *frame)
{
    uint32_t end = after_children(self, frame);
    forget(self);
    if (frame->child < end) frame->child = self->tree->nodes[frame->child].after;
    if (frame->child < end || frame->below) return;
    frame->below = !frame->again;
    frame->again = false;
    frame->child = frame->node == ABOVE_ROOT ? 0 : frame->node + 1;
}

/* Pops the top frame: its outcome goes to the frame below, or to the driver. */
static pare_status give_back(struct grabr *self, const struct frame *frame, pare_error *err)
{
    bool reduced = frame->reduced;
    self->n_frames--;
    if (!self->n_frames) {
        self->reduced = reduced;
        return PARE_OK;
    }
    /* The caller's frame goes on with the child after the one that was reduced. */
    struct frame *above = NULL;
    pare_status status = top(self, &above, err);
    if (status) return status;
    above->reduced = above->reduced || reduced;
    go_on(self, above);
    return PARE_OK;
}

/* One step of the top frame, which may only push, pop or go on; *proposed when there is something
 * to test. */
static pare_status step(struct grabr *self, bool *proposed, pare_error *err)
{
    struct frame *frame = NULL;
    assert(self->n_frames > 0);
    pare_status status = top(self, &frame, err);
    if (status) return status;
    const pare_derivation_node *nodes = self->tree->nodes;
    if (frame->child >= after_children(self, frame)) return give_back(self, frame, err);
    if (frame->below) {
        if (nodes[frame->child].after > frame->child + 1) return call(self, frame->child, err);
        go_on(self, frame);
        return PARE_OK;
    }
    if (!self->found) status = look(self, frame->child, err);
    if (status) return status;
    *proposed = self->at < self->found->list.n;
    if (!*proposed) go_on(self, frame);
    return PARE_OK;
}

/* Steps until a frame has something to propose, or the driver has nothing left to call. */
static pare_status grabr_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                              pare_error *err)
{
    struct grabr *self = of(strategy);
    for (bool done = false, proposed = false;;) {
        pare_status status = self->n_frames ? step(self, &proposed, err) : drive(self, &done, err);
        if (status) return status;
        if (done) {
            *what = PARE_NEXT_DONE;
            return PARE_OK;
        }
        if (!proposed) continue;
        const struct frame *frames = pare_shared_items(self->frames);
        *what = PARE_NEXT_TEST;
        return pare_derivation_candidate(self->tree, frames[self->n_frames - 1].child,
                                         &self->found->list.items[self->at],
                                         self->found->list.parts, candidate, err);
    }
}

/* After a success the tree is another one, in which the frames' nodes have the same indices;
 * the child at hand is settled for this round. */
static pare_status grabr_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct grabr *self = of(strategy);
    assert(self->found && self->at < self->found->list.n);
    if (outcome != PARE_FAIL) {
        self->at++;
        return PARE_OK;
    }
    struct frame *frame = NULL;
    pare_derivation *after = NULL;
    pare_status status = top(self, &frame, err);
    if (!status)
        status =
            pare_derivation_replace(self->tree, frame->child, &self->found->list.items[self->at],
                                    self->found->list.parts, &after, err);
    if (status) return status;
    pare_derivation_unref(self->tree);
    self->tree = after;
    frame->reduced = frame->again = true;
    go_on(self, frame);
    return PARE_OK;
}

/* Works on a state that is half made, too. */
static void grabr_free(pare_strategy *strategy)
{
    struct grabr *self = of(strategy);
    forget(self);
    pare_shared_release(self->frames);
    pare_derivation_unref(self->tree);
    pare_alloc_free(self);
}

/* Frames and what was found are shared; both are replaced, never written, while shared. */
static pare_status grabr_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct grabr *self = (const struct grabr *)strategy;
    struct grabr *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    if (copy->found) copy->found->refs++;
    pare_derivation_ref(copy->tree);
    pare_shared_retain(copy->frames);
    *out = &copy->head;
    return PARE_OK;
}

/* No frame at first: the driver makes the first call. */
pare_status pare_grabr_new(const pare_tree *tree, const pare_grabr_options *options,
                           pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {
        .next = grabr_next, .tell = grabr_tell, .copy = grabr_copy, .destroy = grabr_free};
    struct grabr *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->options = *options;
    pare_status status = pare_derivation_new(tree, &self->tree, err);
    if (!status) status = pare_shared_new(16, sizeof(struct frame), &self->frames, err);
    if (status)
        grabr_free(&self->head);
    else
        *out = &self->head;
    return status;
}
