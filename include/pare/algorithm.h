/* Which algorithms and units there are: the tables behind --list-algorithms. */
#ifndef PARE_ALGORITHM_H
#define PARE_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/export.h>

typedef struct pare_algorithm_info {
    const char *name;    /* as given to --algorithm */
    const char *summary; /* one line: what it does */
    const char *source;  /* paper, seed document or tool */
    bool one_minimal;    /* its result is 1-minimal in its units */
} pare_algorithm_info;

/* The table, in the order in which it is shown; *n entries, static. */
PARE_API const pare_algorithm_info *pare_algorithms(size_t *n);

typedef struct pare_unit_info {
    const char *name, *summary;
} pare_unit_info;

PARE_API const pare_unit_info *pare_units(size_t *n);

#endif
