/* Derivation trees: replacing a subtree by copying runs of nodes with their offsets shifted.
 *
 * GRABR puts a subtree anywhere, twice, or below a new node; marks on a fixed tree
 * (tree_state.c) cannot say that.  So each success makes a new array: the nodes before the
 * replaced one as they are, those of the parts with their bytes moved, those after it shifted.
 * Parents, levels and shapes are then computed anew in two passes, which costs no more than the
 * copy. A shape is a hash over symbols and leaf texts, equal for equal subtrees: by it repeated
 * reductions are dropped without comparing trees.
 * Invariant: nodes are in pre-order over the text that the tree prints now. */
#include "reduce/tree/derivation.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "text/text.h"

/* One step of a 64-bit multiplicative hash; the constants are odd, so no step loses bits. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    return hash * 0xd6e8feb86659fd93u;
}

/* The shape of a node from those of its children. */
static uint64_t close_shape(uint64_t children, pare_tree_symbol symbol)
{
    return mix(mix(children, symbol.kind), symbol.symbol);
}

/* The shape of a leaf: leaves of one symbol differ by their texts (numbers, names). */
static uint64_t leaf_shape(pare_tree_symbol symbol, const char *text, size_t size)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < size; i++)
        hash = mix(hash, (unsigned char)text[i]);
    return close_shape(hash, symbol);
}

/* Whether the node has no children. */
static bool is_leaf(const pare_derivation *tree, uint32_t node)
{
    return tree->nodes[node].after == node + 1;
}

/* Fills parent, level, height and, but for leaves, shape from `after`.  From the front the
 * nodes above a node are known by following parents; from the rear all children of a node have
 * added their shapes when its own is closed.
 * O(nodes), without recursion: trees may be a million levels deep. */
static void link_up(pare_derivation *tree)
{
    tree->height = 1;
    uint32_t above = PARE_NO_NODE;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        pare_derivation_node *node = &tree->nodes[i];
        while (above != PARE_NO_NODE && tree->nodes[above].after <= i)
            above = tree->nodes[above].parent;
        node->parent = above;
        node->level = above == PARE_NO_NODE ? 0 : tree->nodes[above].level + 1;
        /* Shapes of leaves are set already: only a text can tell them. */
        if (!is_leaf(tree, i)) node->shape = 1;
        if (node->level >= tree->height) tree->height = node->level + 1;
        above = i;
    }
    for (uint32_t i = tree->n_nodes; i-- > 0;) {
        pare_derivation_node *node = &tree->nodes[i];
        if (!is_leaf(tree, i)) node->shape = close_shape(node->shape, node->symbol);
        if (node->parent == PARE_NO_NODE) continue;
        pare_derivation_node *parent = &tree->nodes[node->parent];
        parent->shape = mix(parent->shape, node->shape);
    }
}

/* A derivation of `n` nodes, to be filled in, that takes a reference to `text`; NULL: no
 * memory. */
static pare_derivation *make(const pare_text *text, size_t n, bool spaced)
{
    if (n >= PARE_NO_NODE) return NULL;
    pare_derivation *tree = pare_alloc(1, sizeof *tree);
    pare_derivation_node *nodes = pare_alloc(n, sizeof *nodes);
    if (!tree || !nodes) {
        pare_alloc_free(tree);
        pare_alloc_free(nodes);
        return NULL;
    }
    *tree = (pare_derivation){.refs = 1,
                              .text = pare_text_ref(text),
                              .nodes = nodes,
                              .n_nodes = (uint32_t)n,
                              .spaced = spaced};
    return tree;
}

/* Sets the shapes of the leaves from the text, which is read in one piece. */
static pare_status shape_leaves(pare_derivation *tree, pare_error *err)
{
    size_t size = pare_text_size(tree->text);
    char *bytes = pare_alloc(size, 1);
    if (!bytes) return pare_fail_nomem(err);
    pare_text_read(tree->text, 0, size, bytes);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        pare_derivation_node *node = &tree->nodes[i];
        if (is_leaf(tree, i))
            node->shape = leaf_shape(node->symbol, bytes + node->begin, node->end - node->begin);
    }
    pare_alloc_free(bytes);
    return PARE_OK;
}

/* Nodes are taken over as they are; which of them are in play plays no part here. */
pare_status pare_derivation_new(const pare_tree *tree, pare_derivation **out, pare_error *err)
{
    bool spaced = tree->rules.joints != PARE_JOINTS_PLAIN;
    pare_derivation *derivation = make(tree->text, tree->n_nodes, spaced);
    if (!derivation) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *from = &tree->nodes[i];
        derivation->nodes[i] = (pare_derivation_node){
            .symbol = from->own, .begin = from->begin, .end = from->end, .after = from->after};
    }
    pare_status status = shape_leaves(derivation, err);
    if (status) {
        pare_derivation_unref(derivation);
        return status;
    }
    link_up(derivation);
    *out = derivation;
    return PARE_OK;
}

