/* Islands in the trees of the front end: their readers, and rules for trees of several
 * languages, in which each node is judged by its own (lang/islands.h). */
#ifndef PARE_REDUCE_SYNTAX_ISLAND_RULES_H
#define PARE_REDUCE_SYNTAX_ISLAND_RULES_H

#include "lang/islands.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/syntax/reader.h"
#include "reduce/tree/tree.h"

typedef struct pare_island_rules pare_island_rules;

/* Opens the languages of the islands that `n` options name (see lang/islands.h), for trees
 * of `host` (borrowed).  On PARE_OK the caller owns *out.
 * Errors: those of pare_islands_option_read, pare_islands_add and the readers. */
PARE_CHECK pare_status pare_island_rules_new(const pare_reader *host, const char *const *options,
                                             size_t n, pare_island_rules **out, pare_error *err);
void pare_island_rules_free(pare_island_rules *rules); /* NULL is a no-op */

/* Makes *filled of the host's tree of `bytes`.  Trees may be made of filled->tree with
 * pare_island_rules_of until the next call; they borrow the rules as long as they are.
 * Errors: those of pare_islands_fill. */
PARE_CHECK pare_status pare_island_rules_fill(pare_island_rules *rules, const pare_parse_tree *host,
                                              const char *bytes, pare_separators side,
                                              pare_island_tree *filled, pare_error *err);

/* Does pare_reader_forget_texts for the languages of the islands, not for the host. */
bool pare_island_rules_forget_texts(pare_island_rules *rules);

const pare_tree_rules *pare_island_rules_of(const pare_island_rules *rules);

#endif
