/* Libraries that are opened when they are needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/shared_library.h"

static void test_shared_library__the_first_that_is_there_is_opened(void **state)
{
    (void)state;
    static const char *const none[] = {"libpare-is-not-there.so.0", NULL};
    static const char *const second[] = {"libpare-is-not-there.so.0", "libm.so.6", NULL};
    assert_null(pare_shared_library_open(none));
    void *library = pare_shared_library_open(second);
    double (*floor_of)(double) = NULL, (*missing)(double) = NULL;
    const pare_shared_function there[] = {{"floor", &floor_of}};
    const pare_shared_function not_all[] = {{"floor", &floor_of}, {"pare_no_such", &missing}};
    assert_non_null(library);
    assert_true(pare_shared_library_find(library, there, 1));
    assert_true(floor_of(2.5) > 1.9 && floor_of(2.5) < 2.1);
    assert_false(pare_shared_library_find(library, not_all, 2));
    assert_null(missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_library__the_first_that_is_there_is_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
