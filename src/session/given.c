/* Options of another version: the struct itself, and the structs in it.
 *
 * The outer struct may be shorter or longer than ours (base/sized.h).  The groups in it keep their
 * size for ever, so that the offset of each is fixed; what they reserve for later members has to be
 * zero as long as this library does not know what it means. */
#include "session/given.h"

#include "base/sized.h"

static const char name[] = "options to reduce";

pare_status pare_given_take(const pare_reduce_options *given, size_t given_bytes,
                            pare_reduce_options *own, pare_error *err)
{
    pare_status status = pare_sized_take(own, sizeof *own, given, given_bytes, name, err);
    if (status) return status;
    const uint64_t *const rooms[] = {
        own->input.reserved,       own->test.reserved,   own->keep.reserved,
        own->test.safety.reserved, own->lists.reserved,  own->trees.reserved,
        own->limits.reserved,      own->output.reserved, own->events.reserved};
    for (size_t k = 0; !status && k < sizeof rooms / sizeof *rooms; k++)
        status = pare_sized_check_reserved(rooms[k], sizeof own->input.reserved, name, err);
    return status;
}
