/* Content models: whether a sequence of children can stand below a node of a rule.
 *
 * One matcher serves all rules of a grammar, one thread at a time. */
#ifndef PARE_GRAMMAR_BODY_MATCH_H
#define PARE_GRAMMAR_BODY_MATCH_H

#include "grammar/grammar.h"
#include "grammar/links.h"
#include "grammar/subtypes.h"

typedef enum pare_symbol_kind {
    PARE_SYMBOL_NONE,  /* nothing: a child that was removed */
    PARE_SYMBOL_RULE,  /* index: rule */
    PARE_SYMBOL_TOKEN, /* index: token type; PARE_TOKEN_END for the end of file */
    PARE_SYMBOL_TEXT   /* scannerless grammars: a terminal, whatever its text */
} pare_symbol_kind;

typedef struct pare_symbol {
    pare_symbol_kind kind;
    pare_index index;
} pare_symbol;

typedef struct pare_body_matcher {
    const pare_links *links;       /* borrowed */
    const pare_subtypes *subtypes; /* borrowed; NULL: a child must be the rule named */
    pare_index *now, *next;        /* owned; sets of states */
    size_t n_now, n_next;
    uint32_t *seen; /* owned; of each state: the round in which it was met */
    uint32_t round;
} pare_body_matcher;

/* `subtypes` may be NULL.  Errors: PARE_E_NOMEM; *matcher is all-zero then. */
PARE_CHECK pare_status pare_body_matcher_init(pare_body_matcher *matcher, const pare_links *links,
                                              const pare_subtypes *subtypes, pare_error *err);
void pare_body_matcher_done(pare_body_matcher *matcher); /* all-zero is a no-op */

/* Whether the children match the rule's body.  To ask about an edit, put PARE_SYMBOL_NONE
 * or another symbol in a child's place.  Quantifiers do not count as children.
 * O(children * size of the body). */
bool pare_body_match(pare_body_matcher *matcher, pare_index rule, const pare_symbol *children,
                     size_t n);

#endif
