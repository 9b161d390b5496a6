/* Writes a tree while it goes over its letters from the first to the last: leaves as they
 * are taken, and around what was written since a place the node that it belongs to.
 *
 * What is written after a place can be taken back.  One thread. */
#ifndef PARE_PARSE_TREE_WRITER_H
#define PARE_PARSE_TREE_WRITER_H

#include "parse/parse_tree.h"

/* A node that has ended; those below it stand before it. */
typedef struct pare_finished_node {
    uint32_t kind, symbol, alternative; /* as in pare_parse_node */
    uint32_t size;                      /* nodes below it and itself */
    uint32_t begin, end;                /* bytes */
} pare_finished_node;

/* The letters as pieces of the text: letter i, between the sets i and i + 1 of a chart,
 * is bytes begin[i] .. end[i]-1 and shows as symbol[i]; before a set after a hole it is
 * the hole, opaque, or nothing when begin == end. */
typedef struct pare_letters {
    const uint32_t *symbol, *begin, *end;
    uint32_t n;
    uint32_t size_bytes; /* of the text */
} pare_letters;

/* All-zero but for the letters is at the first one; ended by
 * pare_tree_writer_done. */
typedef struct pare_tree_writer {
    const pare_letters *letters; /* borrowed */
    uint32_t cursor;             /* letters taken */
    pare_finished_node *nodes;   /* owned; in the order in which they ended */
    size_t n, capacity;
    bool failed; /* memory was out, or there were too many nodes; nothing is of use then */
} pare_tree_writer;

/* Where a node begins. */
typedef struct pare_tree_place {
    uint32_t n_nodes, cursor; /* nodes and letters before it */
} pare_tree_place;

static inline pare_tree_place pare_tree_writer_place(const pare_tree_writer *writer)
{
    return (pare_tree_place){(uint32_t)writer->n, writer->cursor};
}

/* Takes back all that was written since. */
static inline void pare_tree_writer_go_back(pare_tree_writer *writer, pare_tree_place place)
{
    writer->n = place.n_nodes;
    writer->cursor = place.cursor;
}

/* Takes a letter, which is a leaf; after the last one it is the end of the file. */
void pare_tree_writer_take(pare_tree_writer *writer);

/* Goes on in `set`, after a hole, which is an opaque leaf. */
void pare_tree_writer_skip(pare_tree_writer *writer, uint32_t set);

/* Writes a node around all that was written since `from`. */
void pare_tree_writer_wrap(pare_tree_writer *writer, pare_tree_place from, pare_node_kind kind,
                           uint32_t symbol, uint32_t alternative);

/* Fills nodes and n_nodes of *tree, in pre-order; the last node written is the root.  A node
 * keeps within the bytes of its parent.  O(nodes).
 * Errors: PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_tree_writer_store(const pare_tree_writer *writer, pare_parse_tree *tree,
                                              pare_error *err);
void pare_tree_writer_done(pare_tree_writer *writer); /* all-zero is a no-op */

#endif
