/* Islands: stretches of a host's tokens that another language parses.
 *
 * An island is looked for in every node of the host that is called like its token or rule:
 * all of the node's bytes, or each match of a regular expression in them.  What its
 * language parses to the end takes the place of the node's children, below the node itself;
 * text of the node before, between and after islands becomes leaves without a symbol,
 * which nothing replaces.  What does not parse stays as it was.  There are no islands in
 * islands.
 *
 * Several languages number their symbols alike, so in the tree that is made each symbol
 * says whose it is: the host is language 0, and its symbols are its own.  Names ask the
 * language.  A token of the host that holds islands is a RULE.
 * Source: L. Moonen, "Generating robust parsers using island grammars", WCRE 2001;
 * Picireny's --format, whose named groups are `\K` and look-ahead here. */
#ifndef PARE_LANG_ISLANDS_H
#define PARE_LANG_ISLANDS_H

#include <stddef.h>

#include "base/fail.h"
#include "parse/parse_tree.h"

/* How a language parses: a function like pare_reader_parse.  On PARE_OK the caller ends
 * *tree, whose names live as long as `context`. */
typedef pare_status (*pare_island_parse)(void *context, const char *bytes, size_t size,
                                         pare_parse_tree *tree, pare_error *err);

enum { PARE_ISLANDS_MAX_LANGUAGES = 64 }; /* the host included */

/* One thread. */
typedef struct pare_islands pare_islands;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_islands_new(pare_islands **out, pare_error *err);
void pare_islands_free(pare_islands *islands); /* NULL is a no-op */

/* Adds a language; *number is 1 for the first.  `context` is borrowed.
 * Errors: PARE_E_LIMIT (there are too many), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_islands_add_language(pare_islands *islands, pare_island_parse parse,
                                                 void *context, uint32_t *number, pare_error *err);

/* Adds an island: `token` is copied; `regex` may be NULL.  Several may have one token: the
 * one that begins first is tried first, of those that begin together the one added first,
 * and where it does not parse the next one.  Errors: PARE_E_ARG (the expression), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_islands_add(pare_islands *islands, const char *token, const char *regex,
                                        uint32_t language, pare_error *err);

/* The host's tree with its islands.  Both trees have the same nodes in the same order. */
typedef struct pare_island_tree {
    pare_parse_tree tree; /* as described above */
    pare_parse_node *own; /* each node as its language has it; those of tokens that hold
                              islands are tokens, with nodes below them */
    unsigned char *owner; /* whose it is */
    size_t n_islands;
} pare_island_tree;

/* `host` is the tree of `bytes`.  On PARE_OK the caller ends *out with
 * pare_islands_tree_done; it borrows the names of `host`, and `islands`.  Linear, besides
 * what the languages take.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (an expression backtracks too much; symbols above
 * 2^23), and those of the languages. */
PARE_CHECK pare_status pare_islands_fill(pare_islands *islands, const pare_parse_tree *host,
                                         const char *bytes, pare_island_tree *out, pare_error *err);
void pare_islands_tree_done(pare_island_tree *filled); /* all-zero is a no-op */

/* Of a symbol of such a tree: whose it is, and what it is there: a symbol, or the kind and
 * symbol of a token that holds islands. */
uint32_t pare_islands_owner(uint32_t symbol);
void pare_islands_decode(uint32_t *kind, uint32_t *symbol);

/* The other way round; PARE_NO_NODE stays. */
uint32_t pare_islands_encode(uint32_t owner, uint32_t symbol);

/* Islands as users name them: TOKEN[:REGEX]=LANGUAGE. */

enum { PARE_ISLAND_MAX_FILES = 8 };

/* What one option says; all texts are in `words`. */
typedef struct pare_island_option {
    char *words;          /* owned */
    const char *token;    /* name of a token or rule of the host */
    const char *regex;    /* NULL: all of the token */
    const char *language; /* of tree-sitter; NULL: a grammar */
    const char *files[PARE_ISLAND_MAX_FILES];
    size_t n_files;
    const char *start;  /* rule of the grammar; NULL: its first parser rule */
    const char *target; /* what is after the last `=`: equal ones are the same language */
} pare_island_option;

/* Reads TOKEN[:REGEX]=FILE[,FILE ...][#RULE] or TOKEN[:REGEX]=lang:NAME.  The last `=`
 * ends the expression.  On PARE_OK the caller ends *out.
 * Errors: PARE_E_ARG (it is not of this form), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_islands_option_read(const char *text, pare_island_option *out,
                                                pare_error *err);
void pare_islands_option_done(pare_island_option *option); /* all-zero is a no-op */

#endif
