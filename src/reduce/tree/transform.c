/* Transformations of a tree before it is reduced: remove-empty, flatten, squeeze, hide and
 * skip-space, and the table of them.
 *
 * A strategy spends tests on nodes, so a tree with fewer, better nodes costs less.  None of the
 * transformations changes what the tree prints; they only change which nodes there are and
 * which of them are tried.  Each works on a draft, in which children are linked lists: moving a
 * list of children sets one index, where the pre-order array of pare_tree would have to be
 * copied.  The draft is written out as an array once, at the end; transformations that add no
 * nodes share one, since a node then stays in front of all that is below it.
 * Source: seed 001, algorithms 2, 3 and 5; Hodován, Kiss and Gyimóthy, AST 2017 and ICSME 2017;
 * the tool Picireny for remove-empty and skip-space.
 * Cost: no tests; O(nodes) time; memory for a draft (32 bytes a node) and the new tree. */
#include "reduce/tree/transform.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "text/text.h"

/* --- the draft --------------------------------------------------------------------------- */

/* A node of a draft: what a transformation may change, and where the rest of it stands.  Half the
 * size of a node of the tree, so that a large tree is not in memory three times. */
struct draft_node {
    uint32_t content;           /* index of the node that tells the rest: see content_of */
    uint32_t first, last, next; /* children and next sibling, or PARE_NO_NODE */
    uint32_t label;
    pare_tree_symbol slot;
    uint32_t flags;
};

/* A tree while it is reshaped.  Invariant: nodes 0 .. n_source-1 are those of the source tree
 * under their own indices; nodes that a transformation adds follow them.  So a loop from
 * n_source-1 down to 0 sees every node after all nodes below it, without recursion. */

struct pare_transform_draft {
    pare_tree *source;        /* one reference */
    struct draft_node *nodes; /* owned */
    size_t n, capacity, n_source;
    pare_tree_node *added; /* owned; contents of the nodes from n_source on */
    size_t n_added, added_capacity;
    uint32_t root;
};

typedef struct pare_transform_draft draft_tree;

/* What node `i` covers and prints: its span, tokens and minimal text, which transformations do not
 * change. Label, slot and flags are in the draft; links and levels are made when the draft is
 * closed. */
static const pare_tree_node *content_of(const draft_tree *draft, uint32_t i)
{
    uint32_t at = draft->nodes[i].content;
    return at < draft->n_source ? &draft->source->nodes[at] : &draft->added[at - draft->n_source];
}

/* Links the nodes of `tree` into a draft, each to its parent's list of children.  On
 * PARE_OK *draft is to be ended by draft_done.  Errors: PARE_E_NOMEM. */
static pare_status draft_open(pare_tree *tree, draft_tree *draft, pare_error *err)
{
    struct draft_node *nodes = pare_alloc(tree->n_nodes, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *from = &tree->nodes[i];
        nodes[i] = (struct draft_node){.content = i,
                                       .first = PARE_NO_NODE,
                                       .last = PARE_NO_NODE,
                                       .next = PARE_NO_NODE,
                                       .label = from->label,
                                       .slot = from->slot,
                                       .flags = from->flags};
        if (!i) continue;
        struct draft_node *parent = &nodes[tree->nodes[i].parent];
        if (parent->first == PARE_NO_NODE)
            parent->first = i;
        else
            nodes[parent->last].next = i;
        parent->last = i;
    }
    *draft = (draft_tree){.source = pare_tree_ref(tree),
                          .nodes = nodes,
                          .n = tree->n_nodes,
                          .n_source = tree->n_nodes,
                          .capacity = tree->n_nodes};
    return PARE_OK;
}

/* Frees what the draft owns; an all-zero draft is a no-op. */
static void draft_done(draft_tree *draft)
{
    pare_tree_unref(draft->source);
    pare_alloc_free(draft->nodes);
    pare_alloc_free(draft->added);
    *draft = (draft_tree){0};
}

/* Adds a nameless node without children whose minimal text is empty, so it may be deleted.
 * Indices stay valid, pointers do not.  Errors: PARE_E_NOMEM. */
