/* A reader: one language, by which texts become parse trees, and what it says about them.
 *
 * An ANTLR or fuzzingbook grammar, a language of tree-sitter, or a tree that the user gives.  Its trees are those that
 * reducers want: with quantifiers, and leaves that are joined where characters are tokens.
 * One thread. */
#ifndef PARE_REDUCE_SYNTAX_READER_H
#define PARE_REDUCE_SYNTAX_READER_H

#include "lang/language.h"
#include "lang/language_texts.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/syntax/given_tree.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/tree.h"

typedef struct pare_reader pare_reader;

/* By a grammar in `n` files (1 ..), from its rule `start`; NULL: its first parser rule.
 * On PARE_OK the caller owns *out.
 * Errors: those of reading the grammar, PARE_E_ARG (no such rule), PARE_E_NOMEM,
 * PARE_E_LIMIT. */
PARE_CHECK pare_status pare_reader_by_grammar(const char *const *paths, size_t n, const char *start,
                                              pare_reader **out, pare_error *err);

/* By the language `name`.  Errors: those of pare_language_load, and of its grammar. */
PARE_CHECK pare_status pare_reader_by_language(const char *name, pare_reader **out,
                                               pare_error *err);

/* By the tree in a file of JSON, reduce/syntax/given_tree.h; nothing is parsed before its input is
 * set.  Errors: those of reading it. */
PARE_CHECK pare_status pare_reader_by_tree(const char *path, pare_reader **out, pare_error *err);

/* The tree that the reader was given; NULL: it is another reader. */
pare_given_tree *pare_reader_given(const pare_reader *reader);
void pare_reader_free(pare_reader *reader); /* NULL is a no-op */

/* Parses; a syntax error is noted in tree->error.  A language puts separators where `side`
 * says.  The tree borrows the reader's names; on PARE_OK the caller ends it.
 * Errors: PARE_E_LIMIT, PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_reader_parse(pare_reader *reader, const char *bytes, size_t size,
                                         pare_separators side, pare_parse_tree *tree,
                                         pare_error *err);

/* Forgets the shortest texts of a language: the next parse makes them anew, with its bytes as
 * the example (lang/language_texts.h).  No tree with the reader's rules may be in use.  False:
 * none were made, as of grammars, whose texts depend on no input. */
bool pare_reader_forget_texts(pare_reader *reader);

/* Whether a language's shortest texts are made; false of grammars. */
bool pare_reader_has_texts(const pare_reader *reader);

/* What it says about such trees; borrows the reader. */
const pare_tree_rules *pare_reader_rules(const pare_reader *reader);

/* About its grammar; NULL when it is a language.  Borrowed. */
const pare_grammar_rules *pare_reader_facts(const pare_reader *reader);

/* What a tree-sitter language says about the nodes of its trees: the facts of reduce/tree/tree.h,
 * from the language's grammar.json.
 *
 * For trees with quantifiers (lang/recover_lists.h).  A node may take another one's place if
 * the rule around that place takes its kind there too (both are expressions, say), if what
 * it takes there can derive that kind alone, or if the two are one token under two names.
 * Its minimal text is the shortest one of what may stand in its place.  What may stand
 * anywhere, such as comments, and what did not parse may go. */

/* One thread. */
typedef struct pare_language_rules pare_language_rules;

/* Both are borrowed; `texts` may be NULL: then nothing but what may go has a minimal text,
 * and only what stands in the same places fits.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reader_language_rules_new(const pare_language_models *models,
                                                      const pare_language_texts *texts,
                                                      pare_language_rules **out, pare_error *err);
void pare_reader_language_rules_free(pare_language_rules *rules); /* NULL is a no-op */

/* The rules for trees of the language; they borrow `rules`. */
pare_tree_rules pare_reader_language_rules_of(const pare_language_rules *rules);

#endif
