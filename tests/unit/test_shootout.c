/* Shoot-outs: figures over runs, targets, cases from descriptions, tests for symbols. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "os/file.h"
#include "os/folder.h"
#include "shootout/shootout_json.h"
#include "shootout/shootout_page.h"
#include "shootout/shootout_table.h"
#include "shootout/suite.h"

static void assert_near(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-9 * fabs(wanted)) fail_msg("%.12g is not %.12g", value, wanted);
}

/* ---- figures --------------------------------------------------------------------- */

enum { CASES = 3, CONTENDERS = 2, JOBS = 2, RUNS = CASES * CONTENDERS * JOBS };

/* A matrix by hand: sizes and tests of case i by contender k. */
static const size_t sizes[CASES][CONTENDERS] = {{10, 40}, {0, 5}, {100, 100}};
static const uint64_t tests[CASES][CONTENDERS] = {{100, 4}, {50, 3}, {16, 32}};

static char *names[] = {"auto", "ddmin"};
static unsigned jobs[] = {1, 4};
static pare_case cases[CASES] = {
    {.name = "a", .groups = {"small", "odd"}, .input_bytes = 100},
    {.name = "b", .groups = {"small", "even"}, .input_bytes = 50},
    {.name = "c", .groups = {"large", "odd"}, .input_bytes = 1000},
};

struct fixture {
    pare_suite suite;
    pare_run runs[RUNS];
    pare_curve_point curves[RUNS][2];
    pare_shootout shootout;
};

/* Each run comes to half of its input after one test, to its result after all. */
static void set_up(struct fixture *fixture)
{
    *fixture = (struct fixture){.suite = {.name = "hand", .cases = cases, .n_cases = CASES}};
    for (size_t i = 0; i < RUNS; i++) {
        size_t c = i / (CONTENDERS * JOBS), k = i / JOBS % CONTENDERS, j = i % JOBS;
        pare_run *run = &fixture->runs[i];
        fixture->curves[i][0] = (pare_curve_point){1, 0, cases[c].input_bytes / 2};
        fixture->curves[i][1] = (pare_curve_point){tests[c][k], 1, sizes[c][k]};
        *run = (pare_run){.case_index = c,
                          .contender = k,
                          .jobs = jobs[j],
                          .result = (unsigned char *)"",
                          .size_bytes = sizes[c][k],
                          .checked = PARE_FAIL};
        run->stats = (pare_stats){.bytes_in = cases[c].input_bytes,
                                  .bytes_out = sizes[c][k],
                                  .tests_run = tests[c][k],
                                  .wall_s = j ? 1 : 1 + (double)k,
                                  .curve = fixture->curves[i],
                                  .n_curve = 2};
    }
    fixture->shootout = (pare_shootout){.suite = &fixture->suite,
                                        .contenders = names,
                                        .n_contenders = CONTENDERS,
                                        .jobs = jobs,
                                        .n_jobs = JOBS,
                                        .n_repeats = 1,
                                        .runs = fixture->runs,
                                        .n_runs = RUNS};
}

static void test_score__is_of_geometric_means(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    pare_score score = pare_shootout_score(&fixture.shootout, NULL, 0, 1);
    assert_int_equal(score.n_cases, 3);
    assert_near(score.bytes, cbrt(10.0 * 1 * 100)); /* an empty result is one byte */
    assert_near(score.share, cbrt(0.1 * 0.02 * 0.1));
    assert_near(score.tests, cbrt(100.0 * 50 * 16));
    assert_near(score.wall_s, 1);
    assert_int_equal(score.n_smallest, 3);
    score = pare_shootout_score(&fixture.shootout, NULL, 1, 1);
    assert_near(score.bytes, cbrt(40.0 * 5 * 100));
    assert_int_equal(score.n_smallest, 1);
    assert_near(score.wall_s, 2);
}

static void test_score__counts_who_never_came_near_ten_times(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    /* Twice the smallest: 20, 2, 200.  The second contender is never there in a and b. */
    pare_score score = pare_shootout_score(&fixture.shootout, NULL, 1, 1);
    assert_int_equal(score.n_twice, 1);
    assert_near(score.to_twice, cbrt(1000.0 * 500 * 32));
    assert_near(pare_shootout_score(&fixture.shootout, NULL, 0, 1).to_twice, cbrt(100.0 * 50 * 16));
}

