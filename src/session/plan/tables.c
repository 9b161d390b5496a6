/* The tables behind --list-algorithms: what the pipeline adds, then the list family and the tree algorithms. */
#include <pare/algorithm.h>
#include <pare/pare.h>

#include "reduce/list/algorithms.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"
#include "text/split/split.h"

const pare_algorithm_info *pare_algorithm_at(size_t index)
{
    if (index == 0) return &pare_plan_auto;
    size_t n;
    const pare_list_algorithm *const *lists = pare_list_algorithms(&n);
    if (index <= n) return &lists[index - 1]->info;
    index -= n + 1;
    const pare_tree_algorithm *trees = pare_tree_algorithms(&n);
    if (index < n) return &trees[index].info;
    if (index == n) return &pare_plan_choices;
    return index == n + 1 ? &pare_plan_portfolio : NULL;
}

const pare_unit_info *pare_unit_at(size_t index)
{
    size_t n;
    const pare_splitter *const *splitters = pare_splitters(&n);
    if (index < n) return &splitters[index]->info;
    return index == n ? &pare_plan_bracket : NULL;
}

const char *pare_version(void)
{
    return PARE_VERSION;
}
