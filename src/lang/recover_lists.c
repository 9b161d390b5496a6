/* Lists recovered in trees of tree-sitter: one walk over the tree with the shape of each open
 * node beside it.
 *
 * Tree-sitter's trees are flat where a grammar repeats; matching a node's children against its
 * rule tells where rounds begin.
 * Invariant: `open` is the innermost node made that is not closed; the nodes above it, by
 * their parents, are the frames' nodes and their open quantifiers.  A node begins with the
 * child that comes next, which is sure to be put into it, for shapes have no empty
 * quantifiers.  Linear in the nodes. */
#include "lang/recover_lists.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

/* A node of the old tree whose children are being taken. One frame for each
 * open node of the old tree; nodes that are put in have none, since they are
 * opened and closed by steps of the shape that belongs to the frame around
 * them. */
struct frame {
    uint32_t node, child; /* of the old tree; child: comes next, or PARE_NO_NODE */
    uint32_t step, end;   /* of its shape */
    enum { NO_ITEM, ITEM_OPEN, ITEM_FULL } item; /* made for one round, see step() */
};

/* Kept from one tree to the next, so that shapes found once and the arrays are
 * used again. */
struct pare_list_recovery {
    /* borrowed */
    const pare_language_models *models;
    pare_shape_maker *shapes; /* owned, as all below */
    bool *counted;            /* of each symbol of tree-sitter's: see is_counted */
    uint32_t n_symbols;
    /* of the node whose shape is being looked for */
    uint32_t *children;
    size_t child_capacity;
    struct frame *frames;
    size_t n_frames, frame_capacity;
};

/* The state of a run over one tree. The arrays are kept in `self`; the new tree is in `to` until
 * the end. */
struct run {
    /* borrowed, as the next two */
    pare_list_recovery *self;
    const pare_parse_tree *from;
    const char *bytes;
    pare_separators separators;
    pare_parse_tree to;
    /* of to.nodes */
    size_t capacity;
    uint32_t open;     /* of the new tree */
    uint32_t last_end; /* of all tokens so far */
    pare_error *err;
};

/* Notes which symbols count as children of a rule. Extras (comments, blanks) do
 * not: they may stand anywhere, so no rule mentions them. An array by symbol,
 * because this is asked for each node of each tree. */
static pare_status note_counted(pare_list_recovery *self, pare_error *err)
{
    const pare_content *content = pare_language_models_content(self->models);
    self->n_symbols = pare_language_models_n_symbols(self->models);
    self->counted = pare_alloc_zero(self->n_symbols, sizeof *self->counted);
    if (!self->counted) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < self->n_symbols; i++)
        self->counted[i] =
            !pare_content_is_extra(content, pare_language_models_symbol(self->models, i));
    return PARE_OK;
}

/* Makes what depends on the language alone, once for all trees. */
pare_status pare_recover_lists_new(const pare_language_models *models, pare_list_recovery **out,
                                   pare_error *err)
{
    pare_list_recovery *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->models = models;
    pare_status status =
        pare_shape_maker_new(pare_language_models_content(models), &self->shapes, err);
    if (!status) status = note_counted(self, err);
    if (status)
        pare_recover_lists_free(self);
    else
        *out = self;
    return status;
}

void pare_recover_lists_free(pare_list_recovery *recovery)
{
    if (!recovery) return;
    pare_shape_maker_free(recovery->shapes);
    pare_alloc_free(recovery->counted);
    pare_alloc_free(recovery->children);
    pare_alloc_free(recovery->frames);
    pare_alloc_free(recovery);
}

/* --- nodes ------------------------------------------------------------------------------- */

/* Makes room at once for what most trees become: a few quantifiers for ten nodes. */
static pare_status reserve(struct run *run)
{
    /* Growing by doubling would copy the nodes of a large tree several times. */
    run->capacity = run->from->n_nodes + run->from->n_nodes / 3 + 1;
    run->to.nodes = pare_alloc(run->capacity, sizeof *run->to.nodes);
    return run->to.nodes ? PARE_OK : pare_fail_nomem(run->err);
}

/* Adds a node below the open one and makes it the open one.  Errors: PARE_E_LIMIT,
 * PARE_E_NOMEM.  The node's links are set here: its parent is the open node, and `after` is right
 * as long as it has no child; close_node corrects it. */
