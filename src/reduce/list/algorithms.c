/* List algorithms: the one table of them, and the edits that they propose.
 *
 * An edit is an ascending list of ranges of positions to leave out.  Two ranges, which is all
 * that the classical algorithms need, are stored in the edit itself, so that proposing costs
 * no allocation.
 * Invariant: ranges ascend, are not empty, and do not touch; touching ones are joined. */

#include "reduce/list/algorithms.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

/* ---- edits -------------------------------------------------------------------------- */

enum { FEW = sizeof((pare_edit){0}.few) / sizeof(pare_range) };

/* Keeps the memory: a strategy proposes thousands of edits with one struct. */
void pare_edit_reset(pare_edit *edit)
{
    edit->n_ranges = 0;
}

void pare_edit_done(pare_edit *edit)
{
    if (edit->ranges != edit->few) pare_alloc_free(edit->ranges);
    *edit = (pare_edit){0};
}

/* Makes room for one range more than there are.
 * The ranges are moved out of the struct only when there are more than two, as in the edits of
 * ProbDD; from then on the memory is kept. */
static pare_status grow(pare_edit *edit, pare_error *err)
{
    if (!edit->ranges) {
        edit->ranges = edit->few;
        edit->capacity = FEW;
    }
    if (edit->n_ranges < edit->capacity) return PARE_OK;
    bool inside = edit->ranges == edit->few;
    size_t capacity = 2 * edit->capacity;
    pare_range *ranges = pare_alloc_resize(inside ? NULL : edit->ranges, capacity, sizeof *ranges);
    if (!ranges) return pare_fail_nomem(err);
    if (inside) memcpy(ranges, edit->few, sizeof edit->few);
    edit->ranges = ranges;
    edit->capacity = capacity;
    return PARE_OK;
}

/* Ranges come in ascending order; an empty one is a no-op, so callers need no test for it. */
pare_status pare_edit_add(pare_edit *edit, size_t from, size_t to, pare_error *err)
{
    assert(from <= to);
    if (from == to) return PARE_OK;
    pare_range *last = edit->n_ranges ? &edit->ranges[edit->n_ranges - 1] : NULL;
    assert(!last || from >= last->to);
    if (last && from == last->to) {
        last->to = to;
        return PARE_OK;
    }
    pare_status status = grow(edit, err);
    if (status) return status;
    edit->ranges[edit->n_ranges++] = (pare_range){from, to};
    return PARE_OK;
}

/* How many positions are left out; O(ranges). */
size_t pare_edit_count(const pare_edit *edit)
{
    size_t count = 0;
    for (size_t i = 0; i < edit->n_ranges; i++)
        count += edit->ranges[i].to - edit->ranges[i].from;
    return count;
}

/* ---- the table ------------------------------------------------------------------------ */

/* Adding an algorithm takes a line here. */
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

/* Linear: there are a dozen, and it is asked once a run. */
const pare_list_algorithm *pare_list_algorithm_find(const char *name)
{
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(table[i]->info.name, name) == 0) return table[i];
    return NULL;
}
