/* Graphs of short programs in any language whose outline needs no tree, and closures in them, row by row.  Include after
 * <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_CLOSURE_ROWS_H
#define PARE_TESTS_UNIT_SUPPORT_CLOSURE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"

/* A graph with its text; NULL: it has none. */
static inline pare_dependency *make_graph(const char *language, const char *source)
{
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = false;
    assert_int_equal(pare_text_copy(source, strlen(source), &text, NULL), PARE_OK);
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = language};
    assert_int_equal(pare_dependency_make(&view, &known, &graph, NULL), PARE_OK);
    assert_int_equal(known, graph != NULL);
    pare_text_unref(text);
    return graph;
}

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

/* One closure: of the node at `seed`. */
struct row {
    const char *language, *source, *seed, *expected;
    int bodies; /* 2: and the layout of objects */
};

static inline void assert_closure(const struct row *row)
{
    pare_dependency *graph = make_graph(row->language, row->source);
    assert_non_null(graph);
    pare_dependency_bits *kept = new_set(graph);
    const pare_dependency_query query = {.bodies = row->bodies > 0, .layout = row->bodies == 2};
    pare_dependency_add(kept, node_of(graph, row->source, row->seed));
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    if (strcmp(text, row->expected) != 0) print_error("of '%s' in: %s\n", row->seed, row->source);
    assert_string_equal(text, row->expected);
    test_free(text);
    test_free(kept);
    pare_dependency_unref(graph);
}

static inline void assert_closures(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_closure(&rows[i]);
}

#define ASSERT_CLOSURES(rows) assert_closures(rows, sizeof(rows) / sizeof *(rows))

#endif
