/* Names to indices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/name_index.h"
#include "unit/alloc_sweep.h"

enum { N = 1000, NAME_BYTES = 24 };

/* Puts the names "0", "1", ... of `texts`, which has room for them. */
static pare_status fill(pare_name_index *names, char (*texts)[NAME_BYTES], size_t n)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        snprintf(texts[i], NAME_BYTES, "%zu", i);
        status = pare_name_index_put(names, texts[i], strlen(texts[i]), (pare_index)i, NULL);
    }
    return status;
}

static void test_name_index__finds_what_was_put_and_nothing_else(void **state)
{
    (void)state;
    static char texts[N][NAME_BYTES];
    pare_name_index names = {0};
    assert_int_equal(pare_name_index_find(&names, "0", 1), PARE_NO_INDEX);
    assert_int_equal(fill(&names, texts, N), PARE_OK);
    assert_true(pare_hash_index_check(&names.hashes));
    for (size_t i = 0; i < N; i++)
        assert_int_equal(pare_name_index_find(&names, texts[i], strlen(texts[i])), i);
    assert_int_equal(pare_name_index_find(&names, "1000", 4), PARE_NO_INDEX);
    assert_int_equal(pare_name_index_find(&names, "999", 2), 99); /* the size counts */
    pare_name_index_done(&names);
}

static void test_name_index__a_name_put_again_has_the_new_index(void **state)
{
    (void)state;
    pare_name_index names = {0};
    assert_int_equal(pare_name_index_put(&names, "a", 1, 1, NULL), PARE_OK);
    assert_int_equal(pare_name_index_put(&names, "a", 1, 2, NULL), PARE_OK);
    assert_int_equal(pare_name_index_find(&names, "a", 1), 2);
    assert_int_equal(names.n, 1);
    pare_name_index_done(&names);
}

static pare_status fill_once(void *context)
{
    pare_name_index names = {0};
    pare_status status = fill(&names, context, 100);
    pare_name_index_done(&names);
    return status;
}

static void test_name_index__reports_oom(void **state)
{
    (void)state;
    static char texts[100][NAME_BYTES];
    sweep_allocations(fill_once, texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_index__finds_what_was_put_and_nothing_else),
        cmocka_unit_test(test_name_index__a_name_put_again_has_the_new_index),
        cmocka_unit_test(test_name_index__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