static pare_status open_node(struct run *run, pare_parse_node node)
{
    pare_parse_tree *to = &run->to;
    if (to->n_nodes >= PARE_NO_NODE - 1)
        return pare_fail(run->err, PARE_E_LIMIT, "the tree has more than 2^32 nodes");
    pare_parse_node *nodes = to->nodes;
    if (to->n_nodes == run->capacity) {
        nodes = pare_vector_grow(to->nodes, to->n_nodes, &run->capacity, sizeof *nodes);
        if (!nodes) return pare_fail_nomem(run->err);
        to->nodes = nodes;
    }
    uint32_t index = (uint32_t)to->n_nodes++;
    node.parent = run->open;
    node.after = index + 1;
    nodes[index] = node;
    run->open = index;
    return PARE_OK;
}

/* Closes the open node; one that we have put in ends where its last child does. */
static void close_node(struct run *run)
{
    assert(run->open < run->to.n_nodes && "a node is open");
    pare_parse_node *node = &run->to.nodes[run->open];
    /* Nodes of the old tree have one of these kinds, and keep the bytes that
     * tree-sitter gave them. */
    bool made = node->kind != PARE_NODE_RULE && node->kind != PARE_NODE_TOKEN &&
                node->kind != PARE_NODE_OPAQUE;
    node->after = (uint32_t)run->to.n_nodes;
    if (node->end > run->last_end) run->last_end = node->end;
    /* last_end is before `begin` if all its children are without text. */
    if (made) node->end = run->last_end > node->begin ? run->last_end : node->begin;
    run->open = node->parent;
}

/* Whether the old node counts as a child when its parent's children are matched
 * against a rule. */
static bool is_counted(const struct run *run, uint32_t node)
{
    uint32_t symbol = run->from->nodes[node].symbol;
    /* Symbols beyond the table are tree-sitter's own. An unparsed stretch and
     * text without a node are in no rule. */
    if (symbol < run->self->n_symbols) return run->self->counted[symbol];
    return symbol != PARE_TREE_SITTER_TEXT && symbol != PARE_TREE_SITTER_ERROR;
}

/* --- shapes ------------------------------------------------------------------------------ */

/* Lists the counted children of `node` in self->children, as symbols of the
 * content models; *n of them. The array is valid until the next call. */
static pare_status list_children(struct run *run, uint32_t node, uint32_t *n)
{
    pare_list_recovery *self = run->self;
    *n = 0;
    for (uint32_t i = pare_parse_tree_first_child(run->from, node); i != PARE_NO_NODE;
         i = pare_parse_tree_next_sibling(run->from, i)) {
        if (!is_counted(run, i)) continue;
        uint32_t *children =
            pare_vector_grow(self->children, *n, &self->child_capacity, sizeof *children);
        if (!children) return pare_fail_nomem(run->err);
        self->children = children;
        children[(*n)++] = pare_language_models_symbol(self->models, run->from->nodes[i].symbol);
    }
    return PARE_OK;
}

/* Whether a segment of a list ends with this child: it is a comma or semicolon,
 * or the text between it and its next sibling has a line end. The last child
 * ends none, since the caller closes the segment there anyway. */
static bool ends_segment(const struct run *run, uint32_t child)
{
    const pare_parse_node *node = &run->from->nodes[child];
    uint32_t next = pare_parse_tree_next_sibling(run->from, child);
    if (next == PARE_NO_NODE || node->begin == node->end) return false;
    char last = run->bytes[node->end - 1];
    if (node->end - node->begin == 1 && (last == ',' || last == ';')) return true;
    for (uint32_t i = node->end; i < run->from->nodes[next].begin; i++)
        if (run->bytes[i] == '\n') return true;
    return false;
}

/* Appends a step to a shape that is being made by hand. */
static pare_status add_step(struct run *run, pare_shape *shape, int kind, uint32_t value)
{
    uint32_t index = 0;
    pare_status status = pare_shape_add(
        run->self->shapes, (pare_shape_step){.kind = kind, .value = value}, &index, run->err);
    if (status) return status;
    if (shape->n == 0) shape->first = index;
    shape->n++;
    return PARE_OK;
}

/* Makes the shape of children that match no rule: a star of segments, each a
 * star of its children. Used where the text has errors, so that something can
 * be removed there by lists, too. */
