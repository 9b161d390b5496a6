/* Bytes as choices: the reduction of what another program's generator reads.
 *
 * A generator outside takes its randomness from a file or its standard input, as a fuzz
 * harness with a FuzzedDataProvider does: the bytes are its choices, and a test that makes the
 * text of them and looks at that is the test of the bytes.  Nothing is known of spans but what the
 * bytes look like: where they are a text with brackets, these say what belongs together.  A list
 * that is too short for the generator fails there. */
#ifndef PARE_REDUCE_CHOICE_BYTES_H
#define PARE_REDUCE_CHOICE_BYTES_H

#include <pare/export.h>
#include <pare/status.h>

#include "engine/strategy.h"

/* Hypothesis's passes (reduce/choice/reduction.h) over `size` bytes, a choice each.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_LIMIT (more than PARE_CHOICES_LIMIT), PARE_E_NOMEM.
 * Guarantee: 1-minimal in bytes, and no byte can be smaller by one. */
PARE_CHECK pare_status pare_choice_bytes_reduction_new(const unsigned char *bytes, size_t size,
                                                       pare_strategy **out, pare_error *err);

#endif
