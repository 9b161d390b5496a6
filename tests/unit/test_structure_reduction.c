/* What the strategy over blocks of lines leaves, and in how many tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/structure.h"
#include "reduce/structure/structure_reduction.h"
#include "support/tree_driver.h"
#include "support/tree_notation.h"
#include "unit/alloc_sweep.h"

/* Fails as long as it has `text`. */
static pare_outcome has(void *text, const unsigned char *bytes, size_t size)
{
    return memmem(bytes, size, text, strlen(text)) ? PARE_FAIL : PARE_PASS;
}

static pare_status start(const char *bytes, pare_strategy **strategy)
{
    pare_text *text = NULL;
    pare_structure *structure = NULL;
    pare_status status = pare_text_copy(bytes, strlen(bytes), &text, NULL);
    if (!status)
        status = pare_structure_new(text, (pare_stretch){0, strlen(bytes)}, &structure, NULL);
    if (!status)
        status = pare_structure_reduction_new(structure, PARE_STRUCTURE_TO_THE_END, strategy, NULL);
    pare_structure_unref(structure);
    pare_text_unref(text);
    return status;
}

static void run(const char *bytes, drive_test test, void *context, struct drive *drive)
{
    pare_strategy *strategy = NULL;
    assert_int_equal(start(bytes, &strategy), PARE_OK);
    drive_run(drive, strategy, test, context);
}

static void test_structure_reduction__moves_left_what_takes_the_place_of_its_block(void **state)
{
    (void)state;
    struct drive drive;
    run("class A:\n  x = 1\n  def f(self):\n    if x:\n      crash()\n    y = 2\n", has,
        "crash()\n", &drive);
    assert_string_equal(drive.best, "crash()\n");
    drive_done(&drive);
    run("f {\n  } else {\n    crash()\n  }\n}\n", has, "crash()\n", &drive);
    assert_string_equal(drive.best, "crash()\n");
    drive_done(&drive);
}

/* Nothing goes. */
static pare_outcome needs_all(void *size_of_all, const unsigned char *bytes, size_t size)
{
    const size_t *all = size_of_all;
    (void)bytes;
    return size < *all ? PARE_PASS : PARE_FAIL;
}

/* Tests of 1,024 lines that are all needed. */
static void test_structure_reduction__leaves_as_early_as_it_is_told_where_nothing_goes(void **state)
{
    (void)state;
    static const struct {
        pare_structure_effort effort;
        unsigned tests;
    } cases[] = {{PARE_STRUCTURE_IF_IT_PAYS_AT_ONCE, 5},
                 {PARE_STRUCTURE_WHILE_IT_PAYS, 10},
                 {PARE_STRUCTURE_TO_THE_END, 42}};
    static char bytes[1 << 14];
    size_t size = 0;
    for (unsigned i = 0; i < 1024; i++)
        size += (size_t)snprintf(bytes + size, sizeof bytes - size, "line %u\n", i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive drive;
        pare_text *text = NULL;
        pare_structure *structure = NULL;
        pare_strategy *strategy = NULL;
        assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
        assert_int_equal(pare_structure_new(text, (pare_stretch){0, size}, &structure, NULL),
                         PARE_OK);
        assert_int_equal(pare_structure_reduction_new(structure, cases[i].effort, &strategy, NULL),
                         PARE_OK);
        drive_run(&drive, strategy, needs_all, &size);
        assert_int_equal(drive.tests, cases[i].tests);
        drive_done(&drive);
        pare_structure_unref(structure);
        pare_text_unref(text);
    }
}

/* Lines "\tcall 0;" and so on in blocks of twenty. */
static char *make_large(unsigned n_blocks)
{
    char *text = malloc(n_blocks * 20 * 16 + n_blocks * 40 + 1);
    assert_non_null(text);
    size_t at = 0;
    for (unsigned i = 0; i < n_blocks; i++) {
        at += (size_t)sprintf(text + at, "task %u\n", i);
        for (unsigned k = 0; k < 20; k++)
            at += (size_t)sprintf(text + at, "call %u;\n", i * 20 + k);
        at += (size_t)sprintf(text + at, "end task\n");
    }
    return text;
}

static void test_structure_reduction__finds_one_place_in_few_tests(void **state)
{
    (void)state;
    struct drive drive;
    char *text = make_large(500);
    run(text, has, "call 3217;\n", &drive);
    assert_string_equal(drive.best, "call 3217;\n");
    assert_true(drive.tests < 40);
    drive_done(&drive);
    free(text);
}

