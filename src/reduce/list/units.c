/* Units; see units.h for the representation. */
#include "reduce/list/units.h"

#include "base/alloc.h"
#include "base/status.h"

pare_status pare_units_new(pare_bounds *bounds, pare_unit_list **out, pare_error *err)
{
    pare_unit_list *units = pare_alloc(1, sizeof *units);
    if (!units) return pare_fail_nomem(err);
    *units = (pare_unit_list){.refs = 1, .n = bounds->n, .begin = bounds->at};
    *bounds = (pare_bounds){0};
    *out = units;
    return PARE_OK;
}

pare_status pare_units_new_gapped(pare_slices *slices, pare_unit_list **out, pare_error *err)
{
    pare_unit_list *units = pare_alloc(1, sizeof *units);
    if (!units) return pare_fail_nomem(err);
    *units =
        (pare_unit_list){.refs = 1, .n = slices->n, .begin = slices->begin, .end = slices->end};
    *slices = (pare_slices){0};
    *out = units;
    return PARE_OK;
}

pare_unit_list *pare_units_ref(pare_unit_list *units)
{
    units->refs++;
    return units;
}

void pare_units_unref(pare_unit_list *units)
{
    if (!units || --units->refs) return;
    pare_release(units->begin);
    pare_release(units);
}
