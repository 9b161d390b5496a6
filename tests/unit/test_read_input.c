/* The input as one text: names, files, bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/read_input.h"
#include "unit/support/scratch.h"

static void test_read_input__is_named_by_its_file_or_as_the_caller_says(void **state)
{
    (void)state;
    static const struct {
        pare_input_options input;
        const char *base;
    } cases[] = {{{.path = "a/b.c"}, "b.c"},
                 {{.path = "b.c", .name = "x"}, "b.c"},
                 {{.bytes = "", .name = "x.py"}, "x.py"},
                 {{.bytes = ""}, "input"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(pare_read_input_base_name(&cases[i].input), cases[i].base);
    assert_null(pare_read_input_name(&(pare_input_options){.bytes = ""}));
}

static void assert_reads(const pare_input_options *input, const char *expected)
{
    pare_text *text = NULL;
    assert_int_equal(pare_read_input_file(input, &text, NULL), PARE_OK);
    assert_int_equal(pare_text_size(text), strlen(expected));
    assert_memory_equal(pare_text_bytes(text), expected, strlen(expected));
    pare_text_unref(text);
}

static void test_read_input__reads_a_file_or_copies_bytes(void **state)
{
    (void)state;
    scratch_write("in.txt", "file", 0600);
    assert_reads(&(pare_input_options){.path = "in.txt"}, "file");
    assert_reads(&(pare_input_options){.bytes = "bytes", .size_bytes = 5}, "bytes");
}

static void test_read_input__refuses_both_none_and_what_is_no_file(void **state)
{
    (void)state;
    static const struct {
        pare_input_options input;
        pare_status status;
    } cases[] = {{{.path = "in.txt", .bytes = "x", .size_bytes = 1}, PARE_E_ARG},
                 {{.path = NULL}, PARE_E_ARG},
                 {{.path = "/dev/null"}, PARE_E_IO},
                 {{.path = "no/such"}, PARE_E_IO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_text *text = NULL;
        assert_int_equal(pare_read_input_file(&cases[i].input, &text, NULL), cases[i].status);
        assert_null(text);
    }
}

static void test_read_input__words_are_those_of_a_program(void **state)
{
    (void)state;
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    const pare_input_options input = {.bytes = "x", .size_bytes = 1, .reduce_arguments = PARE_ON};
    const pare_test_options script = {.command = "true"};
    assert_int_equal(pare_read_input(&(pare_input_request){.input = &input, .test = &script},
                                     &layout, &text, NULL),
                     PARE_E_ARG);
    assert_null(text);
    const char *const words[] = {"cc", "-O2", "@@"};
    const pare_test_options program = {.program = words, .n_program = 3};
    assert_int_equal(pare_read_input(&(pare_input_request){.input = &input, .test = &program},
                                     &layout, &text, NULL),
                     PARE_OK);
    assert_int_equal(layout->n_arguments, 2);
    pare_text_unref(text);
    pare_layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_input__is_named_by_its_file_or_as_the_caller_says),
        cmocka_unit_test(test_read_input__reads_a_file_or_copies_bytes),
        cmocka_unit_test(test_read_input__refuses_both_none_and_what_is_no_file),
        cmocka_unit_test(test_read_input__words_are_those_of_a_program),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
