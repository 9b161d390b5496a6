/* Makes every allocation of a piece of code fail once.
 *
 * Include after <cmocka.h>.  Without fault injection in the build the code is run
 * once, and blocks are not counted. */
#ifndef PARE_TESTS_ALLOC_SWEEP_H
#define PARE_TESTS_ALLOC_SWEEP_H

#include <pare/status.h>

#ifdef PARE_FAULT_INJECTION
#include <stdlib.h>

#include "base/alloc.h"

/* How far the next allocation to fail is from the n-th.  With sanitizers, where a sweep takes ten times
 * as long, one in ten after the first hundred, and fewer and fewer: the same places allocate again and again,
 * and blocks are counted for every allocation without sanitizers, and read by valgrind (make check-long). */
static inline size_t sweep_step(size_t n)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return n >= 100 && sanitize && *sanitize && !getenv("PARE_TEST_LONG") ? 7 + n / 25 : 1;
}

/* Runs `attempt` with its n-th allocation failing, for n = 0, 1, ... until there is
 * none to fail.  `attempt` releases all it got, and checks by itself that a failure
 * left its out-parameters alone.  There must be something to fail. */
static inline void sweep_allocations(pare_status (*attempt)(void *context), void *context)
{
    for (size_t n = 0;; n += sweep_step(n)) {
        long before = pare_alloc_live();
        pare_alloc_fault_after(n);
        pare_status status = attempt(context);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        assert_int_equal(pare_alloc_live(), before);
        assert_int_equal(status, hit ? PARE_E_NOMEM : PARE_OK);
        if (hit) continue;
        assert_true(n > 0);
        return;
    }
}

static inline long live_blocks(void)
{
    return pare_alloc_live();
}
#else
static inline void sweep_allocations(pare_status (*attempt)(void *context), void *context)
{
    assert_int_equal(attempt(context), PARE_OK);
}

static inline long live_blocks(void)
{
    return 0;
}
#endif

#endif
