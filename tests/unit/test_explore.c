/* Exploring and learning, with shell scripts that stand for engines: one makes 30 steps as the
 * script would, and dies at some. */
/* tests: src/generate/discovery/explore.c src/generate/discovery/learn.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <pare/graph_explore.h>

#include "alloc_sweep.h"
#include "support/scratch.h"

enum { N_STEPS = 30 };

/* Step N looks at property mN of the global object.  `print` says when lines get out, `deaths` has
 * a branch of a case for each step that kills. */
#define ENGINE(print, deaths)                                                             \
    "limit=$(sed -n 's/.*({limit: \\([0-9]*\\),.*/\\1/p' \"$1\")\n"                       \
    "skip=,$(sed -n 's/^ *skip: \\[\\(.*\\)\\],$/\\1/p' \"$1\")\n"                        \
    "kept='pare-probe 1\no 0 0 g %!\nt 0 o Object 0'\n"                                   \
    "say() { kept=\"$kept\n$1\"; " print "; }\n"                                          \
    "tell() { echo \"$kept\"; kept=; }\n"                                                 \
    "n=0\n"                                                                               \
    "while [ $n -lt 30 ]; do\n"                                                           \
    "    [ $n -lt $limit ] || { say \"stop $((n + 1)) 0 m$((n + 1))\"; tell; exit 0; }\n" \
    "    n=$((n + 1))\n"                                                                  \
    "    case $skip in *,$n,*) continue ;; esac\n"                                        \
    "    case $n in " deaths " esac\n"                                                    \
    "    say \"m 0 m$n d\ns $n\"\n"                                                       \
    "done\n"                                                                              \
    "say 'end 1'; tell\n"
#define AT_ONCE "tell"
#define AT_THE_END ":"
#define CRASH "kill -SEGV $$ ;;"

static pare_graph_explored explore(const char *engine, uint64_t timeout_ms)
{
    const char *const words[] = {"sh", "-c", engine, "engine", "@@"};
    const pare_graph_explore_options options = {
        .engine = {.words = words, .n_words = 5, .timeout_ms = timeout_ms}};
    pare_graph_explored explored = {0};
    pare_error err = {0};
    pare_status status = pare_graph_explore(&options, &explored, &err);
    if (status) fail_msg("%s", err.message);
    return explored;
}

/* Whether the global object has property `name`. */
static bool has_property(const pare_graph *graph, const char *name)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, 0, &n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(pare_graph_edge_at(graph, edges[i])->name, name) == 0) return true;
    return false;
}

static uint32_t count_properties(const pare_graph *graph)
{
    uint32_t n;
    (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, 0, &n);
    return n;
}

static void test_explore__an_engine_that_lives_is_run_once(void **state)
{
    (void)state;
    pare_graph_explored explored = explore(ENGINE(AT_ONCE, "x) ;;"), 0);
    assert_true(explored.is_whole);
    assert_int_equal(explored.n_runs, 1);
    assert_int_equal(explored.n_findings, 0);
    assert_int_equal(count_properties(explored.graph), N_STEPS);
    pare_graph_explored_done(&explored);
}

/* The steps that kill `engine` are the first, two that are neighbours, and the last. */
static void assert_finds_steps(const char *engine)
{
    static const char *const paths[] = {"this.m1", "this.m16", "this.m17", "this.m30"};
    pare_graph_explored explored = explore(engine, 0);
    assert_true(explored.is_whole);
    assert_int_equal(explored.n_findings, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(explored.findings[i].path, paths[i]);
        assert_int_equal(explored.findings[i].signal, SIGSEGV);
        assert_non_null(strstr(explored.findings[i].script, "limit: "));
        assert_false(has_property(explored.graph, paths[i] + strlen("this.")));
    }
    assert_int_equal(count_properties(explored.graph), N_STEPS - 4);
    pare_graph_explored_done(&explored);
}

static void test_explore__steps_that_kill_are_found_and_skipped(void **state)
{
    (void)state;
    assert_finds_steps(ENGINE(AT_ONCE, "1|16|17|30) " CRASH));
}

static void test_explore__they_are_found_if_a_dying_engine_prints_nothing(void **state)
{
    (void)state;
    assert_finds_steps(ENGINE(AT_THE_END, "1|16|17|30) " CRASH));
}

