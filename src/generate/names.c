/* Declared names, in the order of their declaration. */
#include "generate/names.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"

void pare_declared_reset(pare_declared *declared)
{
    pare_buffer_reset(&declared->texts);
    declared->n = 0;
    declared->n_visible = 0;
}

void pare_declared_done(pare_declared *declared)
{
    pare_buffer_done(&declared->texts);
    pare_release(declared->names);
    *declared = (pare_declared){0};
}

pare_status pare_declared_define(pare_declared *declared, const char *name, size_t size,
                                 pare_error *err)
{
    size_t offset = declared->texts.size;
    if (offset + size > UINT32_MAX)
        return pare_fail(err, PARE_E_LIMIT, "the declared names are too long");
    pare_name *names =
        pare_vector_grow(declared->names, declared->n, &declared->capacity, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    declared->names = names;
    pare_status status = pare_buffer_add(&declared->texts, name, size, err);
    if (status) return status;
    declared->names[declared->n++] = (pare_name){(uint32_t)offset, (uint32_t)size};
    return PARE_OK;
}

void pare_declared_commit(pare_declared *declared)
{
    declared->n_visible = declared->n;
}
