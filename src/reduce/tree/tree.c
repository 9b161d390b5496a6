/* Making the tree that is reduced, from a parse tree and the facts that pare_tree_rules gives.
 *
 * Every fact about a node (its minimal text, whether it may go, what may stand in its place) is
 * asked once, here, and kept in the node: strategies ask for them millions of times.  Nodes
 * keep the pre-order of the parse tree, so a subtree is a run of the array and every walk is a
 * loop: trees may be a million levels deep, and nothing here recurs.
 *
 * Minimal texts stand in one string.  A text that was stored lately is found again by its hash,
 * so that ten thousand statements share one `;`; it is a cache of 256 entries, not a table,
 * because a text that is stored twice costs bytes only.
 * Cost: no tests; O(nodes + bytes).  Memory: 64 bytes a node and the distinct texts. */
#include "reduce/tree/tree.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/interrupt.h"

enum { LATELY = 256, DEEPEST = 1024 };

/* A tree in the making. */
struct maker {
    pare_tree *tree;
    const pare_parse_tree *parse;
    pare_buffer texts;
    struct {
        uint32_t at, size;
    } lately[LATELY];  /* by hash of the text */
    const char *bytes; /* of the text, in one piece */
};

/* Whether a node of that kind only says how often its children stand. */
static bool is_quantifier(uint32_t kind)
{
    return kind == PARE_NODE_OPTIONAL || kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS;
}

/* Whether the node is a token, or opaque without anything below. */
static bool is_leaf(const pare_tree *tree, uint32_t node)
{
    const pare_tree_node *n = &tree->nodes[node];
    return n->own.kind == PARE_NODE_TOKEN ||
           (n->own.kind == PARE_NODE_OPAQUE && n->after == node + 1);
}

/* Whether `node` is a round of a quantifier that may be left out.  Of a plus one round has to
 * stay: with strict rules that is the first, else only a plus of a single round keeps it. */
static bool is_round(const struct maker *maker, uint32_t node)
{
    const pare_parse_tree *parse = maker->parse;
    uint32_t parent = parse->nodes[node].parent;
    if (parent == PARE_NO_NODE || !is_quantifier(parse->nodes[parent].kind)) return false;
    if (parse->nodes[parent].kind != PARE_NODE_PLUS) return true;
    if (maker->tree->rules.strict) return node != parent + 1;
    return node != parent + 1 || parse->nodes[node].after != parse->nodes[parent].after;
}

/* Stores the minimal text of `node`, unless it was stored lately.
 * A text is compared in full before it is shared, so a clash of hashes costs bytes only. */
static pare_status keep_text(struct maker *maker, pare_tree_node *node, const char *text,
                             size_t size, pare_error *err)
{
    node->minimal_size = (uint32_t)size;
    if (!size) return PARE_OK;
    /* Sixteen bytes tell most short texts apart; two texts that meet in one entry are compared
     * in full. */
    size_t hash = size;
    for (size_t i = 0; i < size && i < 16; i++)
        hash = hash * 31 + (unsigned char)text[i];
    uint32_t at = maker->lately[hash % LATELY].at;
    if (maker->lately[hash % LATELY].size == size &&
        memcmp(maker->texts.data + at, text, size) == 0) {
        node->minimal = at;
        return PARE_OK;
    }
    if (maker->texts.size + size > UINT32_MAX)
        return pare_fail(err, PARE_E_LIMIT, "minimal texts of a tree are over 4 GiB");
    node->minimal = (uint32_t)maker->texts.size;
    maker->lately[hash % LATELY].at = node->minimal;
    maker->lately[hash % LATELY].size = node->minimal_size;
    return pare_buffer_add(&maker->texts, text, size, err);
}

/* Asks for the text that may stand for the node and stores it.  Rounds give way to nothing; a
 * token without a known text keeps its own, any other node is marked PARE_TREE_NO_MINIMAL. */
