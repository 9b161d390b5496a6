/* Which campaign's store a command is about. */
#ifndef PARE_CLI_STORE_CHOICE_H
#define PARE_CLI_STORE_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include <pare/findings.h>

#include "base/fail.h"
#include "cli/options.h"

/* The path that the option number `option` (--store) has, or else the one NAME.pare.db in the
 * current folder.  On PARE_OK the caller owns *path.
 * Errors: PARE_E_ARG (there is none, or there are several: the sentence names --store),
 * PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_store_choice_read(const pare_arguments *arguments, size_t option,
                                              char **path, pare_error *err);

/* Opens that store, which has to be there.  Errors: as above, and those of pare_store_open. */
PARE_CHECK pare_status pare_store_choice_open(const pare_arguments *arguments, size_t option,
                                              pare_store **store, pare_error *err);

/* The number of a finding or a job that a word is, "17" or "#17".  Errors: PARE_E_ARG. */
PARE_CHECK pare_status pare_store_choice_id(const char *word, int64_t *id, pare_error *err);

#endif
