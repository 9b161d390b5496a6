/* The formats a tree is printed in: JSON, ANTLR's LISP form, Graphviz, a picture.
 *
 * Each is one pass over the nodes in pre-order.  None recurses: a node is closed when the next
 * one lies outside of it, by a walk up its parents, so trees may be as deep as they are large
 * and printing is O(nodes + bytes).  All texts go through the decoder of code points, since
 * an input may be anything: malformed UTF-8 is shown as U+FFFD.
 *
 * The picture has one row for each node, indented by depth, with a line from each node up to
 * its parent's row: it needs no layout algorithm and stays readable for large trees.
 * Source of the LISP form: ANTLR 4, runtime class Trees, by its documented behaviour.
 *
 * Invariant: what is written is valid in its format whatever the input is: JSON strings hold
 * UTF-8 only, labels hold no quotes, markup no characters that XML forbids. */

#include "parse/print.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "parse/code_point.h"
#include "parse/parse_tree.h"

/* --- JSON ------------------------------------------------------------------------------ */

/* The kinds as JSON and labels have them. */
static const char *const kinds[] = {
    [PARE_NODE_RULE] = "rule",     [PARE_NODE_TOKEN] = "token", [PARE_NODE_OPTIONAL] = "optional",
    [PARE_NODE_STAR] = "star",     [PARE_NODE_PLUS] = "plus",   [PARE_NODE_ITEM] = "item",
    [PARE_NODE_OPAQUE] = "opaque",
};

/* The names are part of the JSON format (pare-parse(1)). */
static const char *kind_name(uint32_t kind)
{
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "?";
}

/* What a node is called: the name of its rule or token, "optional", "opaque", ... Borrowed
 * from the language, or static. */
static const char *node_name(const pare_parse_tree *tree, uint32_t node)
{
    const pare_parse_node *n = &tree->nodes[node];
    if (n->kind == PARE_NODE_RULE) return tree->names.rule(tree->names.language, n->symbol);
    if (n->kind == PARE_NODE_TOKEN) return tree->names.token(tree->names.language, n->symbol);
    return kind_name(n->kind);
}

/* Appends a code point of a JSON string.  Non-ASCII characters are written as they are: JSON
 * is UTF-8. */
static pare_status add_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                             pare_error *err)
{
    if (point == '"' || point == '\\') return pare_buffer_format(out, err, "\\%c", (char)point);
    if (point == '\n') return pare_buffer_add(out, "\\n", 2, err);
    if (point < 0x20) return pare_buffer_format(out, err, "\\u%04x", point);
    /* Bytes that are no UTF-8 must not get into JSON. */
    if (point == PARE_CODE_POINT_REPLACEMENT) return pare_buffer_add(out, "\xEF\xBF\xBD", 3, err);
    return pare_buffer_add(out, bytes, size, err);
}

/* Appends a JSON string with its quotes.  Decoded character by character, because a byte that
 * is no UTF-8 has to be found. */
static pare_status add_string(pare_buffer *out, const char *bytes, size_t size, pare_error *err)
{
    pare_status status = pare_buffer_add(out, "\"", 1, err);
    for (size_t at = 0; at < size && status == PARE_OK;) {
        uint32_t point;
        size_t length = pare_code_point_decode(bytes + at, size - at, &point);
        status = add_point(out, bytes + at, length, point, err);
        at += length;
    }
    return status == PARE_OK ? pare_buffer_add(out, "\"", 1, err) : status;
}

/* Writes a node up to its list of children; a leaf wholly.  A leaf is recognised by its place
 * in the array and not by its kind: a rule may derive nothing. */
static pare_status open_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                             pare_buffer *out, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    pare_status status = pare_buffer_format(out, err, "{\"kind\":\"%s\"", kind_name(node->kind));
    if (status == PARE_OK && (node->kind == PARE_NODE_RULE || node->kind == PARE_NODE_TOKEN)) {
        const char *name = node_name(tree, i);
        status = pare_buffer_text(out, ",\"name\":", err);
        if (status == PARE_OK) status = add_string(out, name, strlen(name), err);
    }
    if (status == PARE_OK)
        status = pare_buffer_format(out, err, ",\"begin\":%u,\"end\":%u", node->begin, node->end);
    if (status != PARE_OK) return status;
    if (!pare_parse_tree_is_leaf(tree, i)) return pare_buffer_text(out, ",\"children\":[", err);
    status = pare_buffer_text(out, ",\"text\":", err);
    if (status == PARE_OK)
        status = add_string(out, text + node->begin, node->end - node->begin, err);
    return status == PARE_OK ? pare_buffer_text(out, "}", err) : status;
}

/* Closes the nodes that end before node `next`, from the node *open upwards.  Amortised O(1):
 * each node is closed once. */
