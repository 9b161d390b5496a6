/* The table of the passes over names and syntax. */
#include "reduce/binding/passes.h"

#include <string.h>

static const pare_pass *const table[] = {
    &pare_binding_unused,        &pare_binding_declarations, &pare_binding_bodies,
    &pare_binding_members,       &pare_binding_parameters,   &pare_binding_blocks,
    &pare_binding_expressions,   &pare_binding_types,        &pare_binding_dimensions,
    &pare_binding_inline_values, &pare_binding_inline_calls, &pare_binding_spread_values,
    &pare_binding_spread_calls,  &pare_binding_moves,
};

enum { N_PASSES = sizeof table / sizeof(const pare_pass *) };

const pare_pass *const *pare_binding_passes(size_t *n)
{
    *n = N_PASSES;
    return table;
}

const pare_pass *pare_binding_pass_find(const char *name)
{
    for (size_t i = 0; i < N_PASSES; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
