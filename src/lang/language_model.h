/* Inside language_texts: the grammar of a language and what follows from it.  Immutable once
 * made; any thread. */
#ifndef PARE_LANG_LANGUAGE_MODEL_H
#define PARE_LANG_LANGUAGE_MODEL_H

#include "grammar/analysis.h"
#include "grammar/content.h"
#include "grammar/context.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "grammar/tree_sitter_grammar.h"

/* All-zero is empty. */
typedef struct pare_language_model {
    pare_tree_sitter_grammar from;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_contexts contexts;
    const pare_content *content; /* borrowed */
    uint32_t *symbols;           /* owned; of each rule: of the content, or PARE_CONTENT_UNKNOWN */
    uint32_t *sorts; /* owned; of each token type: 1 + the first kind that is just such a token,
                          the same each time the grammar is read; 0: its text is fixed */
} pare_language_model;

/* From a grammar.json with examples.  Errors: those of pare_tree_sitter_grammar_read; *model
 * is to be ended then too. */
PARE_CHECK pare_status pare_language_model_init(pare_language_model *model, const char *json,
                                                size_t size, const pare_token_example *examples,
                                                size_t n, const pare_content *content,
                                                pare_error *err);
void pare_language_model_done(pare_language_model *model);

/* The token without a fixed text that a rule with nodes always is, through other rules, of a
 * choice the first one; PARE_NO_INDEX: it is none. */
pare_index pare_language_model_token(const pare_language_model *model, pare_index rule);

#endif