static pare_status close_until(const pare_parse_tree *tree, uint32_t next, uint32_t *open,
                               pare_buffer *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (; *open != PARE_NO_NODE && tree->nodes[*open].after <= next && status == PARE_OK;
         *open = tree->nodes[*open].parent) {
        if (!pare_parse_tree_is_leaf(tree, *open)) status = pare_buffer_text(out, "]}", err);
    }
    return status;
}

/* `open` is the node written last, from which nodes are closed upwards. */
pare_status pare_print_json(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                            pare_error *err)
{
    uint32_t open = PARE_NO_NODE;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < tree->n_nodes && status == PARE_OK; i++) {
        status = close_until(tree, i, &open, out, err);
        /* A node whose parent is not the node before it has an elder sibling. */
        bool younger = i > 0 && tree->nodes[i].parent != i - 1;
        if (status == PARE_OK && younger) status = pare_buffer_text(out, ",", err);
        if (status == PARE_OK) status = open_node(tree, text, i, out, err);
        open = i;
    }
    return status == PARE_OK ? close_until(tree, UINT32_MAX, &open, out, err) : status;
}

/* --- ANTLR's LISP form ---------------------------------------------------------------- */

/* Nodes for quantifiers, which ANTLR's trees do not have.  Trees for reducers have them;
 * ANTLR's have the repeated children in their parent's list. */
static bool is_transparent(uint32_t kind)
{
    return kind == PARE_NODE_OPTIONAL || kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS ||
           kind == PARE_NODE_ITEM;
}

/* Escapes as ANTLR does: line ends and tabs only.  Other control characters are written as
 * they are, as ANTLR does. */
static pare_status add_code_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                  pare_error *err)
{
    switch (point) {
    case '\n': return pare_buffer_add(out, "\\n", 2, err);
    case '\r': return pare_buffer_add(out, "\\r", 2, err);
    case '\t': return pare_buffer_add(out, "\\t", 2, err);
    case PARE_CODE_POINT_REPLACEMENT: return pare_buffer_add(out, "\xEF\xBF\xBD", 3, err);
    default: return pare_buffer_add(out, bytes, size, err);
    }
}

/* Appends a text, escaped. */
static pare_status add_escaped(pare_buffer *out, const char *bytes, size_t size, pare_error *err)
{
    for (size_t at = 0; at < size;) {
        uint32_t point;
        size_t length = pare_code_point_decode(bytes + at, size - at, &point);
        pare_status status = add_code_point(out, bytes + at, length, point, err);
        if (status != PARE_OK) return status;
        at += length;
    }
    return PARE_OK;
}

/* Whether anything that shows is below the node.  Looks only as far as the first such node.
 * O(1) for most nodes; a row of empty quantifiers is all that makes it look further. */
static bool shows_children(const pare_parse_tree *tree, uint32_t node)
{
    for (uint32_t i = node + 1; i < tree->nodes[node].after; i++) {
        if (!is_transparent(tree->nodes[i].kind)) return true;
    }
    return false;
}

/* Writes a node's text or name; a rule opens a parenthesis only if it has children that show.
 * A rule without children is its name alone, as in ANTLR. */
static pare_status print_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                              pare_buffer *out, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    /* Token type 0 is the end of the file, which has no text of its own. */
    bool end = node->kind == PARE_NODE_TOKEN && node->symbol == 0;
    if (i > 0 && pare_buffer_add(out, " ", 1, err) != PARE_OK) return PARE_E_NOMEM;
    if (end) return pare_buffer_text(out, "<EOF>", err);
    if (node->kind != PARE_NODE_RULE)
        return add_escaped(out, text + node->begin, node->end - node->begin, err);
    if (shows_children(tree, i) && pare_buffer_add(out, "(", 1, err) != PARE_OK)
        return PARE_E_NOMEM;
    return pare_buffer_text(out, tree->names.rule(tree->names.language, node->symbol), err);
}

/* Closes the rules that end before node `next`, from the node *open upwards. */
static pare_status close_rules(const pare_parse_tree *tree, uint32_t next, uint32_t *open,
                               pare_buffer *out, pare_error *err)
{
    while (*open != PARE_NO_NODE && tree->nodes[*open].after <= next) {
        bool shown = tree->nodes[*open].kind == PARE_NODE_RULE && shows_children(tree, *open);
        if (shown && pare_buffer_add(out, ")", 1, err) != PARE_OK) return PARE_E_NOMEM;
        *open = tree->nodes[*open].parent;
    }
    return PARE_OK;
}

