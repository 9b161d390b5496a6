/* What a program needs by its graph is proposed once. */
/* tests: src/reduce/dependency/needed.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/needed.h"
#include "unit/alloc_sweep.h"
#include "unit/support/dependency_text.h"

/* Asserts what is proposed, by a copy, too; NULL: nothing is. */
static void assert_next(pare_strategy *strategy, const char *expected)
{
    pare_next what;
    pare_candidate candidate = {0};
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    assert_int_equal(what, expected ? PARE_NEXT_TEST : PARE_NEXT_DONE);
    if (expected) {
        char text[256];
        assert_in_range(candidate.size, 1, sizeof text - 1);
        pare_candidate_read(&candidate, text);
        text[candidate.size] = '\0';
        assert_string_equal(text, expected);
    }
    pare_candidate_done(&candidate);
}

static void assert_needed(const char *source, const char *expected)
{
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL, *copy = NULL;
    assert_int_equal(pare_needed_new(graph, &strategy, NULL), PARE_OK);
    pare_dependency_unref(graph);
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    assert_next(strategy, expected);
    if (expected) assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    assert_next(strategy, NULL);
    assert_next(copy, expected);
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
}

static void test_needed__what_the_last_node_uses_is_proposed_once(void **state)
{
    (void)state;
    assert_needed("int a;int f(){return a;}int g(){return 1;}int main(){return f();}",
                  "int a;int f(){return a;}int main(){return f();}");
}

static void test_needed__nothing_where_all_is_needed(void **state)
{
    (void)state;
    assert_needed("int a;int main(){return a;}", NULL);
}

static pare_status make_once(void *context)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_status status = pare_needed_new(context, &strategy, NULL);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
    return status;
}

static void test_needed__reports_each_lack_of_memory(void **state)
{
    (void)state;
    pare_dependency *graph = make_graph("int a;int g(){return 1;}int main(){return g();}");
    sweep_allocations(make_once, graph);
    pare_dependency_unref(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needed__what_the_last_node_uses_is_proposed_once),
        cmocka_unit_test(test_needed__nothing_where_all_is_needed),
        cmocka_unit_test(test_needed__reports_each_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
