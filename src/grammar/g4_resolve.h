/* From the files of a grammar to the grammar model: names to indices, bodies to expressions. */
#ifndef PARE_GRAMMAR_G4_RESOLVE_H
#define PARE_GRAMMAR_G4_RESOLVE_H

#include "grammar/g4_parse.h"
#include "grammar/grammar.h"

/* Files in the order in which their rules count: a root, then what it imports. */
typedef struct pare_g4_parts {
    const pare_g4_file **items; /* owned; the files are the project's */
    size_t n, capacity;
} pare_g4_parts;

typedef struct pare_g4_project {
    pare_g4_file **files; /* owned */
    size_t n_files, files_capacity;
    size_t n_given;
    pare_g4_parts parser; /* empty: only a lexer */
    pare_g4_parts lexer;  /* of a combined grammar: the same files */
    bool is_combined;
} pare_g4_project;

/* Makes one grammar of the project's files.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (err has file, line and column), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_resolve(const pare_g4_project *project, pare_grammar **out,
                                       pare_error *err);

#endif
