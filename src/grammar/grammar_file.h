/* Grammars in files, whatever their notation. */
#ifndef PARE_GRAMMAR_GRAMMAR_FILE_H
#define PARE_GRAMMAR_GRAMMAR_FILE_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

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

#endif
