/* The files that make up one grammar: those given, those they import, and the lexer a
 * parser names; and in which order their rules count. */
#ifndef PARE_GRAMMAR_G4_LOAD_H
#define PARE_GRAMMAR_G4_LOAD_H

#include "grammar/g4.h"
#include "grammar/g4_ast.h"

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

/* Reads and parses the sources and what they need.  All-zero *project before; the caller
 * releases it in any case.  Errors: as pare_g4_read_sources. */
PARE_CHECK pare_status pare_g4_load(pare_g4_project *project, const pare_g4_source *sources,
                                    size_t n, const pare_g4_options *options, pare_error *err);

void pare_g4_project_done(pare_g4_project *project);

#endif
