/* The grammar of an added language, to make texts by, and its parser, to check them. */
#ifndef PARE_LANG_LANGUAGE_GRAMMAR_H
#define PARE_LANG_LANGUAGE_GRAMMAR_H

#include "grammar/tree_sitter_grammar.h"
#include "parse/tree_sitter.h"

#include <pare/export.h>
#include <pare/status.h>

/* Any thread may read it; all-zero is empty. */
typedef struct pare_language_grammar {
    pare_tree_sitter_grammar from; /* owned */
    pare_tree_sitter *parser;      /* owned */
} pare_language_grammar;

/* Reads the grammar of the language `name`.  Of the tokens of its own scanner, which no grammar
 * describes, line ends and indentation have a text; what needs another one is not made.
 * Errors: those of pare_language_load and pare_tree_sitter_grammar_read; *grammar is all-zero
 * then. */
PARE_CHECK pare_status pare_language_grammar_read(const char *name, pare_language_grammar *grammar,
                                                  pare_error *err);
void pare_language_grammar_done(pare_language_grammar *grammar);

/* Whether the language's parser takes the text without an error; `self` is a
 * pare_language_grammar.  Errors: PARE_E_UNSUPPORTED (it does not), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_language_grammar_check(void *self, const char *text, size_t size,
                                                   pare_error *err);

#endif
