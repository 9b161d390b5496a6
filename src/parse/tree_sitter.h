/* Trees by tree-sitter: a language is a compiled parser in a shared object, a parse
 * gives the same tree as every other parser of ours (parse_tree.h).
 *
 * How its nodes become ours:
 *   - a node keeps what its parent calls it, its field;
 *   - a node with children is a RULE, a leaf with text a TOKEN; `symbol` is
 *     tree-sitter's number, named and anonymous ones alike;
 *   - comments and other extras are leaves as any other;
 *   - a stretch it could not make sense of is an OPAQUE leaf; the pieces it did
 *     understand inside such a stretch are kept, below a RULE called "ERROR";
 *   - what it invented to go on (MISSING) is left out;
 *   - text that belongs to a node but to none of its leaves (most of a string, say)
 *     becomes a TOKEN called "text", so that between leaves there is nothing but
 *     white space;
 *   - a rule covers its first leaf to its last, whatever white space tree-sitter
 *     counts as its own.
 *
 * All use of tree-sitter's API is in the one source file of this header.  Without the
 * core in the build every function that needs it gives PARE_E_UNSUPPORTED. */
#ifndef PARE_PARSE_TREE_SITTER_H
#define PARE_PARSE_TREE_SITTER_H

#include <stdbool.h>

#include "parse/parse_tree.h"

/* Immutable: any thread, also several at once. */
typedef struct pare_tree_sitter pare_tree_sitter;

/* Symbols that tree-sitter itself does not number like that. */
enum {
    PARE_TREE_SITTER_ERROR = 65535, /* tree-sitter's own */
    PARE_TREE_SITTER_TEXT = 65533   /* "text", see above */
};

/* Whether the core is part of this build. */
bool pare_tree_sitter_available(void);

/* Whether the core takes tables of this version. */
bool pare_tree_sitter_takes(unsigned abi);

/* Loads the shared object `path`, in which the function `symbol` gives the language.  On
 * PARE_OK the caller owns *out.
 * Errors: PARE_E_UNSUPPORTED (no core in this build; a language for an older or newer
 * core), PARE_E_IO (it does not load), PARE_E_CORRUPT (no such function), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_sitter_open(const char *path, const char *symbol,
                                             pare_tree_sitter **out, pare_error *err);

/* NULL is a no-op; trees that borrow its names must be gone. */
void pare_tree_sitter_close(pare_tree_sitter *language);

/* The version of the tables: 13 to 15. */
unsigned pare_tree_sitter_abi(const pare_tree_sitter *language);

/* Number of symbols; their names are in each tree's `names`. */
uint32_t pare_tree_sitter_n_symbols(const pare_tree_sitter *language);

/* Whether a symbol below that number is a node type, not a token known by its text. */
bool pare_tree_sitter_is_named(const pare_tree_sitter *language, uint32_t symbol);

/* Names of the symbols; borrowed from the language. */
pare_symbol_names pare_tree_sitter_names(const pare_tree_sitter *language);

/* Parses `size` bytes of any text: what does not parse is marked, see above, and the
 * first place is in tree->error.  The tree borrows `language`; on PARE_OK the caller ends
 * it with pare_parse_tree_done, on failure *tree is untouched.
 * Time and memory are linear for real sources, about 5 MB/s; depth costs heap only.
 * Errors: PARE_E_UNSUPPORTED, PARE_E_LIMIT (4 GiB and more), PARE_E_NOMEM (what the
 * language's own scanner holds then is lost). */
PARE_CHECK pare_status pare_tree_sitter_parse(const pare_tree_sitter *language, const char *bytes,
                                              size_t size, pare_parse_tree *tree, pare_error *err);

#endif