static void test_score__leaves_out_cases_that_somebody_has_no_result_of(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    fixture.runs[1 * JOBS].status = PARE_E_ARG; /* case a, second contender, -j1 */
    pare_score score = pare_shootout_score(&fixture.shootout, NULL, 0, 1);
    assert_int_equal(score.n_cases, 2);
    assert_near(score.bytes, sqrt(1.0 * 100));
    assert_int_equal(pare_shootout_score(&fixture.shootout, NULL, 1, 1).n_failed, 1);
    assert_int_equal(pare_shootout_score(&fixture.shootout, NULL, 0, 4).n_cases, 3);
}

static void test_score__is_of_a_group(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    assert_near(pare_shootout_score(&fixture.shootout, "odd", 0, 1).bytes, sqrt(10.0 * 100));
    assert_int_equal(pare_shootout_score(&fixture.shootout, "none", 0, 1).n_cases, 0);
    assert_near(pare_shootout_score(&fixture.shootout, "none", 0, 1).bytes, 0);
    const char *const order[] = {"small", "large", "odd", "even"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(pare_suite_group(&fixture.suite, i), order[i]);
    assert_null(pare_suite_group(&fixture.suite, 4));
}

static void test_score__tells_what_did_not_fail_again(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    fixture.runs[0].checked = PARE_PASS;
    assert_int_equal(pare_shootout_score(&fixture.shootout, NULL, 0, 1).n_refuted, 1);
    assert_int_equal(pare_shootout_score(&fixture.shootout, NULL, 1, 1).n_refuted, 0);
}

static void test_speed_up__compares_with_the_first_number_of_jobs(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    assert_near(pare_shootout_speed_up(&fixture.shootout, 0, 4), 1);
    assert_near(pare_shootout_speed_up(&fixture.shootout, 1, 4), 2);
    assert_near(pare_shootout_speed_up(&fixture.shootout, 1, 3), 0); /* nobody ran that */
}

static void test_curve__is_a_step_at_each_success(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    assert_int_equal(pare_run_size_after(&fixture.runs[0], 0), 100);
    assert_int_equal(pare_run_size_after(&fixture.runs[0], 1), 50);
    assert_int_equal(pare_run_size_after(&fixture.runs[0], 99), 50);
    assert_int_equal(pare_run_size_after(&fixture.runs[0], 1000), 10);
    assert_near(pare_shootout_share_after(&fixture.shootout, NULL, 0, 1, 1), 0.5);
    assert_near(pare_shootout_share_after(&fixture.shootout, "large", 0, 1, 16), 0.1);
}

static void test_score__sums_what_parts_earned_by_their_names(void **state)
{
    (void)state;
    struct fixture fixture;
    pare_pass_stats first[] = {{.name = "line", .tests = 3, .bytes_removed = 9, .oracle_s = 1},
                               {.name = "char", .tests = 4, .successes = 1},
                               {.name = "line", .tests = 1, .oracle_s = 0.5}};
    pare_pass_stats last[] = {{.name = "char", .tests = 5, .successes = 2}, {.name = "token"}};
    pare_pass_stats earned;
    set_up(&fixture);
    fixture.runs[0].stats.passes = first;
    fixture.runs[0].stats.n_passes = 3;
    fixture.runs[2 * CONTENDERS * JOBS].stats.passes = last;
    fixture.runs[2 * CONTENDERS * JOBS].stats.n_passes = 2;
    fixture.runs[0].stats.oracle_s = 1.5;
    assert_true(pare_shootout_earned(&fixture.shootout, 0, 1, 0, &earned));
    assert_string_equal(earned.name, "line");
    assert_int_equal(earned.tests, 4);
    assert_int_equal(earned.bytes_removed, 9);
    assert_near(earned.oracle_s, 1.5);
    assert_true(pare_shootout_earned(&fixture.shootout, 0, 1, 1, &earned));
    assert_string_equal(earned.name, "char");
    assert_int_equal(earned.tests, 9);
    assert_int_equal(earned.successes, 3);
    assert_true(pare_shootout_earned(&fixture.shootout, 0, 1, 2, &earned));
    assert_string_equal(earned.name, "token");
    assert_false(pare_shootout_earned(&fixture.shootout, 0, 1, 3, &earned));
    assert_false(pare_shootout_earned(&fixture.shootout, 1, 1, 0, &earned));
    assert_near(pare_shootout_test_share(&fixture.shootout, 0, 1), 0.5);
}

static void test_targets__are_met_at_the_figure_and_missed_beyond(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    pare_mark_to_beat frontier[] = {{1, 50}, {99, 49}};
    pare_case subject = {.peer = "peer",
                         .peer_best = {.tests = 300, .bytes = 10},
                         .frontier = frontier,
                         .n_frontier = 2,
                         .known_bytes = 4,
                         .targets = {{.tests = 99, .bytes = 10}, {.tests = 1, .bytes = 50}},
                         .n_targets = 2};
    static const struct {
        pare_target_kind kind;
        bool met;
    } wanted[] = {{PARE_TARGET_TESTS, false},   {PARE_TARGET_TESTS, true},
                  {PARE_TARGET_SIZE, true},     {PARE_TARGET_TESTS, true},
                  {PARE_TARGET_FRONTIER, true}, {PARE_TARGET_FRONTIER, false},
                  {PARE_TARGET_KNOWN, false}};
    pare_target target;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(pare_shootout_target(&subject, &fixture.runs[0], i, &target));
        assert_int_equal(target.kind, wanted[i].kind);
        assert_int_equal(target.met, wanted[i].met);
    }
    assert_false(pare_shootout_target(&subject, &fixture.runs[0], 7, &target));
    subject = (pare_case){.target_tokens = 1};
    fixture.runs[0].result = (unsigned char *)"(a b)" + 1;
    fixture.runs[0].size_bytes = 3;
    assert_true(pare_shootout_target(&subject, &fixture.runs[0], 0, &target));
    assert_int_equal(target.kind, PARE_TARGET_TOKENS);
    assert_int_equal(target.bytes, 2);
    assert_false(target.met);
    subject.target_tokens = 2;
    assert_true(pare_shootout_target(&subject, &fixture.runs[0], 0, &target));
    assert_true(target.met);
    assert_false(pare_shootout_target(&subject, &fixture.runs[0], 1, &target));
    fixture.runs[0].size_bytes = 10;
    subject = (pare_case){.known_bytes = 5};
    assert_true(pare_shootout_target(&subject, &fixture.runs[0], 0, &target));
    assert_true(target.met);
    assert_false(pare_shootout_target(&subject, &fixture.runs[0], 1, &target));
    subject = (pare_case){.name = "nothing known"};
    assert_false(pare_shootout_target(&subject, &fixture.runs[0], 0, &target));
}

