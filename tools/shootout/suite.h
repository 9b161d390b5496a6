/* Building suites: what the readers and the generator of cases share. */
#ifndef PARE_SHOOTOUT_SUITE_H
#define PARE_SHOOTOUT_SUITE_H

#include "shootout/shootout.h"

#include "base/fail.h"

#include "shootout/symbol_test.h"

#include <pare/derivations.h>

/* What generated cases stand on; all-zero is empty. */
struct pare_suite_resources {
    char *scratch; /* owned; the folder of the grammars */
    pare_derivations **derivations;
    size_t n_derivations, derivations_capacity;
    pare_symbol_test **tests;
    size_t n_tests, tests_capacity;
};

/* Appends the case, which moves in, also when there is an error.
 * Errors: PARE_E_ARG (a case of that name is there), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suite_add(pare_suite *suite, pare_case *added, pare_error *err);
void pare_case_done(pare_case *done);

/* Adds a group to a case; no-op when it has all it can have.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_case_add_group(pare_case *changed, const char *group, pare_error *err);

/* Adds a sentence about what was left out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suite_notice(pare_suite *suite, const char *sentence, pare_error *err);

/* A copy in *out; NULL stays NULL.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suite_copy(const char *text, char **out, pare_error *err);

/* Adds the cases of a description; `path` tells where relative paths begin, and is for
 * sentences.  Errors: those of pare_suite_read. */
PARE_CHECK pare_status pare_suite_read_memory(pare_suite *suite, const char *path, const void *text,
                                              size_t size, pare_error *err);

/* Makes suite->resources, with its folder, if need be.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suite_need_resources(pare_suite *suite, pare_error *err);

#endif
