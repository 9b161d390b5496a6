/* What follows from a grammar: nullability, productivity, reachability, left recursion.
 *
 * Immutable once made; borrows the grammar, which must outlive it.  Any thread. */
#ifndef PARE_GRAMMAR_ANALYSIS_H
#define PARE_GRAMMAR_ANALYSIS_H

#include "grammar/grammar.h"
#include "grammar/links.h"

#include <pare/export.h>
#include <pare/status.h>

typedef enum pare_left_recursion {
    PARE_LEFT_NONE,
    PARE_LEFT_DIRECT,  /* an alternative begins with the rule itself; ANTLR takes it */
    PARE_LEFT_INDIRECT /* through other rules, or behind something nullable */
} pare_left_recursion;

/* What an alternative of a directly left-recursive rule is to ANTLR. */
typedef enum pare_alternative_kind {
    PARE_ALTERNATIVE_PRIMARY, /* no recursion at its ends */
    PARE_ALTERNATIVE_PREFIX,  /* ends with the rule */
    PARE_ALTERNATIVE_SUFFIX,  /* begins with it */
    PARE_ALTERNATIVE_BINARY   /* both */
} pare_alternative_kind;

typedef struct pare_precedence {
    pare_alternative_kind kind;
    uint32_t precedence; /* n for the first of n alternatives, 1 for the last */
    uint32_t right;      /* least precedence of the rule at its right end; 0: it has none */
} pare_precedence;

typedef enum pare_finding_kind {
    PARE_FINDING_UNPRODUCTIVE,  /* the rule derives no finite text */
    PARE_FINDING_UNREACHABLE,   /* no rule that is reached uses it */
    PARE_FINDING_LEFT_RECURSIVE /* indirectly, or a lexer rule */
} pare_finding_kind;

typedef struct pare_finding {
    pare_finding_kind kind;
    pare_index rule;
} pare_finding;

typedef struct pare_analysis {
    const pare_grammar *grammar;
    pare_links links;
    uint8_t *expr_nullable;   /* of each expression */
    uint8_t *rule_nullable;   /* of each rule */
    uint8_t *expr_productive; /* derives a finite text */
    uint8_t *rule_productive;
    uint8_t *reachable;      /* of each rule: from the start, or makes tokens */
    uint8_t *left_recursion; /* of each rule: pare_left_recursion */
} pare_analysis;

/* Analyses the grammar; `start` is the rule to reach others from (PARE_NO_INDEX: every
 * parser rule that no other one uses).  O(expressions).
 * Errors: PARE_E_NOMEM; *analysis is all-zero then. */
PARE_CHECK pare_status pare_analysis_init(pare_analysis *analysis, const pare_grammar *grammar,
                                          pare_index start, pare_error *err);
void pare_analysis_done(pare_analysis *analysis); /* all-zero is a no-op */

/* Finds the next thing that is wrong with a rule, from *at on, in the order of rules;
 * false when there is none.  *at is 0 at first and belongs to the iteration. */
bool pare_analysis_next(const pare_analysis *analysis, size_t *at, pare_finding *finding);

/* Writes a sentence about the finding: "rule 'x' ...". */
void pare_finding_text(const pare_analysis *analysis, pare_finding finding, char *text,
                       size_t size);

/* What the alternative `number` (from 0) of the body of `rule` is.  Source: ANTLR's
 * documentation, doc/left-recursion.md. */
pare_precedence pare_analysis_precedence(const pare_analysis *analysis, pare_index rule,
                                         size_t number);

#endif
