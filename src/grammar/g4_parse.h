/* The parser of ANTLR's grammar notation: text to pare_g4_file.
 *
 * Blocks are kept on a stack of its own, so nesting is bounded by memory only. */
#ifndef PARE_GRAMMAR_G4_PARSE_H
#define PARE_GRAMMAR_G4_PARSE_H

#include "grammar/g4_ast.h"

/* Parses file->text; path and text are set, all else is zero.  What was read stays in
 * *file, which the caller releases in any case.
 * Errors: PARE_E_SYNTAX with file, line and column; PARE_E_LIMIT (2^30 bytes or more);
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_parse(pare_g4_file *file, pare_error *err);

#endif