static pare_status draft_add(draft_tree *draft, uint32_t *out, pare_error *err)
{
    struct draft_node *nodes =
        pare_vector_grow(draft->nodes, draft->n, &draft->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    draft->nodes = nodes;
    pare_tree_node *added =
        pare_vector_grow(draft->added, draft->n_added, &draft->added_capacity, sizeof *added);
    if (!added) return pare_fail_nomem(err);
    draft->added = added;
    pare_tree_symbol nameless = {PARE_NODE_ITEM, PARE_NO_NODE};
    added[draft->n_added++] = (pare_tree_node){.own = nameless};
    draft->nodes[draft->n] = (struct draft_node){.content = (uint32_t)draft->n,
                                                 .first = PARE_NO_NODE,
                                                 .last = PARE_NO_NODE,
                                                 .next = PARE_NO_NODE,
                                                 .slot = nameless,
                                                 .flags = PARE_TREE_DELETABLE};
    *out = (uint32_t)draft->n++;
    return PARE_OK;
}

/* Sets the bytes and the number of tokens of `node`, which was added, from its children. */
static void draft_span(draft_tree *draft, uint32_t node)
{
    assert(node >= draft->n_source);
    pare_tree_node *sum = &draft->added[node - draft->n_source];
    sum->n_tokens = 0;
    for (uint32_t c = draft->nodes[node].first; c != PARE_NO_NODE; c = draft->nodes[c].next) {
        const pare_tree_node *child = content_of(draft, c);
        if (!child->n_tokens) continue;
        if (!sum->n_tokens) sum->begin = child->begin;
        sum->end = child->end;
        sum->resume = child->resume;
        sum->n_tokens += child->n_tokens;
    }
}

/* Notes that the nodes on the path from `at` up to, without it, `until` have no more
 * descendants. */
static void close_path(pare_tree *tree, uint32_t at, uint32_t until)
{
    for (; at != until; at = tree->nodes[at].parent)
        tree->nodes[at].after = tree->n_nodes;
}

/* Writes the nodes that can be reached from the root in pre-order; from[i] becomes the index in
 * the draft of node i.  The path to the root is kept in the `parent` links of the new tree, so
 * a tree of any depth needs no stack. */
static void emit(const draft_tree *draft, pare_tree *tree, uint32_t *from)
{
    assert(tree && tree->nodes && from);
    uint32_t at = draft->root, parent = PARE_NO_NODE;
    for (;;) {
        uint32_t i = tree->n_nodes++;
        pare_tree_node *node = &tree->nodes[i];
        *node = *content_of(draft, at);
        node->label = draft->nodes[at].label;
        node->slot = draft->nodes[at].slot;
        node->flags = (uint16_t)draft->nodes[at].flags;
        from[i] = at;
        node->parent = parent;
        node->level = parent == PARE_NO_NODE ? 0 : tree->nodes[parent].level + 1;
        /* Down to the first child, else to the next sibling of the nearest node above that has
         * one. */
        uint32_t up = i; /* the next node is a child of `i` or a sibling of one above */
        uint32_t next = draft->nodes[at].first;
        while (next == PARE_NO_NODE && up != 0) {
            next = draft->nodes[from[up]].next;
            tree->nodes[up].after = tree->n_nodes;
            up = tree->nodes[up].parent;
        }
        if (next == PARE_NO_NODE) {
            close_path(tree, up, PARE_NO_NODE);
            return;
        }
        at = next;
        parent = up;
    }
}

/* Makes a tree of the draft, over the same text.  It has at most as many nodes as the draft. On
 * PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
static pare_status draft_close(const draft_tree *draft, pare_tree **out, pare_error *err)
{
    const pare_tree *source = draft->source;
    pare_tree *tree = pare_alloc_zero(1, sizeof *tree);
    uint32_t *from = pare_alloc(draft->n, sizeof *from);
    pare_status status = PARE_OK;
    if (tree) {
        *tree = (pare_tree){.refs = 1, .text = pare_text_ref(source->text), .rules = source->rules};
        tree->nodes = pare_alloc(draft->n, sizeof *tree->nodes);
        tree->texts = pare_alloc_text(source->texts ? source->texts : "", source->texts_size);
        tree->texts_size = source->texts_size;
    }
    if (!tree || !from || !tree->nodes || !tree->texts) status = pare_fail_nomem(err);
    if (!status) {
        emit(draft, tree, from);
        assert(pare_tree_check(tree));
        *out = tree;
    } else {
        pare_tree_unref(tree);
    }
    pare_alloc_free(from);
    return status;
}

/* --- remove-empty ------------------------------------------------------------------------ */

/* Unlinks the children of `at` that print nothing. */
static void drop_children(draft_tree *draft, uint32_t at)
{
    struct draft_node *nodes = draft->nodes;
    uint32_t *link = &nodes[at].first;
    nodes[at].last = PARE_NO_NODE;
    while (*link != PARE_NO_NODE) {
        uint32_t child = *link;
        if (content_of(draft, child)->n_tokens) {
            nodes[at].last = child;
            link = &nodes[child].next;
        } else {
            *link = nodes[child].next;
        }
    }
}

/* remove-empty: nodes without tokens leave the tree.  They print nothing, and beside a single
 * child they hide from squeeze that it is a single child.  The root stays.
 * Source: the tool Picireny (remove_empty_nodes). */
static pare_status remove_empty(draft_tree *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++)
        drop_children(draft, (uint32_t)i);
    return PARE_OK;
}

