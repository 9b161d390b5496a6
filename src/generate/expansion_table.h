/* A grammar laid out for generation: least sizes, alternatives in order, character sets.
 *
 * The size of an expression is the least depth of rule calls and, apart from that, the least number
 * of tokens below it. Alternatives are in order of size, so that index 0 is the simplest; those
 * without a finite text are left out.  A token counts if some lexer rule makes it for the parser:
 * not skipped, not on another channel.
 * Source: Grammarinator (Hodován, Kiss and Gyimóthy, A-TEST 2018), its minimal sizes;
 * deviation: a token has depth 1, whatever it is made of.
 * Immutable but for weights and leaves; borrows the grammar. */
#ifndef PARE_GENERATE_EXPANSION_TABLE_H
#define PARE_GENERATE_EXPANSION_TABLE_H

#include "base/arena.h"
#include "grammar/grammar.h"

#include <pare/status.h>

#define PARE_NO_SIZE UINT32_MAX

typedef struct pare_least {
    uint32_t depth, tokens; /* PARE_NO_SIZE, both: there is no finite text */
} pare_least;

/* One way of a choice: an expression, or, in a set of tokens, a token type. */
typedef struct pare_way {
    pare_index expr; /* PARE_NO_INDEX: `token` */
    pare_index token;
    pare_least least;
    uint32_t number; /* of the alternative in the grammar, from 0 */
} pare_way;

typedef struct pare_ways {
    uint32_t first, n;      /* in table->ways */
    uint32_t depth, tokens; /* the largest of their least sizes */
    double *weights;        /* of each, in the table's memory; NULL: all 1 */
} pare_ways;

/* Code points first .. first+n-1; `before` are in the ranges before this one. */
typedef struct pare_characters_range {
    uint32_t first, n, before;
} pare_characters_range;

/* A set of characters: the plain ones (visible ASCII and space) are counted first. */
typedef struct pare_characters {
    uint32_t first, n;         /* in table->ranges */
    uint32_t n_plain, n_total; /* characters; n_total > 0 */
    const char *plain;         /* the plain ones, n_plain */
} pare_characters;

/* A text of a token, UTF-8. */
typedef struct pare_leaf {
    const char *text;
    size_t size; /* bytes */
} pare_leaf;

/* Texts that a token may have in a rule, in the table's memory. */
typedef struct pare_leaves {
    pare_index rule, token;
    const pare_leaf *texts;
    const double *weights;
    uint32_t n; /* above 0 */
} pare_leaves;

/* Lexer rules that make a token type. */
typedef struct pare_makers {
    uint32_t first, n; /* in table->makers */
    const char *text;  /* its only text, UTF-8; NULL: there are several */
    uint32_t size;     /* bytes */
} pare_makers;

/* All-zero is empty. */
typedef struct pare_expansion_table {
    const pare_grammar *grammar;
    pare_least *exprs;   /* of each expression */
    pare_index *rule_of; /* of each expression; PARE_NO_INDEX: of none */
    uint32_t *details;   /* of each expression: index in `choices` or `characters` */
    double *chances;     /* of each quantifier to go on, by expression; 0.5 */
    pare_ways *choices;  /* CHOICE; SET and ANY of tokens */
    size_t n_choices;
    pare_way *ways;
    size_t n_ways;
    pare_characters *characters; /* SET and ANY of characters */
    size_t n_characters;
    pare_characters_range *ranges;
    size_t n_ranges;
    pare_makers *tokens; /* of each token type */
    pare_index *makers;  /* lexer rules */
    size_t n_makers;
    pare_leaves *leaves; /* by rule, then by token type */
    size_t n_leaves;
    double fresh;      /* chance that a token is made by its rules though it has leaves; 0.1 */
    pare_arena memory; /* of all of it */
} pare_expansion_table;

/* Errors: PARE_E_SYNTAX (the rule `start` has no finite text, or needs a token that no lexer
 * rule makes), PARE_E_NOMEM; *table is all-zero then. */
PARE_CHECK pare_status pare_expansion_table_init(pare_expansion_table *table,
                                                 const pare_grammar *grammar, pare_index start,
                                                 pare_error *err);
void pare_expansion_table_done(pare_expansion_table *table);

/* Whether the ways of each choice have a finite text and ascend in size: the invariant.
 * O(ways). */
bool pare_expansion_table_check(const pare_expansion_table *table);

/* The texts of a token in a rule; NULL: as its rules make them. */
const pare_leaves *pare_expansion_table_leaves(const pare_expansion_table *table, pare_index rule,
                                               pare_index token);

/* The character number `index` (below n_total) of a set. */
uint32_t pare_expansion_table_character_at(const pare_expansion_table *table,
                                           const pare_characters *set, uint32_t index);

#endif