/* Fails with two lines in blocks that are there as a whole. */
static pare_outcome needs_two(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    unsigned depth = 0;
    for (const unsigned char *at = bytes, *end = bytes + size; at < end;) {
        depth += (size_t)(end - at) > 5 && memcmp(at, "task ", 5) == 0;
        if ((size_t)(end - at) > 8 && memcmp(at, "end task", 8) == 0 && !depth--) return PARE_PASS;
        const unsigned char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    if (depth) return PARE_PASS;
    return memmem(bytes, size, "call 217;", 9) && memmem(bytes, size, "call 8017;", 10) ? PARE_FAIL
                                                                                        : PARE_PASS;
}

static void test_structure_reduction__keeps_blocks_whole(void **state)
{
    (void)state;
    struct drive drive;
    char *text = make_large(500);
    run(text, needs_two, NULL, &drive);
    assert_true(strlen(drive.best) < 500);
    assert_true(drive.tests < 80);
    drive_done(&drive);
    free(text);
}

enum { FRONTIER = 30 };

/* Needs its first line, one in its middle and one behind that, and notes how small it has become. */
struct lines_needed {
    size_t best;
    unsigned tests;
    size_t at_frontier; /* bytes after so many tests */
};

static pare_outcome needs_three(void *context, const unsigned char *bytes, size_t size)
{
    struct lines_needed *needed = context;
    const bool has_all = size > 8 && !memcmp(bytes, "line 0;\n", 8) &&
                         memmem(bytes, size, "line 1234;\n", 11) &&
                         memmem(bytes, size, "line 2345;\n", 11);
    if (has_all) needed->best = size;
    if (++needed->tests == FRONTIER) needed->at_frontier = needed->best;
    return has_all ? PARE_FAIL : PARE_PASS;
}

/* Each of some lines spread over the front half is needed by one behind. */
static pare_outcome needs_definitions(void *context, const unsigned char *bytes, size_t size)
{
    char name[32];
    (void)context;
    for (unsigned i = 0; i < 16; i++) {
        const int n = snprintf(name, sizeof name, "line %u;\n", 1600 + i * 80);
        if (!memmem(bytes, size, name, (size_t)n)) continue;
        const int m = snprintf(name, sizeof name, "line %u;\n", i * 80);
        if (!memmem(bytes, size, name, (size_t)m)) return PARE_PASS;
    }
    return memmem(bytes, size, "line 2999;\n", 11) ? PARE_FAIL : PARE_PASS;
}

static char *make_flat(void)
{
    char *text = malloc(3000 * 16);
    assert_non_null(text);
    for (size_t i = 0, at = 0; i < 3000; i++)
        at += (size_t)sprintf(text + at, "line %zu;\n", i);
    return text;
}

static void test_structure_reduction__heavy_parts_go_before_lines_are_reached(void **state)
{
    (void)state;
    struct drive drive;
    struct lines_needed needed = {.best = SIZE_MAX};
    char *text = make_flat();
    run(text, needs_three, &needed, &drive);
    assert_string_equal(drive.best, "line 0;\nline 1234;\nline 2345;\n");
    assert_true(needed.at_frontier < strlen(text) / 8);
    drive_done(&drive);
    free(text);
}

/* Whether there is the line that `form` makes of the number. */
static bool has_line(const unsigned char *bytes, size_t size, const char *word, unsigned number)
{
    char line[32];
    const int n = sprintf(line, "%s%u\n", word, number);
    return memmem(bytes, size, line, (size_t)n) != NULL;
}

static bool has_line_of(const unsigned char *bytes, size_t size, unsigned number)
{
    char line[32];
    const int n = sprintf(line, "line %u;\n", number);
    return memmem(bytes, size, line, (size_t)n) != NULL;
}

enum { CROWD_FRONTIER = 50 };

/* Fails with lines of the last hundred, ten apart, and with some in front. */
static pare_outcome needs_a_crowd(void *context, const unsigned char *bytes, size_t size)
{
    struct lines_needed *needed = context;
    static const unsigned lines[] = {300,  1100, 1900, 2300, 2900, 2910,
                                     2920, 2930, 2940, 2950, 2960, 2970};
    bool has_all = true;
    for (size_t i = 0; has_all && i < sizeof lines / sizeof *lines; i++)
        has_all = has_line_of(bytes, size, lines[i]);
    if (has_all) needed->best = size;
    if (++needed->tests == CROWD_FRONTIER) needed->at_frontier = needed->best;
    return has_all ? PARE_FAIL : PARE_PASS;
}

/* The few bytes between needed lines at the rear wait; each of them takes a search down to a line. */
static void test_structure_reduction__does_not_search_what_is_light(void **state)
{
    (void)state;
    struct drive drive;
    struct lines_needed needed = {.best = SIZE_MAX};
    char *text = make_flat();
    run(text, needs_a_crowd, &needed, &drive);
    assert_true(needed.at_frontier < 16000); /* 31,175 where each is searched for */
    drive_done(&drive);
    free(text);
}

static void test_structure_reduction__what_is_used_goes_after_its_users(void **state)
{
    (void)state;
    struct drive drive;
    char *text = make_flat();
    run(text, needs_definitions, NULL, &drive);
    assert_string_equal(drive.best, "line 2999;\n");
    assert_true(drive.tests < 60);
    drive_done(&drive);
    free(text);
}

/* Fails with six lines of a list that has no blocks. */
static pare_outcome needs_six(void *context, const unsigned char *bytes, size_t size)
{
    static const char *const needed[] = {"c 71;", "c 180;", "c 222;", "c 391;", "c 430;", "c 511;"};
    (void)context;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!memmem(bytes, size, needed[i], strlen(needed[i]))) return PARE_PASS;
    return PARE_FAIL;
}

