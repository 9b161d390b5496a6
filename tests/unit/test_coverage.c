/* Maps of what tests reach: classes of counts, what is new, and lines of commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/coverage.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static void test_coverage__counts_become_classes(void **state)
{
    static const struct {
        unsigned char count, bits;
    } rows[] = {{0, 0},   {1, 1},   {2, 2},   {3, 4},   {4, 8},    {7, 8},     {8, 16},
                {15, 16}, {16, 32}, {31, 32}, {32, 64}, {127, 64}, {128, 128}, {255, 128}};
    (void)state;
    /* At any place of a word, and in the rest that is no whole word. */
    for (size_t at = 0; at < 19; at++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            unsigned char map[19] = {0};
            map[at] = rows[i].count;
            pare_coverage_classify(map, sizeof map);
            for (size_t k = 0; k < sizeof map; k++)
                assert_int_equal(map[k], k == at ? rows[i].bits : 0);
        }
}

static void test_coverage__what_is_new_is_told_once(void **state)
{
    (void)state;
    pare_coverage coverage = {.reached = NULL};
    pare_coverage_news news = {.items = NULL};
    unsigned char map[21] = {0};
    map[3] = 1, map[20] = 4;
    assert_int_equal(pare_coverage_take(&coverage, map, sizeof map, &news, NULL), PARE_OK);
    assert_int_equal(news.n, 2);
    assert_int_equal(news.edges, 2);
    assert_true(pare_coverage_has(map, sizeof map, &news));
    assert_int_equal(pare_coverage_take(&coverage, map, sizeof map, &news, NULL), PARE_OK);
    assert_int_equal(news.n, 0);
    /* Another class of a known edge is new, but no new edge. */
    map[3] = 8;
    assert_int_equal(pare_coverage_take(&coverage, map, sizeof map, &news, NULL), PARE_OK);
    assert_int_equal(news.n, 1);
    assert_int_equal(news.edges, 0);
    assert_int_equal(coverage.edges, 2);
    map[3] = 1;
    assert_false(pare_coverage_has(map, sizeof map, &news));
    /* Another build of the program. */
    unsigned char larger[64] = {1};
    assert_int_equal(pare_coverage_take(&coverage, larger, sizeof larger, &news, NULL), PARE_OK);
    assert_int_equal(coverage.edges, 1);
    pare_coverage_news_done(&news);
    pare_coverage_done(&coverage);
}

static void test_coverage__lines_have_counts(void **state)
{
    (void)state;
    unsigned char map[1 << 12] = {0}, other[1 << 12] = {0};
    const char text[] = "a.c:1\t3\nb.c:2\n\nb.c:2\nc.c:3\tmany\nd.c:4\t99999";
    pare_coverage_read_lines(text, strlen(text), map, sizeof map);
    size_t n = 0, sum = 0;
    for (size_t i = 0; i < sizeof map; i++)
        n += map[i] != 0, sum += map[i];
    assert_int_equal(n, 4);
    assert_int_equal(sum, 3 + 2 + 1 + 255);
    pare_coverage_read_lines("a.c:1\nb.c:2", 11, other, sizeof other);
    for (size_t i = 0; i < sizeof map; i++)
        assert_true(!other[i] || map[i]);
}

static void test_coverage__a_command_tells_what_an_input_reaches(void **state)
{
    (void)state;
    pare_coverage_command *command = NULL;
    pare_error err = {0};
    unsigned char *map = NULL;
    size_t size = 0, n = 0;
    scratch_script("tell", "fold -w1 \"$1\" | sort | uniq");
    if (pare_coverage_command_open("./tell", scratch_dir, 10000, NULL, &command, &err))
        fail_msg("%s", err.message);
    static const struct {
        const char *text;
        size_t n;
    } rows[] = {{"abc", 3}, {"", 0}, {"aaaa", 1}, {"ab", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (pare_coverage_command_run(command, rows[i].text, strlen(rows[i].text), &map, &size,
                                      &err))
            fail_msg("%s", err.message);
        n = 0;
        for (size_t k = 0; k < size; k++)
            n += map[k] != 0;
        assert_int_equal(n, rows[i].n);
    }
    pare_coverage_command_free(command);
    /* A shell's text has the input as "$1", a mark is replaced. */
    static const char *const commands[] = {"cat \"$1\" | cat", "cat @@", "sleep 100"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (pare_coverage_command_open(commands[i], scratch_dir, 300, NULL, &command, &err))
            fail_msg("%s", err.message);
        assert_int_equal(pare_coverage_command_run(command, "x\ny\n", 4, &map, &size, &err),
                         PARE_OK);
        n = 0;
        for (size_t k = 0; k < size; k++)
            n += map[k] != 0;
        assert_int_equal(n, i < 2 ? 2 : 0);
        pare_coverage_command_free(command);
    }
    /* One that prints without end is ended, and passes no test. */
    if (pare_coverage_command_open("yes", scratch_dir, 600000, NULL, &command, &err))
        fail_msg("%s", err.message);
    assert_int_equal(pare_coverage_command_run(command, "x", 1, &map, &size, &err), PARE_OK);
    assert_false(pare_coverage_command_passed(command));
    pare_coverage_command_free(command);
    assert_int_equal(pare_coverage_command_open("./none", scratch_dir, 300, NULL, &command, NULL),
                     PARE_E_IO);
}

static pare_status take_twice(void *context)
{
    pare_coverage coverage = {.reached = NULL};
    pare_coverage_news news = {.items = NULL};
    const unsigned char map[9] = {1, 0, 1};
    (void)context;
    pare_status status = pare_coverage_take(&coverage, map, sizeof map, &news, NULL);
    if (!status) status = pare_coverage_take(&coverage, map, 5, &news, NULL);
    pare_coverage_news_done(&news);
    pare_coverage_done(&coverage);
    return status;
}

static pare_status open_command(void *context)
{
    pare_coverage_command *command = NULL;
    (void)context;
    pare_status status =
        pare_coverage_command_open("cat @@", scratch_dir, 1000, NULL, &command, NULL);
    if (status) assert_null(command);
    pare_coverage_command_free(command);
    return status;
}

static void test_coverage__memory_that_is_out_is_an_error(void **state)
{
    (void)state;
    sweep_allocations(open_command, NULL);
    sweep_allocations(take_twice, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage__counts_become_classes),
        cmocka_unit_test(test_coverage__what_is_new_is_told_once),
        cmocka_unit_test(test_coverage__lines_have_counts),
        cmocka_unit_test(test_coverage__a_command_tells_what_an_input_reaches),
        cmocka_unit_test(test_coverage__memory_that_is_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
