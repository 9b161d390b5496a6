/* The test of the generated suite: parse the candidate, then look its symbols up.
 *
 * It runs in process, on any thread, millions of times; what it needs for that (a parser for
 * each thread) is kept in pare_derivations.  Memory that is out is noted apart from the outcome,
 * for UNRESOLVED alone would read as a candidate that is not in the language. */
#include "shootout/symbol_test.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/fail.h"

struct pare_symbol_test {
    pare_derivations *derivations;
    pare_derived_symbol symbols[PARE_SYMBOL_TEST_MOST];
    size_t n;
    atomic_bool starved;
};

pare_status pare_symbol_test_new(pare_derivations *derivations, const pare_derived_symbol *symbols,
                                 size_t n, pare_symbol_test **out, pare_error *err)
{
    pare_symbol_test *made = pare_alloc_zero(1, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    made->derivations = derivations;
    for (made->n = 0; made->n < n && made->n < PARE_SYMBOL_TEST_MOST; made->n++)
        made->symbols[made->n] = symbols[made->n];
    *out = made;
    return PARE_OK;
}

void pare_symbol_test_free(pare_symbol_test *test)
{
    pare_alloc_free(test);
}

pare_outcome pare_symbol_test_run(void *context, const void *bytes, size_t size)
{
    pare_symbol_test *test = context;
    pare_derived_symbols occurrences = {0};
    bool valid = false, all = true;
    pare_status status =
        pare_derivations_find(test->derivations, bytes, size, &occurrences, &valid, NULL);
    if (status) atomic_store(&test->starved, true);
    for (size_t i = 0; i < test->n && all; i++)
        all = pare_derived_symbols_have(&occurrences, test->symbols[i]);
    pare_derived_symbols_done(&occurrences);
    if (status || !valid) return PARE_UNRESOLVED;
    return all ? PARE_FAIL : PARE_PASS;
}

bool pare_symbol_test_starved(pare_symbol_test *test)
{
    return atomic_exchange(&test->starved, false);
}
