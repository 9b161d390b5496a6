/* A parse tree without a grammar: brackets, segments, tokens.
 *
 * What the structure of nearly every notation looks like from afar:
 *     document: segment* ;
 *     segment:  ( token | group )+ ;      up to a comma, a semicolon or a line end
 *     group:    '(' segment* ')' | '[' segment* ']' | '{' segment* '}' | '<a>' segment* '</a>' ;
 * with the brackets of text/split/bracket.h, the separators of text/split/bracket.h and the tokens of the
 * language-free lexer; blanks lie between tokens.  It never fails on any input: there are
 * no opaque nodes.  What tree algorithms use when no grammar is at hand. */
#ifndef PARE_PARSE_BRACKET_PARSE_H
#define PARE_PARSE_BRACKET_PARSE_H

#include "parse/lexer.h"
#include "parse/parse_tree.h"

enum {
    PARE_BRACKETS_DOCUMENT,
    PARE_BRACKETS_SEGMENT,
    PARE_BRACKETS_ROUND,
    PARE_BRACKETS_SQUARE,
    PARE_BRACKETS_CURLY,
    PARE_BRACKETS_TAG
}; /* rules */

/* Parses `size` bytes (at most PARE_TEXT_MAX_BYTES).  On PARE_OK the caller owns *out.
 * Time is linear; memory 28 bytes a node, and two arrays while it runs.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_bracket_parse(const unsigned char *bytes, size_t size,
                                          pare_parse_tree *out, pare_error *err);

/* What did not lex or parse, as pieces that can be reduced.
 *
 * An opaque leaf of more than one lexeme gets the structure that brackets, separators and
 * the language-free lexer see in it, see bracket_parse.h:
 *     opaque stretch: segment* ;  segment: ( token | group )+ ;  group: '(' segment* ')' ...
 * Segments, groups and tokens are opaque nodes themselves, told apart by their symbol; the
 * lists between are star nodes.  Text that did not lex, and which lies between tokens,
 * becomes an opaque node of its own in the innermost node around it. */

/* Symbols of opaque nodes within a stretch; the stretch itself has PARE_NO_NODE. */
enum {
    PARE_OPAQUE_SEGMENT = 1,
    PARE_OPAQUE_ROUND,
    PARE_OPAQUE_SQUARE,
    PARE_OPAQUE_CURLY,
    PARE_OPAQUE_TAG,
    PARE_OPAQUE_TOKEN
};

/* Rewrites the tree of `text`, whose tokens are `tokens`; a tree without errors stays as it
 * is.  O(nodes + bytes that are opaque).  Errors: PARE_E_NOMEM, PARE_E_LIMIT; the tree is
 * as it was then. */
PARE_CHECK pare_status pare_bracket_parse_opaque(pare_parse_tree *tree, const char *text,
                                                 const pare_tokens *tokens, pare_error *err);

#endif
