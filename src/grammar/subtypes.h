/* Rule subtyping by unit derivation: what a rule can become with everything else in its
 * body empty.
 *
 * A node of rule or token x may stand where rule r is expected when x is r or among the
 * subtypes of r.  Of an alternative the parts count that can stand alone: the only part
 * that is not nullable, or any part when all are.
 * Immutable; O(rules * (rules + tokens) / 8) bytes.  Source: Perses, GrammarHierarchy, as
 * described in Sun et al., "Perses: Syntax-guided program reduction", ICSE 2018. */
#ifndef PARE_GRAMMAR_SUBTYPES_H
#define PARE_GRAMMAR_SUBTYPES_H

#include "grammar/analysis.h"
#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

typedef struct pare_subtypes {
    size_t n_rules, n_tokens, row_words;
    uint64_t *rows; /* owned; of each rule: a bit for each rule, then for each token */
} pare_subtypes;

/* Errors: PARE_E_NOMEM, PARE_E_LIMIT (more than 30,000 rules); *subtypes is all-zero then. */
PARE_CHECK pare_status pare_subtypes_init(pare_subtypes *subtypes, const pare_analysis *analysis,
                                          pare_error *err);
void pare_subtypes_done(pare_subtypes *subtypes); /* all-zero is a no-op */

/* Whether `rule` (or `token`) is among the proper subtypes of `expected`, in any number of
 * steps.  O(1). */
bool pare_subtypes_has_rule(const pare_subtypes *subtypes, pare_index expected, pare_index rule);
bool pare_subtypes_has_token(const pare_subtypes *subtypes, pare_index expected, pare_index token);

#endif