/* ---- descriptions ---------------------------------------------------------------- */

/* Writes text to FOLDER/NAME. */
static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(pare_file_write_bytes(path, text, strlen(text), NULL), PARE_OK);
}

struct description {
    char *folder;
    char path[512];
};

static void open_description(struct description *description)
{
    assert_int_equal(pare_folder_make_scratch(&description->folder, NULL), PARE_OK);
    (void)snprintf(description->path, sizeof description->path, "%s/cases.json",
                   description->folder);
    put(description->folder, "in.txt", "some text");
}

static void close_description(struct description *description)
{
    pare_folder_remove_scratch(description->folder);
}

static void test_suite__reads_all_keys(void **state)
{
    (void)state;
    struct description description;
    pare_suite suite = {0};
    pare_error err = {0};
    open_description(&description);
    put(description.folder, "it's.sh", "#!/bin/sh\n");
    put(description.folder, "cases.json",
        "{\"name\": \"mine\", \"algorithms\": [\"auto\", \"ddmin/line\"], \"max_tests\": 9,"
        " \"max_time\": 1.5, \"timeout\": 2, \"cases\": ["
        "{\"name\": \"one\", \"input\": \"in.txt\", \"test\": \"it's.sh\", \"lang\": \"none\","
        " \"grammar\": [\"a.g4\", \"/b.g4\"], \"start\": \"r\", \"needs\": \"luck\","
        " \"group\": [\"x\", \"y\"], \"known\": 3, \"peer\": {\"name\": \"p\", \"best\": [7, 5]},"
        " \"frontier\": [[1, 9], [30, 8]], \"target\": [4, 6], \"tokens\": 2},"
        "{\"name\": \"two\", \"input\": \"nowhere\", \"test\": \"true\", \"optional\": true},"
        "{\"name\": \"three\", \"input\": \"in.txt\", \"test\": \"grep -q some\","
        " \"target\": [[1, 9], [5, 3]]}]}");
    assert_int_equal(pare_suite_read(&suite, description.path, &err), PARE_OK);
    assert_string_equal(suite.name, "mine");
    assert_int_equal(suite.n_contenders, 2);
    assert_int_equal(suite.max_tests, 9);
    assert_int_equal(suite.max_time_ms, 1500);
    assert_int_equal(suite.timeout_ms, 2000);
    assert_int_equal(suite.n_cases, 2);
    assert_int_equal(suite.n_notices, 1);
    const pare_case *one = &suite.cases[0];
    assert_int_equal(one->input_bytes, 9);
    assert_memory_equal(one->input, "some text", 9);
    assert_non_null(strstr(one->test_command, "/it'\\''s.sh'"));
    assert_int_equal(one->n_grammars, 2);
    assert_string_equal(one->grammars[1], "/b.g4");
    assert_string_equal(one->groups[1], "y");
    assert_null(one->groups[2]);
    assert_int_equal(one->peer_best.tests, 7);
    assert_int_equal(one->n_frontier, 2);
    assert_int_equal(one->frontier[1].bytes, 8);
    assert_int_equal(one->n_targets, 1);
    assert_int_equal(one->targets[0].bytes, 6);
    assert_int_equal(suite.cases[1].n_targets, 2);
    assert_int_equal(suite.cases[1].targets[1].bytes, 3);
    assert_int_equal(one->target_tokens, 2);
    assert_string_equal(one->test_shown, "it's.sh");
    assert_string_equal(suite.cases[1].test_command, "grep -q some");
    pare_suite_done(&suite);
    close_description(&description);
}