static pare_status ask_minimal(struct maker *maker, uint32_t index, pare_error *err)
{
    const pare_tree_rules *rules = &maker->tree->rules;
    pare_tree_node *node = &maker->tree->nodes[index];
    const char *text = NULL;
    size_t size = 0;
    /* Its minimal text is empty: the size is 0 already. */
    if (is_round(maker, index)) return PARE_OK;
    if (rules->minimal) {
        rules->minimal(rules->context, maker->parse, index, &text, &size);
        if (size == PARE_TREE_NO_TEXT && node->own.kind != PARE_NODE_TOKEN) {
            node->flags |= PARE_TREE_NO_MINIMAL;
            return PARE_OK;
        }
    }
    if (node->own.kind == PARE_NODE_TOKEN && (!rules->minimal || size == PARE_TREE_NO_TEXT)) {
        text = maker->bytes + maker->parse->nodes[index].begin;
        size = maker->parse->nodes[index].end - maker->parse->nodes[index].begin;
    }
    return keep_text(maker, node, text, size, err);
}

/* Whether nothing may stand for the node. */
static bool ask_deletable(const struct maker *maker, uint32_t index)
{
    const pare_tree_rules *rules = &maker->tree->rules;
    if (is_round(maker, index)) return true;
    if (rules->deletable) return rules->deletable(rules->context, maker->parse, index);
    const pare_tree_node *node = &maker->tree->nodes[index];
    return node->minimal_size == 0 && !(node->flags & PARE_TREE_NO_MINIMAL);
}

/* Fills node `index` from the parse tree.  Its parent comes before it in pre-order, so the
 * level of that is known already. */
static pare_status make_node(struct maker *maker, uint32_t index, pare_error *err)
{
    const pare_parse_node *from = &maker->parse->nodes[index];
    const pare_tree_rules *rules = &maker->tree->rules;
    pare_tree_node *nodes = maker->tree->nodes, *node = &nodes[index];
    assert(nodes);
    bool root = from->parent == PARE_NO_NODE;
    *node = (pare_tree_node){.own = {from->kind, from->symbol},
                             .slot = {from->kind, from->symbol},
                             .begin = from->begin,
                             .end = from->end,
                             .after = from->after,
                             .parent = from->parent,
                             .field = from->field,
                             .level = root ? 0 : nodes[from->parent].level + 1};
    if (rules->productions && from->kind == PARE_NODE_RULE) node->production = from->alternative;
    if (rules->slot) node->slot = rules->slot(rules->context, maker->parse, index);
    /* The node's own tokens; sum_up adds those below it. */
    node->n_tokens = is_leaf(maker->tree, index) && from->end > from->begin;
    pare_status status = ask_minimal(maker, index, err);
    if (!status && ask_deletable(maker, index)) node->flags |= PARE_TREE_DELETABLE;
    return status;
}

/* Labels the children of `parent`.  Quantifiers without rounds are not in the tree, so
 * they do not count where the others stand.
 * A production `if ( expr ) stmt [else stmt]` labels its children FIRST + 0 and so on; the
 * optional part is labelled by its own symbol, so it is the same place whether or not others are
 * missing. */
static void label_children(pare_tree *tree, uint32_t parent)
{
    const pare_tree_node *over = &tree->nodes[parent];
    /* Without productions nothing is known of the places below a rule, so they stay unlabelled. */
    bool rounds = is_quantifier(over->own.kind);
    uint32_t next = PARE_TREE_FIRST;
    if (!rounds && (!tree->rules.productions || over->own.kind == PARE_NODE_OPAQUE)) return;
    /* From child to child: `after` jumps over what is below. */
    for (uint32_t i = parent + 1; i < over->after; i = tree->nodes[i].after) {
        pare_tree_node *child = &tree->nodes[i];
        if (rounds)
            child->label = PARE_TREE_ROUND;
        else if (child->own.kind == PARE_NODE_OPAQUE)
            child->label = PARE_TREE_UNLABELLED;
        else if (is_quantifier(child->own.kind))
            child->label = PARE_TREE_QUANTIFIER + child->own.symbol;
        else
            child->label = next++;
    }
}

