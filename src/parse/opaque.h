/* What did not lex or parse, as pieces that can be reduced.
 *
 * An opaque leaf of more than one lexeme gets the structure that brackets, separators and
 * the language-free lexer see in it, see bracket_parse.h:
 *     opaque stretch: segment* ;  segment: ( token | group )+ ;  group: '(' segment* ')' ...
 * Segments, groups and tokens are opaque nodes themselves, told apart by their symbol; the
 * lists between are star nodes.  Text that did not lex, and which lies between tokens,
 * becomes an opaque node of its own in the innermost node around it. */
#ifndef PARE_PARSE_OPAQUE_H
#define PARE_PARSE_OPAQUE_H

#include "parse/lexer.h"
#include "parse/parse_tree.h"

/* Symbols of opaque nodes within a stretch; the stretch itself has PARE_NO_NODE. */
enum {
    PARE_OPAQUE_SEGMENT = 1,
    PARE_OPAQUE_ROUND,
    PARE_OPAQUE_SQUARE,
    PARE_OPAQUE_CURLY,
    PARE_OPAQUE_TOKEN
};

/* Rewrites the tree of `text`, whose tokens are `tokens`; a tree without errors stays as it
 * is.  O(nodes + bytes that are opaque).  Errors: PARE_E_NOMEM, PARE_E_LIMIT; the tree is
 * as it was then. */
PARE_CHECK pare_status pare_opaque_open(pare_parse_tree *tree, const char *text,
                                        const pare_tokens *tokens, pare_error *err);

#endif
