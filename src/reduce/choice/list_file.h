/* A list of choices as a file: what recording writes, and reduction reads.
 *
 * Text: the line "pare choices 1", then one choice a line, in decimal.  Empty lines, and those
 * that begin with "#", say nothing. */
#ifndef PARE_REDUCE_CHOICE_LIST_FILE_H
#define PARE_REDUCE_CHOICE_LIST_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* Whether `size` bytes begin as such a file does. */
bool pare_choice_list_is_file(const void *bytes, size_t size);

/* Reads the list; `name` is for sentences.  On PARE_OK the caller owns *list, to be released
 * with pare_release.  Errors: PARE_E_SYNTAX (with the line), PARE_E_LIMIT (more than
 * PARE_CHOICES_LIMIT), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_list_read(const char *name, const void *bytes, size_t size,
                                             uint64_t **list, size_t *n, pare_error *err);

/* Appends the file to *to.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choice_list_write(const uint64_t *list, size_t n, pare_buffer *to,
                                              pare_error *err);

#endif
