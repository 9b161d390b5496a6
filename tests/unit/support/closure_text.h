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
#include "unit/support/closure_set.h"
#include "unit/support/program_driver.h"

/* One closure: of the node at `seed`. */
struct row {
    const char *source, *seed, *expected;
};

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