static void test_explore__a_hang_is_a_finding_too(void **state)
{
    (void)state;
    pare_graph_explored explored = explore(ENGINE(AT_THE_END, "9) sleep 100 ;;"), 1500);
    assert_true(explored.is_whole);
    assert_int_equal(explored.n_findings, 1);
    assert_true(explored.findings[0].timed_out);
    assert_string_equal(explored.findings[0].path, "this.m9");
    pare_graph_explored_done(&explored);
}

static void test_explore__leaving_with_a_failure_is_a_finding_too(void **state)
{
    (void)state;
    pare_graph_explored explored = explore(ENGINE(AT_ONCE, "9) exit 3 ;;"), 0);
    assert_int_equal(explored.n_findings, 1);
    assert_int_equal(explored.findings[0].exit_code, 3);
    assert_int_equal(explored.findings[0].signal, 0);
    pare_graph_explored_done(&explored);
}

static void test_explore__what_the_script_throws_is_skipped_without_a_finding(void **state)
{
    (void)state;
    pare_graph_explored explored = explore(ENGINE(AT_ONCE, "9) say 'error x'; tell; exit 0 ;;"), 0);
    assert_true(explored.is_whole);
    assert_int_equal(explored.n_findings, 0);
    assert_int_equal(count_properties(explored.graph), N_STEPS - 1);
    pare_graph_explored_done(&explored);
}

/* Steps that send `engine` away with code 0: the first, three in a row, and the last. */
static void assert_finds_exits(const char *engine)
{
    static const char *const paths[] = {"this.m1", "this.m16", "this.m17", "this.m18", "this.m30"};
    pare_graph_explored explored = explore(engine, 0);
    assert_true(explored.is_whole);
    assert_int_equal(explored.n_findings, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(explored.findings[i].path, paths[i]);
        assert_int_equal(explored.findings[i].signal, 0);
        assert_int_equal(explored.findings[i].exit_code, 0);
        assert_non_null(strstr(explored.findings[i].script, "limit: "));
    }
    assert_int_equal(count_properties(explored.graph), N_STEPS - 5);
    pare_graph_explored_done(&explored);
}

static void test_explore__leaving_half_way_as_if_all_were_well_is_a_finding_too(void **state)
{
    (void)state;
    assert_finds_exits(ENGINE(AT_ONCE, "1|16|17|18|30) exit 0 ;;"));
    assert_finds_exits(ENGINE(AT_THE_END, "1|16|17|18|30) exit 0 ;;"));
}

/* The output of an engine that would come to its end goes through a pipe that breaks. */
static void test_explore__output_that_is_cut_off_is_kept_as_far_as_it_came(void **state)
{
    (void)state;
    pare_graph_explored explored =
        explore("{ " ENGINE(AT_THE_END, "x) ;;") " } 2>/dev/null | head -c 150", 0);
    assert_false(explored.is_whole);
    assert_int_equal(explored.n_findings, 0);
    assert_in_range(count_properties(explored.graph), 5, 20);
    pare_graph_explored_done(&explored);
}

static void test_explore__an_engine_that_always_dies_is_kept_as_far_as_it_came(void **state)
{
    (void)state;
    static const char engine[] =
        "printf 'pare-probe 1\no 0 0 g %%!\nm 0 x d\ns 1\n'; kill -SEGV $$";
    pare_graph_explored explored = explore(engine, 0);
    assert_false(explored.is_whole);
    assert_true(has_property(explored.graph, "x"));
    pare_graph_explored_done(&explored);
}

/* An engine that dies of the whole script, and says of every limit that it has come there, is asked
 * for ever larger ones: not beyond those that there are. */
static void test_explore__an_engine_that_lives_with_any_limit_is_given_up(void **state)
{
    (void)state;
    static const char engine[] =
        "printf 'pare-probe 1\no 0 0 g %%!\nm 0 x d\n';"
        " grep -q 'limit: 1073741824' \"$1\" && kill -SEGV $$; printf 'stop 1 0 x\n'";
    pare_graph_explored explored = explore(engine, 0);
    assert_false(explored.is_whole);
    assert_true(explored.n_runs < 40);
    assert_true(has_property(explored.graph, "x"));
    pare_graph_explored_done(&explored);
}

