/* The outline of a program in a language with a table of bindings.
 *
 * Not made yet: no such program has a graph, and its reduction begins with what follows the graph.
 * Where C and C++ are read from tokens (outline_c.c), these would be read from their trees. */
/* tests: tests/unit/test_dependency.c */
#include "reduce/dependency/outline.h"
#include "reduce/passes/pass.h"

pare_status pare_outline_tree(const pare_pass_view *view, pare_outline *out, pare_error *err)
{
    (void)view;
    (void)out;
    (void)err;
    return PARE_OK;
}
