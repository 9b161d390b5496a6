/* Which nodes a complaint makes suspect, and how far their users are followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/suspects.h"
#include "unit/support/dependency_text.h"

/* All nodes of the graph, a set to be released. */
static pare_shared *all_of(const pare_dependency *graph)
{
    pare_shared *set = NULL;
    pare_dependency_bits *bits = NULL;
    assert_int_equal(pare_dependency_new_set(graph, &set, &bits, NULL), PARE_OK);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(bits, i);
    return set;
}

/* The suspects of one complaint. */
static pare_suspects take(const pare_dependency *graph, const pare_shared *all, unsigned line,
                          unsigned column)
{
    pare_suspects suspects = {0};
    pare_repairs repairs = {0};
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = line, .column = column}}};
    assert_int_equal(
        pare_suspects_take(&suspects, graph, pare_shared_items(all), &complaints, &repairs, NULL),
        PARE_OK);
    pare_repairs_done(&repairs);
    return suspects;
}

static void test_suspects__a_function_is_suspect_with_its_body(void **state)
{
    (void)state;
    pare_dependency *graph = make_graph("int a;\nint f(){return a;}\n");
    pare_shared *all = all_of(graph);
    const pare_suspects suspects = take(graph, all, 2, 5);
    uint32_t copy[PARE_SUSPECTS_MOST];
    assert_int_equal(suspects.n, 2);
    assert_int_equal(suspects.nodes[0],
                     pare_dependency_print_node_at(graph, pare_shared_items(all), 7));
    assert_true(pare_dependency_nodes(graph)[suspects.nodes[1]].parent == suspects.nodes[0]);
    assert_int_equal(pare_suspects_copy(&suspects, true, copy), 2);
    assert_memory_equal(copy, suspects.nodes, 2 * sizeof *copy);
    assert_int_equal(take(graph, all, 90, 1).n, 0);
    pare_shared_release(all);
    pare_dependency_unref(graph);
}

/* Each level is of those that name the one before it; after three of them there is no other. */
static void test_suspects__users_are_followed_for_three_levels(void **state)
{
    (void)state;
    pare_dependency *graph = make_graph("struct a{};\nstruct b{a x;};\nstruct c{b x;};\n"
                                        "struct d{c x;};\nstruct e{d x;};\n");
    pare_shared *all = all_of(graph);
    const pare_dependency_query query = {.within = pare_shared_items(all)};
    pare_suspects suspects = take(graph, all, 1, 8);
    for (size_t level = 0, before = 0; level < 4; level++) {
        bool more = true;
        assert_int_equal(pare_suspects_widen(&suspects, graph, &query, &more, NULL), PARE_OK);
        assert_int_equal(more, level < 3);
        assert_int_equal(suspects.n_users > before, more);
        before = suspects.n_users;
    }
    pare_shared_release(all);
    pare_dependency_unref(graph);
}

/* What more than PARE_SUSPECTS_MOST_USERS nodes name is everybody's: none of them is added. */
static void test_suspects__of_many_users_none_is_added(void **state)
{
    (void)state;
    for (unsigned n = PARE_SUSPECTS_MOST_USERS; n <= PARE_SUSPECTS_MOST_USERS + 1; n++) {
        char source[2048] = "struct a;\n";
        for (unsigned i = 0; i < n; i++)
            (void)snprintf(source + strlen(source), sizeof source - strlen(source),
                           "extern a *v%u;\n", i);
        pare_dependency *graph = make_graph(source);
        pare_shared *all = all_of(graph);
        const pare_dependency_query query = {.within = pare_shared_items(all)};
        pare_suspects suspects = take(graph, all, 1, 8);
        bool more = false;
        assert_int_equal(pare_suspects_widen(&suspects, graph, &query, &more, NULL), PARE_OK);
        assert_int_equal(more, n == PARE_SUSPECTS_MOST_USERS);
        assert_int_equal(suspects.n_users, more ? n : 0);
        pare_shared_release(all);
        pare_dependency_unref(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suspects__a_function_is_suspect_with_its_body),
        cmocka_unit_test(test_suspects__users_are_followed_for_three_levels),
        cmocka_unit_test(test_suspects__of_many_users_none_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
