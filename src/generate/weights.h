/* Weights of alternatives, chances of quantifiers and texts of tokens, read from JSON.
 *
 *     {"alts": {"expr": {"0": {"2": 10, "3": 0}}}, "quants": {"list": {"0": 0.9}},
 *      "leaves": {"call": {"ID": {"main": 3, "x": 1}}}, "fresh": 0.1}
 *
 * In rule expr, of its first alternation, the third alternative has weight 10 and the fourth
 * is never taken when there is another; in rule list, the first quantifier goes on with
 * chance 0.9.  Alternations and quantifiers of a rule are counted from 0 in the order in
 * which they begin in its text (generate/numbering.h).  What is not named has weight 1, and
 * chance 0.5.  In rule call a token ID is one of the texts, by their weights, or, with the chance "fresh"
 * (0.1), made as its rule says.  Several files may be read; where
 * both say something the later counts (of leaves: it alone).
 * Source: "alts" and "quants" are Grammarinator's; leaves are what Generinator:RATS learns. */
#ifndef PARE_GENERATE_WEIGHTS_H
#define PARE_GENERATE_WEIGHTS_H

#include "generate/blueprint.h"

/* Sets the weights of a blueprint from `size` bytes of JSON; `path` is for sentences.
 * Errors: PARE_E_SYNTAX (no JSON, not of this form, names what is not there, negative
 * weights, only zeros, chances of quantifiers of 1 and more), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weights_read(pare_blueprint *blueprint, const char *path,
                                         const char *text, size_t size, pare_error *err);

#endif
