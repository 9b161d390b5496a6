/* Derivations of texts, for tests in process: which symbols of a grammar occur.
 *
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     #include <pare/derivations.h>
 *
 *     int main(void)
 *     {
 *         const char text[] = "[1, [2]]";
 *         pare_derivations *derivations = NULL;
 *         pare_derived_symbols found = {0};
 *         bool valid = false;
 *         char name[40];
 *         pare_status status = pare_derivations_new("Json.g4", &derivations, NULL);
 *         if (!status)
 *             status =
 *                 pare_derivations_find(derivations, text, strlen(text), &found, &valid, NULL);
 *         for (size_t i = 0; i < found.n; i++) {
 *             pare_derivations_name(derivations, found.items[i], name, sizeof name);
 *             puts(name);
 *         }
 *         pare_derived_symbols_done(&found);
 *         pare_derivations_free(derivations);
 *         return status != PARE_OK || !valid;
 *     }
 *
 * A symbol is a rule, or a leaf: a token type, or a literal of a grammar that works on
 * characters.  Any number of threads may ask at the same time: each that parses has a parser of
 * its own, which is kept for the next. */
#ifndef PARE_DERIVATIONS_H
#define PARE_DERIVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_derivations pare_derivations;

/* Ascending order: rules first, each kind by its number. */
typedef struct pare_derived_symbol {
    bool leaf;
    uint32_t number; /* of the rule, the token type, the literal */
} pare_derived_symbol;

/* Which symbols occur.  All-zero is empty. */
typedef struct pare_derived_symbols {
    pare_derived_symbol *items; /* owned; ascending, each once */
    size_t n, capacity;
} pare_derived_symbols;

/* Reads the grammar `path`, of ANTLR v4 or, where it ends in .json, of The Fuzzing Book.  Its
 * first parser rule is the start.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (the grammar is wrong), PARE_E_ARG (it has no parser rule), PARE_E_IO,
 * PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_derivations_new(const char *path, pare_derivations **out,
                                                     pare_error *err);
PARE_API void pare_derivations_free(pare_derivations *derivations); /* NULL is a no-op */

/* Replaces *symbols by those of the derivation of `size_bytes` bytes.  When the text is not in
 * the language *valid is false and there are none.  Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_derivations_find(pare_derivations *derivations,
                                                      const void *bytes, size_t size_bytes,
                                                      pare_derived_symbols *symbols, bool *valid,
                                                      pare_error *err);
PARE_API void pare_derived_symbols_done(pare_derived_symbols *symbols);

/* Whether `symbol` is among them; binary search. */
PARE_API bool pare_derived_symbols_have(const pare_derived_symbols *symbols,
                                        pare_derived_symbol symbol);

/* Writes the symbol's name into `name`, cut to `capacity` bytes with the NUL: that of the rule,
 * else the literal text in quotes or the token's name. */
PARE_API void pare_derivations_name(const pare_derivations *derivations, pare_derived_symbol symbol,
                                    char *name, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
