/* Inputs that reached something new, for each target, and what has been reached.  One thread. */
#ifndef PARE_CAMPAIGN_CORPUS_TABLE_H
#define PARE_CAMPAIGN_CORPUS_TABLE_H

#include "base/digest.h"
#include "campaign/store.h"

#include <pare/findings.h>

/* An input that is shared by all sources of a target. */
typedef struct pare_corpus_entry {
    int64_t id; /* rises */
    const char *source;
    char digest[PARE_DIGEST_TEXT_BYTES];
    size_t bytes;
    uint64_t new_edges;
    bool is_reduced;
} pare_corpus_entry;

/* An input to be added; borrowed. */
typedef struct pare_corpus_input {
    const char *source;
    const void *bytes;
    size_t size;
    uint64_t new_edges;
    bool is_reduced;
} pare_corpus_input;

/* *is_new is false when the target's population has it already. */
PARE_CHECK pare_status pare_corpus_table_add(pare_store *store, const char *target,
                                             const pare_corpus_input *input, bool *is_new,
                                             pare_error *err);

typedef pare_status (*pare_corpus_visit)(void *context, const pare_corpus_entry *entry,
                                         pare_error *err);
/* Those after entry `after`. */
PARE_CHECK pare_status pare_corpus_table_each(pare_store *store, const char *target, int64_t after,
                                              pare_corpus_visit visit, void *context,
                                              pare_error *err);

/* The map of what was reached (coverage.h), merged with what others have put since; `map` gets the
 * union.  *n_new: bits that the store did not have; *n_edges: bytes that were 0
 * there.  The map's size belongs to the target's build: another size replaces it. */
PARE_CHECK pare_status pare_corpus_table_merge_map(pare_store *store, const char *target,
                                                   unsigned char *map, size_t size, uint64_t *n_new,
                                                   uint64_t *n_edges, pare_error *err);

#endif
