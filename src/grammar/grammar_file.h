/* Grammars in files, whatever their notation. */
#ifndef PARE_GRAMMAR_GRAMMAR_FILE_H
#define PARE_GRAMMAR_GRAMMAR_FILE_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"

/* Reads a grammar: one file that ends in .json is The Fuzzing Book's, else `n` files (1 ..)
 * are ANTLR's.  On PARE_OK the caller owns *out.  Errors: those of the two readers. */
PARE_CHECK pare_status pare_grammar_file_read(const char *const *paths, size_t n,
                                              pare_grammar **out, pare_error *err);

/* The parser rule called `name` (of The Fuzzing Book's also without the brackets), or the first
 * one when that is NULL.
 * Errors: PARE_E_ARG (there is none). */
PARE_CHECK pare_status pare_grammar_file_start(const pare_grammar *grammar, const char *name,
                                               pare_index *out, pare_error *err);

/* Both of these.  On PARE_OK the caller owns *out; else it is untouched. */
PARE_CHECK pare_status pare_grammar_file_open(const char *const *paths, size_t n,
                                              const char *start_name, pare_grammar **out,
                                              pare_index *start, pare_error *err);

/* The reader of ANTLR v4 grammars.
 *
 * Takes lexer, parser and combined grammars with what they import, and makes one
 * grammar of them.  Token types are numbered as ANTLR numbers them.  Actions are left
 * out and predicates count as true; whatever is not read is in the grammar's warnings,
 * once for each kind.  Sentences name file, line and column, both from 1.
 *
 * Costs time and memory linear in the files; nesting is bounded by memory alone. */

typedef struct pare_g4_source {
    const char *path; /* for sentences; where imports are looked for; to read, if no text */
    const char *text; /* NULL: the file is read */
    size_t size;      /* bytes of `text` */
} pare_g4_source;

typedef struct pare_g4_options {
    const char *library; /* another folder to look for imports in; may be NULL */
    bool memory_only;    /* no file is read: imports are found among the sources */
} pare_g4_options;

/* Reads the grammars in the `n` files: one of the combined or parser kind, or none; one
 * lexer; any that these import.  A lexer that a parser names by tokenVocab, and imports,
 * need not be given when they are in the folder of the file that names them.
 * On PARE_OK the caller owns *out; otherwise it is untouched.
 * Errors: PARE_E_SYNTAX (a mistake in a grammar; err has line and column), PARE_E_IO,
 * PARE_E_ARG (n is 0; two parsers), PARE_E_LIMIT (a file of 1 GiB), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grammar_file_read_g4(const char *const *paths, size_t n,
                                                 pare_grammar **out, pare_error *err);

/* The same from any sources; `options` may be NULL. */
PARE_CHECK pare_status pare_grammar_file_read_g4_sources(const pare_g4_source *sources, size_t n,
                                                         const pare_g4_options *options,
                                                         pare_grammar **out, pare_error *err);

#endif