const pare_transform pare_transform_remove_empty = {
    .name = "remove-empty",
    .summary = "removes nodes without tokens from the tree",
    .source = "Picireny",
    .apply = remove_empty,
};

/* Whether both nodes are made by the same rule. */
static bool same_symbol(const draft_tree *draft, uint32_t a, uint32_t b)
{
    pare_tree_symbol x = content_of(draft, a)->own, y = content_of(draft, b)->own;
    return x.kind == PARE_NODE_RULE && x.kind == y.kind && x.symbol == y.symbol;
}

/* Makes the children from .. to, which are linked to each other, those of a new node *out. */
static pare_status wrap(draft_tree *draft, uint32_t from, uint32_t to, uint32_t *out,
                        pare_error *err)
{
    pare_status status = draft_add(draft, out, err);
    if (status) return status;
    draft->nodes[*out].first = from;
    draft->nodes[*out].last = to;
    draft->nodes[to].next = PARE_NO_NODE;
    draft_span(draft, *out);
    return PARE_OK;
}

/* The list recurs on its left: `at` takes over the children of its first child, and its other
 * children become one element after them. */
static pare_status flatten_left(draft_tree *draft, uint32_t at, pare_error *err)
{
    uint32_t left = draft->nodes[at].first, right;
    pare_status status = wrap(draft, draft->nodes[left].next, draft->nodes[at].last, &right, err);
    if (status) return status;
    struct draft_node *node = &draft->nodes[at];
    node->first = draft->nodes[left].first;
    draft->nodes[draft->nodes[left].last].next = right;
    node->last = right;
    return PARE_OK;
}

/* The mirror image, for a last child.  Finding the child before the last one is linear in the
 * children, but each node is flattened at most once. */
static pare_status flatten_right(draft_tree *draft, uint32_t at, pare_error *err)
{
    uint32_t right = draft->nodes[at].last, before = draft->nodes[at].first, left;
    while (draft->nodes[before].next != right)
        before = draft->nodes[before].next;
    pare_status status = wrap(draft, draft->nodes[at].first, before, &left, err);
    if (status) return status;
    struct draft_node *node = &draft->nodes[at];
    node->first = left;
    draft->nodes[left].next = draft->nodes[right].first;
    node->last = draft->nodes[right].last;
    return PARE_OK;
}

/* Whether `child` has the symbol of its parent `at` and children to give. */
static bool recurs(const draft_tree *draft, uint32_t at, uint32_t child)
{
    return same_symbol(draft, at, child) && draft->nodes[child].first != PARE_NO_NODE;
}

/* flatten: lists that a grammar describes by recursion become flat, as if it had used a
 * quantifier, so that list minimisation and Coarse HDD see their elements.
 *
 * A node whose first child has its own symbol takes over that child's children, and the rest of
 * its children become one nameless node with an empty minimal text; likewise for a last child.
 * From the leaves up, so a chain of any depth becomes one list in linear time.
 * Source: seed 001, algorithm 5 (flattenTreeRecursion); Hodován, Kiss and Gyimóthy, "Coarse
 * hierarchical delta debugging", ICSME 2017.
 *
 * Example: `list(list(list(a), b), c)` becomes `list(a, {b}, {c})`, where {} are nameless nodes. */