static pare_status make_list(struct run *run, uint32_t node, pare_shape *shape)
{
    const pare_parse_tree *from = run->from;
    bool in_segment = false;
    *shape = (pare_shape){0};
    pare_status status = add_step(run, shape, PARE_SHAPE_OPEN, PARE_NODE_STAR);
    for (uint32_t i = pare_parse_tree_first_child(from, node); !status && i != PARE_NO_NODE;
         i = pare_parse_tree_next_sibling(from, i)) {
        /* A segment opens with its first child, so none is empty. */
        if (!in_segment) status = add_step(run, shape, PARE_SHAPE_OPEN, PARE_NODE_STAR);
        in_segment = true;
        /* Others are taken where they stand, without a step. */
        if (!status && is_counted(run, i))
            status = add_step(run, shape, PARE_SHAPE_CHILD, PARE_NO_INDEX);
        bool ends = ends_segment(run, i) || pare_parse_tree_next_sibling(from, i) == PARE_NO_NODE;
        if (!status && ends) status = add_step(run, shape, PARE_SHAPE_CLOSE, 0);
        if (ends) in_segment = false;
    }
    return status ? status : add_step(run, shape, PARE_SHAPE_CLOSE, 0);
}

/* Finds the shape of a node: what its rule says, or a list of segments where
 * its children do not match the rule. */
static pare_status find_shape(struct run *run, uint32_t node, pare_shape *shape)
{
    uint32_t n = 0, symbol = run->from->nodes[node].symbol;
    bool found = false;
    pare_status status = PARE_OK;
    /* The children of an error match no rule, so nothing is asked. */
    if (symbol != PARE_TREE_SITTER_ERROR) {
        status = list_children(run, node, &n);
        if (!status)
            status = pare_shape_find(
                run->self->shapes,
                (pare_shape_query){pare_language_models_symbol(run->self->models, symbol),
                                   run->self->children, n, run->separators},
                shape, &found, run->err);
    }
    return status || found ? status : make_list(run, node, shape);
}

/* --- the walk ---------------------------------------------------------------------------- */

/* Adds the old node. A leaf is closed at once; a node with children gets a
 * frame, and its children come in the next steps. `set` is the number of what
 * else may stand in its place, or PARE_NO_INDEX.
 *
 * Growing `frames` moves them, so a pointer to the top frame is not valid after
 * this. */
static pare_status enter(struct run *run, uint32_t node, uint32_t set)
{
    pare_list_recovery *self = run->self;
    pare_parse_node copy = run->from->nodes[node];
    bool inner = copy.after > node + 1;
    pare_shape shape = {0};
    /* Sets are counted from 0, but 0 stands for "none" here. */
    copy.alternative = set == PARE_NO_INDEX ? 0 : set + 1;
    pare_status status = open_node(run, copy);
    if (!status && inner) status = find_shape(run, node, &shape);
    if (status) return status;
    if (!inner) {
        close_node(run);
        return PARE_OK;
    }
    struct frame *frames =
        pare_vector_grow(self->frames, self->n_frames, &self->frame_capacity, sizeof *frames);
    if (!frames) return pare_fail_nomem(run->err);
    self->frames = frames;
    frames[self->n_frames++] =
        (struct frame){node, node + 1, shape.first, shape.first + shape.n, NO_ITEM};
    return PARE_OK;
}

/* Opens a node that the old tree does not have.  It begins with the child that comes next. */
static pare_status open_made(struct run *run, const struct frame *top, pare_node_kind kind)
{
    /* Without a child left it begins after the last token. */
    bool more = top->child != PARE_NO_NODE;
    uint32_t begin = more ? run->from->nodes[top->child].begin : run->last_end;
    return open_node(
        run, (pare_parse_node){
                 .kind = (uint16_t)kind, .symbol = PARE_NO_NODE, .begin = begin, .end = begin});
}

/* Takes the next child of the frame on top. The frame moves to the next sibling
 * first, because entering the child may move the array of frames. */
static pare_status take_child(struct run *run, struct frame *top, uint32_t set)
{
    uint32_t child = top->child;
    top->child = pare_parse_tree_next_sibling(run->from, child);
    return enter(run, child, set);
}

/* Whether a child that does not count goes in before the step `next`. Yes
 * inside a star, where it is a round of its own; yes directly before a counted
 * child; yes before an option or a plus opens, which would otherwise take the
 * child for one of its rounds. */
