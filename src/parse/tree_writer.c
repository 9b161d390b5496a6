/* Nodes are finished children first; a node that has no letters stands behind the last one
 * taken. */
#include "parse/tree_writer.h"

#include "grammar/grammar.h"
#include "parse/parse_tree.h"

static void add(pare_tree_writer *writer, pare_finished_node node)
{
    if (!pare_preorder_add(&writer->made, node)) writer->failed = true;
}

void pare_tree_writer_take(pare_tree_writer *writer)
{
    const pare_letters *letters = writer->letters;
    uint32_t i = writer->cursor++;
    bool end = i >= letters->n;
    add(writer, (pare_finished_node){.kind = PARE_NODE_TOKEN,
                                     .symbol = end ? PARE_TOKEN_END : letters->symbol[i],
                                     .size = 1,
                                     .begin = end ? letters->size_bytes : letters->begin[i],
                                     .end = end ? letters->size_bytes : letters->end[i]});
}

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
                                     .size = (uint32_t)writer->made.n - from.n_nodes + 1,
                                     .begin = begin,
                                     .end = end});
}
