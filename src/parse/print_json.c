/* The tree as JSON, and what the formats share. */
#include "parse/print.h"

#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "parse/utf8.h"

static const char *const kinds[] = {
    [PARE_NODE_RULE] = "rule",     [PARE_NODE_TOKEN] = "token", [PARE_NODE_OPTIONAL] = "optional",
    [PARE_NODE_STAR] = "star",     [PARE_NODE_PLUS] = "plus",   [PARE_NODE_ITEM] = "item",
    [PARE_NODE_OPAQUE] = "opaque",
};

const char *pare_print_kind(uint32_t kind)
{
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "?";
}

const char *pare_print_name(const pare_parse_tree *tree, uint32_t node)
{
    const pare_parse_node *n = &tree->nodes[node];
    if (n->kind == PARE_NODE_RULE) return tree->names.rule(tree->names.language, n->symbol);
    if (n->kind == PARE_NODE_TOKEN) return tree->names.token(tree->names.language, n->symbol);
    return pare_print_kind(n->kind);
}

bool pare_print_is_leaf(const pare_parse_tree *tree, uint32_t node)
{
    return pare_parse_is_leaf(tree, node);
}

static pare_status add_point(pare_buffer *out, const char *bytes, size_t size, uint32_t point,
                             pare_error *err)
{
    if (point == '"' || point == '\\') return pare_buffer_format(out, err, "\\%c", (char)point);
    if (point == '\n') return pare_buffer_add(out, "\\n", 2, err);
    if (point < 0x20) return pare_buffer_format(out, err, "\\u%04x", point);
    if (point == PARE_UTF8_REPLACEMENT) return pare_buffer_add(out, "\xEF\xBF\xBD", 3, err);
    return pare_buffer_add(out, bytes, size, err);
}

/* A JSON string with its quotes. */
static pare_status add_string(pare_buffer *out, const char *bytes, size_t size, pare_error *err)
{
    pare_status status = pare_buffer_add(out, "\"", 1, err);
    for (size_t at = 0; at < size && status == PARE_OK;) {
        uint32_t point;
        size_t length = pare_utf8_decode(bytes + at, size - at, &point);
        status = add_point(out, bytes + at, length, point, err);
        at += length;
    }
    return status == PARE_OK ? pare_buffer_add(out, "\"", 1, err) : status;
}

static pare_status open_node(const pare_parse_tree *tree, const char *text, uint32_t i,
                             pare_buffer *out, pare_error *err)
{
    const pare_parse_node *node = &tree->nodes[i];
    pare_status status =
        pare_buffer_format(out, err, "{\"kind\":\"%s\"", pare_print_kind(node->kind));
    if (status == PARE_OK && (node->kind == PARE_NODE_RULE || node->kind == PARE_NODE_TOKEN)) {
        const char *name = pare_print_name(tree, i);
        status = pare_buffer_text(out, ",\"name\":", err);
        if (status == PARE_OK) status = add_string(out, name, strlen(name), err);
    }
    if (status == PARE_OK)
        status = pare_buffer_format(out, err, ",\"begin\":%u,\"end\":%u", node->begin, node->end);
    if (status != PARE_OK) return status;
    if (!pare_print_is_leaf(tree, i)) return pare_buffer_text(out, ",\"children\":[", err);
    status = pare_buffer_text(out, ",\"text\":", err);
    if (status == PARE_OK)
        status = add_string(out, text + node->begin, node->end - node->begin, err);
    return status == PARE_OK ? pare_buffer_text(out, "}", err) : status;
}

static pare_status close_until(const pare_parse_tree *tree, uint32_t next, uint32_t *open,
                               pare_buffer *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (; *open != PARE_NO_NODE && tree->nodes[*open].behind <= next && status == PARE_OK;
         *open = tree->nodes[*open].parent) {
        if (!pare_print_is_leaf(tree, *open)) status = pare_buffer_text(out, "]}", err);
    }
    return status;
}

pare_status pare_print_json(const pare_parse_tree *tree, const char *text, pare_buffer *out,
                            pare_error *err)
{
    uint32_t open = PARE_NO_NODE;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < tree->n_nodes && status == PARE_OK; i++) {
        status = close_until(tree, i, &open, out, err);
        bool younger = i > 0 && tree->nodes[i].parent != i - 1;
        if (status == PARE_OK && younger) status = pare_buffer_text(out, ",", err);
        if (status == PARE_OK) status = open_node(tree, text, i, out, err);
        open = i;
    }
    return status == PARE_OK ? close_until(tree, UINT32_MAX, &open, out, err) : status;
}
