/* Inside language_texts: which kinds of nodes may stand for which, as a table of bits.
 * Immutable once made; any thread. */
#ifndef PARE_LANG_LANGUAGE_SUBTYPES_H
#define PARE_LANG_LANGUAGE_SUBTYPES_H

#include "grammar/analysis.h"
#include "grammar/content.h"
#include "grammar/tree_sitter_grammar.h"

/* Kinds are symbols of the content models.  All-zero is empty. */
typedef struct pare_language_subtypes {
    size_t n_symbols, words;
    uint64_t *rows;     /* owned; of each symbol: a bit for each symbol that may stand there */
    uint64_t *set_rows; /* owned; the same of each set */
} pare_language_subtypes;

/* `symbols` are those of the grammar's rules, PARE_CONTENT_UNKNOWN for hidden ones.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT; *subtypes is all-zero then. */
PARE_CHECK pare_status pare_language_subtypes_init(pare_language_subtypes *subtypes,
                                                   const pare_tree_sitter_grammar *grammar,
                                                   const pare_analysis *analysis,
                                                   const uint32_t *symbols,
                                                   const pare_content *content, pare_error *err);
void pare_language_subtypes_done(pare_language_subtypes *subtypes);

#endif