/* An opaque node is shown as its text. */
pare_status pare_print_lisp(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                            pare_error *err)
{
    uint32_t open = PARE_NO_NODE;
    pare_status status = PARE_OK;
    for (uint32_t i = 0, next; i < tree->n_nodes && status == PARE_OK; i = next) {
        bool opaque = tree->nodes[i].kind == PARE_NODE_OPAQUE;
        next = opaque ? tree->nodes[i].after : i + 1; /* shown as one piece */
        status = close_rules(tree, i, &open, out, err);
        if (status == PARE_OK && !is_transparent(tree->nodes[i].kind))
            status = print_node(tree, text, i, out, err);
        open = i;
    }
    if (status == PARE_OK) status = close_rules(tree, UINT32_MAX, &open, out, err);
    return status;
}

/* --- subtrees by name -------------------------------------------------------------------- */

/* Whether the name is `symbol`, or that in the brackets of The Fuzzing Book. */
static bool is_called(const char *name, const char *symbol)
{
    size_t size = strlen(symbol);
    if (!name) return false;
    if (strcmp(name, symbol) == 0) return true;
    return name[0] == '<' && strncmp(name + 1, symbol, size) == 0 &&
           strcmp(name + 1 + size, ">") == 0;
}

/* Whether the node is of that rule or token. */
static bool is_of(const pare_parse_tree *tree, uint32_t node, const char *symbol)
{
    const pare_symbol_names *names = &tree->names;
    const pare_parse_node *of = &tree->nodes[node];
    if (of->kind == PARE_NODE_RULE && names->rule)
        return is_called(names->rule(names->language, of->symbol), symbol);
    if (of->kind == PARE_NODE_TOKEN && names->token)
        return is_called(names->token(names->language, of->symbol), symbol);
    return false;
}

/* Levels below the root of each node, of nodes that show; NULL when memory is out; the caller owns the
 * array.  Parents come before their children. */
static uint32_t *find_levels(const pare_parse_tree *tree)
{
    uint32_t *level = pare_alloc(tree->n_nodes, sizeof *level);
    for (size_t i = 0; level && i < tree->n_nodes; i++) {
        const uint32_t parent = tree->nodes[i].parent;
        level[i] =
            parent == PARE_NO_NODE ? 0 : level[parent] + !is_transparent(tree->nodes[parent].kind);
    }
    return level;
}

pare_status pare_print_subtrees(const pare_parse_tree *tree, const char *text, const char *symbol,
                                uint32_t depth, pare_buffer *out, pare_error *err)
{
    uint32_t *level = depth ? find_levels(tree) : NULL;
    pare_status status = depth && !level ? pare_fail_nomem(err) : PARE_OK;
    for (uint32_t i = 1; !status && i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!is_of(tree, i, symbol) || (depth && level[i] != depth)) continue;
        status = add_escaped(out, text + node->begin, node->end - node->begin, err);
        if (!status) status = pare_buffer_text(out, "\n", err);
    }
    pare_alloc_free(level);
    return status;
}

/* --- Graphviz and pictures ------------------------------------------------------------- */

/* Of the pictures: characters of a label, pixels, levels. */
enum { LABEL_POINTS = 40, ROW_HEIGHT = 18, INDENT = 16, MAX_SHOWN_DEPTH = 200 };

/* Appends one code point as the format writes it. */
typedef pare_status (*add_markup)(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                  pare_error *err);

/* In a Graphviz label, controls are shown as a middle dot.  Graphviz takes no control
 * characters in a label, escaped or not. */
static pare_status add_dot_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                 pare_error *err)
{
    if (point == '"' || point == '\\') return pare_buffer_format(out, err, "\\%c", (char)point);
    if (point < 0x20 || point == 0x7F) return pare_buffer_text(out, "\xC2\xB7", err);
    if (point == PARE_CODE_POINT_REPLACEMENT) return pare_buffer_text(out, "\xEF\xBF\xBD", err);
    return pare_buffer_add(out, bytes, size, err);
}

/* Characters that XML does not allow are replaced; they may not even be written as references. */
static pare_status add_xml_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                                 pare_error *err)
{
    switch (point) {
    case '<': return pare_buffer_text(out, "&lt;", err);
    case '>': return pare_buffer_text(out, "&gt;", err);
    case '&': return pare_buffer_text(out, "&amp;", err);
    case 0xFFFE:
    case 0xFFFF:
    case PARE_CODE_POINT_REPLACEMENT: return pare_buffer_text(out, "\xEF\xBF\xBD", err);
    default: break;
    }
    if (point < 0x20 || point == 0x7F) return pare_buffer_text(out, "\xC2\xB7", err);
    return pare_buffer_add(out, bytes, size, err);
}

/* Appends at most LABEL_POINTS code points, so that a long token does not blow up the picture.
 * Code points are counted, not bytes, so that no character is cut in two. */
