/* The formats a tree is printed in.  Each is one pass in pre-order without recursion, so
 * trees may be as deep as they are large. */
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

/* Appends the tree of `text` in one line, exactly as ANTLR's toStringTree prints it.
 *
 * A rule with children is "(name child ...)", without children "name"; a token is its text
 * with \n, \r and \t escaped, the end of file "<EOF>".  Quantifiers and their rounds do not
 * show.  An opaque stretch shows as its text.  Malformed UTF-8 is printed as U+FFFD.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_print_lisp(const pare_parse_tree *tree, const char *text,
                                       pare_buffer *out, pare_error *err);

/* Appends the texts of the subtrees below the root whose rule or token is called `symbol`, or
 * "<symbol>", a line each, escaped as above, in pre-order.  With `depth` only those that many levels
 * below the root, quantifiers and their rounds not counted; 0: all of them.
 * Source: The Fuzzing Book, subtrees_with_symbol.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_print_subtrees(const pare_parse_tree *tree, const char *text,
                                           const char *symbol, uint32_t depth, pare_buffer *out,
                                           pare_error *err);

#endif