static void assert_refused(const char *text, pare_status status, const char *says)
{
    struct description description;
    pare_suite suite = {0};
    pare_error err = {0};
    open_description(&description);
    put(description.folder, "cases.json", text);
    assert_int_equal(pare_suite_read(&suite, description.path, &err), status);
    if (!strstr(err.message, says)) fail_msg("'%s' does not say '%s'", err.message, says);
    pare_suite_done(&suite);
    close_description(&description);
}

static void test_suite__refuses_what_it_does_not_understand(void **state)
{
    (void)state;
#define ONE "{\"cases\": [{\"name\": \"one\", \"input\": \"in.txt\", \"test\": \"true\""
    assert_refused("{", PARE_E_SYNTAX, "cases.json:1:1: ");
    assert_refused("[]", PARE_E_SYNTAX, "\"cases\" is missing");
    assert_refused("{\"cases\": {}}", PARE_E_SYNTAX, "'cases' has to be a list");
    assert_refused("{\"cases\": [1]}", PARE_E_SYNTAX, "without a \"name\"");
    assert_refused("{\"cases\": [{\"name\": \"x\"}]}", PARE_E_SYNTAX,
                   "case 'x': 'input' is missing");
    assert_refused("{\"cases\": [{\"name\": \"x\", \"input\": \"in.txt\"}]}", PARE_E_SYNTAX,
                   "case 'x': 'test' is missing");
    assert_refused("{\"cases\": [{\"name\": \"x\", \"input\": \"none\", \"test\": \"true\"}]}",
                   PARE_E_IO, "none");
    assert_refused(ONE ", \"inptu\": 1}]}", PARE_E_SYNTAX, "'inptu' is not known");
    assert_refused(ONE ", \"known\": 0}]}", PARE_E_SYNTAX, "'known' has to be a whole number");
    assert_refused(ONE ", \"frontier\": [[1]]}]}", PARE_E_SYNTAX, "'frontier' has to be a pair");
    assert_refused(ONE ", \"frontier\": [[2, 1], [1, 1]]}]}", PARE_E_SYNTAX,
                   "in the order of tests");
    assert_refused(ONE ", \"target\": [[1]]}]}", PARE_E_SYNTAX, "'target' has to be a pair");
    assert_refused(ONE ", \"target\": [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]]}]}", PARE_E_SYNTAX,
                   "more than four");
    assert_refused(ONE ", \"peer\": {\"name\": \"p\"}}]}", PARE_E_SYNTAX, "'peer' needs");
    assert_refused(ONE ", \"group\": [\"a\", \"b\", \"c\", \"d\", \"e\"]}]}", PARE_E_SYNTAX,
                   "more than four");
    assert_refused(ONE "}, {\"name\": \"one\", \"input\": \"in.txt\", \"test\": \"true\"}]}",
                   PARE_E_ARG, "two cases called 'one'");
    assert_refused("{\"cases\": [], \"max_time\": \"long\"}", PARE_E_SYNTAX,
                   "'max_time' has to be");
#undef ONE
}

