/* A state of a reduction: which nodes of a tree are gone or replaced, and what that prints.
 *
 * What is removed or replaced is a list of splices: stretches of the base text, each with the
 * text that stands for it now.  A state holds its own text, so a candidate is a few slices
 * of that text: O(log splices) for a single edit, however large the tree is.
 *
 * What lies between tokens (spaces, comments) belongs to no node.  When a node is left out
 * and nothing takes its place, the gap after it, up to the next token, goes with it; when it
 * is replaced, both gaps stay.  Where two word-like bytes would then touch, one space is put
 * between them (see pare_tree_joints).
 *
 * Immutable but for pare_tree_state_settle, reference-counted, one thread.  Memory: one
 * byte a node and 20 bytes a splice. */
#ifndef PARE_REDUCE_TREE_TREE_STATE_H
#define PARE_REDUCE_TREE_TREE_STATE_H

#include "reduce/tree/tree.h"
#include "text/candidate.h"
#include "text/text.h"

typedef struct pare_tree_state pare_tree_state;

/* A place in the tree, and the node whose text stands there now: the same one, or, after
 * a hoist, a descendant. */
typedef struct pare_tree_item {
    uint32_t slot, node;
} pare_tree_item;

typedef enum pare_tree_change {
    PARE_TREE_PRUNE,  /* the minimal text takes the node's place */
    PARE_TREE_DELETE, /* nothing does */
    PARE_TREE_HOIST   /* its descendant `into` does */
} pare_tree_change;

typedef struct pare_tree_edit {
    pare_tree_change change;
    uint32_t node, into;
} pare_tree_edit;

/* Ascending nodes, none below another.  All-zero is empty. */
typedef struct pare_tree_edits {
    pare_tree_edit *items; /* owned */
    size_t n, capacity;
} pare_tree_edits;

void pare_tree_state_edits_done(pare_tree_edits *edits);

/* Appends.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_state_edits_add(pare_tree_edits *edits, pare_tree_edit edit,
                                                 pare_error *err);

/* The whole tree, as its base text has it.  Takes a reference to the tree.
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_state_new(pare_tree *tree, pare_tree_state **out, pare_error *err);
pare_tree_state *pare_tree_state_ref(pare_tree_state *state);
void pare_tree_state_unref(pare_tree_state *state); /* NULL is a no-op */

const pare_tree *pare_tree_state_tree(const pare_tree_state *state); /* borrowed */
const pare_text *pare_tree_state_text(const pare_tree_state *state); /* borrowed */

/* Whether `node` itself is out of play: removed, beside a hoisted one, hidden, or without
 * text.  Nodes below one that is gone are not marked. */
bool pare_tree_state_gone(const pare_tree_state *state, uint32_t node);

/* Whether only a descendant of `node`, found by pare_tree_state_shown, is left of it. */
bool pare_tree_state_hollow(const pare_tree_state *state, uint32_t node);

/* The node that stands in the place of `slot`.  O(depth hoisted over). */
uint32_t pare_tree_state_shown(const pare_tree_state *state, uint32_t slot);

/* The children in play of `node`, which is itself neither gone nor hollow: the first one,
 * and the one after `child`.  PARE_NO_NODE: none. */
uint32_t pare_tree_state_first(const pare_tree_state *state, uint32_t node);
uint32_t pare_tree_state_after(const pare_tree_state *state, uint32_t child);

/* Fills *candidate (initialised or all-zero) with the state after `edits`.
 * O(edits * log splices).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_state_candidate(const pare_tree_state *state,
                                                 const pare_tree_edits *edits,
                                                 pare_candidate *candidate, pare_error *err);

/* The state after `edits`; O(splices + edits + nodes) with a small constant (a byte
 * a node is copied), and O(bytes) when text was put in.
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_tree_state_edit(const pare_tree_state *state,
                                            const pare_tree_edits *edits, pare_tree_state **out,
                                            pare_error *err);

/* Copies the text to a store of its own once it is less than half of the store it shares.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_state_settle(pare_tree_state *state, pare_error *err);

/* Checks the invariants, for tests. */
bool pare_tree_state_check(const pare_tree_state *state);

/* Hoisting: the first node from `from` on, in pre-order, that is in play below `item.node`,
 * prints less than it, and fits item.slot; PARE_NO_NODE if there is none.  To see only the
 * topmost ones, ask again from where the last one ends (`after`).  O(nodes passed).
 * Source: Hodován et al., arXiv 2104.03637, as in Picireny: topmost descendants of the same
 * symbol.  Deviation: any symbol that fits the place will do. */
uint32_t pare_tree_state_next_fit(const pare_tree_state *state, pare_tree_item item, uint32_t from);

/* The same without asking what fits: the children, but a child that prints all that the node
 * prints gives way to its own children. */
uint32_t pare_tree_state_next_child(const pare_tree_state *state, pare_tree_item item,
                                    uint32_t from);

#endif
