/* Balanced brackets: nested groups as a tree of units over a text.
 *
 * A group is ( .. ), [ .. ] or { .. } with its brackets.  Brackets inside quoted
 * strings (text/split/split.h) are text, and so is a bracket without its partner: a closing
 * one pairs with the nearest open one of its kind, and what stands open between the
 * two stays without partner.  Text between brackets is cut into stretches after line
 * ends, `;` and `,`; blanks and the line end after a `;` or `,` belong to it.
 *
 * Tags that are closed by name (text/split/markup.h) are brackets, too, and stronger ones: other
 * brackets and strings end where a tag begins.  A tag that nothing closes is a stretch of its own.
 *
 * The nodes are the groups, the stretches and, as first and last child of its group,
 * each paired bracket.  They stand in the order of the text, parents before children;
 * the leaves tile the text without gap, so printing them in order gives it back. */
#ifndef PARE_TEXT_SPLIT_BRACKET_H
#define PARE_TEXT_SPLIT_BRACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

#define PARE_BRACKET_NONE UINT32_MAX /* no such node */

/* 16 bytes: ends, children and siblings follow from the order of the nodes. */
typedef struct pare_bracket_node {
    uint32_t begin;  /* offset in the text, bytes */
    uint32_t after;  /* index of the first node that is not below this one */
    uint32_t parent; /* index, or PARE_BRACKET_NONE at the top */
    uint32_t depth;  /* 0 at the top */
} pare_bracket_node;

/* Immutable once built.  All-zero is the tree of the empty text. */
typedef struct pare_bracket_tree {
    pare_bracket_node *nodes; /* owned */
    uint32_t n_nodes;
    uint32_t n_levels;   /* greatest depth + 1; 0 without nodes */
    uint32_t size_bytes; /* of the text */
    bool has_tags;       /* some groups are those of tags */
} pare_bracket_tree;

/* Some units of a text: begin[i] .. end[i]-1, ascending, not overlapping, with gaps
 * where text belongs to none of them.  All-zero is no unit. */
typedef struct pare_slices {
    uint32_t *begin; /* owned, with `end` after it */
    uint32_t *end;
    size_t n;
    bool has_tags; /* those with < > are segments of their own */
} pare_slices;

/* Builds the tree of `size` bytes (at most PARE_TEXT_MAX_BYTES), any bytes.  Sets *out
 * only on success; the caller owns it.  Time is linear in the size; memory is 16 bytes
 * a node, and 12 bytes an opening bracket and a tag while it runs.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (2^32 nodes or more). */
PARE_CHECK pare_status pare_bracket_build(const unsigned char *bytes, size_t size,
                                          pare_bracket_tree *out, pare_error *err);
void pare_bracket_done(pare_bracket_tree *tree);

/* Offset after the node's last byte. */
uint32_t pare_bracket_end(const pare_bracket_tree *tree, uint32_t node);

/* Whether the node is one of the two brackets of its parent. */
bool pare_bracket_is_delimiter(const pare_bracket_tree *tree, uint32_t node);

/* The units of one level: the nodes at depth `level`, groups whole, the brackets of
 * their parents left out.  A level without units gives none.  Sets *out only on
 * success; the caller owns it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_bracket_level(const pare_bracket_tree *tree, uint32_t level,
                                          pare_slices *out, pare_error *err);
void pare_bracket_slices_done(pare_slices *slices);

/* Whether the nodes tile the text and are linked as described above; O(nodes). */
bool pare_bracket_check(const pare_bracket_tree *tree);

/* Segments: what stands between two separators of one level, groups included.
 *
 * A group alone is seldom what can go: with `"key": {..},` the key and the comma must go
 * with it, with `if (a) {..}` the keyword.  Joining the units of one level of brackets
 * (bracket.h) into segments makes the members, arguments and statements of most notations
 * units without knowing any of them. */

/* To which of its neighbours a comma belongs.  In `[a, b, c]` neither can delete every
 * member: with the comma after, the last stays; with the comma before, the first. */
typedef enum pare_comma {
    PARE_COMMA_AFTER, /* "a," " b," " c" */
    PARE_COMMA_BEFORE /* "a" ", b" ", c" */
} pare_comma;

/* Joins slices that touch up to the next separator: a comma, a semicolon or a line end,
 * with the line end after it.  An element with tags, or a tag, is a segment.  A segment is never blank alone where something follows it.
 * The slices must be those of one level of the tree of `bytes`.  O(bytes), no memory. */
void pare_bracket_join_segments(pare_slices *slices, const unsigned char *bytes, pare_comma comma);

#endif
