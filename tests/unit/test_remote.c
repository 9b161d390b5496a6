/* Without a server there is no remote oracle; all else is in tests/cli/test_remote.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/predicate.h"
#include "run/remote/remote.h"

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static pare_outcome never(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return PARE_PASS;
}

static void test_remote__a_failure_frees_the_inner_oracle(void **state)
{
    const long live = pare_alloc_live();
    const pare_predicate_options predicate = {.predicate = never, .n_slots = 1};
    pare_remote_options options = {.link = {.url = "nats://127.0.0.1:1"}};
    pare_oracle *oracle = NULL;
    (void)state;
    assert_int_equal(pare_predicate_new(&predicate, &options.inner, NULL), PARE_OK);
    assert_refused(pare_remote_new(&options, &oracle, NULL), PARE_E_IO);
    assert_null(oracle);
    assert_int_equal(pare_alloc_live(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remote__a_failure_frees_the_inner_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
