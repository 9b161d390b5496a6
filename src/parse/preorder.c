/* From the order of ends to the order of beginnings: the list is read from its end, and
 * each node is placed in what its open parent has left free. */
#include "parse/preorder.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"

struct open_node {
    uint32_t index, cursor; /* its children fill index + 1 .. cursor - 1 from the end */
};

bool pare_preorder_add(pare_preorder *list, pare_finished_node node)
{
    pare_finished_node *grown =
        pare_vector_reserve(list->nodes, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown || list->n >= PARE_NO_NODE - 1) return false;
    list->nodes = grown;
    list->nodes[list->n++] = node;
    return true;
}

void pare_preorder_done(pare_preorder *list)
{
    pare_release(list->nodes);
    memset(list, 0, sizeof *list);
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void place(pare_parse_node *nodes, const pare_finished_node *from, uint32_t index,
                  uint32_t parent)
{
    pare_parse_node *node = &nodes[index];
    *node = (pare_parse_node){.kind = (uint16_t)from->kind,
                              .symbol = from->symbol,
                              .alternative = from->alternative,
                              .begin = from->begin,
                              .end = from->end,
                              .behind = index + from->size,
                              .parent = parent};
    if (parent == PARE_NO_NODE) return;
    node->begin = clamp(node->begin, nodes[parent].begin, nodes[parent].end);
    node->end = clamp(node->end, nodes[parent].begin, nodes[parent].end);
}

static pare_status order_nodes(const pare_preorder *list, pare_parse_node *nodes, pare_error *err)
{
    struct open_node *open = NULL;
    size_t n_open = 0, capacity = 0;
    for (size_t i = list->n; i-- > 0;) {
        const pare_finished_node *from = &list->nodes[i];
        while (n_open > 0 && open[n_open - 1].cursor == open[n_open - 1].index + 1)
            n_open--;
        struct open_node *parent = n_open > 0 ? &open[n_open - 1] : NULL;
        uint32_t index = parent ? parent->cursor - from->size : 0;
        place(nodes, from, index, parent ? parent->index : PARE_NO_NODE);
        if (parent) parent->cursor = index;
        struct open_node *grown = pare_vector_reserve(open, &capacity, n_open + 1, sizeof *grown);
        if (!grown) {
            pare_release(open);
            return pare_fail_nomem(err);
        }
        open = grown;
        open[n_open++] = (struct open_node){index, index + from->size};
    }
    pare_release(open);
    return PARE_OK;
}

pare_status pare_preorder_store(const pare_preorder *list, pare_parse_tree *tree, pare_error *err)
{
    pare_parse_node *nodes = pare_alloc(list->n, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    pare_status status = order_nodes(list, nodes, err);
    if (status != PARE_OK) {
        pare_release(nodes);
        return status;
    }
    tree->nodes = nodes;
    tree->n_nodes = list->n;
    return PARE_OK;
}
