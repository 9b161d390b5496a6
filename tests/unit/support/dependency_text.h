/* The graph of declarations of a short program in C++.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_DEPENDENCY_TEXT_H
#define PARE_TESTS_UNIT_SUPPORT_DEPENDENCY_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "reduce/dependency/dependency.h"

/* Ended by pare_dependency_unref. */
static inline pare_dependency *make_graph(const char *source)
{
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = false;
    assert_int_equal(pare_text_copy(source, strlen(source), &text, NULL), PARE_OK);
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = "cpp"};
    assert_int_equal(pare_dependency_make(&view, &known, &graph, NULL), PARE_OK);
    assert_true(known);
    pare_text_unref(text);
    return graph;
}

#endif