/* Counts tokens and finds where the next one begins, from the last node to the first: children
 * come after their parent, so every node is complete when it is added to its parent.
 *
 * Example: in `a b` the leaf `a` ends at byte 1 and resumes at 3, where `b` begins; when `a` is
 * left out the two blanks go with it. */
static void sum_up(pare_tree *tree)
{
    uint32_t next = PARE_NO_NODE; /* begin of the token that follows */
    for (uint32_t i = tree->n_nodes; i-- > 0 && !pare_interrupt_asked_at(i);) {
        pare_tree_node *node = &tree->nodes[i];
        if (is_leaf(tree, i)) {
            node->resume = next == PARE_NO_NODE ? node->end : next;
            if (node->n_tokens) next = node->begin;
        }
        if (node->parent != PARE_NO_NODE) tree->nodes[node->parent].n_tokens += node->n_tokens;
    }
    /* An inner node goes on where its last leaf does. */
    for (uint32_t i = tree->n_nodes; i-- > 0 && !pare_interrupt_asked_at(i);) {
        pare_tree_node *node = &tree->nodes[i];
        if (!is_leaf(tree, i) && node->resume < node->end) node->resume = node->end;
        if (node->parent == PARE_NO_NODE || !node->n_tokens) continue;
        pare_tree_node *parent = &tree->nodes[node->parent];
        if (parent->resume < node->resume) parent->resume = node->resume;
    }
}

/* Bytes of blanks before `at` on its line, up to DEEPEST; *alone: nothing else is. */
static uint32_t indentation(const char *bytes, uint32_t at, bool *alone)
{
    uint32_t n = 0;
    while (n < at && n < DEEPEST && (bytes[at - n - 1] == ' ' || bytes[at - n - 1] == '\t'))
        n++;
    *alone = n == at || bytes[at - n - 1] == '\n';
    return n;
}

/* Where lines matter (PARE_JOINTS_LINES) a gap goes with its node only up to the line end,
 * unless the node fills its line and what comes next is indented like it: else a statement
 * would move to the end of another one's line.
 * For Python, mostly: where indentation makes blocks a line end is part of the structure. */
static void keep_lines(pare_tree *tree, const char *bytes)
{
    for (uint32_t i = 0; i < tree->n_nodes && !pare_interrupt_asked_at(i); i++) {
        pare_tree_node *node = &tree->nodes[i];
        bool alone = false, next_alone = false;
        size_t gap = node->resume - node->end;
        const char *line_end = gap ? memchr(bytes + node->end, '\n', gap) : NULL;
        if (!line_end) continue;
        uint32_t own = indentation(bytes, node->begin, &alone);
        if (alone && own == indentation(bytes, node->resume, &next_alone)) continue;
        node->resume = (uint32_t)(line_end - bytes);
    }
}

/* Makes all nodes. Called while the text is in one piece. */
static pare_status fill(struct maker *maker, pare_error *err)
{
    const pare_parse_tree *parse = maker->parse;
    pare_tree *tree = maker->tree;
    pare_status status = PARE_OK;
    tree->nodes = pare_alloc(parse->n_nodes, sizeof *tree->nodes);
    if (!tree->nodes) return pare_fail_nomem(err);
    tree->n_nodes = (uint32_t)parse->n_nodes;
    for (uint32_t i = 0; !status && i < parse->n_nodes; i++)
        status = pare_interrupt_asked_at(i) ? pare_interrupt_look(err) : make_node(maker, i, err);
    tree->texts = maker->texts.data;
    tree->texts_size = maker->texts.size;
    if (status) return status;
    for (uint32_t i = 0; i < tree->n_nodes && !pare_interrupt_asked_at(i); i++)
        label_children(tree, i);
    sum_up(tree);
    if (tree->rules.joints == PARE_JOINTS_LINES) keep_lines(tree, maker->bytes);
    return pare_interrupt_look(err); /* the walks above end where they are asked to */
}

