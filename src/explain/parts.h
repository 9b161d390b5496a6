/* What of a text can be varied, and by what: its parts, each with samples of its kind.
 *
 * Parts are the nodes of the tree, where a language or grammar gives one, and the lexemes.  A name is
 * one part with all its places, so that it is renamed as a whole.  Immutable once made; one thread. */
#ifndef PARE_EXPLAIN_PARTS_H
#define PARE_EXPLAIN_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"

typedef enum pare_part_kind {
    PARE_PART_NODE,   /* of the tree, of two leaves or more */
    PARE_PART_WHOLE,  /* a whole number, decimal, below 10^18 */
    PARE_PART_NUMBER, /* another number */
    PARE_PART_STRING, /* in quotes */
    PARE_PART_NAME,   /* a word; all places of it */
    PARE_PART_SIGN    /* an operator that has others of its class */
} pare_part_kind;

/* A text in `bytes`. */
typedef struct pare_sample {
    uint32_t offset, size;
} pare_sample;

typedef struct pare_varied {
    pare_part_kind kind;
    uint32_t name;     /* of the kind, to be shown: offset in `bytes`, NUL-terminated */
    uint32_t from, to; /* its first place */
    uint32_t n_places;
    uint32_t first_sample, n_samples;
    uint32_t least; /* samples that must fail before it is said that any may stand here */
    uint64_t value; /* WHOLE */
    bool has_empty; /* STRING: the last sample is the empty one */
} pare_varied;

typedef struct pare_varied_place {
    uint32_t from, to; /* bytes of the text */
    uint32_t part;
} pare_varied_place;

/* All-zero: none. */
typedef struct pare_parts {
    pare_varied *parts; /* owned; by `from` of the first place, a node before what is in it */
    size_t n, capacity;
    pare_varied_place *places; /* owned; by `from`, a node before what is in it */
    size_t n_places, places_capacity;
    pare_sample *samples; /* owned */
    size_t n_samples, samples_capacity;
    pare_buffer bytes; /* of samples and names */
} pare_parts;

/* Parts of `size` bytes, of which `tree` (NULL: none) with the names `names` (may be NULL) is the
 * tree.  On PARE_OK the caller ends *out (all-zero before).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_parts_make(const unsigned char *bytes, size_t size,
                                       const pare_tree *tree, const pare_symbol_names *names,
                                       pare_parts *out, pare_error *err);
void pare_parts_done(pare_parts *parts);

#endif