static pare_status flatten(draft_tree *draft, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = draft->n_source; !status && i-- > 0;) {
        uint32_t at = (uint32_t)i;
        uint32_t first = draft->nodes[at].first, last = draft->nodes[at].last;
        /* A node with one child or none makes no list. */
        if (first == last) continue;
        if (recurs(draft, at, first))
            status = flatten_left(draft, at, err);
        else if (recurs(draft, at, last))
            status = flatten_right(draft, at, err);
    }
    return status;
}

const pare_transform pare_transform_flatten = {
    .name = "flatten",
    .summary = "makes left- and right-recursive lists flat",
    .source = "Hodovan, Kiss and Gyimothy, ICSME 2017",
    .apply = flatten,
    .adds_nodes = true,
};

/* Whether both nodes are replaced by the same text when they are pruned. */
static bool same_minimal(const draft_tree *draft, const pare_tree_node *a, const pare_tree_node *b)
{
    if (a->minimal_size != b->minimal_size) return false;
    if ((a->flags ^ b->flags) & PARE_TREE_NO_MINIMAL) return false;
    if (a->minimal_size == 0 || a->minimal == b->minimal) return true;
    const char *texts = draft->source->texts;
    return memcmp(texts + a->minimal, texts + b->minimal, a->minimal_size) == 0;
}

/* Whether `at` can be replaced by its only child. */
static bool is_link(const draft_tree *draft, uint32_t at)
{
    const struct draft_node *node = &draft->nodes[at];
    if (node->first == PARE_NO_NODE || node->first != node->last) return false;
    return same_minimal(draft, content_of(draft, at), content_of(draft, node->first));
}

/* Copies the only child over its parent, so that whoever points to the parent now has the
 * child.  The child's own children are below it in the source too, so they were seen before. */
static void lift(draft_tree *draft, uint32_t at)
{
    struct draft_node *parent = &draft->nodes[at];
    struct draft_node child = draft->nodes[parent->first];
    child.next = parent->next;
    child.label = parent->label;
    child.flags |= parent->flags & PARE_TREE_DELETABLE;
    if (parent->slot.kind == PARE_NODE_RULE) child.slot = parent->slot;
    *parent = child;
}

/* squeeze: a node with one child of the same minimal text is replaced by that child.  Removing
 * the one or the other gives the same candidate, so one of them is enough.
 *
 * The child keeps what it is and takes over the place: what may stand there is whatever may
 * stand for the topmost node of the chain (Perses collapses chains likewise).
 * Source: seed 001, algorithm 2 (squeezeTree); Hodován, Kiss and Gyimóthy, "Tree preprocessing
 * and test outcome caching for efficient hierarchical delta debugging", AST 2017.
 *
 * Example: of `expr(term(factor(NUMBER)))`, all with the minimal text `0`, the NUMBER is left,
 * in the place of the expr. */
static pare_status squeeze(draft_tree *draft, pare_error *err)
{
    (void)err;
    for (size_t i = draft->n_source; i-- > 0;)
        if (is_link(draft, (uint32_t)i)) lift(draft, (uint32_t)i);
    return PARE_OK;
}

const pare_transform pare_transform_squeeze = {
    .name = "squeeze",
    .summary = "merges chains of single children with equal minimal text into one node",
    .source = "Hodovan, Kiss and Gyimothy, AST 2017",
    .apply = squeeze,
};

/* --- hide and skip-space ----------------------------------------------------------------- */

enum { STEP = 256 }; /* bytes compared at once: a text may consist of several pieces */

/* Whether the base text of `node` is its minimal text already. */
static bool prints_minimal(const draft_tree *draft, const pare_tree_node *node)
{
    if (node->end - node->begin != node->minimal_size) return false;
    if (node->flags & PARE_TREE_NO_MINIMAL) return false;
    char part[STEP];
    for (uint32_t done = 0; done < node->minimal_size; done += STEP) {
        uint32_t n = node->minimal_size - done < STEP ? node->minimal_size - done : STEP;
        pare_text_read(draft->source->text, node->begin + done, n, part);
        if (memcmp(part, draft->source->texts + node->minimal + done, n) != 0) return false;
    }
    return true;
}