/* Halving alone begins with single lines before each that is needed, and takes 90 tests. */
static void test_structure_reduction__groups_grow_where_few_lines_are_needed(void **state)
{
    (void)state;
    struct drive drive;
    char text[8192];
    size_t at = 0;
    for (unsigned i = 0; i < 520; i++)
        at += (size_t)sprintf(text + at, "c %u;\n", i);
    run(text, needs_six, NULL, &drive);
    assert_true(strlen(drive.best) < 100);
    assert_true(drive.tests <= 80);
    drive_done(&drive);
}

/* Where three neighbours are needed, twice. */
struct neighbours {
    unsigned first, second; /* numbers of lines */
};

static pare_outcome needs_neighbours(void *context, const unsigned char *bytes, size_t size)
{
    const struct neighbours *needed = context;
    for (unsigned i = 0; i < 6; i++) {
        char line[16];
        const int n = sprintf(line, "c %u;", (i < 3 ? needed->first : needed->second) + i % 3);
        if (!memmem(bytes, size, line, (size_t)n)) return PARE_PASS;
    }
    return PARE_FAIL;
}

/* In a group of all that stands before it the search for a neighbour takes nine tests in vain, in which the list
 * was given up. */
static void test_structure_reduction__neighbours_are_found_before_all_else_goes(void **state)
{
    (void)state;
    char text[8192];
    size_t at = 0, tests = 0;
    for (unsigned i = 1000; i < 1900; i++)
        at += (size_t)sprintf(text + at, "c %u;\n", i);
    for (unsigned k = 0; k < 20; k++) {
        struct drive drive;
        struct neighbours needed = {1000 + k * 19, 1400 + k * 23};
        run(text, needs_neighbours, &needed, &drive);
        assert_int_equal(strlen(drive.best), 6 * 8);
        tests += drive.tests;
        drive_done(&drive);
    }
    assert_true(tests <= 890); /* 904 formerly */
}

enum { NODES = 120, N_PARTS = 6 };

/* One node of a chain has to be there, and what it names; a node has all of its parts or is not there. */
static pare_outcome needs_a_node(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    for (unsigned i = 200; i < 200 + NODES; i++) {
        const bool is_there = has_line(bytes, size, "node ", i);
        for (unsigned k = 0; k < N_PARTS; k++)
            if (is_there != has_line(bytes, size, (char[]){(char)('a' + k), '\0'}, i))
                return PARE_PASS;
        if (!is_there && (i == 200 + NODES - 9 || has_line(bytes, size, "uses ", i)))
            return PARE_PASS;
    }
    return PARE_FAIL;
}

/* Each record needs the one before it, as long as it names that. */
static void test_structure_reduction__lines_of_needed_records_go_before_what_they_name(void **state)
{
    (void)state;
    struct drive drive;
    char text[16384];
    size_t at = 0;
    for (unsigned i = 200; i < 200 + NODES; i++) {
        at += (size_t)sprintf(text + at, "node %u\n", i);
        if (i > 200) at += (size_t)sprintf(text + at, "uses %u\n", i - 1);
        for (unsigned k = 0; k < N_PARTS; k++)
            at += (size_t)sprintf(text + at, "%c%u\n", 'a' + k, i);
        at += (size_t)sprintf(text + at, "\n");
    }
    run(text, needs_a_node, NULL, &drive);
    assert_true(strlen(drive.best) <= 80);
    assert_true(drive.tests <= 40);
    drive_done(&drive);
}

