/* Graphs of short programs in any language whose outline needs no tree, and closures in them, row by row.  Include after
 * <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_CLOSURE_ROWS_H
#define PARE_TESTS_UNIT_SUPPORT_CLOSURE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reduce/dependency/dependency.h"
#include "unit/support/closure_set.h"

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