/* hide: nodes whose text is their minimal text are marked, so that no test is spent on them:
 * keeping and pruning them print the same.
 * Source: seed 001, algorithm 3 (hideUnremovableTokens); Hodován, Kiss and Gyimóthy, AST 2017.
 * Deviation, as in the tool Picireny: every node is looked at, not only tokens. */
static pare_status hide(draft_tree *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++) {
        if (prints_minimal(draft, content_of(draft, (uint32_t)i)))
            draft->nodes[i].flags |= PARE_TREE_HIDDEN;
    }
    return PARE_OK;
}

const pare_transform pare_transform_hide = {
    .name = "hide",
    .summary = "skips nodes whose text is their minimal text",
    .source = "Hodovan, Kiss and Gyimothy, AST 2017",
    .apply = hide,
};

/* White space as isspace has it in the C locale, whatever the user's. */
static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Whether the node is a leaf with bytes, all of them white space. */
static bool is_blank(const draft_tree *draft, uint32_t node)
{
    const pare_tree_node *leaf = content_of(draft, node);
    if (draft->nodes[node].first != PARE_NO_NODE || leaf->begin == leaf->end) return false;
    for (uint32_t at = leaf->begin; at < leaf->end;) {
        pare_span span = pare_text_span(draft->source->text, at, leaf->end - at);
        for (size_t i = 0; i < span.size; i++)
            if (!is_space(span.bytes[i])) return false;
        at += (uint32_t)span.size;
    }
    return true;
}

/* skip-space: leaves of white space are marked, so that no test is spent on them.  They are
 * printed as they are as long as the node above them stays.
 * Source: the tool Picireny (--skip-whitespace). */
static pare_status skip_space(draft_tree *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++)
        if (is_blank(draft, (uint32_t)i)) draft->nodes[i].flags |= PARE_TREE_HIDDEN;
    return PARE_OK;
}

const pare_transform pare_transform_skip_space = {
    .name = "skip-space",
    .summary = "skips leaves of white space",
    .source = "Picireny",
    .apply = skip_space,
};

/* --- the table --------------------------------------------------------------------------- */

static const pare_transform *const table[] = {
    &pare_transform_remove_empty, &pare_transform_flatten,    &pare_transform_squeeze,
    &pare_transform_hide,         &pare_transform_skip_space,
};

/* In the order in which they are shown. */
const pare_transform *const *pare_transforms(size_t *n)
{
    *n = sizeof table / sizeof table[0];
    return table;
}

/* Linear: there are five. */
const pare_transform *pare_transform_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* How many of the `n` transformations, at least one, share a draft: they leave the nodes in
 * their order, so that no tree has to be made in between. */
static size_t count_together(const pare_transform *const *transforms, size_t n)
{
    size_t k = 1;
    if (transforms[0]->adds_nodes) return k;
    while (k < n && !transforms[k]->adds_nodes)
        k++;
    return k;
}

/* Opens a draft of `tree`, has `n` transformations reshape it, and closes it. */
static pare_status apply_together(pare_tree *tree, const pare_transform *const *transforms,
                                  size_t n, pare_tree **out, pare_error *err)
{
    draft_tree draft = {0};
    pare_status status = draft_open(tree, &draft, err);
    for (size_t i = 0; !status && i < n; i++)
        status = transforms[i]->apply(&draft, err);
    if (!status) status = draft_close(&draft, out, err);
    draft_done(&draft);
    return status;
}

/* A transformation that adds nodes needs a tree of its own to start from; each tree is released
 * when the next one is made. */
pare_status pare_transform_run(pare_tree *tree, const pare_transform *const *transforms, size_t n,
                               pare_tree **out, pare_error *err)
{
    pare_tree *now = pare_tree_ref(tree);
    for (size_t i = 0; i < n;) {
        size_t together = count_together(transforms + i, n - i);
        pare_tree *next = NULL;
        pare_status status = apply_together(now, transforms + i, together, &next, err);
        pare_tree_unref(now);
        if (status) return status;
        now = next;
        i += together;
    }
    *out = now;
    return PARE_OK;
}
