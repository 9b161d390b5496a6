/* The forms of a grammar's rules: of each alternative its shortest text, token by token, as
 * reduce/passes/alternatives.h puts them together.
 *
 * Made when they are asked for first.  One thread. */
#ifndef PARE_REDUCE_SYNTAX_GRAMMAR_FORMS_H
#define PARE_REDUCE_SYNTAX_GRAMMAR_FORMS_H

#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "parse/relex_check.h"
#include "reduce/tree/tree.h"

typedef struct pare_grammar_forms pare_grammar_forms;

/* Of the grammar of `minimal`; both arguments are borrowed.  On PARE_OK the caller owns
 * *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grammar_forms_new(const pare_minimal_texts *minimal,
                                              pare_relex_check *texts, pare_grammar_forms **out,
                                              pare_error *err);
void pare_grammar_forms_free(pare_grammar_forms *forms); /* NULL is a no-op */

/* Sets *list to the forms of a parser rule, in the grammar's order; those without a finite
 * text, and those of more than 64 tokens, are left out.  Borrowed.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grammar_forms_of(pare_grammar_forms *forms, pare_index rule,
                                             const pare_tree_form **list, size_t *n,
                                             pare_error *err);

/* The sort of a token type: 0 when its text is fixed. */
uint32_t pare_grammar_forms_sort(const pare_grammar_forms *forms, pare_index token);

#endif
