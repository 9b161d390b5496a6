/* Lists of choices as files. */
/* tests: src/reduce/choice/choices.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "reduce/choice/choices.h"

static pare_status read_text(const char *text, uint64_t **list, size_t *n, pare_error *err)
{
    return pare_choices_list_read("file", text, strlen(text), list, n, err);
}

static void test_choice_list__is_read_back_as_it_was_written(void **state)
{
    (void)state;
    const uint64_t list[] = {0, 7, UINT64_MAX, 1};
    uint64_t *again = NULL;
    size_t n = 0;
    pare_buffer file = {0};
    assert_int_equal(pare_choices_list_write(list, 4, &file, NULL), PARE_OK);
    assert_string_equal(file.data, "pare choices 1\n0\n7\n-1\n1\n");
    assert_true(pare_choices_list_is_file(file.data, file.size));
    assert_int_equal(pare_choices_list_read("file", file.data, file.size, &again, &n, NULL),
                     PARE_OK);
    assert_int_equal(n, 4);
    assert_memory_equal(again, list, sizeof list);
    pare_alloc_free(again);
    pare_buffer_done(&file);
}

static void test_choice_list__passes_over_comments_and_empty_lines(void **state)
{
    (void)state;
    uint64_t *list = NULL;
    size_t n = 0;
    assert_int_equal(read_text("pare choices 1\n# mine\n\n12\n13", &list, &n, NULL), PARE_OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[1], 13);
    pare_alloc_free(list);
    assert_int_equal(read_text("pare choices 1\n", &list, &n, NULL), PARE_OK);
    assert_int_equal(n, 0);
    pare_alloc_free(list);
}

static void test_choice_list__errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"pare choices 1\n5\n-2\n", "file:3: a choice must be a number"},
        {"pare choices 1\n5 6\n", "file:2: a choice must be a number"},
        {"pare choices 1\n18446744073709551616\n", "file:2: a choice must be a number"},
        {"pare choices 1\n99999999999999999999999\n", "file:2: a choice must be a number"},
        {"pare choices 2\n5\n", "file:1: this is not a list of choices: its first line is not "
                                "'pare choices 1'"},
        {"", "file:1: this is not a list of choices: its first line is not 'pare choices 1'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        uint64_t *list = NULL;
        size_t n = 77;
        assert_int_equal(read_text(cases[i].text, &list, &n, &err), PARE_E_SYNTAX);
        assert_string_equal(err.message, cases[i].says);
        assert_null(list);
        assert_int_equal(n, 77);
    }
}

static pare_status attempt(void *context)
{
    (void)context;
    uint64_t *list = NULL;
    size_t n = 0;
    pare_buffer file = {0};
    pare_status status = read_text("pare choices 1\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", &list, &n, NULL);
    if (!status) status = pare_choices_list_write(list, n, &file, NULL);
    pare_alloc_free(list);
    pare_buffer_done(&file);
    return status;
}

static void test_choice_list__any_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice_list__is_read_back_as_it_was_written),
        cmocka_unit_test(test_choice_list__passes_over_comments_and_empty_lines),
        cmocka_unit_test(test_choice_list__errors_name_the_line),
        cmocka_unit_test(test_choice_list__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