/* The text is flattened for the time of making: tokens are read from it in one piece. */
pare_status pare_tree_new(const pare_parse_tree *parse, const pare_text *text,
                          const pare_tree_rules *rules, pare_tree **out, pare_error *err)
{
    if (!parse->n_nodes || parse->n_nodes >= PARE_NO_NODE)
        return pare_fail(err, PARE_E_ARG, "the tree has no nodes, or too many");
    struct maker maker = {.parse = parse, .tree = pare_alloc_zero(1, sizeof(pare_tree))};
    if (!maker.tree) return pare_fail_nomem(err);
    *maker.tree = (pare_tree){.refs = 1, .text = pare_text_ref(text), .rules = *rules};
    pare_text *flat = NULL;
    pare_status status = PARE_OK;
    if (!pare_text_bytes(text)) status = pare_text_flatten(text, &flat, err);
    maker.bytes = (const char *)pare_text_bytes(flat ? flat : text);
    if (!status) status = fill(&maker, err);
    pare_text_unref(flat);
    if (status)
        pare_tree_unref(maker.tree);
    else {
        assert(pare_tree_check(maker.tree));
        *out = maker.tree;
    }
    return status;
}

/* A tree is immutable once it is made, but for pare_tree_forget_texts before it is shared. */
pare_tree *pare_tree_ref(pare_tree *tree)
{
    assert(tree->refs > 0);
    tree->refs++;
    return tree;
}

/* NULL is a no-op. */
void pare_tree_unref(pare_tree *tree)
{
    if (!tree || --tree->refs) return;
    pare_text_unref(tree->text);
    pare_alloc_free(tree->nodes);
    pare_alloc_free(tree->texts);
    pare_alloc_free(tree);
}

/* A token that may only become itself is out of play; any other node with a minimal text is
 * marked as having none. */
void pare_tree_forget_texts(pare_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        pare_tree_node *node = &tree->nodes[i];
        if (!node->minimal_size) continue;
        if (node->own.kind == PARE_NODE_TOKEN) {
            node->flags |= PARE_TREE_HIDDEN;
        } else {
            node->flags |= PARE_TREE_NO_MINIMAL;
            node->minimal_size = 0;
        }
    }
}

/* Whether `offered` may stand where `wanted` is expected. */
static bool symbol_fits(const pare_tree *tree, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    /* Nameless nodes, made by transformations, stand for nothing that a grammar names. */
    if (wanted.symbol == PARE_NO_NODE || offered.symbol == PARE_NO_NODE) return false;
    if (wanted.kind == offered.kind && wanted.symbol == offered.symbol) return true;
    return tree->rules.fits && tree->rules.fits(tree->rules.context, wanted, offered);
}

/* A squeezed node stands for its whole chain, so it fits where the label of the topmost node or its
 * own symbol fits. */
bool pare_tree_fits(const pare_tree *tree, uint32_t place, uint32_t node)
{
    pare_tree_symbol wanted = tree->nodes[place].slot;
    const pare_tree_node *offered = &tree->nodes[node];
    if (symbol_fits(tree, wanted, offered->slot)) return true;
    return symbol_fits(tree, wanted, offered->own);
}

/* Whether the links, bytes and the minimal text of node `i` are in range and agree with its
 * parent. */
static bool check_node(const pare_tree *tree, uint32_t i)
{
    const pare_tree_node *node = &tree->nodes[i];
    if (node->after <= i || node->after > tree->n_nodes) return false;
    if (node->begin > node->end || node->resume < node->end) return false;
    if (node->end > pare_text_size(tree->text)) return false;
    if ((size_t)node->minimal + node->minimal_size > tree->texts_size) return false;
    if (i == 0) return node->parent == PARE_NO_NODE && node->after == tree->n_nodes && !node->level;
    if (node->parent >= i) return false;
    const pare_tree_node *parent = &tree->nodes[node->parent];
    if (node->after > parent->after || node->level != parent->level + 1) return false;
    return !node->n_tokens || (node->begin >= parent->begin && node->end <= parent->end);
}

/* Whether nodes are linked and leaves with text are in the order of the text. */
bool pare_tree_check(const pare_tree *tree)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        if (!check_node(tree, i)) return false;
        if (!is_leaf(tree, i) || !node->n_tokens) continue;
        if (node->begin < at || node->after != i + 1) return false;
        at = node->end;
    }
    return true;
}
