/* Which algorithms and units there are: the tables behind --list-algorithms. */
#ifndef PARE_ALGORITHM_H
#define PARE_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_algorithm_info {
    const char *name;    /* as given to --algorithm */
    const char *summary; /* one line: what it does */
    const char *source;  /* paper, seed document or tool */
    bool one_minimal;    /* its result is 1-minimal in its units, or 1-tree-minimal */
    bool on_trees;       /* it reduces a tree, not a list of units */
    bool on_choices;     /* it takes the input's bytes for the choices of a generator */
} pare_algorithm_info;

/* Entry `index` of the table, in the order in which it is shown; NULL behind the last.
 * Static. */
PARE_API const pare_algorithm_info *pare_algorithm_at(size_t index);

typedef struct pare_unit_info {
    const char *name, *summary;
} pare_unit_info;

/* Likewise. */
PARE_API const pare_unit_info *pare_unit_at(size_t index);

#ifdef __cplusplus
}
#endif

#endif
