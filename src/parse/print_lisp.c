/* ANTLR's LISP form: one pass over the nodes in pre-order, no recursion. */
#include "parse/print_lisp.h"

#include "parse/utf8.h"

static bool is_transparent(uint32_t kind)
{
    return kind == PARE_NODE_OPTIONAL || kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS ||
           kind == PARE_NODE_ITEM;
}

static pare_status add_code_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                  pare_error *err)
{
    switch (point) {
    case '\n': return pare_buffer_add(out, "\\n", 2, err);
    case '\r': return pare_buffer_add(out, "\\r", 2, err);
    case '\t': return pare_buffer_add(out, "\\t", 2, err);
    case PARE_UTF8_REPLACEMENT: return pare_buffer_add(out, "\xEF\xBF\xBD", 3, err);
    default: return pare_buffer_add(out, bytes, size, err);
    }
}

static pare_status add_escaped(pare_buffer *out, const char *bytes, size_t size, pare_error *err)
{
    for (size_t at = 0; at < size;) {
        uint32_t point;
        size_t length = pare_utf8_decode(bytes + at, size - at, &point);
        pare_status status = add_code_point(out, bytes + at, length, point, err);
        if (status != PARE_OK) return status;
        at += length;
    }
    return PARE_OK;
}

/* Whether anything that shows is below the node. */
static bool shows_children(const pare_parse_tree *tree, uint32_t node)
{
    for (uint32_t i = node + 1; i < tree->nodes[node].behind; i++) {
        if (!is_transparent(tree->nodes[i].kind)) return true;
    }
    return false;
}

static pare_status print_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                              pare_buffer *out, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    bool end = node->kind == PARE_NODE_TOKEN && node->symbol == 0;
    if (i > 0 && pare_buffer_add(out, " ", 1, err) != PARE_OK) return PARE_E_NOMEM;
    if (end) return pare_buffer_text(out, "<EOF>", err);
    if (node->kind != PARE_NODE_RULE)
        return add_escaped(out, text + node->begin, node->end - node->begin, err);
    if (shows_children(tree, i) && pare_buffer_add(out, "(", 1, err) != PARE_OK)
        return PARE_E_NOMEM;
    return pare_buffer_text(out, tree->names.rule(tree->names.language, node->symbol), err);
}

/* Closes what ends before node `next`, from the node `open` upwards. */
static pare_status close_until(const pare_parse_tree *tree, uint32_t next, uint32_t *open,
                               pare_buffer *out, pare_error *err)
{
    while (*open != PARE_NO_NODE && tree->nodes[*open].behind <= next) {
        bool shown = tree->nodes[*open].kind == PARE_NODE_RULE && shows_children(tree, *open);
        if (shown && pare_buffer_add(out, ")", 1, err) != PARE_OK) return PARE_E_NOMEM;
        *open = tree->nodes[*open].parent;
    }
    return PARE_OK;
}

pare_status pare_print_lisp(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                            pare_error *err)
{
    uint32_t open = PARE_NO_NODE;
    pare_status status = PARE_OK;
    for (uint32_t i = 0, next; i < tree->n_nodes && status == PARE_OK; i = next) {
        bool opaque = tree->nodes[i].kind == PARE_NODE_OPAQUE;
        next = opaque ? tree->nodes[i].behind : i + 1; /* shown as one piece */
        status = close_until(tree, i, &open, out, err);
        if (status == PARE_OK && !is_transparent(tree->nodes[i].kind))
            status = print_node(tree, text, i, out, err);
        open = i;
    }
    if (status == PARE_OK) status = close_until(tree, UINT32_MAX, &open, out, err);
    return status;
}
