/* Names to indices, over borrowed texts.
 *
 * An all-zero struct is an empty one.  Names are byte strings that must outlive it.
 * One thread. */
#ifndef PARE_GRAMMAR_NAME_INDEX_H
#define PARE_GRAMMAR_NAME_INDEX_H

#include <stddef.h>

#include <pare/export.h>
#include <pare/status.h>

#include "base/hash_index.h"
#include "grammar/grammar.h"

typedef struct pare_name_index {
    pare_hash_index hashes;
    struct pare_named {
        const char *text; /* borrowed */
        size_t size;      /* bytes */
        pare_index index;
    } * items; /* owned */
    size_t n, capacity;
} pare_name_index;

void pare_name_index_done(pare_name_index *names);

/* The index given with that name, or PARE_NO_INDEX. */
pare_index pare_name_index_find(const pare_name_index *names, const char *text, size_t size);

/* Gives `index` to a name, replacing an earlier one.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_name_index_put(pare_name_index *names, const char *text, size_t size,
                                           pare_index index, pare_error *err);

#endif
