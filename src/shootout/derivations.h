/* Derivations of candidates, for tests in process: which symbols of a grammar occur.
 *
 * A symbol is a rule, or a leaf: a token type, or a literal of a grammar that works on
 * characters.  Locked inside: any number of threads; each that parses at a time has a parser of
 * its own, which is kept for the next. */
#ifndef PARE_SHOOTOUT_DERIVATIONS_H
#define PARE_SHOOTOUT_DERIVATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"

typedef struct pare_derivations pare_derivations;

/* Ascending order: rules first, each kind by its number. */
typedef struct pare_occurring {
    bool leaf;
    uint32_t number; /* of the rule, the token type, the literal */
} pare_occurring;

/* Which symbols occur; all-zero is empty. */
typedef struct pare_occurrences {
    pare_occurring *items; /* owned; ascending, each once */
    size_t n, capacity;
} pare_occurrences;

/* Reads the grammar, from `path`, whose first parser rule is the start.  On PARE_OK the
 * caller owns *out.  Errors: those of pare_grammar_file_read; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_derivations_new(const char *path, pare_derivations **out,
                                            pare_error *err);
void pare_derivations_free(pare_derivations *derivations); /* NULL is a no-op */

/* Replaces *occurrences by the symbols of the derivation of `size` bytes; *valid is false, and
 * there are none, when the text is not in the language.  Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_derivations_find(pare_derivations *derivations, const void *bytes,
                                             size_t size, pare_occurrences *occurrences,
                                             bool *valid, pare_error *err);
void pare_occurrences_done(pare_occurrences *occurrences);

bool pare_occurrences_have(const pare_occurrences *occurrences, pare_occurring symbol);

/* Appends the symbol's name: that of a rule, else the text in quotes or the token's name.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_derivations_name(const pare_derivations *derivations,
                                             pare_occurring symbol, pare_buffer *name,
                                             pare_error *err);

#endif
