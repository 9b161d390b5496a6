/* Scripts that run what is left of a command line: quoting, marks, and what is never taken away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/output/script.h"
#include "unit/alloc_sweep.h"

static const char *const words[] = {"cat", "-o", "two words", "it's", "@@"};
static const char *const variables[] = {"LANG=C", "MARK=a b"};

/* A command with all of its words and variables left. */
struct subject {
    pare_text *file, *text;
    pare_layout *layout;
    pare_command command;
    pare_candidate whole;
    pare_script script;
};

static pare_status set_up(struct subject *subject)
{
    static const char *const name = "in.c";
    const pare_names names = {.items = &name, .n = 1};
    *subject = (struct subject){.text = NULL};
    pare_status status = pare_text_copy("x\n", 2, &subject->file, NULL);
    if (!status) status = pare_command_init_target(&subject->command, words, 5, names, NULL);
    if (!status) status = pare_layout_open_file(name, 0644, subject->file, &subject->layout, NULL);
    if (!status)
        status = pare_layout_add_words(subject->layout, PARE_ENTRY_ARGUMENT, words + 1, 4, NULL);
    if (!status)
        status = pare_layout_add_words(subject->layout, PARE_ENTRY_VARIABLE, variables, 2, NULL);
    if (!status) status = pare_layout_text(subject->layout, NULL, &subject->text, NULL);
    if (status) return status;
    pare_candidate_start(&subject->whole, subject->text);
    subject->script = (pare_script){.layout = subject->layout,
                                    .command = &subject->command,
                                    .program = words[0],
                                    .environment = true};
    return pare_candidate_slice(&subject->whole, 0, pare_text_size(subject->text), NULL);
}

static void tear_down(struct subject *subject)
{
    pare_candidate_done(&subject->whole);
    pare_command_done(&subject->command);
    pare_layout_free(subject->layout);
    pare_text_unref(subject->text);
    pare_text_unref(subject->file);
}

static void test_script__the_command_is_quoted_and_keeps_its_mark(void **state)
{
    (void)state;
    struct subject subject;
    pare_buffer text = {0};
    assert_int_equal(set_up(&subject), PARE_OK);
    assert_int_equal(pare_script_command(&subject.script, &subject.whole, &text, NULL), PARE_OK);
    assert_string_equal(text.data, "cat -o 'two words' 'it'\\''s' @@");
    pare_buffer_done(&text);
    tear_down(&subject);
}

static void test_script__of_variables_the_names_are_told(void **state)
{
    (void)state;
    struct subject subject;
    pare_buffer text = {0};
    assert_int_equal(set_up(&subject), PARE_OK);
    assert_int_equal(pare_script_variables(&subject.script, &subject.whole, &text, NULL), PARE_OK);
    assert_string_equal(text.data, "LANG MARK");
    pare_buffer_done(&text);
    tear_down(&subject);
}

static void test_script__runs_in_a_new_directory_with_the_environment_that_is_left(void **state)
{
    static const char *const parts[] = {"#!/bin/sh\n",
                                        "mktemp -d",
                                        "cp -R -- \"$here\"/in.min.c",
                                        "env -i ${PATH+\"PATH=$PATH\"}",
                                        " LANG=C 'MARK=a b' ",
                                        "'two words' 'it'\\''s'",
                                        "\"$dir\"'/in.c'"};
    (void)state;
    struct subject subject;
    pare_buffer text = {0};
    assert_int_equal(set_up(&subject), PARE_OK);
    assert_int_equal(pare_script_print(&subject.script, &subject.whole, "in.min.c", &text, NULL),
                     PARE_OK);
    const char *at = text.data;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        at = strstr(at, parts[k]); /* in this order */
        if (!at) fail_msg("'%s' is not in: %s", parts[k], text.data);
    }
    pare_buffer_done(&text);
    tear_down(&subject);
}

static pare_status print_once(void *context)
{
    struct subject subject;
    pare_buffer text = {0};
    (void)context;
    pare_status status = set_up(&subject);
    if (!status)
        status = pare_script_print(&subject.script, &subject.whole, "in.min.c", &text, NULL);
    pare_buffer_done(&text);
    tear_down(&subject);
    return status;
}

static void test_script__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(print_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_script__the_command_is_quoted_and_keeps_its_mark),
        cmocka_unit_test(test_script__of_variables_the_names_are_told),
        cmocka_unit_test(test_script__runs_in_a_new_directory_with_the_environment_that_is_left),
        cmocka_unit_test(test_script__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
