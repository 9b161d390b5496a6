/* Names to indices: a hash table over borrowed texts.
 *
 * An all-zero struct is an empty table.  Keys are byte strings that must outlive it.
 * One thread. */
#ifndef PARE_GRAMMAR_NAMES_H
#define PARE_GRAMMAR_NAMES_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

typedef struct pare_names {
    struct pare_name_slot *slots; /* owned; a power of two of them */
    size_t n, capacity;
} pare_names;

void pare_names_done(pare_names *names);

/* The index given with that name, or PARE_NO_INDEX. */
pare_index pare_names_find(const pare_names *names, const char *text, size_t size);

/* Gives `index` to a name, replacing an earlier one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_names_put(pare_names *names, const char *text, size_t size,
                                      pare_index index, pare_error *err);

#endif