static bool is_taken_here(const struct run *run, pare_shape_step next)
{
    uint32_t kind = run->to.nodes[run->open].kind;
    if (kind == PARE_NODE_STAR || next.kind == PARE_SHAPE_CHILD) return true;
    /* An option or a plus that begins would take the child for a round of its own. */
    return next.kind == PARE_SHAPE_OPEN && kind != PARE_NODE_PLUS && kind != PARE_NODE_OPTIONAL &&
           (next.value == PARE_NODE_OPTIONAL || next.value == PARE_NODE_PLUS);
}

/* Takes a child that does not count. A plus or an option has one child for each
 * round, so there an ITEM is opened that will hold it together with the counted
 * child that follows; the child itself is taken in the next step, when the ITEM
 * is the open node. */
static pare_status take_loose(struct run *run, struct frame *top)
{
    uint32_t kind = run->to.nodes[run->open].kind;
    if (kind != PARE_NODE_PLUS && kind != PARE_NODE_OPTIONAL)
        return take_child(run, top, PARE_NO_INDEX);
    top->item = ITEM_OPEN;
    return open_made(run, top, PARE_NODE_ITEM);
}

/* Does one step of the frame on top. In this order: close an item that is full,
 * take a child that does not count, follow the shape. Each step opens, closes
 * or takes one node, so their number is linear in the nodes of both trees. */
static pare_status step(struct run *run)
{
    assert(run->self->n_frames > 0 && "a frame is on top");
    struct frame *top = &run->self->frames[run->self->n_frames - 1];
    assert(top->step <= top->end);
    bool ended = top->step == top->end;
    pare_shape_step next = {.kind = PARE_SHAPE_CLOSE};
    /* The item held one child, and ends after it. */
    if (top->item == ITEM_FULL) {
        top->item = NO_ITEM;
        close_node(run);
        return PARE_OK;
    }
    if (!ended) next = pare_shape_steps(run->self->shapes)[top->step];
    bool loose = top->child != PARE_NO_NODE && !is_counted(run, top->child);
    /* Also after the last step, since comments may stand at the end of a node. */
    if (loose && (ended || is_taken_here(run, next))) return take_loose(run, top);
    /* Past its last step the frame's own node is closed, and the frame goes. */
    if (ended) run->self->n_frames--;
    if (ended || next.kind == PARE_SHAPE_CLOSE) {
        top->step++;
        close_node(run);
        return PARE_OK;
    }
    top->step++;
    if (next.kind == PARE_SHAPE_OPEN) return open_made(run, top, next.value);
    /* The counted child fills the item: the next step closes it. */
    if (top->item == ITEM_OPEN) top->item = ITEM_FULL;
    return take_child(run, top, next.value);
}

/* Makes a node that we have put in end with its last child, also if that has no
 * text and so did not move last_end. Children come after their parents in
 * preorder, so one walk backwards carries ends up all levels. */
static void stretch(pare_parse_tree *tree)
{
    for (size_t i = tree->n_nodes; i-- > 1;) {
        pare_parse_node *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];
        bool made = parent->kind != PARE_NODE_RULE;
        if (made && parent->end < node->end) parent->end = node->end;
    }
}

/* By a stack of its own, node by node, so that a stop is heard in large trees; O(nodes) but for the
 * lists themselves. */
pare_status pare_recover_lists(pare_list_recovery *recovery, const pare_parse_tree *tree,
                               const char *bytes, pare_separators separators, pare_parse_tree *out,
                               pare_error *err)
{
    struct run run = {
        .self = recovery,
        .from = tree,
        .bytes = bytes,
        .separators = separators,
        .to = {.size_bytes = tree->size_bytes, .names = tree->names, .n_errors = tree->n_errors},
        .open = PARE_NO_NODE,
        .err = err};
    recovery->n_frames = 0;
    pare_shape_trim(recovery->shapes);
    pare_status status = reserve(&run);
    if (!status) status = pare_parse_tree_copy_error(&tree->error, &run.to.error, err);
    if (!status) status = enter(&run, 0, PARE_NO_INDEX);
    for (size_t n = 0; !status && recovery->n_frames > 0; n++)
        status = pare_interrupt_asked_at(n) ? pare_interrupt_look(err) : step(&run);
    if (status) {
        pare_parse_tree_done(&run.to);
        return status;
    }
    stretch(&run.to);
    *out = run.to;
    return PARE_OK;
}
