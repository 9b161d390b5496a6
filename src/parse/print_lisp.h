/* The tree in one line, exactly as ANTLR's toStringTree prints it.
 *
 * A rule with children is "(name child ...)", without children "name"; a token is its
 * text with \n, \r and \t escaped, the end of file "<EOF>".  Quantifiers and their rounds
 * do not show.  An opaque stretch shows as its text.
 * Source: ANTLR 4, runtime class Trees, by its documented behaviour. */
#ifndef PARE_PARSE_PRINT_LISP_H
#define PARE_PARSE_PRINT_LISP_H

#include "base/buffer.h"
#include "parse/parse_tree.h"

/* Appends the tree of `text` to *out.  Malformed UTF-8 is printed as U+FFFD.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_print_lisp(const pare_parse_tree *tree, const char *text,
                                       pare_buffer *out, pare_error *err);

#endif
