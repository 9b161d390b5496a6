/* The table of the list algorithms, in the order of the manual page. */
#include <string.h>

#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"

static const pare_list_algorithm *const table[] = {
    &pare_list_ddmin,
    &pare_list_ddmin_parallel,
    &pare_list_ddmin_complement,
    &pare_list_ddmin_blog,
    &pare_list_ddrmin,
    &pare_list_quickxplain,
    &pare_list_group_testing,
    &pare_list_adaptive,
    &pare_list_lithium,
    &pare_list_probdd,
    &pare_list_cdd,
    &pare_list_sweep,
};

enum { N_ALGORITHMS = sizeof table / sizeof(const pare_list_algorithm *) };

const pare_list_algorithm *const *pare_list_algorithms(size_t *n)
{
    *n = N_ALGORITHMS;
    return table;
}

const pare_list_algorithm *pare_list_algorithm_find(const char *name)
{
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(table[i]->info.name, name) == 0) return table[i];
    return NULL;
}
