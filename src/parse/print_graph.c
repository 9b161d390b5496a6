/* The tree for Graphviz, and as a picture: one row for each node, indented by depth,
 * with a line from each node up to its parent's row. */
#include "parse/print.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "parse/utf8.h"

enum { LABEL_POINTS = 40, ROW_HEIGHT = 18, INDENT = 16, MAX_SHOWN_DEPTH = 200 };

typedef pare_status (*add_point)(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                 pare_error *err);

static pare_status add_dot_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                 pare_error *err)
{
    if (point == '"' || point == '\\') return pare_buffer_format(out, err, "\\%c", (char)point);
    if (point < 0x20 || point == 0x7F) return pare_buffer_text(out, "\xC2\xB7", err);
    if (point == PARE_UTF8_REPLACEMENT) return pare_buffer_text(out, "\xEF\xBF\xBD", err);
    return pare_buffer_add(out, bytes, size, err);
}

static pare_status add_xml_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                 pare_error *err)
{
    switch (point) {
    case '<': return pare_buffer_text(out, "&lt;", err);
    case '>': return pare_buffer_text(out, "&gt;", err);
    case '&': return pare_buffer_text(out, "&amp;", err);
    case 0xFFFE:
    case 0xFFFF:
    case PARE_UTF8_REPLACEMENT: return pare_buffer_text(out, "\xEF\xBF\xBD", err);
    default: break;
    }
    if (point < 0x20 || point == 0x7F) return pare_buffer_text(out, "\xC2\xB7", err);
    return pare_buffer_add(out, bytes, size, err);
}

static pare_status add_label(pare_buffer *out, const char *bytes, size_t size, add_point add,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t at = 0; at < size && status == PARE_OK;) {
        if (n++ == LABEL_POINTS) return pare_buffer_text(out, "\xE2\x80\xA6", err);
        uint32_t point;
        size_t length = pare_utf8_decode(bytes + at, size - at, &point);
        status = add(out, bytes + at, length, point, err);
        at += length;
    }
    return status;
}

/* What a node shows: the text of a leaf, the name of the others. */
static pare_status add_node_label(const pare_parse_tree *tree, const char *text, uint32_t i,
                                  pare_buffer *out, add_point add, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    bool end = node->kind == PARE_NODE_TOKEN && node->symbol == 0;
    if (pare_print_is_leaf(tree, i) && !end)
        return add_label(out, text + node->begin, node->end - node->begin, add, err);
    const char *name = pare_print_name(tree, i);
    size_t size = 0;
    while (name[size])
        size++;
    return add_label(out, name, size, add, err);
}

static pare_status dot_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                            pare_buffer *out, pare_error *err)
{
    uint32_t parent = tree->nodes[i].parent;
    pare_status status = pare_buffer_format(out, err, "  n%u [label=\"", i);
    if (status == PARE_OK) status = add_node_label(tree, text, i, out, add_dot_point, err);
    if (status == PARE_OK)
        status =
            pare_buffer_text(out, pare_print_is_leaf(tree, i) ? "\" shape=box]\n" : "\"]\n", err);
    if (status == PARE_OK && parent != PARE_NO_NODE)
        status = pare_buffer_format(out, err, "  n%u -> n%u\n", parent, i);
    return status;
}

pare_status pare_print_dot(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                           pare_error *err)
{
    pare_status status = pare_buffer_text(out, "digraph tree {\n  ordering=out\n", err);
    for (uint32_t i = 0; i < tree->n_nodes && status == PARE_OK; i++)
        status = dot_node(tree, text, i, out, err);
    return status == PARE_OK ? pare_buffer_text(out, "}", err) : status;
}

/* Depth of each node, with a limit so that the picture stays on paper. */
static uint32_t *find_depths(const pare_parse_tree *tree, uint32_t *deepest)
{
    uint32_t *depth = pare_alloc(tree->n_nodes, sizeof *depth);
    *deepest = 0;
    for (size_t i = 0; depth && i < tree->n_nodes; i++) {
        uint32_t parent = tree->nodes[i].parent;
        depth[i] = parent == PARE_NO_NODE ? 0 : depth[parent] + 1;
        if (depth[i] > MAX_SHOWN_DEPTH) depth[i] = MAX_SHOWN_DEPTH;
        if (depth[i] > *deepest) *deepest = depth[i];
    }
    return depth;
}

static pare_status svg_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                            const uint32_t *depth, pare_buffer *out, pare_error *err)
{
    uint32_t parent = tree->nodes[i].parent, x = (depth[i] + 1) * INDENT;
    uint64_t y = ((uint64_t)i + 1) * ROW_HEIGHT;
    pare_status status = PARE_OK;
    if (parent != PARE_NO_NODE)
        status = pare_buffer_format(
            out, err, "<path d=\"M%u %lluV%lluH%u\"/>", depth[parent] * INDENT + INDENT + 4,
            ((unsigned long long)parent + 1) * ROW_HEIGHT + 4, (unsigned long long)y - 4, x - 2);
    if (status == PARE_OK)
        status =
            pare_buffer_format(out, err, "<text x=\"%u\" y=\"%llu\"%s>", x, (unsigned long long)y,
                               pare_print_is_leaf(tree, i) ? " class=\"t\"" : "");
    if (status == PARE_OK) status = add_node_label(tree, text, i, out, add_xml_point, err);
    return status == PARE_OK ? pare_buffer_text(out, "</text>\n", err) : status;
}

pare_status pare_print_svg(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                           pare_error *err)
{
    uint32_t deepest;
    uint32_t *depth = find_depths(tree, &deepest);
    if (!depth) return pare_fail_nomem(err);
    pare_status status = pare_buffer_format(
        out, err,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%llu\">\n"
        "<style>text{font:12px monospace}.t{fill:#06c}path{fill:none;stroke:#999}</style>\n",
        (deepest + 2) * INDENT + LABEL_POINTS * 8,
        ((unsigned long long)tree->n_nodes + 1) * ROW_HEIGHT);
    for (uint32_t i = 0; i < tree->n_nodes && status == PARE_OK; i++)
        status = svg_node(tree, text, i, depth, out, err);
    pare_release(depth);
    return status == PARE_OK ? pare_buffer_text(out, "</svg>", err) : status;
}
