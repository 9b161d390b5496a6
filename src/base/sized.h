/* Structs of options whose size the program that fills them in knows, and we do not.
 *
 * A program may have been compiled with an older header, whose struct ends before ours, or
 * with a newer one.  The first member of each is `size_t struct_bytes`; 0 there stands for
 * the size that comes with the call (pare_reduce and its like are inline, and add it). */
#ifndef PARE_BASE_SIZED_H
#define PARE_BASE_SIZED_H

#include "base/fail.h"

/* Makes *own, `own_bytes` large, of *given: what a shorter one does not have is zero.  `name`
 * is the struct's, for messages.
 * Errors: PARE_E_ARG (`given` is NULL; its size cannot be one; it is longer, and what we do
 * not know of it is not all zero). */
PARE_CHECK pare_status pare_sized_take(void *own, size_t own_bytes, const void *given,
                                       size_t given_bytes, const char *name, pare_error *err);

/* PARE_E_ARG, with the same sentence, when the `size` bytes that a struct in another one
 * reserves for later members are not all zero. */
PARE_CHECK pare_status pare_sized_check_reserved(const void *reserved, size_t size,
                                                 const char *name, pare_error *err);

#endif
