/* A parse tree without a grammar: brackets, segments, tokens.
 *
 * What the structure of nearly every notation looks like from afar:
 *     document: segment* ;
 *     segment:  ( token | group )+ ;      up to a comma, a semicolon or a line end
 *     group:    '(' segment* ')' | '[' segment* ']' | '{' segment* '}' ;
 * with the brackets of text/split/bracket.h, the separators of text/split/bracket.h and the tokens of the
 * language-free lexer; blanks lie between tokens.  It never fails on any input: there are
 * no opaque nodes.  What tree algorithms use when no grammar is at hand. */
#ifndef PARE_PARSE_BRACKET_PARSE_H
#define PARE_PARSE_BRACKET_PARSE_H

#include "parse/parse_tree.h"

enum {
    PARE_BRACKETS_DOCUMENT,
    PARE_BRACKETS_SEGMENT,
    PARE_BRACKETS_ROUND,
    PARE_BRACKETS_SQUARE,
    PARE_BRACKETS_CURLY
}; /* rules */

/* Parses `size` bytes (at most PARE_TEXT_MAX_BYTES).  On PARE_OK the caller owns *out.
 * Time is linear; memory 28 bytes a node, and two arrays while it runs.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_bracket_parse(const unsigned char *bytes, size_t size,
                                          pare_parse_tree *out, pare_error *err);

#endif
