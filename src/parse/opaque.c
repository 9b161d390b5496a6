/* What did not lex or parse gets a structure: one pass copies the nodes of the tree and puts in
 * what is new, in pre-order; where the nodes end is found from their parents afterwards.
 *
 * Stretches that did not lex lie between tokens and belong to no node; each goes into the
 * innermost node around it.  Invariants: nodes stay in the order of the text, and no byte belongs
 * to two leaves.  O(nodes + bytes that are opaque). */
#include "parse/opaque.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/bracket_parse.h"

/* Bytes begin .. end-1 that did not lex; node `before` of the old tree comes next. */
struct stretch {
    uint32_t begin, end, before, parent;
};

struct opener {
    pare_parse_tree *tree;
    const char *text;
    struct stretch *stretches;
    size_t n_stretches, stretches_capacity;
    pare_parse_node *nodes;
    size_t n, capacity;
    uint32_t *moved; /* by old node */
    pare_error *err;
};

/* --- text that did not lex ---------------------------------------------------------- */

/* Adds the bytes of a token; those of neighbours are one stretch. */
static pare_status add_stretch(struct opener *o, uint32_t begin, uint32_t end)
{
    if (o->n_stretches > 0 && o->stretches[o->n_stretches - 1].end == begin) {
        o->stretches[o->n_stretches - 1].end = end;
        return PARE_OK;
    }
    struct stretch *grown = pare_vector_reserve(o->stretches, &o->stretches_capacity,
                                                o->n_stretches + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(o->err);
    o->stretches = grown;
    grown[o->n_stretches++] = (struct stretch){.begin = begin, .end = end};
    return PARE_OK;
}

static pare_status find_stretches(struct opener *o, const pare_tokens *tokens)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < tokens->n && tokens->n_errors > 0 && status == PARE_OK; i++) {
        if (tokens->tokens[i].type == PARE_TOKEN_ERROR)
            status = add_stretch(o, tokens->tokens[i].begin, tokens->tokens[i].end);
    }
    return status;
}

/* The innermost node around the byte before `end`, of `node` and those around it; the root
 * when there is none. */
static uint32_t find_around(const pare_parse_tree *tree, uint32_t node, uint32_t end)
{
    while (node > 0 && tree->nodes[node].end < end)
        node = tree->nodes[node].parent;
    return node;
}

/* Finds where the stretches belong; leaves out those that are in an opaque leaf. */
static void place_stretches(struct opener *o)
{
    const pare_parse_tree *tree = o->tree;
    size_t kept = 0;
    uint32_t next = 1;
    for (size_t i = 0; i < o->n_stretches; i++) {
        struct stretch s = o->stretches[i];
        while (next < tree->n_nodes && tree->nodes[next].begin < s.end)
            next++;
        s.before = next;
        s.parent = find_around(tree, next - 1, s.end);
        if (tree->nodes[s.parent].kind != PARE_NODE_OPAQUE) o->stretches[kept++] = s;
    }
    o->n_stretches = kept;
}

/* --- the new tree ------------------------------------------------------------------- */

static pare_status add_node(struct opener *o, pare_parse_node node)
{
    pare_parse_node *grown = pare_vector_reserve(o->nodes, &o->capacity, o->n + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(o->err);
    if (o->n >= PARE_NO_NODE - 1)
        return pare_fail(o->err, PARE_E_LIMIT, "the tree has more than 2^32 nodes");
    o->nodes = grown;
    grown[o->n++] = node;
    return PARE_OK;
}

/* A node of the structure by brackets, as part of an opaque node that starts at `begin`. */
static pare_parse_node translate(pare_parse_node node, uint32_t begin)
{
    static const uint32_t symbols[] = {[PARE_BRACKETS_SEGMENT] = PARE_OPAQUE_SEGMENT,
                                       [PARE_BRACKETS_ROUND] = PARE_OPAQUE_ROUND,
                                       [PARE_BRACKETS_SQUARE] = PARE_OPAQUE_SQUARE,
                                       [PARE_BRACKETS_CURLY] = PARE_OPAQUE_CURLY};
    if (node.kind == PARE_NODE_RULE)
        node.symbol = symbols[node.symbol];
    else
        node.symbol = node.kind == PARE_NODE_TOKEN ? PARE_OPAQUE_TOKEN : PARE_NO_NODE;
    if (node.kind != PARE_NODE_STAR) node.kind = PARE_NODE_OPAQUE;
    node.begin += begin;
    node.end += begin;
    return node;
}

static bool has_several_tokens(const pare_parse_tree *tree)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_nodes && n < 2; i++)
        n += tree->nodes[i].kind == PARE_NODE_TOKEN;
    return n > 1;
}

