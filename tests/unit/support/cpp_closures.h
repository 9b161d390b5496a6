/* Closures in short programs in C++, row by row.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_CPP_CLOSURES_H
#define PARE_TESTS_UNIT_SUPPORT_CPP_CLOSURES_H

#include <stddef.h>

#include "reduce/dependency/dependency.h"
#include "unit/support/closure_text.h"
#include "unit/support/dependency_text.h"

static inline void assert_closures(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pare_dependency *graph = make_graph(rows[i].source);
        char *text = print_closure(graph, &rows[i]);
        assert_string_equal(text, rows[i].expected);
        test_free(text);
        pare_dependency_unref(graph);
    }
}

#define ASSERT_CLOSURES(rows) assert_closures(rows, sizeof(rows) / sizeof *(rows))

#endif
