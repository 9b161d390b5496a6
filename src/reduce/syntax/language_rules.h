/* What a tree-sitter language says about the nodes of its trees: the facts of reduce/tree/tree.h,
 * from the language's grammar.json.
 *
 * For trees with quantifiers (lang/recover_lists.h).  A node may take another one's place if
 * the rule around that place takes its kind there too (both are expressions, say), if what
 * it takes there can derive that kind alone, or if the two are one token under two names.
 * Its minimal text is the shortest one of what may stand in its place.  What may stand
 * anywhere, such as comments, and what did not parse may go. */
#ifndef PARE_REDUCE_SYNTAX_LANGUAGE_RULES_H
#define PARE_REDUCE_SYNTAX_LANGUAGE_RULES_H

#include "lang/language.h"
#include "lang/language_texts.h"
#include "reduce/tree/tree.h"

/* One thread. */
typedef struct pare_language_rules pare_language_rules;

/* Both are borrowed; `texts` may be NULL: then nothing but what may go has a minimal text,
 * and only what stands in the same places fits.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_language_rules_new(const pare_language_models *models,
                                               const pare_language_texts *texts,
                                               pare_language_rules **out, pare_error *err);
void pare_language_rules_free(pare_language_rules *rules); /* NULL is a no-op */

/* Takes other texts; trees keep what they were made with. */
void pare_language_rules_set_texts(pare_language_rules *rules, const pare_language_texts *texts);

/* The rules for trees of the language; they borrow `rules`. */
pare_tree_rules pare_language_rules_of(const pare_language_rules *rules);

#endif
