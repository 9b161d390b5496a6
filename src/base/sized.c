/* Structs of options that a program of another version filled in.
 *
 * struct_bytes at the start says how much of the struct the program knew.  What we do not know
 * must be zero (the default of every option), what it did not know is zero for us; so old programs
 * run with a new library, and new ones with an old library as long as they ask for nothing new. */
#include "base/sized.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16 }; /* of any struct of options; more is a number gone wrong */

/* Zero is the default of every option, so members that we do not know ask for nothing if they are
 * zero. */
static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++)
        if (bytes[k]) return false;
    return true;
}

/* Something else than zero is a wish of a newer program that we cannot fulfil; ignoring it would
 * be a reduction other than the one asked for. */
pare_status pare_sized_check_reserved(const void *reserved, size_t size, const char *name,
                                      pare_error *err)
{
    if (is_zero(reserved, size)) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "%s hold what this library does not know: the program needs a newer libpare",
                     name);
}

pare_status pare_sized_take(void *own, size_t own_bytes, const void *given, size_t given_bytes,
                            const char *name, pare_error *err)
{
    size_t size = 0;
    if (!given) return pare_fail(err, PARE_E_ARG, "%s are missing", name);
    memcpy(&size, given, sizeof size);
    if (!size) size = given_bytes;
    if (size < sizeof size || size > MAX_BYTES)
        return pare_fail(err, PARE_E_ARG,
                         "%s cannot have %zu bytes: set struct_bytes to 0, or to their sizeof",
                         name, size);
    assert(own_bytes >= sizeof size); /* struct_bytes is among them */
    /* The part that both sides know. After it come members that a newer program has (checked here)
     * or that an older one lacks (zero, set below). */
    const size_t known = size < own_bytes ? size : own_bytes;
    pare_status status =
        pare_sized_check_reserved((const unsigned char *)given + known, size - known, name, err);
    if (status) return status;
    memset(own, 0, own_bytes);
    memcpy(own, given, known);
    /* struct_bytes is the first member of each of these structs: from here on it is ours. */
    memcpy(own, &own_bytes, sizeof own_bytes);
    return PARE_OK;
}