static pare_status add_label(pare_buffer *out, const char *bytes, size_t size, add_markup add,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t at = 0; at < size && status == PARE_OK;) {
        if (n++ == LABEL_POINTS) return pare_buffer_text(out, "\xE2\x80\xA6", err);
        uint32_t point;
        size_t length = pare_code_point_decode(bytes + at, size - at, &point);
        status = add(out, bytes + at, length, point, err);
        at += length;
    }
    return status;
}

/* Appends what a node shows: the text of a leaf, the name of any other.  The end of the file
 * is a leaf without text; its name is shown. */
static pare_status add_node_label(const pare_parse_tree *tree, const char *text, uint32_t i,
                                  pare_buffer *out, add_markup add, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    bool end = node->kind == PARE_NODE_TOKEN && node->symbol == 0;
    if (pare_parse_tree_is_leaf(tree, i) && !end)
        return add_label(out, text + node->begin, node->end - node->begin, add, err);
    const char *name = node_name(tree, i);
    size_t size = strlen(name);
    return add_label(out, name, size, add, err);
}

/* A node and the edge from its parent.  Leaves are boxes, so that the text of the input can be
 * told from names of rules. */
static pare_status dot_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                            pare_buffer *out, pare_error *err)
{
    uint32_t parent = tree->nodes[i].parent;
    pare_status status = pare_buffer_format(out, err, "  n%u [label=\"", i);
    if (status == PARE_OK) status = add_node_label(tree, text, i, out, add_dot_point, err);
    if (status == PARE_OK)
        status = pare_buffer_text(
            out, pare_parse_tree_is_leaf(tree, i) ? "\" shape=box]\n" : "\"]\n", err);
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

/* Depth of each node, cut at MAX_SHOWN_DEPTH so that the picture stays on paper.  NULL when
 * memory is out; the caller owns the array.  Parents come before their children, so one pass
 * is enough. */
static uint32_t *find_depths(const pare_parse_tree *tree, uint32_t *deepest)
{
    uint32_t *depth = pare_alloc(tree->n_nodes, sizeof *depth);
    *deepest = 0;
    for (size_t i = 0; depth && i < tree->n_nodes; i++) {
        uint32_t parent = tree->nodes[i].parent;
        assert(parent == PARE_NO_NODE || parent < i);
        depth[i] = parent == PARE_NO_NODE ? 0 : depth[parent] + 1;
        if (depth[i] > MAX_SHOWN_DEPTH) depth[i] = MAX_SHOWN_DEPTH;
        if (depth[i] > *deepest) *deepest = depth[i];
    }
    return depth;
}

/* Writes a node's row: a line up to its parent's row, and its label, indented by depth.  The
 * line goes down from the parent's row and then right to the label. */
static pare_status svg_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                            const uint32_t *depth, pare_buffer *out, pare_error *err)
{
    uint32_t parent = tree->nodes[i].parent, x = (depth[i] + 1) * INDENT;
    /* In 64 bits: 2^32 rows do not fit 32. */
    uint64_t y = ((uint64_t)i + 1) * ROW_HEIGHT;
    pare_status status = PARE_OK;
    if (parent != PARE_NO_NODE)
        status = pare_buffer_format(
            out, err, "<path d=\"M%u %lluV%lluH%u\"/>", depth[parent] * INDENT + INDENT + 4,
            ((unsigned long long)parent + 1) * ROW_HEIGHT + 4, (unsigned long long)y - 4, x - 2);
    if (status == PARE_OK)
        status =
            pare_buffer_format(out, err, "<text x=\"%u\" y=\"%llu\"%s>", x, (unsigned long long)y,
                               pare_parse_tree_is_leaf(tree, i) ? " class=\"t\"" : "");
    if (status == PARE_OK) status = add_node_label(tree, text, i, out, add_xml_point, err);
    return status == PARE_OK ? pare_buffer_text(out, "</text>\n", err) : status;
}

pare_status pare_print_svg(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                           pare_error *err)
{
    uint32_t deepest;
    uint32_t *depth = find_depths(tree, &deepest);
    if (!depth) return pare_fail_nomem(err);
    /* Wide enough for the longest label at the deepest level, at 8 pixels a character. */
    pare_status status = pare_buffer_format(
        out, err,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%llu\">\n"
        "<style>text{font:12px monospace}.t{fill:#06c}path{fill:none;stroke:#999}</style>\n",
        (deepest + 2) * INDENT + LABEL_POINTS * 8,
        ((unsigned long long)tree->n_nodes + 1) * ROW_HEIGHT);
    for (uint32_t i = 0; i < tree->n_nodes && status == PARE_OK; i++)
        status = svg_node(tree, text, i, depth, out, err);
    pare_alloc_free(depth);
    return status == PARE_OK ? pare_buffer_text(out, "</svg>", err) : status;
}