/* Adds the structure within the opaque node that was added last. */
static pare_status open_last(struct opener *o)
{
    uint32_t node = (uint32_t)o->n - 1, begin = o->nodes[node].begin, end = o->nodes[node].end;
    pare_parse_tree inner = {0};
    pare_status status =
        pare_bracket_parse((const unsigned char *)o->text + begin, end - begin, &inner, o->err);
    if (status != PARE_OK) return status;
    bool opens = has_several_tokens(&inner);
    if (opens) { /* blanks at its ends are no part of it */
        o->nodes[node].begin = begin + inner.nodes[0].begin;
        o->nodes[node].end = begin + inner.nodes[0].end;
    }
    for (uint32_t i = 1; i < inner.n_nodes && opens && status == PARE_OK; i++) {
        pare_parse_node piece = translate(inner.nodes[i], begin);
        piece.parent += node; /* its document is the opaque node */
        status = add_node(o, piece);
    }
    pare_parse_tree_done(&inner);
    return status;
}

static pare_status add_opaque(struct opener *o, const struct stretch *s)
{
    pare_status status = add_node(o, (pare_parse_node){.kind = PARE_NODE_OPAQUE,
                                                       .symbol = PARE_NO_NODE,
                                                       .begin = s->begin,
                                                       .end = s->end,
                                                       .parent = o->moved[s->parent]});
    return status == PARE_OK ? open_last(o) : status;
}

static pare_status copy_node(struct opener *o, uint32_t index)
{
    pare_parse_node node = o->tree->nodes[index];
    o->moved[index] = (uint32_t)o->n;
    if (node.parent != PARE_NO_NODE) node.parent = o->moved[node.parent];
    pare_status status = add_node(o, node);
    return status == PARE_OK && node.kind == PARE_NODE_OPAQUE ? open_last(o) : status;
}

/* Goes over the old nodes; each stretch is put in before the node that follows it. */
static pare_status copy_all(struct opener *o)
{
    size_t next = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i <= o->tree->n_nodes && status == PARE_OK; i++) {
        for (; next < o->n_stretches && o->stretches[next].before == i && status == PARE_OK; next++)
            status = add_opaque(o, &o->stretches[next]);
        if (i < o->tree->n_nodes && status == PARE_OK) status = copy_node(o, i);
    }
    return status;
}

/* Where each node ends in the array, and the root in the text. */
static void link_nodes(struct opener *o)
{
    pare_parse_node *nodes = o->nodes;
    for (size_t i = 0; i < o->n; i++)
        nodes[i].after = (uint32_t)i + 1;
    for (size_t i = o->n; i-- > 1;) {
        assert(nodes[i].parent < i);
        pare_parse_node *parent = &nodes[nodes[i].parent];
        if (parent->after < nodes[i].after) parent->after = nodes[i].after;
    }
    for (size_t i = 0; i < o->n_stretches; i++) {
        if (nodes[0].begin > o->stretches[i].begin) nodes[0].begin = o->stretches[i].begin;
        if (nodes[0].end < o->stretches[i].end) nodes[0].end = o->stretches[i].end;
    }
}

static bool has_opaque(const pare_parse_tree *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        if (tree->nodes[i].kind == PARE_NODE_OPAQUE) return true;
    }
    return false;
}

/* The old tree is replaced only when the new one is whole. */
pare_status pare_opaque_open(pare_parse_tree *tree, const char *text, const pare_tokens *tokens,
                             pare_error *err)
{
    struct opener o = {.tree = tree, .text = text, .err = err};
    if (tokens->n_errors == 0 && !has_opaque(tree)) return PARE_OK;
    o.moved = pare_alloc(tree->n_nodes, sizeof *o.moved);
    pare_status status = o.moved ? find_stretches(&o, tokens) : pare_fail_nomem(err);
    if (status == PARE_OK) {
        place_stretches(&o);
        status = copy_all(&o);
    }
    if (status == PARE_OK) {
        link_nodes(&o);
        pare_alloc_free(tree->nodes);
        tree->nodes = o.nodes;
        tree->n_nodes = o.n;
        o.nodes = NULL;
    }
    pare_alloc_free(o.stretches);
    pare_alloc_free(o.nodes);
    pare_alloc_free(o.moved);
    return status;
}
