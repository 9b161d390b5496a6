/* The binding table: which name of a program means which declaration.
 *
 * An occurrence is a leaf that is a name; a symbol is what all occurrences with one meaning
 * have in common.  A name belongs to the nearest scope around it that declares it, wherever
 * in that scope; what is declared several times there (a prototype and its definition) is
 * one symbol.  Members, which only their types would tell apart, are one symbol for each
 * text, labels too.  A name that no scope declares means a member of its text, if there is
 * one, or nothing.
 *
 * Immutable; borrows the syntax; one thread.  Time and memory are linear in the nodes.
 * Source: the dependency graph of DRReduce (arXiv 2605.19412), without types. */
#ifndef PARE_REDUCE_BINDING_BINDINGS_H
#define PARE_REDUCE_BINDING_BINDINGS_H

#include "reduce/binding/syntax.h"

#define PARE_NO_SYMBOL UINT32_MAX

typedef struct pare_occurrence {
    uint32_t leaf;      /* the name */
    uint32_t symbol;    /* PARE_NO_SYMBOL: nothing in the file declares it */
    uint32_t next;      /* occurrence of the same symbol, further back; or PARE_NO_NODE */
    uint32_t declaring; /* the node that declares or assigns it; PARE_NO_NODE: a plain use */
    uint32_t unit;      /* of those: what has to go for this to go, no other name with it */
    uint32_t value;     /* of those: what it becomes, or PARE_NO_NODE */
    bool declares;      /* not a use: without these the symbol would not be there */
} pare_occurrence;

typedef struct pare_bound {
    uint32_t scope;       /* node; 0 for members and labels */
    uint32_t first, last; /* occurrences, in the order of the text */
    uint32_t n_declarations, n_uses;
    bool member;
} pare_bound;

/* All-zero: of no use, to be given to done. */
typedef struct pare_bindings {
    const pare_syntax *syntax; /* borrowed */
    pare_occurrence *occurrences;
    pare_bound *symbols;
    uint32_t *by_leaf; /* occurrence of each node, or PARE_NO_NODE */
    uint32_t n_occurrences, n_symbols;
} pare_bindings;

/* Errors: PARE_E_NOMEM; *out is untouched then. */
PARE_CHECK pare_status pare_bindings_make(const pare_syntax *syntax, pare_bindings *out,
                                          pare_error *err);
void pare_bindings_done(pare_bindings *names); /* all-zero is a no-op */

/* Functions that `symbol` may mean, in the order of the text: declared by its name, or the
 * value of what is; at most `most`.  The number of them. */
size_t pare_bindings_functions(const pare_bindings *names, uint32_t symbol, uint32_t *functions,
                               size_t most);

/* The function that `symbol` means: by its only declaration with a body, or because its only
 * value is one; PARE_NO_NODE when there is none, or more than one. */
uint32_t pare_bindings_function(const pare_bindings *names, uint32_t symbol);

/* Whether a name that is declared in `node`, and is no member, is used elsewhere than in nodes whose `marks` (a byte
 * for each node) have `mark`.  O(uses x depth). */
bool pare_bindings_is_used_beside(const pare_bindings *names, uint32_t node,
                                  const unsigned char *marks, unsigned char mark);

/* What `occurrence` stands for as a whole: the access that it ends, the call of that, and
 * so on outwards; the leaf itself if there is nothing around it. */
uint32_t pare_bindings_reach(const pare_bindings *names, uint32_t occurrence);

#endif
