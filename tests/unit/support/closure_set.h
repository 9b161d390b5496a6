/* Sets of nodes of a graph of declarations in tests: made, found in the text and printed.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_CLOSURE_SET_H
#define PARE_TESTS_UNIT_SUPPORT_CLOSURE_SET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"

static inline pare_dependency_bits *new_set(const pare_dependency *graph)
{
    pare_dependency_bits *set = test_calloc(pare_dependency_set_size(graph), sizeof *set);
    assert_non_null(set);
    return set;
}

static inline pare_dependency_bits *all_nodes(const pare_dependency *graph)
{
    pare_dependency_bits *set = new_set(graph);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(set, i);
    return set;
}

/* The innermost node that holds the first byte of `what`. */
static inline uint32_t node_of(const pare_dependency *graph, const char *source, const char *what)
{
    pare_dependency_bits *all = all_nodes(graph);
    const char *found = strstr(source, what);
    if (!found) fail_msg("no '%s' in: %s", what, source);
    uint32_t node = pare_dependency_print_node_at(graph, all, (size_t)(found - source));
    test_free(all);
    if (node == PARE_NO_NODE) fail_msg("'%s' is in no node of: %s", what, source);
    return node;
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

#endif
