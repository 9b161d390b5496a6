/* The formats a tree is printed in.  Each is one pass in pre-order without recursion, so
 * trees may be as deep as they are large; ANTLR's form has a header of its own,
 * print_lisp.h. */
#ifndef PARE_PARSE_PRINT_H
#define PARE_PARSE_PRINT_H

#include "base/buffer.h"
#include "parse/parse_tree.h"

/* Appends the tree of `text` to *out.  JSON: objects with "kind" (rule, token, optional,
 * star, plus, item, opaque), for rules and tokens "name", for leaves "text", "begin" and
 * "end" in bytes, and for inner nodes "children".  Malformed UTF-8 becomes U+FFFD.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_print_json(const pare_parse_tree *tree, const char *text,
                                       pare_buffer *out, pare_error *err);
PARE_CHECK pare_status pare_print_dot(const pare_parse_tree *tree, const char *text,
                                      pare_buffer *out, pare_error *err);
PARE_CHECK pare_status pare_print_svg(const pare_parse_tree *tree, const char *text,
                                      pare_buffer *out, pare_error *err);

/* What a node is called: the name of its rule or token, "optional", "opaque", ... */
const char *pare_print_kind(uint32_t kind);
const char *pare_print_name(const pare_parse_tree *tree, uint32_t node);
bool pare_print_is_leaf(const pare_parse_tree *tree, uint32_t node);

#endif
