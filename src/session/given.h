/* Options to reduce as a program gave them, which may know another version of them. */
#ifndef PARE_SESSION_GIVEN_H
#define PARE_SESSION_GIVEN_H

#include <pare/reduce.h>

#include "base/status.h"

/* Fills *own with what was given in `given_bytes` bytes (base/sized.h); what the structs
 * inside reserve for later versions must be zero.  Errors: PARE_E_ARG. */
PARE_CHECK pare_status pare_given_take(const pare_reduce_options *given, size_t given_bytes,
                                       pare_reduce_options *own, pare_error *err);

#endif
