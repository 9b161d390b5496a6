/* Options of another version: the struct itself, and the structs in it. */
#include "session/given.h"

#include "base/sized.h"

static const char name[] = "options to reduce";

pare_status pare_given_take(const pare_reduce_options *given, size_t given_bytes,
                            pare_reduce_options *own, pare_error *err)
{
    pare_status status = pare_sized_take(own, sizeof *own, given, given_bytes, name, err);
    if (status) return status;
    const uint64_t *const rooms[] = {own->keep.reserved, own->knobs.reserved, own->safety.reserved,
                                     own->tree.reserved};
    const size_t sizes[] = {sizeof own->keep.reserved, sizeof own->knobs.reserved,
                            sizeof own->safety.reserved, sizeof own->tree.reserved};
    for (size_t k = 0; !status && k < sizeof rooms / sizeof *rooms; k++)
        status = pare_sized_check_reserved(rooms[k], sizes[k], name, err);
    return status;
}
