/* Trees written while their letters are gone over: children first, put into pre-order at the end.
 *
 * A node is known to be a node only when it ends, so nodes are kept in the order in which they
 * end, each with the number of nodes below it; what was written since a place is taken back by
 * forgetting the last ones.  Storing reads that list from its end: a node is placed in what
 * its open parent has left free, so one pass gives the order of beginnings, O(nodes), with a
 * stack as deep as the tree. Invariant: the nodes below a node stand directly before it. A
 * node that has no letters stands after the last letter taken, and keeps within its parent. */
#include "parse/tree_writer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"

/* Appends a finished node; nodes below it stand directly before it. */
static void add(pare_tree_writer *writer, pare_finished_node node)
{
    assert(node.size > 0 && node.size <= writer->n + 1);
    pare_finished_node *grown =
        pare_vector_reserve(writer->nodes, &writer->capacity, writer->n + 1, sizeof *grown);
    if (!grown || writer->n >= PARE_NO_NODE - 1) {
        writer->failed = true;
        return;
    }
    writer->nodes = grown;
    writer->nodes[writer->n++] = node;
}

/* Adds a leaf for the next letter.  After the last letter comes the end of the file, as often as
 * rules ask for it. */
void pare_tree_writer_take(pare_tree_writer *writer)
{
    const pare_letters *letters = writer->letters;
    uint32_t i = writer->cursor++;
    /* After the last letter comes the end of the file, as often as rules ask for it. */
    bool end = i >= letters->n;
    add(writer, (pare_finished_node){.kind = PARE_NODE_TOKEN,
                                     .symbol = end ? PARE_TOKEN_END : letters->symbol[i],
                                     .size = 1,
                                     .begin = end ? letters->size_bytes : letters->begin[i],
                                     .end = end ? letters->size_bytes : letters->end[i]});
}

/* A hole that covers no bytes makes no leaf: symbols were left out there, not text. */
void pare_tree_writer_skip(pare_tree_writer *writer, uint32_t set)
{
    if (set == writer->cursor) return;
    uint32_t begin = writer->letters->begin[set - 1], end = writer->letters->end[set - 1];
    writer->cursor = set;
    if (begin == end) return;
    add(writer, (pare_finished_node){.kind = PARE_NODE_OPAQUE,
                                     .symbol = PARE_NO_NODE,
                                     .size = 1,
                                     .begin = begin,
                                     .end = end});
}

/* Where the letter before the cursor ends. */
static uint32_t end_of_taken(const pare_tree_writer *writer)
{
    const pare_letters *letters = writer->letters;
    if (writer->cursor == 0) return 0;
    return writer->cursor <= letters->n ? letters->end[writer->cursor - 1] : letters->size_bytes;
}

/* The node covers the bytes from the first letter taken since `from` to the last one; without
 * a letter, it stands after the last letter before it. */
void pare_tree_writer_wrap(pare_tree_writer *writer, pare_tree_place from, pare_node_kind kind,
                           uint32_t symbol, uint32_t alternative)
{
    const pare_letters *letters = writer->letters;
    uint32_t end = end_of_taken(writer), begin = end;
    if (writer->cursor != from.cursor && from.cursor < letters->n)
        begin = letters->begin[from.cursor];
    add(writer, (pare_finished_node){.kind = kind,
                                     .symbol = symbol,
                                     .alternative = alternative,
                                     .size = (uint32_t)writer->n - from.n_nodes + 1,
                                     .begin = begin,
                                     .end = end});
}

/* --- storing -------------------------------------------------------------------------- */

/* A node whose children are being placed. */
struct open_node {
    uint32_t index, cursor; /* its children fill index + 1 .. cursor - 1 from the end */
};

/* `value`, brought into least .. most. */
static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Puts a node at its place, cut to the bytes of its parent: a node without letters may stand
 * after the last letter of a parent that has ended before. */
static void place(pare_parse_node *nodes, const pare_finished_node *from, uint32_t index,
                  uint32_t parent)
{
    pare_parse_node *node = &nodes[index];
    *node = (pare_parse_node){.kind = (uint16_t)from->kind,
                              .symbol = from->symbol,
                              .alternative = from->alternative,
                              .begin = from->begin,
                              .end = from->end,
                              .after = index + from->size,
                              .parent = parent};
    if (parent == PARE_NO_NODE) return;
    node->begin = clamp(node->begin, nodes[parent].begin, nodes[parent].end);
    node->end = clamp(node->end, nodes[parent].begin, nodes[parent].end);
}

/* Places all nodes, from the last one written, the root, to the first: the children of the
 * innermost open node fill its room from the end, so the last child comes first. */
static pare_status order_nodes(const pare_tree_writer *writer, pare_parse_node *nodes,
                               pare_error *err)
{
    struct open_node *open = NULL;
    size_t n_open = 0, capacity = 0;
    for (size_t i = writer->n; i-- > 0;) {
        const pare_finished_node *from = &writer->nodes[i];
        /* Its room is full. */
        while (n_open > 0 && open[n_open - 1].cursor == open[n_open - 1].index + 1)
            n_open--;
        struct open_node *parent = n_open > 0 ? &open[n_open - 1] : NULL;
        /* At the end of what the parent has left free. */
        uint32_t index = parent ? parent->cursor - from->size : 0;
        place(nodes, from, index, parent ? parent->index : PARE_NO_NODE);
        if (parent) parent->cursor = index;
        struct open_node *grown = pare_vector_reserve(open, &capacity, n_open + 1, sizeof *grown);
        if (!grown) {
            pare_alloc_free(open);
            return pare_fail_nomem(err);
        }
        open = grown;
        open[n_open++] = (struct open_node){index, index + from->size};
    }
    pare_alloc_free(open);
    return PARE_OK;
}

/* The writer's nodes are children first, a tree's are parents first; order_nodes turns them round.
 * The last node written is the root, with all others below it. */
pare_status pare_tree_writer_store(const pare_tree_writer *writer, pare_parse_tree *tree,
                                   pare_error *err)
{
    assert(writer->n > 0 && writer->nodes[writer->n - 1].size == writer->n);
    pare_parse_node *nodes = pare_alloc(writer->n, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    pare_status status = order_nodes(writer, nodes, err);
    if (status != PARE_OK) {
        pare_alloc_free(nodes);
        return status;
    }
    tree->nodes = nodes;
    tree->n_nodes = writer->n;
    return PARE_OK;
}

/* The nodes are the writer's; the letters belong to the caller. */
void pare_tree_writer_done(pare_tree_writer *writer)
{
    pare_alloc_free(writer->nodes);
    memset(writer, 0, sizeof *writer);
}