/* Immutable, so the copies of a strategy share one. */
pare_derivation *pare_derivation_ref(pare_derivation *derivation)
{
    derivation->refs++;
    return derivation;
}

/* The last reference frees the nodes, and drops the one to the text.  NULL is a no-op. */
void pare_derivation_unref(pare_derivation *derivation)
{
    if (!derivation || --derivation->refs) return;
    pare_text_unref(derivation->text);
    pare_alloc_free(derivation->nodes);
    pare_alloc_free(derivation);
}

/* The same as link_up would compute: children from the last to the first. */
uint64_t pare_derivation_shape(const pare_derivation *derivation, pare_tree_symbol symbol,
                               const pare_part *parts, size_t n)
{
    uint64_t shape = 1;
    for (size_t i = n; i-- > 0;)
        shape = mix(shape, parts[i].node == PARE_NO_NODE
                               ? leaf_shape(parts[i].symbol, parts[i].text, parts[i].size)
                               : derivation->nodes[parts[i].node].shape);
    return close_shape(shape, symbol);
}

/* --- text -------------------------------------------------------------------------------- */

/* The byte at `at`, or -1 after the end. */
static int byte_at(const pare_text *text, size_t at)
{
    unsigned char byte;
    if (at >= pare_text_size(text)) return -1;
    pare_text_read(text, at, 1, &byte);
    return byte;
}

/* Writes a space if `last` and `next` need one between them. */
static pare_status join(const pare_derivation *tree, int last, int next, pare_candidate *candidate,
                        pare_error *err)
{
    if (!tree->spaced || !pare_tree_is_word_byte(last) || !pare_tree_is_word_byte(next))
        return PARE_OK;
    return pare_candidate_literal(candidate, " ", 1, err);
}

/* Writes a part after a byte *last, which becomes the part's own last byte; sets *begin to
 * where it begins.  An empty part writes nothing, so what is around it may touch. */
static pare_status write_part(const pare_derivation *tree, const pare_part *part, int *last,
                              size_t *begin, pare_candidate *candidate, pare_error *err)
{
    const pare_derivation_node *node = part->node == PARE_NO_NODE ? NULL : &tree->nodes[part->node];
    uint32_t size = node ? node->end - node->begin : part->size;
    *begin = candidate->size;
    if (!size) return PARE_OK;
    int first = node ? byte_at(tree->text, node->begin) : (unsigned char)part->text[0];
    pare_status status = join(tree, *last, first, candidate, err);
    *begin = candidate->size;
    *last = node ? byte_at(tree->text, node->end - 1) : (unsigned char)part->text[size - 1];
    if (status) return status;
    if (node) return pare_candidate_slice(candidate, node->begin, size, err);
    return pare_candidate_literal(candidate, part->text, size, err);
}

/* The replacement of node `at`, and where its text comes to stand. */
struct replacement {
    uint32_t at;
    const pare_reduction *reduction;
    const pare_part *parts;
    size_t *begins; /* of each part; NULL: not asked for */
    size_t end;     /* of the last part */
};

/* Writes the text after the replacement; fills begins and end.
 * Both a candidate and the tree after a success are made by this, so their texts are the same. */
static pare_status compose(const pare_derivation *tree, struct replacement *change,
                           pare_candidate *candidate, pare_error *err)
{
    const pare_derivation_node *node = &tree->nodes[change->at];
    pare_candidate_start(candidate, tree->text);
    int last = node->begin ? byte_at(tree->text, node->begin - 1) : -1;
    pare_status status = pare_candidate_slice(candidate, 0, node->begin, err);
    for (uint32_t i = 0; !status && i < change->reduction->n; i++) {
        const pare_part *part = &change->parts[change->reduction->first + i];
        size_t begin = 0;
        status = write_part(tree, part, &last, &begin, candidate, err);
        if (change->begins) change->begins[i] = begin;
    }
    change->end = candidate->size;
    if (!status) status = join(tree, last, byte_at(tree->text, node->end), candidate, err);
    if (status) return status;
    return pare_candidate_slice(candidate, node->end, pare_text_size(tree->text) - node->end, err);
}

/* Only the text is made; the nodes follow when the candidate turns out to fail. */
pare_status pare_derivation_candidate(const pare_derivation *derivation, uint32_t node,
                                      const pare_reduction *reduction, const pare_part *parts,
                                      pare_candidate *candidate, pare_error *err)
{
    struct replacement change = {.at = node, .reduction = reduction, .parts = parts};
    return compose(derivation, &change, candidate, err);
}

/* --- nodes ------------------------------------------------------------------------------- */

/* Appends nodes first .. end-1 of `from` to `to`, moved so that the first begins at byte
 * `bytes`. Offsets are modulo 2^32: they may go back. */
static void copy_run(const pare_derivation *from, uint32_t first, uint32_t end, size_t bytes,
                     pare_derivation *to)
{
    uint32_t shift = to->n_nodes - first, offset = (uint32_t)bytes - from->nodes[first].begin;
    for (uint32_t i = first; i < end; i++) {
        pare_derivation_node node = from->nodes[i];
        node.begin += offset; /* modulo 2^32: may go back */
        node.end += offset;
        node.after += shift;
        to->nodes[to->n_nodes++] = node;
    }
}

