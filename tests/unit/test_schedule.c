/* The default over one file: it ends where no phase finds anything, in the same steps each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "unit/support/scratch.h"

static const char INPUT[] = "int unused(int a, int b)\n{\n    return a + b;\n}\n\n"
                            "int main(void)\n{\n    int value = 17;\n    crash(value * 2);\n"
                            "    return 0;\n}\n";

/* Fails when "crash" is called with something in its brackets. */
static pare_outcome crashes(void *context, const void *bytes, size_t size)
{
    const char *call = memmem(bytes, size, "crash(", 6);
    const char *end = (const char *)bytes + size;
    (void)context;
    if (!call || call + 7 >= end || call[6] == ')') return PARE_PASS;
    return memchr(call + 6, ')', (size_t)(end - call - 6)) ? PARE_FAIL : PARE_PASS;
}

static void reduce(pare_effort effort, unsigned jobs, pare_result *result)
{
    const pare_reduce_options options = {.input.bytes = INPUT,
                                         .input.size_bytes = sizeof INPUT - 1,
                                         .test.predicate = crashes,
                                         .trees.language = "none",
                                         .limits.jobs = jobs,
                                         .effort = effort};
    assert_int_equal(pare_reduce(&options, result, NULL), PARE_OK);
}

static void test_schedule__no_single_character_of_the_result_can_go(void **state)
{
    (void)state;
    pare_result result = {0};
    char less[64];
    reduce(PARE_EFFORT_NORMAL, 1, &result);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_MINIMAL);
    assert_true(result.size_bytes < sizeof less);
    assert_int_equal(crashes(NULL, result.bytes, result.size_bytes), PARE_FAIL);
    for (size_t skip = 0; skip < result.size_bytes; skip++) {
        memcpy(less, result.bytes, skip);
        memcpy(less + skip, result.bytes + skip + 1, result.size_bytes - skip - 1);
        assert_int_equal(crashes(NULL, less, result.size_bytes - 1), PARE_PASS);
    }
    pare_result_done(&result);
}

/* Only outcomes decide which phase is next. */
static void test_schedule__jobs_change_neither_result_nor_passes(void **state)
{
    (void)state;
    pare_result one = {0}, four = {0};
    reduce(PARE_EFFORT_NORMAL, 1, &one);
    reduce(PARE_EFFORT_NORMAL, 4, &four);
    assert_int_equal(one.size_bytes, four.size_bytes);
    assert_memory_equal(one.bytes, four.bytes, one.size_bytes);
    assert_int_equal(one.stats.n_passes, four.stats.n_passes);
    for (size_t k = 0; k < one.stats.n_passes; k++) {
        assert_string_equal(one.stats.passes[k].name, four.stats.passes[k].name);
        assert_int_equal(one.stats.passes[k].tests, four.stats.passes[k].tests);
    }
    pare_result_done(&one);
    pare_result_done(&four);
}

static uint64_t count_tests(const pare_result *result)
{
    uint64_t n = 0;
    for (size_t k = 0; k < result->stats.n_passes; k++)
        n += result->stats.passes[k].tests;
    return n;
}

static void test_schedule__less_effort_takes_fewer_tests_and_claims_nothing(void **state)
{
    (void)state;
    pare_result fast = {0}, normal = {0}, most = {0};
    reduce(PARE_EFFORT_FAST, 1, &fast);
    reduce(PARE_EFFORT_NORMAL, 1, &normal);
    reduce(PARE_EFFORT_MAX, 1, &most);
    assert_true(count_tests(&fast) < count_tests(&normal));
    assert_true(count_tests(&normal) <= count_tests(&most));
    assert_true(most.size_bytes <= normal.size_bytes);
    assert_int_equal(fast.stats.stopped, PARE_STOPPED_EFFORT);
    assert_int_equal(fast.stats.minimal, PARE_MINIMAL_NONE);
    pare_result_done(&fast);
    pare_result_done(&normal);
    pare_result_done(&most);
}

/* Fails with the number. */
static pare_outcome holds_number(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memmem(bytes, size, "77", 2) ? PARE_FAIL : PARE_PASS;
}

/* Where the phase stands among those of the result, in the order of their first turns; the number of
 * phases: none is called so. */
static size_t turn_of(const pare_result *result, const char *name)
{
    size_t at = 0;
    while (at < result->stats.n_passes && strcmp(result->stats.passes[at].name, name) != 0)
        at++;
    return at;
}

/* White space of a small text that a grammar reads goes at once, and not in the last phases. */
static void test_schedule__white_space_of_a_small_text_goes_early(void **state)
{
    (void)state;
    static const char GRAMMAR[] = "grammar G; file : item+ EOF ; item : NUMBER | '(' item* ')' ;\n"
                                  "NUMBER : [0-9]+ ; WS : [ \\t\\n]+ -> skip ;\n";
    static const char *const grammars[] = {"G.g4"};
    pare_result result = {0};
    FILE *file = fopen(grammars[0], "w");
    assert_non_null(file);
    assert_true(fputs(GRAMMAR, file) >= 0);
    assert_int_equal(fclose(file), 0);
    static const char text[] = "(\n  ( 1\n 2 )\n  (\n 77 ( 77\n ) )\n\n)\n";
    const pare_reduce_options options = {.input.bytes = text,
                                         .input.size_bytes = sizeof text - 1,
                                         .test.predicate = holds_number,
                                         .trees.grammars = grammars,
                                         .trees.n_grammars = 1,
                                         .limits.jobs = 1};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_true(turn_of(&result, "perses/tree") < result.stats.n_passes);
    assert_true(turn_of(&result, "white-space") < turn_of(&result, "perses/tree"));
    assert_null(memchr(result.bytes, '\n', result.size_bytes));
    pare_result_done(&result);
}

enum { FUNCTIONS = 60 }; /* of the text below */

/* Whether the name of a function and the value of another one stand there. */
static pare_outcome needs_two(void *context, const void *bytes, size_t size)
{
    (void)context;
    const bool fails = memmem(bytes, size, "f7(", 3) && memmem(bytes, size, "v43", 3);
    return fails ? PARE_FAIL : PARE_PASS;
}

/* Where not all definitions that nothing leads to can go at once, blocks of lines take more with each test than
 * one definition after the other. */
static void test_schedule__blocks_of_lines_go_before_single_definitions(void **state)
{
    (void)state;
    char text[FUNCTIONS * 64] = "";
    pare_result result = {0};
    for (unsigned k = 0, n = 0; k < FUNCTIONS; k++)
        n += (unsigned)snprintf(text + n, sizeof text - n,
                                "static int f%u(int a)\n{\n    return v%u;\n}\n", k, k);
    const pare_reduce_options options = {.input.bytes = text,
                                         .input.size_bytes = strlen(text),
                                         .test.predicate = needs_two,
                                         .trees.language = "none",
                                         .limits.jobs = 1,
                                         .limits.max_tests = 25};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_true(result.size_bytes < 80);
    pare_result_done(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule__no_single_character_of_the_result_can_go),
        cmocka_unit_test(test_schedule__jobs_change_neither_result_nor_passes),
        cmocka_unit_test(test_schedule__less_effort_takes_fewer_tests_and_claims_nothing),
        cmocka_unit_test(test_schedule__white_space_of_a_small_text_goes_early),
        cmocka_unit_test(test_schedule__blocks_of_lines_go_before_single_definitions),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