/* The reason why `engine` cannot be explored. */
static void assert_refused(const char *engine, const char *reason)
{
    const char *const words[] = {"sh", "-c", engine, "engine", "@@"};
    const pare_graph_explore_options options = {
        .engine = {.words = words, .n_words = 5, .timeout_ms = 1000}};
    pare_graph_explored explored = {0};
    pare_error err = {0};
    assert_int_equal(pare_graph_explore(&options, &explored, &err), PARE_E_STATE);
    if (!strstr(err.message, reason)) fail_msg("%s", err.message);
    assert_null(explored.graph);
}

static void test_explore__what_is_no_engine_is_refused_with_a_reason(void **state)
{
    (void)state;
    assert_refused("echo hello", "prints 'hello' instead");
    assert_refused("true", "prints nothing, and ends with exit code 0");
    assert_refused("echo why >&2; exit 4", "ends with exit code 4: why");
    assert_refused("kill -SEGV $$", "ends with signal 11");
    assert_refused("sleep 100", "does not end in");
    assert_refused("echo pare-probe 1", "prints nothing, and ends with exit code 0");
}

static void test_explore__bad_options_are_refused(void **state)
{
    (void)state;
    pare_graph_explored explored = {0};
    pare_graph_explore_options options = {0};
    assert_int_equal(pare_graph_explore(&options, &explored, NULL), PARE_E_ARG);
    options.engine.reserved[3] = 1;
    assert_int_equal(pare_graph_explore(&options, &explored, NULL), PARE_E_ARG);
}

static void test_explore__the_names_that_are_never_looked_at_are_there(void **state)
{
    (void)state;
    const char *name;
    bool has_quit = false;
    for (size_t i = 0; (name = pare_graph_never_at(i)) != NULL; i++)
        has_quit = has_quit || strcmp(name, "quit") == 0;
    assert_true(has_quit);
}

/* --- learning ------------------------------------------------------------------------------------ */

/* A graph of two functions, F and G. */
static pare_graph *make_graph(void)
{
    pare_graph_explored explored =
        explore("printf 'pare-probe 1\no 0 0 g %%!\nm 0 F 1\nm 0 G 2\no 1 0 m F\nt 1 f Function 1\n"
                "o 2 0 m G\nt 2 f Function 1\nend 3\n'",
                0);
    pare_graph *graph = explored.graph;
    explored.graph = NULL;
    pare_graph_explored_done(&explored);
    return graph;
}

/* Learns for `graph` from a test that no engine here reads. */
static pare_status learn(const pare_graph *graph, const char *engine, pare_graph_learned *learned,
                         pare_error *err)
{
    const char *const words[] = {"sh", "-c", engine, "engine", "@@"};
    const char *const tests[] = {"test.js"};
    const pare_graph_learn_options options = {
        .engine = {.words = words, .n_words = 5, .timeout_ms = 1000},
        .graph = graph,
        .tests = tests,
        .n_tests = 1};
    return pare_graph_learn(&options, learned, err);
}

static void assert_trouble(const pare_graph *graph, const char *engine, const char *trouble,
                           size_t n_signatures)
{
    pare_graph_learned learned = {0};
    pare_error err = {0};
    if (learn(graph, engine, &learned, &err) != PARE_OK) fail_msg("%s", err.message);
    const char *told = learned.lessons[0].trouble;
    if (trouble && (!told || !strstr(told, trouble))) fail_msg("%s", told ? told : "no trouble");
    if (!trouble && told) fail_msg("%s", told);
    assert_int_equal(learned.n_signatures, n_signatures);
    assert_int_equal(pare_graph_n_signatures(learned.graph),
                     pare_graph_n_signatures(graph) + n_signatures);
    assert_false(learned.is_other);
    pare_graph_learned_done(&learned);
}

static void test_learn__a_test_that_ends_badly_is_kept_with_its_trouble(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
#define SEEN "printf 'pare-learn 1\ng 0 1 c u d\n'; "
    assert_trouble(graph, SEEN "echo end 1", NULL, 1);
    assert_trouble(graph, SEEN "echo threw so%0020it%0020is; echo end 1", "throws so it is", 1);
    assert_trouble(graph, SEEN "echo late; echo end 1", "the test does not end in 1000 ms", 1);
    assert_trouble(graph, SEEN "sleep 100", "the test does not end in 1000 ms", 1);
    assert_trouble(graph, SEEN "kill -SEGV $$", "the engine ends with signal 11", 1);
    assert_trouble(graph, SEEN "exit 0", "the engine ends with exit code 0", 1);
    assert_trouble(graph, "echo pare-learn 1; echo end 0", "calls no function", 0);
    assert_trouble(graph, "echo g 0 1 c u", "does not run the script: it ends with", 0);
    assert_trouble(graph, "sleep 100", "does not run the script: it does not end", 0);
    pare_graph_free(graph);
}