/* Appends the nodes of a part: a subtree, or one new leaf. */
static void copy_part(const pare_derivation *from, const pare_part *part, size_t begin,
                      pare_derivation *to)
{
    if (part->node != PARE_NO_NODE) {
        copy_run(from, part->node, from->nodes[part->node].after, begin, to);
        return;
    }
    uint32_t i = to->n_nodes++;
    to->nodes[i] =
        (pare_derivation_node){.symbol = part->symbol,
                               .begin = (uint32_t)begin,
                               .end = (uint32_t)(begin + part->size),
                               .after = i + 1,
                               .shape = leaf_shape(part->symbol, part->text, part->size)};
}

/* Stretches the nodes above `at` and appends those after it, shifted by `bytes`. */
static void move_others(const pare_derivation *from, uint32_t at, pare_derivation *to,
                        uint32_t bytes)
{
    /* Both differences are modulo 2^32, as the tree may have become smaller. */
    uint32_t end = from->nodes[at].after, nodes = to->n_nodes - end;
    for (uint32_t i = from->nodes[at].parent; i != PARE_NO_NODE; i = from->nodes[i].parent) {
        to->nodes[i].after += nodes;
        to->nodes[i].end += bytes;
    }
    for (uint32_t i = end; i < from->n_nodes; i++) {
        pare_derivation_node node = from->nodes[i];
        node.begin += bytes;
        node.end += bytes;
        node.after += nodes;
        to->nodes[to->n_nodes++] = node;
    }
}

/* Fills the nodes of `to`, the tree after the replacement.
 *
 * Example: `sum(num, plus, num)` gives way to its second `num`, as it is. The nodes before `sum`
 * are copied; the run of the second `num` follows at the index of `sum`, with its bytes moved to
 * where `sum` began; then come the nodes after `sum`, shifted to the front. */
static void fill(const pare_derivation *from, const struct replacement *change, pare_derivation *to)
{
    const pare_reduction *reduction = change->reduction;
    uint32_t at = change->at;
    assert(change->begins);
    memcpy(to->nodes, from->nodes, at * sizeof *to->nodes);
    to->n_nodes = at;
    if (!reduction->as_is) to->n_nodes++;
    for (uint32_t i = 0; i < reduction->n; i++)
        copy_part(from, &change->parts[reduction->first + i], change->begins[i], to);
    /* An empty node stands where the old one began. */
    uint32_t begin = reduction->n ? (uint32_t)change->begins[0] : from->nodes[at].begin;
    if (!reduction->as_is)
        to->nodes[at] = (pare_derivation_node){.symbol = reduction->symbol,
                                               .begin = begin,
                                               .end = (uint32_t)change->end,
                                               .after = to->n_nodes,
                                               .shape = reduction->shape};
    /* Negative as a rule: all offsets after the replacement move to the front. */
    uint32_t bytes = (uint32_t)(pare_text_size(to->text) - pare_text_size(from->text));
    move_others(from, at, to, bytes);
    link_up(to);
    assert(pare_derivation_check(to));
}

/* The text is composed once more, this time noting where parts begin. */
pare_status pare_derivation_replace(const pare_derivation *derivation, uint32_t node,
                                    const pare_reduction *reduction, const pare_part *parts,
                                    pare_derivation **out, pare_error *err)
{
    pare_candidate candidate = {0};
    pare_text *text = NULL;
    struct replacement change = {.at = node,
                                 .reduction = reduction,
                                 .parts = parts,
                                 .begins = pare_alloc(reduction->n, sizeof(size_t))};
    pare_status status = change.begins ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = compose(derivation, &change, &candidate, err);
    if (!status) status = pare_candidate_text(&candidate, &text, err);
    if (status) goto out;
    /* Nodes of the new tree: those outside of the replaced subtree, and those of the reduction. */
    size_t gone = derivation->nodes[node].after - node;
    pare_derivation *after =
        make(text, derivation->n_nodes - gone + reduction->n_nodes, derivation->spaced);
    if (after) {
        fill(derivation, &change, after);
        *out = after;
    } else {
        status = pare_fail_nomem(err);
    }
out:
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_alloc_free(change.begins);
    return status;
}

/* O(nodes). */
bool pare_derivation_check(const pare_derivation *derivation)
{
    for (uint32_t i = 0; i < derivation->n_nodes; i++) {
        const pare_derivation_node *node = &derivation->nodes[i];
        if (node->after <= i || node->after > derivation->n_nodes) return false;
        if (node->begin > node->end || node->end > pare_text_size(derivation->text)) return false;
        if (i == 0) continue;
        const pare_derivation_node *parent = &derivation->nodes[node->parent];
        if (node->parent >= i || node->after > parent->after) return false;
        if (node->begin < node->end && (node->begin < parent->begin || node->end > parent->end))
            return false;
    }
    return derivation->nodes[0].after == derivation->n_nodes;
}
