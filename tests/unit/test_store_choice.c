/* Which store a command is about: the one that is named, or the only one that is here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "cli/store_choice.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static pare_status choose(const char *given, char **path, pare_error *err)
{
    pare_option_value values[1] = {{.text = given}};
    const pare_arguments arguments = {.values = values};
    *path = NULL;
    return pare_store_choice_read(&arguments, 0, path, err);
}

static void test_store_choice__takes_the_named_one_whatever_is_here(void **state)
{
    (void)state;
    char *path;
    scratch_write("a.pare.db", "", 0600);
    assert_int_equal(choose("elsewhere/x.db", &path, NULL), PARE_OK);
    assert_string_equal(path, "elsewhere/x.db");
    pare_alloc_free(path);
    assert_int_equal(unlink("a.pare.db"), 0);
}

static void test_store_choice__takes_the_only_one_that_is_here(void **state)
{
    (void)state;
    char *path;
    scratch_write("jq.pare.db", "", 0600);
    scratch_write("jq.pare.db-wal", "", 0600);
    assert_int_equal(choose(NULL, &path, NULL), PARE_OK);
    assert_string_equal(path, "jq.pare.db");
    pare_alloc_free(path);
    assert_int_equal(unlink("jq.pare.db"), 0);
    assert_int_equal(unlink("jq.pare.db-wal"), 0);
}

static void test_store_choice__says_what_to_do_with_none_and_with_several(void **state)
{
    (void)state;
    char *path;
    pare_error none = {0}, several = {0};
    assert_int_equal(choose(NULL, &path, &none), PARE_E_ARG);
    assert_string_equal(none.message, "there is no store here: name one with --store FILE");
    scratch_write("a.pare.db", "", 0600);
    scratch_write("b.pare.db", "", 0600);
    assert_int_equal(choose(NULL, &path, &several), PARE_E_ARG);
    assert_string_equal(several.message, "there are several stores here, such as a.pare.db and "
                                         "b.pare.db: choose one with --store FILE");
    assert_null(path);
    assert_int_equal(unlink("a.pare.db"), 0);
    assert_int_equal(unlink("b.pare.db"), 0);
}

static pare_status attempt(void *context)
{
    char *path;
    pare_status status = choose(context, &path, NULL);
    pare_alloc_free(path);
    return status;
}

static void test_store_choice__memory_may_run_out(void **state)
{
    (void)state;
    static char name[] = "x.db";
    sweep_allocations(attempt, name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_choice__takes_the_named_one_whatever_is_here),
        cmocka_unit_test(test_store_choice__takes_the_only_one_that_is_here),
        cmocka_unit_test(test_store_choice__says_what_to_do_with_none_and_with_several),
        cmocka_unit_test(test_store_choice__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