static pare_status read_once(void *context)
{
    const struct description *description = context;
    pare_suite suite = {0};
    pare_status status = pare_suite_read(&suite, description->path, NULL);
    pare_suite_done(&suite);
    return status;
}

static void test_suite__reports_oom(void **state)
{
    (void)state;
    struct description description;
    open_description(&description);
    put(description.folder, "cases.json",
        "{\"name\": \"mine\", \"algorithms\": [\"auto\"], \"cases\": ["
        "{\"name\": \"one\", \"input\": \"in.txt\", \"test\": \"in.txt\", \"group\": [\"x\", "
        "\"y\"],"
        " \"grammar\": \"a.g4\", \"frontier\": [[1, 9]]},"
        "{\"name\": \"two\", \"input\": \"nowhere\", \"test\": \"true\", \"optional\": true}]}");
    sweep_allocations(read_once, &description);
    close_description(&description);
}

static void test_suite__finds_cases_in_folders(void **state)
{
    (void)state;
    struct description description;
    pare_suite suite = {0};
    pare_error err = {0};
    char path[600];
    open_description(&description);
    assert_int_equal(pare_suite_read(&suite, description.folder, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "there is no case in"));
    pare_suite_done(&suite);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/case%d", description.folder, i);
        assert_int_equal(pare_file_make_directories(path, NULL), PARE_OK);
        put(path, "input.c", "int x;");
        put(path, "test.sh", "#!/bin/sh\n");
    }
    assert_int_equal(pare_suite_read(&suite, description.folder, NULL), PARE_OK);
    assert_int_equal(suite.n_cases, 2);
    assert_string_equal(suite.cases[0].name, "case0");
    assert_string_equal(suite.cases[1].input_name, "input.c");
    assert_non_null(strstr(suite.cases[1].test_command, "/case1/test.sh'"));
    assert_non_null(strstr(suite.cases[1].test_shown, "/case1/test.sh"));
    pare_suite_done(&suite);
    put(path, "input.d", "again");
    err = (pare_error){0};
    assert_int_equal(pare_suite_read(&suite, path, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "has two inputs"));
    pare_suite_done(&suite);
    close_description(&description);
}

/* ---- generated cases ------------------------------------------------------------- */

static pare_outcome run_case(const pare_case *subject, const char *text)
{
    return subject->predicate(subject->predicate_context, text, strlen(text));
}