static void test_learn__the_script_has_the_graph_and_the_test(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    assert_trouble(graph,
                   SEEN "grep -q '\"this.F\",\"this.G\"' \"$1\" && grep -q '^0,\"G\",2,' \"$1\" && "
                        "grep -q '\"what is tested\"' \"$1\" && echo end 1",
                   NULL, 1);
    pare_graph_free(graph);
}

static void test_learn__bad_options_are_refused(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    static const char *const words[] = {"true"}, *const nowhere[] = {"./there/is/no/such/test"};
    pare_graph_learned learned = {0};
    pare_graph_learn_options options = {.engine = {.words = words, .n_words = 1}};
    assert_int_equal(pare_graph_learn(&options, &learned, NULL), PARE_E_ARG);
    options.graph = graph;
    assert_int_equal(pare_graph_learn(&options, &learned, NULL), PARE_E_ARG);
    options.tests = nowhere;
    options.n_tests = 1;
    assert_int_equal(pare_graph_learn(&options, &learned, NULL), PARE_E_IO);
    assert_null(learned.graph);
    pare_graph_free(graph);
}

static pare_status attempt_exploring(void *context)
{
    (void)context;
    static const char *const words[] = {"sh", "-c", ENGINE(AT_ONCE, "x) ;;"), "engine", "@@"};
    const pare_graph_explore_options options = {.engine = {.words = words, .n_words = 5}};
    pare_graph_explored explored = {0};
    pare_status status = pare_graph_explore(&options, &explored, NULL);
    assert_true(status == PARE_OK || !explored.graph);
    pare_graph_explored_done(&explored);
    return status;
}

static pare_status attempt_learning(void *context)
{
    pare_graph_learned learned = {0};
    pare_status status = learn(context, SEEN "echo threw x; echo end 1", &learned, NULL);
    assert_true(status == PARE_OK || !learned.graph);
    pare_graph_learned_done(&learned);
    return status;
}

static void test_explore__any_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt_exploring, NULL);
}

static void test_learn__any_allocation_may_fail(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    sweep_allocations(attempt_learning, graph);
    pare_graph_free(graph);
}

static int set_up(void **state)
{
    if (scratch_setup(state)) return -1;
    scratch_write("test.js", "what is tested", 0600);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explore__an_engine_that_lives_is_run_once),
        cmocka_unit_test(test_explore__steps_that_kill_are_found_and_skipped),
        cmocka_unit_test(test_explore__they_are_found_if_a_dying_engine_prints_nothing),
        cmocka_unit_test(test_explore__a_hang_is_a_finding_too),
        cmocka_unit_test(test_explore__leaving_with_a_failure_is_a_finding_too),
        cmocka_unit_test(test_explore__what_the_script_throws_is_skipped_without_a_finding),
        cmocka_unit_test(test_explore__leaving_half_way_as_if_all_were_well_is_a_finding_too),
        cmocka_unit_test(test_explore__output_that_is_cut_off_is_kept_as_far_as_it_came),
        cmocka_unit_test(test_explore__an_engine_that_always_dies_is_kept_as_far_as_it_came),
        cmocka_unit_test(test_explore__an_engine_that_lives_with_any_limit_is_given_up),
        cmocka_unit_test(test_explore__what_is_no_engine_is_refused_with_a_reason),
        cmocka_unit_test(test_explore__bad_options_are_refused),
        cmocka_unit_test(test_explore__the_names_that_are_never_looked_at_are_there),
        cmocka_unit_test(test_learn__a_test_that_ends_badly_is_kept_with_its_trouble),
        cmocka_unit_test(test_learn__the_script_has_the_graph_and_the_test),
        cmocka_unit_test(test_learn__bad_options_are_refused),
        cmocka_unit_test(test_explore__any_allocation_may_fail),
        cmocka_unit_test(test_learn__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
