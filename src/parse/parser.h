/* Text and grammar to tree: lexer, Earley's recogniser, choice of the tree.
 *
 * A parser belongs to one grammar and one start rule, and may parse any number of texts;
 * what its lexer learns is kept.  One thread. */
#ifndef PARE_PARSE_PARSER_H
#define PARE_PARSE_PARSER_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"
#include "parse/parse_tree.h"

typedef struct pare_parser pare_parser;

/* Cost of the last parse. */
typedef struct pare_parse_cost {
    size_t n_tokens; /* of the default channel */
    size_t n_rest;   /* tokens after the tree, when the start rule did not take them */
    size_t n_items, n_ways;
    size_t chart_bytes;
} pare_parse_cost;

/* `grammar` is borrowed as long as the parser and its trees live.  `start` is a parser
 * rule.  Errors: PARE_E_ARG (no such rule), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_parser_new(const pare_grammar *grammar, pare_index start,
                                       pare_parser **out, pare_error *err);
void pare_parser_free(pare_parser *parser); /* NULL is a no-op */

/* Sets from how many completions of right recursions at one place on their chains are
 * skipped; see parse/earley.h.  UINT32_MAX: never, which costs quadratic time and memory in
 * places.  The trees are the same, but for ambiguous texts with an error: what is left out
 * of them, and so the tree, may be another (less than one in 10,000 random texts of random
 * grammars; never the number of errors, nor what is said about the first). */
void pare_parser_skip_after(pare_parser *parser, uint32_t n);

/* Bounds the work for a text: one whose chart would have more than `most` items and further ways together
 * (some 10 to 40 for each token where the grammar is nearly deterministic, their square or cube where it is
 * ambiguous) ends with PARE_E_LIMIT.  SIZE_MAX, as from the start: no bound.  The same text always ends
 * alike. */
void pare_parser_bound(pare_parser *parser, size_t most);

/* Parses `size` bytes.  A syntax error is no failure: it is noted in tree->error, and the
 * stretch that does not parse becomes an opaque leaf.  On PARE_OK the caller owns *tree
 * and ends it with pare_parse_tree_done.  `cost` may be NULL.
 * Errors: PARE_E_LIMIT (too large, or beyond the bound), PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_parser_run(pare_parser *parser, const char *text, size_t size,
                                       pare_parse_tree *tree, pare_parse_cost *cost,
                                       pare_error *err);

/* What makes trees of a grammar from texts, whichever parser there is behind it: ours, or a
 * language's (lang/language.h).  One thread. */
typedef struct pare_text_reader {
    void *self; /* borrowed */
    /* *in_language says whether all of the text is in the language.  On PARE_OK the caller owns
     * *tree also if it is not.  Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
    pare_status (*read)(void *self, const char *text, size_t size, pare_parse_tree *tree,
                        bool *in_language, pare_error *err);
} pare_text_reader;

/* The reader that is `parser`, which it borrows. */
pare_text_reader pare_parser_reader(pare_parser *parser);

/* The same with a bound, for those that read many texts and can do without some of them: what is beyond it
 * counts as not in the language, and has no tree. */
pare_text_reader pare_parser_quick_reader(pare_parser *parser);

#endif