/* In so many tests single lines may go, then nothing may. */
enum { PAYING = 160 };

struct paid {
    unsigned tests;
    size_t best; /* bytes */
};

static pare_outcome lets_single_lines_go(void *context, const unsigned char *bytes, size_t size)
{
    struct paid *paid = context;
    (void)bytes;
    if (++paid->tests > PAYING || size + 8 < paid->best) return PARE_PASS;
    if (size < paid->best) paid->best = size;
    return PARE_FAIL;
}

static void test_structure_reduction__is_more_patient_where_much_was_tried(void **state)
{
    (void)state;
    struct drive drive;
    char text[2048];
    size_t at = 0;
    for (unsigned i = 100; i < 290; i++)
        at += (size_t)sprintf(text + at, "c %u;\n", i);
    struct paid paid = {.best = at};
    run(text, lets_single_lines_go, &paid, &drive);
    assert_in_range(drive.tests, PAYING + 48, PAYING + 60);
    drive_done(&drive);
}

static void test_structure_reduction__copies_go_their_own_ways(void **state)
{
    (void)state;
    pare_strategy *first = NULL, *second = NULL;
    pare_candidate one = {0}, two = {0};
    pare_next what;
    assert_int_equal(start("a\n  b\n  c\nd\ne\n", &first), PARE_OK);
    for (unsigned i = 0;; i++) {
        assert_int_equal(first->ops->copy(first, &second, NULL), PARE_OK);
        assert_int_equal(first->ops->next(first, &what, &one, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_int_equal(second->ops->next(second, &what, &two, NULL), PARE_OK);
        assert_true(pare_digest_equal(pare_candidate_digest(&one), pare_candidate_digest(&two)));
        assert_int_equal(second->ops->tell(second, i % 2 ? PARE_PASS : PARE_FAIL, NULL), PARE_OK);
        assert_int_equal(second->ops->next(second, &what, &two, NULL), PARE_OK);
        pare_strategy_free(second);
        assert_int_equal(first->ops->tell(first, i % 2 ? PARE_FAIL : PARE_PASS, NULL), PARE_OK);
    }
    pare_strategy_free(second);
    pare_strategy_free(first);
    pare_candidate_done(&one);
    pare_candidate_done(&two);
}

/* Every step once, each second one told to fail. */
static pare_status run_all(void *context)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_candidate candidate = {0};
    pare_status status = start(context, &strategy);
    for (unsigned i = 0; !status; i++) {
        pare_next what;
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        status = strategy->ops->copy(strategy, &copy, NULL);
        if (!status) pare_strategy_free(copy);
        if (!status) status = strategy->ops->tell(strategy, i % 2 ? PARE_FAIL : PARE_PASS, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_structure_reduction__survives_running_out_of_memory(void **state)
{
    (void)state;
    char text[] = "f {\n  a\n  b\n}\ng {\n  c\n}\n";
    sweep_allocations(run_all, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure_reduction__moves_left_what_takes_the_place_of_its_block),
        cmocka_unit_test(
            test_structure_reduction__leaves_as_early_as_it_is_told_where_nothing_goes),
        cmocka_unit_test(test_structure_reduction__finds_one_place_in_few_tests),
        cmocka_unit_test(test_structure_reduction__keeps_blocks_whole),
        cmocka_unit_test(test_structure_reduction__heavy_parts_go_before_lines_are_reached),
        cmocka_unit_test(test_structure_reduction__does_not_search_what_is_light),
        cmocka_unit_test(test_structure_reduction__what_is_used_goes_after_its_users),
        cmocka_unit_test(test_structure_reduction__groups_grow_where_few_lines_are_needed),
        cmocka_unit_test(test_structure_reduction__neighbours_are_found_before_all_else_goes),
        cmocka_unit_test(
            test_structure_reduction__lines_of_needed_records_go_before_what_they_name),
        cmocka_unit_test(test_structure_reduction__is_more_patient_where_much_was_tried),
        cmocka_unit_test(test_structure_reduction__copies_go_their_own_ways),
        cmocka_unit_test(test_structure_reduction__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
