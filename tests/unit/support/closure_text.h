/* Closures of the smallest programs that show what is needed with what, for the tests of outlines by
 * syntax trees. */
#ifndef PARE_TESTS_UNIT_SUPPORT_CLOSURE_TEXT_H
#define PARE_TESTS_UNIT_SUPPORT_CLOSURE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"
#include "unit/support/program_driver.h"

/* One closure: of the node at `seed`. */
struct row {
    const char *source, *seed, *expected;
};

static inline pare_dependency_bits *new_set(const pare_dependency *graph)
{
    pare_dependency_bits *set = test_calloc(pare_dependency_set_size(graph), sizeof *set);
    assert_non_null(set);
    return set;
}

/* The text of a set; to be freed. */
static inline char *print_set(const pare_dependency *graph, const pare_dependency_bits *kept)
{
    pare_candidate candidate = {0};
    assert_int_equal(pare_dependency_print_candidate(graph, kept, &candidate, NULL), PARE_OK);
    assert_int_equal(candidate.size, pare_dependency_print_size(graph, kept));
    char *text = test_calloc(candidate.size + 1, 1);
    pare_candidate_read(&candidate, text);
    pare_candidate_done(&candidate);
    return text;
}

/* The innermost node that holds the first byte of `what`. */
static inline uint32_t node_of(const pare_dependency *graph, const char *source, const char *what)
{
    pare_dependency_bits *all = new_set(graph);
    const char *found = strstr(source, what);
    if (!found) fail_msg("no '%s' in: %s", what, source);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(all, i);
    uint32_t node = pare_dependency_print_node_at(graph, all, (size_t)(found - source));
    test_free(all);
    if (node == PARE_NO_NODE) fail_msg("'%s' is in no node of: %s", what, source);
    return node;
}

/* The text of the closure of the node at row->seed; to be freed. */
static inline char *print_closure(const pare_dependency *graph, const struct row *row)
{
    const pare_dependency_query query = {.bodies = true};
    pare_dependency_bits *kept = new_set(graph);
    pare_dependency_add(kept, node_of(graph, row->source, row->seed));
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    test_free(kept);
    return text;
}

#endif
