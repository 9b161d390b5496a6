/* What is said, and what is built, where the input leaves the grammar. */
#ifndef PARE_PARSE_SYNTAX_ERROR_H
#define PARE_PARSE_SYNTAX_ERROR_H

#include <pare/export.h>
#include <pare/status.h>

#include "parse/chart.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

/* Fills *error, whose message the caller owns, for letter `at`, the first that could not be
 * taken: "found X, expected Y or Z".  The chart was mended, so it says what was expected.
 * Errors: PARE_E_NOMEM; *error is untouched then. */
PARE_CHECK pare_status pare_syntax_error_say(const pare_chart *chart, uint32_t at,
                                             const pare_letters *letters, const char *text,
                                             pare_parse_error *error, pare_error *err);

/* The same for bytes begin .. end-1, which no token matches. */
PARE_CHECK pare_status pare_syntax_error_lexical(const char *text, uint32_t begin, uint32_t end,
                                                 pare_parse_error *error, pare_error *err);

/* A tree for a text of `size` bytes of which nothing can be kept: the start rule over an
 * opaque leaf.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_syntax_error_tree(const pare_productions *p, uint32_t size,
                                              pare_parse_tree *tree, pare_error *err);

#endif
