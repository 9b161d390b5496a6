/* The test of the generated suite: do all of some symbols occur in the candidate's derivation?
 *
 * FAIL: they do; UNRESOLVED: the candidate is not in the language; PASS else.
 * Source: seed 002, exercise 3.  Any number of threads. */
#ifndef PARE_SHOOTOUT_SYMBOL_TEST_H
#define PARE_SHOOTOUT_SYMBOL_TEST_H

#include <pare/outcome.h>

#include <pare/derivations.h>

enum { PARE_SYMBOL_TEST_MOST = 3 };

typedef struct pare_symbol_test pare_symbol_test;

/* `derivations` are borrowed; n is 1 .. PARE_SYMBOL_TEST_MOST.  On PARE_OK the caller owns
 * *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_symbol_test_new(pare_derivations *derivations,
                                            const pare_derived_symbol *symbols, size_t n,
                                            pare_symbol_test **out, pare_error *err);
void pare_symbol_test_free(pare_symbol_test *test); /* NULL is a no-op */

/* A pare_predicate; `context` is the test.  A candidate that cannot be parsed for want of memory
 * is UNRESOLVED, and noted. */
pare_outcome pare_symbol_test_run(void *context, const void *bytes, size_t size);

/* Whether a candidate could not be parsed since the last call; forgets it. */
bool pare_symbol_test_starved(pare_symbol_test *test);

#endif
