/* Edges that are learned: in order, each once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fail.h"
#include "reduce/dependency/dependency_edges.h"
#include "unit/alloc_sweep.h"

static pare_status add_all(pare_dependency_edges *edges, size_t *n_added)
{
    static const pare_dependency_edge all[] = {{3, 1}, {1, 2}, {3, 0}, {1, 2}, {2, 9}, {3, 1}};
    pare_status status = PARE_OK;
    *n_added = 0;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++) {
        bool added = false;
        status = pare_dependency_edges_add(edges, all[i], &added, NULL);
        *n_added += added;
    }
    return status;
}

static void test_dependency_edges__are_in_order_and_each_once(void **state)
{
    static const pare_dependency_edge expected[] = {{1, 2}, {2, 9}, {3, 0}, {3, 1}};
    pare_dependency_edges edges = {0};
    size_t n_added;
    (void)state;
    assert_int_equal(add_all(&edges, &n_added), PARE_OK);
    assert_int_equal(n_added, 4);
    assert_int_equal(edges.n, 4);
    assert_memory_equal(edges.at, expected, sizeof expected);
    pare_dependency_edges_done(&edges);
    assert_null(edges.at);
}

/* Adding under a failing allocator. */
static pare_status run(void *context)
{
    pare_dependency_edges edges = {0};
    size_t n_added;
    (void)context;
    pare_status status = add_all(&edges, &n_added);
    pare_dependency_edges_done(&edges);
    return status;
}

static void test_dependency_edges__survive_failing_allocations(void **state)
{
    (void)state;
    sweep_allocations(run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency_edges__are_in_order_and_each_once),
        cmocka_unit_test(test_dependency_edges__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