static void test_generated__inputs_fail_and_tests_know_three_outcomes(void **state)
{
    (void)state;
    pare_suite suite = {0}, again = {0}, other = {0};
    pare_suite_generated options = {.inputs = 1};
    assert_int_equal(pare_suite_generate(&suite, &options, NULL), PARE_OK);
    assert_int_equal(suite.n_cases, 5 * 2 * 3);
    for (size_t i = 0; i < suite.n_cases; i++) {
        const pare_case *subject = &suite.cases[i];
        assert_int_equal(
            subject->predicate(subject->predicate_context, subject->input, subject->input_bytes),
            PARE_FAIL);
        assert_int_equal(run_case(subject, "((("), PARE_UNRESOLVED);
        assert_int_equal(run_case(subject, ""), PARE_UNRESOLVED);
    }
    assert_string_equal(suite.cases[0].groups[0], "expr");
    assert_int_equal(run_case(&suite.cases[0], "1"), PARE_PASS); /* asks for more than a digit */
    assert_int_equal(pare_suite_generate(&again, &options, NULL), PARE_OK);
    options.seed = 1;
    assert_int_equal(pare_suite_generate(&other, &options, NULL), PARE_OK);
    size_t n_other = 0;
    for (size_t i = 0; i < suite.n_cases; i++) {
        assert_int_equal(suite.cases[i].input_bytes, again.cases[i].input_bytes);
        assert_memory_equal(suite.cases[i].input, again.cases[i].input, suite.cases[i].input_bytes);
        assert_string_equal(suite.cases[i].needs, again.cases[i].needs);
        n_other += strcmp(suite.cases[i].needs, other.cases[i].needs) != 0;
    }
    assert_true(n_other > suite.n_cases / 2);
    char *scratch = pare_alloc_text(suite.resources->scratch, strlen(suite.resources->scratch));
    assert_true(pare_file_is_directory(scratch));
    pare_suite_done(&suite);
    assert_false(pare_file_exists(scratch));
    pare_alloc_free(scratch);
    pare_suite_done(&again);
    pare_suite_done(&other);
}

/* ---- runs ------------------------------------------------------------------------ */

static pare_outcome needs_xy(void *context, const void *bytes, size_t size)
{
    (void)context;
    const char *x = memchr(bytes, 'x', size);
    return x && memchr(x, 'y', size - (size_t)(x - (const char *)bytes)) ? PARE_FAIL : PARE_PASS;
}

static char *const toy_contenders[] = {"ddmin/char", "sweep/byte"};
static pare_case toy_cases[] = {{.name = "toy",
                                 .input = (unsigned char *)"--x--y--",
                                 .input_bytes = 8,
                                 .input_name = "toy",
                                 .predicate = needs_xy}};

static pare_status run_once(void *context)
{
    pare_suite suite = {.cases = toy_cases, .n_cases = 1};
    pare_shootout_options options = {
        .suite = &suite, .contenders = (const char *const *)toy_contenders, .n_contenders = 2};
    pare_shootout shootout = {0};
    pare_status status = pare_shootout_run(&options, &shootout, NULL);
    if (context && !status) {
        assert_int_equal(shootout.n_runs, 2);
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(shootout.runs[i].checked, PARE_FAIL);
            assert_int_equal(shootout.runs[i].size_bytes, 2);
            assert_memory_equal(shootout.runs[i].result, "xy", 2);
        }
        assert_true(shootout.runs[0].stats.tests_run > 0);
        assert_true(*shootout.machine != '\0');
    }
    pare_shootout_done(&shootout);
    return status;
}

static void test_shootout__runs_each_cell_and_tests_results_again(void **state)
{
    (void)state;
    assert_int_equal(run_once(toy_cases), PARE_OK);
}

static void test_shootout__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(run_once, NULL);
}

static void test_shootout__refuses_wrong_options(void **state)
{
    (void)state;
    static const struct {
        const char *contender, *says;
    } wrong[] = {{"ddmni", "unknown algorithm 'ddmni'"},
                 {"ddmin,", "unknown algorithm ''"},
                 {"ddmin/lien", "unknown unit 'lien' in 'ddmin/lien'"},
                 {"ddmin/", "unknown unit ''"}};
    pare_suite suite = {.cases = toy_cases, .n_cases = 1};
    pare_shootout shootout = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_error err = {0};
        pare_shootout_options options = {
            .suite = &suite, .contenders = &wrong[i].contender, .n_contenders = 1};
        assert_int_equal(pare_shootout_run(&options, &shootout, &err), PARE_E_ARG);
        if (!strstr(err.message, wrong[i].says))
            fail_msg("'%s' does not say '%s'", err.message, wrong[i].says);
        pare_shootout_done(&shootout);
    }
    static const unsigned descending[] = {2, 1};
    pare_shootout_options options = {.suite = &suite, .jobs = descending, .n_jobs = 2};
    assert_int_equal(pare_shootout_run(&options, &shootout, NULL), PARE_E_ARG);
    pare_shootout_done(&shootout);
    pare_suite empty = {0};
    options = (pare_shootout_options){.suite = &empty};
    assert_int_equal(pare_shootout_run(&options, &shootout, NULL), PARE_E_ARG);
    pare_shootout_done(&shootout);
}

