/* Phases of a plan: what each kind of them runs over, and by which name it is counted. */
/* tests: src/session/plan/phase.c src/session/plan/phase_input.c */
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

static const char INPUT[] = "f(a, [b, (c)], d);\ng(x);\nh({e}, i);\n";

static pare_outcome has_x(void *context, const void *bytes, size_t size)
{
    (void)context;
    return size && memchr(bytes, 'x', size) ? PARE_FAIL : PARE_PASS;
}

/* The names of the passes of a reduction, in the order of their first turn. */
static void reduce(const char *algorithms, const char *units, char names[256], pare_result *result)
{
    const pare_reduce_options options = {.input.bytes = INPUT,
                                         .input.size_bytes = sizeof INPUT - 1,
                                         .test.predicate = has_x,
                                         .trees.language = "none",
                                         .algorithms = algorithms,
                                         .units = units};
    pare_error err = {0};
    names[0] = '\0';
    assert_int_equal(pare_reduce(&options, result, &err), PARE_OK);
    for (size_t k = 0; k < result->stats.n_passes; k++)
        (void)snprintf(names + strlen(names), 256 - strlen(names), "%s%s", k ? " " : "",
                       result->stats.passes[k].name);
}

static void test_phase__passes_are_named_for_algorithm_and_unit(void **state)
{
    static const struct {
        const char *algorithms, *units, *passes;
    } rows[] = {{"ddmin", "line", "ddmin/line"},
                {"ddmin", "line,token", "ddmin/line ddmin/token"},
                {"ddmin,quickxplain", "line", "ddmin/line quickxplain/line"},
                {"ddmin", "bracket", "ddmin/bracket"},
                {"hdd", NULL, "hdd/tree"},
                {"choices", NULL, "choices"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char names[256];
        pare_result result = {0};
        reduce(rows[k].algorithms, rows[k].units, names, &result);
        assert_string_equal(names, rows[k].passes);
        pare_result_done(&result);
    }
}

/* Each phase works on what the one before has left. */
static void test_phase__later_phases_go_on_from_the_best(void **state)
{
    (void)state;
    char names[256];
    pare_result lines = {0}, both = {0};
    reduce("ddmin", "line", names, &lines);
    assert_int_equal(lines.size_bytes, strlen("g(x);\n"));
    reduce("ddmin", "line,char", names, &both);
    assert_int_equal(both.size_bytes, 1);
    assert_int_equal(both.stats.units_in, 3); /* of the first phase */
    assert_int_equal(both.stats.units_out, 1);
    assert_string_equal(both.stats.minimal_unit, "char"); /* of the last */
    pare_result_done(&lines);
    pare_result_done(&both);
}

/* Level by level, with the commas on either side: all members but the one that is needed go. */
static void test_phase__levels_of_brackets_go_down_to_the_innermost(void **state)
{
    (void)state;
    static const char nested[] = "((p, q), (r, (s, (x, t)), u), v)";
    const pare_reduce_options options = {.input.bytes = nested,
                                         .input.size_bytes = sizeof nested - 1,
                                         .test.predicate = has_x,
                                         .algorithms = "ddmin",
                                         .units = "bracket"};
    pare_result result = {0};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    for (const char *gone = "pqrstuv"; *gone; gone++)
        assert_null(memchr(result.bytes, *gone, result.size_bytes));
    assert_non_null(memchr(result.bytes, 'x', result.size_bytes));
    pare_result_done(&result);
}

static void test_phase__a_text_with_protected_stretches_keeps_them(void **state)
{
    (void)state;
    static const char *const protect[] = {"\\[b"};
    static const char *const algorithms[] = {"ddmin", "hdd", "auto"};
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        const pare_reduce_options options = {.input.bytes = INPUT,
                                             .input.size_bytes = sizeof INPUT - 1,
                                             .input.protect = protect,
                                             .input.n_protect = 1,
                                             .test.predicate = has_x,
                                             .trees.language = "none",
                                             .algorithms = algorithms[k]};
        pare_result result = {0};
        assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
        assert_non_null(memmem(result.bytes, result.size_bytes, "[b", 2));
        assert_true(result.size_bytes < sizeof INPUT - 1);
        pare_result_done(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase__passes_are_named_for_algorithm_and_unit),
        cmocka_unit_test(test_phase__later_phases_go_on_from_the_best),
        cmocka_unit_test(test_phase__levels_of_brackets_go_down_to_the_innermost),
        cmocka_unit_test(test_phase__a_text_with_protected_stretches_keeps_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
