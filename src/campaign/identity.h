/* The identity of a failure: its signature without what varies between tests of one cause.
 *
 *   frame    (default) how it ended, the kind of error, and the first frame of the program's own;
 *            without a frame the message
 *   type     the kind of error only: always so for stack overflows (their frames vary) and hangs
 *   message  as frame, and the message
 *   exact    the signature as it was seen
 *
 * Frames of the C library, of sanitizers and of allocation are not in a signature at all, nor are
 * those that the target's `ignore_frames` names (pare_keep.ignore_frames).  Of messages, what
 * stands in the input is masked (run/generalize.h).  An identity is a signature that parses
 * (run/signature.h), and that the failing run has: a reduction keeps it as it stands.  Any
 * thread. */
#ifndef PARE_CAMPAIGN_IDENTITY_H
#define PARE_CAMPAIGN_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"

typedef enum pare_identity_level {
    PARE_IDENTITY_FRAME,
    PARE_IDENTITY_TYPE,
    PARE_IDENTITY_MESSAGE,
    PARE_IDENTITY_EXACT,
    PARE_IDENTITY_N_LEVELS
} pare_identity_level;

/* Appends the identity's text.  `input`: the failing test, `size` bytes.
 * Errors: PARE_E_SYNTAX (the signature), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_identity_of(pare_identity_level level, const char *signature,
                                        const void *input, size_t size, pare_buffer *identity,
                                        pare_error *err);

/* Whether a run with `signature` is of this identity; texts that do not parse are not. */
bool pare_identity_matches(const char *identity, const char *signature);

/* Appends a line for people: "heap-buffer-overflow in jsB_dateparse".
 * Errors: PARE_E_SYNTAX (the identity), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_identity_title(const char *identity, pare_buffer *title,
                                           pare_error *err);

#endif