/* A run whose algorithm does not fit its case is a result, and does not end the matrix. */
static void test_shootout__keeps_what_a_run_failed_of(void **state)
{
    (void)state;
    static const char *const both[] = {"grabr", "sweep/byte"};
    pare_suite suite = {.cases = toy_cases, .n_cases = 1};
    pare_shootout_options options = {.suite = &suite, .contenders = both, .n_contenders = 2};
    pare_shootout shootout = {0};
    assert_int_equal(pare_shootout_run(&options, &shootout, NULL), PARE_OK);
    assert_int_equal(shootout.n_runs, 2);
    assert_int_not_equal(shootout.runs[0].status, PARE_OK);
    assert_non_null(strstr(shootout.runs[0].message, "grammar"));
    assert_int_equal(shootout.runs[1].status, PARE_OK);
    pare_shootout_done(&shootout);
}

/* ---- the page -------------------------------------------------------------------- */

static pare_status write_page(void *context)
{
    struct fixture *fixture = context;
    pare_buffer out = {0};
    pare_shootout_page page = {.command = "pare shootout '<b>'"};
    pare_status status = pare_shootout_page_write(&page, &fixture->shootout, &out, NULL);
    if (!status) {
        assert_null(strstr(out.data, "<b>'"));
        assert_non_null(strstr(out.data, "&lt;b&gt;"));
        assert_non_null(strstr(out.data, "Parallel speed-up"));
        assert_non_null(strstr(out.data, "</html>"));
        assert_null(strstr(out.data, "src="));
        assert_null(strstr(out.data, "://"));
    }
    pare_buffer_done(&out);
    return status;
}

static void test_page__reports_oom(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    sweep_allocations(write_page, &fixture);
}

static void test_page__is_whole_without_any_run(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    fixture.shootout.n_runs = 0;
    fixture.shootout.interrupted = true;
    pare_buffer out = {0};
    pare_shootout_page page = {.command = NULL};
    assert_int_equal(pare_shootout_page_write(&page, &fixture.shootout, &out, NULL), PARE_OK);
    assert_non_null(strstr(out.data, "It was interrupted"));
    assert_null(strstr(out.data, "nan"));
    assert_null(strstr(out.data, "inf"));
    pare_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_score__is_of_geometric_means),
        cmocka_unit_test(test_score__counts_who_never_came_near_ten_times),
        cmocka_unit_test(test_score__leaves_out_cases_that_somebody_has_no_result_of),
        cmocka_unit_test(test_score__is_of_a_group),
        cmocka_unit_test(test_score__tells_what_did_not_fail_again),
        cmocka_unit_test(test_speed_up__compares_with_the_first_number_of_jobs),
        cmocka_unit_test(test_curve__is_a_step_at_each_success),
        cmocka_unit_test(test_score__sums_what_parts_earned_by_their_names),
        cmocka_unit_test(test_targets__are_met_at_the_figure_and_missed_beyond),
        cmocka_unit_test(test_suite__reads_all_keys),
        cmocka_unit_test(test_suite__refuses_what_it_does_not_understand),
        cmocka_unit_test(test_suite__reports_oom),
        cmocka_unit_test(test_suite__finds_cases_in_folders),
        cmocka_unit_test(test_generated__inputs_fail_and_tests_know_three_outcomes),
        cmocka_unit_test(test_shootout__runs_each_cell_and_tests_results_again),
        cmocka_unit_test(test_shootout__reports_oom),
        cmocka_unit_test(test_shootout__refuses_wrong_options),
        cmocka_unit_test(test_shootout__keeps_what_a_run_failed_of),
        cmocka_unit_test(test_page__reports_oom),
        cmocka_unit_test(test_page__is_whole_without_any_run),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
