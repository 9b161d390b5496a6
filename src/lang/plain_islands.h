/* Islands for trees as they are parsed, without what reducers want of them.  One thread. */
#ifndef PARE_LANG_PLAIN_ISLANDS_H
#define PARE_LANG_PLAIN_ISLANDS_H

#include "lang/islands.h"

typedef struct pare_plain_islands pare_plain_islands;

/* Opens the languages of the islands that `n` options name (island_option.h).  On PARE_OK
 * the caller owns *out.
 * Errors: those of pare_island_option_read, pare_islands_add, and of reading a grammar or
 * loading a language. */
PARE_CHECK pare_status pare_plain_islands_new(const char *const *options, size_t n,
                                              pare_plain_islands **out, pare_error *err);
void pare_plain_islands_free(pare_plain_islands *plain); /* NULL is a no-op */

/* Borrowed; for pare_islands_fill. */
pare_islands *pare_plain_islands_of(pare_plain_islands *plain);

#endif
