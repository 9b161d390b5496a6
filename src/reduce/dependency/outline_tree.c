/* The outline of a program in a language with a table of bindings: none yet. */
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
